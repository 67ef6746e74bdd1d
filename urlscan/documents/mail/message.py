"""Find the spans of messages that must be decoded.

A part is read in place, as plain text, unless it is encoded, flowed, of another kind, or not ASCII.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from urlscan.core.document import Document
from urlscan.documents.mail.headers import body_after, charset_of, encoded_words, field_starts
from urlscan.documents.mail.mime import MESSAGES, Entity, entities
from urlscan.documents.mail.parts import (
    SEVEN_BITS,
    MessageData,
    blocks_in,
    decoded_text,
    in_place,
    is_ascii,
    kind_by_name,
    kind_of,
    part_segments,
    uu_text,
)
from urlscan.documents.mail.transfer import (
    ComposedMap,
    DecodedBody,
    ShiftedMap,
    base64,
    quoted_printable,
    uuencoded_part,
)
from urlscan.documents.regions import Region, set_regions

_DECODERS: dict[str, Callable[[bytes], DecodedBody | None]] = {
    "qp": quoted_printable, "base64": base64, "uu": uuencoded_part,
}  # fmt: skip
# Limit of nesting of messages that are encoded as a whole.
_DEEPEST = 8


class DecodedSpan(NamedTuple):
    """A span that is not read in place.

    Attributes:
        start, end: the span, in octets of the data.
        documents: the documents to read instead; none for a span that is skipped.
    """

    start: int
    end: int
    documents: tuple[Document, ...] = ()


def decoded_spans(source: MessageData, start: int, end: int, *, has_words: bool = True) -> Iterator[DecodedSpan]:
    """Yield the spans of the message data[start:end] that are not read in place, in order."""
    parts = entities(source.data, start, end)
    unread = _unread(parts, source.mail_options.parts)
    span_end = start
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
            yield in_place(source, span_end, span.start)
        yield from span.documents
        span_end = max(span_end, span.end)
    if span_end < end:
        yield in_place(source, span_end, end, note)


def _unread(candidates: list[Entity], parts: str) -> set[int]:
    """Return the indices of the alternatives that are not read (RFC 2046 section 5.1.4)."""
    if parts == "all":
        return set()
    groups: dict[int, list[int]] = {}
    for number, entity in enumerate(candidates):
        if entity.above >= 0:
            groups.setdefault(entity.above, []).append(number)
    unread: set[int] = set()
    types = ("", "text/plain") if parts == "plain" else ("text/html", "multipart/related")
    for members in groups.values():
        # RFC 2046 section 5.1.4: the last is the best.
        chosen = next((number for number in members if candidates[number].head.type in types), members[-1])
        unread.update(number for number in members if number != chosen)
    return unread


def _words_of(source: MessageData, entity: Entity) -> Iterator[DecodedSpan]:
    """Yield the fields of a header that contain encoded words."""
    data = source.data
    word_start = data.find(b"=?", entity.start, entity.body)
    if word_start < 0:
        return
    starts = [*field_starts(data, entity.start, entity.body), body_after(data, entity.start, entity.body)[0]]
    for start, end in itertools.pairwise(starts):
        if data.find(b"=?", start, end) < 0:
            continue
        decoded = decoded_text(source, data[start:end], ShiftedMap(start), None)
        if words := encoded_words(decoded.text):
            document = set_regions(decoded, [Region("prose", 0, len(decoded.text), words)])
            yield DecodedSpan(start, end, (document,))


def _leaf(source: MessageData, entity: Entity) -> Iterator[DecodedSpan]:
    """Yield the spans of a part that are not read in place."""
    head, data, body, end = entity.head, source.data, entity.body, entity.end
    if entity.limit_note:
        yield _too_much(source, body, end, entity.limit_note)
    elif head.type in MESSAGES:
        yield from _encoded_message(source, entity)
    elif kind := kind_of(head.type, head.name):
        yield from _text(source, entity, kind)
    # Anything else without an encoding is text if it is ASCII, whatever its type; pictures are not.
    elif head.coding or head.type == "application/pgp-signature" or not data[body:end].isascii():
        if body < end:
            yield DecodedSpan(body, end)
    else:
        yield from _text(source, entity, "mail")


def _too_much(source: MessageData, start: int, end: int, why: str) -> DecodedSpan:
    first, _ = source.byte_map.to_source(start, start)
    return DecodedSpan(start, end, (in_place(source, start, end, f"{why}, read as plain text from byte {first} on"),))


def _text(source: MessageData, entity: Entity, kind: str) -> Iterator[DecodedSpan]:
    """Yield the spans of a part of a readable kind that are not read in place."""
    head, body = entity.head, entity.body
    raw = source.data[body : entity.end]
    decoded = _DECODERS[head.coding](raw) if head.coding else None
    soft = _soft(head.parameters) if kind == "mail" else ""
    charset = charset_of(head.parameters.get("charset"))
    if decoded is None and kind == "mail" and not soft and charset not in SEVEN_BITS and is_ascii(raw):
        yield from _block_spans(source, body, entity.end)
        return
    octets, byte_map, octets_end = decoded if decoded is not None else (raw, ShiftedMap(0), len(raw))
    yield DecodedSpan(
        body,
        body + octets_end,
        tuple(part_segments(source, octets, ComposedMap(byte_map, ShiftedMap(body)), charset, kind, soft)),
    )


def _encoded_message(source: MessageData, entity: Entity) -> Iterator[DecodedSpan]:
    """Yield the spans of a message that is encoded as a whole."""
    body, end = entity.body, entity.end
    if source.depth >= _DEEPEST:
        yield _too_much(source, body, end, f"encoded messages in each other are deeper than {_DEEPEST} levels")
        return
    decoded = _DECODERS[entity.head.coding](source.data[body:end])
    if decoded is None:  # the declared encoding is wrong
        yield from decoded_spans(source._replace(depth=source.depth + 1), body, end)
        return
    byte_map = ComposedMap(ComposedMap(decoded.byte_map, ShiftedMap(body)), source.byte_map)
    inner = MessageData(decoded.data, byte_map, source.origin, source.mail_options, source.depth + 1)
    yield DecodedSpan(
        body,
        body + decoded.end,
        tuple(merge_spans(inner, decoded_spans(inner, 0, len(decoded.data)), 0, len(decoded.data))),
    )


def _soft(parameters: Mapping[str, str]) -> str:
    """Return "delsp", "flowed" or "" for the format of a part (RFC 3676 section 4)."""
    if parameters.get("format", "").lower() != "flowed":
        return ""
    return "delsp" if parameters.get("delsp", "").lower() == "yes" else "flowed"


def _block_spans(source: MessageData, start: int, end: int) -> Iterator[DecodedSpan]:
    """Yield the spans of armored data and uuencoded files in a text; only files that are text have documents."""
    for match in blocks_in(source.data, start, end):
        kind = kind_by_name(match["name"].decode("latin-1")) if match["name"] is not None else ""
        part_segments = uu_text(source, match["lines"], match.start("lines"), kind) if kind else ()
        yield DecodedSpan(*match.span("block"), tuple(part_segments))
