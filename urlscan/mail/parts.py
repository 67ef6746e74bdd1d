"""The parts of a message as segments: what of them is read, as what, and how their octets become text.

What is no text is not read, nor signatures, keys and what is encrypted (RFC 4880 section 6.2, RFC 3156).
"""

import functools
import re
from collections.abc import Iterator
from typing import AnyStr, NamedTuple

from urlscan.core.lazy import repeat
from urlscan.core.maps import EncodingMap
from urlscan.core.segment import Decoding, Origin, Segment
from urlscan.documents import contexts_factory, reader_of, regions_of
from urlscan.documents.segments import Region, build_segment, expand_nested
from urlscan.files.decode import Decoded, decode
from urlscan.files.identify import identify
from urlscan.mail.transfer import ByteRuns, DecodedMap, Shifted, Through, uuencoded
from urlscan.mail.utf7 import UTF_7, shifted

# What is read besides plain text, and as what.
_KINDS = {
    "text/html": "html", "application/xhtml+xml": "html", "text/xml": "xml", "application/xml": "xml",
    "application/rss+xml": "xml", "application/atom+xml": "xml", "image/svg+xml": "xml", "text/markdown": "markdown",
    "text/x-markdown": "markdown", "text/css": "css", "text/csv": "csv", "application/json": "json",
    "text/calendar": "ics", "application/ics": "ics", "text/vcard": "vcf", "text/x-vcard": "vcf",
    "text/directory": "vcf", "text/tab-separated-values": "tsv", "text/javascript": "javascript",
    "application/javascript": "javascript",
}  # fmt: skip
# Data without a type of its own: its name tells.
_UNTYPED = ("application/octet-stream", "application/x-unknown", "application/download", "application/force-download")
# Lines of data that nobody reads, and what stands in their header ("Comment: see http://www.gnupg.org/").
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

# Of the parts of a multipart/alternative all are read, or the text, or the page.
PARTS = ("all", "plain", "html")


class MailOptions(NamedTuple):
    """How a mail is read.

    Attributes:
        parts: of the parts of a multipart/alternative, one of PARTS.
        encoding: of parts that declare none, or None.
        schemes_only: whether nothing without a scheme is wanted: no relative references, no hosts, no addresses.
    """

    parts: str = "all"
    encoding: str | None = None
    schemes_only: bool = False


class Place(NamedTuple):
    """Octets that messages are read from.

    Attributes:
        data: the octets.
        runs: from them to the source.
        origin: the messages.
        mail_options: how they are read.
        depth: in how many messages that were encoded they stand.
    """

    data: bytes
    runs: ByteRuns
    origin: Origin
    mail_options: MailOptions
    depth: int = 0


def in_place(place: Place, start: int, end: int, note: str = "") -> Segment:
    """Return the segment that shows data[start:end] as it is."""
    data = place.data[start:end]
    try:
        text, whole = data.decode("utf-8"), True
    except UnicodeDecodeError:
        text, whole = data.decode("utf-8", "surrogateescape"), False
    if isinstance(place.runs, Shifted):
        base, _ = place.runs.to_source(start, start)
        return _plain(text, EncodingMap(text, "utf-8", base), place, whole=whole, note=note)
    map = DecodedMap(EncodingMap(text, "utf-8", start), place.runs)
    return _plain(text, map, place, whole=whole, note=note)


def _plain(text: str, map: "EncodingMap | DecodedMap", place: Place, *, whole: bool, note: str = "") -> Segment:
    encoding = "" if whole else "utf-8"
    segment = Segment(text, map, kind="mail", decoding=Decoding(encoding, whole))
    segment.origin, segment.note = place.origin, note
    return segment


def kind_of(type: str, name: str) -> str:
    """Return the kind a MIME part is parsed as; "" for what is not text.

    A type that is not of the form "type/subtype" counts as text/plain (RFC 2045 section 5.2).

    Args:
        type: its media type in lower case, without parameters.
        name: its file name, or "".
    """
    if type in _KINDS:
        return _KINDS[type]
    top, _, sub = type.partition("/")
    if top in ("text", "", "message", "multipart") or not sub or "/" in sub:
        return "mail"
    if type not in _UNTYPED or "." not in name:
        return ""
    if name.lower().endswith((".txt", ".text", ".log")):
        return "mail"
    kind = identify(name, "")
    return kind if kind != "plain" else ""


