"""What of a message is not read in place: the parts that want decoding, and what nobody reads.

A part is read in place, as the plain text that it is, unless it is encoded, flowed, HTML, or not of ASCII.  What is
no text is passed over, and so are signatures, keys and what is encrypted (RFC 4880 section 6.2, RFC 3156).
"""

import functools
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import AnyStr, NamedTuple

from urlscan.sources.decode import Decoded, decode
from urlscan.sources.identify import identify
from urlscan.sources.mail.headers import body_after, charset_of, encoded_words, field_starts
from urlscan.sources.mail.mime import MESSAGES, Entity, entities
from urlscan.sources.mail.transfer import (
    ByteRuns,
    DecodedMap,
    Made,
    Shifted,
    Through,
    base64,
    quoted_printable,
    uuencoded,
    uuencoded_part,
)
from urlscan.sources.mail.utf7 import UTF_7, shifted
from urlscan.sources.views import Piece, expanded, view_of
from urlscan.text import EncodingMap, Origin, Segment

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
    "(?:(?P=mark)[A-Za-z]{1,40}: [^\\n]*\\n){0,20}+(?:[>|: \\t\\r]{0,41}\\n)?+"
    "(?P=mark)[A-Za-z0-9+/=]{1,100}[ \\t\\r]*(?![^\\n])"
    "(?:\\n(?P=mark)[A-Za-z0-9+/=]{1,100}[ \\t\\r]*(?![^\\n]))*+"
    "(?:\\n(?P=mark)-----END PGP [A-Z0-9 ,/]{1,40}-----)?"
)
# POSIX uuencode: "begin" mode name, lines, a line of no octets, "end".
_UU = "begin [0-7]{3,4} (?P<name>[^\\r\\n]{1,200})\\r?\\n(?P<lines>(?:[!-_][ -`]{1,90}\\r?\\n)++)(?:[ `]?\\r?\\nend)?"
_DECODERS: dict[str, Callable[[bytes], Made | None]] = {
    "qp": quoted_printable, "base64": base64, "uu": uuencoded_part,
}  # fmt: skip
# Charsets in which ASCII may be something else: HZ (RFC 1843), UTF-7.
_SEVEN_BITS = ("hz", UTF_7)
# Messages that were encoded as a whole hold others that were; no more of them than this.
_DEEPEST = 8


# Of the parts of a multipart/alternative all are read, or the text, or the page.
PARTS = ("all", "plain", "html")


class Look(NamedTuple):
    """How a mail is read.

    Attributes:
        parts: of the parts of a multipart/alternative, one of PARTS.
        encoding: of parts that declare none, or None.
        schemes_only: whether nothing without a scheme is wanted: no relative references, no hosts, no addresses.
    """

    parts: str = "all"
    encoding: str | None = None
    schemes_only: bool = False


class Cut(NamedTuple):
    """A place that is not read in place.

    Attributes:
        start, end: in octets of the data.
        segments: what is read instead; none for what is passed over.
    """

    start: int
    end: int
    segments: tuple[Segment, ...] = ()


class Place(NamedTuple):
    """Octets that messages are read from.

    Attributes:
        data: the octets.
        runs: from them to the source.
        origin: the messages.
        look: how they are read.
        depth: in how many messages that were encoded they stand.
    """

    data: bytes
    runs: ByteRuns
    origin: Origin
    look: Look
    depth: int = 0


@functools.cache
def _block(before: str) -> tuple["re.Pattern[bytes]", "re.Pattern[str]"]:
    """Return the pattern of armour and uuencoded files behind what stands before it, for octets and for characters."""
    pattern = f"{before}(?P<block>{_ARMOUR}|{_UU})"
    return re.compile(pattern.encode("ascii")), re.compile(pattern)


def _blocks(data: AnyStr, start: int, end: int) -> Iterator["re.Match[AnyStr]"]:
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
    return Segment(text, map, kind="mail", encoding=encoding, whole=whole, origin=place.origin, note=note)


def cuts(place: Place, start: int, end: int, *, has_words: bool = True) -> Iterator[Cut]:
    """Yield what of the message data[start:end] is not read in place, in order.

    Args:
        place: the data.
        start: where the header of the message begins.
        end: where the message ends.
        has_words: whether encoded words may stand in it.
    """
    found = entities(place.data, start, end)
    unread = _unread(found, place.look.parts)
    done = start
    for number, entity in enumerate(found):
        if entity.start < done:
            continue
        if number in unread:
            yield Cut(entity.start, entity.end)
            done = entity.end
            continue
        if has_words:
            yield from _words_of(place, entity)
        if entity.is_leaf:
            yield from _leaf(place, entity)


