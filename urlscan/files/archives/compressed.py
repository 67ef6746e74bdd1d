"""Streams that are compressed by gzip, bzip2, xz and Zstandard, read forward.

They are untrusted and may have any size. A read returns no more than requested, a decompressor holds no more than its
window and the output of a few bytes, and the data before a damaged place is returned before the error is raised.
"""

import contextlib
import functools
import importlib
import zlib
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, cast

from urlscan.files.archives.streams import DamagedError, Stream, exactly, passed_over

# Limit on the window of a decompressor: that of `zstd --long`, and more than that of `xz -9`.
_WINDOW = 1 << 27
_ZLIB_GZIP, _ZLIB_RAW = 31, -15


class Decompressor(Protocol):
    """The common interface of the decompressors of the standard library.

    Attributes:
        eof: whether its stream has ended.
        needs_input: whether there is no output without more input.
        unused_data: the input after the end of its stream.
    """

    @property
    def eof(self) -> bool: ...  # noqa: D102
    @property
    def needs_input(self) -> bool: ...  # noqa: D102
    @property
    def unused_data(self) -> bytes: ...  # noqa: D102

    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...  # noqa: D102


class _Inflate:
    """The decompressor of zlib with the interface of the others."""

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

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        data = self._zlib.unconsumed_tail + data
        before = self._zlib.copy()
        try:
            return self._zlib.decompress(data, max(max_length, 0))
        except zlib.error:
            # zlib has dropped the data before the damaged byte.
            self._zlib = before
            return self._up_to_the_damage(data)

    def _up_to_the_damage(self, data: bytes) -> bytes:
        """Return the data of the bytes before the damaged one; zlib.error if there is none."""
        parts: list[bytes] = []
        try:
            for at in range(len(data)):
                parts.append(self._zlib.decompress(data[at : at + 1]))
        except zlib.error:
            if not any(parts):
                raise
        return b"".join(parts)


class _Zstandard:
    """Zstandard by the package `zstandard`, whose decompressor bounds its window but not its output."""

    def __init__(self) -> None:
        import zstandard

        self._frame: Any = zstandard.ZstdDecompressor(max_window_size=_WINDOW).decompressobj()
        self._made = memoryview(b"")

    @property
    def eof(self) -> bool:
        return bool(self._frame.eof) and not self._made

    @property
    def needs_input(self) -> bool:
        return not self._made

    @property
    def unused_data(self) -> bytes:
        return cast("bytes", self._frame.unused_data)

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        if data:
            self._made = memoryview(self._frame.decompress(data))
        size = max_length if max_length >= 0 else len(self._made)
        made, self._made = self._made[:size], self._made[size:]
        return bytes(made)


def _gz() -> Decompressor:
    return _Inflate(_ZLIB_GZIP)


def _deflate() -> Decompressor:
    return _Inflate(_ZLIB_RAW)


def _bz2() -> Decompressor:
    import bz2

    return bz2.BZ2Decompressor()


def _xz() -> Decompressor:
    import lzma

    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_WINDOW)


def _zst() -> Decompressor:
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]  # Python 3.14

        options = {zstd.DecompressionParameter.window_log_max: _WINDOW.bit_length() - 1}
        return cast("Decompressor", zstd.ZstdDecompressor(options=options))
    except ImportError:
        return _Zstandard()


class Format(NamedTuple):
    """A compressed format.

    Attributes:
        make: returns a decompressor of it.
        magics: the first bytes of its streams, which distinguish a following stream from garbage.
        piece: the number of bytes given to a decompressor at a time.  The output for a damaged piece is lost. 1 KB of
            Zstandard may become 32 MB.
    """

    make: Callable[[], Decompressor]
    magics: tuple[bytes, ...]
    piece: int = 1 << 12


FORMATS = {
    "gz": Format(_gz, (b"\x1f\x8b\x08",)),
    "bz2": Format(_bz2, (b"BZh",)),
    "xz": Format(_xz, (b"\xfd7zXZ\0",), 1 << 10),
    "zst": Format(_zst, (b"\x28\xb5\x2f\xfd", *(bytes([byte]) + b"*M\x18" for byte in range(0x50, 0x60))), 1 << 10),
    "deflate": Format(_deflate, ()),
}


