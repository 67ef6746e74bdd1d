"""Write what a reader finds into the database, in transactions that each leave it complete.

The rows of a batch, the row of its source and the position at which reading continues are stored together, so that
nothing is lost or repeated when the process is killed. A source that is read again as a whole is replaced in one
transaction.
"""

from collections.abc import Callable, Iterable
from itertools import starmap
from time import monotonic
from typing import TYPE_CHECKING

from urlscan import readable
from urlscan.api.batches import Position
from urlscan.archive.files import absolute, is_gone
from urlscan.archive.reader import Begin, End, Event, KnownFile, Lookup, Member, RowsEvent, Unchanged
from urlscan.archive.rows import Columns, SourceFacts, now, source_id, source_row
from urlscan.archive.schema import (
    FINDING,
    OCCURRENCE,
    OF_SOURCE,
    SOURCE,
    URL,
    Table,
    import_package,
    joined_batch,
    record_batch,
)

if TYPE_CHECKING:
    import duckdb
    import pyarrow

# Rows are written when there are so many, or when so many seconds have passed.
_MOST_ROWS = 50_000
_SECONDS = 2.0


class Ingest:
    """Stores events in a database.

    Attributes:
        files: how many files a run read, by what was done with them.
        rows: how many rows it added, by table; rows that replace those of a last batch do not count.

    Args:
        clock: returns the time in seconds.
    """

    def __init__(self, connection: "duckdb.DuckDBPyConnection", clock: Callable[[], float] = monotonic) -> None:
        self._connection = connection
        self._clock = clock
        self._committed = clock()
        self.files = dict.fromkeys(("new", "replaced", "continued", "unchanged", "skipped", "not readable"), 0)
        self.rows = dict.fromkeys((table.name for table in OF_SOURCE), 0)
        self._in_transaction = False
        # Rows that are not written yet.
        self._columns: dict[str, list[Columns]] = {table.name: [] for table in (*OF_SOURCE, URL)}
        self._pending = 0
        self._sources: dict[str, tuple[str, str, SourceFacts, int]] = {}
        self._positions: dict[str, Position | None] = {}
        # Sources whose rows are in the database and will be replaced.
        self._stored: set[str] = set()
        # The file that is being read.
        self._name = ""
        self._mode = ""
        # Encoding, error and bytes read by an interrupted run, which read the beginning of the source.
        self._interrupted: dict[str, tuple[str | None, str | None, int]] = {}
        self._restarts: dict[str, Position] = {}
        self._has_stale = False
        # Whether the pending rows are complete, so that they can be stored without those that follow.
        self._is_complete = True

    def handle(self, event: Event) -> dict[str, KnownFile] | None:
        """Store an event; return the answer to a `Lookup`, else None."""
        match event:
            case Lookup(names):
                return self._look_up(names)
            case Unchanged():
                self._update_time(event)
            case Begin():
                self._begin(event)
            case RowsEvent():
                self._add(event)
            case Member(member, facts):
                self._finish(member, facts)
            case End(facts):
                self._end(facts)
        return None

    def finish(self) -> None:
        """Store what is pending at the end of a run."""
        self._commit()
        self._connection.execute("CHECKPOINT")

    def prune(self, paths: Iterable[str]) -> int:
        """Remove the files at or below `paths` that no longer exist, in one transaction; return how many there are."""
        directories = tuple(readable(absolute(path)).rstrip("/") + "/" for path in paths)
        files = self._connection.execute("SELECT path, list(source_id) FROM source GROUP BY path").fetchall()
        gone = [ids for path, ids in files if f"{path}/".startswith(directories) and is_gone(path)]
        if gone:
            self._delete_sources([identity for ids in gone for identity in ids])
            self._commit()
        return len(gone)

    def interrupt(self) -> None:
        """Store what is complete, when a run is interrupted; a file that is being replaced keeps its old rows."""
        if self._is_complete and self._mode != "replace":
            self._commit()
        elif self._in_transaction:
            self._connection.rollback()

    # --- files

    def _look_up(self, names: tuple[str, ...]) -> dict[str, KnownFile]:
        """Return what the database knows about files."""
        self._commit()
        execute = self._connection.execute
        files: dict[str, KnownFile] = {}
        ids = {source_id(name): name for name in names}
        rows = execute(
            "SELECT source_id, size, epoch_us(mtime), content_hash, status, kind FROM source"
            " WHERE source_id IN (SELECT unnest(?))",
            [list(ids)],
        ).fetchall()
        for identity, size, mtime, content_hash, status, kind in rows:
            files[ids[identity]] = KnownFile(size, mtime, content_hash, status, kind, {}, frozenset())
        names_of: dict[str, list[str]] = {}  # several files may show as the same path
        for name in files:
            names_of.setdefault(readable(name), []).append(name)
        rows = execute(
            'SELECT source_id, path, member, batches, "offset", floor FROM source JOIN position USING (source_id)'
            " WHERE path IN (SELECT unnest(?))",
            [list(names_of)],
        ).fetchall()
        for identity, path, member, *position in rows:
            for name in names_of[path]:
                if source_id(name, member) == identity:
                    files[name].positions[member] = Position(*position)
        for name, file in files.items():
            if file.status == "partial":
                complete = self._members(name, "member <> '' AND status <> 'partial'")
                files[name] = file._replace(complete=frozenset(complete.values()))
        return files

    def _members(self, name: str, condition: str = "true") -> dict[str, str]:
        """Return the members of a file, "" for the file itself, by the ids of their sources."""
        rows = self._connection.execute(
            f"SELECT source_id, member FROM source WHERE path = ? AND {condition}",  # noqa: S608 - constants
            [readable(name)],
        )
        return {identity: member for identity, member in rows.fetchall() if identity == source_id(name, member)}

    def _update_time(self, event: Unchanged) -> None:
        self.files["unchanged"] += 1
        if event.mtime is not None:
            self._connection.execute(
                "UPDATE source SET mtime = make_timestamp(?) WHERE source_id IN (SELECT unnest(?))",
                [event.mtime, list(self._members(event.name))],
            )

    def _begin(self, event: Begin) -> None:
        self._name, self._mode = event.name, event.mode
        self._interrupted, self._restarts = {}, {}
        members: list[str] = []
        if event.mode != "new":
            self._commit()
            members += self._members(event.name)
        if event.mode == "replace":
            self._delete_sources(members)
        elif event.mode == "resume":
            rows = self._connection.execute(
                "SELECT source_id, encoding, error, bytes_read FROM source WHERE source_id IN (SELECT unnest(?))",
                [members],
            )
            self._interrupted = {row[0]: row[1:] for row in rows.fetchall()}
            self._stored.update(self._interrupted)
        self._put_source("", event.facts)

    def _end(self, facts: SourceFacts) -> None:
        self._finish("", facts)
        self.files["not readable"] += facts.status == "error"
        self.files["skipped"] += facts.status == "skipped"
        self.files["new"] += self._mode == "new" and facts.status == "ok"
        self.files["replaced"] += self._mode == "replace"
        self.files["continued"] += self._mode == "resume"
        is_replaced, self._mode = self._mode == "replace", ""
        self._commit_if_due(at_once=is_replaced or self._has_stale)

    # --- sources

    def _put_source(self, member: str, facts: SourceFacts) -> str:
        """Record the row of a source to be written, and return its id."""
        identity = source_id(self._name, member)
        if identity in self._interrupted:
            encoding, error, bytes_read = self._interrupted[identity]
            facts = facts._replace(
                encoding=encoding or facts.encoding,
                error=error or facts.error,
                bytes_read=max(bytes_read, facts.bytes_read),
            )
        self._sources[identity] = self._name, member, facts, now()
        return identity

    def _add(self, event: RowsEvent) -> None:
        """Store the rows of a batch."""
        identity = source_id(self._name, event.member)
        if event.deleted_from is not None:
            for name, number in self._delete("source_id = ? AND start >= ?", [identity, event.deleted_from]).items():
                self.rows[name] -= number  # they are added again
        for name, columns in event.rows.by_table.items():
            self._columns[name].append(columns)
            if name != URL.name:
                self._pending += len(columns[0])
                self.rows[name] += len(columns[0])
        self._put_source(event.member, event.facts)
        self._positions[identity] = event.position
        if event.restart is not None:
            self._restarts[identity] = event.restart
        self._is_complete = event.position is not None
        if self._is_complete:
            self._commit_if_due()
        elif self._pending >= _MOST_ROWS:
            self._write()

    def _finish(self, member: str, facts: SourceFacts) -> None:
        """Store the last state of a source."""
        identity = self._put_source(member, facts)
        self._is_complete = True
        self._positions[identity] = self._restarts.get(identity) if facts.status == "ok" else None
        self._commit_if_due()

    # --- transactions

    def _commit_if_due(self, *, at_once: bool = False) -> None:
        is_due = self._pending >= _MOST_ROWS or self._clock() - self._committed >= _SECONDS
        if self._mode == "replace":
            if self._pending >= _MOST_ROWS:
                self._write()
        elif is_due or at_once:
            self._commit()

    def _commit(self) -> None:
        self._write()
        if self._in_transaction:
            if self._has_stale:
                self._delete_stale()
            self._connection.commit()
            self._in_transaction = False
        self._committed = self._clock()

    def _transaction(self) -> None:
        if not self._in_transaction:
            self._connection.begin()
            self._in_transaction = True

    def _write(self) -> None:
        """Write the pending rows in the open transaction."""
        if not (self._sources or self._pending):
            return
        self._transaction()
        for table in (*OF_SOURCE, URL):
            if batches := self._columns[table.name]:
                self._insert(table, joined_batch(table, batches))
                self._columns[table.name] = []
        self._write_sources()
        self._pending = 0

    def _insert(self, table: Table, batch: "pyarrow.RecordBatch") -> None:
        rows = "* FROM incoming"
        if table is URL:  # many batches hold the same URL
            rows = "DISTINCT ON (url_id) * FROM incoming ANTI JOIN url USING (url_id)"
        self._connection.register("incoming", import_package("pyarrow").Table.from_batches([batch]))
        self._connection.execute(f"INSERT INTO {table.name} SELECT {rows}")
        self._connection.unregister("incoming")

    def _write_sources(self) -> None:
        stored = [identity for identity in self._sources if identity in self._stored]
        if stored:
            self._connection.execute("DELETE FROM source WHERE source_id IN (SELECT unnest(?))", [stored])
        self._insert(SOURCE, record_batch(SOURCE, starmap(source_row, self._sources.values())))
        moved = list(self._positions)
        if moved:
            self._connection.execute("DELETE FROM position WHERE source_id IN (SELECT unnest(?))", [moved])
        for identity, position in self._positions.items():
            if position is not None:
                self._connection.execute("INSERT INTO position VALUES (?, ?, ?, ?)", [identity, *position])
        for identity, (_, _, facts, _) in self._sources.items():
            self._stored.discard(identity)
            if facts.status == "partial":
                self._stored.add(identity)
        self._sources, self._positions = {}, {}

    # --- deletion

    def _delete_sources(self, ids: list[str]) -> None:
        """Delete sources with all their rows."""
        condition = "source_id IN (SELECT unnest(?))"
        self._delete(condition, [ids])
        for table in ("position", SOURCE.name):
            self._connection.execute(f"DELETE FROM {table} WHERE {condition}", [ids])  # noqa: S608 - constants

    def _delete(self, condition: str, values: list[object]) -> dict[str, int]:
        """Delete rows of sources, remember their URLs, and return the number of deleted rows by table."""
        self._commit()
        self._transaction()
        execute = self._connection.execute
        execute("CREATE TEMP TABLE IF NOT EXISTS stale (url_id VARCHAR)")
        for table in (OCCURRENCE, FINDING):
            execute(f"INSERT INTO stale SELECT DISTINCT url_id FROM {table.name} WHERE {condition}", values)  # noqa: S608
        deleted = {}
        for table in OF_SOURCE:
            row = execute(f"DELETE FROM {table.name} WHERE {condition}", values).fetchone()  # noqa: S608 - constants
            (deleted[table.name],) = row or (0,)
        self._has_stale = True
        return deleted

    def _delete_stale(self) -> None:
        """Delete the URLs of deleted rows that no other row has, and their statuses."""
        self._connection.execute(
            "DELETE FROM url WHERE url_id IN (FROM stale"
            " EXCEPT SELECT url_id FROM occurrence SEMI JOIN stale USING (url_id)"
            " EXCEPT SELECT url_id FROM finding SEMI JOIN stale USING (url_id))"
        )
        self._connection.execute("DELETE FROM status WHERE url_id IN (FROM stale ANTI JOIN url USING (url_id))")
        self._connection.execute("DROP TABLE stale")
        self._has_stale = False
