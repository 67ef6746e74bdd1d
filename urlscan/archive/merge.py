"""Merge databases into a new one.

A file that several databases contain is taken, with its members, from the one that read it last.
"""

import contextlib
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from urlscan.archive.database import (
    check_options,
    get_property,
    open_database,
    open_for_options,
    sort_on_disk,
    storage_errors,
)
from urlscan.archive.files import new_database
from urlscan.archive.schema import OF_SOURCE, SOURCE, TABLES, literal

if TYPE_CHECKING:
    import duckdb

_FILES = "CREATE TEMP TABLE file (number INTEGER, source_id VARCHAR, path VARCHAR, ingested_at TIMESTAMP)"
_STALE = """
CREATE TEMP TABLE stale AS SELECT DISTINCT number, path FROM (
    SELECT number, path, row_number() OVER (PARTITION BY source_id ORDER BY ingested_at DESC, number DESC) AS age
    FROM file
) WHERE age > 1
"""
# Each row of `url` follows from its URL, so that those of two databases are equal.
_URLS = """
INSERT INTO url SELECT * FROM given.url AS added ANTI JOIN url USING (url_id)
WHERE url_id IN (SELECT url_id FROM occurrence UNION ALL SELECT url_id FROM finding)
"""
# The last status of each URL.
_STATUSES = """
CREATE OR REPLACE TEMP TABLE latest AS
    SELECT DISTINCT ON (url_id) * FROM (FROM status UNION ALL FROM given.status)
    SEMI JOIN url USING (url_id) ORDER BY url_id, checked_at DESC;
DELETE FROM status;
INSERT INTO status FROM latest;
"""


def merge(paths: Sequence[str], path: str) -> dict[str, int]:
    """Write a new database with the rows of others.

    Args:
        paths: the databases, which are not changed.
        path: the new one; it exists when it is complete.

    Returns:
        The number of its rows by table.

    Raises:
        ConfigError: as `open_database`, or the rows of two databases were written with different options.
        SourceError: as `open_database`, or the file exists or cannot be written.
    """
    with open_database(paths[0], read_only=True) as connection:
        options = json.loads(get_property(connection, "options") or "{}")
    for other in paths[1:]:
        with open_database(other, read_only=True) as connection:
            check_options(connection, other, options)
    counts = {}
    with new_database(path) as temporary, storage_errors(path), open_for_options(temporary, options) as connection:
        sort_on_disk(connection)
        connection.execute(_FILES)
        for number, other in enumerate(paths):
            with _attached(connection, other):
                connection.execute(
                    "INSERT INTO file SELECT ?, source_id, path, ingested_at FROM given.source WHERE member = ''",
                    [number],
                )
        connection.execute(_STALE)
        for number, other in enumerate(paths):
            with _attached(connection, other):
                _copy(connection, number)
        for table in TABLES:
            (counts[table.name],) = connection.execute(f"SELECT count(*) FROM {table.name}").fetchone() or (0,)  # noqa: S608
        connection.execute("CHECKPOINT")
    return counts


def _copy(connection: "duckdb.DuckDBPyConnection", number: int) -> None:
    """Copy the rows of a database without those of its stale files."""
    stale = "SELECT path FROM stale WHERE number = ?"
    for table in (*(table.name for table in OF_SOURCE), "position", SOURCE.name):
        connection.execute(
            f"INSERT INTO {table} SELECT * FROM given.{table} WHERE source_id NOT IN"  # noqa: S608 - constants
            f" (SELECT source_id FROM given.source WHERE path IN ({stale}))",
            [number],
        )
    connection.execute(_URLS)
    connection.execute(_STATUSES)


@contextlib.contextmanager
def _attached(connection: "duckdb.DuckDBPyConnection", path: str) -> Iterator[None]:
    """Attach a database as `given`."""
    with storage_errors(path):
        connection.execute(f"ATTACH {literal(path)} AS given (READ_ONLY)")
        yield
        connection.execute("DETACH given")
