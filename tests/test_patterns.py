r"""Test the examples above long patterns, and that each long pattern has some.

The comments are "Matches: `a`, `b`" and "Does not match: `c`". An example matches if the pattern matches all of it,
also if a ">" follows. `\n` is a line end, and an example that holds backticks is between two of them and a space.
"""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import urlscan

ROOT = Path(urlscan.__file__).parent
# The two comments, and the name of the pattern, or of the function that returns it, after them.
EXAMPLES = re.compile(
    r"""
    ^\#\ Matches:\ (?P<matches>.+)\n
    \#\ Does\ not\ match:\ (?P<others>.+)\n
    (?:@.+\n)*
    (?:def\ )?(?P<name>\w+)
    """,
    re.MULTILINE | re.VERBOSE,
)
# Patterns whose arguments or alternatives have comments, or that look back, and have tests of their own.
WITHOUT_EXAMPLES = {
    ("urlscan.finder.anchors", "anchor"),
    ("urlscan.finder.anchors", "SLASHES"),
    ("urlscan.targets.kinds.html", "_ATTRIBUTE"),
}


class Example(NamedTuple):
    """A text and whether the pattern of a module matches it."""

    module: str
    pattern: str
    text: str
    matches: bool


def modules() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each module."""
    for path in sorted(ROOT.rglob("*.py")):
        yield ".".join(["urlscan", *path.relative_to(ROOT).with_suffix("").parts]), path.read_text(encoding="utf-8")


def examples() -> Iterator[Example]:
    """Yield the examples in the comments of the package."""
    for module, source in modules():
        for found in EXAMPLES.finditer(source):
            for group in ("matches", "others"):
                for quoted, text in re.findall("`` (.+?) ``(?!`)|`([^`]+)`", found[group]):
                    yield Example(module, found["name"], (quoted or text).replace(r"\n", "\n"), group == "matches")


def long_patterns(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Yield the name of each pattern of more than one line, or of its function, and whether it is verbose."""
    for statement in tree.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("re.compile", "lazy") and node.args:
                literals = [one for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant | ast.JoinedStr)]
                if any(one.lineno != one.end_lineno for one in literals):
                    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement
                    yield getattr(target, "id", getattr(target, "name", "")), "VERBOSE" in ast.unparse(node)


def pattern_of(example: Example) -> Any:
    """Return the pattern, which a function may return, compiled or not."""
    value = getattr(importlib.import_module(example.module), example.pattern)
    pattern = value() if callable(value) else value
    return re.compile(pattern) if isinstance(pattern, str) else pattern


def is_matched(pattern: Any, text: str) -> bool:
    """Return whether the pattern matches all of the text, alone or before ">"."""
    subject, end = (text.encode(), b">") if isinstance(pattern.pattern, bytes) else (text, ">")
    before = pattern.match(subject + end)
    return pattern.fullmatch(subject) is not None or (before is not None and before.end() == len(subject))


def test_examples_above_a_pattern_match_as_stated() -> None:
    wrong = [one for one in examples() if is_matched(pattern_of(one), one.text) != one.matches]
    assert wrong == []


def test_all_examples_are_found() -> None:
    found = list(examples())
    lines = [line for _, source in modules() for line in source.splitlines()]
    comments = [line for line in lines if line.startswith(("# Matches:", "# Does not match:"))]
    assert len(comments) == 2 * len({(one.module, one.pattern) for one in found})
    assert {one.matches for one in found} == {True, False}


def test_long_patterns_are_verbose_and_have_examples() -> None:
    known = {(one.module, one.pattern) for one in examples()} | WITHOUT_EXAMPLES
    found = [(module, *one) for module, source in modules() for one in long_patterns(ast.parse(source))]
    assert len(found) > 20
    assert [(module, name) for module, name, _ in found if (module, name) not in known] == []
    assert [(module, name) for module, name, is_verbose in found if not is_verbose and name != "anchor"] == []
