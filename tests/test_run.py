"""A large text divided among processes: the same URLs, in the same order, however it is divided."""

import pytest

from urlscan import run
from urlscan.finder import cuts, find, record
from urlscan.text import Segment

_LETTER = "See <URL:ftp://ds.inter\nnic.net/rfc> and\nhttp://example.org/{0}.\n\n"
_PAGE = "<http://example.org/long/\n\n\nJo                 [Page 3]\n\f\nTitle        1994\n\n\nhttp://inner.example/{0}>.\n\n"
TEXT = "".join((_PAGE if number % 3 == 0 else _LETTER).format(number) for number in range(60))


@pytest.mark.parametrize("jobs", [1, 2, 3])
@pytest.mark.parametrize("size", [64, 200, 1000])
def test_dividing_a_text_changes_nothing(monkeypatch: pytest.MonkeyPatch, jobs: int, size: int) -> None:
    monkeypatch.setattr(run, "_LARGE", 1)
    monkeypatch.setattr(run, "_PART", size)
    parts = list(run.in_parts(Segment(TEXT), "wrapped", jobs, lambda scanned: [record(one) for one in scanned]))
    assert len(parts) > jobs
    assert [found for part in parts for found in part] == list(find(TEXT))


def test_a_page_break_is_cut_in_that_test() -> None:
    """Otherwise it would not show that the part after it is read again."""
    places = cuts(TEXT, 100)
    assert any(found.start < place < found.end for place in places for found in find(TEXT))
