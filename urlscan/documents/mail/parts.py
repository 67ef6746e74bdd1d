"""Turn the parts of a message into documents.

A part is read in place, as plain text, unless it is encoded, flowed, of another kind, or not ASCII. Signatures, keys,
encrypted data (RFC 4880 section 6.2, RFC 3156) and parts that are not text are skipped.
"""

import functools
import itertools
import re
from collections.abc import Callable, Iterable, Iterator

from urlscan.core.document import MARKUP, Document, Origin
from urlscan.core.lazy import repeat
from urlscan.core.offsets import EncodingMap
from urlscan.core.record import NamedTuple
from urlscan.core.settings import FindOptions
from urlscan.core.typing import AnyStr
from urlscan.documents.escapes import collect
from urlscan.documents.identify import identify
from urlscan.documents.mail.headers import charset_of, encoded_words, field_starts
from urlscan.documents.mail.mime import MESSAGES, Entity, entities
from urlscan.documents.mail.transfer import (
    UTF_7,
    DecodedBody,
    DecodedMap,
    ShiftedMap,
    TransferMap,
    base64,
    composed,
    quoted_printable,
    shifted,
    uuencoded,
    uuencoded_part,
)
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
_SEVEN_BITS = ("hz", UTF_7)

_DECODERS: dict[str, Callable[[bytes], DecodedBody | None]] = {
    "qp": quoted_printable, "base64": base64, "uu": uuencoded_part,
}  # fmt: skip
# Limit of nesting of messages that are encoded as a whole.
_DEEPEST = 8
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


class DecodedSpan(NamedTuple):
    """A span that is not read in place.

    Attributes:
        start, end: the span, in octets of the data.
        documents: the documents to read instead; none for a span that is skipped.
    """

    start: int
    end: int
    documents: tuple[Document, ...] = ()


def decoded_spans(source: MessageData, parts: list[Entity], *, has_words: bool = True) -> Iterator[DecodedSpan]:
    """Yield the spans of a message, which has these parts, that are not read in place, in order."""
    unread = _unread(parts, source.mail_options.parts)
    span_end = 0
    for number, entity in enumerate(parts):
        if entity.start < span_end:
            continue
        if number in unread:
            yield DecodedSpan(entity.start, entity.end)
            span_end = entity.end
            continue
        if has_words:
            yield from _words_of(source, entity)
        if entity.is_leaf:
            yield from _leaf(source, entity)


def merge_spans(
    source: MessageData, spans: Iterable[DecodedSpan], start: int, end: int, note: str = ""
) -> Iterator[Document]:
    """Yield the documents of data[start:end]: those of the spans, and those read in place between them.

    `note` belongs to the document after the last span.
    """
    span_end = start
    for span in spans:
        if span.start > span_end:
            yield _in_place(source, span_end, span.start)
        yield from span.documents
        span_end = max(span_end, span.end)
    if span_end < end:
        yield _in_place(source, span_end, end, note)


def _unread(candidates: list[Entity], parts: str) -> set[int]:
    """Return the indices of the alternatives that are not read (RFC 2046 section 5.1.4)."""
    if parts == "all":
        return set()
    groups: dict[int, list[int]] = {}
    for number, entity in enumerate(candidates):
        if entity.above >= 0:
            groups.setdefault(entity.above, []).append(number)
    unread: set[int] = set()
    types = {"plain": ("", "text/plain"), "html": ("text/html", "multipart/related")}[parts]
    for members in groups.values():
        # RFC 2046 section 5.1.4: the last is the best.
        chosen = next((number for number in members if candidates[number].head.type in types), members[-1])
        unread.update(number for number in members if number != chosen)
    return unread


def _words_of(source: MessageData, entity: Entity) -> Iterator[DecodedSpan]:
    """Yield the fields of a header that contain encoded words."""
    data = source.data
    if data.find(b"=?", entity.start, entity.body) < 0:
        return
    starts = [*field_starts(data, entity.start, entity.body), entity.fields_end]
    for start, end in itertools.pairwise(starts):
        if data.find(b"=?", start, end) < 0:
            continue
        decoded = _decoded_text(source, data[start:end], ShiftedMap(start), None)
        if words := collect(encoded_words(decoded.text)):
            document = set_regions(decoded, [Region("prose", 0, len(decoded.text), words)])
            yield DecodedSpan(start, end, (document,))


