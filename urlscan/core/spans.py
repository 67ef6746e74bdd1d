"""Store spans of a text in arrays.

A document may hold a link, an escape or a comment every few bytes. A tuple of two integers takes about 130 bytes, a
pair in two arrays 8.
"""

import bisect
from array import array
from collections.abc import Iterator

from urlscan.core.named_tuple import NamedTuple

_LARGEST = 0xFFFFFFFF  # the largest value of an array of 4-byte integers


def offset_code(largest: int) -> str:
    """Return the type code of an array for offsets up to `largest`."""
    return "I" if largest <= _LARGEST else "Q"


class Spans:
    """Pairs of start and end, in order.

    Args:
        largest: the largest offset to store.
    """

    __slots__ = ("ends", "starts")

    def __init__(self, largest: int = 0) -> None:
        code = offset_code(largest)
        self.starts, self.ends = array(code), array(code)

    def append(self, start: int, end: int) -> None:
        """Add a pair."""
        self.starts.append(start)
        self.ends.append(end)

    def index(self, offset: int) -> int:
        """Return the index of the span that holds the character at `offset`, or -1."""
        number = bisect.bisect_right(self.starts, offset) - 1
        return number if number >= 0 and self.ends[number] > offset else -1

    def __len__(self) -> int:
        return len(self.starts)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.starts, self.ends, strict=True)

    def __getitem__(self, number: int) -> tuple[int, int]:
        return self.starts[number], self.ends[number]


class Regions:
    """The spans of a text that are not running text, each with the role of its pieces (`segments.py`).

    Args:
        largest: as for Spans.
    """

    __slots__ = ("_names", "_roles", "_spans")

    def __init__(self, largest: int = 0) -> None:
        self._spans = Spans(largest)
        self._roles = bytearray()  # an index into `_names` for each span
        self._names: list[str] = []

    def append(self, start: int, end: int, role: str) -> None:
        """Add a region; merge it with the last one if it continues that."""
        if role not in self._names:
            self._names.append(role)
        number = self._names.index(role)
        if self._roles and self._spans.ends[-1] == start and self._roles[-1] == number:
            self._spans.ends[-1] = end
            return
        self._spans.append(start, end)
        self._roles.append(number)

    def __len__(self) -> int:
        return len(self._roles)

    def __iter__(self) -> Iterator[tuple[int, int, str]]:
        return ((*span, self._names[role]) for span, role in zip(self._spans, self._roles, strict=True))

    def role(self, offset: int) -> str:
        """Return the role of the region that holds the character at `offset`, or ""."""
        number = self._spans.index(offset)
        return self._names[self._roles[number]] if number >= 0 else ""


class ReplacedSpan(NamedTuple):
    """A span that a segment's text shows differently from its document: an entity, an escape in a string.

    Attributes:
        start, end: the shown text, in characters of the segment's text.
        from_start, from_end: the replaced text, in characters of the document.
    """

    start: int
    end: int
    from_start: int
    from_end: int


class ReplacedSpans:
    """The replaced spans of a document, in order; most take 10 bytes each.

    Args:
        largest: as for Spans.

    Attributes:
        starts: where each begins, in characters of the segment's text.
        from_starts: where its original begins, in characters of the document.
    """

    __slots__ = ("_from_sizes", "_sizes", "from_starts", "starts")

    def __init__(self, largest: int = 0) -> None:
        code = offset_code(largest)
        self.starts, self.from_starts = array(code), array(code)
        self._sizes, self._from_sizes = array("B"), array("B")  # widened to 4 bytes when a larger size is added

    def append(self, start: int, end: int, from_start: int, from_end: int) -> None:
        """Add a replaced span."""
        self.starts.append(start)
        self.from_starts.append(from_start)
        try:
            self._sizes.append(end - start)
        except OverflowError:
            self._sizes = array(self.starts.typecode, self._sizes)
            self._sizes.append(end - start)
        try:
            self._from_sizes.append(from_end - from_start)
        except OverflowError:
            self._from_sizes = array(self.from_starts.typecode, self._from_sizes)
            self._from_sizes.append(from_end - from_start)

    def end(self, number: int) -> int:
        """Return where the replaced span ends, in characters of the segment's text."""
        return self.starts[number] + self._sizes[number]

    def from_end(self, number: int) -> int:
        """Return where its original ends, in characters of the document."""
        return self.from_starts[number] + self._from_sizes[number]

    def __len__(self) -> int:
        return len(self.starts)

    def __iter__(self) -> Iterator[ReplacedSpan]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, number: int) -> ReplacedSpan:
        return ReplacedSpan(self.starts[number], self.end(number), self.from_starts[number], self.from_end(number))


# Shared by segments without any; nothing is added to these.
NO_SPANS, NO_REGIONS, NO_REPLACEMENTS = Spans(), Regions(), ReplacedSpans()
