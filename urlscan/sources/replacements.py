"""Replacements: the places of a document that are shown otherwise, such as entities and escapes, and what they show.

A replacement is a tuple of start, end and shown text, in characters of the document.  Three objects take about 150
bytes, and an escape can be two bytes long; a document may hold nothing else.  So many of them are stored in arrays.
"""

import heapq
from array import array
from collections.abc import Iterable, Iterator
from itertools import islice

from urlscan.spans import offset_code

Replacement = tuple[int, int, str]

# How many replacements are stored in one block.  Fewer are kept as tuples, which are faster to make.
_BLOCK = 1024


class _Block:
    """Consecutive replacements in 12 bytes each, and their text."""

    __slots__ = ("_ends", "_shown", "_starts", "_stops")

    def __init__(self, found: list[Replacement]) -> None:
        starts, ends, shown = zip(*found, strict=True)
        code = offset_code(max(ends))
        self._starts, self._ends, self._stops = array(code, starts), array(code, ends), array("I")
        stop = 0
        for text in shown:
            stop += len(text)
            self._stops.append(stop)
        self._shown = "".join(shown)

    def __iter__(self) -> Iterator[Replacement]:
        begin, shown = 0, self._shown
        for start, end, stop in zip(self._starts, self._ends, self._stops, strict=True):
            yield start, end, shown[begin:stop]
            begin = stop

    def __getitem__(self, number: int) -> Replacement:
        begin = self._stops[number - 1] if number else 0
        return self._starts[number], self._ends[number], self._shown[begin : self._stops[number]]


class Replacements:
    """A sequence of any number of replacements, in order."""

    __slots__ = ("_blocks", "_last")

    def __init__(self, found: Iterable[Replacement] = ()) -> None:
        self._blocks: list[_Block] = []
        self._last: list[Replacement] = []
        self.extend(found)

    def extend(self, found: Iterable[Replacement]) -> None:
        """Add replacements that follow those that are there."""
        iterator = iter(found)
        while some := list(islice(iterator, _BLOCK - len(self._last))):
            self._last += some
            if len(self._last) == _BLOCK:
                self._blocks.append(_Block(self._last))
                self._last = []

    def compact(self) -> "tuple[Replacement, ...] | Replacements":
        """Return the same sequence, as a tuple if it is short."""
        return self if self._blocks else tuple(self._last)

    def __len__(self) -> int:
        return len(self._blocks) * _BLOCK + len(self._last)

    def __iter__(self) -> Iterator[Replacement]:
        for block in self._blocks:
            yield from block
        yield from self._last

    def __getitem__(self, number: int) -> Replacement:
        block, at = divmod(number, _BLOCK)
        return self._blocks[block][at] if block < len(self._blocks) else self._last[at]


AnyReplacements = tuple[Replacement, ...] | Replacements


def collected(found: Iterable[Replacement]) -> AnyReplacements:
    """Return the replacements of an iterable, in its order, as a tuple if they are few."""
    iterator = iter(found)
    head = tuple(islice(iterator, _BLOCK))
    if len(head) < _BLOCK:
        return head
    many = Replacements(head)
    many.extend(iterator)
    return many


def merged(*found: Iterable[Replacement]) -> AnyReplacements:
    """Return the replacements of several ordered iterables, in order."""
    return collected(heapq.merge(*found))
