"""Read one source and return the rows of its messages, URLs and findings, batch by batch.

A batch is as small as the division of the source allows: about a megabyte of a mailbox, two of a large text, and any
other source as a whole. The rows do not depend on how many processes share the source, nor on where reading it was
interrupted.
"""

from collections.abc import Iterator
from typing import NamedTuple

from urlscan.archive.rows import Rows, source_id
from urlscan.archive.schema import FINDING, MESSAGE, OCCURRENCE, OF_SCAN, URL
from urlscan.core.chunk import Chunk
from urlscan.core.find_options import FindOptions
from urlscan.core.segment import Origin, Segment
from urlscan.core.settings import FileSettings, Settings
from urlscan.finder import find_in_chunk
from urlscan.finder.refang import refanged_chunk
from urlscan.mail.mailbox import MessageBatch
from urlscan.pipeline.check_source import check_chunk, check_segment
from urlscan.pipeline.divide import DIVIDED, START, Position, chunks_of, mail_kind, map_batches
from urlscan.pipeline.read import Large, ReadOptions, Source, segments_of

# As for `extract` with records.
_FIND = FindOptions(continuations=True)


class ScanOptions(NamedTuple):
    """The URLs to find in a source, and how they are judged.

    Attributes:
        read_options: how sources are read; its provider determines the settings of each.
        settings: the settings without a provider.
        find_options: the URLs to find.
        show_secrets: whether to leave secrets unmasked.
        tables: the names of the tables whose rows are wanted; the other tables remain empty.
    """

    read_options: ReadOptions = ReadOptions()
    settings: Settings = Settings()
    find_options: FindOptions = _FIND
    show_secrets: bool = False
    tables: frozenset[str] = OF_SCAN

    @property
    def finds(self) -> bool:
        """Whether a table needs the occurrences."""
        return not self.tables.isdisjoint((OCCURRENCE.name, URL.name))

    @property
    def judges(self) -> bool:
        """Whether a table needs the findings."""
        return not self.tables.isdisjoint((FINDING.name, URL.name))


class Batch(NamedTuple):
    """The rows of a batch of a source.

    Attributes:
        rows: the rows of all tables but `source`.
        position: where the next batch begins; None if the source cannot be read further from there.
        start: the start of the batch in bytes, if it is a batch of a mailbox, else 0.
        bytes_read: how many bytes of the source were read up to the end of the batch.
        encoding: the encoding of its first text, or "".
        note: a remark on how it was read, or "".
    """

    rows: Rows
    position: Position | None
    start: int
    bytes_read: int
    encoding: str
    note: str


def scan(
    source: Source | Large, options: ScanOptions, name: str, position: Position = START, jobs: int = 1
) -> Iterator[Batch]:
    """Yield the rows of a source, batch by batch; close its file.

    Args:
        source: the source, as `pipeline.read.sources` yields it.
        options: what is found and how it is judged.
        name: the path of the source in the tables.
        position: the position of a batch, to continue a mailbox or a large text.
        jobs: how many processes share the source.

    Raises:
        SourceError: the source cannot be read to its end.
    """
    identity = source_id(name, source.member)
    file_settings = options.read_options.file_settings(source.path, options.settings)
    try:
        if isinstance(source, Large) or mail_kind(source, options.read_options):
            yield from _divided(source, options, identity, file_settings, position, jobs)
        else:
            yield _whole(source, options, identity, file_settings, jobs)
    finally:
        if isinstance(source, Large):
            source.file.__exit__()


def _wanted(options: ScanOptions, file_settings: FileSettings) -> FindOptions:
    """Return what to find in a source, as `extract` does: the configuration determines how URLs are joined."""
    if options.read_options.provider is None:
        return options.find_options
    return options.find_options.for_settings(file_settings.settings)


def _whole(source: Source, options: ScanOptions, identity: str, file_settings: FileSettings, jobs: int) -> Batch:
    """Return the rows of a document that is read as a whole."""
    rows = Rows(options.tables, show_secrets=options.show_secrets)
    find_options = _wanted(options, file_settings)
    encoding = note = ""
    for segment in segments_of(source, options.read_options):
        if options.finds:
            chunk = _searched(Chunk(segment), find_options)
            rows.add_occurrences(identity, list(find_in_chunk(chunk, find_options)), chunk.segment)
        if options.judges:
            checked = check_segment(segment, source.path, file_settings, options.read_options, jobs)
            rows.add_findings(identity, checked.findings, checked.secrets, segment)
        encoding, note = encoding or segment.encoding, note or segment.note
    return Batch(rows, None, 0, len(source.data), encoding, note)


