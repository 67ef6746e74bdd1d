"""Write text into a document so that it shows: the inverse of reading.

Each region has its encoding (`Region.encode`): an attribute writes `&amp;`, a string its escapes.
"""

import bisect
from array import array

from urlscan.documents.segments import Encode, Region


class DocumentWriting:
    """How each span of a document writes the text that it shows, up to the last region that was added."""

    def __init__(self) -> None:
        self._starts = array("q")
        self._encoders: list[tuple[Encode, ...]] = []
        self._end = 0

    def add(self, region: Region) -> None:
        """Add the next region; none is skipped."""
        # Markup is never merged with its neighbor: nothing is written into it.
        if not self._encoders or region.encode != self._encoders[-1] or not region.encode:
            self._starts.append(region.start)
            self._encoders.append(region.encode)
        self._end = region.end

    def encode(self, start: int, end: int, at: int, text: str) -> str | None:
        """Return what to write in place of document[start:end] so that it shows `text`; None if that is impossible.

        Only a deletion may extend over several spans.

        Args:
            start: the start of the span.
            end: its end.
            at: a character in the same syntactic context.
            text: the text to show.
        """
        number = max(bisect.bisect_right(self._starts, at) - 1, 0)
        limit = self._starts[number + 1] if number + 1 < len(self._starts) else self._end
        if not text:
            return ""
        if not self._starts or not self._starts[number] <= start <= end <= limit:
            return None
        written: str | None = text
        for encode in self._encoders[number]:
            written = encode(written) if written is not None else None
        return written


def verbatim(text: str, refused: str = "<>\"'\r\n") -> str | None:
    """Return the text unchanged; None if it holds one of the characters `refused`, which cannot be escaped."""
    return text if not any(character in refused for character in text) else None