def with_cuts(place: Place, found: Iterable[Cut], start: int, end: int, note: str = "") -> Iterator[Segment]:
    """Yield the segments of data[start:end]: those of the cuts, in order, and what is read in place between them.

    The note is of what stands behind the last.
    """
    done = start
    for cut in found:
        if cut.start > done:
            yield in_place(place, done, cut.start)
        yield from cut.segments
        done = max(done, cut.end)
    if done < end:
        yield in_place(place, done, end, note)


def _unread(found: list[Entity], parts: str) -> set[int]:
    """Return the numbers of the entities that are not read, since another one says the same."""
    if parts == "all":
        return set()
    groups: dict[int, list[int]] = {}
    for number, entity in enumerate(found):
        if entity.above >= 0:
            groups.setdefault(entity.above, []).append(number)
    unread: set[int] = set()
    for members in groups.values():
        wanted = [number for number in members if _is(found[number].head.type, parts)]
        chosen = wanted[0] if wanted else members[-1]  # RFC 2046 section 5.1.4: the last is the best
        unread.update(number for number in members if number != chosen)
    return unread


def _is(kind: str, parts: str) -> bool:
    return kind in ("", "text/plain") if parts == "plain" else kind in ("text/html", "multipart/related")


def _words_of(place: Place, entity: Entity) -> Iterator[Cut]:
    """Yield the fields of a header that hold encoded words."""
    data = place.data
    at = data.find(b"=?", entity.start, entity.body)
    if at < 0:
        return
    starts = [*field_starts(data, entity.start, entity.body), body_after(data, entity.start, entity.body)[0]]
    for start, end in itertools.pairwise(starts):
        if data.find(b"=?", start, end) < 0:
            continue
        decoded = _of(place, data[start:end], Shifted(start), None)
        if words := encoded_words(decoded.text):
            segment = view_of(decoded, "mail", iter([Piece("prose", 0, len(decoded.text), words)]))
            yield Cut(start, end, (_placed(segment, place),))


def _leaf(place: Place, entity: Entity) -> Iterator[Cut]:
    """Yield what of a part is not read in place."""
    head, data, body, end = entity.head, place.data, entity.body, entity.end
    if entity.cut:
        yield _too_much(place, body, end, entity.cut)
    elif head.type in MESSAGES:
        yield from _encoded_message(place, entity)
    elif kind := _kind_of(head.type, head.name):
        yield from _text(place, entity, kind)
    # Without an encoding it is text all the same, whatever it is called; what are pictures is not.
    elif head.coding or head.type == "application/pgp-signature" or not data[body:end].isascii():
        if body < end:
            yield Cut(body, end)
    else:
        yield from _text(place, entity, "mail")


def _too_much(place: Place, start: int, end: int, why: str) -> Cut:
    first, _ = place.runs.to_source(start, start)
    return Cut(start, end, (in_place(place, start, end, f"{why}, read as plain text from byte {first} on"),))


def _text(place: Place, entity: Entity, kind: str) -> Iterator[Cut]:
    """Yield what of a part of a kind that is read is not read in place."""
    head, body = entity.head, entity.body
    raw = place.data[body : entity.end]
    made = _DECODERS[head.coding](raw) if head.coding else None
    soft = _soft(head.parameters) if kind == "mail" else ""
    charset = charset_of(head.parameters.get("charset"))
    if made is None and kind == "mail" and not soft and charset not in _SEVEN_BITS and _is_ascii(raw):
        yield from _block_cuts(place, body, entity.end)
        return
    octets, runs, stop = made if made is not None else (raw, Shifted(0), len(raw))
    yield Cut(body, body + stop, tuple(_shown(place, octets, Through(runs, Shifted(body)), charset, kind, soft)))


def _encoded_message(place: Place, entity: Entity) -> Iterator[Cut]:
    """Yield what of a message that was encoded as a whole is not read in place."""
    body, end = entity.body, entity.end
    if place.depth >= _DEEPEST:
        yield _too_much(place, body, end, f"encoded messages in each other are deeper than {_DEEPEST} levels")
        return
    made = _DECODERS[entity.head.coding](place.data[body:end])
    if made is None:  # it only says so
        yield from cuts(place._replace(depth=place.depth + 1), body, end)
        return
    runs = Through(Through(made.runs, Shifted(body)), place.runs)
    inner = Place(made.data, runs, place.origin, place.look, place.depth + 1)
    yield Cut(body, body + made.end, tuple(with_cuts(inner, cuts(inner, 0, len(made.data)), 0, len(made.data))))


