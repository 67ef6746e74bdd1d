"""Find the URLs of every source."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from urlscan.core.records import place_name
from urlscan.core.segment import Segment
from urlscan.finder import FindOptions, UrlMatch, find_in_segment
from urlscan.pipeline.batches import map_batches
from urlscan.pipeline.divide import Chunk, bounded_list, chunks_of, file_chunks, map_chunks, to_the_end
from urlscan.pipeline.mailboxes import mail_kind, map_messages
from urlscan.pipeline.read import LARGE, Large, Named, Notice, ReadOptions, Source, named, segments_of, sources

T = TypeVar("T")


class ExtractResult(NamedTuple, Generic[T]):
    """The result for the URLs of one chunk of a source.

    Attributes:
        path: the path to show, with the member of an archive.
        encoding: the codec with which the chunk was decoded.
        whole: whether all of its bytes are valid in that encoding.
        result: the value returned by `work`.
    """

    path: str
    encoding: str
    whole: bool
    result: T


def extract(
    paths: Iterable[str],
    read_options: ReadOptions,
    wanted: FindOptions,
    work: Callable[[Iterator[UrlMatch], Segment, str], T],
    jobs: int = 1,
) -> "Iterator[ExtractResult[T] | Notice]":
    """Find the URLs of every source, and yield the results of `work` for each chunk.

    Args:
        paths: files, directories, `-`.
        read_options: how they are read.
        wanted: what to find, unless the configuration overrides it.
        work: called with the URLs of a chunk, their segment, and the name of the source.
        jobs: how many processes share a large source, or many small ones.
    """

    def wanted_of(path: str) -> FindOptions:
        return wanted if read_options.provider is None else wanted.for_settings(read_options.provider.of(path).settings)

    def each(item: Named, jobs: int = 1, most: int | None = None) -> "Iterator[ExtractResult[T] | Notice]":
        for source in sources([item], read_options, most=most):
            if isinstance(source, Source | Large) and (kind := mail_kind(source, read_options)):
                own = wanted_of(source.path)
                work_on = partial(_extracted_mail, source.path, own, work)
                yield from map_messages(source, kind, read_options, jobs, work_on, schemes_only=own.schemes_only)
            elif isinstance(source, Source):
                own = wanted_of(source.path)
                for segment in segments_of(source, read_options, schemes_only=own.schemes_only):
                    yield from _extracted(source.path, chunks_of(segment, jobs), own, work, jobs)
            elif isinstance(source, Large):
                chunks = partial(file_chunks, source, read_options)
                yield from to_the_end(source, _extracted(source.path, chunks, wanted_of(source.path), work, jobs))
            else:
                yield source

    items = named(paths, read_options)
    return map_batches(items, jobs, lambda item: bounded_list(each(item, 1, LARGE)), lambda item: each(item, jobs))


def _extracted(
    path: str,
    chunks: Callable[[], Iterable[Callable[[], Chunk]]],
    wanted: FindOptions,
    work: Callable[[Iterator[UrlMatch], Segment, str], T],
    jobs: int,
) -> "Iterator[ExtractResult[T]]":
    def made(matches: Iterator[UrlMatch], segment: Segment) -> "ExtractResult[T]":
        return ExtractResult(
            place_name(path, segment.member), segment.encoding, segment.whole, work(matches, segment, path)
        )

    return map_chunks(chunks, wanted, jobs, made)


def _extracted_mail(
    path: str, wanted: FindOptions, work: Callable[[Iterator[UrlMatch], Segment, str], T], segment: Segment
) -> "ExtractResult[T]":
    shown = place_name(path, segment.member)
    return ExtractResult(shown, segment.encoding, segment.whole, work(find_in_segment(segment, wanted), segment, path))
