"""Add to a database what a link checker has found."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from urlscan import mask, readable, split
from urlscan.api.masked import as_requested
from urlscan.archive.schema import STATUS, record_batch

if TYPE_CHECKING:
    import duckdb

    from urlscan.api.reports import Status

_BATCH = 10_000  # URLs that are fetched at a time


class StatusCounts(NamedTuple):
    """The numbers of URLs in a file of statuses, of those that the database has, and of the dead ones among these."""

    reported: int
    stored: int
    dead: int


def add_statuses(connection: "duckdb.DuckDBPyConnection", statuses: "Sequence[Status]") -> StatusCounts:
    """Store the statuses of the URLs that the database contains, in place of former ones; the last of a URL counts.

    A checker may report a URL as it was requested: in ASCII, with a path "/", the host in lower case, no fragment.
    """
    by_url = {readable(mask(url)): status for status in statuses for url in status.urls}
    hosts = {split(url).host for url in by_url}
    rows: list[tuple[object, ...]] = []
    cursor = connection.cursor().execute("SELECT url_id, url, host_ascii FROM url WHERE scheme IS NOT NULL")
    while batch := cursor.fetchmany(_BATCH):
        for identity, url, host in batch:
            matched = by_url.get(url)
            if matched is None and host in hosts:
                requested = as_requested(url)
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
    return StatusCounts(len(statuses), len(rows), sum(row[1] is True for row in rows))
