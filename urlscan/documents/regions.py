"""Divide a document and its nested documents into regions.

A reader divides a document into regions: markup, links, prose, code, and so on, each with its replacements. A region
may hold a document of another kind, such as a style sheet in a page or a page in a notebook; `expand_nested` divides
these too, to a limited depth.
"""

import bisect
import functools
import heapq
import importlib
import io
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, cast

from urlscan.core.offsets import ReplacedSpans
from urlscan.core.settings import FindOptions
from urlscan.documents.kinds import KINDS, MAIL, Scope
from urlscan.documents.replacements import AnyReplacements, Replacement, collect

# The number of replacements up to which sorting a list is faster than merging iterators.
_MAX_SORTED = 256
# The greatest depth of nested documents; a style attribute in a page in a notebook cell is at depth four.
_MAX_DEPTH = 8
# Returns the source text that shows a text, or None if there is none.
Encode = Callable[[str], str | None]


class Region(NamedTuple):
    """A region of a document; the regions of a document are in order.

    They are contiguous, except those of a reader that omits what is not searched for: what is between these is prose.

    Attributes:
        role: markup (not searched for URLs), link (a URL), base (the URL that others are resolved against); or, for
            text that is searched: prose, code (blocks and spans of another language), comment, string (the
            contents of a literal), value (of an attribute that is not a URL), data (an unquoted value of a data
            format). A reader that does not distinguish these uses program and text.
        start, end: in characters of the document.
        replacements: start, end and the text shown instead, in characters of the document, in order.
        kind: the kind of the nested document that the region shows; "" for none.
        encode: how the region writes the text that it shows: functions that return the source text or None, the one
            of the innermost document first. Without one, nothing can be written.
        links: the URLs in a markup region without replacements, start and end, in order; they use `encode`.
    """

    role: str
    start: int
    end: int
    replacements: AnyReplacements = ()
    kind: str = ""
    encode: tuple[Encode, ...] = ()
    links: tuple[tuple[int, int], ...] = ()


# Divides a document of a kind into its regions; what is outside the scope of the search may be omitted.
Reader = Callable[[str, str, Scope], Iterator[Region]]


@functools.cache
def reader_of(kind: str) -> Reader:
    """Return the reader of a kind."""
    return cast("Reader", importlib.import_module(f"urlscan.documents.{KINDS[kind].reader}").regions)


def scope_of(find_options: FindOptions | None) -> Scope:
    """Return what of a document is searched; None: everything."""
    if find_options is None or find_options.schemeless or find_options.emails or find_options.defanged:
        return "hosts"
    if find_options.continuations or find_options.rejoin == "guess":
        return "hosts"
    return "links" if find_options.relative or find_options.look_alikes else "schemes"


def regions(text: str, _kind: str = "", _scope: str = "") -> Iterator[Region]:
    """Yield the whole of a plain text."""
    yield Region("prose", 0, len(text))


def with_prose(document: str, regions: Iterator[Region], encode: tuple[Encode, ...]) -> Iterator[Region]:
    """Yield the regions of a document, and the prose between them, which is written by `encode`."""
    region_end = 0
    for region in regions:
        if region.start > region_end:
            yield Region("prose", region_end, region.start, encode=encode)
        yield region
        region_end = region.end
    if region_end < len(document):
        yield Region("prose", region_end, len(document), encode=encode)


def split_links(regions: Iterator[Region]) -> Iterator[Region]:
    """Yield the regions, with the links of markup as regions of their own."""
    for region in regions:
        if not region.links:
            yield region
            continue
        link_end = region.start
        for start, end in region.links:
            yield Region("markup", link_end, start)
            yield Region("link", start, end, encode=region.encode)
            link_end = end
        yield Region("markup", link_end, region.end)


