"""Divide documents into regions: one file per kind, or one table for several similar kinds.

The reader of a kind is a function `regions(document: str, kind: str) -> Iterator[Region]` (`segments.py`); plain text
is one region.
"""

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from urlscan.documents.readers import READERS, reader_of

__all__ = ["READERS", "map_factory", "reader_of", "regions_of"]

# Imported in functions otherwise: commands that read no text use READERS, too.
if TYPE_CHECKING:
    from urlscan.core.find_options import FindOptions
    from urlscan.core.segment import DocumentMap
    from urlscan.documents.segments import Reader, Region


def regions_of(document: str, kind: str, find_options: "FindOptions | None" = None) -> "Iterator[Region]":
    """Return the regions of a document and of its nested documents.

    Args:
        document: the text of the document.
        kind: one of READERS.
        find_options: what will be searched for in the regions, which may omit anything else; None for everything.
    """
    from urlscan.documents.segments import expand_nested

    reader = reader_of(kind, _variant(find_options) if find_options is not None else "")
    return expand_nested(document, reader(document, kind), reader_of)


def _variant(find_options: "FindOptions") -> str:
    """Return the name of the function of a reader that omits what is not searched for; "" if there is none."""
    is_everything = find_options.schemeless or find_options.emails or find_options.defanged
    if is_everything or find_options.continuations or find_options.rejoin == "guess":
        return ""
    return "regions_with_links" if find_options.relative or find_options.look_alikes else "regions_with_schemes"


def map_factory(document: str, kind: str, find_options: "FindOptions | None" = None) -> "Callable[[], DocumentMap]":
    """Return a function that returns the map of a document, for a finding that needs it.

    Args:
        document: the text of the document.
        kind: one of READERS.
        find_options: as for `regions_of`; the map holds for what is found with them.
    """
    return functools.partial(_document_map, document, kind, _variant(find_options) if find_options is not None else "")


def _document_map(document: str, kind: str, variant: str) -> "DocumentMap":
    from urlscan.documents.document_map import LazyDocumentMap
    from urlscan.documents.segments import expand_nested

    def nested_reader(kind: str) -> "Reader":
        return reader_of(kind, "all_regions")

    variants = ("all_regions_with_links", "all_regions") if variant else ("all_regions",)
    found = expand_nested(document, reader_of(kind, *variants)(document, kind), nested_reader)
    return LazyDocumentMap(document, found)
