"""Messages, one or many, run by run: the segments of each, and where in which message something stands.

What of a run needs no decoding is one text, however many messages that is, so that old mail is read as fast as plain
text; the message and the part of a place in it are looked up when somebody asks.
"""

import bisect
import re
from collections.abc import Callable, Iterator
from functools import partial

from urlscan.core.lines import LineIndex
from urlscan.core.segment import MailLocation, Segment
from urlscan.files.random_access import Memory, Positions, Reader
from urlscan.mail.headers import field, field_starts, iso_date, message_id
from urlscan.mail.message import cuts, with_cuts
from urlscan.mail.mime import Entity, entities
from urlscan.mail.parts import MailOptions, Place
from urlscan.mail.split import LARGEST, Messages, Where, header_of, places
from urlscan.mail.transfer import DecodedMap, Shifted

# What a message has that cannot be read in place, each at the beginning of a line.
_FIELDS = re.compile(
    rb"\n(?:[Cc](?i:ontent-t(?:ransfer-encoding[ \t]*:\s*+(?![78]bit|binary)"
    rb"|ype[ \t]*:\s*+(?:text/(?!plain)|application/|image/svg|(?:[^\n]|\n[ \t])*?(?:format\s*=\s*[\"']?flowed"
    rb"|charset\s*(?:\*|=\s*[\"']?(?:hz|\S{0,20}utf-?(?:7|16|32)|ucs))))))"
    rb"|begin [0-7]{3,4} |-----BEGIN PGP |[>|:][>|: ]{0,40}-----BEGIN PGP )"
)
_WORDS = re.compile(rb"=\?[!->@-~]{1,125}\?[bBqQ]\?")
_CHOICE = re.compile(rb"/(?i:alternative)")
_ESCAPE = re.compile(rb"\x1b")
# So many bytes are looked at together.
_BLOCK = 1 << 12
# Surrogates that stand for no byte.
_NO_BYTE = re.compile("[\ud800-\udc7f\udd00-\udfff]")


def _not_ascii(data: bytes, at: int) -> int:
    """Return the first place from `at` on that is not ASCII, or -1."""
    for start in range(at, len(data), _BLOCK):
        try:
            data[start : start + _BLOCK].decode("ascii")
        except UnicodeDecodeError as error:  # faster than any other way to the place
            return start + error.start
    return -1


class Characters:
    """Octets to characters of the same text; what is not UTF-8 is one each."""

    __slots__ = ("_data", "_marks")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._marks: list[tuple[int, int]] = [] if data.isascii() else [(0, 0)]  # an octet, and its character

    def at(self, octet: int) -> int:
        """Return how many characters stand before an octet."""
        if not self._marks:
            return octet
        number = bisect.bisect_right(self._marks, (octet, octet)) - 1
        known, character = self._marks[number]
        character += len(self._data[known:octet].decode("utf-8", "surrogateescape"))
        if octet > known + 256 and octet < len(self._data) and not 0x80 <= self._data[octet] < 0xC0:
            self._marks.insert(number + 1, (octet, character))
        return character


_UNKNOWN = MailLocation(None, None, None)


