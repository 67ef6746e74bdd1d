"""Define documents, the texts in which URLs are searched.

A *document* is decoded text with a *map* back to its bytes: a file, a part of a message, a chunk of a large file, or a
text in an editor. Text is never cleaned by copying: another view of it is a document with its own map.

Bytes that are invalid in the declared encoding are kept as the surrogates of Python's `surrogateescape`, so that
nothing is lost and every offset is valid; `readable` shows them as Windows-1252.
"""

import bisect
import functools
from collections.abc import Callable, Mapping, Sequence

from urlscan.core.lazy import lazy
from urlscan.core.offsets import NO_REPLACEMENTS, NO_SPANS, IdentityMap, LineIndex, OffsetMap, ReplacedSpans
from urlscan.core.record import NamedTuple
from urlscan.core.records import Finding, MailLocation, Match
from urlscan.core.secrets import url_may_hold_secret
from urlscan.core.typing import Any, Context, Protocol, Self, T

_ESCAPED = lazy("[\udc80-\udcff]")

# The contexts of roles that do not depend on the URL; "" is running text.
_CONTEXTS: dict[str, Context] = {"": "prose", "code": "code", "comment": "comment"}
# Replaces each character of markup in the prose of a document, so that no URL extends over it. It is ASCII, so that an
# ASCII document has ASCII prose, and not white space, which delimiters ignore.
MARKUP = "\x1a"


def readable(text: str) -> str:
    """Return `text` with its undecodable bytes read as Windows-1252."""
    if text.isascii() or _ESCAPED.search(text) is None:
        return text
    return text.translate(_windows_1252())


@functools.cache
def _windows_1252() -> dict[int, str]:
    """Return the bytes 0x80 to 0xFF in Windows-1252; the five undefined ones are shown as C1 controls."""
    characters = {byte: bytes([byte]).decode("cp1252", "replace") for byte in range(0x80, 0x100)}
    return {0xDC00 + byte: character.replace("\ufffd", chr(byte)) for byte, character in characters.items()}


class Location(NamedTuple):
    """A span in a source: lines and columns from 1 (code points), offsets from 0 (in units of the source)."""

    line: int
    column: int
    end_line: int
    end_column: int
    start: int
    end: int


class MarkupMap(Protocol):
    """Determines the context of spans of a document, and how they write text."""

    def context(self, start: int, end: int, value: tuple[int, int] | None) -> Context:
        """Return the context of a span, in characters of the document.

        Args:
            value: the attribute value that holds it, if it is in one. Otherwise the document is read again up to there.
        """

    def encode(self, start: int, end: int, context: int, text: str, link: int = -1) -> str | None:
        """Return the replacement for document[start:end] that decodes to `text`, or None if that is impossible.

        Args:
            start: the start of the span, which must not be inside an escape.
            context: a character of the document in the same syntactic context; for an insertion after a URL, its last
                character.
            link: the number of the link that holds the span, which the map need not read again; -1 for none.
        """