def _searched(chunk: Chunk, find_options: FindOptions) -> Chunk:
    """Return the chunk to search, with its defanged URLs restored on request."""
    return refanged_chunk(chunk) if find_options.defanged else chunk


class _BatchRows:
    """The rows of a batch, returned to the parent process when they are complete.

    Attributes:
        rows: its rows.
        start, stop: its span in bytes, if it consists of messages, else 0.
        is_whole: whether it consists of whole messages.
        encoding: the encoding of its first text.
        note: the first remark on how it was read.
    """

    def __init__(self, options: ScanOptions) -> None:
        self.rows = Rows(options.tables, show_secrets=options.show_secrets)
        self.start = self.stop = 0
        self.is_whole = True
        self.encoding = self.note = ""


class _Work(NamedTuple):
    """The arguments for finding the rows of a chunk."""

    path: str
    identity: str
    options: ScanOptions
    file_settings: FileSettings
    find_options: FindOptions
    is_mail: bool


class _Worker:
    """Finds the rows of chunks, and collects those of one batch of messages in one object.

    Args:
        work: what to do.
    """

    def __init__(self, work: _Work) -> None:
        self._work = work
        self._origin: Origin | None = None
        self._batch = _BatchRows(work.options)

    def __call__(self, chunk: Chunk) -> _BatchRows | None:
        """Return the rows of a chunk; None if they were added to those of the batch that was returned last."""
        work, segment = self._work, chunk.segment
        is_new = segment.origin is None or segment.origin is not self._origin
        if is_new:
            self._begin(segment)
        batch, end = self._batch, chunk.floor
        if work.options.judges:
            other = Chunk(segment, chunk.start, chunk.stop, chunk.context)
            other.floor = chunk.floor
            checked = check_chunk(other, work.path, work.file_settings, work.options.read_options, is_mail=work.is_mail)
            batch.rows.add_findings(work.identity, checked.findings, checked.secrets, segment)
            end = max(end, other.end)
        if work.options.finds:
            searched = _searched(chunk, work.find_options)
            matches = list(find_in_chunk(searched, work.find_options))
            batch.rows.add_occurrences(work.identity, matches, searched.segment)
            end = max(end, searched.segment.to_document(searched.end, searched.end)[0])
        chunk.end = end
        batch.encoding, batch.note = batch.encoding or segment.encoding, batch.note or segment.note
        return batch if is_new else None

    def _begin(self, segment: Segment) -> None:
        self._batch = _BatchRows(self._work.options)
        self._origin = origin = segment.origin
        if isinstance(origin, MessageBatch):
            self._batch.start, self._batch.stop = origin.span.start, origin.span.stop
            self._batch.is_whole = origin.span.is_whole
            if MESSAGE.name in self._work.options.tables:
                self._batch.rows.add_messages(self._work.identity, origin.headers())


def _divided(
    source: Source | Large,
    options: ScanOptions,
    identity: str,
    file_settings: FileSettings,
    position: Position,
    jobs: int,
) -> Iterator[Batch]:
    """Yield the rows of a mail, a mailbox or a large text."""
    kind = mail_kind(source, options.read_options)
    is_mail = bool(kind)
    find_options = _wanted(options, file_settings)
    worker = _Worker(_Work(source.path, identity, options, file_settings, find_options, is_mail))
    size = source.file.size if isinstance(source, Large) else len(source.data)
    jobs = jobs if size >= DIVIDED else 1
    chunks = chunks_of(source, options.read_options, None, jobs, position)
    number = position.batches
    for worked, floor in map_batches(chunks, jobs, worker, lambda result: result is not None, position.floor):
        number += 1
        batch = next((result for result in worked.results if result is not None), None)
        if batch is None:
            continue
        # A single message is read as a whole, and so is a message that is divided because of its size.
        after = Position(number, batch.stop, floor) if batch.is_whole and kind != "mail" else None
        done = batch.stop if is_mail else floor
        yield Batch(batch.rows, after, batch.start, done, batch.encoding, batch.note)
