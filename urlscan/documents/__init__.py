"""Divide documents into regions: one file per kind, or one table for several similar kinds.

The reader of a kind is a function `regions(document: str, kind: str) -> Iterator[Region]` (`segments.py`); plain text
is one region.
"""

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from urlscan.documents.readers import READERS, scope_of

__all__ = ["READERS", "map_factory", "regions_of"]

# Imported in functions otherwise: commands that read no text use READERS, too.
if TYPE_CHECKING:
    from urlscan.core.find_options import FindOptions
    from urlscan.core.segment import DocumentMap
    from urlscan.documents.segments import Region


def regions_of(document: str, kind: str, find_options: "FindOptions | None" = None) -> "Iterator[Region]":
    """Return the regions of a document and of its nested documents.

    Args:
        document: the text of the document.
        kind: one of READERS.
        find_options: what will be searched for in the regions, which may omit anything else; None for everything.
    """
    from urlscan.documents import segments

    return segments.regions_of(document, kind, scope_of(find_options))


def map_factory(document: str, kind: str) -> "Callable[[], DocumentMap]":
    """Return a function that returns the map of a document, for a finding that needs it.

    Args:
        document: the text of the document.
        kind: one of READERS.
    """
    return functools.partial(_document_map, document, kind)


def _document_map(document: str, kind: str) -> "DocumentMap":
    from urlscan.documents import segments
    from urlscan.documents.document_map import LazyDocumentMap

    return LazyDocumentMap(document, segments.regions_of(document, kind, "exact"))
