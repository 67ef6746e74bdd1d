"""Turn what a batch of a source contains into the rows of the tables."""

import functools
import pickle
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from typing import Any, NamedTuple

from urlscan import __version__, host_names, is_valid, readable, split
from urlscan.api.batches import Batch, Message
from urlscan.api.masked import MaskedFinding, MaskedOccurrence
from urlscan.archive.domains import domain_of
from urlscan.archive.schema import EXTRACTED, FINDING, MESSAGE, OCCURRENCE, URL

Row = tuple[object, ...]
# The rows of a table by column, in its order.
Columns = Sequence[Sequence[Any]]
_HASH_BYTES = 16
_PORT = re.compile("[0-9]{1,5}")
_LARGEST_PORT = 65535
_LONGEST_SCHEME = 64
# Values of fields that a record omits.
_MISSING = {"member": "", "relative": False, "template": False, "redacted": False}


class SourceFacts(NamedTuple):
    """The state of a source, as the columns of `source` describe it.

    Attributes:
        status: ok, partial, skipped or error.
        error: the reason, or a remark on how the source was read.
        bytes_read: bytes that were read, after unpacking.
        kind, encoding: how it was read; None if it was not.
        size: bytes of the file; None if that is unknown.
        mtime: time of its last change, in microseconds since 1970.
        content_hash: SHA-256 of the file.
    """

    status: str
    error: str | None = None
    bytes_read: int = 0
    kind: str | None = None
    encoding: str | None = None
    size: int | None = None
    mtime: int | None = None
    content_hash: str | None = None


class Rows:
    """Rows by table, pickled once, however many processes pass them on; only the one that needs them unpickles them."""

    __slots__ = ("_rows",)

    def __init__(self, rows: dict[str, Columns] | bytes) -> None:
        self._rows = rows

    @property
    def by_table(self) -> dict[str, Columns]:
        """The rows; a table without rows is left out."""
        if not isinstance(self._rows, bytes):
            return self._rows
        rows: dict[str, Columns] = pickle.loads(self._rows)  # noqa: S301 - written by ourselves a moment ago
        return rows

    def __reduce__(self) -> "tuple[type[Rows], tuple[bytes]]":
        """Return how to create the object in another process."""
        if not isinstance(self._rows, bytes):
            self._rows = pickle.dumps(self._rows, pickle.HIGHEST_PROTOCOL)
        return Rows, (self._rows,)


def read_rows(batch: Batch, source: str, tables: frozenset[str]) -> Rows:
    """Return the rows of a batch, in the order of the text.

    Each URL has one row, however often it occurs.

    Args:
        source: the id of the source.
        tables: the names of the tables that are requested.
    """
    messages = list[Message]()
    if MESSAGE.name in tables:
        messages += batch.messages()
    occurrences, findings = list[MaskedOccurrence](), list[MaskedFinding]()
    for contents in batch:
        occurrences += contents.occurrences
        findings += contents.findings
    urls = dict.fromkeys([occurrence.url for occurrence in occurrences])
    urls.update(dict.fromkeys([masked.finding.url for masked in findings if masked.finding.url]))
    ids = {url: _hash_of_url(url) for url in urls}
    columns: dict[str, Columns] = {}
    if messages:
        columns[MESSAGE.name] = _transposed((source, *message) for message in messages)
    if urls and URL.name in tables:
        columns[URL.name] = _transposed(map(url_row, urls))
    if occurrences and OCCURRENCE.name in tables:
        columns[OCCURRENCE.name] = _occurrence_columns(source, occurrences, ids)
    if findings and FINDING.name in tables:
        columns[FINDING.name] = _transposed(_finding_row(source, masked, ids) for masked in findings)
    return Rows(columns)


def _transposed(rows: Iterable[Row]) -> Columns:
    return list(zip(*rows, strict=True))


def _occurrence_columns(source: str, occurrences: list[MaskedOccurrence], ids: Mapping[str, str]) -> Columns:
    """Return the rows of URLs; nearly all columns are fields."""
    values = zip(*occurrences, strict=True)
    columns: dict[str, Sequence[Any]] = dict(zip(MaskedOccurrence._fields, values, strict=True))
    columns["source_id"] = [source] * len(occurrences)
    columns["url_id"] = [ids[url] for url in columns["url"]]
    columns["original"] = [original or None for original in columns["original"]]
    for name in ("breaks", "alternatives"):
        columns[name] = [items and [item._asdict() for item in items] for items in columns[name]]
    return [columns[column.name] for column in OCCURRENCE.columns]


def _finding_row(source: str, masked: MaskedFinding, ids: Mapping[str, str]) -> Row:
    message_start, part, finding = masked
    position = (finding.start, finding.end, finding.line, finding.column, message_start, part)
    rule = (finding.code, finding.name, finding.severity.label, finding.component or None)
    texts = (finding.message, finding.section or None, finding.suggestion or None, finding.context or None)
    return (source, *position, *rule, *texts, ids.get(finding.url))


def source_row(path: str, member: str, facts: SourceFacts, written_at: int) -> Row:
    """Return the row of a source whose last rows were written at a time in microseconds since 1970."""
    identity, names = source_id(path, member), (readable(path), readable(member))
    read = (facts.kind, facts.encoding, facts.size, facts.mtime, facts.content_hash, facts.bytes_read)
    return (identity, *names, *read, facts.status, facts.error, __version__, written_at)


def now() -> int:
    """Return the time in microseconds since 1970."""
    return time.time_ns() // 1000


def source_id(path: str, member: str = "") -> str:
    """Return the id of a source.

    >>> source_id("/mail/inbox.mbox")
    '8bf0190705a86f5339d609c39086b4ed'
    """
    return _hash(f"{path}\0{member}" if member else path)


def _hash(text: str) -> str:
    # 128 bits: with 64, a stranger could find two URLs with equal hashes, one of which would hide the other.
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_HASH_BYTES).hexdigest()


_hash_of_url = functools.lru_cache(maxsize=1 << 14)(_hash)


@functools.lru_cache(maxsize=1 << 14)  # many sources hold the same URLs
def url_row(url: str) -> Row:
    """Return the row of a URL whose secrets are masked.

    >>> url_row("http://WWW.h.example:80/a?b#c")[2:12]
    ('http', None, 'www.h.example', 'www.h.example', 80, '/a', 'b', 'c', 'h.example', 'example')
    """
    parts = split(url)
    scheme = host = ascii = port = registered = suffix = None
    if parts.scheme and len(parts.scheme) <= _LONGEST_SCHEME:
        scheme = parts.scheme.lower()
    if parts.host:
        host, ascii = host_names(parts.host)
        if ascii is not None or host.isascii():
            registered, suffix = domain_of(ascii or host)
    if parts.port and _PORT.fullmatch(parts.port) and int(parts.port) <= _LARGEST_PORT:
        port = int(parts.port)
    authority = (parts.userinfo, host, ascii, port)
    validity = (is_valid(url), is_valid(url, profile="rfc1738"))
    rest = (parts.path, parts.query, parts.fragment, registered, suffix)
    return (_hash_of_url(url), url, scheme, *authority, *rest, *validity)


def extracted_row(record: Mapping[str, Any]) -> Row:
    """Return the JSON record of an occurrence as a row of EXTRACTED."""
    values = []
    for column in EXTRACTED.columns:
        value = record.get(column.name, _MISSING.get(column.name))
        if column.name == "date" and value is not None:
            value = datetime.fromisoformat(value).replace(tzinfo=None)
        elif column.type == "string" and value is not None:
            value = readable(value)
        values.append(value)
    return tuple(values)
