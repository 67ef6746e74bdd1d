r"""Test the examples above the patterns of the readers: "Matches: `a`, `b`" and "Does not match: `c`".

An example matches if the pattern matches it completely, alone or followed by ">". `\n` is a line end, and an example
that contains backticks is enclosed in two of them and spaces.
"""

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import urlscan.documents

ROOT = Path(urlscan.documents.__file__).parent
# The two comments, followed by the name of the pattern or of the function that returns it.
EXAMPLES = re.compile(
    r"""
    ^\#\ Matches:\ (?P<matches>.+)\n
    \#\ Does\ not\ match:\ (?P<others>.+)\n
    (?:@.+\n)*
    (?:def\ )?(?P<name>\w+)
    """,
    re.MULTILINE | re.VERBOSE,
)


class Example(NamedTuple):
    """A text and whether the pattern of a module matches it."""

    module: str
    pattern: str
    text: str
    matches: bool


def examples() -> Iterator[Example]:
    """Yield the examples in the comments of the package."""
    for path in sorted(ROOT.rglob("*.py")):
        module = ".".join(["urlscan.documents", *path.relative_to(ROOT).with_suffix("").parts])
        for found in EXAMPLES.finditer(path.read_text(encoding="utf-8")):
            for group in ("matches", "others"):
                for quoted, text in re.findall("`` (.+?) ``(?!`)|`([^`]+)`", found[group]):
                    yield Example(module, found["name"], (quoted or text).replace(r"\n", "\n"), group == "matches")


def pattern_of(example: Example) -> Any:
    """Return the compiled pattern; a function may return it, compiled or not."""
    value = getattr(importlib.import_module(example.module), example.pattern)
    pattern = value() if callable(value) else value
    return re.compile(pattern) if isinstance(pattern, str) else pattern


def is_matched(pattern: Any, text: str) -> bool:
    """Return whether the pattern matches the complete text, alone or followed by ">"."""
    before = pattern.match(text + ">")
    return pattern.fullmatch(text) is not None or (before is not None and before.end() == len(text))


@pytest.mark.parametrize("example", list(examples()), ids=lambda one: f"{one.pattern} {one.text!a}")
def test_examples_above_a_pattern_match_as_stated(example: Example) -> None:
    assert is_matched(pattern_of(example), example.text) == example.matches


def test_all_examples_are_found() -> None:
    found = list(examples())
    assert {one.matches for one in found} == {True, False}
    lines = [line for path in ROOT.rglob("*.py") for line in path.read_text(encoding="utf-8").splitlines()]
    comments = [line for line in lines if line.startswith(("# Matches:", "# Does not match:"))]
    assert len(comments) == 2 * len({(one.module, one.pattern) for one in found})
