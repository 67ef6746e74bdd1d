"""Test the fast check of what a large source may hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlscan.files import heads
from urlscan.files.heads import Heads
from urlscan.files.random_access import Memory

TEXT = st.lists(st.sampled_from(["://", "h.example/a", "h.example/b", "b", "é", "日本", " ", "\udcff", "x" * 50])).map(
    "".join
)


@pytest.fixture(autouse=True, scope="module")
def _small_blocks():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heads, "_BLOCK", 16)
        patch.setattr(heads, "_HEAD", 12)
        patch.setattr(heads, "_MOST_KEPT", 2)
        patch.setattr(heads, "REACH", 40)
        yield


@given(
    text=TEXT, first=st.integers(0, 200), size=st.integers(0, 60), start=st.integers(0, 300), length=st.integers(1, 30)
)
def test_text_after_a_mark_within_reach_is_always_found(text, first, size, start, length):
    data = text.encode("utf-8", "surrogateescape")
    text = data.decode("utf-8", "surrogateescape")
    first, last = min(first, len(text)), min(first + size, len(text))
    around = text[max(first - 40, 0) : last + 40]
    at = around.find("://", start % (len(around) + 1))
    body = around[at + 3 :][:length] if at >= 0 else ""
    span = [len(text[:place].encode("utf-8", "surrogateescape")) for place in (first, last)]
    assert not body or Heads(Memory(data)).may_follow_mark(body, *span)


def test_text_that_follows_no_mark_is_not_found():
    found = Heads(Memory(b"http://h.example/a and http://h.example/bc"))
    assert [found.may_follow_mark(body, 0, 42) for body in ("h.example/b", "h.exa", "h.example/ac", "b", "and")] == [
        True, True, False, False, False,
    ]  # fmt: skip


def test_text_beyond_reach_is_not_found():
    found = Heads(Memory(b"http://h.example/a" + b" " * 200))
    assert found.may_follow_mark("h.example", 0, 1)
    assert not found.may_follow_mark("h.example", 150, 160)
