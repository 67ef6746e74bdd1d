"""Test the fast check of fixed URLs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlscan.core.settings import PROFILES
from urlscan.linter import reported
from urlscan.uri.schemes import accepts

PIECES = [
    "http://",
    "https://",
    "h.example",
    "/",
    "a",
    "%7C",
    "%zz",
    "%",
    ".",
    "..",
    "?",
    "#",
    "-",
    "|",
    ":80",
    "~",
    "jo@",
]


@pytest.fixture(autouse=True, scope="module")
def _without_grammar():
    """Replace the grammar, so that only the fast check accepts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reported, "accepts", lambda *_: False)
        yield


def test_common_fixed_url_is_accepted_without_the_grammar() -> None:
    assert reported._is_repaired("http://h.example/a%7Cb.html#c%5E", [], "rfc3986")
    assert not reported._is_repaired("http://h.example/a|b", [], "rfc3986")
    assert not reported._is_repaired("http://h%7C.example/a", [], "rfc3986")


@given(url=st.lists(st.sampled_from(PIECES), max_size=8).map("".join), profile=st.sampled_from(PROFILES))
def test_fast_check_accepts_only_valid_urls(url: str, profile: str) -> None:
    url = "http://h.example/" + url
    assert not reported._is_repaired(url, [], profile) or accepts(url, profile, "uri-reference")
