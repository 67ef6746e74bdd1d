"""Streams that are read forward: the bytes of a file, of a part of one, or of an archive member, and compressed ones.

Compressed streams (gzip, bzip2, xz, Zstandard) are untrusted and may have any size. A read returns no more than
requested, a decompressor holds no more than its window and the output of a few bytes, and the data before a damaged
place is returned before the error is raised.
"""

import contextlib
import functools
import zlib
from collections.abc import Callable
from importlib import import_module

from urlscan.core.errors import UrlscanError
from urlscan.core.project import install_command
from urlscan.core.record import NamedTuple
from urlscan.core.records import WebRecord
from urlscan.core.typing import Any
from urlscan.files.random_access import OpenFile

# Size of one read if the whole stream is read, in bytes.
PIECE = 1 << 18
# Limit on the window of a decompressor: that of `zstd --long`, and more than that of `xz -9`.
_WINDOW = 1 << 27
# A decompressor with the interface of those in the standard library: `decompress`, `eof`, `needs_input`, `unused_data`.
Decompressor = Any


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
    parts = []
    while size > 0 and (data := stream.read(size)):
        parts.append(data)
        size -= len(data)
    return b"".join(parts)


class ByteRange(Stream):
    """A range of the bytes of a source."""

    def __init__(self, reader: OpenFile, start: int, end: int) -> None:
        self._reader, self._at, self._stop = reader, start, end

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes."""
        data = self._reader.read(self._at, min(self._at + size, self._stop))
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


# --- compressed streams


class _Inflate:
    """A decompressor of zlib with the interface of the others."""

    def __init__(self, wbits: int) -> None:
        self._zlib = zlib.decompressobj(wbits)

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def needs_input(self) -> bool:
        return not self._zlib.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        data = self._zlib.unconsumed_tail + data
        before = self._zlib.copy()
        try:
            return self._zlib.decompress(data, max_length)
        except zlib.error:
            # zlib has discarded the output for the bytes before the damaged one.
            self._zlib = before
            parts: list[bytes] = []
            try:
                for position in range(len(data)):
                    parts.append(self._zlib.decompress(data[position : position + 1]))
            except zlib.error:
                if not any(parts):
                    raise
            return b"".join(parts)


class _Zstandard:
    """A decompressor of the package `zstandard`, which limits its window, but not its output."""

    def __init__(self) -> None:
        self._frame = import_module("zstandard").ZstdDecompressor(max_window_size=_WINDOW).decompressobj()
        self._output = memoryview(b"")

    @property
    def eof(self) -> bool:
        return bool(self._frame.eof) and not self._output

    @property
    def needs_input(self) -> bool:
        return not self._output

    @property
    def unused_data(self) -> bytes:
        return bytes(self._frame.unused_data)

    def decompress(self, data: bytes, max_length: int) -> bytes:
        if data:
            self._output = memoryview(self._frame.decompress(data))
        output, self._output = self._output[:max_length], self._output[max_length:]
        return bytes(output)


def _zst() -> Decompressor:
    try:
        zstd = import_module("compression.zstd")  # Python 3.14
    except ImportError:
        return _Zstandard()
    options = {zstd.DecompressionParameter.window_log_max: _WINDOW.bit_length() - 1}
    return zstd.ZstdDecompressor(options=options)


def _xz() -> Decompressor:
    lzma = import_module("lzma")
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_WINDOW)


class Format(NamedTuple):
    """A compression format.

    Attributes:
        make: creates a decompressor.
        magics: the first bytes of its streams, which distinguish a following stream from garbage.
        piece: the number of bytes passed to a decompressor at a time.  The output for a damaged piece is lost, and 1 KB
            of Zstandard can expand to 32 MB.
    """

    make: Callable[[], Decompressor]
    magics: tuple[bytes, ...]
    piece: int = 1 << 12


FORMATS = {
    "gz": Format(lambda: _Inflate(31), (b"\x1f\x8b\x08",)),
    "bz2": Format(lambda: import_module("bz2").BZ2Decompressor(), (b"BZh",)),
    "xz": Format(_xz, (b"\xfd7zXZ\0",), 1 << 10),
    "zst": Format(_zst, (b"\x28\xb5\x2f\xfd", *(bytes([byte]) + b"*M\x18" for byte in range(0x50, 0x60))), 1 << 10),
    "zlib": Format(lambda: _Inflate(15), ()),
    "deflate": Format(lambda: _Inflate(-15), ()),
}


def raw_lzma(properties: bytes) -> Decompressor:
    """Return a decompressor for LZMA as stored in zip archives (.ZIP File Format 5.8.8).

    The properties are lc, lp and pb in one byte, and the size of the dictionary in four; others raise DamagedError.
    """
    lzma = import_module("lzma")
    try:
        if len(properties) != 5 or properties[0] >= 9 * 5 * 5:
            raise ValueError(properties)
        high, lc = divmod(properties[0], 9)
        pb, lp = divmod(high, 5)
        dictionary = int.from_bytes(properties[1:], "little")
        if dictionary > _WINDOW:
            raise DamagedError("unpacking requires too much memory")
        options = {"id": lzma.FILTER_LZMA1, "lc": lc, "lp": lp, "pb": pb, "dict_size": dictionary}
        return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[options])
    except (lzma.LZMAError, ValueError):
        raise DamagedError("damaged: invalid LZMA properties") from None


@functools.cache
def _faults() -> tuple[type[Exception], ...]:
    """Return the exceptions that decompressors raise for damaged data."""
    errors: list[type[Exception]] = [zlib.error, OSError, EOFError, ValueError, MemoryError]
    for module, name in (("lzma", "LZMAError"), ("zstandard", "ZstdError"), ("compression.zstd", "ZstdError")):
        with contextlib.suppress(ImportError):
            errors.append(getattr(import_module(module), name))
    return tuple(errors)


class Unpacked(Stream):
    """The content of a compressed stream.

    Args:
        format: its format; streams may follow each other, with zeros between them (RFC 1952 section 2.2).
        is_single: whether only one stream is expected.
        decompressor: a decompressor of one stream without a mark at its end: the data ends where the bytes end.
    """

    def __init__(
        self, stream: Stream, format: Format, *, is_single: bool = False, decompressor: Decompressor | None = None
    ) -> None:
        self._stream = stream
        self._format = format
        self._has_end = decompressor is None
        self._is_single = is_single or not self._has_end
        self._ahead = b""  # input not yet passed to the decompressor
        self._decompressor: Decompressor | None = decompressor or _create(format)

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes."""
        while self._decompressor is not None:
            if self._decompressor.eof:
                self._decompressor = self._next(self._decompressor.unused_data)
                continue
            data, is_over = b"", False
            if self._decompressor.needs_input:
                data, self._ahead = self._ahead or self._stream.read(self._format.piece), b""
                is_over = not data
            # There may be more output even if there is no more input.
            try:
                output: bytes = self._decompressor.decompress(data, size)
            except _faults() as error:
                if "emory" in str(error):
                    raise DamagedError("unpacking requires too much memory") from None
                raise DamagedError(f"damaged ({' '.join(str(error).split())})") from None
            if output:
                return output
            if is_over and not self._decompressor.eof:
                if self._has_end:
                    raise DamagedError("unexpected end of data")
                self._decompressor = None
        return b""

    def _next(self, rest: bytes) -> Decompressor | None:
        """Return the decompressor for the stream that follows, or None."""
        if self._is_single:
            return None
        while not (rest := rest.lstrip(b"\0")):
            if not (rest := self._stream.read(self._format.piece)):
                return None
        rest += exactly(self._stream, max(8 - len(rest), 0))
        if not rest.startswith(self._format.magics):
            raise DamagedError("unknown data after the end")
        self._ahead = rest
        return _create(self._format)


def _create(format: Format) -> Decompressor:
    try:
        return format.make()
    except ImportError as error:
        if format is FORMATS["zst"]:
            hint = f"{install_command('zstd')}, or --no-decompress"
            message = "reading Zstandard requires the package zstandard, which is not installed"
            raise DamagedError(message, hint=hint) from None
        raise DamagedError(f"this Python was built without the module that reads it ({error})") from None
