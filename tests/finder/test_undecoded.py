"""Test that URLs in undecoded quoted-printable text are read as the general path reads them."""

from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from urlscan.finder import find

WORDS = (
    "http",
    "://",
    "h.example",
    "/",
    "a",
    "-",
    "=3D",
    "=\n",
    "=\r\n",
    '"',
    "?b",
    "rem",
    "%2",
    "0",
    "&amp;",
    ">",
    "'",
)


def _found(text, **options):
    return list(find(text, **options))


@given(
    st.lists(st.sampled_from(WORDS), max_size=12).map("".join),
    st.sampled_from(['"', '" ', '">', '"a', "'", "", "\n"]),
    st.sampled_from(["wrapped", "guess", "never"]),
)
@example("h.exam=\nple/a", '"', "wrapped")
@example("h.example/a=\nhttp://b", '"', "wrapped")
@example("h.example/a-=\nb", '"', "wrapped")
@example("h.example/a=\nrem", '" >', "wrapped")
def test_fast_reading_agrees_with_the_general_path(rest, after, rejoin):
    text = f'<a href=3D"http://h{rest}{after}> <a href=3D"https://h.example/=\n{rest}{after}'
    fast = _found(text, rejoin=rejoin)
    with mock.patch("urlscan.finder.undecoded.read_undecoded", return_value=None):
        assert _found(text, rejoin=rejoin) == fast


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_url_in_an_undecoded_attribute_takes_the_fast_path(newline):
    text = f'<a href=3D"http://h.exam={newline}ple/a={newline}b?c=3Dd">'
    with mock.patch("urlscan.finder.read.read_enclosed", side_effect=AssertionError):
        (one,) = find(text)
    assert (one.url, one.raw) == ("http://h.example/ab?c=3Dd", text[11:-2])
    assert [(brk.kind, text[11 + brk.offset :][: brk.length]) for brk in one.breaks] == [
        ("soft-break", f"={newline}")
    ] * 2
    assert (one.outer_start, one.outer_end, one.style, one.joined) == (10, len(text) - 1, "quotes", "delimited")
