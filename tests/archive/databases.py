"""Compare databases: the rows of two runs must be equal, except for the time at which they were written."""

from pathlib import Path

import duckdb

from tests.command import Result, urlscan
from urlscan.archive.schema import TABLES

_VARYING = {"ingested_at"}


def archive(database: Path, *arguments: object, cwd: Path | None = None) -> Result:
    """Run `urlscan archive` in this process; it must succeed."""
    done = urlscan("archive", "--isolated", "--db", str(database), *map(str, arguments), cwd=cwd)
    assert done.status == 0, done
    return done


def rows(database: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of every table, sorted."""
    found = {}
    with duckdb.connect(str(database), read_only=True) as connection:
        for table in TABLES:
            names = ", ".join(f'"{name}"' for name in table.names if name not in _VARYING)
            found[table.name] = sorted(connection.execute(f"SELECT {names} FROM {table.name}").fetchall(), key=repr)
    return found


def ask(database: Path, query: str) -> list[tuple[object, ...]]:
    """Return the rows of a query."""
    with duckdb.connect(str(database), read_only=True) as connection:
        return connection.execute(query).fetchall()
