"""A segment out of the pieces of a document: markup, links, prose, and what is written otherwise than it is meant."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from urlscan.sources.decode import Decoded
from urlscan.text import Link, Segment, Swap

# What stays when a piece of markup is blanked: where its lines end.
_NO_LINE_END = re.compile(r"[^\r\n]+")


class Piece(NamedTuple):
    """A piece of a document; the pieces of one follow each other without a gap.

    Attributes:
        role: markup (no URL is looked for), link (it is one), code (of another language), or anything else, in
            which URLs are looked for.
        start, end: in characters of the document.
        swaps: start, end and what is shown instead, in characters of the document, in order.
    """

    role: str
    start: int
    end: int
    swaps: tuple[tuple[int, int, str], ...] = ()


def view_of(decoded: Decoded, kind: str, pieces: Iterable[Piece], *, base: str = "") -> Segment:
    """Return the segment that shows the document as its pieces say."""
    shown: list[str] = []
    prose: list[str] = []
    links: list[Link] = []
    swaps: list[Swap] = []
    codes: list[tuple[int, int]] = []
    size = 0
    for piece in pieces:
        start = size
        text = decoded.text[piece.start : piece.end]
        if piece.swaps:
            text, size = _swapped(decoded.text, piece, size, swaps)
        else:
            size += len(text)
        shown.append(text)
        if piece.role in ("markup", "link"):
            prose.append(_blank(text))
        else:
            prose.append(text)
        if piece.role == "code":
            codes.append((start, size))
        if piece.role == "link":
            links.append(Link(start, size, start, size))
    return Segment(
        "".join(shown),
        decoded.map,
        kind=kind,
        document=decoded.text,
        swaps=tuple(swaps),
        links=tuple(links),
        codes=tuple(codes),
        prose="".join(prose),
        base=base,
    )


def _blank(text: str) -> str:
    """Return blanks for everything but line ends."""
    if "\n" in text or "\r" in text:
        return _NO_LINE_END.sub(lambda match: " " * len(match[0]), text)
    return " " * len(text)


def _swapped(document: str, piece: Piece, size: int, swaps: list[Swap]) -> tuple[str, int]:
    """Return the piece as it is shown and where it ends, and enter its swaps."""
    parts: list[str] = []
    done = piece.start
    for start, end, text in piece.swaps:
        parts += [document[done:start], text]
        size += start - done
        swaps.append(Swap(size, size + len(text), start, end))
        size += len(text)
        done = end
    parts.append(document[done : piece.end])
    return "".join(parts), size + piece.end - done