def expand_nested(document: str, regions: Iterable[Region], scope: Scope, depth: int = 1) -> Iterator[Region]:
    """Yield the regions of a document and of its nested documents, in characters of the outermost.

    Documents nested deeper than eight levels are prose, as is mail.

    Args:
        depth: the number of documents around the regions.
    """
    for region in regions:
        if not region.kind or depth == _MAX_DEPTH or region.kind in MAIL:
            yield region
            continue
        nested = _NestedDocument(document, region)
        text, kind = nested.text, region.kind
        if not text:  # it has no regions
            yield region
            continue
        del region  # its replacements may take most of the memory
        inner = with_prose(text, split_links(reader_of(kind)(text, kind, scope)), ())
        yield from expand_nested(document, map(nested.to_outermost, inner), scope, depth + 1)


class _NestedDocument:
    """The text of a nested document, with the map of its regions to the outermost document."""

    def __init__(self, document: str, region: Region) -> None:
        self._region = region._replace(replacements=())  # stored in `_replaced`, which takes less memory
        self._replaced = ReplacedSpans(len(document))
        self.text = show(document, region, 0, self._replaced)[0]

    def to_outermost(self, region: Region) -> Region:
        """Return the region in characters of the outermost document, with the replacements of both documents."""
        if self._region.encode:
            region = region._replace(encode=(*region.encode, *self._region.encode))
        if not self._replaced.starts:
            shift = self._region.start
            shifted = collect((start + shift, end + shift, text) for start, end, text in region.replacements)
            return region._replace(start=region.start + shift, end=region.end + shift, replacements=shifted)
        start, end = self._offset(region.start), self._offset(region.end)
        first, last = self._replaced_range(region.start, region.end)
        inner = ((self._offset(a), self._offset(b), text) for a, b, text in region.replacements)
        outer = self._visible(region, first, last)
        if last - first + len(region.replacements) < _MAX_SORTED:
            replacements: AnyReplacements = tuple(sorted([*inner, *outer], key=_span))
        else:
            replacements = collect(heapq.merge(inner, outer, key=_span))
        return region._replace(start=start, end=end, replacements=replacements)

    def _visible(self, region: Region, low: int, high: int) -> Iterator[Replacement]:
        """Yield the replacements numbered `low` to `high` that the region does not replace again."""
        inner = itertools.chain(region.replacements, [(len(self.text) + 1, 0, "")])
        hidden = next(inner)
        replaced, originals = self._replaced, self._replaced.originals
        for number in range(low, high):
            start, end = replaced[number]
            while hidden[1] <= start and hidden[0] < start:
                hidden = next(inner)
            if hidden[0] <= start < hidden[1]:
                continue
            first, last = max(start, region.start), min(end, region.end)
            original = originals.starts[number] if start == first else originals.ends[number]
            yield original, originals.ends[number], self.text[first:last]

    def _replaced_range(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of the numbers of the replacements that show a part of text[start:end]."""
        if start == end:
            return 0, 0
        starts = self._replaced.starts
        first = bisect.bisect_left(starts, start)
        if first and self._replaced.ends[first - 1] > start:
            first -= 1
        return first, len(starts) if end == len(self.text) else bisect.bisect_left(starts, end)

    def _offset(self, offset: int) -> int:
        """Return the offset in the outermost document of an offset in the text."""
        if offset == len(self.text):
            return self._region.end
        number = bisect.bisect_left(self._replaced.starts, offset) - 1
        if number < 0:
            return self._region.start + offset
        return self._replaced.originals.ends[number] + max(offset - self._replaced.ends[number], 0)


def _span(replacement: Replacement) -> tuple[int, int]:
    return replacement[:2]


def show(document: str, region: Region, size: int, replaced: ReplacedSpans) -> tuple[str, int]:
    """Return the text that a region shows and the offset of its end, and add its replacements to `replaced`.

    Args:
        size: the offset of the shown text in the whole text.
        replaced: the replacements of the whole text so far.
    """
    output = io.StringIO()
    position = region.start
    for start, end, text in region.replacements:
        output.write(document[position:start])
        output.write(text)
        size += start - position
        replaced.add(size, size + len(text), start, end)
        size += len(text)
        position = end
    output.write(document[position : region.end])
    return output.getvalue(), size + region.end - position
