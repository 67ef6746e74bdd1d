"""A message, or many: what of them is not read in place, in order.

A part is read in place, as the plain text that it is, unless it is encoded, flowed, of another kind, or not of ASCII.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from urlscan.core.segment import Segment
from urlscan.documents.segments import Region, build_segment
from urlscan.mail.headers import body_after, charset_of, encoded_words, field_starts
from urlscan.mail.mime import MESSAGES, Entity, entities
from urlscan.mail.parts import (
    SEVEN_BITS,
    Place,
    blocks_in,
    decoded_text,
    in_place,
    is_ascii,
    kind_by_name,
    kind_of,
    placed,
    shown,
    uu_text,
)
from urlscan.mail.transfer import Made, Shifted, Through, base64, quoted_printable, uuencoded_part

_DECODERS: dict[str, Callable[[bytes], Made | None]] = {
    "qp": quoted_printable, "base64": base64, "uu": uuencoded_part,
}  # fmt: skip
# Messages that were encoded as a whole hold others that were; no more of them than this.
_DEEPEST = 8


class Cut(NamedTuple):
    """A place that is not read in place.

    Attributes:
        start, end: in octets of the data.
        segments: what is read instead; none for what is passed over.
    """

    start: int
    end: int
    segments: tuple[Segment, ...] = ()


def cuts(place: Place, start: int, end: int, *, has_words: bool = True) -> Iterator[Cut]:
    """Yield what of the message data[start:end] is not read in place, in order.

    Args:
        place: the data.
        start: where the header of the message begins.
        end: where the message ends.
        has_words: whether encoded words may stand in it.
    """
    found = entities(place.data, start, end)
    unread = _unread(found, place.mail_options.parts)
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
        wanted = [number for number in members if _is_wanted(found[number].head.type, parts)]
        chosen = wanted[0] if wanted else members[-1]  # RFC 2046 section 5.1.4: the last is the best
        unread.update(number for number in members if number != chosen)
    return unread


def _is_wanted(kind: str, parts: str) -> bool:
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
        decoded = decoded_text(place, data[start:end], Shifted(start), None)
        if words := encoded_words(decoded.text):
            segment = build_segment(decoded, "mail", iter([Region("prose", 0, len(decoded.text), words)]))
            yield Cut(start, end, (placed(segment, place),))


def _leaf(place: Place, entity: Entity) -> Iterator[Cut]:
    """Yield what of a part is not read in place."""
    head, data, body, end = entity.head, place.data, entity.body, entity.end
    if entity.cut:
        yield _too_much(place, body, end, entity.cut)
    elif head.type in MESSAGES:
        yield from _encoded_message(place, entity)
    elif kind := kind_of(head.type, head.name):
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
    if made is None and kind == "mail" and not soft and charset not in SEVEN_BITS and is_ascii(raw):
        yield from _block_cuts(place, body, entity.end)
        return
    octets, runs, stop = made if made is not None else (raw, Shifted(0), len(raw))
    yield Cut(body, body + stop, tuple(shown(place, octets, Through(runs, Shifted(body)), charset, kind, soft)))


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
    inner = Place(made.data, runs, place.origin, place.mail_options, place.depth + 1)
    yield Cut(body, body + made.end, tuple(with_cuts(inner, cuts(inner, 0, len(made.data)), 0, len(made.data))))


def _soft(parameters: Mapping[str, str]) -> str:
    """Return how a part is flowed (RFC 3676 section 4)."""
    if parameters.get("format", "").lower() != "flowed":
        return ""
    return "delsp" if parameters.get("delsp", "").lower() == "yes" else "flowed"


def _block_cuts(place: Place, start: int, end: int) -> Iterator[Cut]:
    """Yield the armour and the uuencoded files of a text; of these those that are text are read."""
    for match in blocks_in(place.data, start, end):
        kind = kind_by_name(match["name"].decode("latin-1")) if match["name"] is not None else ""
        shown = uu_text(place, match["lines"], match.start("lines"), kind) if kind else ()
        yield Cut(*match.span("block"), tuple(shown))
