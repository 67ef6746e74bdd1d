"""Find the URLs of every source."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from urlscan.core.document import Document
from urlscan.core.find_options import FindOptions
from urlscan.core.records import Match, place_name
from urlscan.core.settings import Settings
from urlscan.files.walk import Input
from urlscan.finder import find_in_document
from urlscan.pipeline.divide import chunks_of, map_files, map_source
from urlscan.pipeline.read import Named, Notice, ReadOptions, Source, named, sources
from urlscan.pipeline.results import ExtractResult

if TYPE_CHECKING:
    from urlscan.pipeline.progress import Progress

T = TypeVar("T")


def extract(
    paths: Iterable[str | Input],
    read_options: ReadOptions,
    find_options: FindOptions,
    work: Callable[[Iterator[Match], Document, str], T],
    jobs: int = 1,
) -> "Iterator[ExtractResult[T] | Notice]":
    """Find the URLs of every source, and yield the results of `work` for each chunk.

    Args:
        paths: files, directories, `-`, or sources with content.
        read_options: how they are read.
        find_options: what to find, unless the configuration overrides it.
        work: called with the URLs of a document, it, and the name of the source.
        jobs: how many processes share a large source, or many small ones.
    """
    last: tuple[Settings | None, FindOptions] = None, find_options

    def wanted_of(path: str) -> FindOptions:
        nonlocal last
        if read_options.provider is None:
            return find_options
        settings = read_options.provider.of(path).settings
        if settings is not last[0]:  # the files of a tree share theirs
            last = settings, find_options.for_settings(settings)
        return last[1]

    def results_of(item: Named, jobs: int, max_unpacked: int | None) -> "Iterator[ExtractResult[T] | Notice]":
        for source in sources([item], read_options, max_unpacked=max_unpacked):
            if isinstance(source, Source):
                options = wanted_of(source.path)
                chunks = chunks_of(source, read_options, options, jobs)
                extracted = partial(_extracted, source.path, options, work, read_options.progress)
                yield from map_source(source, chunks, jobs, extracted)
            else:
                yield source

    return map_files(named(paths, read_options), jobs, results_of, read_options.progress)


def _extracted(
    path: str,
    find_options: FindOptions,
    work: Callable[[Iterator[Match], Document, str], T],
    progress: "Progress | None",
    document: Document,
) -> "ExtractResult[T]":
    matches = find_in_document(document, find_options)
    result = work(matches if progress is None else progress.track(matches, document), document, path)
    return ExtractResult(place_name(path, document.member), document.encoding, document.whole, result, document.note)
