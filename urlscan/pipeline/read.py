"""Read the sources that paths name, one after the other."""

import os
from collections.abc import Callable, Iterable, Iterator

from urlscan.core.document import Document
from urlscan.core.errors import SourceError
from urlscan.core.record import NamedTuple
from urlscan.core.records import place_name
from urlscan.core.settings import FileSettings, FindOptions, Settings, SettingsProvider
from urlscan.core.typing import TYPE_CHECKING
from urlscan.documents import KINDS, MAIL, read_documents, unknown_kind
from urlscan.documents.identify import identify
from urlscan.files.decode import codec_name, container_of, head_of, is_binary
from urlscan.files.random_access import Absent, OpenFile, as_reader
from urlscan.files.safe_open import state_of
from urlscan.files.walk import STDIN, Source, SourceResult, read_or_open, walk

if TYPE_CHECKING:
    from urlscan.files.archives.unpack import Limits
    from urlscan.files.patterns import Excluder
    from urlscan.pipeline.progress import Progress
    from urlscan.pipeline.targets import Targets
else:  # the first quoted annotation of a NamedTuple takes 1 ms, because it initializes the compiler of Python
    Excluder = Limits = Progress = Targets = object

# Larger plain texts are read in chunks. Documents of other kinds must be in memory as a whole; above the second limit
# they are read as plain text.
LARGE = 1 << 24
LARGEST_DOCUMENT = 1 << 26
_MAILBOXES = tuple(kind for kind in MAIL if kind != "mail")  # of any size: read by message


class ReadOptions(NamedTuple):
    """How sources are read.

    Attributes:
        kind: one of `documents.KINDS`, for every source; None to detect it.
        encoding: the declared encoding of every source, or None.
        exclude: patterns of excluded paths; None for none.
        stdin_name: the name of standard input.
        provider: provides the settings of each source; `kind` and `encoding` take precedence.
        unpack: which compressed files and archives are opened: always, named or never; others are binary files.
        limits: limits on unpacking; None for the defaults.
        parts: which alternatives of a multipart/alternative are read: all, plain or html.
        targets: the index of the trees that relative references lead to; None not to check where they lead.
        progress: counts what was read; None not to count.
        skipped: called with the path of each file that is skipped, and the reason; None not to report them.
        max_findings: the limit on the findings of a document that is not large.
        copies_large: whether large members of archives are copied to temporary files; otherwise they are yielded
            without their bytes, for a process that leaves them to another.
    """

    kind: str | None = None
    encoding: str | None = None
    exclude: Excluder | None = None
    stdin_name: str = STDIN
    provider: SettingsProvider | None = None
    unpack: str = "always"
    limits: Limits | None = None
    parts: str = "all"
    targets: Targets | None = None
    progress: Progress | None = None
    skipped: Callable[[str, str], object] | None = None
    max_findings: int = 10_000
    copies_large: bool = True

    def of(self, path: str) -> "ReadOptions":
        """Return the options for one source."""
        if self.provider is None:
            return self
        file_settings = self.provider.of(path)
        if file_settings.kind is None and file_settings.encoding is None:  # true for nearly all sources
            return self
        return self._replace(kind=self.kind or file_settings.kind, encoding=self.encoding or file_settings.encoding)

    def file_settings(self, path: str, settings: Settings) -> FileSettings:
        """Return the settings of one source; `settings` without a provider."""
        if self.provider is not None:
            return self.provider.of(path)
        return FileSettings(settings)

    def excludes(self, path: str, root: str | None) -> bool:
        """Return whether a path is excluded; the arguments are those of `SettingsProvider.excludes`."""
        if self.exclude is not None and self.exclude.excludes(path, root):
            return True
        return self.provider is not None and self.provider.excludes(path, root)


class SkippedSource(NamedTuple):
    """A source that was skipped.

    Attributes:
        source: the source; only standard input has its bytes.
        why: the reason to report.
        is_error: whether skipping it is an error.
    """

    source: Source
    why: str
    is_error: bool = False


class Note(NamedTuple):
    """A remark about a source that was read."""

    path: str
    message: str


Notice = SkippedSource | Note | SourceError
ReadResult = Source | Notice


def check_read_options(read_options: ReadOptions) -> None:
    """Raise ConfigError if the kind or the encoding is unknown."""
    if read_options.kind is not None and read_options.kind not in KINDS:
        raise unknown_kind(read_options.kind)
    if read_options.encoding is not None:
        codec_name(read_options.encoding)


