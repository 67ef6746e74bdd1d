"""Test the search of a chunk."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.strategies import texts
from urlscan.core.chunk import Chunk
from urlscan.core.find_options import FindOptions
from urlscan.core.segment import Segment
from urlscan.finder import find_in_chunk, to_occurrence
from urlscan.sources import segments


def _found(text, options, skips=None):
    """Return the matches, without those that may be left out, and the end of the last URL."""
    chunk = Chunk(Segment(text))
    matches = [
        match for match in find_in_chunk(chunk, options, skips) if match.record is not None or not _is_short(match.url)
    ]
    return [to_occurrence(match) for match in matches], chunk.end


def _is_short(url):
    return len(url) < 20


@given(texts, st.booleans(), st.booleans(), st.sampled_from(["wrapped", "never", "guess"]))
@example("http://h.example/a http//h.example/b http://h.example/c\n", True, True, "wrapped")
@example("http://h.example/a-\nhttp://h.example/b.\nhtml http:// h.example/c", True, True, "wrapped")
@example('"http://h.example/s//h.example/a" s//h.example', True, True, "wrapped")
def test_other_matches_are_the_same(text, look_alikes, continuations, rejoin):
    options = FindOptions(look_alikes=look_alikes, continuations=continuations, rejoin=rejoin)
    assert _found(text, options, _is_short) == _found(text, options)


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("http://h.example/a http://h.example/b\n\n", []),
        ("http://h.example/a-\nb", ["http://h.example/a-"]),
        ("http://h.example/a http://h.example/long/path", ["http://h.example/long/path"]),
        ("http://h.example/a. http:// h.example", ["http://h.example/a", "http://h.example"]),
    ],
)
def test_common_urls_are_left_out(text, urls):
    options = FindOptions(look_alikes=True, continuations=True)
    found = find_in_chunk(Chunk(Segment(f"text {text} ")), options, _is_short)
    assert [match.url for match in found] == urls


@pytest.mark.parametrize(
    ("page", "urls"),
    [
        ('<a href="http://h.example/a">b</a>', []),
        ('<a href="http://h.example/{id}">b</a>', ["http://h.example/{id}"]),
        ('<a href="http://h.example/a"></a> http://h.example/b', ["http://h.example/b"]),
        ('<a href="http://h.example/a"></a> <a href="http://h.example/long/path">', ["http://h.example/long/path"]),
    ],
)
def test_common_links_are_left_out(page, urls):
    (segment,) = segments(page.encode(), kind="html")
    found = find_in_chunk(Chunk(segment), FindOptions(look_alikes=True), _is_short)
    assert [match.url for match in found] == urls
