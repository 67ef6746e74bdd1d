"""Read with the data source in this process, without Spark, and compare with `urlscan archive`."""

import json
import pickle
from typing import Any

from urlscan.archive.schema import BY_NAME
from urlscan.spark.source import UrlscanSource

# Columns whose values differ from run to run.
VARYING = {"ingested_at"}

Row = tuple[object, ...]


def partitions_of(*paths: object, **options: object) -> list[list[Row]]:
    """Return the rows of each partition."""
    return [[_row(record) for record in records] for records in _records(*paths, **options)]


def structs_of(*paths: object, **options: object) -> dict[str, list[Row]]:
    """Return the rows by table, sorted, of several tables that are read at once; each URL has one."""
    found: dict[str, dict[str, Row]] = {name: {} for name in BY_NAME}
    for records in _records(*paths, **options):
        for record in records:
            ((name, values),) = ((name, values) for name, values in record.items() if values is not None)
            row = _row(values)
            found[name][repr(row)] = row
    return {name: [rows[key] for key in sorted(rows)] for name, rows in found.items() if rows}


def _records(*paths: object, **options: object) -> list[list[dict[str, Any]]]:
    given = {name: str(value) for name, value in options.items()}
    source = UrlscanSource({**given, "paths": json.dumps([str(path) for path in paths])})
    reader = source.reader(source.schema())
    found = []
    for partition in reader.partitions():
        # Spark sends both to another process.
        other, partition = pickle.loads(pickle.dumps((reader, partition)))
        found.append([record for batch in other.read(partition) for record in batch.to_pylist()])
    return found


def rows_of(*paths: object, **options: object) -> list[Row]:
    """Return the rows of a table, sorted as `tests.archive.databases.rows` does; those of `url` without duplicates."""
    rows = [row for rows in partitions_of(*paths, **options) for row in rows]
    if options.get("table") == "url":
        rows = list({row[0]: row for row in rows}.values())
    return sorted(rows, key=repr)


def _row(record: dict[str, object]) -> Row:
    return tuple(value for name, value in record.items() if name not in VARYING)


def names_of(table: str) -> list[str]:
    """Return the columns of a table that are compared."""
    return [name for name in BY_NAME[table].names if name not in VARYING]
