"""Many small sources shared by several processes; what they make of them comes in order."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeVar

from urlscan.errors import SourceError
from urlscan.processes import in_order
from urlscan.run.reading import LARGE, Named
from urlscan.sources.walk import STDIN, size_of

# A batch is so many bytes, or files; a process that reads less is not worth its start.
_BYTES = 1 << 21
_FILES = 512

T = TypeVar("T")


def in_batches(
    items: Iterable[Named], jobs: int, work: Callable[[list[Named]], list[T]], alone: Callable[[Named], Iterator[T]]
) -> Iterator[T]:
    """Yield what is made of each item, in order.

    Args:
        items: names of sources, or why there is none.
        jobs: how many processes share them.
        work: makes a list of many small sources, in a process of its own, perhaps; what it returns must be
            picklable.
        alone: makes it of one that is large, or of standard input.
    """
    if jobs == 1:
        for item in items:
            yield from alone(item)
        return
    batches: list[list[Named]] = [[]]
    size = 0
    for item in items:
        one = 0 if isinstance(item, SourceError) else size_of(item[0])
        if not isinstance(item, SourceError) and (item[0] == STDIN or one > LARGE):
            yield from _done(batches, work, alone)
            batches, size = [[]], 0
            yield from alone(item)
            continue
        batches[-1].append(item)
        size += one
        if size >= _BYTES or len(batches[-1]) == _FILES:
            if len(batches) == jobs:
                yield from _done(batches, work, alone)
                batches = []
            batches.append([])
            size = 0
    yield from _done(batches, work, alone)


def _done(
    batches: list[list[Named]], work: Callable[[list[Named]], list[T]], alone: Callable[[Named], Iterator[T]]
) -> Iterator[T]:
    full = [batch for batch in batches if batch]
    if len(full) < 2:
        for batch in full:
            for item in batch:
                yield from alone(item)
        return
    for results in in_order([partial(work, batch) for batch in full]):
        yield from results
