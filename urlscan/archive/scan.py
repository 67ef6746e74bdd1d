"""Read one source and return the rows of its messages, URLs and findings, batch by batch.

A batch is as small as the division of the source allows: about a megabyte of a mailbox, two of a large text, and any
other source as a whole. The rows do not depend on how many processes share the source, nor on where reading it was
interrupted.
"""

from collections.abc import Iterator
from typing import NamedTuple

from urlscan import FindOptions, Settings
from urlscan.archive.rows import Rows, source_id
from urlscan.archive.schema import FINDING, MESSAGE, OCCURRENCE, OF_SCAN, URL
from urlscan.core.document import Document, Origin
from urlscan.core.records import Match
from urlscan.core.settings import FileSettings
from urlscan.documents import MAIL
from urlscan.documents.mail.mailbox import MessageBatch
from urlscan.finder import find_in_document
from urlscan.finder.refang import refanged
from urlscan.pipeline.check import lint_document
from urlscan.pipeline.divide import DIVIDED, START, Position, chunks_of, map_batches
from urlscan.pipeline.read import ReadOptions, Source, documents_of, kind_of

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
    source: Source,
    options: ScanOptions,
    name: str,
    position: Position = START,
    jobs: int = 1,
    stop: int | None = None,
) -> Iterator[Batch]:
    """Yield the rows of a source, batch by batch; close its file.

    Args:
        source: the source, as `pipeline.read.read_sources` yields it.
        options: what is found and how it is judged.
        name: the path of the source in the tables.
        position: the position of a batch, to continue a mailbox or a large text.
        jobs: how many processes share the source.
        stop: where to end in a mailbox or a large text, as for `chunks_of`.

    Raises:
        SourceError: the source cannot be read to its end.
    """
    identity = source_id(name, source.member)
    file_settings = options.read_options.file_settings(source.path, options.settings)
    try:
        if source.file is not None or kind_of(source, options.read_options) in MAIL:
            yield from _divided(source, options, identity, file_settings, (position, stop), jobs)
        else:
            yield _whole(source, options, identity, file_settings)
    finally:
        source.close()


def _wanted(options: ScanOptions, file_settings: FileSettings) -> FindOptions:
    """Return what to find in a source, as `extract` does: the configuration determines how URLs are joined."""
    if options.read_options.provider is None:
        return options.find_options
    return options.find_options.for_settings(file_settings.settings)


def _whole(source: Source, options: ScanOptions, identity: str, file_settings: FileSettings) -> Batch:
    """Return the rows of a document that is read as a whole."""
    record = source.record
    rows = Rows(options.tables, show_secrets=options.show_secrets, is_record=record is not None)
    if record is not None and MESSAGE.name in options.tables:
        rows.add_record(identity, record, len(source.data))
    find_options = _wanted(options, file_settings)
    encoding = note = ""
    for document in documents_of(source, options.read_options):
        if options.judges:
            checked = lint_document(document, file_settings, options.read_options)
            rows.add_findings(identity, checked.findings, checked.secrets, document)
            note = note or checked.note
        if options.finds:
            rows.add_occurrences(identity, *_find(document, find_options))
        encoding, note = encoding or document.encoding, note or document.note
    return Batch(rows, None, 0, len(source.data), encoding, note)


def _find(document: Document, find_options: FindOptions) -> tuple[list[Match], Document]:
    """Return the matches, and the document that they refer to, in which defanged URLs are restored on request."""
    end = document.end  # of the last URL that was judged
    searched = refanged(document) if find_options.defanged else document
    matches = list(find_in_document(searched, find_options))
    document.end = max(end, searched.to_decoded(searched.end, searched.end)[0])
    return matches, searched


class _BatchRows:
    """The rows of a batch, returned to the parent process when they are complete.

    Attributes:
        rows: its rows.
        start, stop: its span in bytes, if it consists of messages, else 0.
        is_whole: whether it consists of whole messages.
        encoding: the encoding of its first text.
        note: the first remark on how it was read.
    """

    def __init__(self, options: ScanOptions, *, is_record: bool = False) -> None:
        self.rows = Rows(options.tables, show_secrets=options.show_secrets, is_record=is_record)
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
    is_record: bool


class _Worker:
    """Finds the rows of chunks, and collects those of one batch of messages in one object.

    Args:
        work: what to do.
    """

    def __init__(self, work: _Work) -> None:
        self._work = work
        self._origin: Origin | None = None
        self._batch = _BatchRows(work.options, is_record=work.is_record)

    def __call__(self, document: Document) -> _BatchRows | None:
        """Return the rows of a chunk; None if they were added to those of the batch that was returned last."""
        work = self._work
        is_new = document.origin is None or document.origin is not self._origin
        if is_new:
            self._begin(document)
        batch, options = self._batch, work.options
        if options.judges:
            checked = lint_document(document, work.file_settings, options.read_options)
            batch.note = batch.note or checked.note
            batch.rows.add_findings(work.identity, checked.findings, checked.secrets, document)
        if options.finds:
            batch.rows.add_occurrences(work.identity, *_find(document, work.find_options))
        batch.encoding, batch.note = batch.encoding or document.encoding, batch.note or document.note
        return batch if is_new else None

    def _begin(self, document: Document) -> None:
        self._batch = _BatchRows(self._work.options, is_record=self._work.is_record)
        self._origin = origin = document.origin
        if isinstance(origin, MessageBatch):
            self._batch.start, self._batch.stop = origin.span.start, origin.span.stop
            self._batch.is_whole = origin.span.is_whole
            if MESSAGE.name in self._work.options.tables:
                self._batch.rows.add_messages(self._work.identity, origin.headers())


def _divided(
    source: Source,
    options: ScanOptions,
    identity: str,
    file_settings: FileSettings,
    span: tuple[Position, int | None],
    jobs: int,
) -> Iterator[Batch]:
    """Yield the rows of a mail, a mailbox or a large text."""
    position, stop = span
    kind = kind_of(source, options.read_options)
    is_mail = kind in MAIL
    find_options = _wanted(options, file_settings)
    record = source.record if not is_mail else None  # messages have rows of their own
    worker = _Worker(_Work(source.path, identity, options, file_settings, find_options, is_mail, record is not None))
    jobs = jobs if source.size >= DIVIDED else 1
    chunks = chunks_of(source, options.read_options, None, jobs, position, stop)
    number = position.batches
    for results, floor in map_batches(
        chunks, jobs, worker, lambda first, result: None if result else first, position.floor
    ):
        number += 1
        batch = next((result for result in results if result is not None), None)
        if batch is None:
            continue
        if record is not None and number == 1 and MESSAGE.name in options.tables:
            batch.rows.add_record(identity, record, source.size)
        # A single message is read as a whole, and so is a message that is divided because of its size.
        after = Position(number, batch.stop, floor) if batch.is_whole and kind != "mail" else None
        bytes_read = batch.stop if is_mail else floor
        yield Batch(batch.rows, after, batch.start, bytes_read, batch.encoding, batch.note)
