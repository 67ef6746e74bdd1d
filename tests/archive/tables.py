"""Read sources into the rows of the tables."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from urlscan.api.batches import START, Position, Reader, Source, Step
from urlscan.archive import schema
from urlscan.archive.reader import ArchiveOptions
from urlscan.archive.rows import Rows, read_rows, source_id

Record = dict[str, Any]
_DEFAULT = Reader()


def batches(
    path: Path,
    reader: Reader = _DEFAULT,
    position: Position = START,
    jobs: int = 1,
    tables: frozenset[str] = schema.OF_SCAN,
) -> Iterator[Step[Rows]]:
    """Yield the batches of all sources of a path."""
    reading = ArchiveOptions(reader).for_tables(tables)
    for item in reader.files([str(path)]):
        for source in reader.sources(item):
            if isinstance(source, Source):
                identity = source_id(source.path, source.member)
                yield from reading.reader.batches(
                    source, lambda batch, name=identity: read_rows(batch, name, tables), position=position, jobs=jobs
                )


def records(step: Step[Rows], table: schema.Table) -> list[Record]:
    """Return the rows of a table with the names of its columns."""
    rows = step.result.by_table
    if table.name not in rows:
        return []
    return schema.column_batch(table, rows[table.name]).to_pylist()


def all_records(path: Path, table: schema.Table, **options: Any) -> list[Record]:
    """Return the rows of a table for a path."""
    return [row for step in batches(path, Reader(**options)) for row in records(step, table)]
