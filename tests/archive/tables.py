"""Read sources into the rows of the tables."""

from collections.abc import Iterator
from pathlib import Path

from urlscan.archive import scan, schema
from urlscan.pipeline.divide import START, Position
from urlscan.pipeline.read import Source, named, read_sources

Record = dict[str, object]
_DEFAULT = scan.ScanOptions()


def batches(
    path: Path, options: scan.ScanOptions = _DEFAULT, position: Position = START, jobs: int = 1
) -> Iterator[scan.Batch]:
    """Yield the batches of all sources of a path."""
    for item in named([str(path)], options.read_options):
        for source in read_sources(item, options.read_options):
            if isinstance(source, Source):
                yield from scan.scan(source, options, source.path, position, jobs)


def records(batch: scan.Batch, table: schema.Table) -> list[Record]:
    """Return the rows of a table with the names of its columns."""
    return [dict(zip(table.names, row, strict=True)) for row in zip(*batch.rows.columns(table), strict=True)]


def all_records(path: Path, table: schema.Table, **options: object) -> list[Record]:
    """Return the rows of a table for a path."""
    return [row for batch in batches(path, scan.ScanOptions(**options)) for row in records(batch, table)]  # type: ignore[arg-type]