def walk_sources(paths: Iterable[str | Source], read_options: ReadOptions) -> Iterator[SourceResult]:
    """Yield the files that the paths name, those in directories, and `-`; each configuration error once.

    Raises:
        ConfigError: as for `check_read_options`.
    """
    if read_options.kind is not None or read_options.encoding is not None:
        check_read_options(read_options)
    items: Iterable[SourceResult] = walk(paths, read_options.excludes, read_options.skipped)
    if read_options.progress is not None:
        items = read_options.progress.expect(items)
    provider, errors = read_options.provider, set[str]()
    for item in items:
        try:
            if provider is not None and not isinstance(item, SourceError):
                provider.of({STDIN: read_options.stdin_name}.get(item.path, item.path))
        except SourceError as error:
            if read_options.progress is not None:
                read_options.progress.finish(item)
            if str(error) not in errors:
                errors.add(str(error))
                yield error.as_result()
        else:
            yield item


def read_sources(
    item: SourceResult, read_options: ReadOptions, *, max_unpacked: int | None = None, editing: bool = False
) -> Iterator[ReadResult]:
    """Read a file, or the members of an archive; raise ElsewhereError if it unpacks to more than `max_unpacked` bytes.

    Sources that will be edited are read as a whole.
    """
    if isinstance(item, SourceError):
        yield item
        return
    source = item
    if source.is_stdin:
        source = source._replace(path=read_options.stdin_name)
    try:
        options = read_options.of(source.path)
        if editing and not source.is_stdin:
            # Taken before reading, so that a later change is not overwritten.
            source = source._replace(state=state_of(source.path, follow=source.was_named))
        if source.content is None:
            source = source._replace(content=read_or_open(source, LARGE))
        if source.is_stdin and source.path != STDIN and read_options.excludes(source.path, None):
            yield _skip(source, "excluded")
        elif container_of(source.head, source.path, source.content or b""):
            yield from _container(source, options, whole=editing, max_unpacked=max_unpacked)
        else:
            if editing and kind_of(source, options) not in _MAILBOXES:
                source = _in_memory(source)
            yield from _of_one(source, options)
    except SourceError as error:
        yield error.as_result()


def _container(
    source: Source, read_options: ReadOptions, *, whole: bool, max_unpacked: int | None
) -> Iterator[ReadResult]:
    """Yield the contents of a compressed file or an archive."""
    if not whole and (read_options.unpack == "always" or (read_options.unpack == "named" and source.was_named)):
        yield from _unpacked(source, read_options, max_unpacked)
    elif read_options.unpack == "never":
        yield _skip(source, "binary file")
    elif whole:
        yield _skip(source, "compressed files cannot be edited", is_error=source.was_named)
    else:
        yield _skip(source, "compressed; --decompress opens it")


def _of_one(source: Source, read_options: ReadOptions) -> Iterator[ReadResult]:
    """Yield a file or a member of an archive as it is read."""
    if isinstance(source.content, OpenFile):
        kind = _kind_if_divisible(source, read_options)
        if kind:
            if kind != "plain" and kind not in _MAILBOXES:
                yield Note(source.where, f"too large to be read as {kind}; read as plain text")
                kind = "plain"
            if read_options.progress is not None and not source.packed_as:
                read_options.progress.follow(source.content)
            yield source._replace(kind=kind)
            return
        source = _in_memory(source)
    kind = kind_of(source, read_options)
    if is_binary(source.data, read_options.encoding) and kind not in MAIL:
        yield _skip(source, "binary file")
    else:
        yield source._replace(kind=kind)


def _in_memory(source: Source) -> Source:
    """Return a source with all its bytes in memory; its file is closed."""
    if not isinstance(source.content, OpenFile):
        return source
    with source.content as file:
        return source._replace(content=file.read(0, file.size))


def _skip(source: Source, why: str, *, is_error: bool = False) -> SkippedSource:
    """Return the notice about a source; only standard input keeps its bytes, because it may be written unchanged."""
    if source.is_stdin and not source.member:
        return SkippedSource(_in_memory(source), why, is_error)
    source.close()
    return SkippedSource(source._replace(content=None), why, is_error)


