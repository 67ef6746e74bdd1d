"""A segment out of the pieces of a document: markup, links, prose, and what is written otherwise than it is meant.

A piece may be a document of another kind: a style sheet in a page, a page in a notebook.  One worklist expands
them all, and knows how deep that may go.
"""

import bisect
import heapq
import io
import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple

from urlscan.core.maps import Writing
from urlscan.core.segment import MARKUP, Contexts, Segment
from urlscan.core.spans import Regions, ReplacedSpans, Spans
from urlscan.documents.replacements import AnyReplacements, Replacement, collected
from urlscan.files.decode import Decoded

_MANY = 256  # replacements that are not put in order all at once
# Documents in documents: a style in a page in a cell of a notebook is four.
_DEEPEST = 8
_BLANKED = ("markup", "link", "base")
_LINKS = ("link", "base")
# What needs no region: running text, and what holds no URL.
_RUNNING = ("prose", "markup")


# Returns what to write so that a text is shown, or None where that cannot be.
Encode = Callable[[str], str | None]


# What a piece of markup is blanked by, byte by byte of Latin-1: where its lines end stays.
_BLANKS = bytes(code if code in b"\r\n" else ord(MARKUP) for code in range(256))


class Piece(NamedTuple):
    """A piece of a document; the pieces of one follow each other without a gap.

    Attributes:
        role: markup (no URL is looked for), link (it is one), base (a link against which the others are resolved); or,
            of text in which URLs are looked for: prose, autolink, code (blocks and spans of another language),
            comment, string (the contents of a literal), value (of an attribute that is no URL), data (what a data
            format does not quote); program and text stand for any of these where a reader did not look closely.
        start, end: in characters of the document.
        swaps: start, end and what is shown instead, in characters of the document, in order.
        kind: what the piece shows is a document of this kind; "" for none.
        encode: how it writes what it shows, the innermost document's way first: each is a function that returns what
            to write for a text, or None; without one, a text stands for itself.
        links: the URLs in markup that shows nothing otherwise, start and end, in order; `encode` is theirs.
    """

    role: str
    start: int
    end: int
    swaps: AnyReplacements = ()
    kind: str = ""
    encode: tuple[Encode, ...] = ()
    links: tuple[tuple[int, int], ...] = ()


# Cuts a document of a kind into its pieces.
Reader = Callable[[str, str], Iterator[Piece]]


