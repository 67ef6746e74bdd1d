"""Offsets: maps from the characters of a text to its source, lines and columns, and stored spans."""

import bisect
from array import array
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

from urlscan.core.lazy import lazy
from urlscan.core.typing import Protocol

_NEWLINE = lazy("\r\n?|\n")
_LF = lazy("\n")
_LARGEST = 0xFFFFFFFF  # the largest value of an array of 4-byte integers

# --- maps


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
    """Maps characters of a decoded text to bytes of its encoding, which decodes each character separately.

    `base` is the number of bytes before the first character, a byte order mark, and `marks` are pairs of a character's
    offset and its byte's offset, in order.
    """

    __slots__ = ("_base", "_bytes", "_codec", "_is_ascii", "_offsets", "_text")

    def __init__(self, text: str, encoding: str, base: int = 0, marks: tuple[tuple[int, int], ...] = ()) -> None:
        self._text = text
        self._codec = encoding, "surrogateescape" if encoding == "utf-8" else "surrogatepass"
        self._base = base
        self._is_ascii = text.isascii() and not encoding.startswith("utf-16") and not encoding.startswith("utf-32")
        # Marks in two lists, since tuples take three times as long to compare.
        self._offsets = [0, *(offset for offset, _ in marks)]
        self._bytes = [base, *(byte for _, byte in marks)]

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the span in bytes."""
        if self._is_ascii:
            return start + self._base, end + self._base
        number = bisect.bisect_right(self._offsets, start)
        mark, first = self._offsets[number - 1], self._bytes[number - 1]
        if number < len(self._offsets) and (following := self._offsets[number]) - start < start - mark:
            first = self._bytes[number] - len(self._text[start:following].encode(*self._codec))
        else:
            first += len(self._text[mark:start].encode(*self._codec))
        if start > mark + 256:
            self._offsets.insert(number, start)
            self._bytes.insert(number, first)
        return first, first + len(self._text[start:end].encode(*self._codec))

    def encode(self, start: int, end: int, text: str) -> bytes | None:
        """Return `text` in the encoding; None if the encoding lacks a character."""
        try:
            return text.encode(*self._codec)
        except UnicodeEncodeError:
            return None


# --- lines and columns


def line_end(text: str, start: int) -> int:
    """Return the offset of the first LF at or after an offset, or the end of the text."""
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


class LineIndex:
    """Computes lines and columns of a text on demand.

    Lines end at LF, CRLF or a lone CR, never at FF or U+2028. In mail with LF, a lone CR is a character of its line
    (RFC 5322 section 2.3). Calls in increasing order take one pass over the text in total. The offset `origin` of the
    text, which may be a chunk of one, has the given line and column.
    """

    __slots__ = ("_has_cr", "_marks", "_newline", "_text")

    def __init__(self, text: str, origin: int = 0, line: int = 1, column: int = 1, *, is_mail: bool = False) -> None:
        self._text = text
        self._has_cr = "\r" in text and not (is_mail and "\n" in text)
        self._newline = _NEWLINE if self._has_cr else _LF
        # (offset, its line, the start of that line, which may be before the text)
        self._marks: list[tuple[int, int, int]] = [(origin, line, origin - column + 1)]

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1, of the character at `offset`."""
        first, line, start = self._marks[0]
        if offset < first:
            ends = [match.end() for match in self._newline.finditer(self._text, offset, first)]
            before = self._text.rfind("\n", 0, offset) + 1
            if self._has_cr:
                before = max(before, self._text.rfind("\r", 0, offset) + 1)
            if ends:
                line, start = line - len(ends), before
            return line, offset - start + 1
        number, text = len(self._marks) - 1, self._text
        if offset < self._marks[number][0]:
            number = max(bisect.bisect_right(self._marks, (offset, len(text), 0)) - 1, 0)
        mark, line, start = self._marks[number]
        crossed = text.count("\n", mark, offset)
        last = text.rfind("\n", mark, offset) if crossed else -1
        if self._has_cr:
            end = offset
            if offset > mark and text.startswith("\r\n", offset - 1):
                end -= 1  # between CR and LF the line has not ended yet
            lone = text.count("\r", mark, end)
            if lone:
                lone -= text.count("\r\n", mark, offset)
            if lone:
                last = max(last, text.rfind("\r", mark, end))
            crossed += lone
        if crossed:
            line, start = line + crossed, last + 1
        if offset > mark + 256:
            self._marks.insert(number + 1, (offset, line, start))
        return line, offset - start + 1

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a position; 0 for a position before the text."""
        number = max(bisect.bisect_right(self._marks, line, key=itemgetter(1)) - 1, 0)
        mark, mark_line, start = self._marks[number]
        if mark_line == line:
            return max(start + column - 1, 0)
        if mark_line > line:
            starts = [match.end() for match in self._newline.finditer(self._text, 0, mark)]
            line_start = starts[line - mark_line - 1] if len(starts) > mark_line - line else 0
            return max(line_start + column - 1, 0)
        position = mark
        while mark_line < line and (newline := self._newline.search(self._text, position)) is not None:
            mark_line, position = mark_line + 1, newline.end()
            start = position
        if position > mark + 256:
            self._marks.insert(number + 1, (position, mark_line, start))
        return start + column - 1


# --- spans


class Spans:
    """Pairs of start and end, in order.

    A document may hold a link, an escape or a comment every few bytes. A tuple of two integers takes about 130 bytes, a
    pair in two arrays 8.

    Attributes:
        starts, ends: the offsets.
        roles: what each span is, in the regions of a document: an index into the names of roles.
        names: the names of roles.
    """

    __slots__ = ("ends", "names", "roles", "starts")

    def __init__(self, largest: int = 0) -> None:
        code = "I" if largest <= _LARGEST else "Q"
        self.starts, self.ends = array(code), array(code)
        self.names: list[str] = []
        self.roles = bytearray()

    def append(self, start: int, end: int) -> None:
        """Add a pair."""
        self.starts.append(start)
        self.ends.append(end)

    def add_region(self, start: int, end: int, role: str) -> None:
        """Add a pair with a role; merge it with the last one if it continues that."""
        if role not in self.names:
            self.names.append(role)
        number = self.names.index(role)
        if self.roles and self.ends[-1] == start and self.roles[-1] == number:
            self.ends[-1] = end
            return
        self.append(start, end)
        self.roles.append(number)

    def index(self, offset: int) -> int:
        """Return the index of the span that holds the character at `offset`, or -1."""
        number = bisect.bisect_right(self.starts, offset) - 1
        if number >= 0 and self.ends[number] <= offset:
            return -1
        return number

    def role(self, offset: int) -> str:
        """Return the role of the region that holds the character at `offset`, or ""."""
        number = self.index(offset)
        return self.names[self.roles[number]] if number >= 0 else ""

    def __len__(self) -> int:
        return len(self.starts)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.starts, self.ends, strict=True)

    def __getitem__(self, number: int) -> tuple[int, int]:
        return self.starts[number], self.ends[number]


class ReplacedSpans(Spans):
    """The spans that a text shows differently from its document: entities, escapes in strings.

    Attributes:
        originals: the spans in the document, in characters of it.
    """

    __slots__ = ("originals",)

    def __init__(self, largest: int = 0) -> None:
        super().__init__(largest)
        self.originals = Spans(largest)


# Shared by documents without any; nothing is added to these.
NO_SPANS, NO_REPLACEMENTS = Spans(), ReplacedSpans()


def common_affixes(first: Sequence[object], second: Sequence[object]) -> tuple[int, int]:
    """Return the length of the common prefix, and that of the common suffix of what follows it.

    >>> common_affixes("abcde", "abXe"), common_affixes("aa", "aaa")
    ((2, 1), (2, 0))
    """
    shorter = min(len(first), len(second))
    prefix = next((index for index in range(shorter) if first[index] != second[index]), shorter)
    remaining = shorter - prefix
    return prefix, next((index for index in range(remaining) if first[~index] != second[~index]), remaining)


def replaced(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """Return a text with spans replaced, which are in order and do not overlap."""
    parts, position = list[str](), 0
    for start, end, replacement in edits:
        parts += text[position:start], replacement
        position = end
    return "".join([*parts, text[position:]])