def pass_through(source: Source, take: Callable[[bytes], object]) -> None:
    """Write standard input unchanged; do nothing for other sources."""
    if source.is_stdin:
        reader = as_reader(source.content or b"")
        for start in range(0, reader.size, LARGE):
            take(reader.read(start, start + LARGE))


def _unpacked(source: Source, read_options: ReadOptions, max_unpacked: int | None) -> Iterator[ReadResult]:
    """Yield the contents of a compressed file or an archive."""
    from urlscan.files.archives.unpack import Limits, Unpacking

    left_out: list[str] = []

    def is_wanted(names: tuple[str, ...]) -> bool:
        # Match members as if the archive were a directory. Names are untrusted: "/etc/a" and "../a" count as below it.
        parts = [part for name in names for part in name.split("/") if part not in ("", os.curdir, os.pardir)]
        is_excluded = read_options.excludes("/".join([source.path, *parts]), source.path)
        if is_excluded and read_options.skipped is not None:
            left_out.append(":".join(names))
        return not is_excluded

    limits = read_options.limits or Limits()
    reader = as_reader(source.content or b"")
    if read_options.progress is not None and isinstance(source.content, OpenFile):
        read_options.progress.follow(reader)
    unpacking = Unpacking(reader, source.path, limits, max_unpacked, is_wanted)
    try:
        for leaf in unpacking.leaves():
            member = source._replace(
                content=leaf.stream.head,
                was_named=source.was_named and not leaf.names,
                member=leaf.member,
                packed_as=leaf.name or source.path,
                record=leaf.record,
            )
            if is_binary(member.data, read_options.encoding) and kind_of(member, read_options) not in MAIL:
                yield _skip(member, "binary file")
                continue
            content = unpacking.take(leaf, LARGE, copies_large=read_options.copies_large)
            member = member._replace(content=content)
            if isinstance(content, Absent):
                yield member
            else:
                yield from _of_one(member, read_options)
    finally:
        source.close()
    for name, message, is_error in unpacking.notes():
        path = place_name(source.path, name)
        yield SourceError(path, message) if is_error else Note(path, message)
    for name in left_out:  # by a result, since a child process cannot report
        yield _skip(source._replace(content=None, member=name, was_named=False), "excluded")


def _kind_if_divisible(source: Source, read_options: ReadOptions) -> str:
    """Return the kind of a source that is read in chunks; "" for one that must be read as a whole."""
    from urlscan.files.chunks import can_be_divided

    kind, file = kind_of(source, read_options), source.content
    if not isinstance(file, OpenFile) or kind in _MAILBOXES:
        return kind
    is_small = kind != "plain" and file.size <= LARGEST_DOCUMENT
    if is_small or is_binary(source.head, read_options.encoding) or not can_be_divided(file, read_options.encoding):
        return ""
    return kind


def divided_kind(path: str, file: OpenFile, read_options: ReadOptions) -> str:
    """Return the kind of a file that is read in chunks or batches: plain, or that of a mailbox; "" for any other."""
    source = Source(path, file)
    if container_of(source.head, path, file):
        return ""
    kind = _kind_if_divisible(source, read_options)
    if kind in ("", *_MAILBOXES):
        return kind
    if file.size > LARGE:
        return "plain"
    return ""


def documents_of(
    source: Source, read_options: ReadOptions, find_options: FindOptions | None = None
) -> Iterator[Document]:
    """Yield the documents of a source; `find_options` as for `documents.read_documents`."""
    read_options = read_options.of(source.path)
    kind, encoding, parts = kind_of(source, read_options), read_options.encoding, read_options.parts
    if encoding is None and source.record is not None and source.record.charset:
        encoding = source.record.charset
    for document in read_documents(source.data, kind=kind, encoding=encoding, parts=parts, find_options=find_options):
        yield set_source(document, source)


def kind_of(source: Source, read_options: ReadOptions) -> str:
    """Return the kind of a source, one of KINDS."""
    if source.kind:
        return source.kind
    if source.record is not None and source.record.kind:
        return source.record.kind
    return read_options.of(source.path).kind or identify(source.packed_as or source.path, head_of(source.head))


def set_source(document: Document, source: Source) -> Document:
    """Record in a document its name, whether it was packed, in which member, and its address, and return it."""
    document.path, document.member, document.packed = source.path, source.member, bool(source.packed_as)
    if source.record is not None:
        document.address = source.record.target_uri
    return document
