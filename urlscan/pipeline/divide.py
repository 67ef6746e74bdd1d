"""Divide the work: a source into chunks, many files into batches; yield the results in order.

A large text is divided at blank lines, a large file of plain text as `files.chunks` reads it, and a mailbox between
messages. Several processes share the chunks of one source, or many small sources.
"""

import bisect
import contextlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import accumulate, pairwise, takewhile

from urlscan.core.document import Document
from urlscan.core.errors import SourceError
from urlscan.core.record import NamedTuple
from urlscan.core.settings import FindOptions
from urlscan.core.typing import TYPE_CHECKING, T
from urlscan.documents import MAIL
from urlscan.files.random_access import Memory, OpenFile, as_reader
from urlscan.files.walk import ElsewhereError, Source, SourceResult, file_size, read_or_open
from urlscan.finder import restored, split_points
from urlscan.pipeline import read
from urlscan.pipeline.processes import in_order, process_id
from urlscan.pipeline.read import LARGE, Note, ReadOptions, ReadResult, SkippedSource, documents_of, kind_of, set_source

if TYPE_CHECKING:
    from urlscan.documents.mail.mailbox import MessageBatch
    from urlscan.pipeline.progress import Progress

# The size from which a source is worth a second process, and the approximate size of a chunk of a text in memory, in
# characters of a text and bytes of a mailbox.
DIVIDED = CHUNK_SIZE = 1 << 22
# The size of a batch of files, in bytes and in files; a smaller one is not worth a process.
_BATCH_BYTES = 1 << 21
_BATCH_FILES = 512
# The size of a batch of the members of an archive, in bytes.
_BATCH_MEMBERS_BYTES = 1 << 20
# How many bytes of files are searched before processes are forked. These share the modules and the patterns that the
# files needed, which each process would load in the time of 100 files.
_FIRST_BYTES = 1 << 17

# Returns functions that read the chunks of one source, in order; each is called in the process that needs its chunks.
# Only chunks of one document are called one by one; a mailbox yields all documents of some messages at once.
Chunks = Callable[[], Iterable[Callable[[], Iterable[Document]]]]


class Position(NamedTuple):
    """A position in a source between two of its batches, from which it can be read further.

    Attributes:
        batches: the number of batches before it.
        offset: its offset in bytes; only in a mailbox.
        floor: the end of the last URL before it, in units of the source; only in plain text.
    """

    batches: int = 0
    offset: int = 0
    floor: int = 0


START = Position()


# --- the chunks of a source


def chunks_of(
    source: Source,
    read_options: ReadOptions,
    find_options: FindOptions | None,
    jobs: int,
    position: Position = START,
    stop: int | None = None,
) -> Chunks:
    """Return the chunks of a source, for `jobs` processes.

    A mailbox or a large file is read from `position` to `stop`: the offset of a batch of a mailbox, the number of a
    chunk of a large text, or None. Other sources are read as a whole.
    """
    kind, encoding = kind_of(source, read_options), read_options.of(source.path).encoding
    if kind in MAIL:
        from urlscan.documents.mail.mailbox import message_batches
        from urlscan.documents.mail.parts import MailOptions

        mail_options = MailOptions(read_options.parts, encoding, find_options)
        reader = as_reader(source.content or b"")
        readers: Callable[[], Iterable[Callable[[], Document | MessageBatch]]]
        readers = partial(message_batches, reader, kind, mail_options, position.offset, stop)
    elif isinstance(source.content, OpenFile):
        from urlscan.files.chunks import file_chunks

        readers = partial(file_chunks, source.content, encoding, first=position.batches, last=stop)
    else:
        (document,) = documents_of(source, read_options, find_options)
        document = restored(document, find_options)
        if len(document.prose) < DIVIDED:
            return lambda: [lambda: (document,)]
        return partial(chunks_in, document, jobs)
    return lambda: (partial(_documents, read_batch, source, find_options) for read_batch in readers())


def _documents(
    read_batch: "Callable[[], Document | MessageBatch]", source: Source, find_options: FindOptions | None
) -> Iterator[Document]:
    """Yield the chunk of a large file, or the documents of some messages."""
    batch = read_batch()
    for document in (batch,) if isinstance(batch, Document) else batch.documents():
        set_source(document, source)
        yield restored(document, find_options)


