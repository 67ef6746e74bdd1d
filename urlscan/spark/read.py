"""Read the items of a partition into Arrow record batches."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

from urlscan import SourceError
from urlscan.api.batches import LARGE, OpenFile, Range, Source
from urlscan.archive.arrow import TableBatch
from urlscan.archive.reader import ArchiveOptions, End, Member, RowsEvent, read_file
from urlscan.archive.rows import Columns, SourceFacts, read_rows, source_id, source_row
from urlscan.archive.schema import BY_NAME, OF_SCAN, SOURCE, URL, import_package, joined_batch
from urlscan.spark.options import SourceOptions
from urlscan.spark.partitions import Item
from urlscan.spark.storage import open_file

if TYPE_CHECKING:
    import pyarrow

# The name of a table, and some of its rows.
_TableRows = tuple[str, Columns]
_ROWS = 1 << 14  # rows of a record batch, approximately
_HASHED = 1 << 20  # bytes that are hashed at a time
# How many URLs of a partition are remembered, so that each has one row.
_MOST_URLS = 1 << 20


def read_items(items: Iterable[Item], options: SourceOptions, time: int) -> "Iterator[pyarrow.RecordBatch]":
    """Yield the rows of some items.

    Args:
        items: the items of a partition.
        options: what is read.
        time: the time of the query in microseconds since 1970, which is that of every row: a task that runs again
            returns the same rows.
    """
    rows = (columns for item in items for columns in _item_rows(item, options, time))
    grouped = _grouped(_without_duplicates(rows))
    if not options.is_combined:
        return (batch for _, batch in grouped)
    schema = options.arrow_schema()
    return (_combined(table, batch, schema) for table, batch in grouped)


def _item_rows(item: Item, options: SourceOptions, time: int) -> Iterator[_TableRows]:
    archive_options = options.archive_options.for_tables(item.tables & OF_SCAN)
    if item.range is not None:
        return _of_range(item, item.range, archive_options)
    return _of_file(item, archive_options, time)


def _of_range(item: Item, range: Range, archive_options: ArchiveOptions) -> Iterator[_TableRows]:
    """Yield the rows of a range of a file; the item for the table `source` reports an error."""
    file = item.file
    try:
        content = open_file(file, 0)
        if isinstance(content, bytes):
            return
        read_batch = partial(read_rows, source=source_id(file.name), tables=archive_options.tables)
        with content:
            for step in archive_options.reader.range_batches(file.name, content, range, read_batch):
                yield from step.result.by_table.items()
    except SourceError:
        return


def _of_file(item: Item, archive_options: ArchiveOptions, time: int) -> Iterator[_TableRows]:
    file, has_source = item.file, SOURCE.name in item.tables

    def source_rows(member: str, facts: SourceFacts) -> _TableRows:
        return SOURCE.name, [(value,) for value in source_row(file.name, member, facts, time)]

    try:
        content = open_file(file, LARGE)
        size = len(content) if isinstance(content, bytes) else content.size
        digest = _hash_of(content) if has_source else None
        facts = SourceFacts("partial", size=size, mtime=file.mtime, content_hash=digest)
    except SourceError as error:
        if has_source:
            reason = error.message.removeprefix(f"{error.path}: ")
            yield source_rows("", SourceFacts("error", reason, size=file.size, mtime=file.mtime))
        return
    for event in read_file(Source(file.name, content=content), file.name, facts, archive_options):
        if isinstance(event, RowsEvent):
            yield from event.rows.by_table.items()
        elif has_source and isinstance(event, Member | End):
            yield source_rows(event.member, event.facts)


def _hash_of(content: bytes | OpenFile) -> str:
    if isinstance(content, bytes):
        return sha256(content).hexdigest()
    digest = sha256()
    for start in range(0, content.size, _HASHED):
        digest.update(content.read(start, start + _HASHED))
    return digest.hexdigest()


def _without_duplicates(rows: Iterable[_TableRows]) -> Iterator[_TableRows]:
    """Leave out rows of URLs that the partition has yielded already; each batch has every URL once."""
    seen: set[str] = set()
    for table, columns in rows:
        if table == URL.name:
            if len(seen) > _MOST_URLS:
                seen.clear()
            ids = columns[0]
            columns = list(zip(*(row for row in zip(*columns, strict=True) if row[0] not in seen), strict=True))
            seen.update(ids)
        if columns:
            yield table, columns


def _grouped(rows: Iterable[_TableRows]) -> Iterator[TableBatch]:
    """Yield large batches: one of a small file would take as long as reading it."""
    pending: dict[str, list[Columns]] = {}
    counts = Counter[str]()
    for name, columns in rows:
        pending.setdefault(name, []).append(columns)
        counts[name] += len(columns[0])
        if counts[name] >= _ROWS:
            yield TableBatch(name, joined_batch(BY_NAME[name], pending.pop(name)))
            del counts[name]
    for name, batches in pending.items():
        yield TableBatch(name, joined_batch(BY_NAME[name], batches))


def _combined(table: str, batch: "pyarrow.RecordBatch", schema: "pyarrow.Schema") -> "pyarrow.RecordBatch":
    """Return the rows of a table as structs, beside nulls for those of the other tables."""
    pa = import_package("pyarrow", "spark")
    columns = []
    for field in schema:
        if field.name == table:
            columns.append(pa.StructArray.from_arrays(batch.columns, fields=list(field.type)))
        else:
            columns.append(pa.nulls(batch.num_rows, field.type))
    return pa.RecordBatch.from_arrays(columns, schema=schema)
