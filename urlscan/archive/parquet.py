"""Write Arrow record batches as Parquet or as an Arrow stream, without reading back what was written."""

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from urlscan.archive.rows import extracted_row
from urlscan.archive.schema import EXTRACTED, arrow_schema, import_package, record_batch

if TYPE_CHECKING:
    import pyarrow

_ROWS = 1 << 17  # rows of a row group


class _Sink(io.RawIOBase):
    """A file for pyarrow that passes the bytes on."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._position = 0

    def write(self, data: Any) -> int:
        block = bytes(data)
        self._write(block)
        self._position += len(block)
        return len(block)

    def tell(self) -> int:
        return self._position

    def writable(self) -> bool:
        return True


def write_parquet(
    write: Callable[[bytes], object], schema: "pyarrow.Schema", batches: "Iterable[pyarrow.RecordBatch]"
) -> None:
    """Write record batches as a Parquet file."""
    pa = import_package("pyarrow")
    from pyarrow.parquet import ParquetWriter

    with ParquetWriter(pa.PythonFile(_Sink(write), mode="w"), schema, compression="zstd") as writer:
        for table in _grouped(pa, schema, batches):
            writer.write_table(table, row_group_size=_ROWS)


def write_stream(
    write: Callable[[bytes], object], schema: "pyarrow.Schema", batches: "Iterable[pyarrow.RecordBatch]"
) -> None:
    """Write record batches in the streaming format of Arrow."""
    pa = import_package("pyarrow")
    with pa.ipc.new_stream(pa.PythonFile(_Sink(write), mode="w"), schema) as writer:
        for batch in batches:
            writer.write_batch(batch)


def _grouped(
    pa: "pyarrow", schema: "pyarrow.Schema", batches: "Iterable[pyarrow.RecordBatch]"
) -> "Iterator[pyarrow.Table]":
    """Yield tables with enough rows for a row group each."""
    pending: list[pyarrow.RecordBatch] = []
    rows = 0
    for batch in batches:
        pending.append(batch)
        rows += batch.num_rows
        if rows >= _ROWS:
            yield pa.Table.from_batches(pending, schema)
            pending, rows = [], 0
    if pending:
        yield pa.Table.from_batches(pending, schema)


def write_records(
    write: Callable[[bytes], object], batches: Iterable[Sequence[Mapping[str, Any]]], format: str
) -> None:
    """Write the JSON records of occurrences as `parquet` or as an `arrow` stream."""
    rows = (record_batch(EXTRACTED, map(extracted_row, batch)) for batch in batches)
    (write_parquet if format == "parquet" else write_stream)(write, arrow_schema(EXTRACTED), rows)
