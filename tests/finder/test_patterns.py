"""Test the examples in the comments above the patterns of the finder: "Matches: `a`" and "Does not match: `b`"."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import urlscan.finder
from tests.documents.test_patterns import EXAMPLES, Example, is_matched, pattern_of

ROOT = Path(urlscan.finder.__file__).parent


def examples() -> Iterator[Example]:
    """Yield the examples in the comments of the package."""
    for path in sorted(ROOT.glob("*.py")):
        for found in EXAMPLES.finditer(path.read_text(encoding="utf-8")):
            for group in ("matches", "others"):
                for text in re.findall("`([^`]+)`", found[group]):
                    module = f"urlscan.finder.{path.stem}"
                    yield Example(module, found["name"], text.replace(r"\n", "\n"), group == "matches")


@pytest.mark.parametrize("example", list(examples()), ids=lambda one: f"{one.pattern} {one.text!a}")
def test_examples_above_a_pattern_match_as_stated(example: Example) -> None:
    assert is_matched(pattern_of(example), example.text) == example.matches


def test_examples_of_long_patterns_are_found() -> None:
    assert {"_URL_CHARACTERS", "_PAGE", "_NO_WORD", "_HOST", "_INERT"} <= {one.pattern for one in examples()}
