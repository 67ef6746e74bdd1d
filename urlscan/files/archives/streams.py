"""Streams that are read forward: the bytes of a file, of a part of it, or of a member."""

from typing import NamedTuple, Protocol

from urlscan.core.errors import UrlscanError
from urlscan.files.random_access import Reader

# Size of one read where the whole stream is wanted, in bytes.
PIECE = 1 << 18


class DamagedError(UrlscanError):
    """A stream cannot be read any further."""


class ExhaustedError(DamagedError):
    """The limit of what may be unpacked from a source is reached."""


class Stream(Protocol):
    """Bytes that are read forward."""

    def read(self, size: int) -> bytes:
        """Return at most about `size` bytes; b"" at the end. Raise DamagedError where the stream cannot be read."""

    def skip(self, size: int) -> None:
        """Skip `size` bytes. Raise DamagedError if there are fewer."""


class ArchiveEntry(NamedTuple):
    """A regular file of an archive.

    Attributes:
        name: as it is stored; not a place to write to.
        stream: what it holds.  It is gone when the next entry is asked for.
        why: why it is not to be read, or "".
    """

    name: str
    stream: Stream
    why: str = ""


def passed_over(stream: Stream, size: int) -> None:
    """Skip `size` bytes by reading them. Raise DamagedError if there are fewer."""
    while size > 0:
        data = stream.read(min(size, PIECE))
        if not data:
            raise DamagedError("it ends too early")
        size -= len(data)


def exactly(stream: Stream, size: int) -> bytes:
    """Return `size` bytes, fewer only at the end."""
    data = stream.read(size)
    if len(data) == size or not data:
        return data
    parts = [data]
    left = size - len(data)
    while left > 0 and (data := stream.read(left)):
        parts.append(data)
        left -= len(data)
    return b"".join(parts)


class ByteRange:
    """A range of a source's bytes."""

    def __init__(self, reader: Reader, start: int, stop: int) -> None:
        self._reader, self._at, self._stop = reader, start, stop

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes."""
        data = self._reader.read(self._at, min(self._at + size, self._stop)) if self._at < self._stop else b""
        self._at += len(data)
        return data

    def skip(self, size: int) -> None:
        """Skip `size` bytes without reading them."""
        if self._at + size > min(self._stop, self._reader.size):
            raise DamagedError("it ends too early")
        self._at += size


class Window:
    """The next bytes of another stream."""

    def __init__(self, stream: Stream, size: int) -> None:
        self._stream = stream
        self.left = size

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes; DamagedError if the other stream ends before this one."""
        if not self.left:
            return b""
        data = self._stream.read(min(size, self.left))
        if not data:
            raise DamagedError("it ends too early")
        self.left -= len(data)
        return data

    def skip(self, size: int) -> None:
        """Skip `size` bytes."""
        self._stream.skip(size)
        self.left -= size


class Peeked:
    """A stream whose beginning is known before it is read.

    Attributes:
        head: how it begins.
    """

    def __init__(self, stream: Stream, size: int) -> None:
        self._stream = stream
        # Not the error itself: its traceback refers to this object, and the garbage collector is off.
        self._trouble: tuple[type[DamagedError], str, str] | None = None
        parts: list[bytes] = []
        try:
            while size > 0 and (data := stream.read(size)):
                parts.append(data)
                size -= len(data)
        except DamagedError as error:
            self._trouble = type(error), error.message, error.hint
        self.head = b"".join(parts)
        self._ahead = self.head

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes, or all of the beginning that is left."""
        if self._ahead:
            data, self._ahead = self._ahead[:size], self._ahead[size:]
            return data
        self._go_on()
        return self._stream.read(size)

    def skip(self, size: int) -> None:
        """Skip `size` bytes."""
        ahead = min(size, len(self._ahead))
        self._ahead = self._ahead[ahead:]
        if size > ahead:
            self._go_on()
            self._stream.skip(size - ahead)

    def _go_on(self) -> None:
        if self._trouble is not None:
            kind, message, hint = self._trouble
            raise kind(message, hint=hint)
