"""Recognize archives and binary data, decode bytes to text, and map the text back to the bytes.

The encoding is determined in the order of the WHATWG Encoding standard: a byte order mark, the encoding that the caller
declares, the encoding that the source declares, UTF-8. A byte that is invalid in the encoding becomes a lone surrogate
(PEP 383; `readable` shows it as Windows-1252), so that nothing is lost and all other characters keep their offsets.
Only in legacy multi-byte encodings, it becomes U+FFFD.
"""

import bisect
import codecs
import re
from array import array
from itertools import chain

from urlscan.core.document import Document
from urlscan.core.errors import ConfigError
from urlscan.core.lazy import lazy, match_end
from urlscan.core.offsets import EncodingMap, IdentityMap
from urlscan.files.media_types import LONGEST_HEADER, response_header
from urlscan.files.random_access import OpenFile, as_reader

# The formats of compressed files and archives by their first bytes.
_CONTAINERS = {
    "gz": lazy(rb"\x1f\x8b\x08[\x00-\x1f]"),  # RFC 1952 section 2.3.1; three flags are reserved
    "bz2": lazy(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"),  # pi or its square root, in decimal digits
    "xz": lazy(rb"\xfd7zXZ\x00"),
    # RFC 8878 section 3.1; the output of pzstd begins with a skippable frame
    "zst": lazy(rb"(?:[\x50-\x5f]\*M\x18\x04\x00{3}.{4})?\x28\xb5\x2f\xfd", re.DOTALL),
    "warc": lazy(rb"WARC/1\.[01]\r?\n"),  # ISO 28500; also the records of text that are called WET
    "zip": lazy(rb"PK(?:\x03\x04|\x05\x06|\x07\x08PK)"),  # also empty archives, and spanned ones in one piece
}
_MAGICS = (b"\x1f\x8b\x08", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"PK", b"WARC/")
_SKIPPED = b"*M\x18"
_TAR_BLOCK = 512
# The extensions of web archives, and of the texts and the metadata extracted from them.
_WEB_ARCHIVES = (".warc", ".wet", ".wat")
# APPNOTE 4.3.16: the signature and the size of the end of central directory record, and its longest comment.
_END, _END_SIZE, _LONGEST_COMMENT = b"PK\x05\x06", 22, 0xFFFF

# Longer marks first: the mark of UTF-32 begins with the one of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Encodings whose byte order depends on a mark, and the encodings that apply without one.
_UNMARKED = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
# Codecs of Python that are not character encodings of files.
_NO_CHARSETS = {"idna", "mbcs", "oem", "punycode", "raw-unicode-escape", "undefined", "unicode-escape", "utf-7"}
_WIDE = {"utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"}
# Only a single-byte encoding decodes this to as many characters: all bytes, and the shifts of ISO 2022 and HZ.
_PROBE = bytes(range(256)) + b"\x1b$B0!\x1b(B\x1b$)C\x0e0!\x0f~{VP~}"
_HEAD = 8192  # number of bytes in which a NUL makes a file binary
_STEP = 512  # number of bytes between two saved states of a decoder
# Characters of one byte in the initial state of every decoder: ASCII without the shifts of ISO 2022 and HZ.
_SINGLE = re.compile(rb"[^\x0e\x0f\x1b~\x80-\xff]*+")
# XML 1.0 section 4.3.3:  EncodingDecl ::= S 'encoding' Eq ('"' EncName '"' | "'" EncName "'" )
_XML = lazy(rb"\s*<\?xml\s[^>]{0,200}?\bencoding\s*=\s*[\"']([A-Za-z][\w.:-]{0,40})[\"']")
# HTML standard section 13.2.3.2, "prescan a byte stream": in the first 1024 bytes.
_META = lazy(rb"<meta\b[^>]{0,300}?\bcharset\s*=\s*[\"']?\s*([A-Za-z][\w.:-]{0,40})", re.IGNORECASE)
_PRESCAN = 1024
# PEP 263: in a comment on one of the first two lines; Emacs has it between "-*-" there, too.
_PEP_263 = lazy(rb"[ \t\f]*(?:#|//|/\*|;|%|--|<!--|\.\\\"|\"|dnl\b|REM\b).{0,200}?\bcoding[:=][ \t]*([-\w.]{1,40})")
# Vim: a modeline in the first or last five lines.
_VIM = lazy(rb"\bvim?:[^\r\n]{0,200}?\b(?:fileencoding|fenc)=([-\w.]{1,40})")
_LINES = 5
_LINE = 1024


def container_of(head: bytes, name: str = "", data: bytes | OpenFile = b"") -> str:
    r"""Return the format of a compressed file or an archive (gz, bz2, xz, zst, zip, tar, warc), or "" for other data.

    A file whose name says that it is a web archive is one, even if its beginning is damaged, and so is a binary file
    whose name says that it is a zip archive. A program may precede a zip archive, whose directory is at its end; it is
    searched in `data`, the whole of it.

    >>> container_of(b"WARC/1.1\r\nWARC-Type: response"), container_of(b"cut off", "crawl.warc")
    ('warc', 'warc')
    >>> container_of(b"\x1f\x8b\x08\0"), container_of(b"BZh9, wrote Jo"), container_of(b"PK\x03\x04")
    ('gz', '', 'zip')
    """
    if head.startswith(_MAGICS) or head[1:4] == _SKIPPED:
        return next((format for format, magic in _CONTAINERS.items() if magic.match(head)), "")
    # A tar header contains NULs. In V7, there is no other distinctive content.
    if b"\0" in head[:_TAR_BLOCK]:
        from urlscan.files.archives.tars import is_header

        if is_header(head[:_TAR_BLOCK]):
            return "tar"
    if b"\0" in head and (name.lower().endswith(".zip") or end_of_zip(as_reader(data)) >= 0):
        return "zip"
    if head and name.lower().endswith(_WEB_ARCHIVES):
        return "warc"
    return ""


def end_of_zip(reader: OpenFile, *, is_damaged: bool = False) -> int:
    """Return the offset of the end of central directory record of a zip archive, or -1.

    The same bytes may occur in the archive comment, which must extend to the end of the data unless it `is_damaged`.
    """
    first = max(reader.size - _END_SIZE - _LONGEST_COMMENT, 0)
    tail = reader.read(first, reader.size)
    record = last = tail.rfind(_END, 0, max(len(tail) - _END_SIZE + 4, 0))
    while record >= 0 and record + _END_SIZE + int.from_bytes(tail[record + 20 : record + 22], "little") != len(tail):
        record = tail.rfind(_END, 0, record + 3)
    if record < 0 and is_damaged:
        record = last
    if record >= 0:
        return first + record
    return -1


def is_binary(data: bytes, encoding: str | None = None) -> bool:
    """Return whether `data` is binary: it has a NUL in its first 8 KB, and no byte order mark."""
    if encoding is not None and codec_name(encoding).startswith(("utf-16", "utf-32")):
        return False
    head = data[:_HEAD]
    return b"\0" in head and not any(head.startswith(mark) for mark, _ in _MARKS)


def head_of(data: bytes) -> str:
    """Return the beginning of a source as ASCII text, whatever its encoding."""
    head = data[:_HEAD]
    for mark, _ in _MARKS:
        head = head.removeprefix(mark)
    return head.replace(b"\0", b"").decode("ascii", "replace")


def codec_name(encoding: str) -> str:
    """Return the name of the codec for a character encoding. Raise ConfigError if there is none."""
    try:
        b"a".decode(encoding, "replace")
        name = codecs.lookup(encoding).name.replace("_", "-")
    except (LookupError, ValueError):
        name = "undefined"
    if name in _NO_CHARSETS:
        raise ConfigError(f"unknown encoding {encoding!r}", hint="utf-8, latin-1, cp1252, shift_jis, ...")
    return _UNMARKED.get(name, name)


def is_encoding(name: str) -> bool:
    """Return whether there is a codec for a character encoding."""
    try:
        return bool(name and codec_name(name))
    except ConfigError:
        return False


def decode(data: bytes, encoding: str | None = None, kind: str = "plain") -> Document:
    """Return the text of a whole source, with the map to its bytes; markup is not read.

    Args:
        encoding: the encoding that the caller declares; a byte order mark takes precedence.
        kind: the kind of the source, which determines where it can declare an encoding.

    Raises:
        ConfigError: `encoding` is not a character encoding.
    """
    if encoding is None and data.isascii():
        return Document(data.decode("ascii"), kind=kind, encoding="utf-8")
    codec = own_name(data, kind) if encoding is None else codec_name(encoding)
    candidates = [(marked, len(mark)) for mark, marked in _MARKS if data.startswith(mark)]
    for name, base in (*candidates, (codec, 0), ("utf-8", 0)):
        if name in _WIDE:
            decoded = _wide(data[base:], name)
        elif name == "utf-8":
            decoded = decode_leniently(data[base:], name)
        else:
            return _legacy(data, name, kind)
        if decoded is not None:
            text, whole = decoded
            break
    return Document(text, EncodingMap(text, name, base), kind=kind, encoding=name, whole=whole)


def own_name(data: bytes, kind: str) -> str:
    """Return the codec that the source declares, or UTF-8 if it declares none or the bytes contradict it."""
    name = ""
    if not data.isascii():
        name = declared(data, kind)
    if not is_encoding(name):
        return "utf-8"
    name = codec_name(name)
    # A declaration that is readable as single bytes is not in UTF-16 or UTF-32 (HTML standard, "prescan").
    if name.startswith(("utf-16", "utf-32")):
        return "utf-8"
    return name


def declared(data: bytes, kind: str) -> str:
    """Return the encoding that the source declares, or ""; it may be unknown, and the bytes may contradict it."""
    match, start = None, 0
    if kind == "http":
        header = response_header(data[:LONGEST_HEADER].decode("latin-1"))
        if header is not None and header.content_type.charset:  # RFC 9110 section 8.3.2
            return header.content_type.charset
        kind = "html"
        if header is not None:
            start = header.end
    if kind in ("xml", "html"):
        match = _XML.match(data, start, start + _PRESCAN)
    if match is None and kind == "html":
        match = _META.search(data, start, start + _PRESCAN)
    if match is None:
        match = _in_comments(data)
    if match is None:
        return ""
    # Emacs appends the type of line ends.
    return re.sub(r"-(?:unix|dos|mac)\Z", "", match[1].decode("ascii").lower())


def _in_comments(data: bytes) -> re.Match[bytes] | None:
    beginning, end = data[: _LINES * _LINE], data[-_LINES * _LINE :]
    # Most files are not divided into lines: each declaration contains one of these words.
    if not any(word in part for part in (beginning, end) for word in (b"coding", b"fenc")):
        return None
    head = beginning.splitlines()[:_LINES]
    matches = chain(map(_PEP_263.match, head[:2]), map(_VIM.search, [*head, *end.splitlines()[-_LINES:]]))
    return next(filter(None, matches), None)


def _wide(data: bytes, name: str) -> tuple[str, bool] | None:
    """Decode UTF-16 or UTF-32 and return whether all bytes are valid; None if it is another encoding."""
    unit = {"utf-16": 2, "utf-32": 4}[name[:6]]
    whole = len(data) - len(data) % unit  # an incomplete code unit at the end is not a character
    for end in (whole, whole - unit):  # a high surrogate at the end requires another unit
        try:
            return data[:end].decode(name, "surrogatepass"), end == len(data)
        except UnicodeDecodeError:
            continue
    return None


def decode_leniently(data: bytes, name: str) -> tuple[str, bool]:
    """Return a text in an encoding, and whether all bytes are valid; invalid ones are decoded individually."""
    try:
        return data.decode(name), True
    except UnicodeDecodeError:
        return data.decode(name, "surrogateescape"), False


def _legacy(data: bytes, name: str, kind: str) -> Document:
    """Decode an encoding other than UTF-8, UTF-16 and UTF-32."""
    if len(_PROBE.decode(name, "replace")) == len(_PROBE):
        text, whole = decode_leniently(data, name)
        return Document(text, ByteMap(name), kind=kind, encoding=name, whole=whole)
    # Not `surrogateescape`: it rejects invalid bytes below 0x80, which truncated escape sequences have.
    text = data.decode(name, "replace")
    return Document(text, StatefulMap(data, name), kind=kind, encoding=name, whole="\ufffd" not in text)


class ByteMap(IdentityMap):
    """Maps characters to bytes of a single-byte encoding."""

    __slots__ = ("_encoding",)

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding

    def encode(self, start: int, end: int, text: str) -> bytes | None:
        """Return `text` in the encoding, or None if it cannot be encoded."""
        try:
            return text.encode(self._encoding, "surrogateescape")
        except UnicodeEncodeError:
            return None


class StatefulMap:
    """Maps characters to bytes of a multi-byte or stateful encoding (GBK, ISO-2022-JP, ...).

    Only the decoder knows how many bytes a character occupied, because characters can have two encodings and escape
    sequences between them. The state of the decoder is saved every 512 bytes. From the last saved state before an
    offset, the bytes are decoded one by one, those of ASCII together, once for all consecutive offsets.
    """

    __slots__ = ("_block", "_data", "_encoding", "_marks")

    def __init__(self, data: bytes, encoding: str) -> None:
        self._data = data
        self._encoding = encoding
        self._marks: list[tuple[int, int, tuple[bytes, int]]] = []
        self._block: tuple[int, array[int]] = (-1, array("q"))  # the number of a saved state, and the offsets after it

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest span of bytes that the characters were decoded from."""
        if not self._marks:
            self._save_states()
        return self._byte_at(start), self._byte_at(end)

    def encode(self, start: int, end: int, text: str) -> bytes | None:
        """Return `text` in the encoding, or None if it cannot replace the bytes without changing those after them."""
        try:
            encoded = text.encode(self._encoding)
            decoder = self._decoder_at(start)
            state = decoder.getstate()
            decoded, state_after = decoder.decode(encoded), decoder.getstate()
            decoder.setstate(state)
            decoder.decode(self._data[start:end])
        except UnicodeError:
            return None
        if decoded == text and decoder.getstate() == state_after:
            return encoded
        return None

    def _decoder(self) -> codecs.IncrementalDecoder:
        return codecs.getincrementaldecoder(self._encoding)("replace")

    def _decoder_at(self, byte: int) -> codecs.IncrementalDecoder:
        """Return a decoder that has decoded the bytes before an offset."""
        if not self._marks:
            self._save_states()
        number = max(bisect.bisect_right(self._marks, byte, key=lambda mark: mark[1]) - 1, 0)
        _, mark, state = self._marks[number]
        decoder = self._decoder()
        decoder.setstate(state)
        _feed(decoder, self._data[mark:byte])
        return decoder

    def _save_states(self) -> None:
        decoder, characters = self._decoder(), 0
        for offset in range(0, len(self._data), _STEP):
            self._marks.append((characters, offset, decoder.getstate()))
            characters += _feed(decoder, self._data[offset : offset + _STEP])
        self._marks.append((characters, len(self._data), decoder.getstate()))

    def _byte_at(self, character: int) -> int:
        number = max(bisect.bisect_left(self._marks, (character,)) - 1, 0)
        if self._block[0] != number:
            self._block = number, self._ends_after(number)
        offsets = self._block[1]
        return offsets[min(max(character - self._marks[number][0], 0), len(offsets) - 1)]

    def _ends_after(self, number: int) -> "array[int]":
        """Return the offset of a saved state, and the ends of the characters between it and the next one."""
        _, byte, state = self._marks[number]
        limit = self._marks[number + 1][1] if number + 1 < len(self._marks) else len(self._data)
        decoder = self._decoder()
        decoder.setstate(state)
        offsets = array("q", (byte - len(state[0]),))
        while byte < limit:
            end = byte + 1
            if decoder.getstate() == self._marks[0][2]:  # the initial state
                end = max(match_end(_SINGLE, self._data, byte, limit), end)
            count = _feed(decoder, self._data[byte:end])
            byte = end
            if count:
                # An invalid sequence is only detected with the bytes after it: some are held back, others decoded.
                last = byte - len(decoder.getstate()[0])
                offsets.extend(range(last - count + 1, last + 1))
        return offsets


def _feed(decoder: codecs.IncrementalDecoder, data: bytes) -> int:
    """Feed `data` to a decoder and return the number of characters that it returned."""
    state = decoder.getstate()
    try:
        return len(decoder.decode(data))
    except UnicodeError:  # an unterminated escape sequence: Python buffers 8 bytes of it, then raises an error
        decoder.setstate(state)
    if len(data) > 1:
        return sum(_feed(decoder, data[number : number + 1]) for number in range(len(data)))
    buffered, flags = state
    decoder.setstate((b"", flags))
    return 1 + _feed(decoder, buffered[1:] + data)
