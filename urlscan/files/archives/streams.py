"""Streams that are read forward: the bytes of a file, of a part of a file, or of an archive member."""

from typing import NamedTuple

from urlscan.core.errors import UrlscanError
from urlscan.core.web_record import WebRecord
from urlscan.files.random_access import OpenFile

# Size of one read if the whole stream is read, in bytes.
PIECE = 1 << 18


class DamagedError(UrlscanError):
    """A stream cannot be read any further."""


class ExhaustedError(DamagedError):
    """The limit on the unpacked size of a source is reached."""


class Stream:
    """Bytes that are read forward."""

    def read(self, size: int) -> bytes:
        """Return at most about `size` bytes; b"" at the end. Raise DamagedError where the stream cannot be read."""
        raise NotImplementedError

    def skip(self, size: int) -> None:
        """Skip `size` bytes. Raise DamagedError if there are fewer."""
        while size > 0:
            data = self.read(min(size, PIECE))
            if not data:
                raise DamagedError("unexpected end of data")
            size -= len(data)


class ArchiveEntry(NamedTuple):
    """A regular file in an archive, a record of a web archive, or a note.

    Attributes:
        name: the name as it is stored; never a path to write to. "" for the archive itself.
        stream: its content, valid until the next entry is requested.
        skip_reason: why it cannot be read, or "".
        is_damaged: whether that is an error.
        record: the record of a web archive, else None.
    """

    name: str
    stream: Stream
    skip_reason: str = ""
    is_damaged: bool = False
    record: WebRecord | None = None


def exactly(stream: Stream, size: int) -> bytes:
    """Return `size` bytes, fewer only at the end."""
    data = stream.read(size)
    if len(data) == size or not data:
        return data
    parts = [data]
    remaining = size - len(data)
    while remaining > 0 and (data := stream.read(remaining)):
        parts.append(data)
        remaining -= len(data)
    return b"".join(parts)


class ByteRange(Stream):
    """A range of the bytes of a source."""

    def __init__(self, reader: OpenFile, start: int, end: int) -> None:
        self._reader, self._at, self._stop = reader, start, end

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes."""
        data = self._reader.read(self._at, min(self._at + size, self._stop)) if self._at < self._stop else b""
        self._at += len(data)
        return data

    def skip(self, size: int) -> None:
        """Skip `size` bytes without reading them."""
        if self._at + size > min(self._stop, self._reader.size):
            raise DamagedError("unexpected end of data")
        self._at += size


class Window(Stream):
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
            raise DamagedError("unexpected end of data")
        self.left -= len(data)
        return data

    def skip(self, size: int) -> None:
        """Skip `size` bytes."""
        self._stream.skip(size)
        self.left -= size


class Peeked(Stream):
    """A stream whose first bytes can be examined before it is read.

    Attributes:
        head: the first bytes.

    Args:
        size: how many bytes to read for the head.
        first: bytes that precede the stream.
    """

    def __init__(self, stream: Stream, size: int = 0, first: bytes = b"") -> None:
        self._stream = stream
        # Not the exception itself: its traceback refers to this object, and the garbage collector is disabled.
        self._error: tuple[type[DamagedError], str, str] | None = None
        parts = [first]
        try:
            while size > 0 and (data := stream.read(size)):
                parts.append(data)
                size -= len(data)
        except DamagedError as error:
            self._error = type(error), error.message, error.hint
        self.head = b"".join(parts)
        self._ahead = self.head

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes, first those of the head."""
        if self._ahead:
            data, self._ahead = self._ahead[:size], self._ahead[size:]
            return data
        if self._error is not None:
            error_class, message, hint = self._error
            raise error_class(message, hint=hint)
        return self._stream.read(size)

    def skip(self, size: int) -> None:
        """Skip `size` bytes."""
        ahead = min(size, len(self._ahead))
        self._ahead = self._ahead[ahead:]
        if self._error is not None:
            super().skip(size - ahead)
        elif size > ahead:
            self._stream.skip(size - ahead)
