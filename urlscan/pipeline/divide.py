"""Divide a text into chunks that several processes share, and yield their results in order."""

import bisect
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from urlscan.core.errors import SourceError
from urlscan.core.segment import Segment
from urlscan.files.walk import ElsewhereError
from urlscan.finder import Evidence, FindOptions, UrlMatch, find_in_segment, split_points
from urlscan.pipeline.processes import in_order
from urlscan.pipeline.read import Large, ReadOptions, set_member

if TYPE_CHECKING:
    from urlscan.files.chunks import FileChunk


# The size in characters from which a text is worth a second process, and the approximate size of a chunk.
LARGE = 1 << 22
CHUNK_SIZE = 1 << 22

T = TypeVar("T")


class Chunk(NamedTuple):
    """A chunk of a text.

    Attributes:
        segment: the text, with the context of the chunk.
        start, stop: the chunk, in characters of segment.prose.
        evidence: the evidence for hyphens in the text.
    """

    segment: Segment
    start: int
    stop: int
    evidence: Evidence


def chunks_of(segment: Segment, jobs: int) -> Callable[[], list[Callable[[], Chunk]]]:
    """Return a function that returns the chunks of a segment: one, or as many as are worth a process."""
    text = segment.prose
    many = jobs * -(-len(text) // (jobs * CHUNK_SIZE)) if len(text) >= LARGE else 1
    evidence = Evidence(text)
    places = pairwise([0, *split_points(text, many), len(text)])
    chunks: list[Callable[[], Chunk]] = [partial(Chunk, segment, start, stop, evidence) for start, stop in places]
    return lambda: chunks


def map_chunks(
    chunks: Callable[[], Iterable[Callable[[], Chunk]]],
    wanted: FindOptions,
    jobs: int,
    work: Callable[[Iterator[UrlMatch], Segment], T],
) -> Iterator[T]:
    """Yield the result of `work` for the URLs of each chunk, in order.

    Args:
        chunks: returns functions that make the chunks of one source, in order; each runs in the process that needs it.
        wanted: what to find.
        jobs: how many processes share the chunks; with more than one, results must be picklable.
        work: called with the URLs of a chunk and their segment.
    """
    floor = 0  # the end of the last URL, in units of the source

    if jobs == 1:
        for make in chunks():
            _, end, result = _worked(make, wanted, work, floor)
            floor = max(floor, end)
            yield result
        return

    def tasks() -> Iterator[Callable[[], tuple[int, int, T]]]:
        return (partial(_worked, make, wanted, work, 0) for make in chunks())

    for make, (begin, end, made) in zip(chunks(), in_order(tasks, jobs), strict=True):
        result = made
        if floor > begin:  # a URL of the previous chunk continues in this one
            _, end, result = _worked(make, wanted, work, floor)
        floor = max(floor, end)
        yield result


def _worked(
    make: Callable[[], Chunk], wanted: FindOptions, work: Callable[[Iterator[UrlMatch], Segment], T], floor: int
) -> tuple[int, int, T]:
    """Return the start of the chunk and the end of its last URL, in units of the source, and the result of `work`."""
    chunk = make()
    segment = chunk.segment
    begin, _ = segment.to_source(chunk.start, chunk.start)
    low = 0
    if floor > begin:
        low = bisect.bisect_left(
            range(len(segment.text)), floor, key=lambda offset: segment.to_source(offset, offset)[0]
        )
    ends: list[int] = []
    found = find_in_segment(segment, wanted, chunk.start, chunk.stop, floor=low, evidence=chunk.evidence, ends=ends)
    result = work(found, segment)
    last = max(ends, default=0)
    return begin, segment.to_source(last, last)[0] if last else 0, result


def to_the_end(source: Large, results: Iterator[T]) -> Iterator[T | SourceError]:
    """Yield the results of a large source, and the error if it cannot be read to its end."""
    with source.file:
        try:
            yield from results
        except SourceError as error:
            yield error.as_result()


def file_chunks(source: Large, read_options: ReadOptions) -> Iterator[Callable[[], Chunk]]:
    """Yield a callable for each chunk of a file that is read chunk by chunk."""
    from urlscan.files.chunks import source_chunks

    return (
        partial(_chunk_of, make, source) for make in source_chunks(source.file, read_options.of(source.path).encoding)
    )


def _chunk_of(make: "Callable[[], FileChunk]", source: Large) -> Chunk:
    chunk = make()
    return Chunk(set_member(chunk.segment, source), chunk.start, chunk.stop, Evidence(chunk.segment.text, chunk.around))


def bounded_list(results: Iterator[T]) -> list[T] | None:
    """Return the results of a small file; None if it unpacks to more than a worker may return."""
    try:
        return list(results)
    except ElsewhereError:
        return None
