"""Yield the rows of sources as Arrow record batches, without a database."""

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from urlscan.api.batches import configured_reader
from urlscan.api.inputs import check_choice
from urlscan.archive.reader import ArchiveOptions, Begin, End, Event, Member, RowsEvent, read_paths
from urlscan.archive.rows import now, source_row
from urlscan.archive.schema import BY_NAME, OF_SCAN, SOURCE, column_batch, record_batch

if TYPE_CHECKING:
    import pyarrow

Path = str | os.PathLike[str]


class TableBatch(NamedTuple):
    """Some rows of a table.

    Attributes:
        table: the name of the table: source, message, url, occurrence or finding.
        batch: the rows.
    """

    table: str
    batch: "pyarrow.RecordBatch"


def batches(
    paths: Path | Iterable[Path], *, tables: Iterable[str] = tuple(BY_NAME), config: Path | None = None, jobs: int = 1
) -> Iterator[TableBatch]:
    """Return an iterator over the rows of files and directories, as `urlscan archive` stores them.

    The rows of a batch of a source are together: its messages, its URLs, and their occurrences and findings. The row of
    a source follows them. A URL has a row in every batch in which it occurs.

    Args:
        paths: files and directories, as for `urlscan.scan_paths`.
        tables: the names of the tables; what the others need is not searched.
        config: a configuration file for all files, in place of the closest ones.
        jobs: how many processes share a large file, or many small ones.

    Raises:
        ConfigError: a table is unknown, the configuration is invalid, or pyarrow is not installed. A file that cannot
            be read is a row of `source` with the status error.
    """
    names = frozenset(tables)
    for name in sorted(names):
        check_choice("table", name, tuple(BY_NAME))
    given = [paths] if isinstance(paths, str | os.PathLike) else paths
    archive_options = ArchiveOptions(configured_reader(config), jobs=jobs).for_tables(names & OF_SCAN)
    results = read_paths([os.fsdecode(path) for path in given], archive_options, dict)
    return _batches((event for event in results if isinstance(event, Event)), names)


def _batches(events: Iterable[Event], names: frozenset[str]) -> Iterator[TableBatch]:
    file = ""
    for event in events:
        if isinstance(event, Begin):
            file = event.name
        elif isinstance(event, RowsEvent):
            for name, columns in event.rows.by_table.items():
                yield TableBatch(name, column_batch(BY_NAME[name], columns))
        elif isinstance(event, Member | End) and SOURCE.name in names:
            yield TableBatch(SOURCE.name, record_batch(SOURCE, [source_row(file, event.member, event.facts, now())]))
