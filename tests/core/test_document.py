"""Compare lines, columns and maps with a simple implementation."""

import pickle
import re
import weakref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlscan.core.document import Document, readable
from urlscan.core.offsets import EncodingMap, IdentityMap, LineIndex

lines = st.text(alphabet=st.sampled_from("ab\r\n\f\u2028ü😀\t"), max_size=60)


def simple_position(text, offset):
    """Return line and column, computed by splitting the text before the offset."""
    ends = [m.end() for m in re.finditer(r"\r\n|\r|\n", text) if m.end() <= offset]
    return len(ends) + 1, offset - (ends[-1] if ends else 0) + 1


@given(lines, st.data())
def test_positions_equal_those_of_the_simple_implementation(text, data):
    index = LineIndex(text * 20)
    for offset in data.draw(st.lists(st.integers(0, len(text) * 20), max_size=20)):
        assert index.position(offset) == simple_position(text * 20, offset)


@pytest.mark.parametrize(
    ("text", "offset", "position"),
    [
        ("a\r\nb", 1, (1, 2)),
        ("a\r\nb", 2, (1, 3)),
        ("a\r\nb", 3, (2, 1)),
        ("a\rb", 2, (2, 1)),
        ("a\fb\u2028c", 4, (1, 5)),
        ("", 0, (1, 1)),
    ],
)
def test_lines_end_only_at_lf_crlf_or_a_lone_cr(text, offset, position):
    assert LineIndex(text).position(offset) == position


@pytest.mark.parametrize(
    ("text", "offset", "position"), [("a\rb\nc", 2, (1, 3)), ("a\r\nb\rc", 5, (2, 3)), ("a\rb", 2, (2, 1))]
)
def test_lone_cr_ends_no_line_of_mail_with_lf(text, offset, position):
    assert LineIndex(text, is_mail=True).position(offset) == position
    assert LineIndex(text, is_mail=True).offset(*position) == offset


@given(st.binary(max_size=40), st.data())
def test_utf_8_spans_map_to_the_original_bytes(data, draw):
    text = data.decode("utf-8", "surrogateescape")
    offsets = EncodingMap(text, "utf-8")
    for _ in range(4):
        start = draw.draw(st.integers(0, len(text)))
        end = draw.draw(st.integers(start, len(text)))
        first, last = offsets.to_source(start, end)
        assert data[first:last].decode("utf-8", "surrogateescape") == text[start:end]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "latin-1"])
@given(text=st.text(alphabet=st.characters(max_codepoint=0xFF), max_size=30), cut=st.integers(0, 30))
def test_spans_map_to_bytes_in_every_encoding(encoding, text, cut):
    data = b"\xff" + text.encode(encoding)
    start, end = EncodingMap(text, encoding, base=1).to_source(min(cut, len(text)), len(text))
    assert data[start:end].decode(encoding) == text[min(cut, len(text)) :]


def test_map_cannot_encode_characters_outside_its_encoding():
    assert EncodingMap("a", "latin-1").encode(0, 1, "ü") == b"\xfc"
    assert EncodingMap("a", "latin-1").encode(0, 1, "参") is None
    assert IdentityMap().encode(0, 1, "参") == "参".encode()


def test_bytes_that_are_not_utf_8_are_shown_as_windows_1252():
    assert readable(b"caf\xe9 \x93x\x94 \x81".decode("utf-8", "surrogateescape")) == "café “x” \x81"
    assert readable("Zürich") == "Zürich"


def test_segment_locates_characters_by_line_column_and_byte():
    text = "ü\r\nhttp://x\n"
    document = Document(text, EncodingMap(text, "utf-8"))
    assert document.locate(3, 11) == (2, 1, 2, 9, 4, 12)


def test_values_are_computed_once_per_segment_and_not_pickled():
    calls = []

    def length(document):
        calls.append(document)
        return len(document.text)

    document, other = Document("abc"), Document("abc")
    assert [document.computed(length), document.computed(length), other.computed(length)] == [3, 3, 3]
    assert calls == [document, other]
    copy = pickle.loads(pickle.dumps(document))
    assert copy.computed(length) == 3
    assert calls == [document, other, copy]


def test_segment_frees_its_computed_values():
    class Value:
        pass

    document = Document("abc")
    value = weakref.ref(document.computed(lambda _: Value()))
    assert value() is not None
    del document
    assert value() is None
