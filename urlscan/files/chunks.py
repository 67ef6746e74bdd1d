"""Read sources of plain text of any size in chunks.

A chunk is a few megabytes with as much text around it as reading a URL can inspect.  It ends at a blank line, which a
URL crosses only with a page break, or at a line end, at white space, or anywhere. The reader of the next chunk receives
the end of the last URL.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from urlscan.core.errors import ConfigError
from urlscan.core.lines import LineIndex
from urlscan.core.maps import EncodingMap
from urlscan.core.segment import Decoding, Segment
from urlscan.files.decode import decode, own_name
from urlscan.files.random_access import Positions, Reader

# Size of a chunk, and of its end that is searched for a place to cut, in bytes.
SIZE = 1 << 21
_SEARCHED = 1 << 16
# Text read before a chunk: an opener, the start of a line, a scheme.  Text read after it: an occurrence of 64 Ki
# characters of at most four bytes.
_BEFORE = 1 << 13
_AFTER = 1 << 18
# Number of characters around a chunk that are read for evidence.
_AROUND = 1 << 20
_BLANK_LINE = re.compile(rb"\n\r?\n(?=\S)")


class FileChunk(NamedTuple):
    """A stretch of a source.

    Attributes:
        segment: the text, with what is around it.
        start, stop: the stretch, in characters of segment.text.
        reader: the whole source.
        encoding: its codec.
    """

    segment: Segment
    start: int
    stop: int
    reader: Reader
    encoding: str

    def around(self) -> tuple[str, int]:
        """Return the text with all that evidence may ask for, and where the segment's text begins in it."""
        first, _ = self.segment.to_source(0, 0)
        last, _ = self.segment.to_source(len(self.segment.text), len(self.segment.text))
        before = self._read(lambda size: (max(first - size, 0), first))
        after = self._read(lambda size: (last, last + size))
        return before + self.segment.text + after, len(before)

    def _read(self, place: Callable[[int], tuple[int, int]]) -> str:
        """Return as many characters as evidence may ask for; of four bytes each, at worst."""
        size = _AROUND + _AROUND // 32  # enough for a text that is hardly anything but ASCII
        start, stop = place(size)
        text = _decoded(self.reader.read(start, stop), self.encoding, cut=start > 0)
        if len(text) < _AROUND and start > 0:
            start, stop = place(size + 4 * (_AROUND - len(text)))
            text = _decoded(self.reader.read(start, stop), self.encoding, cut=start > 0)
        return text


class _Place(NamedTuple):
    """Where a stretch lies, in bytes."""

    start: int
    stop: int


def can_be_divided(reader: Reader, encoding: str | None) -> bool:
    """Return whether a source of plain text has an encoding in which characters can be recognized at any offset."""
    return _codec(reader, encoding)[0] == "utf-8"


def source_chunks(reader: Reader, encoding: str | None, size: int = SIZE) -> Iterator[Callable[[], FileChunk]]:
    """Yield functions that return the chunks of a source in order; each may be called in any process.

    Args:
        reader: the source, in UTF-8.
        encoding: what the caller declares.
        size: of a stretch, in bytes.
    """
    codec, base = _codec(reader, encoding)
    positions = Positions(reader, base)
    for place in _places(reader, base, size):
        yield partial(_stretch, reader, codec, base, place, positions)


def _codec(reader: Reader, encoding: str | None) -> tuple[str, int]:
    """Return the codec of a source, and how long its byte order mark is."""
    head = reader.read(0, _BEFORE)
    if (
        encoding is None
        and own_name(head + b"\n" + reader.read(reader.size - _BEFORE, reader.size), "plain") != "utf-8"
    ):
        return "", 0
    try:
        decoded = decode(head, encoding)
    except ConfigError:
        return "", 0
    return decoded.encoding, len(head) - len(head.removeprefix(b"\xef\xbb\xbf"))


def _places(reader: Reader, base: int, size: int) -> Iterator[_Place]:
    start = base
    while start < reader.size:
        stop = min(start + size, reader.size)
        if stop < reader.size:
            low = max(stop - _SEARCHED, start + (stop - start) // 2)
            stop = low + _cut(reader.read(low, stop))
        yield _Place(start, stop)
        start = stop


def _cut(data: bytes) -> int:
    """Return where to cut: after the last blank line, line end or blank, else between characters."""
    blank = max((match.end() for match in _BLANK_LINE.finditer(data)), default=len(data))
    if blank < len(data):
        return blank
    for mark in (b"\n", b" "):
        at = data.rfind(mark)
        if at >= 0:
            return at + 1
    for at in range(len(data) - 1, max(len(data) - 5, 0), -1):
        if not 0x80 <= data[at] < 0xC0:  # the first byte of a character, which is the next stretch's
            return at
    return len(data)


def _stretch(reader: Reader, codec: str, base: int, place: _Place, positions: Positions) -> FileChunk:
    first = max(place.start - _BEFORE, base)
    data = reader.read(first, place.stop + _AFTER)
    at, to = place.start - first, place.stop - first
    if data.isascii():
        text, start, stop, is_whole = data.decode("ascii"), at, min(to, len(data)), True
    else:
        before = data[:at]
        if first > base:  # from a character's beginning on
            before = before.lstrip(bytes(range(0x80, 0xC0)))
            first += at - len(before)
        try:
            body, is_whole = data[at:to].decode(codec), True
        except UnicodeDecodeError:
            body, is_whole = _decoded(data[at:to], codec, cut=False), False
        head = _decoded(before, codec, cut=False)
        text = f"{head}{body}{_decoded(data[to:], codec, cut=False)}"
        start, stop = len(head), len(head) + len(body)

    def lines() -> LineIndex:
        return LineIndex(text, start, *positions.of(place.start))

    map = EncodingMap(text, codec, first, ((start, place.start), (stop, place.start + len(data[at:to]))))
    segment = Segment(text, map, decoding=Decoding(codec, is_whole), lines=lines)
    return FileChunk(segment, start, stop, reader, codec)


def _decoded(data: bytes, codec: str, *, cut: bool) -> str:
    """Decode a piece of a source, without the rest of a character that begins before it if it may be `cut`."""
    if cut:
        data = data.lstrip(bytes(range(0x80, 0xC0)))
    return data.decode(codec, "surrogateescape")
