"""Keep a database in step with the world: link checks are added, and sources that are gone are removed."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from urlscan import mask, normalize, readable
from urlscan.archive.files import absolute, is_gone
from urlscan.archive.schema import OF_SOURCE, STATUS, record_batch

if TYPE_CHECKING:
    import duckdb

    from urlscan.api.reports import Status

_BATCH = 10_000  # URLs that are fetched at a time


class StatusCounts(NamedTuple):
    """The numbers of URLs in a file of statuses, of those that the database has, and of the dead ones among these."""

    reported: int
    stored: int
    dead: int


def add_statuses(connection: "duckdb.DuckDBPyConnection", statuses: "Iterable[Status]") -> StatusCounts:
    """Store the statuses of the URLs that the database contains, in place of former ones; the last of a URL counts.

    A checker may report a URL as it was requested: with a path "/", the host in lower case, without the fragment.
    """
    by_url: dict[str, Status] = {}
    number = 0
    for status in statuses:
        number += 1
        for url in status.urls:
            by_url[_masked(url)] = by_url[_masked(normalize(url))] = status
    hosts = {_host(url) for url in by_url}
    rows: list[tuple[object, ...]] = []
    cursor = connection.cursor().execute("SELECT url_id, url FROM url WHERE scheme IS NOT NULL")
    while batch := cursor.fetchmany(_BATCH):
        for identity, url in batch:
            matched = by_url.get(url)
            if matched is None and _host(url) in hosts:
                requested = normalize(url)
                matched = by_url.get(requested) or by_url.get(requested.partition("#")[0])
            if matched is not None:
                rows.append((identity, matched.is_dead, matched.code, matched.reason, matched.checked_at))
    connection.begin()
    connection.execute("DELETE FROM status WHERE url_id IN (SELECT unnest(?))", [[row[0] for row in rows]])
    for start in range(0, len(rows), _BATCH):
        connection.register("incoming", record_batch(STATUS, rows[start : start + _BATCH]))
        connection.execute("INSERT INTO status SELECT * FROM incoming")
        connection.unregister("incoming")
    connection.commit()
    return StatusCounts(number, len(rows), sum(row[1] is True for row in rows))


def _masked(url: str) -> str:
    return readable(mask(url))


def _host(url: str) -> str:
    """Return the authority of a URL without its user, in lower case; it need not be exact."""
    return url.partition("://")[2].partition("/")[0].rpartition("@")[2].partition("?")[0].partition(":")[0].lower()


def prune(connection: "duckdb.DuckDBPyConnection", paths: Iterable[str]) -> int:
    """Remove the sources below `paths` whose files no longer exist, in one transaction; return the number of files."""
    directories = tuple(absolute(path).rstrip("/") + "/" for path in paths)
    files = [path for (path,) in connection.execute("SELECT DISTINCT path FROM source").fetchall()]
    gone = [path for path in files if f"{path}/".startswith(directories) and is_gone(path)]
    if not gone:
        return 0
    connection.begin()
    connection.execute(
        "CREATE TEMP TABLE gone AS SELECT source_id FROM source WHERE path IN (SELECT unnest(?))", [gone]
    )
    for table in (*(table.name for table in OF_SOURCE), "position", "source"):
        connection.execute(f"DELETE FROM {table} WHERE source_id IN (FROM gone)")  # noqa: S608 - constants
    connection.execute(
        "DELETE FROM url WHERE url_id NOT IN (SELECT url_id FROM occurrence)"
        " AND url_id NOT IN (SELECT url_id FROM finding WHERE url_id IS NOT NULL)"
    )
    connection.execute("DELETE FROM status WHERE url_id NOT IN (SELECT url_id FROM url)")
    connection.execute("DROP TABLE gone")
    connection.commit()
    return len(gone)
