"""Offsets as values: lines and columns, maps from text back to bytes, segments.

A *segment* is decoded text with a *map* back to the bytes that it came from.  Text is never
cleaned by copying: whoever needs another view makes a segment whose map leads back.

Bytes that are not of the declared encoding stand in a segment's text as the surrogates that
Python's `surrogateescape` makes of them, so that nothing is lost and every offset holds;
`readable` shows them as Windows-1252 does.
"""

import bisect
import re
from collections.abc import Callable
from typing import NamedTuple, Protocol

from urlscan.spans import NO_REGIONS, NO_REPLACEMENTS, NO_SPANS, Regions, ReplacedSpan, ReplacedSpans, Spans

# The bytes 0x80 to 0xFF as Windows-1252 reads them; the five that it leaves open are shown as C1.
_WINDOWS_1252 = {
    0xDC00 + byte: bytes([byte]).decode("cp1252", "replace").replace("\ufffd", chr(byte)) for byte in range(0x80, 0x100)
}
_NEWLINE = re.compile("\r\n?|\n")
_ESCAPED = re.compile("[\udc80-\udcff]")


# What stands in the prose of a document for each character of its markup: no URL goes over it.  It is ASCII, so that
# an ASCII document has ASCII prose, and no white space, which delimiters ignore.
MARKUP = "\x1a"


def readable(text: str) -> str:
    """Return `text` with its undecodable bytes read as Windows-1252."""
    if text.isascii() or _ESCAPED.search(text) is None:
        return text
    return text.translate(_WINDOWS_1252)


class LineIndex:
    """Lines and columns of a text, found when they are asked for.

    Lines end at LF, CRLF or a lone CR, never at FF or U+2028.  Questions in rising order cost one
    pass over the text in all.

    Args:
        text: the text, or a stretch of one.
        known: an offset in it whose line and column, from 1, are known.
        line: that line.
        column: that column.
    """

    __slots__ = ("_has_cr", "_marks", "_text")

    def __init__(self, text: str, known: int = 0, line: int = 1, column: int = 1) -> None:
        self._text = text
        self._has_cr = "\r" in text
        # offset, its line, where that line starts (before the text, perhaps)
        self._marks: list[tuple[int, int, int]] = [(known, line, known - column + 1)]

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1, of the character at `offset`."""
        line, start = self._line_at(offset)
        return line, offset - start + 1

    def line_start(self, offset: int) -> int:
        """Return the offset at which the line of `offset` begins."""
        return self._line_at(offset)[1]

    def line_end(self, offset: int) -> int:
        """Return the offset of the line's terminator, or of the end of the text."""
        text = self._text
        ends = [end for end in (text.find("\n", offset), self._find_cr(offset)) if end >= 0]
        return min(ends, default=len(text))

    def _find_cr(self, offset: int) -> int:
        return self._text.find("\r", offset) if self._has_cr else -1

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a position; that of the first character for what is before the text."""
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
        """Return where a line starts that lies before the place that is known, whose line is `number`."""
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
            # Between the two halves of a CRLF the line has not ended yet.
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
    """The way back from a segment's text to its source; maps compose."""

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest run of the source that holds text[start:end]."""

    def encode(self, start: int, end: int, text: str) -> bytes | None:
        """Return `text` as the source would write it in place of its own [start, end); None: it cannot."""


class Writing(Protocol):
    """How a document writes what it shows."""

    def encode(self, start: int, end: int, at: int, text: str) -> str | None:
        """Return what to write in place of document[start:end] so that it shows `text`; None: it cannot.

        Args:
            start: where the place begins, which cuts no escape in two.
            end: where it ends.
            at: a character of the document that stands in the same surroundings, as the last of the URL does for
                what is written behind it.
            text: what is to be shown.
        """


class IdentityMap:
    """A text that is its own source: offsets stay what they are."""

    __slots__ = ()

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the same span."""
        return start, end

    def encode(self, start: int, end: int, text: str) -> bytes | None:
        """Return `text` in UTF-8."""
        return text.encode("utf-8", "surrogatepass")


