"""Divide a document and its nested documents into regions, and show it by them.

A reader divides a document into regions: markup, links, prose, code, and so on, each with its replacements. A region
may hold a document of another kind, such as a style sheet in a page or a page in a notebook; `expand_nested` divides
these too, to a limited depth. `set_regions` sets what a document shows, and `DocumentMap` determines the context of a
span of it and how a text is written there. A URL in a string or a data value is a `string` if it is the whole value and
a `fragment` otherwise. An attribute writes `&amp;`, a string its escapes.

Most documents have no findings, and a large one with findings has few. The map needs the exact regions of the document,
which takes longer than finding its URLs; they are read up to the last span that is asked for.
"""

import bisect
import functools
import heapq
import importlib
import io
import itertools
import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter

from urlscan.core.document import MARKUP, Document
from urlscan.core.lazy import lazy
from urlscan.core.offsets import ReplacedSpans, Spans
from urlscan.core.record import NamedTuple
from urlscan.core.settings import FindOptions
from urlscan.core.typing import Context, cast
from urlscan.documents.escapes import AnyReplacements, Replacement, collect
from urlscan.documents.kinds import KINDS, MAIL, Scope

_span = itemgetter(0, 1)  # of a replacement
# The greatest depth of nested documents; a style attribute in a page in a notebook cell is at depth four.
_MAX_DEPTH = 8
# Returns the source text that shows a text, or None if there is none.
Encode = Callable[[str], str | None]


# Roles that are hidden from the prose.
_HIDDEN_ROLES = ("markup", "link", "base")
_LINK_ROLES = ("link", "base")
# Roles that determine the context of a URL; the map of the document distinguishes the others, which take less memory as
# one role, since adjacent regions are merged.
_CONTEXT_ROLES = ("code", "comment", "value")
# Translates Latin-1 text to MARKUP, except for its line ends.
_HIDE = bytes(code if code in b"\r\n" else ord(MARKUP) for code in range(256))
# Roles whose context does not depend on the URL.
_CONTEXTS: dict[str, Context] = {
    "link": "link", "base": "link", "prose": "prose", "markup": "prose", "comment": "comment",
    "code": "code", "program": "code",
}  # fmt: skip
# How many characters around a URL are searched for the ends of a value.
_WINDOW = 200
# The text before a value on its line: list markers, a key and its separator, or the separator of a list.
# Matches: `a: "`, `- `, `a = `, `- a: `, `, `
# Does not match: `see `, `a: b `, `"a`
_BEFORE_VALUE = lazy(
    r"""
    (?: (?: ^ | [\r\n] ) [ \t]* (?: - [ \t]+ )* (?: [\w.$/"'-] [\w.$ /"'-]{0,80}? [ \t]* [:=]>? [ \t]* )?
      | [,;|\[{\t>] [ \t]*
    )
    ["']? \Z
    """,
    re.VERBOSE,
)
# The text after a value: the end of the line, a comment, the next separator, or closing brackets before one of these.
# Matches: `",`, `,`, `]},`, ` #`
# Does not match: `]a`, ` a`
_AFTER_VALUE = lazy(r"[\"']?[ \t]*(?:\Z|[\r\n,;|\t<#]|[\]}][\]} \t]*(?:\Z|[\r\n,;#]))")


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


def read_markup(document: Document, find_options: FindOptions | None = None) -> Document:
    """Set what a decoded document shows, and return it; text that is not searched for may be hidden."""
    text, kind = document.decoded, document.kind
    scope: Scope = "hosts"
    if find_options is not None and not (
        find_options.schemeless or find_options.emails or find_options.defanged or find_options.rejoin == "guess"
    ):
        scope = "schemes"
        if find_options.relative or find_options.look_alikes:
            scope = "links"
    document.document_map = document_map = DocumentMap(text, kind)
    regions = expand_nested(text, reader_of(kind)(text, kind, scope), scope)
    return set_regions(document, regions, document_map.link_encoders)


