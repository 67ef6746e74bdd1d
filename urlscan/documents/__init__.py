"""Documents to segments: one file a kind, or a table for several kinds that differ little.

The reader of a kind is a function `pieces(document: str, kind: str) -> Iterator[Piece]` that cuts a document into
pieces (`segments.py`); plain text is one piece.
"""

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from urlscan.documents.readers import READERS, reader_of

__all__ = ["READERS", "contexts_of", "pieces_of", "reader_of", "writing_maker"]

# Commands that read no text ask for KINDS, too.
if TYPE_CHECKING:
    from urlscan.core.maps import Writing
    from urlscan.core.segment import Contexts
    from urlscan.documents.segments import Piece, Reader


def pieces_of(document: str, kind: str, *, schemes_only: bool) -> "Iterator[Piece]":
    """Return the pieces of a document, and of those in it; `schemes_only` as of `segments`."""
    from urlscan.documents.segments import expanded

    reader = reader_of(kind, "pieces_with_schemes" if schemes_only else "")
    return expanded(document, reader(document, kind), reader_of)


@functools.lru_cache(maxsize=1)
def _writing(document: str, kind: str) -> "Writing":
    """Return how the document writes what it shows, found when a fix asks for it."""
    from urlscan.documents.edits import writing_of

    return writing_of(_every_piece(document, kind))


def writing_maker(document: str, kind: str) -> "Callable[[], Writing]":
    """Return what makes the writing of a document when a fix asks for it."""
    return functools.partial(_writing, document, kind)


def contexts_of(document: str, kind: str) -> "Callable[[], Contexts]":
    """Return what makes the contexts of a document's places when the first question comes."""
    return functools.partial(_contexts, document, kind)


@functools.lru_cache(maxsize=2)
def _contexts(document: str, kind: str) -> "Contexts":
    from urlscan.documents.contexts import ContextMap

    return ContextMap(document, _every_piece(document, kind))


def _every_piece(document: str, kind: str) -> "Iterator[Piece]":
    """Yield the exact pieces of a document and of those in it."""
    from urlscan.documents.segments import expanded

    def reader(kind: str) -> "Reader":
        return reader_of(kind, "every_piece")

    return expanded(document, reader(kind)(document, kind), reader)
