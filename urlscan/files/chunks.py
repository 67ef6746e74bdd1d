"""Read sources of plain text of any size in chunks.

A chunk has a few megabytes, and as much text around it as reading a URL can inspect. It ends before a multiple of its
size, at a blank line (which a URL crosses only at a page break), or else at a line end, at white space, or anywhere.
The reader of the next chunk receives the end of the last URL. A chunk can be read without those before it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from urlscan.core.document import Document
from urlscan.core.errors import ConfigError
from urlscan.core.offsets import EncodingMap, LineIndex
from urlscan.files.decode import decode, decode_leniently, own_name
from urlscan.files.random_access import Counted, OpenFile, Positions, last_character

# Size of a chunk, and of its end that is searched for a place to cut, in bytes.
SIZE = 1 << 21
_SEARCHED = 1 << 16
# Text read before a chunk: an opener, the start of a line, a scheme.  Text read after it: an occurrence of 64 Ki
# characters of at most four bytes.
_BEFORE = 1 << 13
_AFTER = 1 << 18
# The bytes that continue a character (RFC 3629 section 3).
_CONTINUATION = bytes(range(0x80, 0xC0))
_BLANK_LINE = re.compile(rb"\n\r?\n(?=\S)")


def can_be_divided(reader: OpenFile, encoding: str | None) -> bool:
    """Return whether a source of plain text has an encoding in which characters can be recognized at any offset."""
    return _codec(reader, encoding)[0] == "utf-8"


def file_chunks(
    reader: OpenFile, encoding: str | None, size: int = SIZE, first: int = 0, last: int | None = None
) -> Iterator[Callable[[], Document]]:
    """Yield functions that return the chunks of a source in UTF-8, of the numbers from `first` to before `last`.

    Each may be called in any process.
    """
    codec, base = _codec(reader, encoding)
    positions = Positions(reader, base)
    number, start = first, _boundary(reader, base, size, first)
    while start < reader.size and (last is None or number < last):
        number += 1
        end = _boundary(reader, base, size, number)
        yield partial(_chunk, reader, codec, base, (start, end), positions)
        start = end


def counted_starts(reader: OpenFile, encoding: str | None, numbers: Iterable[int]) -> Iterator[Counted]:
    """Yield the start of each chunk in a list of their numbers, which ascend from 0, with its position in the text."""
    _, base = _codec(reader, encoding)
    positions = Positions(reader, base)
    for number in numbers:
        offset = _boundary(reader, base, SIZE, number)
        yield Counted(offset, *positions.of(offset))


def _codec(reader: OpenFile, encoding: str | None) -> tuple[str, int]:
    """Return the codec of a source, and how long its byte order mark is."""
    head, tail = reader.read(0, _BEFORE), reader.read(reader.size - _BEFORE, reader.size)
    if encoding is None and own_name(head + b"\n" + tail, "plain") != "utf-8":
        return "", 0
    try:
        decoded = decode(head, encoding)
    except ConfigError:
        return "", 0
    return decoded.encoding, len(head) - len(head.removeprefix(b"\xef\xbb\xbf"))


def _boundary(reader: OpenFile, base: int, size: int, number: int) -> int:
    """Return the start of a chunk by its number."""
    position = base + number * size
    if not number or position >= reader.size:
        return min(position, reader.size)
    low = position - min(_SEARCHED, size // 2)
    return low + _cut(reader.read(low, position))


def _cut(data: bytes) -> int:
    """Return where to cut: after the last blank line, line end or blank, else between characters."""
    blank = max((match.end() for match in _BLANK_LINE.finditer(data)), default=len(data))
    if blank < len(data):
        return blank
    for mark in (b"\n", b" "):
        position = data.rfind(mark)
        if position >= 0:
            return position + 1
    return last_character(data)  # which belongs to the next chunk


def _chunk(reader: OpenFile, codec: str, base: int, span: tuple[int, int], positions: Positions) -> Document:
    span_start, span_end = span
    first = max(span_start - _BEFORE, base)
    data = reader.read(first, span_end + _AFTER)
    low, high = span_start - first, span_end - first
    if data.isascii():
        text, start, end, is_whole = data.decode("ascii"), low, min(high, len(data)), True
    else:
        before = data[:low]
        if first > base:  # from the beginning of a character on
            before = before[:3].lstrip(_CONTINUATION) + before[3:]
            first += low - len(before)
        head, _ = decode_leniently(before, codec)
        body, is_whole = decode_leniently(data[low:high], codec)
        tail, _ = decode_leniently(data[high:], codec)
        text, start, end = head + body + tail, len(head), len(head) + len(body)

    def lines() -> LineIndex:
        return LineIndex(text, start, *positions.before(data[low:high], span_start))  # counts what was read

    map = EncodingMap(text, codec, first, ((start, span_start), (end, span_start + min(high, len(data)) - low)))
    document = Document(text, map, encoding=codec, whole=is_whole)
    document.make_lines = lines
    document.start, document.stop = start, end
    return document
