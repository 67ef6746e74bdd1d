"""An expression that is compiled when it is first asked says what one that is compiled at once does."""

import copy
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlscan.patterns import lazy

PATTERNS = ["a+b", "(?P<c>[ab])|é", r"\Z", "[^a]*"]


@given(st.sampled_from(PATTERNS), st.sampled_from([0, re.IGNORECASE]), st.text("abéA\n"), st.integers(0, 4))
def test_it_says_the_same(pattern: str, flags: int, text: str, at: int) -> None:
    asked, other = lazy(pattern, flags), re.compile(pattern, flags)
    for method in ("match", "fullmatch", "search"):
        ours, theirs = getattr(asked, method)(text, at), getattr(other, method)(text, at)
        assert (ours and (ours.span(), ours.groupdict())) == (theirs and (theirs.span(), theirs.groupdict()))
    assert [one.span() for one in asked.finditer(text)] == [one.span() for one in other.finditer(text)]
    assert (asked.findall(text), asked.split(text)) == (other.findall(text), other.split(text))
    assert (asked.sub("-", text), asked.subn("-", text)) == (other.sub("-", text), other.subn("-", text))
    assert (asked.pattern, asked.flags, asked.groups, asked.groupindex) == (
        other.pattern, other.flags, other.groups, other.groupindex,
    )  # fmt: skip


def test_bytes_are_searched_in_bytes() -> None:
    assert lazy(b"b").search(b"abc")


def test_nothing_is_compiled_before_it_is_asked() -> None:
    wrong = lazy("(")
    assert wrong.pattern == "("
    with pytest.raises(re.error):
        wrong.match("")


def test_a_copy_is_one_too() -> None:
    assert copy.copy(lazy("a")).match("a")