class MessageBatch:
    """Some messages of a mailbox.

    Args:
        data: their bytes.
        kind: mail, mbox, mmdf, babyl or rnews.
        mail_options: how they are read.
        where: they stand in the source.
        line: returns the line and the column at which they begin.
    """

    def __init__(
        self, data: bytes, kind: str, mail_options: MailOptions, where: Where, line: Callable[[], tuple[int, int]]
    ) -> None:
        self._data = data
        self._start = where.start
        self._kind = kind
        self._mail_options = mail_options
        self._where = where
        self._line: Callable[[], tuple[int, int]] | None = line
        self._messages = Messages(data, kind)
        self._lines: LineIndex | None = None
        self._characters: Characters | None = None
        self._last: tuple[int, int, _Known | None] | None = None

    def __getstate__(self) -> dict[str, object]:
        """Return what goes to another process: what has been counted, and nothing that reads files."""
        self.position(self._start)
        return {**self.__dict__, "_line": None, "_last": None}

    # --- segments

    def segments(self) -> Iterator[Segment]:
        """Yield the segments of the messages, in order."""
        data = self._data
        place = Place(data, Shifted(self._start), self, self._mail_options)
        note = ""
        if self._where.is_first:
            note = f"the message at byte {self._start} has more than {LARGEST >> 20} MB, read as plain text"
        words = self._with(_WORDS)
        found = (
            cut
            for start, end in sorted(self._slow(words).items())
            for cut in cuts(place, min(header_of(data, start, self._kind), end), end, has_words=start in words)
        )
        return with_cuts(place, found, 0, len(data), note)

    def _slow(self, words: dict[int, int]) -> dict[int, int]:
        """Return the messages that may hold something that cannot be read in place: where they begin and end."""
        data = self._data
        if not self._where.is_whole:
            return {}
        if self._kind == "mail":
            return {0: len(data)}
        found = words | self._with(_FIELDS)
        if b"\x1b" in data:
            found |= self._with(_ESCAPE)
        if self._mail_options.parts != "all":
            found |= self._with(_CHOICE)
        if not data.isascii():
            found |= self._holding(partial(_not_ascii, data))
        return found

    def _with(self, pattern: "re.Pattern[bytes]") -> dict[int, int]:
        """Return the messages in which a pattern is found: where they begin and end."""
        search, data = pattern.search, self._data

        def place(at: int) -> int:
            match = search(data, at)
            return match.start() if match is not None else -1

        return self._holding(place) if self._where.is_whole else {}

    def _holding(self, place_from: Callable[[int], int]) -> dict[int, int]:
        """Return the messages that hold a place of those that follow any, which is -1 where none does."""
        found: dict[int, int] = {}
        place = place_from(0)
        while place >= 0:
            start, end = self._messages.around(place)
            if start >= 0:
                found[start] = end
            place = place_from(max(end - 1, place + 1))
        return found

    # --- places

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1, of a place in the source."""
        if self._lines is None or self._characters is None:
            known = self._line() if self._line is not None else (1, 1)
            self._lines = LineIndex(self._data.decode("utf-8", "surrogateescape"), 0, *known)
            self._characters = Characters(self._data)
        return self._lines.position(self._characters.at(offset - self._start))

    def byte_column(self, offset: int) -> int:
        """Return the column, in bytes from 1, of a place in the source."""
        at, data = offset - self._start, self._data
        inside = data[at - 1 : at + 1] == b"\r\n"  # a CRLF is one line end
        start = max(data.rfind(b"\n", 0, at), data.rfind(b"\r", 0, at - inside)) + 1
        return at - start + 1 if start else at + self.position(self._start)[1]

    def mail(self, offset: int) -> MailLocation:
        """Return the message and the part of a place in the source."""
        at, data = offset - self._start, self._data
        if not self._where.is_whole:
            return _UNKNOWN
        if self._last is None or not self._last[0] <= at < self._last[1]:
            start, end = self._messages.around(at)
            known = _Known(data, min(header_of(data, start, self._kind), end), end) if start >= 0 else None
            self._last = max(start, 0), end, known
        return self._last[2].mail(at) if self._last[2] is not None else _UNKNOWN


class _Known:
    """What is known of a message of whose places somebody has asked."""

    def __init__(self, data: bytes, start: int, end: int) -> None:
        self._data = data
        self._entities = entities(data, start, end)
        self._at = [entity.start for entity in self._entities]
        self._fields: dict[int, list[int]] = {}
        top = self._entities[0]
        self._id = message_id(field(data, top.start, top.body, b"message-id"))
        self._date = iso_date(field(data, top.start, top.body, b"date"))

    def mail(self, at: int) -> MailLocation:
        number = bisect.bisect_right(self._at, at) - 1
        return MailLocation(self._id, self._date, self._part(number, at) if number >= 0 else None)

    def _part(self, number: int, at: int) -> str:
        entity = self._entities[number]
        if at < entity.body:
            return self._header(number, entity, at)
        return entity.number if entity.is_leaf and at < entity.end else "TEXT"

    def _header(self, number: int, entity: Entity, at: int) -> str:
        if number not in self._fields:
            self._fields[number] = field_starts(self._data, entity.start, entity.body)
        known = self._fields[number]
        place = bisect.bisect_right(known, at) - 1
        prefix = f"{entity.inside}." if entity.inside else ""
        if place < 0:
            return f"{prefix}header"
        name = self._data[known[place] : known[place] + 200].partition(b":")[0].strip().decode("ascii", "replace")
        return f"{prefix}header:{name}"


# --- whole sources


def message_batches(reader: Reader, kind: str, mail_options: MailOptions) -> Iterator[Callable[[], MessageBatch]]:
    """Yield the runs of a source in order; each is read when it is called for, in whatever process."""
    lines = Positions(reader)
    for where in places(reader, kind) if kind != "mail" else [Where(0, reader.size)]:
        yield partial(_batch, reader, kind, mail_options, where, lines)


def _batch(reader: Reader, kind: str, mail_options: MailOptions, where: Where, lines: Positions) -> MessageBatch:
    return MessageBatch(reader.read(where.start, where.stop), kind, mail_options, where, partial(lines.of, where.start))


def segments(data: bytes, kind: str, mail_options: MailOptions) -> Iterator[Segment]:
    """Yield the segments of a source that is there as a whole."""
    for make in message_batches(Memory(data), kind, mail_options):
        yield from make().segments()


class _OfText:
    """The messages of a text, whose places are characters; the way back to them, too."""

    def __init__(self, run: MessageBatch, data: bytes, text: str) -> None:
        self._batch = run
        self._text = text
        self._lines = LineIndex(text)
        self._characters = Characters(data)

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the characters that octets of the run encode."""
        return self._characters.at(start), self._characters.at(end)

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1, of a place in the text."""
        return self._lines.position(offset)

    def byte_column(self, offset: int) -> int:
        """Return the column of a place in the text, whose units are characters."""
        return self._lines.position(offset)[1]

    def mail(self, offset: int) -> MailLocation:
        """Return the message and the part of a place in the text."""
        return self._batch.mail(len(_encoded(self._text[:offset])))


def _encoded(text: str) -> bytes:
    return _NO_BYTE.sub("\ufffd", text).encode("utf-8", "surrogateescape")


def segments_of_text(text: str, kind: str, *, schemes_only: bool = False) -> Iterator[Segment]:
    """Yield the segments of a text; their source is the text itself."""
    data = _encoded(text)
    # As one run, whatever its size: it is there as a whole.
    run = MessageBatch(data, kind, MailOptions(schemes_only=schemes_only), Where(0, len(data)), lambda: (1, 1))
    origin = _OfText(run, data, text)
    for segment in run.segments():
        segment.map = DecodedMap(segment.map, origin)
        segment.origin = origin
        yield segment
