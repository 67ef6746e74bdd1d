"""Test that lazy patterns match like those of `re.compile`, and that no pattern contains a possessive group."""

import ast
import copy
import importlib
import pkgutil
import re
import tracemalloc
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import urlscan
from tests.possessive import has_possessive_group
from urlscan.core.lazy import LazyPattern, lazy, repeat, without

# Packages of extras; without one, the modules that import it are not tested.
OPTIONAL = {"lsprotocol", "pygls", "pyspark"}
PATTERNS = ["a+b", "(?P<c>[ab])|é", r"\Z", "[^a]*"]


@given(st.sampled_from(PATTERNS), st.sampled_from([0, re.IGNORECASE]), st.text("abéA\n"), st.integers(0, 4))
def test_lazy_pattern_matches_like_a_compiled_one(pattern: str, flags: int, text: str, at: int) -> None:
    deferred, compiled = lazy(pattern, flags), re.compile(pattern, flags)
    for method in ("match", "fullmatch", "search"):
        actual, expected = getattr(deferred, method)(text, at), getattr(compiled, method)(text, at)
        assert (actual and (actual.span(), actual.groupdict())) == (
            expected and (expected.span(), expected.groupdict())
        )
    assert [one.span() for one in deferred.finditer(text)] == [one.span() for one in compiled.finditer(text)]
    assert (deferred.findall(text), deferred.split(text)) == (compiled.findall(text), compiled.split(text))
    assert (deferred.sub("-", text), deferred.subn("-", text)) == (compiled.sub("-", text), compiled.subn("-", text))
    assert (deferred.pattern, deferred.flags, deferred.groups, deferred.groupindex) == (
        compiled.pattern, compiled.flags, compiled.groups, compiled.groupindex,
    )  # fmt: skip


def test_lazy_pattern_matches_bytes() -> None:
    assert lazy(b"b").search(b"abc")


def test_pattern_is_compiled_on_first_use() -> None:
    invalid = lazy("(")
    assert invalid.pattern == "("
    with pytest.raises(re.error):
        invalid.match("")


def test_lazy_pattern_can_be_copied() -> None:
    assert copy.copy(lazy("a")).match("a")


# --- possessive groups, which CPython before 3.11.5 matches wrongly (gh-106052)

GROUPS = [
    "(?:ab)++",
    "(ab)*+",
    "(?:a|bc){1,2}+",
    "x(?:a?)?+",
    "(?=(?:ab)++)",
    "(?>(?:ab)?+)",
    "a(?:b|(?:cd)++)",
]
OTHERS = ["a++", "[ab]*+c", ".?+", "(?:a++|b)*", "(?>(?:ab)+)", r"\(a\)++", "[(a)]++", "(?P<one>a{1,3}+)"]


@pytest.mark.parametrize("pattern", GROUPS)
def test_possessive_group_is_detected(pattern: str) -> None:
    assert has_possessive_group(pattern)
    assert has_possessive_group(pattern.encode())


@pytest.mark.parametrize("pattern", OTHERS)
def test_other_possessive_quantifiers_are_allowed(pattern: str) -> None:
    assert not has_possessive_group(pattern)


def test_compiling_a_possessive_group_fails_in_tests() -> None:
    with pytest.raises(AssertionError, match="possessive group"):
        lazy("(?:lazy)++").match("lazy")


def test_modules_compile_no_possessive_group() -> None:
    count = 0
    for info in pkgutil.walk_packages(urlscan.__path__, "urlscan."):
        if not info.name.endswith("__main__"):
            try:
                module = importlib.import_module(info.name)
            except ModuleNotFoundError as error:
                if error.name not in OPTIONAL:
                    raise
                continue
            for pattern in _patterns_in(vars(module).values()):
                assert not has_possessive_group(pattern.pattern, pattern.flags), (info.name, pattern.pattern)
                count += 1
    assert count > 200


def _patterns_in(values: Iterable[object]) -> Iterator[re.Pattern[Any]]:
    """Yield the patterns of `re` in `values`, including those in tuples, lists and dictionaries."""
    for value in values:
        if isinstance(value, (re.Pattern, LazyPattern)):
            yield cast("re.Pattern[Any]", value)
        elif isinstance(value, (tuple, list)):
            yield from _patterns_in(value)
        elif isinstance(value, dict):
            yield from _patterns_in(value.values())


# Closing brackets of groups, and possessive quantifiers, in string literals.
_WRITTEN = re.compile(r"(?<!\\)\)(?:[*+?]|\{[0-9,]+\})\+")


@pytest.mark.slow
def test_strings_of_the_package_contain_no_possessive_group() -> None:
    """A pattern built in a function is compiled when the function is called, so string literals are searched."""
    for path in Path(urlscan.__path__[0]).rglob("*.py"):
        if path.name == "schemeless.py":  # its patterns are compiled by `regex`
            continue
        tree = ast.parse(path.read_text("utf-8"))
        docstrings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and node not in docstrings:
                text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
                outside_classes = re.sub(r"\[\^?\]?(?:[^\]\\]|\\.)*\]", "[]", text)
                # Some of the sub-delims of RFC 3986, as listed in tables of characters.
                expression = outside_classes.replace("()*+", "")
                assert not _WRITTEN.search(expression), (path, node.lineno, text)


@given(st.text("ab", max_size=12), st.sampled_from([0, 1]))
def test_repetition_does_not_backtrack(text: str, minimum: int) -> None:
    pattern = re.compile(repeat("ab?a|b", minimum))
    # No alternative of the group is a prefix of another, so that a greedy group matches the same text.
    expected = re.match(f"(?:ab?a|b){'+' if minimum else '*'}", text)
    match = pattern.match(text)
    assert (match and match.span()) == (expected and expected.span())
    assert not re.compile(repeat("a", 1) + "a").match(text)


def test_long_repetition_takes_little_memory() -> None:
    text = "ab" * 500_000
    tracemalloc.start()
    try:
        match = re.compile(repeat("a|b(?!c)")).match(text)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert match
    assert match.end() == len(text)
    assert peak < 4 << 20  # a single atomic group takes 120 MB


@pytest.mark.parametrize("characters", ["<", "<:&", "\"#'", "]^-\\", "\n\\/:"])
def test_classes_without_characters_hold_all_others(characters: str) -> None:
    latin, every = map(re.compile, without(characters))
    for character in map(chr, (*range(0x180), 0x4E2D, 0x1F600)):
        is_other = character not in characters
        assert (every.fullmatch(character) is not None) == is_other
        assert (latin.fullmatch(character) is not None) == (is_other and character <= "\xff")
