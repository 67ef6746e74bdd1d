"""Define lines and columns, maps from text back to bytes, and segments.

A *segment* is decoded text with a *map* back to its bytes. Text is never cleaned by copying: another view of it is a
segment with its own map.

Bytes that are invalid in the declared encoding are kept as the surrogates of Python's `surrogateescape`, so that
nothing is lost and every offset is valid; `readable` shows them as Windows-1252.
"""

import bisect
import re
from collections.abc import Callable
from typing import NamedTuple, Protocol

from urlscan.spans import NO_REGIONS, NO_REPLACEMENTS, NO_SPANS, Regions, ReplacedSpan, ReplacedSpans, Spans

# The bytes 0x80 to 0xFF in Windows-1252; the five undefined ones are shown as C1 controls.
_WINDOWS_1252 = {
    0xDC00 + byte: bytes([byte]).decode("cp1252", "replace").replace("\ufffd", chr(byte)) for byte in range(0x80, 0x100)
}
_NEWLINE = re.compile("\r\n?|\n")
_ESCAPED = re.compile("[\udc80-\udcff]")


# Replaces each character of markup in the prose of a document, so that no URL extends over it. It is ASCII, so that an
# ASCII document has ASCII prose, and not white space, which delimiters ignore.
MARKUP = "\x1a"


def readable(text: str) -> str:
    """Return `text` with its undecodable bytes read as Windows-1252."""
    if text.isascii() or _ESCAPED.search(text) is None:
        return text
    return text.translate(_WINDOWS_1252)


class LineIndex:
    """Computes lines and columns of a text on demand.

    Lines end at LF, CRLF or a lone CR, never at FF or U+2028. Calls in increasing order take one pass over the text in
    total.

    Args:
        text: the text, or a chunk of one.
        known: an offset in it whose line and column, from 1, are known.
        line: that line.
        column: that column.
    """

    __slots__ = ("_has_cr", "_marks", "_text")

    def __init__(self, text: str, known: int = 0, line: int = 1, column: int = 1) -> None:
        self._text = text
        self._has_cr = "\r" in text
        # (offset, its line, the start of that line, which may be before the text)
        self._marks: list[tuple[int, int, int]] = [(known, line, known - column + 1)]

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1, of the character at `offset`."""
        line, start = self._line_at(offset)
        return line, offset - start + 1

    def line_start(self, offset: int) -> int:
        """Return the offset at which the line of `offset` begins."""
        return self._line_at(offset)[1]

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a position; 0 for a position before the text."""
        at = bisect.bisect_left(self._marks, line, key=lambda mark: mark[1]) - 1
        known, number, start = self._marks[max(at, 0)]
        if number > line:
            return max(self._before(known, line, number) + column - 1, 0)
        first = known
        while number < line and (newline := _NEWLINE.search(self._text, known)) is not None:
            number, known = number + 1, newline.end()
            start = known
        if known > first + 256:
            self._marks.insert(max(at, 0) + 1, (known, number, start))
        return start + column - 1

    def _before(self, known: int, line: int, number: int) -> int:
        """Return the start of a line that is before the known offset, which is in line `number`."""
        starts = [match.end() for match in _NEWLINE.finditer(self._text, 0, known)]
        return starts[line - number - 1] if len(starts) > number - line else 0

    def _line_at(self, offset: int) -> tuple[int, int]:
        first, line, start = self._marks[0]
        if offset < first:
            ends = [match.end() for match in _NEWLINE.finditer(self._text, offset, first)]
            before = max(self._text.rfind("\n", 0, offset), self._text.rfind("\r", 0, offset)) + 1
            return (line - len(ends), before) if ends else (line, start)
        at = max(bisect.bisect_right(self._marks, (offset, len(self._text), 0)) - 1, 0)
        known, line, start = self._marks[at]
        text = self._text
        crossed = text.count("\n", known, offset)
        last = text.rfind("\n", known, offset) if crossed else -1
        if self._has_cr:
            # Between CR and LF the line has not ended yet.
            inside = offset > known and text.startswith("\r\n", offset - 1)
            stop = offset - 1 if inside else offset
            lone = text.count("\r", known, stop)
            if lone:
                lone -= text.count("\r\n", known, offset)
            if lone:
                last = max(last, text.rfind("\r", known, stop))
            crossed += lone
        if crossed:
            line, start = line + crossed, last + 1
        if offset > known + 256:
            self._marks.insert(at + 1, (offset, line, start))
        return line, start


