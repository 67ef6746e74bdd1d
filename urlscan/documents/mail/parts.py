"""Turn the parts of a message into documents.

Skip signatures, keys and encrypted data (RFC 4880 section 6.2, RFC 3156), and parts that are not text.
"""

import functools
import re
from collections.abc import Iterator
from typing import AnyStr, NamedTuple

from urlscan.core.document import MARKUP, Document, Origin
from urlscan.core.lazy import repeat
from urlscan.core.offsets import EncodingMap
from urlscan.core.settings import FindOptions
from urlscan.documents.identify import identify
from urlscan.documents.mail.transfer import UTF_7, ComposedMap, DecodedMap, ShiftedMap, TransferMap, shifted, uuencoded
from urlscan.documents.regions import Region, expand_nested, read_markup, set_regions
from urlscan.files.decode import decode
from urlscan.files.media_types import KINDS

# Generic types: the file name determines the kind.
_UNTYPED = ("application/octet-stream", "application/x-unknown", "application/download", "application/force-download")
# Armored data and its header ("Comment: see http://www.gnupg.org/").
_ARMOUR = (
    "(?P<mark>(?:[>|:][>|: ]{0,40})?)-----BEGIN PGP (?!SIGNED)[A-Z0-9 ,/]{1,40}-----[ \\t\\r]*\\n"
    "(?>(?:(?P=mark)[A-Za-z]{1,40}: [^\\n]*\\n){0,20})(?>(?:[>|: \\t\\r]{0,41}\\n)?)"
    "(?P=mark)[A-Za-z0-9+/=]{1,100}[ \\t\\r]*(?![^\\n])"
    + repeat("\\n(?P=mark)[A-Za-z0-9+/=]{1,100}[ \\t\\r]*(?![^\\n])")
    + "(?:\\n(?P=mark)-----END PGP [A-Z0-9 ,/]{1,40}-----)?"
)
# POSIX uuencode: "begin" mode name, lines, a line of no octets, "end".
_UU = (
    "begin [0-7]{3,4} (?P<name>[^\\r\\n]{1,200})\\r?\\n"
    "(?P<lines>" + repeat("[!-_][ -`]{1,90}\\r?\\n", 1) + ")"
    "(?:[ `]?\\r?\\nend)?"
)
# Charsets in which ASCII may be something else: HZ (RFC 1843), UTF-7.
SEVEN_BITS = ("hz", UTF_7)

# Which parts of a multipart/alternative are read.
PARTS = ("all", "plain", "html")


class MailOptions(NamedTuple):
    """Options for reading mail.

    Attributes:
        parts: which parts of a multipart/alternative are read, one of PARTS.
        encoding: the encoding of parts that declare none, or None.
        find_options: what will be searched for in the documents, which may omit anything else; None for everything.
    """

    parts: str = "all"
    encoding: str | None = None
    find_options: FindOptions | None = None


class MessageData(NamedTuple):
    """Octets that contain messages.

    Attributes:
        data: the octets.
        byte_map: the map from them to the source.
        origin: the messages.
        mail_options: the options for reading them.
        depth: the number of encoded messages around them.
    """

    data: bytes
    byte_map: TransferMap
    origin: Origin
    mail_options: MailOptions
    depth: int = 0


def in_place(source: MessageData, start: int, end: int, note: str = "") -> Document:
    """Return the document of data[start:end] without decoding."""
    data = source.data[start:end]
    try:
        text, whole = data.decode("utf-8"), True
    except UnicodeDecodeError:
        text, whole = data.decode("utf-8", "surrogateescape"), False
    if isinstance(source.byte_map, ShiftedMap):
        base, _ = source.byte_map.to_source(start, start)
        return _plain(text, EncodingMap(text, "utf-8", base), source, whole=whole, note=note)
    map = DecodedMap(EncodingMap(text, "utf-8", start), source.byte_map)
    return _plain(text, map, source, whole=whole, note=note)


def _plain(text: str, map: "EncodingMap | DecodedMap", source: MessageData, *, whole: bool, note: str = "") -> Document:
    encoding = "" if whole else "utf-8"
    document = Document(text, map, kind="mail", encoding=encoding, whole=whole)
    document.origin, document.note = source.origin, note
    return document