class Origin(Protocol):
    """The message, or the messages, that a document was taken from."""

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1, of an offset in the source."""

    def byte_column(self, offset: int) -> int:
        """Return the column, in bytes from 1, of an offset in the source."""

    def mail(self, offset: int) -> MailLocation:
        """Return the message and the part that hold an offset of the source."""


class _Computed(dict[Callable[["Document"], Any], Any]):
    """The values that were computed from a document; they are not pickled."""

    def __reduce__(self) -> "tuple[type[_Computed], tuple[()]]":
        """Return how to create an empty object."""
        return _Computed, ()


class Document:
    """Decoded text of a source with the map back to it.

    Attributes:
        text: the text to scan.
        map: maps characters of `decoded` to the source.
        kind: plain, html, ...
        encoding: the codec with which the source was decoded; "" for a text.
        whole: whether all of its bytes are valid in that encoding.
        decoded: the decoded source, for lines and columns; it is `text` unless some of it is decoded further.
        replacements: the spans of the text that differ from the document, in order.
        links: the spans of the URLs that the markup names, in order, not overlapping.
        regions: the spans of the text that are not running text, in order.
        prose: `text` with MARKUP in place of markup; URLs are searched here.
        base: the base URL that the document declares, or "" (RFC 3986 section 5.1.1).
        address: the URL that it was retrieved from, by the record of a web archive, or "" (RFC 3986 section 5.1.3).
        document_map: the contexts of the document and how it writes the text that it shows; None for plain text.
        path: the name of the source; "-" for a text without one.
        member: the member of the archive that the source was found in, or "".
        packed: whether the source was compressed or a member of an archive.
        origin: the mail that it is a part of, which then determines lines and columns; None outside mail.
        soft: how its lines were flowed (RFC 3676): "flowed", "delsp", or "" for not at all.
        note: a remark for the user about how it was read, or "".
        make_lines: returns the line index of the document; None to create it.
        start: the offset of the first colon to check, in characters of the prose.
        stop: the offset after the last colon to check.
        floor: the end of the last URL before `start`.
        end: the end of the last URL, delimiters included, after all URLs have been yielded; never less than `floor`.
        findings: the findings in it, in order of position, after it was checked.
        fixed: the findings that were fixed in it.
        hidden: the findings that are counted, but not shown (`--max-findings`).
        sensitive: the matches whose URLs may hold a secret, by which the findings are masked.
        checked_urls: how many URLs were checked.
        checked_links: how many references to files and anchors were looked up, excused ones included.
        excused: how many relative references that may be broken were not reported, by the reason.
        left_out: how many findings are not reported because the source is test data (`relaxed-paths`).

    A document begins as plain text. The reader of documents sets what the text shows differently (`decoded` to
    `document_map`), the reader of sources `path`, `member` and `packed`, the reader of mail `origin`, `soft` and
    `note`, the linter `findings` and what follows. URLs are searched from `start` to `stop`: in a chunk of a large
    source, the text holds as much around these as reading a URL can inspect, and its lines count from the beginning of
    the source.
    """

    __slots__ = (
        "_computed", "_lines", "address", "base", "checked_links", "checked_urls", "decoded", "document_map",
        "encoding", "end", "excused", "findings", "fixed", "floor", "hidden", "kind", "left_out", "links",
        "make_lines", "map", "member", "note", "origin", "packed", "path", "prose", "regions", "replacements",
        "sensitive", "soft", "start", "stop", "text", "whole",
    )  # fmt: skip

    def __init__(
        self,
        text: str,
        map: OffsetMap | None = None,
        *,
        path: str = "-",
        kind: str = "plain",
        encoding: str = "",
        whole: bool = True,
    ) -> None:
        self.text = self.decoded = self.prose = text
        self.map: OffsetMap = map or IdentityMap()
        self.kind, self.encoding, self.whole = kind, encoding, whole
        self.replacements: ReplacedSpans = NO_REPLACEMENTS
        self.links = self.regions = NO_SPANS
        self.path = path
        self.base = self.address = self.member = self.soft = self.note = ""
        self.packed = False
        self.document_map: MarkupMap | None = None
        self.origin: Origin | None = None
        self.make_lines: Callable[[], LineIndex] | None = None
        self.start = self.floor = self.end = 0
        self.stop = len(text)
        self.findings: Sequence[Finding] = ()
        self.fixed: Sequence[Finding] = ()
        self.hidden: Sequence[Finding] = ()
        self.sensitive: Sequence[Match] = ()
        self.checked_urls = self.checked_links = self.left_out = 0
        self.excused: Mapping[str, int] = {}
        self._lines: LineIndex | None = None
        self._computed = _Computed()

    def computed(self, compute: "Callable[[Document], T]") -> T:
        """Return compute(self), which is computed once and freed with the document."""
        if compute not in self._computed:
            self._computed[compute] = compute(self)
        value: T = self._computed[compute]
        return value

    @property
    def lines(self) -> LineIndex:
        """The line index of the document, created on first use."""
        if self._lines is None:
            self._lines = LineIndex(self.decoded) if self.make_lines is None else self.make_lines()
            self.make_lines = None
        return self._lines

    def to_written(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the text as written that text[start:end] shows; another one if it was defanged."""
        return start, end

    def chunk(self, start: int, stop: int) -> Self:
        """Return the same document with the slice of its prose to search."""
        _ = self.lines  # shared by all chunks
        return self._changed(start=start, stop=stop, floor=0, end=0)

    def without_text(self) -> "Document":
        """Return what a report needs of a document that has no findings."""
        document = Document("", path=self.path, kind=self.kind, encoding=self.encoding, whole=self.whole)
        document.member, document.note, document.left_out = self.member, self.note, self.left_out
        document.checked_urls, document.checked_links = self.checked_urls, self.checked_links
        document.excused = self.excused
        return document

    def with_findings(self, findings: Sequence[Finding]) -> Self:
        """Return the same document with other findings."""
        return self._changed(findings=findings)

    def _changed(self, **attributes: Any) -> Self:
        from copy import copy

        document = copy(self)
        for name, value in attributes.items():
            setattr(document, name, value)
        return document

    def is_sensitive(self, match: Match) -> bool:
        """Return whether the URL of a match may hold a secret, or end within one."""
        url = match.url
        if url_may_hold_secret(url) or match.alternatives or self.soft == "delsp":
            return True
        return "@" in url and (match.assumed != "" or match.style == "markup")

    def as_written(self, match: Match) -> Match:
        """Return a match in the document with the text as written."""
        return match

    def to_decoded(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest span of the document that text[start:end] shows, in characters."""
        if not self.replacements.starts:
            return start, end
        first = self._from(start, at_end=False)
        if end <= start:
            return first, first
        return first, self._from(end, at_end=True)

    def _from(self, offset: int, *, at_end: bool) -> int:
        # The last replacement that begins before the offset, or at the offset if that is the start of a span.
        replaced, originals = self.replacements, self.replacements.originals
        number = bisect.bisect_left(replaced.starts, offset + (not at_end)) - 1
        if number < 0:
            return offset
        if offset < replaced.ends[number]:
            return originals.ends[number] if at_end else originals.starts[number]
        return offset - replaced.ends[number] + originals.ends[number]

    def context(self, start: int, end: int) -> Context:
        """Return the context of a URL at text[start:end]: link, prose, comment, string, fragment or code."""
        if self.links.index(start) >= 0:
            return "link"
        role, value = self.regions.role(start), None
        if role in _CONTEXTS:
            return _CONTEXTS[role]
        if self.document_map is None:
            return "prose"
        if role == "value":
            value = self.to_decoded(*self.regions[self.regions.index(start)])
        return self.document_map.context(*self.to_decoded(start, end), value)

    def edits(self, start: int, end: int, text: str, context: int) -> list[tuple[int, int, str]] | None:
        """Return the edits of the source that show `text` in place of text[start:end]; None if it cannot be written.

        An escape is replaced as a whole. Source text that shows as nothing (a line break in an attribute) is kept. The
        edits are start and end in units of the source and the text to write, in order. `context` is a character of the
        text in the same syntactic context.
        """
        edits = []
        number = self.links.index(context)
        slices = self._slices(start, end, text) if self.replacements.starts else [(start, end, text)]
        for first, last, replacement in slices:
            span = self.to_decoded(first, last)
            if first == last > context:  # inserted after the character, before markup that shows nothing
                span = (self._from(first, at_end=True),) * 2
            written: str | None = replacement
            if self.document_map is not None:
                is_in_link = number >= 0 and self.links.starts[number] <= first <= last <= self.links.ends[number]
                position = self.to_decoded(context, context + 1)[0]
                written = self.document_map.encode(*span, position, replacement, number if is_in_link else -1)
            source = self.map.to_source(*span)
            if written is None or self.map.encode(*source, written) is None:
                return None
            edits.append((*source, written))
        return edits

    def _slices(self, start: int, end: int, text: str) -> list[tuple[int, int, str]]:
        """Return the edit extended to whole replacements, and divided where the source shows nothing."""
        starts, ends = self.replacements.starts, self.replacements.ends
        number = bisect.bisect_left(starts, start) - 1
        if number >= 0 and ends[number] > start:
            start, text = starts[number], self.text[starts[number] : start] + text
        number = bisect.bisect_left(starts, end) - 1
        if number >= 0 and ends[number] > end:
            end, text = ends[number], text + self.text[end : ends[number]]
        slices = []
        for number in range(bisect.bisect_right(starts, start), bisect.bisect_left(starts, end)):
            if start < starts[number] == ends[number]:
                slices.append((start, starts[number], text))
                start, text = starts[number], ""
        return [*slices, (start, end, text)]

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest span of the source that holds text[start:end]."""
        return self.map.to_source(*self.to_decoded(start, end))

    def place_of(self, unit: int) -> tuple[int, int]:
        """Return line and column of an offset in the source, in its units, at which a character begins."""
        offsets = range(len(self.decoded) + 1)
        position = bisect.bisect_left(offsets, unit, key=lambda offset: self.map.to_source(offset, offset)[0])
        return self.lines.position(position)

    def locate(self, start: int, end: int) -> Location:
        """Return the location of text[start:end] in the source."""
        start, end = self.to_decoded(start, end)
        first, last = self.map.to_source(start, end)
        span = self.decoded[start:end]
        is_one_line = "\n" not in span and "\r" not in span
        if self.origin is not None:
            line, column = self.origin.position(first)
            # Each character is an octet if there are as many.
            if not (is_one_line and last - first == len(span) and span.isascii()):
                return Location(line, column, *self.origin.position(last), first, last)
        else:
            line, column = self.lines.position(start)
            if not is_one_line:
                return Location(line, column, *self.lines.position(end), first, last)
        return Location(line, column, line, column + len(span), first, last)
