"""Share many small sources among processes, and yield their results in order."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeVar

from urlscan.core.errors import SourceError
from urlscan.files.walk import STDIN, size_of
from urlscan.pipeline.processes import in_order
from urlscan.pipeline.read import LARGE, Named

# The size of a batch in bytes and in files; a smaller one is not worth a process.
_BYTES = 1 << 21
_FILES = 512

T = TypeVar("T")


def map_batches(
    items: Iterable[Named],
    jobs: int,
    work: Callable[[Named], list[T] | None],
    alone: Callable[[Named], Iterator[T]],
) -> Iterator[T]:
    """Yield the results of each item, in order.

    Args:
        items: names of sources, or errors.
        jobs: how many processes share them.
        work: returns the results of a small item, possibly in a child process, or None if it is too large after all;
            the results must be picklable.
        alone: yields the results of a large item or of standard input.
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
    """Yield batches up to the first large item or standard input, which is added to `large`."""
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
