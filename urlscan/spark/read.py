"""Read the items of a partition into Arrow record batches of one table."""

from collections.abc import Iterable, Iterator
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

from urlscan import SourceError
from urlscan.api.batches import LARGE, Input, OpenFile, Range
from urlscan.archive.events import End, Member, RowsEvent
from urlscan.archive.reader import read_file
from urlscan.archive.rows import SourceFacts, read_rows, source_id, source_row
from urlscan.archive.schema import SOURCE, URL, arrow_schema, column_batch, import_package, record_batch
from urlscan.spark.options import SourceOptions
from urlscan.spark.partitions import Item
from urlscan.spark.storage import StoredFile, open_file

if TYPE_CHECKING:
    import pyarrow

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
    batches: Iterator[pyarrow.RecordBatch] = (
        batch
        for item in items
        for batch in (
            _of_file(item.file, options, time) if item.range is None else _of_range(item, item.range, options)
        )
    )
    if options.table is URL:
        batches = _without_duplicates(batches)
    return _grouped(batches, options)


def _of_range(item: Item, range: Range, options: SourceOptions) -> "Iterator[pyarrow.RecordBatch]":
    """Yield the rows of a range of a file; an error is in the table `source`, whose files are not divided."""
    file = item.file
    try:
        content = open_file(file, 0)
        if isinstance(content, bytes):
            return
        read_batch = partial(read_rows, source=source_id(file.name), tables=options.reading.tables)
        with content:
            for step in options.reading.reader.range_batches(file.name, content, range, read_batch):
                for columns in step.result.values():
                    yield column_batch(options.table, columns)
    except SourceError:
        return


def _of_file(file: StoredFile, options: SourceOptions, time: int) -> "Iterator[pyarrow.RecordBatch]":
    try:
        content = open_file(file, LARGE)
        facts = _facts_of(file, content, options)
    except SourceError as error:
        failed = SourceFacts("error", error.message.removeprefix(f"{error.path}: "), size=file.size, mtime=file.mtime)
        yield from _source_rows(file.name, "", failed, options, time)
        return
    for event in read_file(Input(file.name, content=content), file.name, facts, options.reading):
        if isinstance(event, RowsEvent):
            for columns in event.rows.values():
                yield column_batch(options.table, columns)
        elif isinstance(event, Member):
            yield from _source_rows(file.name, event.member, event.facts, options, time)
        elif isinstance(event, End):
            yield from _source_rows(file.name, "", event.facts, options, time)


def _facts_of(file: StoredFile, content: bytes | OpenFile, options: SourceOptions) -> SourceFacts:
    size = len(content) if isinstance(content, bytes) else content.size
    digest = _hash_of(content) if options.table is SOURCE else None
    return SourceFacts("partial", size=size, mtime=file.mtime, content_hash=digest)


def _hash_of(content: bytes | OpenFile) -> str:
    if isinstance(content, bytes):
        return sha256(content).hexdigest()
    digest = sha256()
    for start in range(0, content.size, _HASHED):
        digest.update(content.read(start, start + _HASHED))
    return digest.hexdigest()


def _source_rows(
    path: str, member: str, facts: SourceFacts, options: SourceOptions, time: int
) -> "Iterator[pyarrow.RecordBatch]":
    if options.table is SOURCE:
        yield record_batch(SOURCE, [source_row(path, member, facts, time)])


def _without_duplicates(batches: "Iterable[pyarrow.RecordBatch]") -> "Iterator[pyarrow.RecordBatch]":
    """Yield the rows of URLs that the partition has not yielded yet; each batch has every URL once."""
    pa = import_package("pyarrow", "spark")
    seen: set[str] = set()
    for batch in batches:
        if len(seen) > _MOST_URLS:
            seen.clear()
        ids = batch.column(0).to_pylist()
        yield batch.filter(pa.array([id not in seen for id in ids], pa.bool_()))
        seen.update(ids)


def _grouped(batches: "Iterable[pyarrow.RecordBatch]", options: SourceOptions) -> "Iterator[pyarrow.RecordBatch]":
    """Yield larger batches, which cost less to pass on."""
    pa = import_package("pyarrow", "spark")
    pending: list[pyarrow.RecordBatch] = []

    def joined() -> "list[pyarrow.RecordBatch]":
        table = pa.Table.from_batches(pending, arrow_schema(options.table))
        batches: list[pyarrow.RecordBatch] = table.combine_chunks().to_batches()
        return batches

    rows = 0
    for batch in batches:
        pending.append(batch)
        rows += batch.num_rows
        if rows >= _ROWS:
            yield from joined()
            pending, rows = [], 0
    if rows:
        yield from joined()
