"""Test the finder on any text: offsets, order, breaks, and that both paths agree."""

import re
from typing import get_args
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.linear_time import assert_linear
from tests.strategies import PIECES, examples, texts
from urlscan import finder
from urlscan.core.choices import Style
from urlscan.core.document import Document, readable
from urlscan.finder import FindOptions, find, find_in_document, scan

BREAKS = ("page-break", "comment-leader", "quote-mark", "soft-break", "newline", "blank")
REASONS = ("hyphen-dropped", "hyphen-kept", "blank-escaped", "unjoined", "joined", "shorter", "longer")


def unbroken(occurrence):
    """Return the raw text without its breaks."""
    pieces, done = [], 0
    for brk in occurrence.breaks:
        pieces.append(occurrence.raw[done : brk.offset])
        done = brk.offset + brk.length
    return "".join([*pieces, occurrence.raw[done:]])


@given(texts)
@examples(1500)
@example("<URL:ftp://ds.inter\nnic.net/rfc>")
def test_records_are_consistent_with_the_text(text):
    done = 0
    for o in find(text):
        assert readable(text[o.start : o.end]) == o.raw
        assert done <= o.outer_start <= o.start < o.end <= o.outer_end <= len(text)
        assert unbroken(o) == o.url
        assert o.url.lower().startswith(o.scheme + ":")
        assert o.style in get_args(Style)
        assert o.joined == ("delimited" if o.breaks else "none")
        assert all(brk.kind in BREAKS and brk.length > 0 for brk in o.breaks)
        assert len(o.alternatives) <= 8
        assert all(a.why in REASONS and a.url != o.url for a in o.alternatives)
        assert all(0 <= f.start < f.end <= len(text) for f in o.faults)
        done = o.outer_end


@pytest.mark.slow
@given(texts)
@examples(1500)
@example("and <http://h.example/a>#top or <url:<http://h.example/a>#top")
@example("and URL: http://h.example/a. URL:http://h.example/b URL:\nhttp://h.example Image-URL: http://h.example/c")
@example("and < URL: http://h.example/a <URL: http://h.example/b> <\nURL: http://h.example/c")
@example('<a href="x">http://h.example</a> http://h.example<b> http://h.example/</b>')
def test_fast_path_agrees_with_the_general_path(text):
    fast = list(find(text))
    with mock.patch.object(scan, "match_fast", return_value=None):
        assert list(find(text)) == fast


@given(texts)
@examples(500)
def test_without_rejoining_urls_have_no_breaks_and_the_same_starts(text):
    first = list(find(text, rejoin="never"))
    assert not any(o.breaks for o in first)
    # A URL that is broken before its host is not found without joining: "<http://" and "h.example/a>" on the next line.
    whole = [o for o in find(text) if not o.breaks or re.search("//[^/]|:[^/]", o.raw[: o.breaks[0].offset])]
    starts = {o.start for o in whole}
    assert starts <= {o.start for o in first}


@given(texts, st.sampled_from(["wrapped", "never", "guess"]), st.booleans(), st.booleans())
@examples(500)
def test_occurrences_never_overlap(text, rejoin, schemeless, emails):
    done = 0
    for one in find(text, rejoin=rejoin, schemeless=schemeless, emails=emails, look_alikes=True):
        assert done <= one.outer_start <= one.start < one.end <= one.outer_end
        assert readable(text[one.start : one.end]) == one.raw
        done = one.outer_end


@given(texts)
@example("jo@http://h.example/a www.h.example/?u=http://h.example/b http://www.h.example/")
def test_the_first_of_overlapping_matches_wins(text):
    merged = list(find(text, look_alikes=True, schemeless=True, emails=True))
    for one in find(text, look_alikes=True):
        assert one in merged or any(other.outer_start < one.outer_start < other.outer_end for other in merged)


def test_joined_url_excludes_the_delimiter_of_the_next():
    text = "http://h.example/long-\nname.html!URL:ftp://see/a"
    first, second = find(text, rejoin="guess")
    assert (first.joined, second.url) == ("guess", "ftp://see/a")
    assert first.outer_end <= second.outer_start