def decoded_text(place: Place, data: bytes, runs: ByteRuns, charset: str | None, kind: str = "mail") -> Decoded:
    """Return the text of some octets, with a map that leads to the source."""
    declared = charset or place.mail_options.encoding
    if declared is None and kind not in ("html", "xml"):  # these may declare it
        declared = "utf-8"
    if declared is not None and (
        (declared not in SEVEN_BITS and is_ascii(data)) or (declared.startswith("utf-") and b"\0" not in data)
    ):
        declared = "utf-8"
    decoded = decode(data, declared, kind)
    encoding = "" if decoded.whole else decoded.encoding
    return Decoded(decoded.text, DecodedMap(decoded.map, Through(runs, place.runs)), encoding, decoded.whole)


def is_ascii(data: bytes) -> bool:
    """Return whether the octets are ASCII in any charset but those of seven bits, which switch by ESC or have NUL."""
    return data.isascii() and b"\x1b" not in data and b"\0" not in data


def shown(
    place: Place, data: bytes, runs: ByteRuns, charset: str | None, kind: str, soft: str = ""
) -> Iterator[Segment]:
    """Yield the segment of a part that has been decoded to octets, and those of the files in its text."""
    if charset == UTF_7:
        yield _shown_in_utf7(decoded_text(place, data, runs, "utf-8", kind), place, kind, soft)
        return
    decoded = decoded_text(place, data, runs, charset, kind)
    text = decoded.text
    if kind != "mail":
        regions = regions_of(text, kind, schemes_only=place.mail_options.schemes_only)
        yield placed(build_segment(decoded, kind, regions, contexts=contexts_factory(text, kind)), place)
        return
    blocks = list(blocks_in(text, 0, len(text)))
    if not blocks:
        segment = Segment(text, decoded.map, kind=kind, decoding=Decoding(decoded.encoding, decoded.whole))
        segment.soft = soft
        yield placed(segment, place)
        return
    segment = build_segment(decoded, kind, _without(text, [match.span("block") for match in blocks]))
    segment.soft = soft
    yield placed(segment, place)
    inner = place._replace(runs=decoded.map)  # from characters
    for match in blocks:
        if match["name"] is not None and (kind := kind_by_name(match["name"])):
            yield from uu_text(inner, match["lines"].encode("latin-1", "replace"), match.start("lines"), kind)


def _shown_in_utf7(decoded: Decoded, place: Place, kind: str, soft: str) -> Segment:
    text = decoded.text
    whole = Region("prose", 0, len(text), shifted(text), kind if kind != "mail" else "")
    segment = build_segment(decoded, kind, expand_nested(text, iter((whole,)), reader_of))
    segment.soft = soft
    return placed(segment, place)


def _without(text: str, spans: list[tuple[int, int]]) -> Iterator[Region]:
    done = 0
    for start, end in spans:
        yield Region("prose", done, start)
        yield Region("markup", start, end)
        done = end
    yield Region("prose", done, len(text))


def placed(segment: Segment, place: Place) -> Segment:
    """Return the segment, which knows its messages now."""
    segment.origin = place.origin
    return segment


@functools.cache
def _block(before: str) -> tuple["re.Pattern[bytes]", "re.Pattern[str]"]:
    """Return the pattern of armour and uuencoded files behind what stands before it, for octets and for characters."""
    pattern = f"{before}(?P<block>{_ARMOUR}|{_UU})"
    return re.compile(pattern.encode("ascii")), re.compile(pattern)


def blocks_in(data: AnyStr, start: int, end: int) -> Iterator["re.Match[AnyStr]"]:
    """Yield the armour and the uuencoded files of a text, at the beginning of lines, in order."""
    if isinstance(data, bytes):
        if data.find(b"-----BEGIN PGP", start, end) < 0 and data.find(b"begin ", start, end) < 0:
            return
        first, others = _block("")[0], _block("\\n")[0]
    else:
        if "-----BEGIN PGP" not in data and "begin " not in data:
            return
        first, others = _block("")[1], _block("\\n")[1]
    match = first.match(data, start, end)
    if match is not None:
        yield match
        start = match.end()
    yield from others.finditer(data, start, end)


def kind_by_name(name: str) -> str:
    """Return as what a file is read, by its name alone; "" for what is no text."""
    return kind_of(_UNTYPED[0], name.strip())


def uu_text(place: Place, lines: bytes, start: int, kind: str) -> Iterator[Segment]:
    """Yield the segments of a uuencoded file whose lines begin at `start`."""
    made = uuencoded(lines)
    return shown(place, made.data, Through(made.runs, Shifted(start)), None, kind)