class OffsetMap(Protocol):
    """Maps a segment's text back to its source; maps compose."""

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest span of the source that holds text[start:end]."""

    def encode(self, start: int, end: int, text: str) -> bytes | None:
        """Return `text` as the source would write it in place of its span [start, end); None if it cannot."""


class Writing(Protocol):
    """Encodes text as a document writes it."""

    def encode(self, start: int, end: int, at: int, text: str) -> str | None:
        """Return what to write in place of document[start:end] so that it shows `text`; None if that is impossible.

        Args:
            start: the start of the span, which divides no escape.
            end: the end of the span.
            at: a character of the document in the same syntactic context; for an insertion after a URL, its last
                character.
            text: the text to show.
        """


class IdentityMap:
    """Maps a text that is its own source."""

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
        behind, there = self._marks[at + 1] if at + 1 < len(self._marks) else (len(self._text) + offset, 0)
        if behind - offset < offset - known:  # the mark after it is closer
            byte = there - len(self._bytes(self._text[offset:behind]))
        else:
            byte += len(self._bytes(self._text[known:offset]))
        if offset > known + 256:
            self._marks.insert(at + 1, (offset, byte))
        return byte

    def _bytes(self, text: str) -> bytes:
        return text.encode(self._encoding, "surrogateescape" if self._encoding == "utf-8" else "surrogatepass")


class Location(NamedTuple):
    """A span in a source: lines and columns from 1 (code points), offsets from 0 (in units of the source)."""

    line: int
    column: int
    end_line: int
    end_column: int
    start: int
    end: int


class Contexts(Protocol):
    """Determines the context of spans of a document."""

    def context(self, start: int, end: int) -> str:
        """Return the context of a span, in characters of the document."""


class MailLocation(NamedTuple):
    """A location in a mail message.

    Attributes:
        message_id: the Message-ID without its brackets; None without one.
        date: the date in ISO 8601, UTC; None if it is missing or invalid.
        part: an IMAP part number (RFC 3501 section 6.4.5), `header:Name` for a header field, `TEXT` for the text around
            the parts; None if it is unknown.
    """

    message_id: str | None
    date: str | None
    part: str | None


class Origin(Protocol):
    """The message, or the messages, that a segment was taken from."""

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1, of an offset in the source."""

    def byte_column(self, offset: int) -> int:
        """Return the column, in bytes from 1, of an offset in the source."""

    def mail(self, offset: int) -> MailLocation:
        """Return the message and the part that hold an offset of the source."""