def _leaf(source: MessageData, entity: Entity) -> Iterator[DecodedSpan]:
    """Yield the spans of a part that are not read in place."""
    head, data, body, end = entity.head, source.data, entity.body, entity.end
    if entity.limit_note:
        yield _too_much(source, body, end, entity.limit_note)
    elif head.type in MESSAGES:
        yield from _encoded_message(source, entity)
    elif kind := _kind_of(head.type, head.name):
        yield from _text(source, entity, kind)
    # Anything else without an encoding is text if it is ASCII, whatever its type; pictures are not.
    elif head.coding or head.type == "application/pgp-signature" or not data[body:end].isascii():
        if body < end:
            yield DecodedSpan(body, end)
    else:
        yield from _text(source, entity, "mail")


def _too_much(source: MessageData, start: int, end: int, why: str) -> DecodedSpan:
    first, _ = source.byte_map.to_source(start, start)
    return DecodedSpan(start, end, (_in_place(source, start, end, f"{why}, read as plain text from byte {first} on"),))


def _text(source: MessageData, entity: Entity, kind: str) -> Iterator[DecodedSpan]:
    """Yield the spans of a part of a readable kind that are not read in place."""
    head, body = entity.head, entity.body
    raw = source.data[body : entity.end]
    decoded, soft = None, ""
    if head.coding:
        decoded = _DECODERS[head.coding](raw)
    if kind == "mail" and head.parameters.get("format", "").lower() == "flowed":  # RFC 3676 section 4
        soft = {"yes": "delsp"}.get(head.parameters.get("delsp", "").lower(), "flowed")
    charset = charset_of(head.parameters.get("charset"))
    if decoded is None and kind == "mail" and not soft and charset not in _SEVEN_BITS and _is_ascii(raw):
        for match in _blocks_in(source.data, body, entity.end):  # only files that are text have documents
            documents: tuple[Document, ...] = ()
            if kind := _kind_by_name((match["name"] or b"").decode("latin-1")):
                documents = tuple(_uu_text(source, match["lines"], match.start("lines"), kind))
            yield DecodedSpan(*match.span("block"), documents)
        return
    octets, byte_map, octets_end = decoded or (raw, ShiftedMap(0), len(raw))
    yield DecodedSpan(
        body,
        body + octets_end,
        tuple(_part_documents(source, octets, composed(byte_map, ShiftedMap(body)), charset, kind, soft)),
    )


def _encoded_message(source: MessageData, entity: Entity) -> Iterator[DecodedSpan]:
    """Yield the spans of a message that is encoded as a whole."""
    body, end = entity.body, entity.end
    if source.depth >= _DEEPEST:
        yield _too_much(source, body, end, f"encoded messages in each other are deeper than {_DEEPEST} levels")
        return
    decoded = _DECODERS[entity.head.coding](source.data[body:end])
    if decoded is None:  # the declared encoding is wrong
        yield from decoded_spans(source._replace(depth=source.depth + 1), entities(source.data, body, end))
        return
    byte_map = composed(composed(decoded.byte_map, ShiftedMap(body)), source.byte_map)
    inner = MessageData(decoded.data, byte_map, source.origin, source.mail_options, source.depth + 1)
    size = len(decoded.data)
    spans = decoded_spans(inner, entities(decoded.data, 0, size))
    yield DecodedSpan(body, body + decoded.end, tuple(merge_spans(inner, spans, 0, size)))


