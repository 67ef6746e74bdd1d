"""Maps from the characters of a text back to its source."""

import bisect
from typing import Protocol


class OffsetMap(Protocol):
    """Maps a segment's text back to its source; maps compose."""

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest span of the source that was decoded to text[start:end]."""

    def encode(self, start: int, end: int, text: str) -> bytes | None:
        """Return `text` encoded to replace source[start:end], or None if that is impossible."""


class Writing(Protocol):
    """Encodes text in the syntax of a document."""

    def encode(self, start: int, end: int, at: int, text: str) -> str | None:
        """Return the replacement for document[start:end] that decodes to `text`, or None if that is impossible.

        Args:
            start: the start of the span, which must not be inside an escape.
            end: the end of the span.
            at: a character of the document in the same syntactic context; for an insertion after a URL, its last
                character.
            text: the text that the document should contain.
        """


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
        known: pairs of a character's offset and its byte's offset that are known already, in order.
    """

    __slots__ = ("_ascii", "_base", "_encoding", "_marks", "_text")

    def __init__(self, text: str, encoding: str, base: int = 0, known: tuple[tuple[int, int], ...] = ()) -> None:
        self._text = text
        self._encoding = encoding
        self._base = base
        self._ascii = text.isascii() and not encoding.startswith("utf-16") and not encoding.startswith("utf-32")
        self._marks: list[tuple[int, int]] = [(0, base), *known]

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in bytes."""
        if self._ascii:
            return start + self._base, end + self._base
        first = self._byte_at(start)
        return first, first + len(self._bytes(self._text[start:end]))

    def encode(self, start: int, end: int, text: str) -> bytes | None:
        """Return `text` in the encoding; None if the encoding lacks a character."""
        try:
            return self._bytes(text)
        except UnicodeEncodeError:
            return None

    def _byte_at(self, offset: int) -> int:
        at = bisect.bisect_right(self._marks, (offset + 1,)) - 1
        known, byte = self._marks[at]
        following, following_byte = self._marks[at + 1] if at + 1 < len(self._marks) else (len(self._text) + offset, 0)
        if following - offset < offset - known:  # the mark after it is closer
            byte = following_byte - len(self._bytes(self._text[offset:following]))
        else:
            byte += len(self._bytes(self._text[known:offset]))
        if offset > known + 256:
            self._marks.insert(at + 1, (offset, byte))
        return byte

    def _bytes(self, text: str) -> bytes:
        return text.encode(self._encoding, "surrogateescape" if self._encoding == "utf-8" else "surrogatepass")