class Segment:
    """Decoded text of a source with the map back to it.

    Attributes:
        text: the text to scan.
        map: maps characters of `document` to the source.
        kind: plain, html, ...
        document: the decoded source, for lines and columns; it is `text` unless some of it is decoded further.
        replacements: the spans in which the two differ, in order.
        links: the spans of the URLs that the markup names, in order, not overlapping.
        regions: the spans of the text that are not running text, in order.
        base: the base URL that the document declares, or "" (RFC 3986 section 5.1.1).
        prose: `text` with MARKUP in place of markup; URLs are searched here.
        encoding: the codec with which the source was decoded; "" for a text.
        whole: whether all of its bytes are valid in that encoding.
        member: the member of the archive that the source was found in, or "".
        packed: whether the source was compressed or a member of an archive.
        origin: the mail that it is a part of, which then determines lines and columns; None outside mail.
        soft: how its lines were flowed (RFC 3676): "flowed", "delsp", or "" for not at all.
        note: a remark for the user about how it was read, or "".

    If a source is too large for one segment, a segment is a chunk, whose lines count from its beginning.
    """

    __slots__ = (
        "_contexts", "_lines", "_make_lines", "_writing", "base", "document", "encoding", "kind", "links",
        "map", "member", "note", "origin", "packed", "prose", "regions", "replacements", "soft", "text", "whole",
    )  # fmt: skip

    def __init__(
        self,
        text: str,
        map: OffsetMap | None = None,
        *,
        kind: str = "plain",
        document: str | None = None,
        replacements: ReplacedSpans = NO_REPLACEMENTS,
        links: Spans = NO_SPANS,
        regions: Regions = NO_REGIONS,
        prose: str | None = None,
        base: str = "",
        encoding: str = "",
        whole: bool = True,
        member: str = "",
        packed: bool = False,
        lines: Callable[[], LineIndex] | None = None,
        writing: Callable[[], Writing] | None = None,
        contexts: Callable[[], Contexts] | None = None,
        origin: Origin | None = None,
        soft: str = "",
        note: str = "",
    ) -> None:
        self.text = text
        self.map: OffsetMap = map if map is not None else IdentityMap()
        self.kind = kind
        self.document = text if document is None else document
        self.replacements = replacements
        self.links = links
        self.regions = regions
        self.base = base
        self.prose = text if prose is None else prose
        self.encoding = encoding
        self.whole = whole
        self.member = member
        self.packed = packed
        self.origin = origin
        self.soft = soft
        self.note = note
        self._lines: LineIndex | None = None
        self._make_lines = lines
        self._writing = writing
        self._contexts = contexts

    @property
    def lines(self) -> LineIndex:
        """The line index of the document, created on first use."""
        if self._lines is None:
            self._lines = LineIndex(self.document) if self._make_lines is None else self._make_lines()
            self._make_lines = None
        return self._lines

    def to_document(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest span of the document that text[start:end] shows, in characters."""
        if not self.replacements:
            return start, end
        first = self._from(start, at_end=False)
        return first, first if end <= start else self._from(end, at_end=True)

    def _from(self, offset: int, *, at_end: bool) -> int:
        # The last replacement that begins before the offset, or at it if the offset begins a span.
        number = bisect.bisect_left(self.replacements.starts, offset + (not at_end)) - 1
        if number < 0:
            return offset
        replaced = self.replacements[number]
        if offset < replaced.end:
            return replaced.from_end if at_end else replaced.from_start
        return offset - replaced.end + replaced.from_end

    def context(self, start: int, end: int) -> str:
        """Return the context of a URL at text[start:end]: link, prose, comment, string, fragment or code."""
        if self.links.index(start) >= 0:
            return "link"
        role = self.regions.role(start)
        if not role:
            return "prose"
        if role in ("code", "comment"):
            return role
        if role == "autolink":
            return "link"
        return self._contexts().context(*self.to_document(start, end)) if self._contexts is not None else "prose"

    def is_replaced(self, start: int, end: int) -> bool:
        """Return whether a part of text[start:end] is written differently in the document."""
        number = bisect.bisect_left(self.replacements.starts, max(end, start + 1)) - 1
        return number >= 0 and self.replacements.end(number) > start

    def edits(self, start: int, end: int, text: str, at: int) -> list[tuple[int, int, str]] | None:
        """Return the edits of the source that show `text` in place of text[start:end].

        An escape is replaced as a whole. Source text that shows as nothing (a line break in an attribute) is kept.

        Args:
            start: the start of the span, in characters of the text.
            end: its end.
            text: the text to show there.
            at: a character of the text in the same syntactic context.

        Returns:
            Tuples of start and end in units of the source and the text to write, in order; None if it cannot be
                written.
        """
        found = []
        for first, last, shown in self._runs(start, end, text):
            place = self.to_document(first, last)
            written: str | None = shown
            if self._writing is not None:
                written = self._writing().encode(*place, self.to_document(at, at + 1)[0], shown)
            source = self.map.to_source(*place)
            if written is None or self.map.encode(*source, written) is None:
                return None
            found.append((*source, written))
        return found

    def _runs(self, start: int, end: int, text: str) -> list[tuple[int, int, str]]:
        """Return the edit extended to whole replacements, and divided where the source shows nothing."""
        if (replaced := self._cut(start)) is not None:
            start, text = replaced.start, self.text[replaced.start : start] + text
        if (replaced := self._cut(end)) is not None:
            text, end = text + self.text[end : replaced.end], replaced.end
        runs = []
        starts = self.replacements.starts
        for number in range(bisect.bisect_right(starts, start), bisect.bisect_left(starts, end)):
            replaced = self.replacements[number]
            if replaced.start == replaced.end and replaced.start > start:
                runs.append((start, replaced.start, text))
                start, text = replaced.start, ""
        return [*runs, (start, end, text)]

    def _cut(self, offset: int) -> ReplacedSpan | None:
        """Return the replacement that an offset divides, or None."""
        number = bisect.bisect_left(self.replacements.starts, offset)
        return self.replacements[number - 1] if number and self.replacements.end(number - 1) > offset else None

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest span of the source that holds text[start:end]."""
        return self.map.to_source(*self.to_document(start, end))

    def place_of(self, unit: int) -> tuple[int, int]:
        """Return line and column of an offset in the source, in its units, at which a character begins."""
        places = range(len(self.document) + 1)
        at = bisect.bisect_left(places, unit, key=lambda place: self.map.to_source(place, place)[0])
        return self.lines.position(at)

    def locate(self, start: int, end: int) -> Location:
        """Return the location of text[start:end] in the source."""
        start, end = self.to_document(start, end)
        if self.origin is not None:
            first, last = self.map.to_source(start, end)
            return Location(*self.origin.position(first), *self.origin.position(last), first, last)
        line, column = self.lines.position(start)
        end_line, end_column = self.lines.position(end)
        return Location(line, column, end_line, end_column, *self.map.to_source(start, end))