def set_regions(
    document: Document, regions: Iterable[Region], link_encoders: "list[tuple[int, tuple[Encode, ...]]] | None" = None
) -> Document:
    """Set what a document shows from the regions of its decoded text, and return it.

    The regions hold no nested documents, and prose is between them. The encoders of links are added to the list, with
    the number of the first link that has them.
    """
    encoders: tuple[Encode, ...] | None = None  # of the last link
    decoded, output, length = document.decoded, io.StringIO(), len(document.decoded)
    links, stored, hidden, replaced = Spans(length), Spans(length), Spans(length), ReplacedSpans(length)
    shift = copied = 0  # from offsets in it to offsets in the text, which is complete up to `copied`
    hidden_end = -1
    for region in regions:
        role, start, end, replacements, _, encode, inner = region
        first = start + shift
        if replacements:
            output.write(decoded[copied:start])
            url, size = show(decoded, region, first, replaced)
            output.write(url)
            copied, shift = end, size - end
        last = end + shift
        if role in _HIDDEN_ROLES:
            if hidden_end != first:
                hidden.append(first, last)
            hidden.ends[-1] = hidden_end = last
        elif role != "prose" and last > first:
            stored.add_region(first, last, role if role in _CONTEXT_ROLES else "other")
        if (inner or role in _LINK_ROLES) and link_encoders is not None and encode != encoders:
            encoders = encode
            link_encoders.append((len(links.starts), encode))
        if role in _LINK_ROLES:
            links.append(first, last)
            if role == "base" and not document.base:
                document.base = url if replacements else decoded[start:end]
        elif inner:
            links.starts.extend([link_start + shift for link_start, _ in inner])
            links.ends.extend([link_end + shift for _, link_end in inner])
    # Most documents have no replacements, and many no markup; they are not copied.
    if replaced.starts:
        output.write(decoded[copied:])
        document.text = document.prose = output.getvalue()
    if hidden.starts:
        document.prose = _without(hidden, document.text)
    document.replacements, document.links, document.regions = replaced, links, stored
    document.stop = len(document.prose)
    return document


# How many strings are joined before they are written, so that their number does not take memory.
_MOST_PIECES = 1000


def _without(hidden: Spans, text: str) -> str:
    """Return the text with MARKUP for every character of the hidden spans that is not a line end."""
    prose, position = io.StringIO(), 0
    pieces: list[str] = []  # StringIO keeps each string that is written to it
    for start, end in hidden:
        markup = text[start:end]
        if "\n" in markup or "\r" in markup:
            markup = markup.encode("latin-1", "replace").translate(_HIDE).decode("ascii")
        else:
            markup = MARKUP * len(markup)
        pieces += (text[position:start], markup)
        position = end
        if len(pieces) > _MOST_PIECES:
            prose.write("".join(pieces))
            pieces.clear()
    prose.write("".join(pieces))
    prose.write(text[position:])
    return prose.getvalue()


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

    Documents nested deeper than eight levels are prose, as is mail. `depth` documents are around the regions.
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
            original = originals.ends[number]
            if start == first:
                original = originals.starts[number]
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


def show(document: str, region: Region, size: int, replaced: ReplacedSpans) -> tuple[str, int]:
    """Return the text that a region shows at the offset `size`, and its end; add its replacements to `replaced`."""
    output, position = io.StringIO(), region.start
    for start, end, text in region.replacements:
        output.write(document[position:start])
        output.write(text)
        size += start - position
        replaced.append(size, size + len(text))
        replaced.originals.append(start, end)
        size += len(text)
        position = end
    output.write(document[position : region.end])
    return output.getvalue(), size + region.end - position


