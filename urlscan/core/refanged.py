"""Define the document whose defanged URLs are restored."""

import bisect
from typing import NamedTuple

from urlscan.core.choices import Context
from urlscan.core.document import Document
from urlscan.core.offsets import ReplacedSpans, Spans
from urlscan.core.records import Break, Match, without_breaks


class DefangedHost(NamedTuple):
    """A host or an address that was defanged.

    Attributes:
        start, end: its span without a path, in characters of the restored text.
        is_address: whether it is an address.
    """

    start: int
    end: int
    is_address: bool


class RefangedDocument(Document):
    """A document in which defanged URLs are restored: `hxxp://h[.]example` is `http://h.example`.

    All offsets are mapped through the document that it was made from, so that locations and contexts are those of the
    source.

    Attributes:
        written: the document with the text as written.
        hosts: the defanged hosts and addresses, in order.
    """

    __slots__ = ("_view", "hosts", "written")

    def __init__(
        self,
        written: Document,
        text: str,
        prose: str,
        edits: ReplacedSpans,
        *,
        links: Spans,
        regions: Spans,
        hosts: tuple[DefangedHost, ...],
    ) -> None:
        super().__init__(text, written.map, kind=written.kind, encoding=written.encoding, whole=written.whole)
        self.decoded, self.document_map, self.base = written.decoded, written.document_map, written.base
        self.prose, self.links, self.regions = prose, links, regions
        self.make_lines = lambda: written.lines
        self.path, self.member, self.packed = written.path, written.member, written.packed
        self.origin = written.origin
        self.soft, self.note = written.soft, written.note
        self.written, self.hosts = written, hosts
        self._view = Document(text)
        self._view.replacements = edits

    def to_written(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the text as written that text[start:end] shows."""
        return self._view.to_decoded(start, end)

    def from_written(self, offset: int) -> int:
        """Return the offset that shows an offset of the text as written; the end of an edit if that is inside it."""
        return bisect.bisect_left(range(len(self.text)), offset, key=lambda start: self.to_written(start, start)[0])

    def to_decoded(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest span of the document that text[start:end] shows, in characters."""
        return self.written.to_decoded(*self.to_written(start, end))

    def context(self, start: int, end: int) -> Context:
        """Return the context of a URL at text[start:end]."""
        return self.written.context(*self.to_written(start, end))

    def as_written(self, occurrence: Match) -> Match:
        """Return an occurrence with the text as written in `raw`, and in `original` without breaks if it differs."""
        start, end = self.to_written(occurrence.start, occurrence.end)
        raw = self.written.text[start:end]
        if occurrence.faults:
            spans = (self.to_written(fault.start, fault.end) for fault in occurrence.faults)
            faults = zip(occurrence.faults, spans, strict=True)
            moved = tuple(fault._replace(start=first, end=last) for fault, (first, last) in faults)
            occurrence = occurrence._replace(faults=moved)
        if raw == occurrence.raw:
            return occurrence
        breaks = tuple(self._break(occurrence.start, gap, start) for gap in occurrence.breaks)
        return occurrence._replace(raw=raw, breaks=breaks, original=without_breaks(raw, breaks))

    def _break(self, start: int, gap: Break, first: int) -> Break:
        begin, end = self.to_written(start + gap.offset, start + gap.offset + gap.length)
        return gap._replace(offset=begin - first, length=end - begin)
