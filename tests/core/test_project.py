"""The addresses of the project agree with its metadata and lead to existing pages."""

import tomllib
from pathlib import Path

import pytest

from urlscan.core.project import COMMAND_LINE_PAGE, INDEX_PAGE, REPOSITORY, rule_page
from urlscan.rules import REGISTRY

ROOT = Path(__file__).parents[2]


def test_address_is_that_of_the_metadata() -> None:
    metadata = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert metadata["project"]["urls"]["Source"] == REPOSITORY
    assert metadata["project"]["urls"]["Documentation"].startswith(f"{REPOSITORY}/blob/main/docs/")


@pytest.mark.parametrize("address", [COMMAND_LINE_PAGE, INDEX_PAGE, *(rule_page(entry.code) for entry in REGISTRY)])
def test_addresses_of_pages_lead_to_pages(address: str) -> None:
    prefix = f"{REPOSITORY}/blob/main/"
    assert address.startswith(prefix)
    assert (ROOT / address.removeprefix(prefix)).is_file()