class EncodingMap:
    """Characters of a decoded text to bytes of its encoding.

    Args:
        text: the whole decoded text.
        encoding: a codec that decodes each character by itself (UTF-8, -16, -32, single bytes).
        base: bytes before the first character (a byte order mark).
        known: characters, in order, and where their bytes begin, as far as that is known already.
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
        """Return `text` in the encoding, or None where that has no such character."""
        try:
            return self._bytes(text)
        except UnicodeEncodeError:
            return None

    def _byte_at(self, offset: int) -> int:
        at = bisect.bisect_right(self._marks, (offset + 1,)) - 1
        known, byte = self._marks[at]
        behind, there = self._marks[at + 1] if at + 1 < len(self._marks) else (len(self._text) + offset, 0)
        if behind - offset < offset - known:  # it is nearer
            byte = there - len(self._bytes(self._text[offset:behind]))
        else:
            byte += len(self._bytes(self._text[known:offset]))
        if offset > known + 256:
            self._marks.insert(at + 1, (offset, byte))
        return byte

    def _bytes(self, text: str) -> bytes:
        return text.encode(self._encoding, "surrogateescape" if self._encoding == "utf-8" else "surrogatepass")


class Location(NamedTuple):
    """A place in a source: lines and columns from 1 (code points), offsets from 0 (of the source)."""

    line: int
    column: int
    end_line: int
    end_column: int
    start: int
    end: int


class Contexts(Protocol):
    """The contexts of a document by place."""

    def context(self, start: int, end: int) -> str:
        """Return the context of a place, in characters of the document."""


class MailLocation(NamedTuple):
    """Where in a mail something stands.

    Attributes:
        message_id: of the message, without its brackets; None if it has none.
        date: in ISO 8601, UTC; None if none can be told.
        part: an IMAP number (RFC 3501 section 6.4.5), `header:Name` for a header field, `TEXT` for what stands around
            the parts; None if it cannot be told.
    """

    message_id: str | None
    date: str | None
    part: str | None


class Origin(Protocol):
    """The messages that a segment of a mail, or of many, was taken from."""

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1, of a place in the source."""

    def byte_column(self, offset: int) -> int:
        """Return the column, in bytes from 1, of a place in the source."""

    def mail(self, offset: int) -> MailLocation:
        """Return the message and the part of a place in the source."""


class Segment:
    """Decoded text of a source with the way back to it.

    Attributes:
        text: what is scanned.
        map: from characters of `document` to the source.
        kind: plain, html, ...
        document: the decoded source, whose lines and columns are counted; `text` itself, unless some of it is
            shown otherwise.
        swaps: the pieces in which the two differ, in order.
        links: the spans of the URLs that the markup names, in order, not overlapping.
        regions: the parts of the text that are not running text, in order.
        base: the URL against which the document wants its relative references resolved, or "" (RFC 3986
            section 5.1.1).
        prose: `text` with MARKUP for what is markup; where URLs are looked for.
        encoding: the codec by which the source was decoded; "" for a text.
        whole: whether all of its bytes are of that encoding.
        member: which member of the archive that the source was found in, or "".
        packed: whether the source was compressed, or stood in an archive.
        origin: the mail that it is a part of, whose lines and columns are counted instead of the document's; None
            for what is no mail.
        soft: how its lines were flowed (RFC 3676): "flowed", "delsp", or "" for not at all.
        note: what is to be said of how it was read, or "".

    Of a source that is too large for one, a segment is a stretch, whose lines are counted from its beginning.
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
        """The line index of the document, made at the first question."""
        if self._lines is None:
            self._lines = LineIndex(self.document) if self._make_lines is None else self._make_lines()
            self._make_lines = None
        return self._lines

    def to_document(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest run of the document that text[start:end] shows, in characters."""
        if not self.replacements:
            return start, end
        first = self._from(start, at_end=False)
        return first, first if end <= start else self._from(end, at_end=True)

    def _from(self, offset: int, *, at_end: bool) -> int:
        # The last swap that begins before the place, or at it where the place begins something.
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
        """Return whether something of text[start:end] stands otherwise in the document."""
        number = bisect.bisect_left(self.replacements.starts, max(end, start + 1)) - 1
        return number >= 0 and self.replacements.end(number) > start

    def edits(self, start: int, end: int, text: str, at: int) -> list[tuple[int, int, str]] | None:
        """Return what to write into the source so that it shows `text` in place of text[start:end].

        What is shown otherwise than it is written is replaced as a whole; what is shown as nothing (a line break in an
        attribute) stays.

        Args:
            start: where the place begins, in characters of the text.
            end: where it ends.
            text: what is to be shown there.
            at: a character of the text that stands in the same surroundings.

        Returns:
            Runs of the source, in its units, and the text to write there, in order; None if it cannot be written.
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
        """Return the edit without a swap in parts, and divided where something is shown as nothing."""
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
        """Return the swap that a place divides, if there is one."""
        number = bisect.bisect_left(self.replacements.starts, offset)
        return self.replacements[number - 1] if number and self.replacements.end(number - 1) > offset else None

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest run of the source that holds text[start:end]."""
        return self.map.to_source(*self.to_document(start, end))

    def place_of(self, unit: int) -> tuple[int, int]:
        """Return line and column of a place in the source, in its units, at which a character begins."""
        places = range(len(self.document) + 1)
        at = bisect.bisect_left(places, unit, key=lambda place: self.map.to_source(place, place)[0])
        return self.lines.position(at)

    def locate(self, start: int, end: int) -> Location:
        """Return where text[start:end] stands in the source."""
        start, end = self.to_document(start, end)
        if self.origin is not None:
            first, last = self.map.to_source(start, end)
            return Location(*self.origin.position(first), *self.origin.position(last), first, last)
        line, column = self.lines.position(start)
        end_line, end_column = self.lines.position(end)
        return Location(line, column, end_line, end_column, *self.map.to_source(start, end))
