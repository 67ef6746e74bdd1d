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


def map_batches(
    items: Iterable[Named],
    jobs: int,
    work: Callable[[Named], list[T] | None],
    alone: Callable[[Named], Iterator[T]],
) -> Iterator[T]:
    """Yield what is made of each item, in order.

    Args:
        items: names of sources, or why there is none.
        jobs: how many processes share them.
        work: makes a list of one that is small, in a process of its own, perhaps; what it returns must be picklable.
            None: it holds more than was to be seen.
        alone: makes it of one that is large, or of standard input.
    """
    if jobs == 1:
        for item in items:
            yield from alone(item)
        return
    waiting = iter(items)
    large: list[Named] = []
    while True:
        batches = list(_batches(waiting, large))
        tasks = [partial(_made, batch, work) for batch in batches]
        for batch, made in zip(batches, in_order(tasks.copy, jobs), strict=True):
            for item, results in zip(batch, made, strict=True):
                yield from alone(item) if results is None else results
        if not large:
            return
        yield from alone(large.pop())


def _made(batch: list[Named], work: Callable[[Named], list[T] | None]) -> list[list[T] | None]:
    return [work(item) for item in batch]


def _batches(items: Iterator[Named], large: list[Named]) -> Iterator[list[Named]]:
    """Yield batches until one comes that is large, or standard input, and enter that."""
    batch: list[Named] = []
    size = 0
    for item in items:
        one = 0 if isinstance(item, SourceError) else size_of(item.path)
        if not isinstance(item, SourceError) and (item.path == STDIN or one > LARGE):
            large.append(item)
            break
        batch.append(item)
        size += one
        if size >= _BYTES or len(batch) == _FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