def _in_place(source: MessageData, start: int, end: int, note: str = "") -> Document:
    """Return the document of data[start:end] without decoding."""
    data = source.data[start:end]
    try:
        text, encoding = data.decode("utf-8"), ""
    except UnicodeDecodeError:
        text, encoding = data.decode("utf-8", "surrogateescape"), "utf-8"
    map: EncodingMap | DecodedMap
    if isinstance(source.byte_map, ShiftedMap):
        map = EncodingMap(text, "utf-8", source.byte_map.to_source(start, start)[0])
    else:
        map = DecodedMap(EncodingMap(text, "utf-8", start), source.byte_map)
    document = Document(text, map, kind="mail", encoding=encoding, whole=not encoding)
    document.origin, document.note = source.origin, note
    return document


def _kind_of(type: str, name: str) -> str:
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
    return identify(name, "").removeprefix("plain")


def _decoded_text(
    source: MessageData, data: bytes, byte_map: TransferMap, charset: str | None, kind: str = "mail"
) -> Document:
    """Return the text of octets, with a map to the source; markup is not read."""
    declared = charset or source.mail_options.encoding
    if declared is None and kind not in ("html", "xml"):  # these may declare it
        declared = "utf-8"
    if declared is not None and (
        (declared not in _SEVEN_BITS and _is_ascii(data)) or (declared.startswith("utf-") and b"\0" not in data)
    ):
        declared = "utf-8"
    decoded = decode(data, declared, kind)
    if "\0" in decoded.text:  # `=00` is no text (RFC 2045 section 2.7) and ends a URL, even between delimiters
        decoded.text = decoded.decoded = decoded.prose = decoded.text.replace("\0", MARKUP)
    decoded.map = DecodedMap(decoded.map, composed(byte_map, source.byte_map))
    if decoded.whole:
        decoded.encoding = ""
    decoded.origin = source.origin
    return decoded


def _is_ascii(data: bytes) -> bool:
    """Return whether the octets are ASCII text, without ESC and NUL of seven-bit charsets (ISO 2022, UTF-16)."""
    return data.isascii() and b"\x1b" not in data and b"\0" not in data


def _part_documents(
    source: MessageData, data: bytes, byte_map: TransferMap, charset: str | None, kind: str, soft: str = ""
) -> Iterator[Document]:
    """Yield the document of a decoded part, and those of uuencoded files in its text."""
    document = _decoded_text(source, data, byte_map, {UTF_7: "utf-8"}.get(charset or "", charset), kind)
    text = document.text
    document.soft = soft
    if charset == UTF_7:
        whole = Region("prose", 0, len(text), collect(shifted(text)), kind.removeprefix("mail"))
        yield set_regions(document, expand_nested(text, (whole,), "hosts"))
        return
    if kind != "mail":
        yield read_markup(document, source.mail_options.find_options)
        return
    blocks = list(_blocks_in(text, 0, len(text)))
    if not blocks:
        yield document
        return
    yield set_regions(document, [Region("markup", *match.span("block")) for match in blocks])
    inner = source._replace(byte_map=document.map)  # from characters
    for match in blocks:
        if match["name"] is not None and (kind := _kind_by_name(match["name"])):
            yield from _uu_text(inner, match["lines"].encode("latin-1", "replace"), match.start("lines"), kind)


@functools.cache
def _block(before: str) -> tuple["re.Pattern[bytes]", "re.Pattern[str]"]:
    """Return the patterns of armored data and uuencoded files after the pattern `before`, for octets and characters."""
    pattern = f"{before}(?P<block>{_ARMOUR}|{_UU})"
    return re.compile(pattern.encode("ascii")), re.compile(pattern)


def _blocks_in(data: AnyStr, start: int, end: int) -> Iterator["re.Match[AnyStr]"]:
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


def _kind_by_name(name: str) -> str:
    """Return the kind for a file name; "" if the file is not text."""
    return _kind_of(_UNTYPED[0], name.strip())


def _uu_text(source: MessageData, lines: bytes, start: int, kind: str) -> Iterator[Document]:
    """Yield the documents of a uuencoded file, whose lines begin at `start`."""
    decoded = uuencoded(lines)
    return _part_documents(source, decoded.data, composed(decoded.byte_map, ShiftedMap(start)), None, kind)