def apart(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Yield the pieces, the links of markup as pieces of their own."""
    for piece in pieces:
        if not piece.links:
            yield piece
            continue
        done = piece.start
        for start, end in piece.links:
            yield Piece("markup", done, start)
            yield Piece("link", start, end, encode=piece.encode)
            done = end
        yield Piece("markup", done, piece.end)


def expanded(document: str, pieces: Iterator[Piece], reader: Callable[[str], Reader]) -> Iterator[Piece]:
    """Yield the pieces of a document, and of the documents in it, in characters of the outermost.

    What is deeper than eight documents is prose.

    Args:
        document: the outermost.
        pieces: of it.
        reader: returns what cuts one in it, by its kind.
    """
    work: list[tuple[Iterator[Piece], _Inner | None]] = []
    for piece in pieces:
        if not piece.kind:  # most documents hold no others
            yield piece
            continue
        work.append((_once([piece]), None))
        del piece  # whose swaps may be most of what there is
        yield from _worked_off(document, work, reader)


def _once(pieces: list[Piece]) -> Iterator[Piece]:
    """Yield the last piece of a list, which is taken out of it."""
    yield pieces.pop()


def _worked_off(
    document: str, work: "list[tuple[Iterator[Piece], _Inner | None]]", reader: Callable[[str], Reader]
) -> Iterator[Piece]:
    while work:
        pieces, inner = work[-1]
        piece = next(pieces, None)
        if piece is None:
            work.pop()
            continue
        if inner is not None:
            piece = inner.lift(piece)
        if not piece.kind or len(work) == _DEEPEST:
            yield piece
            continue
        nested = _Inner(document, piece)
        if not nested.text:  # which has no pieces
            yield piece
            continue
        kind = piece.kind
        del piece
        work.append((apart(reader(kind)(nested.text, kind)), nested))


class _Inner:
    """A document in a document: its text, and the way of its pieces back to the outermost."""

    def __init__(self, document: str, piece: Piece) -> None:
        self._piece = piece._replace(swaps=())  # from here on they are in `_swaps`
        self._swaps = ReplacedSpans(len(document))
        self.text = _swapped(document, piece, 0, self._swaps)[0]

    def lift(self, piece: Piece) -> Piece:
        """Return the piece in characters of the outermost document, with the swaps of both."""
        if self._piece.encode:
            piece = piece._replace(encode=(*piece.encode, *self._piece.encode))
        if not self._swaps:
            by = self._piece.start
            swaps = collected((start + by, end + by, text) for start, end, text in piece.swaps)
            return piece._replace(start=piece.start + by, end=piece.end + by, swaps=swaps)
        start, end = self._place(piece.start), self._place(piece.end)
        first, last = self._between(piece.start, piece.end)
        inner = ((self._place(a), self._place(b), text) for a, b, text in piece.swaps)
        outer = self._around(piece, first, last)
        if last - first + len(piece.swaps) < _MANY:
            found: AnyReplacements = tuple(sorted([*inner, *outer], key=_span))
        else:
            found = collected(heapq.merge(inner, outer, key=_span))
        return piece._replace(start=start, end=end, swaps=found)

    def _around(self, piece: Piece, low: int, high: int) -> Iterator[Replacement]:
        """Yield our own swaps from `low` to `high`, as far as the piece does not replace what they show."""
        theirs = itertools.chain(piece.swaps, [(len(self.text) + 1, 0, "")])
        hidden = next(theirs)
        for number in range(low, high):
            swap = self._swaps[number]
            while hidden[1] <= swap.start and hidden[0] < swap.start:
                hidden = next(theirs)
            if hidden[0] <= swap.start < hidden[1]:
                continue  # the inner document has said what stands there
            first, last = max(swap.start, piece.start), min(swap.end, piece.end)
            whole = swap.start == first
            yield (swap.from_start if whole else swap.from_end, swap.from_end, self.text[first:last])

    def _between(self, start: int, end: int) -> tuple[int, int]:
        """Return the numbers of the swaps that show something of text[start:end]."""
        starts = self._swaps.starts
        first = bisect.bisect_left(starts, start)
        if first and self._swaps.end(first - 1) > start:
            first -= 1
        return first, len(starts) if end == len(self.text) else bisect.bisect_left(starts, end)

    def _place(self, offset: int) -> int:
        if offset == len(self.text):
            return self._piece.end
        number = bisect.bisect_left(self._swaps.starts, offset) - 1
        if number < 0:
            return self._piece.start + offset
        return self._swaps.from_end(number) + max(offset - self._swaps.end(number), 0)


def _span(swap: Replacement) -> tuple[int, int]:
    return swap[:2]


def view_of(
    decoded: Decoded,
    kind: str,
    pieces: Iterator[Piece],
    writing: Callable[[], Writing] | None = None,
    contexts: Callable[[], Contexts] | None = None,
) -> Segment:
    """Return the segment that shows the document as its pieces say.

    Args:
        decoded: the document.
        kind: its kind.
        pieces: what it is cut into.
        writing: returns how it writes what it shows.
        contexts: returns the contexts of its places.
    """
    document = decoded.text
    shown, prose = io.StringIO(), io.StringIO()  # the text as far as the last swap; the prose
    links, regions, swaps = Spans(len(document)), Regions(len(document)), ReplacedSpans(len(document))
    base = ""
    size = copied = 0  # how long the text is by now; how far the document has been copied to it
    begun, is_blank = -1, False  # where something begins that goes into the prose as it is, or blanked
    for piece in pieces:
        role, start, end, swapped, _, _, inside = piece
        blanked = role in _BLANKED
        if begun >= 0 and (swapped or blanked != is_blank):
            prose.write(_blank(document[begun:start]) if is_blank else document[begun:start])
            begun = -1
        first = size
        if swapped:
            shown.write(document[copied:start])
            text, size = _swapped(document, piece, size, swaps)
            shown.write(text)
            prose.write(_blank(text) if blanked else text)
            copied = end
        else:
            size += end - start
            if begun < 0:
                begun, is_blank = start, blanked
        if role in _LINKS:
            links.append(first, size)
            if role == "base" and not base:  # HTML standard, "the base element": the first counts
                base = text if swapped else document[start:end]
        elif inside:
            by = first - start
            links.starts.extend([start + by for start, _ in inside])
            links.ends.extend([end + by for _, end in inside])
        elif role not in _RUNNING and size > first:
            regions.append(first, size, role)
    if begun >= 0:
        prose.write(_blank(document[begun:]) if is_blank else document[begun:])
    shown.write(document[copied:])
    return Segment(
        shown.getvalue() if len(swaps) else document,
        decoded.map,
        kind=kind,
        document=document,
        replacements=swaps,
        links=links,
        regions=regions,
        prose=prose.getvalue(),
        base=base,
        encoding=decoded.encoding,
        whole=decoded.whole,
        writing=writing,
        contexts=contexts,
    )


def _blank(text: str) -> str:
    """Return MARKUP for everything but line ends."""
    if "\n" in text or "\r" in text:
        return text.encode("latin-1", "replace").translate(_BLANKS).decode("ascii")
    return MARKUP * len(text)


def _swapped(document: str, piece: Piece, size: int, swaps: ReplacedSpans) -> tuple[str, int]:
    """Return the piece as it is shown and where it ends, and add its swaps."""
    shown = io.StringIO()
    done = piece.start
    for start, end, text in piece.swaps:
        shown.write(document[done:start])
        shown.write(text)
        size += start - done
        swaps.append(size, size + len(text), start, end)
        size += len(text)
        done = end
    shown.write(document[done : piece.end])
    return shown.getvalue(), size + piece.end - done
