"""Find the URLs of every source."""

from collections.abc import Callable, Iterable, Iterator

from urlscan.core.document import Document
from urlscan.core.record import NamedTuple
from urlscan.core.records import Match, place_name
from urlscan.core.settings import FindOptions, Settings
from urlscan.core.typing import Generic, T
from urlscan.files.walk import Source
from urlscan.finder import find_in_document
from urlscan.pipeline.divide import map_sources
from urlscan.pipeline.read import Notice, ReadOptions


class ExtractResult(NamedTuple, Generic[T]):
    """The result for the URLs of one chunk of a source.

    Attributes:
        path: the path to show, with the member of an archive.
        encoding: the codec with which the chunk was decoded.
        whole: whether all of its bytes are valid in that encoding.
        result: the value returned by the function that `extract` was given.
        note: a remark for the user about how the chunk was read, or "".
    """

    path: str
    encoding: str
    whole: bool
    result: T
    note: str = ""


def extract(
    paths: Iterable[str | Source],
    read_options: ReadOptions,
    find_options: FindOptions,
    work: Callable[[Iterator[Match], Document, str], T],
    jobs: int = 1,
) -> "Iterator[ExtractResult[T] | Notice]":
    """Find the URLs of every source, and yield the results of `work` for each chunk.

    Args:
        find_options: what to find, unless the configuration overrides it.
        work: called with the URLs of a document, it, and the name of the source.
    """
    last: tuple[Settings | None, FindOptions] = None, find_options

    def work_for(path: str) -> tuple[FindOptions, Callable[[Iterator[Document]], list[ExtractResult[T]]]]:
        nonlocal last
        if read_options.provider is not None:
            settings = read_options.provider.of(path).settings
            if settings is not last[0]:  # the files of a tree share theirs
                last = settings, find_options.for_settings(settings)
        options = last[1]

        def extracted(document: Document) -> ExtractResult[T]:
            matches = find_in_document(document, options)
            if read_options.progress is not None:
                matches = read_options.progress.track(matches, document)
            name = place_name(path, document.member)
            return ExtractResult(name, document.encoding, document.whole, work(matches, document, path), document.note)

        return options, lambda documents: list(map(extracted, documents))

    return map_sources(paths, read_options, jobs, work_for)
