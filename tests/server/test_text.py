"""Positions of the protocol: lines, code units, edits."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlscan.server.text import Text

ENCODINGS = ("utf-16", "utf-8", "utf-32")
TEXTS = st.text(alphabet="ab\n\r\u00e9\u2028\f\U0001f600", max_size=40)


def reference_position(text: str, offset: int, encoding: str) -> tuple[int, int]:
    """Return the position of an offset, by the definition of the protocol."""
    ends = [match.end() for match in re.finditer("\r\n|\r|\n", text) if match.end() <= offset]
    start = ends[-1] if ends else 0
    width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    codec = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding]
    return len(ends), len(text[start:offset].encode(codec)) // width


def is_inside_crlf(text: str, offset: int) -> bool:
    return text[offset - 1 : offset + 1] == "\r\n" and offset > 0


@given(TEXTS, st.sampled_from(ENCODINGS), st.data())
def test_positions_follow_the_protocol(source: str, encoding: str, data: st.DataObject) -> None:
    text = Text(source, encoding)
    for _ in range(3):  # a position that was found before must not change another one
        offset = data.draw(st.integers(0, len(source)))
        if is_inside_crlf(source, offset):
            continue
        position = reference_position(source, offset, encoding)
        assert text.position(offset) == position
        assert text.offset(*position) == offset


@given(TEXTS, TEXTS, st.sampled_from(ENCODINGS), st.data())
def test_edits_replace_what_is_between_two_positions(source: str, new: str, encoding: str, data: st.DataObject) -> None:
    text = Text(source, encoding)
    for _ in range(3):
        source = text.source
        start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(source))] * 2)))
        if is_inside_crlf(source, start) or is_inside_crlf(source, end):
            continue
        places = (reference_position(source, one, encoding) for one in (start, end))
        text = text.replaced(*places, new)
        assert text.source == source[:start] + new + source[end:]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_positions_after_the_end_mean_the_end(encoding: str) -> None:
    text = Text("ab\r\ncd", encoding)
    assert text.offset(0, 99) == 2
    assert text.offset(1, 99) == 6
    assert text.offset(99, 0) == 6


def test_a_position_inside_a_pair_means_the_whole_character() -> None:
    assert Text("a\U0001f600b", "utf-16").offset(0, 2) == 2
    assert Text("a\U0001f600b", "utf-8").offset(0, 3) == 2


def test_lines_far_apart_are_found() -> None:
    text = Text("".join(f"line {number}\n" for number in range(50_000)))
    for line in (49_000, 3, 25_000, 24_999, 49_999, 0):
        start = text.offset(line, 0)
        assert text.source.startswith(f"line {line}\n", start)
        assert text.position(start + 5) == (line, 5)
