"""Bytes to text, and the map from the text back to the bytes.

The order is that of the WHATWG Encoding standard: a byte order mark, what the caller declares, what the
source declares itself, UTF-8.  A byte that is invalid in the encoding becomes a lone surrogate (PEP 383;
`readable` shows it as Windows-1252), so that nothing is lost and the offset of every other character
holds. Only the legacy multi-byte encodings have U+FFFD instead.
"""

import bisect
import codecs
from array import array
from typing import NamedTuple

from urlscan.core.errors import ConfigError
from urlscan.core.maps import EncodingMap, OffsetMap

# The longer mark first: UTF-16's is how UTF-32's begins.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Names that leave the byte order to a mark; without one, it is the one that the standard takes.
_UNMARKED = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
# Codecs of Python that are no character encodings of files.
_NO_CHARSETS = {"idna", "mbcs", "oem", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7"}
_UNICODE = {"utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"}
# Only an encoding of single bytes makes as many characters of this: all bytes, and the shifts of ISO 2022 and HZ.
_PROBE = bytes(range(256)) + b"\x1b$B0!\x1b(B\x1b$)C\x0e0!\x0f~{VP~}"
_HEAD = 8192  # where a NUL makes a file binary
_STEP = 512  # bytes between two remembered states of a decoder


class Decoded(NamedTuple):
    """A decoded source.

    Attributes:
        text: all of it, without the byte order mark.
        map: from characters of `text` to bytes of the source.
        encoding: the name of the codec.
        whole: whether all bytes are of that encoding.
    """

    text: str
    map: OffsetMap
    encoding: str
    whole: bool = True


def is_binary(data: bytes, encoding: str | None = None) -> bool:
    """Return whether `data` is no text: a NUL in its first 8 KB and no byte order mark."""
    if encoding is not None and codec_name(encoding).startswith(("utf-16", "utf-32")):
        return False
    head = data[:_HEAD]
    return b"\0" in head and not any(head.startswith(mark) for mark, _ in _MARKS)


def head_of(data: bytes) -> str:
    """Return how the text of a source begins, whatever its encoding, as far as that is ASCII."""
    head = data[:_HEAD]
    for mark, _ in _MARKS:
        head = head.removeprefix(mark)
    return head.replace(b"\0", b"").decode("ascii", "replace")


def codec_name(encoding: str) -> str:
    """Return the codec's own name of a character encoding; ConfigError when there is none."""
    try:
        b"a".decode(encoding, "replace")
        name = codecs.lookup(encoding).name.replace("_", "-")
    except (LookupError, ValueError):
        name = "undefined"
    if name in _NO_CHARSETS:
        raise ConfigError(f"unknown encoding {encoding!r}", hint="utf-8, latin-1, cp1252, shift_jis, ...")
    return _UNMARKED.get(name, name)


def decode(data: bytes, encoding: str | None = None, kind: str = "plain") -> Decoded:
    """Decode a whole source.

    Args:
        data: the bytes as they are stored.
        encoding: what the caller declares; a byte order mark is believed before it.
        kind: what the source is, which tells where it declares an encoding itself.

    Raises:
        ConfigError: `encoding` names no character encoding.
    """
    name = codec_name(encoding) if encoding is not None else own_name(data, kind)
    for mark, marked in _MARKS:
        if data.startswith(mark) and (read := _unicode(data[len(mark) :], marked)) is not None:
            text, whole = read
            return Decoded(text, EncodingMap(text, marked, len(mark)), marked, whole)
    if name not in _UNICODE:
        return _declared(data, name)
    read = _unicode(data, name)
    if read is None:
        name, read = "utf-8", _single(data, "utf-8")
    text, whole = read
    return Decoded(text, EncodingMap(text, name), name, whole)


def own_name(data: bytes, kind: str) -> str:
    """Return the codec that the source names, if it is one that these bytes can be in; else UTF-8."""
    if data.isascii():
        return "utf-8"
    from urlscan.files.declared import declared

    said = declared(data, kind)
    if said is None:
        return "utf-8"
    try:
        name = codec_name(said)
    except ConfigError:
        return "utf-8"
    # A declaration that is readable in single bytes is not in UTF-16 or UTF-32 (HTML standard, "prescan").
    return "utf-8" if name.startswith(("utf-16", "utf-32")) else name


def _unicode(data: bytes, name: str) -> tuple[str, bool] | None:
    """Decode UTF-8, UTF-16 or UTF-32, and say whether all of it is; None when these bytes cannot be in it."""
    if name == "utf-8":
        return _single(data, name)
    unit = 4 if name.startswith("utf-32") else 2
    whole = len(data) - len(data) % unit  # a last unit that is cut short holds no character
    for end in (whole, whole - unit):  # a high surrogate at the end wants another
        try:
            return data[:end].decode(name, "surrogatepass"), end == len(data)
        except UnicodeDecodeError:
            continue
    return None


def _single(data: bytes, name: str) -> tuple[str, bool]:
    """Decode what is of the encoding, byte by byte the rest."""
    try:
        return data.decode(name), True
    except UnicodeDecodeError:
        return data.decode(name, "surrogateescape"), False


def _declared(data: bytes, name: str) -> Decoded:
    if len(_PROBE.decode(name, "replace")) == len(_PROBE):
        text, whole = _single(data, name)
        return Decoded(text, ByteMap(name), name, whole)
    # Not `surrogateescape`: it refuses what is wrong below 0x80, as a cut escape sequence is.
    text = data.decode(name, "replace")
    return Decoded(text, StatefulMap(data, name), name, "\ufffd" not in text)


class ByteMap:
    """Characters to bytes of an encoding in which each character is one byte."""

    __slots__ = ("_encoding",)

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the same span."""
        return start, end

    def encode(self, start: int, end: int, text: str) -> bytes | None:
        """Return `text` in the encoding, or None where that has no such character."""
        try:
            return text.encode(self._encoding, "surrogateescape")
        except UnicodeEncodeError:
            return None


class StatefulMap:
    """Characters to bytes of an encoding of several bytes or with shifts (GBK, ISO-2022-JP, ...).

    How many bytes a character took is known to the decoder alone (two spellings of one character,
    escape sequences between them), so it is asked: its state is remembered every 512 bytes, and
    from the last one before the place it goes byte by byte, once for all places that are asked for in a row.
    """

    __slots__ = ("_block", "_data", "_encoding", "_marks")

    def __init__(self, data: bytes, encoding: str) -> None:
        self._data = data
        self._encoding = encoding
        self._marks: list[tuple[int, int, tuple[bytes, int]]] = []
        self._block: tuple[int, array[int]] = (-1, array("q"))  # the number of a mark, and the offsets after it

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest span of bytes that the characters were decoded from."""
        if not self._marks:
            self._remember()
        return self._byte_at(start), self._byte_at(end)

    def encode(self, start: int, end: int, text: str) -> bytes | None:
        """Return `text` in the encoding, or None where these bytes or those after them would change their meaning."""
        try:
            written = text.encode(self._encoding)
            decoder = self._decoder_at(start)
            before = decoder.getstate()
            shown, after = decoder.decode(written), decoder.getstate()
            decoder.setstate(before)
            decoder.decode(self._data[start:end])
        except UnicodeError:
            return None
        return written if shown == text and decoder.getstate() == after else None

    def _decoder(self) -> codecs.IncrementalDecoder:
        return codecs.getincrementaldecoder(self._encoding)("replace")

    def _decoder_at(self, byte: int) -> codecs.IncrementalDecoder:
        """Return a decoder that has read the bytes before."""
        if not self._marks:
            self._remember()
        at = max(bisect.bisect_right(self._marks, byte, key=lambda mark: mark[1]) - 1, 0)
        _, known, state = self._marks[at]
        decoder = self._decoder()
        decoder.setstate(state)
        _made(decoder, self._data[known:byte])
        return decoder

    def _remember(self) -> None:
        decoder, characters = self._decoder(), 0
        for at in range(0, len(self._data), _STEP):
            self._marks.append((characters, at, decoder.getstate()))
            characters += _made(decoder, self._data[at : at + _STEP])
        self._marks.append((characters, len(self._data), decoder.getstate()))

    def _byte_at(self, character: int) -> int:
        at = max(bisect.bisect_left(self._marks, (character,)) - 1, 0)
        if self._block[0] != at:
            self._block = at, self._ends_after(at)
        places = self._block[1]
        return places[min(max(character - self._marks[at][0], 0), len(places) - 1)]

    def _ends_after(self, at: int) -> "array[int]":
        """Return the offset of a mark, and the ends of the characters between it and the next mark."""
        _, byte, state = self._marks[at]
        stop = self._marks[at + 1][1] if at + 1 < len(self._marks) else len(self._data)
        decoder = self._decoder()
        decoder.setstate(state)
        places = array("q", (byte - len(state[0]),))
        while byte < stop:
            made = _made(decoder, self._data[byte : byte + 1])
            byte += 1
            if made:
                # An invalid sequence is detected only with the bytes after it: some are held back, others decoded.
                last = byte - len(decoder.getstate()[0])
                places.extend(range(last - made + 1, last + 1))
        return places


def _made(decoder: codecs.IncrementalDecoder, data: bytes) -> int:
    """Feed `data` and return how many characters came out."""
    state = decoder.getstate()
    try:
        return len(decoder.decode(data))
    except UnicodeError:  # an escape sequence that does not end: Python waits for 8 bytes of it, then gives up
        decoder.setstate(state)
    if len(data) > 1:
        return sum(_made(decoder, data[at : at + 1]) for at in range(len(data)))
    waiting, flags = state
    decoder.setstate((b"", flags))
    return 1 + _made(decoder, waiting[1:] + data)