def kind_of(type: str, name: str) -> str:
    """Return the kind a MIME part is parsed as; "" for what is not text.

    The type is in lower case, without parameters. A type that is not of the form "type/subtype" counts as text/plain
    (RFC 2045 section 5.2).
    """
    if type in KINDS:
        return KINDS[type]
    top, _, sub = type.partition("/")
    if top in ("text", "", "message", "multipart") or not sub or "/" in sub:
        return "mail"
    if type not in _UNTYPED or "." not in name:
        return ""
    if name.lower().endswith((".txt", ".text", ".log")):
        return "mail"
    kind = identify(name, "")
    return kind if kind != "plain" else ""


def decoded_text(
    source: MessageData, data: bytes, byte_map: TransferMap, charset: str | None, kind: str = "mail"
) -> Document:
    """Return the text of octets, with a map to the source; markup is not read."""
    declared = charset or source.mail_options.encoding
    if declared is None and kind not in ("html", "xml"):  # these may declare it
        declared = "utf-8"
    if declared is not None and (
        (declared not in SEVEN_BITS and is_ascii(data)) or (declared.startswith("utf-") and b"\0" not in data)
    ):
        declared = "utf-8"
    decoded = decode(data, declared, kind)
    if "\0" in decoded.text:  # `=00` is no text (RFC 2045 section 2.7) and ends a URL, even between delimiters
        decoded.text = decoded.decoded = decoded.prose = decoded.text.replace("\0", MARKUP)
    decoded.map = DecodedMap(decoded.map, ComposedMap(byte_map, source.byte_map))
    decoded.encoding = "" if decoded.whole else decoded.encoding
    decoded.origin = source.origin
    return decoded


def is_ascii(data: bytes) -> bool:
    """Return whether the octets are ASCII text, without ESC and NUL of seven-bit charsets (ISO 2022, UTF-16)."""
    return data.isascii() and b"\x1b" not in data and b"\0" not in data


def part_segments(
    source: MessageData, data: bytes, byte_map: TransferMap, charset: str | None, kind: str, soft: str = ""
) -> Iterator[Document]:
    """Yield the document of a decoded part, and those of uuencoded files in its text."""
    document = decoded_text(source, data, byte_map, charset if charset != UTF_7 else "utf-8", kind)
    text = document.text
    document.soft = soft
    if charset == UTF_7:
        whole = Region("prose", 0, len(text), shifted(text), kind if kind != "mail" else "")
        yield set_regions(document, expand_nested(text, (whole,), "hosts"))
        return
    if kind != "mail":
        yield read_markup(document, source.mail_options.find_options)
        return
    blocks = list(blocks_in(text, 0, len(text)))
    if not blocks:
        yield document
        return
    yield set_regions(document, [Region("markup", *match.span("block")) for match in blocks])
    inner = source._replace(byte_map=document.map)  # from characters
    for match in blocks:
        if match["name"] is not None and (kind := kind_by_name(match["name"])):
            yield from uu_text(inner, match["lines"].encode("latin-1", "replace"), match.start("lines"), kind)


@functools.cache
def _block(before: str) -> tuple["re.Pattern[bytes]", "re.Pattern[str]"]:
    """Return the patterns of armored data and uuencoded files after the pattern `before`, for octets and characters."""
    pattern = f"{before}(?P<block>{_ARMOUR}|{_UU})"
    return re.compile(pattern.encode("ascii")), re.compile(pattern)


def blocks_in(data: AnyStr, start: int, end: int) -> Iterator["re.Match[AnyStr]"]:
    """Yield the matches of armored data and uuencoded files at the beginning of lines, in order."""
    if isinstance(data, bytes):
        if data.find(b"-----BEGIN PGP", start, end) < 0 and data.find(b"begin ", start, end) < 0:
            return
        first, following = _block("")[0], _block("\\n")[0]
    else:
        if "-----BEGIN PGP" not in data and "begin " not in data:
            return
        first, following = _block("")[1], _block("\\n")[1]
    match = first.match(data, start, end)
    if match is not None:
        yield match
        start = match.end()
    yield from following.finditer(data, start, end)


def kind_by_name(name: str) -> str:
    """Return the kind for a file name; "" if the file is not text."""
    return kind_of(_UNTYPED[0], name.strip())


def uu_text(source: MessageData, lines: bytes, start: int, kind: str) -> Iterator[Document]:
    """Yield the documents of a uuencoded file, whose lines begin at `start`."""
    decoded = uuencoded(lines)
    return part_segments(source, decoded.data, ComposedMap(decoded.byte_map, ShiftedMap(start)), None, kind)
