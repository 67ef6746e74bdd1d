"""Read messages in batches: their documents, and the message and part of an offset.

Everything in a batch that needs no decoding is one document, so that old mail is read as fast as plain text.  The
message and part of an offset are looked up on demand.
"""

import bisect
import functools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from operator import attrgetter

from urlscan.core.document import Document
from urlscan.core.lazy import start_or
from urlscan.core.offsets import LineIndex
from urlscan.core.records import MailLocation
from urlscan.core.settings import FindOptions, check_choice
from urlscan.documents.mail.envelope import Message, read_message
from urlscan.documents.mail.headers import FIELD_NAME, field, identifier, iso_date
from urlscan.documents.mail.mime import Entity, entities
from urlscan.documents.mail.parts import PARTS, MailOptions, MessageData, decoded_spans, merge_spans
from urlscan.documents.mail.split import LARGEST, BatchSpan, batch_spans, header_of, starts
from urlscan.documents.mail.transfer import DecodedMap, ShiftedMap
from urlscan.files.random_access import Memory, OpenFile, Positions

# Lines of messages that cannot be read in place.
# Matches: `\nContent-Type: application/`, `\ncontent-type: text/plain;\n charset="utf-7`, `\nbegin 644 `
# Does not match: `\nContent-Type: text/plain`, `\nContent-Transfer-Encoding: 8bit`, `begin 644 `
_FIELDS = re.compile(
    rb"""
    \n
    (?: [Cc](?i: ontent-t
            (?: ransfer-encoding[ \t]*:\s*+ (?! [78]bit | binary )
              | ype[ \t]*:\s*+
                (?: text/(?!plain) | application/ | image/svg
                  | (?: [^\n] | \n[ \t] )*?
                    (?: format\s*=\s*["']?flowed
                      | charset\s*(?: \* | =\s*["']?(?: hz | \S{0,20}utf-?(?: 7 | 16 | 32 ) | ucs ) )
                    )
                )
            ) )
      | begin[ ][0-7]{3,4}[ ] | -----BEGIN[ ]PGP[ ] | [>|:][>|:\ ]{0,40}-----BEGIN[ ]PGP[ ]
    )
    """,
    re.VERBOSE,
)
_WORDS = re.compile(rb"=\?[!->@-~]{1,125}\?[bBqQ]\?")
_CHOICE = re.compile(rb"/(?i:alternative)")
_ESCAPE = re.compile(rb"\x1b")
# Bytes that are decoded at a time.
_BLOCK = 1 << 12
_START = attrgetter("start")
# Surrogates that do not represent a byte.
_NO_BYTE = re.compile("[\ud800-\udc7f\udd00-\udfff]")


def _not_ascii(data: bytes, first: int) -> int:
    """Return the offset of the first octet from `first` that is not ASCII, or -1."""
    for start in range(first, len(data), _BLOCK):
        try:
            data[start : start + _BLOCK].decode("ascii")
        except UnicodeDecodeError as error:  # faster than a regular expression
            return start + error.start
    return -1


class Characters:
    """Map octets to characters of the same text; each octet invalid in UTF-8 is one character."""

    __slots__ = ("_data", "_marks")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._marks: list[tuple[int, int]] = []  # octet, character
        if not data.isascii():
            self._marks.append((0, 0))

    def at(self, octet: int) -> int:
        """Return the number of characters before an octet."""
        if not self._marks:
            return octet
        number = bisect.bisect_right(self._marks, (octet, octet)) - 1
        mark, character = self._marks[number]
        character += len(self._data[mark:octet].decode("utf-8", "surrogateescape"))
        if octet > mark + 256 and octet < len(self._data) and not 0x80 <= self._data[octet] < 0xC0:
            self._marks.insert(number + 1, (octet, character))
        return character


_UNKNOWN = MailLocation(None, None, None)


