"""Read sources batch by batch, for programs that store or distribute what is found: databases, Spark, Ray, Dask.

A *batch* is as small as the division of its source allows: about a megabyte of a mailbox, two of a large plain text,
any other document as a whole. The content of a batch does not depend on the number of processes, nor on where reading
was interrupted. Secrets are masked in everything that a batch yields.

>>> reader = Reader()
>>> (source,) = reader.sources(Source("a.txt", content=b"See http://jo:secret@h.example/."))
>>> work = lambda batch: [found.url for contents in batch for found in contents.occurrences]
>>> [step.result for step in reader.batches(source, work)]
[['http://jo:***@h.example/']]
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Generic, NamedTuple, TypeVar

from urlscan.api.inputs import Path, load_configuration
from urlscan.api.masked import (
    MaskedFinding,
    MaskedOccurrence,
    masked_findings,
    masked_message,
    masked_occurrences,
    message_of_record,
)
from urlscan.core.document import Document
from urlscan.core.project import install_command as install_command  # for missing packages
from urlscan.core.records import Match
from urlscan.core.settings import FileSettings, FindOptions, Settings
from urlscan.documents import MAIL
from urlscan.documents.mail.envelope import Message
from urlscan.documents.mail.mailbox import MessageBatch
from urlscan.documents.mail.split import BatchSpan
from urlscan.files.random_access import OpenFile
from urlscan.files.walk import Source, SourceResult, read_or_open
from urlscan.finder import find_in_document, is_known_scheme, restored
from urlscan.linter.locate import find_options_for
from urlscan.pipeline.check import lint_document
from urlscan.pipeline.divide import DIVIDED, START, Chunks, Position, chunks_of, map_batches, map_files, map_members
from urlscan.pipeline.ranges import Range, first_chunk, ranges
from urlscan.pipeline.read import (
    LARGE,
    Note,
    Notice,
    ReadOptions,
    SkippedSource,
    documents_of,
    kind_of,
    read_sources,
    walk_sources,
)

__all__ = [
    "LARGE", "START", "Batch", "Contents", "Message", "Note", "Notice", "OpenFile", "Position", "Range", "Reader",
    "SkippedSource", "Source", "Step", "configured_reader", "read_or_open",
]  # fmt: skip

T = TypeVar("T")
# The schemes whose misspellings the finder knows, and the beginning of their URLs that are not misspelled.
_MISSPELLED = ("http", "https", "ftp")
_HOST = re.compile(r"[a-z]+://[^\s/:]", re.IGNORECASE)


class Contents(NamedTuple):
    """The URLs and findings in a document, or in a chunk of one."""

    occurrences: list[MaskedOccurrence]
    findings: list[MaskedFinding]


class Step(NamedTuple, Generic[T]):
    """The result for a batch.

    Attributes:
        result: what `work` returned.
        position: where the next batch begins; None if the source cannot be read further from there.
        start: the start of the batch in bytes, if it is a batch of a mailbox, else 0.
        bytes_read: how many bytes of the source were read up to the end of the batch.
        encoding: the encoding of its first document, or "".
        note: a remark on how it was read, or "".
    """

    result: T
    position: Position | None
    start: int
    bytes_read: int
    encoding: str
    note: str


class Reader(NamedTuple):
    """How sources are read, what is found in them, and how it is judged. It can be sent to another process.

    Attributes:
        find_options: the URLs to find; None to find none.
        settings: the rules and options, unless `read_options` has a provider of settings.
        read_options: how sources are read.
        judges: whether URLs are judged.
        show_secrets: whether secrets are left unmasked.
    """

    find_options: FindOptions | None = FindOptions(continuations=True)
    settings: Settings = Settings()
    read_options: ReadOptions = ReadOptions()
    judges: bool = True
    show_secrets: bool = False

    def files(
        self, paths: Iterable[str | Source], skipped: Callable[[str, str], object] | None = None
    ) -> Iterator[SourceResult]:
        """Yield the files that paths name and those in directories, in order, and an error for each missing one.

        Args:
            skipped: called with the path of each file that is left out, and the reason.
        """
        return walk_sources(paths, self.read_options._replace(skipped=skipped))

    def sources(self, file: SourceResult, max_unpacked: int | None = None) -> Iterator[Source | Notice]:
        """Yield the sources of a file, itself or the members of an archive, and a notice for what is not read.

        Args:
            max_unpacked: as `map_files` passes it.
        """
        return read_sources(file, self.read_options, max_unpacked=max_unpacked)

    def map_files(
        self, files: Iterable[SourceResult], jobs: int, work: Callable[[SourceResult, int, int | None], Iterator[T]]
    ) -> Iterator[T]:
        """Yield what `work` yields for each file, in order.

        Args:
            jobs: how many processes share a large file, or many small ones.
            work: takes a file, the number of processes that may share it, and a limit on the bytes that it may unpack
                to. Its items must be picklable.
        """
        return map_files(files, jobs, work, self.read_options.progress)

    def map_sources(
        self,
        file: SourceResult,
        jobs: int,
        members: Callable[[Iterator[Source | Notice]], Iterable[tuple[Source | Notice, Callable[[int], Iterator[T]]]]],
        max_unpacked: int | None = None,
    ) -> Iterator[T]:
        """Yield what is found in the sources of a file, in order, as `map_files` does for files.

        Args:
            jobs: how many processes share the members of an archive, or a large one of them.
            members: returns what `sources` yields, in order, each with the function that yields its items by the number
                of processes that share it. Called in every process.
            max_unpacked: as for `sources`.
        """
        if jobs > 1:
            yield from map_members(file, self.read_options, jobs, members)
            return
        for _, items_of in members(self.sources(file, max_unpacked)):
            yield from items_of(1)

    def kind_of(self, source: Source) -> str:
        """Return the kind that a source is read as."""
        return kind_of(source, self.read_options)

    def batches(
        self,
        source: Source,
        work: "Callable[[Batch], T]",
        *,
        position: Position = START,
        stop: int | None = None,
        jobs: int = 1,
    ) -> Iterator[Step[T]]:
        """Yield the result of `work` for each batch of a source, in order; close its file.

        Args:
            work: takes a batch, in the process that reads it. Its result must be picklable if there are several.
            position: where to begin in a mailbox or a large text.
            stop: where to end: the offset of a batch of a mailbox, the number of a chunk of a large text.
            jobs: how many processes share a large source.

        Raises:
            SourceError: the source cannot be read to its end.
        """
        kind = self.kind_of(source)
        is_divided = isinstance(source.content, OpenFile) or kind in MAIL
        search = _Search(self, source.path)
        chunks: Chunks = partial(iter, (partial(documents_of, source, self.read_options, search.document_options),))
        if is_divided:
            chunks = chunks_of(source, self.read_options, search.document_options, jobs, position, stop)
        record: Message | None = None
        if source.record is not None and kind not in MAIL:  # messages have headers of their own
            record = message_of_record(source.record, source.size)
        if source.size < DIVIDED:
            jobs = 1
        work_on = partial(_batch_result, work, search, record)
        number = position.batches
        try:
            for worked, floor in map_batches(chunks, jobs, work_on, position.floor):
                number += 1
                if worked is None:
                    continue
                result, span, encoding, note = worked
                bytes_read = source.size
                if kind in MAIL:
                    bytes_read = span.stop
                elif is_divided:
                    bytes_read = floor
                # A single message is read as a whole, and so is a message that is divided because of its size.
                after = None
                if is_divided and kind != "mail" and span.is_whole:
                    after = Position(number, span.stop, floor)
                yield Step(result, after, span.start, bytes_read, encoding, note)
        finally:
            source.close()

    def ranges(self, path: str, file: OpenFile, size: int) -> list[Range]:
        """Return the division of a large file into ranges of about `size` bytes; none if it is read as a whole.

        Machines that know nothing of each other can read a range each: together they find what one would.
        """
        return ranges(path, file, self.read_options, size)

    def range_batches(self, path: str, file: OpenFile, part: Range, work: "Callable[[Batch], T]") -> Iterator[Step[T]]:
        """Yield the result of `work` for each batch of a range of a file; raise as `batches`."""
        file.counted = part.counted
        position, stop = Position(offset=part.start), part.stop
        if part.kind == "plain":
            searches = list[FindOptions]()
            if self.find_options is not None:
                searches.append(self.find_options)
            if self.judges:
                searches.append(find_options_for("plain", self.settings))
            position = Position(first_chunk(file, self.read_options, searches, part.start))
            if stop is not None:
                stop = first_chunk(file, self.read_options, searches, stop)
        return self.batches(Source(path, file, kind=part.kind), work, position=position, stop=stop)


def configured_reader(config: Path | None) -> Reader:
    """Return the reader of files whose settings are configured, in the closest configuration files or in `config`.

    Raises:
        ConfigError: the configuration is invalid.
    """
    return Reader(read_options=ReadOptions(provider=load_configuration(config)))


class Batch:
    """Some documents of a source that are read together. Iterate over it for what each of them contains.

    Attributes:
        encoding: the encoding of the first document, or "".
        note: the first remark on how the documents were read, or ""; complete after the iteration.
        span: its span in the source, if it consists of messages.
    """

    def __init__(self, search: "_Search", record: Message | None, first: Document, others: Iterator[Document]) -> None:
        self._search = search
        self._record = record
        self._first, self._others = first, others
        self.span = BatchSpan(0, 0)
        if isinstance(first.origin, MessageBatch):
            self.span = first.origin.span
        self.encoding, self.note = first.encoding, ""

    def __iter__(self) -> Iterator[Contents]:
        """Yield what each document contains."""
        message_start: int | None = None
        if self._record is not None:
            message_start = 0
        for document in chain([self._first], self._others):
            contents = self._search.contents(document, message_start)
            self.encoding, self.note = self.encoding or document.encoding, self.note or document.note
            yield contents

    def messages(self) -> Iterator[Message]:
        """Yield the header of each message that begins in the batch; a record of a web archive is a message."""
        messages: Iterator[Message] = iter(())
        if isinstance(self._first.origin, MessageBatch):
            messages = self._first.origin.messages()
        elif self._record is not None and self._first.start == 0:
            messages = iter((self._record,))
        if self._search.show_secrets:
            return messages
        return map(masked_message, messages)


def _batch_result(
    work: Callable[[Batch], T], search: "_Search", record: Message | None, documents: Iterator[Document]
) -> tuple[T, BatchSpan, str, str] | None:
    """Return the result for a batch, its span, encoding and note; None for one without documents."""
    first = next(documents, None)
    if first is None:
        return None
    batch = Batch(search, record, first, documents)
    return work(batch), batch.span, batch.encoding, batch.note


class _Search:
    """Finds and judges the URLs in the documents of a source.

    Args:
        reader: what is found, and how it is judged.
        path: the name of the source.
    """

    def __init__(self, reader: Reader, path: str) -> None:
        self.show_secrets = reader.show_secrets
        self._read_options = reader.read_options
        self._file_settings: FileSettings = reader.read_options.file_settings(path, reader.settings)
        self._judges = reader.judges
        options = reader.find_options
        if options is not None and reader.read_options.provider is not None:
            options = options.for_settings(self._file_settings.settings)
        self._options = options
        self._by_kind: dict[str, tuple[FindOptions | None, FindOptions | None]] = {}

    @property
    def document_options(self) -> FindOptions | None:
        """The URLs that documents show for both searches; None for everything, also the beginnings of defanged ones."""
        options = self._options or FindOptions()
        if options.defanged or self._file_settings.settings.rejoin == "guess":
            return None
        return options._replace(relative=True, look_alikes=True)

    def contents(self, document: Document, message_start: int | None) -> Contents:
        """Return what a document contains; set its note."""
        document_searched, matches, judged = self._find(document)
        if judged is not None:
            lint_document(document, self._file_settings, self._read_options, judged, merges=False)
        occurrences = masked_occurrences(document_searched, matches, message_start, show_secrets=self.show_secrets)
        findings = masked_findings(document, message_start, show_secrets=self.show_secrets)
        return Contents(list(occurrences), list(findings))

    def _options_for(self, kind: str) -> tuple[FindOptions | None, FindOptions | None]:
        """Return what the linter needs in documents of a kind, and, if it includes the request, one search for both."""
        if kind not in self._by_kind:
            options, for_both = self._options, None
            for_linter = find_options_for(kind, self._file_settings.settings) if self._judges else None
            if options is not None and for_linter is not None and options.continuations >= for_linter.continuations:
                for_both = for_linter._replace(continuations=options.continuations)
                if options != for_both._replace(relative=options.relative, look_alikes=False):
                    for_both = None
            self._by_kind[kind] = for_linter, for_both
        return self._by_kind[kind]

    def _find(self, document: Document) -> tuple[Document, list[Match], list[Match] | None]:
        """Return the document that was searched, the requested matches, and those for the linter; set `document.end`.

        One search is enough for both if no URL is misspelled.
        """
        options = self._options
        for_linter, for_both = self._options_for(document.kind)
        if options is not None and for_linter is not None and for_both is not None:
            matches = list(find_in_document(document, for_both))
            if all(match.style == "markup" or _is_plain(match, options.schemes) for match in matches):
                judged = matches
                if not for_linter.continuations:
                    judged = [_without_continuation(match) for match in matches]
                return document, [match for match in matches if match.scheme or options.relative], judged
        judged_matches = None if for_linter is None else list(find_in_document(document, for_linter))
        if options is None:
            return document, [], judged_matches
        end = document.end
        searched = restored(document, options)
        matches = list(find_in_document(searched, options))
        document.end = max(end, searched.to_decoded(searched.end, searched.end)[0])
        return searched, matches, judged_matches


def _is_plain(match: Match, schemes: frozenset[str]) -> bool:
    """Return whether a match in prose would be found without a search for look-alikes, too."""
    if match.joined == "guess":
        return False
    if match.scheme in _MISSPELLED:
        return match.url.count("://") == 1 and _HOST.match(match.url) is not None
    return is_known_scheme(match.scheme, schemes)


def _without_continuation(match: Match) -> Match:
    """Return a match without the remark that it may continue on the next line, which matters in prose only."""
    if not match.faults:
        return match
    faults = tuple(fault for fault in match.faults if fault.name != "goes-on")
    alternatives = tuple(other for other in match.alternatives if other.why != "joined")
    return match._replace(faults=faults, alternatives=alternatives)