def _kind_of(type: str, name: str) -> str:
    """Return as what a part is read; "" for what is no text."""
    if type in _KINDS:
        return _KINDS[type]
    top, _, sub = type.partition("/")
    if top in ("text", "", "message", "multipart") or not sub:
        return "mail"
    if type not in _UNTYPED or "." not in name:
        return ""
    if name.lower().endswith((".txt", ".text", ".log")):
        return "mail"
    kind = identify(name, "")
    return kind if kind != "plain" else ""


def _soft(parameters: Mapping[str, str]) -> str:
    """Return how a part is flowed (RFC 3676 section 4)."""
    if parameters.get("format", "").lower() != "flowed":
        return ""
    return "delsp" if parameters.get("delsp", "").lower() == "yes" else "flowed"


def _of(place: Place, data: bytes, runs: ByteRuns, charset: str | None, kind: str = "mail") -> Decoded:
    """Return the text of some octets, with a map that leads to the source."""
    declared = charset or place.look.encoding
    if declared is None and kind not in ("html", "xml"):  # these may declare it
        declared = "utf-8"
    if declared is not None and (
        (declared not in _SEVEN_BITS and _is_ascii(data)) or (declared.startswith("utf-") and b"\0" not in data)
    ):
        declared = "utf-8"
    decoded = decode(data, declared, kind)
    encoding = "" if decoded.whole else decoded.encoding
    return Decoded(decoded.text, DecodedMap(decoded.map, Through(runs, place.runs)), encoding, decoded.whole)


def _is_ascii(data: bytes) -> bool:
    """Return whether the octets are ASCII in any charset but those of seven bits, which switch by ESC or have NUL."""
    return data.isascii() and b"\x1b" not in data and b"\0" not in data


def _shown(
    place: Place, data: bytes, runs: ByteRuns, charset: str | None, kind: str, soft: str = ""
) -> Iterator[Segment]:
    """Yield the segment of a part that has been decoded to octets, and those of the files in its text."""
    if charset == UTF_7:
        yield _shown_in_utf7(_of(place, data, runs, "utf-8", kind), place, kind, soft)
        return
    decoded = _of(place, data, runs, charset, kind)
    text = decoded.text
    if kind != "mail":
        from urlscan.sources import pieces_of

        pieces = pieces_of(text, kind, schemes_only=place.look.schemes_only)
        yield _placed(view_of(decoded, kind, pieces), place)
        return
    blocks = list(_blocks(text, 0, len(text)))
    if not blocks:
        segment = Segment(text, decoded.map, kind=kind, encoding=decoded.encoding, whole=decoded.whole, soft=soft)
        yield _placed(segment, place)
        return
    segment = view_of(decoded, kind, _without(text, [match.span("block") for match in blocks]))
    segment.soft = soft
    yield _placed(segment, place)
    inner = place._replace(runs=decoded.map)  # from characters
    for match in blocks:
        if match["name"] is not None and (kind := _kind_by_name(match["name"])):
            yield from _uu_text(inner, match["lines"].encode("latin-1", "replace"), match.start("lines"), kind)


def _shown_in_utf7(decoded: Decoded, place: Place, kind: str, soft: str) -> Segment:
    from urlscan.sources import reader_of

    text = decoded.text
    whole = Piece("prose", 0, len(text), shifted(text), kind if kind != "mail" else "")
    segment = view_of(decoded, kind, expanded(text, iter((whole,)), reader_of))
    segment.soft = soft
    return _placed(segment, place)


def _without(text: str, spans: list[tuple[int, int]]) -> Iterator[Piece]:
    done = 0
    for start, end in spans:
        yield Piece("prose", done, start)
        yield Piece("markup", start, end)
        done = end
    yield Piece("prose", done, len(text))


def _placed(segment: Segment, place: Place) -> Segment:
    segment.origin = place.origin
    return segment


def _block_cuts(place: Place, start: int, end: int) -> Iterator[Cut]:
    """Yield the armour and the uuencoded files of a text; of these those that are text are read."""
    for match in _blocks(place.data, start, end):
        kind = _kind_by_name(match["name"].decode("latin-1")) if match["name"] is not None else ""
        shown = _uu_text(place, match["lines"], match.start("lines"), kind) if kind else ()
        yield Cut(*match.span("block"), tuple(shown))


def _kind_by_name(name: str) -> str:
    return _kind_of(_UNTYPED[0], name.strip())


def _uu_text(place: Place, lines: bytes, start: int, kind: str) -> Iterator[Segment]:
    made = uuencoded(lines)
    return _shown(place, made.data, Through(made.runs, Shifted(start)), None, kind)
