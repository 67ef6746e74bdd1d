"""Map spans of a document to their contexts and encodings, reading no more of the document than needed.

Most documents have no findings, and a large one with findings has few. Both maps need the regions of the document
with none of them skipped, which takes longer than finding its URLs.
"""

from collections.abc import Iterator

from urlscan.core.choices import Context
from urlscan.documents.contexts import ContextMap
from urlscan.documents.edits import DocumentWriting
from urlscan.documents.segments import Region, split_links


class LazyDocumentMap:
    """The contexts of a document, and how it writes text (`core.segment.DocumentMap`).

    Args:
        document: the decoded text of the source.
        regions: its regions, none of them skipped, in order.
    """

    def __init__(self, document: str, regions: Iterator[Region]) -> None:
        self._regions = split_links(regions)
        self._end = 0
        self._contexts = ContextMap(document)
        self._writing = DocumentWriting()

    def context(self, start: int, end: int) -> Context:
        """Return the context of document[start:end], in characters."""
        self._read_to(max(start, end - 1))
        return self._contexts.context(start, end)

    def encode(self, start: int, end: int, at: int, text: str) -> str | None:
        """Return what to write in place of document[start:end], as `DocumentWriting.encode`."""
        self._read_to(max(at, end - 1))
        return self._writing.encode(start, end, at, text)

    def _read_to(self, offset: int) -> None:
        """Read the regions up to the one that holds the character at `offset`."""
        while self._end <= offset and (region := next(self._regions, None)) is not None:
            self._contexts.add(region)
            self._writing.add(region)
            self._end = region.end
