"""Read sources at any offset, and convert offsets to lines and columns."""

import os

from urlscan.core.errors import SourceError, reason
from urlscan.core.record import NamedTuple
from urlscan.core.typing import BinaryIO

_COUNTED = 1 << 20  # number of bytes whose lines are counted at a time


class Counted(NamedTuple):
    """An offset in a source whose position is known, so that lines are counted from there.

    Attributes:
        offset: the offset in bytes, that of a character.
        line, column: its line and column, from 1.
    """

    offset: int
    line: int
    column: int


class OpenFile:
    """A source whose bytes can be read at any offset, by any process.

    Attributes:
        size: the size in bytes.
        position: where the last read of this process ended.
        counted: an offset whose line and column are known, or None.
    """

    position = 0
    counted: Counted | None = None

    def __init__(self, file: BinaryIO, path: str) -> None:
        self._file = file
        self._path = path
        self.size = os.fstat(file.fileno()).st_size

    def read(self, start: int, stop: int) -> bytes:
        """Return the bytes from `start` to `stop`, or to the end. Raise SourceError if that fails."""
        start, stop = max(start, 0), min(stop, self.size)
        self.position = stop
        try:
            if hasattr(os, "pread"):  # forked processes share the file position
                parts = []
                while start < stop and (data := os.pread(self._file.fileno(), stop - start, start)):
                    parts.append(data)
                    start += len(data)
                return b"".join(parts)
            self._file.seek(start)
            return self._file.read(max(stop - start, 0))
        except OSError as error:
            raise SourceError(self._path, reason(error)) from None

    def __enter__(self) -> "OpenFile":
        """Return the source itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self._file.close()


class Memory(OpenFile):
    """A source whose bytes are in memory."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.size = len(data)

    def read(self, start: int, stop: int) -> bytes:
        """Return the bytes from `start` to `stop`, or to the end."""
        return self._data[max(start, 0) : stop]

    def __exit__(self, *_: object) -> None:
        """Do nothing: there is no file."""


def as_reader(data: bytes | OpenFile) -> OpenFile:
    """Return a source that may be in memory, to be read at any offset."""
    if isinstance(data, bytes):
        return Memory(data)
    return data


class Absent(Memory):
    """The bytes of a large source that are not kept, since another process reads them; `size` is a lower limit."""

    def __init__(self, size: int) -> None:
        super().__init__(b"")
        self.size = size


class Positions:
    """Converts offsets in a source to lines and columns, by counting on demand.

    Calls in ascending order read the source only once in total.

    Args:
        base: the offset of its text, in bytes.
        is_mail: whether it is mail with LF, in which a lone CR is a character of its line (RFC 5322 section 2.3).
    """

    def __init__(self, reader: OpenFile, base: int = 0, *, is_mail: bool = False) -> None:
        self._reader = reader
        self._is_mail = is_mail
        self._start = Counted(base, 1, 1)
        self._at, self._line, self._column = self._start

    def of(self, offset: int) -> tuple[int, int]:
        """Return the line and the column, counted from 1, of the character at an offset in bytes."""
        if offset < self._at:
            self._at, self._line, self._column = self._start
        counted = self._reader.counted
        if counted is not None and self._at < counted.offset <= offset:
            self._at, self._line, self._column = counted
        while self._at < offset and (data := self._reader.read(self._at, min(self._at + _COUNTED, offset))):
            if self._at + len(data) < offset:
                data = data[: last_character(data)]  # it may be incomplete
            self._count(data)
        return self._line, self._column

    def before(self, data: bytes, offset: int) -> tuple[int, int]:
        """Return `of(offset)`, and count the data at this offset, so that it is not read again."""
        position = self.of(offset)
        self._count(data)
        return position

    def _count(self, data: bytes) -> None:
        self._at += len(data)
        lone = 0
        if not self._is_mail and b"\r" in data:
            lone = data.count(b"\r")
            is_split = data.endswith(b"\r") and self._reader.read(self._at, self._at + 1) == b"\n"
            lone -= data.count(b"\r\n") + is_split
        ends = data.count(b"\n") + lone
        if ends:
            last = data.rfind(b"\n")
            if lone:
                last = max(last, data.rfind(b"\r"))
            data = data[last + 1 :]
            self._line, self._column = self._line + ends, 1
        self._column += len(data.decode("utf-8", "surrogateescape"))


def last_character(data: bytes) -> int:
    """Return the offset of the last UTF-8 character, complete or not; the length of data that is not UTF-8."""
    positions = range(len(data) - 1, max(len(data) - 5, 0), -1)
    return next((position for position in positions if not 0x80 <= data[position] < 0xC0), len(data))
