"""Store spans of a text in arrays.

A document may hold a link, an escape or a comment every few bytes. A tuple of two integers takes about 130 bytes, a
pair in two arrays 8.
"""

import bisect
from array import array
from collections.abc import Iterator

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
        if number >= 0 and self.ends[number] <= offset:
            return -1
        return number

    def __len__(self) -> int:
        return len(self.starts)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.starts, self.ends, strict=True)

    def __getitem__(self, number: int) -> tuple[int, int]:
        return self.starts[number], self.ends[number]


class Regions(Spans):
    """The spans of a text that are not running text, each with a role.

    Attributes:
        names: the names of the roles.
        roles: an index into the names for each span.
    """

    __slots__ = ("names", "roles")

    def __init__(self, largest: int = 0) -> None:
        super().__init__(largest)
        self.names: list[str] = []
        self.roles = bytearray()

    def add(self, start: int, end: int, role: str) -> None:
        """Add a region; merge it with the last one if it continues that."""
        if role not in self.names:
            self.names.append(role)
        number = self.names.index(role)
        if self.roles and self.ends[-1] == start and self.roles[-1] == number:
            self.ends[-1] = end
            return
        self.append(start, end)
        self.roles.append(number)

    def role(self, offset: int) -> str:
        """Return the role of the region that holds the character at `offset`, or ""."""
        number = self.index(offset)
        if number < 0:
            return ""
        return self.names[self.roles[number]]


class ReplacedSpans(Spans):
    """The spans that a text shows differently from its document: entities, escapes in strings.

    Attributes:
        originals: the spans in the document, in characters of it.
    """

    __slots__ = ("originals",)

    def __init__(self, largest: int = 0) -> None:
        super().__init__(largest)
        self.originals = Spans(largest)

    def add(self, start: int, end: int, original_start: int, original_end: int) -> None:
        """Add the span text[start:end], which shows document[original_start:original_end]."""
        self.append(start, end)
        self.originals.append(original_start, original_end)


# Shared by documents without any; nothing is added to these.
NO_SPANS, NO_REGIONS, NO_REPLACEMENTS = Spans(), Regions(), ReplacedSpans()