def raw_lzma(properties: bytes) -> Decompressor:
    """Return the decompressor of LZMA as zip has it.

    Args:
        properties: lc, lp and pb in one byte, the size of the dictionary in four (.ZIP File Format 5.8.8).

    Raises:
        DamagedError: the properties are malformed.
    """
    import lzma

    if len(properties) != 5:
        raise DamagedError("it is damaged: no properties of LZMA")
    first, dictionary = properties[0], int.from_bytes(properties[1:5], "little")
    if first >= 9 * 5 * 5:
        raise DamagedError("it is damaged: no properties of LZMA")
    if dictionary > _WINDOW:
        raise DamagedError("it wants more memory to be unpacked than it is given")
    wanted = {
        "id": lzma.FILTER_LZMA1,
        "lc": first % 9,
        "lp": first // 9 % 5,
        "pb": first // 45,
        "dict_size": dictionary,
    }
    try:
        return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[wanted])
    except (lzma.LZMAError, ValueError):
        raise DamagedError("it is damaged: no properties of LZMA") from None


@functools.cache
def _faults() -> tuple[type[Exception], ...]:
    """Return the exceptions that decompressors raise for damaged data."""
    found: list[type[Exception]] = [zlib.error, OSError, EOFError, ValueError, MemoryError]
    for module, name in (("lzma", "LZMAError"), ("zstandard", "ZstdError"), ("compression.zstd", "ZstdError")):
        with contextlib.suppress(ImportError):
            found.append(getattr(importlib.import_module(module), name))
    return tuple(found)


class Unpacked:
    """The content of a compressed stream.

    Args:
        stream: the compressed data.
        format: its format; streams may follow each other, with zeros between them (RFC 1952 section 2.2).
        is_single: whether only one stream is expected.
        begun: the decompressor to use, if it is not what the format makes.
        has_end: whether the format says where it ends; otherwise it ends where its bytes do.
    """

    def __init__(
        self,
        stream: Stream,
        format: Format,
        *,
        is_single: bool = False,
        begun: Decompressor | None = None,
        has_end: bool = True,
    ) -> None:
        self._stream = stream
        self._format = format
        self._is_single = is_single or begun is not None
        self._has_end = has_end
        self._ahead = b""  # input that the decompressor has not received
        self._decompressor: Decompressor | None = begun if begun is not None else _made(format)

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
            # There may be output left when all input was given.
            if found := self._decompressed(self._decompressor, data, size):
                return found
            if is_over and not self._decompressor.eof:
                if self._has_end:
                    raise DamagedError("it ends too early")
                self._decompressor = None
        return b""

    def _decompressed(self, decompressor: Decompressor, data: bytes, size: int) -> bytes:
        try:
            return decompressor.decompress(data, size)
        except _faults() as error:
            if "emory" in str(error):
                raise DamagedError("it wants more memory to be unpacked than it is given") from None
            raise DamagedError(f"it is damaged ({' '.join(str(error).split())})") from None

    def skip(self, size: int) -> None:
        """Skip `size` bytes."""
        passed_over(self, size)

    def _next(self, rest: bytes) -> Decompressor | None:
        """Return the decompressor of the stream that follows, if one does."""
        if self._is_single:
            return None
        while not (rest := rest.lstrip(b"\0")):
            if not (rest := self._stream.read(self._format.piece)):
                return None
        rest += exactly(self._stream, max(8 - len(rest), 0))
        if not rest.startswith(self._format.magics):
            raise DamagedError("unknown data after its end")
        self._ahead = rest
        return _made(self._format)


def _made(format: Format) -> Decompressor:
    try:
        return format.make()
    except ImportError as error:
        if format is FORMATS["zst"]:
            hint = "pip install 'urlscan-lint[zstd]', or --no-decompress"
            raise DamagedError("Zstandard is read with the package zstandard, which is not here", hint=hint) from None
        raise DamagedError(f"this Python was built without what reads it ({error})") from None