class MessageBatch:
    """Some messages of a mailbox, at `span` in the source; `line` returns the line and the column of their start."""

    def __init__(
        self, data: bytes, kind: str, mail_options: MailOptions, span: BatchSpan, line: Callable[[], tuple[int, int]]
    ) -> None:
        self._data = data
        self._start = span.start
        self._kind = kind
        self._mail_options = mail_options
        self.span = span
        self._line = line
        self._last: _Message | None = None
        self._known: dict[int, _Message] = {}  # the messages that were read, by their start
        # The two octets whose positions were counted last, in order, each with its line and column.
        self._cursors: tuple[tuple[int, int, int], tuple[int, int, int]] | None = None

    def __getstate__(self) -> dict[str, object]:
        """Return the state for another process: counted positions, without the reader of the file."""
        return {**self.__dict__, "_first_position": self._first_position, "_line": None, "_last": None, "_known": {}}

    # --- documents

    def documents(self) -> Iterator[Document]:
        """Yield the documents of the messages, in order."""
        data = self._data
        message_data = MessageData(data, ShiftedMap(self._start), self, self._mail_options)
        note = ""
        if self.span.is_first:
            note = f"the message at byte {self._start} has more than {LARGEST >> 20} MB, read as plain text"
        words = self._with(_WORDS)
        spans = (
            span
            for start, end in sorted(self._slow(words).items())
            for message in [self._read(start, end)]
            for span in decoded_spans(message_data, message.entities, has_words=start in words)
        )
        return merge_spans(message_data, spans, 0, len(data), note)

    def _slow(self, words: dict[int, int]) -> dict[int, int]:
        """Return the start and end of each message that may not be readable in place."""
        data = self._data
        if not self.span.is_whole:
            return {}
        if self._kind == "mail":
            return {0: len(data)}
        spans = words | self._with(_FIELDS)
        if b"\x1b" in data:
            spans |= self._with(_ESCAPE)
        if self._mail_options.parts != "all":
            spans |= self._with(_CHOICE)
        if not data.isascii():
            spans |= self._holding(partial(_not_ascii, data))
        return spans

    def _with(self, pattern: "re.Pattern[bytes]") -> dict[int, int]:
        """Return the start and end of each message with a match of a pattern."""
        if not self.span.is_whole:
            return {}
        return self._holding(lambda offset: start_or(pattern.search(self._data, offset), -1))

    def _holding(self, next_hit: Callable[[int], int]) -> dict[int, int]:
        """Return the start and end of each message with a hit; `next_hit` returns the first from an offset, or -1."""
        spans: dict[int, int] = {}
        hit = next_hit(0)
        while hit >= 0:
            start, end = self._around(hit)
            if start >= 0:
                spans[start] = end
            hit = next_hit(max(end - 1, hit + 1))
        return spans

    @functools.cached_property
    def _starts(self) -> list[int]:
        """The starts of the messages."""
        return starts(self._data, self._kind)

    def _around(self, octet: int) -> tuple[int, int]:
        """Return the start and end of the message that contains an octet; the start is -1 if there is none."""
        number = bisect.bisect_right(self._starts, octet)
        end = self._starts[number] if number < len(self._starts) else len(self._data)
        return self._starts[number - 1] if number else -1, end

    # --- locations

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column, from 1, of an offset in the source."""
        # The URLs and findings of a document ask for their starts and ends, which are nearly in order: most are counted
        # from one of the last two, and lines backwards from there at the start of the document.
        octet, data, newline = offset - self._start, self._data, self._newline
        before, last = self._cursors or ((0, *self._first_position),) * 2
        counted, line, column = last if octet >= last[0] else before
        if octet < counted:
            line, counted = line - data.count(newline, octet, counted), data.rfind(newline, 0, octet) + 1
            column = 1 if counted else self._first_position[1]
        elif crossed := data.count(newline, counted, octet):
            line, column, counted = line + crossed, 1, data.rfind(newline, counted, octet) + 1
        column += len(data[counted:octet].decode("utf-8", "surrogateescape"))
        if not b"\x80" <= data[octet : octet + 1] < b"\xc0":  # not within a character
            cursor = (octet, line, column)
            self._cursors = (last, cursor) if octet >= last[0] else (cursor, last)
        return line, column

    @functools.cached_property
    def _newline(self) -> bytes:
        """The end of a line: LF, and CR in mail without any LF."""
        return b"\n" if b"\n" in self._data else b"\r"

    @functools.cached_property
    def _first_position(self) -> tuple[int, int]:
        """The line and column of the start of the batch."""
        return self._line()

    def byte_column(self, offset: int) -> int:
        """Return the column, in bytes from 1, of an offset in the source."""
        octet, data = offset - self._start, self._data
        start = data.rfind(self._newline, 0, octet) + 1
        if start:
            return octet - start + 1
        return octet + self._first_position[1]

    def messages(self) -> Iterator[Message]:
        """Yield the messages that begin in the batch, in order."""
        if not (self.span.is_whole or self.span.is_first):
            return
        message_starts = [0]
        if self.span.is_whole:
            message_starts = self._starts
        for start, end in pairwise([*message_starts, len(self._data)]):
            header = self._read(start, end).entities[0]
            yield read_message(self._data, start, header.start, header.fields_end, end, self._start)

    def message_start(self, offset: int) -> int | None:
        """Return the start of the message that contains an offset in the source; None if it is unknown."""
        message = self._message(offset - self._start)
        if message is None:
            return None
        return message.start + self._start

    def mail(self, offset: int) -> MailLocation:
        """Return the message and the part at an offset in the source."""
        message = self._message(offset - self._start)
        if message is None:
            return _UNKNOWN
        return message.mail(offset - self._start)

    def places(self, offsets: Sequence[int]) -> Iterator[tuple[int, int, int | None, str | None]]:
        """Yield line, column, the start of the message and the part of each offset in the source."""
        shift, message = self._start, self._last
        for offset in offsets:
            line, column = self.position(offset)
            octet = offset - shift
            if message is None or not message.start <= octet < message.end:
                message = self._message(octet)
            if message is None:
                yield line, column, None, None
            else:
                yield line, column, message.start + shift, message.part(octet)

    def _message(self, octet: int) -> "_Message | None":
        """Return the message that contains an octet of the batch; None if that is unknown."""
        last = self._last
        if last is not None and last.start <= octet < last.end:
            return last
        if not self.span.is_whole:
            return None
        start, end = self._around(octet)
        if start < 0:
            return None
        self._last = self._read(start, end)
        return self._last

    def _read(self, start: int, end: int) -> "_Message":
        """Return a message of the batch."""
        if start not in self._known:
            self._known[start] = _Message(self._data, start, end, self._kind)
        return self._known[start]


class _Message:
    """A message in a batch; the first of its entities is the message itself, without its envelope."""

    def __init__(self, data: bytes, start: int, end: int, kind: str) -> None:
        self.start, self.end = start, end
        self._data = data
        self.entities = entities(data, min(header_of(data, start, kind), end), end)
        self._fields: dict[int, tuple[int, str]] = {}  # an offset in each header, by its start, and the field there

    @functools.cached_property
    def _identity(self) -> tuple[str | None, str | None]:
        """The Message-ID and the date."""
        data, header, body = self._data, self.entities[0].start, self.entities[0].body
        return identifier(field(data, header, body, b"message-id")), iso_date(field(data, header, body, b"date"))

    def mail(self, octet: int) -> MailLocation:
        """Return the message and the part at an octet of the batch."""
        return MailLocation(*self._identity, self.part(octet))

    def part(self, octet: int) -> str | None:
        """Return the part at an octet of the batch; None in the envelope."""
        if octet < self.entities[0].start:
            return None
        entity = self.entities[-1]
        if octet < entity.start:
            entity = self.entities[bisect.bisect_right(self.entities, octet, key=_START) - 1]
        if octet < entity.body:
            return self._field(entity, octet)
        if entity.is_leaf and octet < entity.end:
            return entity.number
        return "TEXT"

    def _field(self, entity: Entity, octet: int) -> str:
        """Return the field at an octet of the header of an entity: `header:Name` after the number of its message."""
        # Lines are read backwards, to that of the field of the last URL.
        start, name = entity.start, f"{entity.inside}.header".lstrip(".")
        searched, last = self._fields.get(start, (start, name))
        if octet < searched:
            searched, last = start, name
        line = octet + 1
        while line > searched:
            line = max(self._data.rfind(b"\n", start, line - 1) + 1, start)
            if field_name := FIELD_NAME.match(self._data, line, entity.body):
                last = f"{name}:" + field_name[0][:200].partition(b":")[0].strip().decode("ascii", "replace")
                break
        self._fields[start] = octet, last
        return last


# --- whole sources


def message_batches(
    reader: OpenFile, kind: str, mail_options: MailOptions, start: int = 0, limit: int | None = None
) -> Iterator[Callable[[], MessageBatch]]:
    """Yield functions that read the batches of a source, in order; they can be called in any process.

    They begin from `start`, at which a batch starts, to `limit`, which is the end of the source if it is None.
    """
    lines = Positions(reader, is_mail=True)
    spans: Iterable[BatchSpan] = [BatchSpan(0, reader.size)]
    if kind != "mail":
        spans = batch_spans(reader, kind, start=start, limit=limit)
    for span in spans:
        yield partial(_batch, reader, kind, mail_options, span, lines)


def _batch(reader: OpenFile, kind: str, mail_options: MailOptions, span: BatchSpan, lines: Positions) -> MessageBatch:
    data = reader.read(span.start, span.stop)
    return MessageBatch(data, kind, mail_options, span, partial(lines.before, data, span.start))


def read_mail(
    data: bytes, kind: str, parts: str, encoding: str | None, find_options: FindOptions | None
) -> Iterator[Document]:
    """Return the documents of a source that is in memory; the arguments are those of MailOptions."""
    check_choice("parts", parts, PARTS)
    batches = message_batches(Memory(data), kind, MailOptions(parts, encoding, find_options))
    return (document for make in batches for document in make().documents())


class _TextOrigin:
    """The messages of a text, with offsets in characters."""

    def __init__(self, batch: MessageBatch, data: bytes, text: str) -> None:
        self._batch = batch
        self._text = text
        self._lines = LineIndex(text, is_mail=True)
        self._characters = Characters(data)

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the characters encoded by octets of the batch."""
        return self._characters.at(start), self._characters.at(end)

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column, from 1, of an offset in the text."""
        return self._lines.position(offset)

    def byte_column(self, offset: int) -> int:
        """Return the column of an offset in the text, in characters."""
        return self._lines.position(offset)[1]

    def mail(self, offset: int) -> MailLocation:
        """Return the message and the part at an offset in the text."""
        return self._batch.mail(len(_encoded(self._text[:offset])))


def _encoded(text: str) -> bytes:
    return _NO_BYTE.sub("\ufffd", text).encode("utf-8", "surrogateescape")


def read_mail_text(text: str, kind: str, find_options: FindOptions | None = None) -> Iterator[Document]:
    """Yield the documents of a text; their source is the text itself, and `find_options` is as for MailOptions."""
    data = _encoded(text)
    # One batch, whatever its size: the text is in memory already.
    batch = MessageBatch(data, kind, MailOptions(find_options=find_options), BatchSpan(0, len(data)), lambda: (1, 1))
    origin = _TextOrigin(batch, data, text)
    for document in batch.documents():
        document.map = DecodedMap(document.map, origin)
        document.origin = origin
        yield document
