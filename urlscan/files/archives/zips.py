"""Zip archives (PKWARE's .ZIP File Format Specification), read from the central directory at their end.

`zipfile` is not used. It reads a directory of any size into memory, 128 MiB for 17 MB with 300,000 members (this module
2 MiB, in 2.3 s in place of 1.9 s; `benchmarks/archives.py`), and rejects an archive whose end is missing.
"""

import stat
import struct
import zlib
from collections.abc import Iterator

from urlscan.core.record import NamedTuple
from urlscan.files.archives.streams import (
    FORMATS,
    PIECE,
    ArchiveEntry,
    ByteRange,
    DamagedError,
    Stream,
    Unpacked,
    Window,
    exactly,
    raw_lzma,
)
from urlscan.files.decode import end_of_zip
from urlscan.files.random_access import OpenFile

# 4.3.7 local file header, 4.3.12 central directory header, 4.3.16 end of central directory record, 4.3.15 locator of
# the zip64 end of central directory record, 4.3.14 zip64 end of central directory record, 4.3.9 data descriptor
_LOCAL = struct.Struct("<4s5H3I2H")
_CENTRAL = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_LOCATOR = struct.Struct("<4sIQI")
_END_64 = struct.Struct("<4sQ2H2I4Q")
_DESCRIPTOR = struct.Struct("<4s3I")
_IN_ZIP64 = 0xFFFFFFFF  # the value of a field whose number is in the zip64 record
_ENCRYPTED, _DESCRIBED_AFTER, _UTF_8 = 1 << 0, 1 << 3, 1 << 11  # 4.4.4 general purpose bit flag
_UNIX, _OS_X = 3, 19  # 4.4.2 version made by
# 4.4.5 compression method
_STORED, _LZMA = 0, 14
_METHODS = {8: "deflate", 12: "bz2", 20: "zst", 93: "zst", 95: "xz"}
_NAMES = {1: "Shrink", 6: "Implode", 9: "Deflate64", 10: "Implode", 18: "TERSE", 19: "LZ77", 97: "WavPack", 98: "PPMd"}


class _Header(NamedTuple):
    """The header of a member; sizes in bytes.

    Attributes:
        packed, size: the stored and the unpacked size; -1 if not known yet.
        start: the offset of the stored data.
    """

    name: str
    flags: int
    method: int
    crc: int
    packed: int
    size: int
    start: int
    made_by: int = 0
    attributes: int = 0


def entries(reader: OpenFile) -> Iterator[ArchiveEntry]:
    """Yield the regular files of an archive, in the order of the directory.

    Raises:
        DamagedError: the archive cannot be read any further.
    """
    directory = _directory(reader)
    if directory is None:
        yield from _without_directory(reader)
        return
    start, end, base = directory
    records = _Buffered(ByteRange(reader, start, end))
    while data := records.take(_CENTRAL.size):
        if len(data) < _CENTRAL.size or data[:4] != b"PK\x01\x02":
            raise DamagedError("damaged directory")
        header = _central(data, records, base)
        if _is_regular(header):
            yield _entry(reader, header)


def _directory(reader: OpenFile) -> tuple[int, int, int] | None:
    """Return the directory's start and end, and the size of the data before the archive; None without one."""
    end = end_of_zip(reader, is_damaged=True)
    if end < 0:
        return None
    *_, size, offset, _ = _END.unpack(reader.read(end, end + _END.size))
    locator = reader.read(end - _LOCATOR.size, end)
    if locator.startswith(b"PK\x06\x07") and len(locator) == _LOCATOR.size:
        # It is right before its locator, except if there is an "extensible data sector", which no program writes.
        for offset_64 in (end - _LOCATOR.size - _END_64.size, _LOCATOR.unpack(locator)[2]):
            record = reader.read(offset_64, min(offset_64 + _END_64.size, end))
            if record.startswith(b"PK\x06\x06") and len(record) == _END_64.size:
                *_, size, offset = _END_64.unpack(record)
                end = offset_64
                break
    if size > end:
        raise DamagedError("damaged directory")
    return end - size, end, end - size - offset


def _central(data: bytes, records: "_Buffered", base: int) -> _Header:
    (_, made_by, _, flags, method, _, _, crc, packed, size, name_size, extra_size, comment_size, _, _, attributes,
     offset) = _CENTRAL.unpack(data)  # fmt: skip
    name, extra = records.take(name_size), records.take(extra_size)
    records.take(comment_size)
    size, packed, offset = _large(extra, size, packed, offset)
    return _Header(_text(name), flags, method, crc, packed, size, base + offset, made_by, attributes)