def chunks_in(document: Document, jobs: int) -> Iterator[Callable[[], Iterable[Document]]]:
    """Yield functions that return the chunks of a large document, as many as are worth a process."""
    text = document.prose
    places = split_points(text, jobs * -(-len(text) // (jobs * CHUNK_SIZE)))
    for start, end in pairwise([0, *places, len(text)]):
        yield partial(iter, (document.chunk(start, end),))


# --- the results of a source


def map_batches(
    chunks: Chunks, jobs: int, work: Callable[[Iterator[Document]], T], floor: int = 0
) -> Iterator[tuple[T, int]]:
    """Yield the result of `work` for the documents of each batch, and the end of the last URL so far.

    `work` searches each document before it takes the next one. If several processes share the batches, its results must
    be picklable. `floor` is the end of the last URL before the first chunk, in units of the source.
    """
    if jobs == 1:
        for make in chunks():
            result, _, end = _work(make, work, floor)
            floor = max(floor, end)
            yield result, floor
        return

    def tasks() -> Iterator[Callable[[], tuple[T, int, int]]]:
        return (partial(_work, make, work, 0) for make in chunks())

    for make, (result, start, end) in zip(chunks(), in_order(tasks, jobs), strict=True):
        if floor > start >= 0:  # a URL of the previous chunk continues in this one
            result, _, end = _work(make, work, floor)
        floor = max(floor, end)
        yield result, floor


def _work(
    make: Callable[[], Iterable[Document]], work: Callable[[Iterator[Document]], T], floor: int
) -> tuple[T, int, int]:
    """Return the result for some chunks, the start of one that continues another, or -1, and the end of its last URL.

    All offsets are in units of the source; `floor` is the end of the last URL before the chunks.
    """
    start, end = -1, 0

    def documents() -> Iterator[Document]:
        nonlocal start, end
        for document in make():
            if document.start:
                start, _ = document.to_source(document.start, document.start)
                if floor > start:
                    offsets = range(len(document.text))
                    document.floor = bisect.bisect_left(offsets, floor, key=lambda at: document.to_source(at, at)[0])
            yield document
            if document.stop < len(document.prose):
                end, _ = document.to_source(document.end, document.end)

    return work(documents()), start, end


# --- the sources of a file


def map_members(
    item: SourceResult,
    read_options: ReadOptions,
    jobs: int,
    members: Callable[[Iterator[ReadResult]], Iterable[tuple[ReadResult, Callable[[int], Iterator[T]]]]],
) -> Iterator[T]:
    """Yield the results of the sources of a file, in order: of the file itself, or of the members of an archive.

    Every process unpacks the whole archive, which takes a small part of the time, reaches the same limits and needs no
    reader for each format; and searches only its share of the members. Large members, which are divided themselves,
    are read by this process only.

    Args:
        members: returns the sources that it is given, in order, each with a function that yields its results by the
            number of processes that share it; called in every process. The results must be picklable.
    """
    parent = process_id()
    shared = item
    if not isinstance(item, SourceError) and item.content is None and not item.is_stdin:
        with contextlib.suppress(SourceError):  # which `read_sources` reports
            shared = item._replace(content=read_or_open(item, LARGE))  # the same file for all processes

    content = None if isinstance(shared, SourceError) else shared.content
    file = content if isinstance(content, OpenFile) else Memory(b"")

    def tasks() -> Iterator[Callable[[], tuple[Iterable[T], int]]]:
        is_parent = process_id() == parent
        sources = read.read_sources(shared, read_options._replace(copies_large=is_parent))
        for batch in _member_batches(members(sources)):
            yield partial(_run_members, batch, jobs if is_parent else 1, file, is_parent)

    for results, position in in_order(tasks, jobs if content is not None else 1):
        file.position = position  # for the progress bar
        yield from results


def _run_members(
    batch: list[tuple[ReadResult, Callable[[int], Iterator[T]]]], jobs: int, file: OpenFile, is_parent: bool
) -> tuple[Iterable[T], int]:
    """Return the results for a batch, and the position in the file.

    Raises:
        ElsewhereError: in a child, for a batch with a large source.
    """
    results = (result for _, results_of in batch for result in results_of(jobs))
    if is_parent:
        return results, file.position
    if _size_of(batch[-1][0]) > LARGE:
        raise ElsewhereError
    return list(results), file.position


def _member_batches(members: Iterable[tuple[ReadResult, T]]) -> Iterator[list[tuple[ReadResult, T]]]:
    """Yield the sources of a file in batches for one process; a large one ends its batch."""
    batch: list[tuple[ReadResult, T]] = []
    size = 0
    for member in members:
        batch.append(member)
        if isinstance(member[0], Note):  # a note on how a large source is read belongs to its batch
            continue
        size += _size_of(member[0])
        if size >= _BATCH_MEMBERS_BYTES or len(batch) >= _BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _size_of(source: ReadResult) -> int:
    if isinstance(source, SkippedSource):
        source = source.source
    if isinstance(source, Source):
        return source.size
    return 0


# --- many files


def map_sources(
    paths: Iterable[str | Source],
    read_options: ReadOptions,
    jobs: int,
    work_for: Callable[[str], tuple[FindOptions, Callable[[Iterator[Document]], list[T]]]],
) -> Iterator[T | read.Notice]:
    """Yield the results for the batches of every source, and the notices about sources, in order.

    Args:
        paths: files, directories, `-`, or sources with content.
        work_for: takes the path of a source, and returns what to find in it, as for `chunks_of`, and `work`, as for
            `map_batches`.
    """

    def results_of_source(source: ReadResult, jobs: int) -> Iterator[T | read.Notice]:
        if not isinstance(source, Source):
            yield source
            return
        try:
            find_options, work = work_for(source.path)
            chunks = chunks_of(source, read_options, find_options, jobs)
            if jobs > 1 and source.size < DIVIDED:
                jobs = 1
            for results, _ in map_batches(chunks, jobs, work):
                yield from results
        except SourceError as error:
            yield error.as_result()
        finally:
            source.close()

    def results_of(item: SourceResult, jobs: int, max_unpacked: int | None) -> Iterator[T | read.Notice]:
        if jobs == 1 or file_size(item) < _BATCH_BYTES:
            for source in read.read_sources(item, read_options, max_unpacked=max_unpacked):
                yield from results_of_source(source, jobs)
        else:
            yield from map_members(
                item, read_options, jobs, lambda sources: ((each, partial(results_of_source, each)) for each in sources)
            )
        if read_options.progress is not None:
            read_options.progress.finish(item)

    return map_files(read.walk_sources(paths, read_options), jobs, results_of, read_options.progress)


def map_files(
    items: Iterable[SourceResult],
    jobs: int,
    results_of: Callable[[SourceResult, int, int | None], Iterator[T]],
    progress: "Progress | None" = None,
) -> Iterator[T]:
    """Yield the results of each item, in order.

    Args:
        items: names of sources, or errors.
        jobs: how many processes share a large source, or many small ones.
        results_of: yields the results of an item and counts it as done, given the number of processes and a limit on
            the bytes that it may unpack to, or None for the usual one. The results must be picklable.
    """
    if jobs == 1:
        for item in items:
            yield from results_of(item, 1, None)
        return
    waiting = iter(items)
    large: list[SourceResult] = []
    while batches := list(_batches(waiting, large)):
        if len(batches) > 1:
            batches = _divided(batches)
        if progress is not None:
            progress.divide(len(batches))
        for item in batches[0]:
            yield from results_of(item, jobs, None)
        tasks = [partial(_batch_results, *numbered, results_of, progress) for numbered in enumerate(batches)][1:]
        for batch, batch_results in zip(batches[1:], in_order(tasks.copy, jobs), strict=True) if tasks else ():
            for item, results in zip(batch, batch_results, strict=True):
                yield from results_of(item, jobs, None) if results is None else results
        if large:
            yield from results_of(large.pop(), jobs, None)


def _batch_results(
    number: int,
    batch: list[SourceResult],
    results_of: Callable[[SourceResult, int, int | None], Iterator[T]],
    progress: "Progress | None",
) -> list[list[T] | None]:
    """Return the results of each item of a batch; None for one that unpacks to more than a worker may return."""
    batch_results: list[list[T] | None] = []
    if progress is not None:
        progress.begin_batch(number)
    for item in batch:
        try:
            batch_results.append(list(results_of(item, 1, LARGE)))
        except ElsewhereError:
            batch_results.append(None)
    if progress is not None:
        progress.begin_batch(-1)
    return batch_results


def _divided(batches: list[list[SourceResult]]) -> list[list[SourceResult]]:
    """Return several batches, of which the first one has at most _FIRST_BYTES."""
    batch = batches[0]
    sizes = accumulate(map(file_size, batch))
    number = sum(1 for _ in takewhile(lambda size: size <= _FIRST_BYTES, sizes))
    if number < len(batch):
        return [batch[:number], batch[number:], *batches[1:]]
    return batches


def _batches(items: Iterator[SourceResult], large: list[SourceResult]) -> Iterator[list[SourceResult]]:
    """Yield batches up to the first large item or standard input, which is added to `large`."""
    batch: list[SourceResult] = []
    size = 0
    for item in items:
        item_size = file_size(item)
        if not isinstance(item, SourceError) and (item.is_stdin or item.content is not None or item_size > LARGE):
            large.append(item)
            break
        batch.append(item)
        size += item_size
        if size >= _BATCH_BYTES or len(batch) == _BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch or large:
        yield batch