class DocumentMap:
    """The contexts of a document, and how it writes text (`core.document.MarkupMap`).

    Attributes:
        link_encoders: the encoders of its links, each with the number of the first link that has them. A fix of a link
            needs no exact regions then, which saves a tenth of `check` of pages.
    """

    def __init__(self, document: str, kind: str) -> None:
        self._document, self._kind = document, kind
        self.link_encoders: list[tuple[int, tuple[Encode, ...]]] = []
        self._regions: Iterator[Region] | None = None
        self._end = 0  # of the last region that was read
        self._starts, self._ends = array("q"), array("q")
        self._roles: list[str] = []
        self._encoder_starts = array("q")
        self._encoders: list[tuple[Encode, ...]] = []

    def __reduce__(self) -> "tuple[type[DocumentMap], tuple[str, str]]":
        """Return how to create a map that has read nothing; regions cannot be pickled."""
        return DocumentMap, (self._document, self._kind)

    def context(self, start: int, end: int, value: tuple[int, int] | None = None) -> Context:
        """Return the context of document[start:end], in characters; `value` is the attribute value that holds it."""
        if value is not None:
            return "string" if self._covers(start, end, *value) else "fragment"
        self._read_to(max(start, end - 1))
        number = bisect.bisect_right(self._starts, start) - 1
        if number < 0:
            return "prose"
        role, last = self._roles[number], number
        if role == "string":
            last = max(bisect.bisect_right(self._starts, end - 1) - 1, number)
        if role == "data":
            after = _AFTER_VALUE.match(self._document, end, end + _WINDOW)
            before = _BEFORE_VALUE.search(self._document[max(start - _WINDOW, 0) : start])
            is_whole = after is not None and before is not None
        elif role in ("string", "value"):
            is_whole = self._roles[last] == role and self._covers(start, end, self._starts[number], self._ends[last])
        else:
            return _CONTEXTS.get(role, "prose")
        if is_whole:
            return "string"
        return "fragment"

    def encode(self, start: int, end: int, context: int, text: str, link: int = -1) -> str | None:
        """Return what to write in place of document[start:end] so that it shows `text`; None if that is impossible.

        Only a deletion may extend over several spans. Without the number of a link, the document is read again.
        """
        if not text:
            return ""
        if link >= 0 and self.link_encoders:
            number = bisect.bisect_right(self.link_encoders, link, key=lambda entry: entry[0]) - 1
            encoders = self.link_encoders[number][1]
        else:
            self._read_to(max(context, end - 1))
            starts = self._encoder_starts
            number = max(bisect.bisect_right(starts, context) - 1, 0)
            limit = starts[number + 1] if number + 1 < len(starts) else self._end
            if not starts or not starts[number] <= start <= end <= limit:
                return None
            encoders = self._encoders[number]
        written: str | None = text
        for encode in encoders:
            if written is not None:
                written = encode(written)
        return written

    def _read_to(self, offset: int) -> None:
        """Read the regions up to the one that holds the character at `offset`."""
        if self._regions is None:
            exact = reader_of(self._kind)(self._document, self._kind, "exact")
            self._regions = split_links(expand_nested(self._document, exact, "exact"))
        while self._end <= offset and (region := next(self._regions, None)) is not None:
            role, self._end, encode = region.role, region.end, region.encode
            # Strings, values and links stay separate; other adjacent regions of one role are merged.
            if self._roles and self._roles[-1] == role and role not in ("string", "value", "link"):
                self._ends[-1] = region.end
            else:
                self._starts.append(region.start)
                self._ends.append(region.end)
                self._roles.append(role)
            # Markup is never merged with its neighbor: nothing is written into it.
            if not encode or not self._encoders or encode != self._encoders[-1]:
                self._encoder_starts.append(region.start)
                self._encoders.append(encode)

    def _covers(self, start: int, end: int, first: int, last: int) -> bool:
        """Return whether document[start:end] is all of document[first:last] but white space and quotation marks."""
        if start - first + last - end >= _WINDOW:  # a long string may hold many URLs
            return False
        around = self._document[first:start] + self._document[end:last]
        return not around.strip("\"' \t\r\n")


class NextMatch:
    """The start of the next match of any of some patterns that match at the same offsets wherever the search begins.

    It stores its last answers, so that queries in ascending order take one pass. Several patterns are found faster than
    one with alternatives if each begins with a literal.
    """

    __slots__ = ("_match_start", "_position", "_searches", "_starts", "_text")

    def __init__(self, text: str, *patterns: "re.Pattern[str]") -> None:
        self._searches = [pattern.search for pattern in patterns]
        self._starts = [-1] * len(patterns)
        self._text = text
        self._position, self._match_start = 0, -1

    def after(self, offset: int) -> int:
        """Return where the first match at or after `offset` begins, or the length of the text."""
        if not self._position <= offset <= self._match_start:
            for number, search in enumerate(self._searches):
                if not self._position <= offset <= self._starts[number]:
                    match = search(self._text, offset)
                    self._starts[number] = match.start() if match is not None else len(self._text)
            self._position, self._match_start = offset, min(self._starts)
        return self._match_start


# CommonMark 6.1: a run of backticks closed by one of the same length.
TICKS = lazy(r"`+")


class BacktickRuns:
    """The runs of backticks in text[start:limit], by their length."""

    __slots__ = ("_starts",)

    def __init__(self, text: str, start: int, limit: int) -> None:
        self._starts: dict[int, list[int]] = {}
        for match in TICKS.finditer(text, start, limit):
            self._starts.setdefault(match.end() - match.start(), []).append(match.start())

    def after(self, offset: int, length: int) -> int:
        """Return where the first run of this length begins at or after `offset`, or -1."""
        starts = self._starts.get(length, [])
        number = bisect.bisect_left(starts, offset)
        return starts[number] if number < len(starts) else -1