def _large(extra: bytes, *numbers: int) -> tuple[int, ...]:
    """Return the numbers, with those that do not fit in the header taken from the zip64 extra field (4.5.3)."""
    field = _field(extra, 0x0001)
    values = iter(struct.unpack(f"<{len(field) // 8}Q", field[: len(field) // 8 * 8]))
    return tuple(next(values, number) if number == _IN_ZIP64 else number for number in numbers)


def _field(extra: bytes, header_id: int) -> bytes:
    start = 0
    while start + 4 <= len(extra):
        kind, size = struct.unpack_from("<2H", extra, start)
        if kind == header_id:
            return extra[start + 4 : start + 4 + size]
        start += 4 + size
    return b""


def _is_regular(header: _Header) -> bool:
    if header.name.endswith("/"):
        return False
    # 4.4.15: on Unix, the mode is in the upper half. The data of a link is its target; the data of a FIFO is kept.
    kind = stat.S_IFMT(header.attributes >> 16) if header.made_by >> 8 in (_UNIX, _OS_X) else 0
    return kind not in (stat.S_IFLNK, stat.S_IFDIR)


def _entry(reader: OpenFile, header: _Header) -> ArchiveEntry:
    local = reader.read(header.start, header.start + _LOCAL.size) if header.start >= 0 else b""
    if len(local) < _LOCAL.size or not local.startswith(b"PK\x03\x04"):
        return ArchiveEntry(header.name, _Broken("damaged: no header at the offset in the directory"))
    name_size, extra_size = _LOCAL.unpack(local)[-2:]
    start = header.start + _LOCAL.size + name_size + extra_size
    return _opened(header, ByteRange(reader, start, start + header.packed))


def _opened(header: _Header, stored: Stream) -> ArchiveEntry:
    if header.flags & _ENCRYPTED:
        return ArchiveEntry(header.name, stored, "encrypted")
    stream: Stream = stored
    try:
        if header.method == _LZMA:
            # Preceded by its properties (5.8.8). Without an end mark, padding could be read as data, too.
            head = exactly(stored, 4)
            decompressor = raw_lzma(exactly(stored, int.from_bytes(head[2:4], "little")))
            stream = Window(Unpacked(stored, FORMATS["xz"], decompressor=decompressor), header.size)
        elif header.method in _METHODS:
            stream = Unpacked(stored, FORMATS[_METHODS[header.method]], is_single=True)
        elif header.method != _STORED:
            name = _NAMES.get(header.method, f"method {header.method}")
            return ArchiveEntry(header.name, stored, f"the compression {name} is not supported")
    except DamagedError as error:
        return ArchiveEntry(header.name, _Broken(str(error)))
    return ArchiveEntry(header.name, _Verified(stream, header.size, header.crc))


def _text(name: bytes) -> str:
    """Return a name, decoded as UTF-8 whether or not the flag is set, or else as code page 437 (appendix D)."""
    try:
        return name.decode("utf-8")
    except UnicodeDecodeError:
        return name.decode("cp437")


def _without_directory(reader: OpenFile) -> Iterator[ArchiveEntry]:
    """Yield the members before the position at which the archive is truncated."""
    start = 0
    while (local := reader.read(start, start + _LOCAL.size)).startswith(b"PK\x03\x04") and len(local) == _LOCAL.size:
        _, _, flags, method, _, _, crc, packed, size, name_size, extra_size = _LOCAL.unpack(local)
        start += _LOCAL.size
        name = reader.read(start, start + name_size)
        start += name_size
        extra = reader.read(start, start + extra_size)
        start += extra_size
        size, packed = _large(extra, size, packed)
        if flags & _DESCRIBED_AFTER and not packed:
            crc, packed, size = _described(reader, start)
        header = _Header(_text(name), flags, method, crc, packed, size, start)
        if _is_regular(header):
            yield _opened(header, ByteRange(reader, start, start + packed))
        start += packed
        if flags & _DESCRIBED_AFTER and reader.read(start, start + 4) == b"PK\x07\x08":
            start += _DESCRIPTOR.size
    raise DamagedError("the directory is missing; the archive may be truncated")


def _described(reader: OpenFile, start: int) -> tuple[int, int, int]:
    """Return the checksum and sizes from the data descriptor after the data (4.3.9), or the remaining size."""
    offset = start
    while len(data := reader.read(offset, offset + PIECE)) > _DESCRIPTOR.size:
        mark = data.find(b"PK\x07\x08")
        while 0 <= mark <= len(data) - _DESCRIPTOR.size:
            _, crc, packed, size = _DESCRIPTOR.unpack_from(data, mark)
            if packed == offset + mark - start:
                return crc, packed, size
            mark = data.find(b"PK\x07\x08", mark + 4)
        offset += len(data) - _DESCRIPTOR.size
    return 0, reader.size - start, -1


class _Buffered:
    """Reads a stream in large pieces and returns it in small ones."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._data, self._at = b"", 0

    def take(self, size: int) -> bytes:
        """Return exactly `size` bytes, or fewer at the end."""
        if len(self._data) - self._at < size:
            self._data = self._data[self._at :] + exactly(self._stream, max(size, 1 << 16))
            self._at = 0
        data = self._data[self._at : self._at + size]
        self._at += len(data)
        return data


class _Broken(Stream):
    """A stream that cannot be read."""

    def __init__(self, message: str) -> None:
        self._message = message

    def read(self, size: int) -> bytes:
        """Raise DamagedError."""
        raise DamagedError(self._message)


class _Verified(Stream):
    """A member whose size and checksum are verified at its end."""

    def __init__(self, stream: Stream, size: int, crc: int) -> None:
        self._stream = stream
        self._left, self._expected_crc, self._crc = size, crc, 0

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes. Raise DamagedError at the end if the size or the checksum is wrong."""
        data = self._stream.read(size)
        if data:
            self._crc = zlib.crc32(data, self._crc)
            self._left -= len(data)
        elif self._left:
            difference = "shorter" if self._left > 0 else "longer"
            raise DamagedError(f"{abs(self._left)} bytes {difference} than declared")
        elif self._crc != self._expected_crc:
            raise DamagedError("damaged: wrong checksum")
        return data
