"""Tar archives, read forward: ustar (POSIX.1-1988), pax (POSIX.1-2001), GNU and V7.

`tarfile` is not used. Read as a stream, it takes 769 MiB for a header of 256 MiB (this module 2 MiB), ends with a
RecursionError at 100,000 headers in a row, and records each member: 43 MiB and 2.8 s for 100,000 members (this module
2 MiB and 1.1 s; `benchmarks/archives.py`).
"""

from collections.abc import Iterator

from urlscan.core.record import NamedTuple
from urlscan.files.archives.streams import ArchiveEntry, DamagedError, Stream, Window, exactly

BLOCK = 512
# Limit on the data of an extended header: it contains names and times, not contents.
_LONGEST = 1 << 20
# Regular files: "0" in POSIX and GNU, NUL in V7. A contiguous file ("7") is a regular file, too.
_REGULAR = {b"0", b"\0", b"7"}
# Links, devices, directories and FIFOs have no data, whatever size is stored.
_NO_DATA = {b"1", b"2", b"3", b"4", b"5", b"6"}
_SPARSE = "a sparse file"


class _Extended(NamedTuple):
    """The properties that extended headers set for the next member.

    Attributes:
        name: the name, or "".
        size: the size, or -1.
        is_sparse: whether the file has holes, which are not stored.
    """

    name: str = ""
    size: int = -1
    is_sparse: bool = False


def is_header(block: bytes) -> bool:
    """Return whether a block of 512 bytes is the header of a member, by its checksum."""
    try:
        stored = _number(block[148:156])
    except DamagedError:
        return False
    # POSIX: the sum of all bytes, with blanks in its own field; some programs summed signed bytes.
    rest = block[:148] + b" " * 8 + block[156:BLOCK]
    total = sum(rest)
    is_sum = stored == total or stored == total - 256 * sum(byte > 127 for byte in rest)
    return is_sum and len(rest) == BLOCK


def entries(stream: Stream) -> Iterator[ArchiveEntry]:
    """Yield the regular files of an archive, in order. Raise DamagedError where it cannot be read any further."""
    extended = _Extended()
    while block := exactly(stream, BLOCK):
        if not block.strip(b"\0"):
            break
        if len(block) < BLOCK:
            raise DamagedError("unexpected end of data")
        if not is_header(block):
            raise DamagedError("damaged header; the rest is not read")
        kind, size = block[156:157], _number(block[124:136])
        if kind in (b"x", b"X", b"L"):
            extended = _extend(extended, kind, _data(stream, size))
            continue
        if extended.size >= 0:
            size = extended.size
        if kind in _NO_DATA:
            size = 0
        window = Window(stream, size)
        name = extended.name or _name(block)
        if kind == b"S":  # GNU: the map of the holes continues in further blocks
            _skip_sparse_maps(stream, block[482:483])
            yield ArchiveEntry(name, window, _SPARSE)
        elif kind in _REGULAR and not name.endswith("/"):  # in V7, only the name shows a directory
            yield ArchiveEntry(name, window, _SPARSE if extended.is_sparse else "")
        stream.skip(window.left + -size % BLOCK)  # to the end of its last block
        if kind not in (b"g", b"K"):
            extended = _Extended()
    # Data after the end is ignored, but must be readable.
    while stream.read(1 << 18):
        pass


def _data(stream: Stream, size: int) -> bytes:
    """Return the data of an extended header, or b"" if it exceeds the limit."""
    if size > _LONGEST:
        stream.skip(size + -size % BLOCK)
        return b""
    data = exactly(stream, size)
    if len(data) < size:
        raise DamagedError("unexpected end of data")
    stream.skip(-size % BLOCK)
    return data


def _skip_sparse_maps(stream: Stream, more: bytes) -> None:
    while more not in (b"", b"\0"):
        block = exactly(stream, BLOCK)
        if len(block) < BLOCK:
            raise DamagedError("unexpected end of data")
        more = block[504:505]


def _extend(extended: _Extended, kind: bytes, data: bytes) -> _Extended:
    if kind == b"L":  # GNU: a name that does not fit into its field
        return extended._replace(name=_text(data))
    position = 0
    # POSIX pax: "%d %s=%s\n", <length>, <keyword>, <value>; the length counts the whole record.
    while position < len(data):
        digits, blank, _ = data[position : position + 20].partition(b" ")
        if not (blank and digits.isdigit()) or int(digits) <= len(digits) + 1:
            break
        key, _, value = data[position + len(digits) + 1 : position + int(digits)].removesuffix(b"\n").partition(b"=")
        position += int(digits)
        if (key == b"path" and not extended.is_sparse) or key == b"GNU.sparse.name":
            extended = extended._replace(name=_text(value))
        elif key == b"size" and value.isdigit() and len(value) < 20:
            extended = extended._replace(size=int(value))
        if key.startswith(b"GNU.sparse."):
            extended = extended._replace(is_sparse=True)
    return extended


def _name(block: bytes) -> str:
    name = _text(block[:100])
    # GNU stores times where POSIX stores the first part of the path.
    prefix = _text(block[345:500]) if block[257:263] == b"ustar\0" else ""
    if prefix:
        return f"{prefix}/{name}"
    return name


def _text(field: bytes) -> str:
    return field.partition(b"\0")[0].decode("utf-8", "surrogateescape")


def _number(field: bytes) -> int:
    """Return an octal number, or a GNU base-256 number, which has more digits.

    Raises:
        DamagedError: the field is not a number, or the number is negative.
    """
    if field[:1] == b"\x80":
        return int.from_bytes(field[1:], "big")
    digits = field.replace(b"\0", b" ").strip() or b"0"
    try:
        if not digits.isdigit():
            raise ValueError(digits)
        return int(digits, 8)
    except ValueError:
        raise DamagedError("damaged header; the rest is not read") from None
