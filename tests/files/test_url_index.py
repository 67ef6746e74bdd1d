"""Test the index of the URLs of a large source."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from urlscan.files import url_index
from urlscan.files.random_access import Memory
from urlscan.files.url_index import NearbyUrls, UrlIndex

REACH = 40
# The bytes of a text in UTF-8, some of which may be invalid.
TEXTS = st.lists(
    st.sampled_from(["://", ":", "/", "h.example/a", "h.example/b", "b", "é", "日本", "😀", " ", "\udcff", "x" * 50])
).map("".join)


@pytest.fixture(autouse=True, scope="module")
def _small_blocks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(url_index, "_BLOCK", 16)
        patch.setattr(url_index, "_HEAD", 12)
        patch.setattr(url_index, "_MOST_KEPT", 2)
        patch.setattr(url_index, "REACH", REACH)
        yield


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _near(text: str, first: int, last: int) -> NearbyUrls:
    """Return the URLs near text[first:last]."""

    def offset_of(at: int) -> int:
        return len(_encoded(text[:at]))

    return UrlIndex(Memory(_encoded(text))).near(offset_of(first), offset_of(last), offset_of)


@given(
    text=TEXTS, first=st.integers(0, 200), size=st.integers(0, 60), start=st.integers(0, 300), length=st.integers(1, 30)
)
@example(text="://://", first=0, size=0, start=0, length=1)
def test_text_after_a_mark_within_reach_is_never_excluded(text, first, size, start, length):
    text = _encoded(text).decode("utf-8", "surrogateescape")
    first, last = min(first, len(text)), min(first + size, len(text))
    around = text[max(first - REACH, 0) : last + REACH]
    at = around.find("://", start % (len(around) + 1))
    body = around[at + 3 :][:length] if at >= 0 else ""
    assert _near(text, first, last).may_begin(body)


@given(text=TEXTS, at=st.integers(0, 300), body=st.sampled_from(["h.example/a", "h.example/b", "é", "日本b", "b :"]))
def test_every_occurrence_within_reach_is_counted(text, at, body):
    text = _encoded(text).decode("utf-8", "surrogateescape")
    at = min(at, len(text))
    places = [place for place in range(len(text)) if text.startswith("://" + body, place)]
    ends = [place + 3 + len(body) for place in places if at - REACH <= place < at + REACH]
    assert list(_near(text, at, at).after(body, at)) == [text[end : end + 3] for end in ends]


def test_text_that_follows_no_mark_is_excluded():
    urls = _near("http://h.example/a and http://h.example/bc", 0, 42)
    bodies = ["h.example/b", "h.exa", "h.example/ac", "b", "and"]
    assert [urls.may_begin(body) for body in bodies] == [True, True, False, False, False]


def test_text_far_away_is_excluded():
    text = "http://h.example/a" + " " * 200
    assert _near(text, 0, 1).may_begin("h.example")
    assert not _near(text, 150, 160).may_begin("h.example")