HOSTILE = [
    "<", "(", ":", "://", "> > ", "http://", "http://a ", "http://a,", "http://a(", "<http://x\n", '"http://x\n',
    "(http://x/", "'http://x/\\", "<http:/\n", "mailto:", "mailto:a@", "<mailto: ", "urn:a:b:", "http://[[[[", "a:",
    "<URL: http://a b ", "<http://a\n> ", "***http://a/***", "http://a/-----", "<http://a/\n\n\n\f\n",
    "<http://a-\nb> ", "a> <http://a\nb> ", "<a\n> ", ": <http://a\n: b> ",
    "http://a/" + "b" * 40 + ".\nhtml\n",
    "\ud800http://a\udc80 ", "\0http://a\0", "http://a.bを", "http://a'", "http://a/%\n2", "<http://a at b> ",
    "<h\nttp://a ", "http://{a}/", "http://${A}b/", "mailto:a@b/", "sip:a@b;c/", "http://*:80/", "http:///a",
    "://\U000c1d0ahttp://\U00047b5b://88ÿ", "http://[^/]/", "https://%s/",
    "'http://x/${a ", '"http://x/#{a[', "http://x/{{ a ", "http://x/<% ", "http://x/`a `", "{{a b}}", "http://b/{c d(",
    "hxxp://a[.",
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("piece", HOSTILE + PIECES, ids=ascii)
def test_hostile_text_takes_linear_time(piece):
    def search(size):
        for _occurrence in find((piece * (size // len(piece) + 1))[:size]):
            pass

    assert_linear(search, 80_000, within=0.08)


def test_occurrence_has_at_most_64_ki_characters():
    text = "<URL:http://example.org/" + "a" * 300_000 + "> and http://example.org/" + "b" * 300_000
    lengths = [o.outer_end - o.outer_start for o in find(text)]
    assert len(lengths) == 2
    assert all(length <= 65_600 for length in lengths)


@pytest.mark.slow
def test_memory_is_bounded_for_many_urls():
    import tracemalloc

    text = "".join(f"see http://example.org/{n} and\n" for n in range(40_000))
    tracemalloc.start()
    for _ in find(text):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16 * 2**20


@given(texts, texts, texts)
@examples(500)
def test_scanning_in_chunks_gives_the_same_occurrences(one, two, three):
    text = f"{one}\n\n{two}\n\n{three}"
    for parts in (2, 3):
        found, begin, floor = [], 0, 0
        for stop in [*finder.split_points(text, parts), len(text)]:
            chunk = Document(text).chunk(begin, stop)
            chunk.floor = floor
            part = list(find_in_document(chunk, FindOptions()))
            assert chunk.end == max([floor, *(match.outer_end for match in part)])
            floor = chunk.end
            found += part
            begin = stop
        assert found == list(find(text))


# --- look-alikes


@pytest.mark.parametrize(
    "url",
    [
        "http:/h.org/a",
        "https:/www.h.org",
        "http:www.h.org/a",
        "http:///www.h.org/a",
        "http:\\\\www.h.org/a",
        "ftp:/ftp.h.org/pub",
        "http:/localhost/a",
        "http:/192.0.2.7/a",
    ],
)
def test_look_alikes_are_found_on_request(url):
    text = f"see {url}, or not"
    assert list(find(text)) == []
    assert [found.url for found in find(text, look_alikes=True)] == [url]


@pytest.mark.parametrize(
    ("text", "without", "with_look_alikes"),
    [
        ("http://http://h.org/a", ["http://h.org/a"], ["http://http://h.org/a"]),
        ("http://www.h.orghttp://g.org/", ["http://www.h.org", "http://g.org/"], ["http://www.h.orghttp://g.org/"]),
        ("<URL:http:g>", [], ["http:g"]),
        ("http:index.html", [], []),
        ("http:/a/b", [], []),
        ("the http: prefix", [], []),
        ("http:foo", [], []),
    ],
)
def test_look_alike_replaces_the_url_inside_it(text, without, with_look_alikes):
    assert [found.url for found in find(text)] == without
    assert [found.url for found in find(text, look_alikes=True)] == with_look_alikes
