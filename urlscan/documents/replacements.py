"""Store replacements: the spans of a document that are shown differently, such as entities and escapes.

A replacement is a tuple of start, end and shown text, in characters of the document. Such a tuple takes about 150
bytes, and a document may consist of escapes of two bytes; large numbers of replacements are stored in arrays.
"""

import heapq
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

Replacement = tuple[int, int, str]

# The types of arrays for numbers of so many bits.
_CODES = (("B", 8), ("I", 32), ("Q", 64))
# The number of replacements in one block. Fewer are kept as tuples, which are faster to create.
_BLOCK = 256


class _Block:
    """Consecutive replacements, most of them in 6 bytes each, and their text."""

    __slots__ = ("_lengths", "_shown", "_sizes", "_starts")

    def __init__(self, replacements: list[Replacement]) -> None:
        starts, ends, texts = zip(*replacements, strict=True)
        self._starts = _numbers(starts)
        self._lengths = _numbers([end - start for start, end in zip(starts, ends, strict=True)])
        self._sizes = _numbers([len(text) for text in texts])
        self._shown = "".join(texts)

    def __iter__(self) -> Iterator[Replacement]:
        begin, text = 0, self._shown
        for start, length, size in zip(self._starts, self._lengths, self._sizes, strict=True):
            yield start, start + length, text[begin : begin + size]
            begin += size


def _numbers(values: Sequence[int]) -> "array[int]":
    """Return an array of the numbers, of one, four or eight bytes each."""
    largest = max(values)
    return array(next(code for code, bits in _CODES if largest >> bits == 0), values)


class Replacements:
    """A sequence of any number of replacements, in order."""

    __slots__ = ("_blocks", "_last")

    def __init__(self, replacements: Iterable[Replacement] = ()) -> None:
        self._blocks: list[_Block] = []
        self._last: list[Replacement] = []
        self.extend(replacements)

    def extend(self, replacements: Iterable[Replacement]) -> None:
        """Add replacements that follow the last one."""
        iterator = iter(replacements)
        while batch := list(islice(iterator, _BLOCK - len(self._last))):
            self._last += batch
            if len(self._last) == _BLOCK:
                self._blocks.append(_Block(self._last))
                self._last = []

    def __len__(self) -> int:
        return len(self._blocks) * _BLOCK + len(self._last)

    def __iter__(self) -> Iterator[Replacement]:
        for block in self._blocks:
            yield from block
        yield from self._last


AnyReplacements = tuple[Replacement, ...] | Replacements


def collect(replacements: Iterable[Replacement]) -> AnyReplacements:
    """Return the replacements of an iterable in its order; a tuple if there are few."""
    iterator = iter(replacements)
    head = tuple(islice(iterator, _BLOCK))
    if len(head) < _BLOCK:
        return head
    many = Replacements(head)
    many.extend(iterator)
    return many


def merge(*replacements: Iterable[Replacement]) -> AnyReplacements:
    """Return the replacements of several ordered iterables, in order."""
    return collect(heapq.merge(*replacements))
