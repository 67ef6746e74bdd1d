"""The addresses of the project agree with its metadata, and a hint adds an extra to the installation."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from urlscan.core import project
from urlscan.core.project import INDEX_PAGE, REPOSITORY, rule_page
from urlscan.rules import REGISTRY

ROOT = Path(__file__).parents[2]


def test_address_is_that_of_the_metadata() -> None:
    metadata = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert metadata["project"]["urls"]["Source"] == REPOSITORY
    assert metadata["project"]["urls"]["Documentation"].startswith(f"{REPOSITORY}/blob/main/docs/")


@pytest.mark.parametrize("address", [INDEX_PAGE, *(rule_page(entry.code) for entry in REGISTRY)])
def test_addresses_of_pages_lead_to_pages(address: str) -> None:
    prefix = f"{REPOSITORY}/blob/main/"
    assert address.startswith(prefix)
    assert (ROOT / address.removeprefix(prefix)).is_file()


@pytest.mark.parametrize(
    ("source", "command"),
    [
        ({}, "pip install 'urlscan-lint[idn]'"),
        ({"url": "file:///src/a%20b", "dir_info": {}}, "pip install 'urlscan-lint[idn] @ file:///src/a%20b'"),
        ({"url": "file:///src/a", "dir_info": {"editable": True}}, "pip install -e 'file:///src/a[idn]'"),
        (
            {"url": "https://h.example/a", "vcs_info": {"vcs": "git", "commit_id": "1"}},
            "pip install 'urlscan-lint[idn] @ git+https://h.example/a'",
        ),
    ],
    ids=["package-index", "directory", "editable", "repository"],
)
def test_an_extra_is_added_from_where_urlscan_was_installed(
    source: dict[str, Any], command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project, "install_source", lambda: source)
    assert project.install_command("idn") == command


def test_a_distribution_that_is_not_installed_counts_as_one_of_the_index(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project, "DISTRIBUTION", "urlscan-that-nobody-installed")
    assert project.install_source() == {}
