"""Write the output of `extract` as JSON, CSV and TSV."""

import io
from collections.abc import Iterable, Iterator, Sequence

from urlscan.core.record import NamedTuple
from urlscan.core.records import SCHEMA_VERSION
from urlscan.formats.escape import escape
from urlscan.formats.records import Record, array, dumps

# The scalar fields of the record of an occurrence; lists do not fit in a cell.
_COLUMNS = (
    "url", "raw", "path", "line", "column", "end_line", "end_column", "start", "end", "outer_start", "outer_end",
    "scheme", "style", "joined", "template", "assumed", "redacted", "member", "message_id", "date",
    "part",
)  # fmt: skip
# Characters with which a formula begins in spreadsheets.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_DELIMITERS = {"csv": ",", "tsv": "\t"}


class UrlBatch(NamedTuple):
    """Some URLs of one source.

    Attributes:
        path: the path to show, with the member of an archive.
        urls: the masked URLs, in which control characters are not escaped yet.
        lines: their JSON records, each a line; empty if only the URLs are needed.
    """

    path: str
    urls: list[str]
    lines: list[str]

    @property
    def records(self) -> list[Record]:
        """The JSON records."""
        import json

        return list(map(json.loads, self.lines))


def occurrences(batches: Iterable[UrlBatch], format: str, *, with_original: bool = False) -> Iterator[str]:
    """Yield the occurrences as `json`, `jsonl`, `csv` or `tsv`, the latter two on request with a column `original`."""
    if with_original:
        return _rendered(batches, (*_COLUMNS, "original"), format)
    return _rendered(batches, _COLUMNS, format)


def counts(rows: Iterable[Record], columns: tuple[str, ...], format: str) -> Iterator[str]:
    """Yield URLs, or hosts, domains or schemes, with their counts in the same formats."""
    if format not in ("json", "jsonl"):
        return rows_as_csv(columns, ([row.get(column, "") for column in columns] for row in rows), format)
    lines = (dumps({"schema_version": SCHEMA_VERSION, **row}) for row in rows)
    return _rendered((UrlBatch("", [], [line]) for line in lines), columns, format)


def _rendered(batches: Iterable[UrlBatch], columns: tuple[str, ...], format: str) -> Iterator[str]:
    if format == "jsonl":
        return ("\n".join(batch.lines) + "\n" for batch in batches)
    if format == "json":
        return array(line for batch in batches for line in batch.lines)
    rows = ([record.get(column, "") for column in columns] for batch in batches for record in batch.records)
    return rows_as_csv(columns, rows, format)


def rows_as_csv(columns: Sequence[str], rows: Iterable[Sequence[object]], format: str) -> Iterator[str]:
    """Yield rows as `csv` or `tsv`, with a header."""
    import csv

    sheet = io.StringIO()
    writer = csv.writer(sheet, delimiter=_DELIMITERS[format], lineterminator="\n")
    writer.writerow([escape(name) for name in columns])
    for row in rows:
        writer.writerow([_cell(value) for value in row])
        if sheet.tell() > 1 << 16:
            yield sheet.getvalue()
            sheet.seek(0)
            sheet.truncate()
    yield sheet.getvalue()


def _cell(value: object) -> object:
    """Return a cell that is safe to print and is not interpreted as a formula."""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return value
    if value.startswith(_FORMULA):
        value = "'" + value
    return escape(value)
