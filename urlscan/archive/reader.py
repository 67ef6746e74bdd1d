"""Read files for a database: decide which have changed, and where to continue each.

A file is unchanged if its size and time are those in the database, or if its content is. A mailbox that has grown
continues at the start of its last batch, whose rows are replaced: what is found in a batch depends on where it ends. A
file that was interrupted continues after the last batch that was stored.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import NamedTuple, get_args

from urlscan import MailboxKind, SourceError, readable
from urlscan.api.batches import START, Note, Notice, Position, Reader, SkippedSource, Source
from urlscan.archive.files import FileStat, Shard, absolute, hashes_of, stat_of
from urlscan.archive.rows import Rows, SourceFacts, read_rows, source_id
from urlscan.archive.schema import FINDING, OCCURRENCE, OF_SCAN, URL

# How many files are looked up in the database at a time.
_WINDOW = 2048
_MAILBOXES = frozenset(get_args(MailboxKind))
_ARCHIVE = "archive"  # the kind of a file that consists of members

# --- what the process that reads sends to the one that writes; all of it can be pickled. The events of one file follow
# each other: `Begin`, `RowsEvent` for each batch, `End`.


class KnownFile(NamedTuple):
    """The state of a file in the database.

    Attributes:
        size, mtime, content_hash: when it was read; None if they are unknown.
        status: ok, partial, skipped or error.
        kind: how it was read, or None.
        positions: by member ("" for the file), where reading continues.
        complete: the members that were read completely, if the file is an archive whose status is partial.
    """

    size: int | None
    mtime: int | None
    content_hash: str | None
    status: str
    kind: str | None
    positions: dict[str, Position]
    complete: frozenset[str]


class Lookup(NamedTuple):
    """The question what the database knows about files, by absolute path; answered by a dict of `KnownFile`."""

    names: tuple[str, ...]


class Unchanged(NamedTuple):
    """A file is not read again.

    Attributes:
        name: its absolute path.
        mtime: its new time, if its content is known but its time has changed, else None.
    """

    name: str
    mtime: int | None = None


class Begin(NamedTuple):
    """A file will be read.

    Attributes:
        name: its absolute path.
        mode: new; replace: its rows are deleted first; resume: it is read from where reading ended.
        facts: the state of the file.
    """

    name: str
    mode: str
    facts: SourceFacts


class RowsEvent(NamedTuple):
    """The rows of a batch of a source.

    Attributes:
        member: the member of the file, or "".
        rows: the rows of all tables.
        position: where reading continues after the batch; None if its rows must be stored together with the next ones.
        restart: where reading begins again if the source grows: before the batch.
        facts: the state of the source after the batch.
        deleted_from: the byte from which older rows are deleted first; None to delete none.
    """

    member: str
    rows: Rows
    position: Position | None
    restart: Position | None
    facts: SourceFacts
    deleted_from: int | None = None


class Member(NamedTuple):
    """A member of an archive is complete, or cannot be read."""

    member: str
    facts: SourceFacts


class End(NamedTuple):
    """A file was read."""

    facts: SourceFacts
    member: str = ""


Event = Lookup | Unchanged | Begin | RowsEvent | Member | End
Result = Event | Notice


# --- files


class ArchiveOptions(NamedTuple):
    """How files are read.

    Attributes:
        reader: how sources are read, and what is found in them.
        tables: the names of the tables whose rows are requested.
        jobs: how many processes share a large file, or many small ones.
        verify: whether to compare the content of files whose size and time have not changed.
        shard: the files to read; None for all.
    """

    reader: Reader
    tables: frozenset[str] = OF_SCAN
    jobs: int = 1
    verify: bool = False
    shard: Shard | None = None

    def has(self, name: str) -> bool:
        """Return whether to read a file, given its path in the tables; "" for an error, which every shard reports."""
        return self.shard is None or not name or self.shard.has(name)

    def for_tables(self, tables: frozenset[str]) -> "ArchiveOptions":
        """Return how to read only some tables: what the others need is not searched."""
        finds = not tables.isdisjoint((OCCURRENCE.name, URL.name))
        options = self.reader.find_options if finds else None
        reader = self.reader._replace(find_options=options, judges=not tables.isdisjoint((FINDING.name, URL.name)))
        return self._replace(reader=reader, tables=tables)


def read_paths(
    paths: Iterable[str | Source], options: ArchiveOptions, answer: Callable[[], dict[str, KnownFile]]
) -> Iterator[Result]:
    """Yield the events of all files, and notices for the user.

    Args:
        paths: files, directories, `-`, or sources with content.
        options: how they are read.
        answer: returns the answer to the `Lookup` that was yielded last.
    """
    read_options = options.reader.read_options
    reasons: dict[str, str] = {}

    def skip(path: str, why: str) -> None:
        name = absolute(path)
        if not path.endswith("/") and options.has(name):
            reasons[name] = why
        if read_options.skipped is not None:
            read_options.skipped(path, why)

    named = ((_name_of(item, options), item) for item in options.reader.files(paths, skip))
    items = ((name, item) for name, item in named if options.has(name))
    while window := list(islice(items, _WINDOW)):
        yield Lookup(tuple(sorted({name for name, _ in window if name})))
        stored = answer()
        changed: list[Source | SourceError] = []
        for name, item in window:
            if not isinstance(item, SourceError) and not options.verify and _is_unchanged(item.path, stored.get(name)):
                yield Unchanged(name)
                if read_options.progress is not None:
                    read_options.progress.finish(item)
            else:
                changed.append(item)

        def events_of(
            item: Source | SourceError, jobs: int, max_unpacked: int | None, stored: dict[str, KnownFile] = stored
        ) -> Iterator[Result]:
            name = _name_of(item, options)
            yield from _File(item, name, stored.get(name), options).events(jobs, max_unpacked)
            if read_options.progress is not None:
                read_options.progress.finish(item)

        yield from options.reader.map_files(changed, options.jobs, events_of)
    yield from _skipped_files(reasons, answer)


def _skipped_files(reasons: dict[str, str], answer: Callable[[], dict[str, KnownFile]]) -> Iterator[Result]:
    """Yield the events of excluded files, which have rows without content; `reasons` has the reasons by path."""
    names = iter(sorted(reasons))
    while window := tuple(islice(names, _WINDOW)):
        yield Lookup(window)
        stored = answer()
        for name in window:
            former, status = stored.get(name), stat_of(name)
            facts = SourceFacts("skipped", reasons[name])
            if status is not None:
                facts = facts._replace(size=status.size, mtime=status.mtime)
            if former is None:
                yield from (Begin(name, "new", facts), End(facts))
            elif (former.status, former.size) == ("skipped", facts.size):
                yield Unchanged(name)
            else:
                yield from (Begin(name, "replace", facts), End(facts))


def read_file(item: Source, name: str, facts: SourceFacts, options: ArchiveOptions) -> Iterator[Result]:
    """Yield the events of one file that is in no database, and notices; `name` is its path in the tables."""
    return _File(item, name, None, options).events_by(_Plan("new", facts, {}, frozenset()), options.jobs, None)


def _name_of(item: Source | SourceError, options: ArchiveOptions) -> str:
    """Return the path of a file in the database; "" for an error."""
    if isinstance(item, SourceError):
        return ""
    if item.is_stdin:
        return options.reader.read_options.stdin_name
    if item.content is not None:
        return item.path
    return absolute(item.path)


def _is_unchanged(path: str, stored: KnownFile | None) -> bool:
    if stored is None or stored.status not in ("ok", "skipped") or stored.content_hash is None:
        return False
    return stat_of(path) == (stored.size, stored.mtime)


class _Plan(NamedTuple):
    """How a file is read.

    Attributes:
        mode: new, replace, resume or unchanged.
        facts: the state of the file.
        positions: by member, where to begin.
        complete: the members that are complete.
    """

    mode: str
    facts: SourceFacts
    positions: dict[str, Position]
    complete: frozenset[str]


def _plan(path: str, stored: KnownFile | None) -> _Plan:
    """Return how a file is read, from its content and from what the database knows about it."""
    status, facts = stat_of(path), SourceFacts("partial")
    hashes = None
    if status is not None:
        sizes = [status.size]
        if stored is not None and _may_have_grown(stored, status):
            sizes.insert(0, stored.size or 0)
        hashes = hashes_of(path, sizes)  # None if it cannot be read, which the reader of the source reports
        facts = facts._replace(size=status.size, mtime=status.mtime, content_hash=hashes[-1] if hashes else None)
    if stored is None:
        return _Plan("new", facts, {}, frozenset())
    if hashes is not None and (stored.size, stored.content_hash) == (facts.size, facts.content_hash):
        if stored.status == "partial":
            return _Plan("resume", facts, stored.positions, stored.complete)
        if stored.status != "error":  # then the next attempt may succeed
            return _Plan("unchanged", facts, stored.positions, stored.complete)
    elif hashes is not None and hashes[0] == stored.content_hash:
        return _Plan("resume", facts, stored.positions, frozenset())
    return _Plan("replace", facts, {}, frozenset())


def _may_have_grown(stored: KnownFile, status: FileStat) -> bool:
    """Return whether a mailbox was read whose former content may be the beginning of the present one."""
    was_read = stored.kind in _MAILBOXES and stored.status in ("ok", "partial") and "" in stored.positions
    return was_read and 0 < (stored.size or 0) < status.size


class _File:
    """Reads one file.

    Args:
        name: its path in the database.
        stored: what the database knows about it, or None.
    """

    def __init__(
        self, item: Source | SourceError, name: str, stored: KnownFile | None, options: ArchiveOptions
    ) -> None:
        self._item = item
        self._name = name
        self._stored = stored
        self._options = options

    def events(self, jobs: int, max_unpacked: int | None) -> Iterator[Result]:
        """Yield the events of the file, and notices."""
        if isinstance(self._item, SourceError):
            yield self._item
            return
        path = self._item.path
        plan = _plan("" if self._item.content is not None else path, self._stored)
        if plan.mode == "unchanged":
            yield Unchanged(self._name, plan.facts.mtime)
        else:
            yield from self.events_by(plan, jobs, max_unpacked)

    def events_by(self, plan: _Plan, jobs: int, max_unpacked: int | None) -> Iterator[Result]:
        """Yield the events of the file, read by a plan, and notices."""
        # The state of the file; it changes while it is read.
        facts = plan.facts._replace(status="ok", kind=_ARCHIVE, bytes_read=plan.facts.size or 0)
        has_begun = False
        for event in self._options.reader.map_sources(
            self._item, jobs, lambda sources: self._members(sources, plan), max_unpacked
        ):
            if isinstance(event, Begin):  # of each source
                if has_begun:
                    continue
                has_begun = True
            elif isinstance(event, SourceError):
                facts = facts._replace(status="error", error=facts.error or _message(event))
            elif isinstance(event, _Remark):
                facts = facts._replace(error=facts.error or event.message)
                continue
            elif isinstance(event, Member) and not event.member:
                if event.facts.status == "skipped":
                    facts = event.facts
                else:
                    facts = event.facts._replace(status=facts.status, error=facts.error or event.facts.error)
                continue
            yield event
        if has_begun:
            yield End(facts)
        elif self._stored is None:  # rows from an earlier run are kept
            yield Begin(self._name, plan.mode, plan.facts)
            yield End(facts._replace(kind=None, bytes_read=0))

    def _members(
        self, sources: Iterator[Source | Notice], plan: _Plan
    ) -> Iterator[tuple[Source | Notice, Callable[[int], Iterator["Result | _Remark"]]]]:
        """Yield the sources of the file, each with the function that yields its events.

        A member has the name that the tables show, with a number if the archive has several of this name.
        """
        numbers: dict[str, int] = {}
        names: set[str] = set()
        for source in sources:
            skipped = source.source if isinstance(source, SkippedSource) else source
            member = skipped.member if isinstance(skipped, Source) else ""
            name = member = readable(member)
            while member and name in names:
                numbers[member] = numbers.get(member, 1) + 1
                name = f"{member}#{numbers[member]}"
            names.add(name)
            yield source, partial(self._events_of, source, name, plan)

    def _events_of(self, source: Source | Notice, member: str, plan: _Plan, jobs: int) -> Iterator["Result | _Remark"]:
        if isinstance(source, SourceError):
            yield source
            return
        yield Begin(self._name, plan.mode, plan.facts)
        if isinstance(source, Note):
            yield _Remark(source.message)
            yield source
        elif isinstance(source, SkippedSource):
            yield source
            yield Member(member, plan.facts._replace(status="skipped", error=source.why))
        elif member in plan.complete:
            source.close()
        else:
            yield from self._read(source, member, plan, jobs)

    def _read(self, source: Source, member: str, plan: _Plan, jobs: int) -> Iterator[Result]:
        """Yield the rows of a source, and its state at last."""
        options = self._options
        kind = options.reader.kind_of(source)
        can_grow = kind in _MAILBOXES and not source.packed_as
        position = plan.positions.get(member, START)
        facts = plan.facts._replace(kind=kind)
        deleted_from = position.offset if plan.mode == "resume" and kind in _MAILBOXES else None
        read_batch = partial(read_rows, source=source_id(self._name, member), tables=options.tables)
        try:
            for step in options.reader.batches(source, read_batch, position=position, jobs=jobs):
                if step.note:
                    yield Note(source._replace(member=member).where, step.note)
                facts = facts._replace(
                    bytes_read=step.bytes_read,
                    encoding=facts.encoding or step.encoding or None,
                    error=facts.error or step.note or None,
                )
                restart = None
                if can_grow and step.position is not None:
                    restart = Position(0, step.start, 0)
                yield RowsEvent(member, step.result, step.position, restart, facts, deleted_from)
                deleted_from = None
            facts = facts._replace(status="ok", bytes_read=source.size)
        except SourceError as error:
            facts = facts._replace(status="error", error=_message(error))
            yield error.as_result()
        yield Member(member, facts)


class _Remark(NamedTuple):
    """A remark on how the sources of a file were read, for its row."""

    message: str


def _message(error: SourceError) -> str:
    return error.message.removeprefix(f"{error.path}: ")
