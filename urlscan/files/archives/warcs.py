"""Web archives (ISO 28500, WARC 1.0 and 1.1), read forward: the responses and resources that a crawler stored.

fastwarc reads the records. Records of the crawler itself (`warcinfo`, `request`) are not read: the URLs in them are
those that it requested.
"""

import re
from collections import deque
from collections.abc import Iterator
from datetime import datetime

from urlscan.core.project import install_command
from urlscan.core.records import WebRecord
from urlscan.core.typing import TYPE_CHECKING
from urlscan.files.archives.payloads import NOTHING, Meter, Source, TruncatedError, response
from urlscan.files.archives.streams import ArchiveEntry, DamagedError, Stream
from urlscan.files.decode import is_encoding
from urlscan.files.media_types import content_type_of, web_kind

if TYPE_CHECKING:
    from fastwarc.warc import ArchiveIterator, WarcRecord

_UNREAD_TYPES = frozenset(("warcinfo", "request"))
_HTTP = "application/http"
_BINARY = "a binary record"
_DAMAGED = "damaged record"
# The first line of a record, after the end of the one before.
_FIRST_LINE = re.compile(rb"(?<=\n)WARC/1\.[01]\r?\n")
_LONGEST_FIRST_LINE = 10
# The bytes kept for searching the record after a damaged one; fastwarc reads 64 KB ahead.
_KEPT = 1 << 18
# Damaged records after which the rest is not read: searching takes time.
_MOST_DAMAGED = 100
_LENGTH = re.compile(r"[0-9]{1,18}\Z")
# WARC 1.1 section 5.4: a date or a time in UTC, with up to nine digits of a second.
# Matches: `2020-01-02T03:04:05Z`, `2020-01-02T03:04:05.123456789Z`, `2020-01-02`
# Does not match: `2020-01-02 03:04:05`, `2020-01-02T03:04:05+01:00`, `2020`
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?Z)?\Z")


class _Input(Source):
    """A web archive as fastwarc reads it, with the last bytes, among which the next record is searched."""

    def __init__(self, stream: Stream) -> None:
        super().__init__(stream)
        self._kept: deque[bytes] = deque()
        self._kept_size = 0
        self._again = b""

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes; b"" at the end and after an error."""
        if self._again:
            size = size if size > 0 else len(self._again)
            data, self._again = self._again[:size], self._again[size:]
            self.at += len(data)
        else:
            data = super().read(size)
        self._kept.append(data)
        self._kept_size += len(data)
        while self._kept_size - len(self._kept[0]) >= _KEPT:
            self._kept_size -= len(self._kept.popleft())
        return data

    def go_to_record(self, start: int) -> bool:
        """Continue at the first record from the offset `start`, and return whether there is one."""
        data = b"".join(self._kept)
        offset = self.at - len(data)
        self._kept.clear()
        self._kept_size = 0
        searched = max(start - offset, 0)
        while (match := _FIRST_LINE.search(data, searched)) is None:
            more = self.read(_KEPT)
            if not more:
                return False
            self._kept.clear()
            self._kept_size = 0
            tail = data[-_LONGEST_FIRST_LINE - 1 :]
            data, offset, searched = tail + more, self.at - len(more) - len(tail), 0
        self._again = data[match.start() :] + self._again
        self.at = offset + match.start()
        return True


class _Block(Stream):
    """The block of a record; `left` bytes of it are not read yet."""

    def __init__(self, record: "WarcRecord", source: Source) -> None:
        self._reader = record.reader
        self._source = source
        self.left = record.content_length

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes. Raise DamagedError if there are fewer than the record declares."""
        if not self.left:
            return b""
        try:
            data = self._reader.read(min(size, self.left))
        except (OSError, ValueError):
            data = b""
        if not data:
            self._source.raise_error()
            raise TruncatedError("unexpected end of data")
        self.left -= len(data)
        return data


def entries(stream: Stream, meter: Meter) -> Iterator[ArchiveEntry]:
    """Yield the records that are read, in order, and notes on others.

    Raise DamagedError if the archive cannot be read any further, or fastwarc is not installed.
    """
    source = _Input(stream)
    records = _records(source)
    after = 1  # where the next record begins at the earliest
    damaged = 0
    while True:
        try:
            record = next(records, None)
            # The header is complete and its length a number (WARC 1.1 section 5.3).
            if record is not None and _LENGTH.match(_field(record, "Content-Length")) is None:
                after = record.stream_pos + 1
                raise ValueError(record.stream_pos)
        except (OSError, ValueError):
            source.raise_error()
            damaged += 1
            if damaged > _MOST_DAMAGED or not source.go_to_record(after):
                source.raise_error()
                raise DamagedError(f"{_DAMAGED}; the rest is not read") from None
            yield ArchiveEntry("", NOTHING, _DAMAGED, is_damaged=True)
            after = source.at + 1
            records = _records(source)
            continue
        if record is None:
            source.raise_error()
            return
        after = record.stream_pos + record.content_length + 1
        yield from _of_record(record, source, meter)


def _records(source: Source) -> "ArchiveIterator":
    try:
        from fastwarc.warc import ArchiveIterator
    except ImportError:
        raise DamagedError(
            "reading web archives requires the package fastwarc, which is not installed",
            hint=f"{install_command('warc')}, or --no-decompress",
        ) from None
    return ArchiveIterator(source, parse_http=False, stream_detect=False)


def _of_record(record: "WarcRecord", source: Source, meter: Meter) -> Iterator[ArchiveEntry]:
    """Yield a record if it is read, and a note on its payload."""
    block = _Block(record, source)
    record_type = _field(record, "WARC-Type").lower() or "unknown"
    if record_type not in _UNREAD_TYPES:
        content_type = content_type_of(_field(record, "Content-Type"))
        content: Stream = block
        body = None
        kind = web_kind(content_type.name)
        if content_type.name == _HTTP:
            content, body = response(block, meter)
            kind = "http" if body is not None else ""
        uri = _field(record, "WARC-Target-URI").removeprefix("<").removesuffix(">")
        name = f"{record.stream_pos} {uri or record_type}"  # from `tell` of the source
        record_id = _field(record, "WARC-Record-ID").removeprefix("<").removesuffix(">")
        date = _date(_field(record, "WARC-Date"))
        charset = content_type.charset if kind != "http" and is_encoding(content_type.charset) else ""
        about = WebRecord(record_id, record_type, uri, date, kind or "", charset)
        problem = _BINARY if kind is None else ""
        yield ArchiveEntry(name, content, problem, record=about)
        if body is not None and body.problem:
            yield ArchiveEntry(name, NOTHING, body.problem)
    block.skip(block.left)


def _field(record: "WarcRecord", name: str) -> str:
    """Return a field of the header of a record, or ""."""
    return (record.headers.get(name) or "").strip()


def _date(value: str) -> datetime | None:
    """Return a date in UTC without a zone, or None if it is not valid."""
    if _DATE.match(value) is None:
        return None
    try:
        return datetime.fromisoformat(value).replace(tzinfo=None)
    except ValueError:
        return None
