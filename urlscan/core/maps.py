"""Maps from the characters of a text back to its source."""

import bisect
from typing import Protocol


class OffsetMap(Protocol):
    """Maps a document's text back to its source; maps compose."""

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest span of the source that was decoded to text[start:end]."""

    def encode(self, start: int, end: int, text: str) -> bytes | None:
        """Return `text` encoded to replace source[start:end], or None if that is impossible."""


class IdentityMap:
    """The map of a text that is identical to its source."""

    __slots__ = ()

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the same span."""
        return start, end

    def encode(self, start: int, end: int, text: str) -> bytes | None:
        """Return `text` in UTF-8."""
        return text.encode("utf-8", "surrogatepass")


class EncodingMap:
    """Maps characters of a decoded text to bytes of its encoding.

    Args:
        text: the whole decoded text.
        encoding: a codec that decodes each character separately (UTF-8, -16, -32, single bytes).
        base: the number of bytes before the first character (a byte order mark).
        marks: pairs of a character's offset and its byte's offset, in order.
    """

    __slots__ = ("_base", "_codec", "_is_ascii", "_marks", "_text")

    def __init__(self, text: str, encoding: str, base: int = 0, marks: tuple[tuple[int, int], ...] = ()) -> None:
        self._text = text
        self._codec = encoding, "surrogateescape" if encoding == "utf-8" else "surrogatepass"
        self._base = base
        self._is_ascii = text.isascii() and not encoding.startswith("utf-16") and not encoding.startswith("utf-32")
        self._marks: list[tuple[int, int]] = [(0, base), *marks]

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in bytes."""
        if self._is_ascii:
            return start + self._base, end + self._base
        first = self._byte_at(start)
        return first, first + len(self._text[start:end].encode(*self._codec))

    def encode(self, start: int, end: int, text: str) -> bytes | None:
        """Return `text` in the encoding; None if the encoding lacks a character."""
        try:
            return text.encode(*self._codec)
        except UnicodeEncodeError:
            return None

    def _byte_at(self, offset: int) -> int:
        number = bisect.bisect_right(self._marks, (offset + 1,)) - 1
        mark, byte = self._marks[number]
        following, following_byte = len(self._text) + offset, 0
        if number + 1 < len(self._marks):
            following, following_byte = self._marks[number + 1]
        if following - offset < offset - mark:  # the mark after it is closer
            byte = following_byte - len(self._text[offset:following].encode(*self._codec))
        else:
            byte += len(self._text[mark:offset].encode(*self._codec))
        if offset > mark + 256:
            self._marks.insert(number + 1, (offset, byte))
        return byte
