"""Read the payload of an HTTP response: the header as it is, and the body without its codings.

Codings are removed only if the bytes have them: some crawlers store the decoded body with the header of the encoded
one.
"""

import codecs
import re
from collections.abc import Callable

from urlscan.files.archives.streams import FORMATS, DamagedError, ExhaustedError, Peeked, Stream, Unpacked, Window
from urlscan.files.decode import is_binary
from urlscan.files.media_types import LONGEST_HEADER, ResponseHeader, response_header, web_kind

# Returns a stream whose bytes count towards the limits on unpacking.
Meter = Callable[[Stream], Stream]

_BLANK_LINE = re.compile(rb"\n\r?\n")
_PIECE = 1 << 12
_HEAD = 1 << 13
# More codings than a server applies.
_MOST_CODINGS = 4
# RFC 9112 section 7.1: chunk = chunk-size [ chunk-ext ] CRLF chunk-data CRLF
_CHUNK = re.compile(rb"(?:\r?\n)?([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")
_CUT_CHUNK = re.compile(rb"[0-9A-Fa-f]{1,8}(?:[ \t;][^\r\n]*)?\r?\Z")  # the first line of a truncated body
_LONGEST_CHUNK_LINE = 256
_GZIP, _ZSTANDARD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
# Byte order marks; the one of UTF-32 begins with the one of UTF-16.
_MARKS = {b"\xff\xfe\0\0": "utf-32", b"\0\0\xfe\xff": "utf-32", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_WIDE = ("utf-16le", "utf-16be", "utf-32le", "utf-32be")
# Bytes that are not in text.
_NOT_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


class TruncatedError(DamagedError):
    """A record ends before its length."""


# No content.
NOTHING = Window(Stream(), 0)


class Chunked(Stream):
    """The content of a chunked body (RFC 9112 section 7.1), without the trailer."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._ahead = b""
        self._left = 0
        self._is_over = False

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes. Raise DamagedError at a malformed chunk."""
        if not self._left and not self._is_over:
            self._begin()
        if self._is_over:
            return b""
        if not self._ahead:
            self._ahead = self._stream.read(max(size, _PIECE))
        data, self._ahead = self._ahead[: min(size, self._left)], self._ahead[min(size, self._left) :]
        if not data:
            raise DamagedError("unexpected end of data")
        self._left -= len(data)
        return data

    def _begin(self) -> None:
        while (match := _CHUNK.match(self._ahead)) is None:
            more = self._stream.read(_PIECE) if len(self._ahead) < _LONGEST_CHUNK_LINE else b""
            if not more:
                self._is_over = True
                raise DamagedError("unexpected end of data" if len(self._ahead) < 3 else "malformed chunk")
            self._ahead += more
        self._left, self._ahead = int(match[1], 16), self._ahead[match.end() :]
        self._is_over = not self._left


class _Brotli(Stream):
    """The content of a stream that is compressed by Brotli (RFC 7932), read by fastwarc."""

    def __init__(self, stream: Stream) -> None:
        from fastwarc.stream_io import BrotliReader

        self._source = Source(stream)
        self._reader = BrotliReader(self._source)

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes."""
        try:
            data = self._reader.read(min(size, _PIECE))
        except (OSError, EOFError, ValueError):
            self._source.raise_error()
            raise DamagedError("damaged") from None
        if not data:
            self._source.raise_error()
        return data


class Source:
    """A stream as fastwarc reads it: it ends where it cannot be read any further.

    Attributes:
        at: the number of bytes that were read.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._error: tuple[type[DamagedError], str, str] | None = None  # as in Peeked
        self.at = 0

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes; b"" at the end and after an error."""
        if self._error is not None:
            return b""
        try:
            data = self._stream.read(size if 0 < size < LONGEST_HEADER else LONGEST_HEADER)
        except DamagedError as error:
            self._error = type(error), error.message, error.hint
            return b""
        self.at += len(data)
        return data

    def raise_error(self) -> None:
        """Raise the error that ended the stream, if there was one."""
        if self._error is not None:
            error_class, message, hint = self._error
            raise error_class(message, hint=hint)

    def tell(self) -> int:
        """Return the number of bytes that were read."""
        return self.at

    def seek(self, offset: int, whence: int = 0) -> int:
        """Refuse to seek."""
        raise OSError("not seekable")

    def close(self) -> None:
        """Do nothing: the caller owns the stream."""


class _Converted(Stream):
    """UTF-16 or UTF-32 as UTF-8, because the header before it is ASCII."""

    def __init__(self, stream: Stream, encoding: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._ahead = b""

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes."""
        is_over = False
        while not self._ahead and not is_over:
            data = self._stream.read(_PIECE)
            is_over = not data
            self._ahead = self._decoder.decode(data, is_over).encode("utf-8", "replace")
        data, self._ahead = self._ahead[:size], self._ahead[size:]
        return data


class Body(Stream):
    """The decoded body of a response, up to where it cannot be decoded.

    Attributes:
        problem: why it cannot be decoded, or "".
    """

    def __init__(self, stream: Stream, header: ResponseHeader, meter: Meter) -> None:
        self.problem = ""
        self._stream = stream
        try:
            self._stream = self._decoded(stream, header.codings, meter)
        except ExhaustedError:
            raise
        except DamagedError as error:
            self._fail(error)

    def _decoded(self, stream: Stream, codings: tuple[str, ...], meter: Meter) -> Stream:
        if len(codings) > _MOST_CODINGS:
            raise DamagedError("too many codings")
        for coding in reversed(codings):
            peeked = Peeked(stream, 64)
            stream = peeked
            if (decoder := _decoder(coding, peeked)) is not None:
                stream = meter(decoder)
        peeked = Peeked(stream, 2)
        if peeked.head == _GZIP:  # a compressed file, such as sitemap.xml.gz
            return meter(Unpacked(peeked, FORMATS["gz"], is_single=True))
        return peeked

    def _fail(self, error: DamagedError) -> None:
        self.problem = f"the rest of a payload that cannot be decoded ({error.message})"
        self._stream = NOTHING

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes; b"" where the body cannot be decoded."""
        try:
            return self._stream.read(size)
        except (ExhaustedError, TruncatedError):
            raise
        except DamagedError as error:
            self._fail(error)
            return b""


def _decoder(coding: str, stream: Peeked) -> Stream | None:
    """Return the stream without a coding; None if its bytes do not have it."""
    head = stream.head
    if coding == "chunked":
        if _CHUNK.match(head) is None and _CUT_CHUNK.match(head) is None:
            return None
        return Chunked(stream)
    if coding in ("gzip", "x-gzip"):
        if head.startswith(_GZIP):
            return Unpacked(stream, FORMATS["gz"], is_single=True)
        return None
    if coding == "zstd":
        if head.startswith(_ZSTANDARD):
            return Unpacked(stream, FORMATS["zst"])
        return None
    if _NOT_TEXT.search(head) is None and head.isascii():
        return None
    if coding == "deflate":  # RFC 9110 section 8.4.1.2: zlib; some servers omit its header
        has_header = len(head) > 1 and head[0] & 15 == 8 and int.from_bytes(head[:2], "big") % 31 == 0
        return Unpacked(stream, FORMATS["zlib" if has_header else "deflate"], is_single=True)
    if coding == "br":
        return _Brotli(stream)
    raise DamagedError("unknown coding")


def read_header(block: Stream) -> tuple[bytes, bytes]:
    """Return the header of an HTTP message with the empty line after it, and the bytes that were read beyond it.

    The header is empty if the block does not contain one.
    """
    data = b""
    while (end := _BLANK_LINE.search(data)) is None:
        more = block.read(_PIECE) if len(data) < LONGEST_HEADER else b""
        if not more:
            return b"", data
        data += more
    return data[: end.end()], data[end.end() :]


def response(block: Stream, meter: Meter) -> tuple[Stream, Body | None]:
    """Return the readable content of a response, and its body.

    The content is the header and the decoded body, or the header alone if the body is binary. Without a valid header
    it is the block as it is, and there is no body.
    """
    head, rest = read_header(block)
    header = response_header(head.decode("latin-1"))
    if header is None:
        return Peeked(block, first=head + rest), None
    body = Body(Peeked(block, first=rest), header, meter)
    if web_kind(header.content_type.name) is None:
        return Peeked(NOTHING, first=head), body
    peeked = Peeked(body, _HEAD)
    encoding = next((name for mark, name in _MARKS.items() if peeked.head.startswith(mark)), "")
    if not encoding and header.content_type.charset in _WIDE and b"\0" in peeked.head:
        encoding = header.content_type.charset
    if encoding:
        return Peeked(_Converted(peeked, encoding), first=head), body
    return Peeked(NOTHING if is_binary(peeked.head) else peeked, first=head), body
