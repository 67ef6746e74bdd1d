"""Read the header fields that identify a message: sender, subject, date, list and thread."""

import re
from datetime import datetime, timedelta

from urlscan.core.document import readable
from urlscan.core.offsets import replaced
from urlscan.core.record import NamedTuple
from urlscan.documents.mail.headers import encoded_words, identifier, utc_date

# The first field of each name counts; a continued field has at most 20 lines.
# Matches: `\nSubject: a\n b`, `\nlist-id: <a.h.example>`
# Does not match: `\nX-Subject: a`, `Subject: a`
_FIELDS = re.compile(
    rb"""
    \n
    ( [Dd](?i:ate) | [Ff](?i:rom) | [Ss](?i:ubject) | [Mm](?i:essage-id) | [Ll](?i:ist-id) | [Nn](?i:ewsgroups)
    | [Ii](?i:n-reply-to) | [Rr](?i:eferences|eceived) | [Uu](?i:ser-agent) | [Xx](?i:-mailer|-newsreader) )
    [ \t]*: ( [^\n]* (?: \n[ \t][^\n]* ){0,20} )
    """,
    re.VERBOSE,
)
_FOLD = re.compile(r"\s*[\r\n]+\s*")
# RFC 2919 section 3: list-id-header = "List-ID:" [phrase] "<" list-id ">" CRLF
_LIST_ID = re.compile(rb"<\s*([^<>\s]+)\s*>\s*\Z")
# The end of the "From " line of a mailbox (RFC 4155 appendix A): the time of delivery in the form of asctime.
# Matches: `Thu Aug 22 12:26:25 2002`, `Thu Aug  2 12:26 GMT 2002`, `Thu Aug 22 12:26:25 2002 +0200`
# Does not match: `22 Aug 2002`, `jo@h.example 2002`
_ENVELOPE = re.compile(
    rb"""
    [A-Z][a-z]{2} [ ] (?P<month> [A-Z][a-z]{2} ) [ ]{1,2} (?P<day> [0-9]{1,2} ) [ ]
    (?P<time> [0-9]{1,2} : [0-9]{2} (?: :[0-9]{2} )? )
    (?P<name> [ ] [A-Z]{1,5} )? [ ] (?P<year> [0-9]{4} ) (?: [ ] (?P<zone> [+-][0-9]{4} ) )?
    """,
    re.VERBOSE,
)
# Longer fields are truncated.
_LONGEST = 1 << 12
_MAILERS = (b"user-agent", b"x-mailer", b"x-newsreader")
# There was no mail between computers before (RFC 196 of July 1971 proposes it).
_FIRST_MAIL = datetime(1971, 1, 1)
# A message is not received before it is written; a day is left for dates without a zone.
_AHEAD = timedelta(days=1)
# A relay tries to deliver a message for "at least 4-5 days" (RFC 5321 section 4.5.4.1).
_DELAY = timedelta(days=7)


class Dates(NamedTuple):
    """The dates of a message, as `Message` describes them."""

    field: datetime | None
    received: datetime | None
    envelope: datetime | None

    def choose(self) -> tuple[datetime | None, str | None]:
        """Return the plausible date and its source: date, received or envelope; None and None without one.

        A date before 1971 is ignored. The field Date is right, unless it is more than a day later than the field
        Received or the envelope, or more than a week earlier than the field Received. Then Received is taken, without
        it the envelope.
        """
        field, received, envelope = (date if date is not None and date >= _FIRST_MAIL else None for date in self)
        if field is not None:
            is_late = any(field - date > _AHEAD for date in (received, envelope) if date is not None)
            is_early = received is not None and received - field > _DELAY
            if not (is_late or is_early):
                return field, "date"
        if received is not None:
            return received, "received"
        if envelope is not None:
            return envelope, "envelope"
        return None, None


class Message(NamedTuple):
    """The extent of a message and the header fields that identify it; None for a field that is missing or invalid.

    Attributes:
        start, end: its span in bytes of the source, with the envelope line of a mailbox.
        message_id: its Message-ID without brackets.
        date, date_source: the plausible date, and what it was taken from: date, received, envelope or warc.
        date_raw: the field Date as written, by the clock of the sender.
        date_field: the field Date. This and the other dates are in UTC without a zone.
        date_received: the date of the first field Received, which the last relay wrote.
        date_envelope: that of the "From " line of a mailbox: of delivery, or when the mailbox was converted.
        sender: the field From, decoded.
        subject: the field Subject, decoded. It may contain a secret.
        list_id: the identifier of the mailing list without brackets (RFC 2919).
        newsgroups: the newsgroups (RFC 5536 section 3.1.4).
        in_reply_to: the first Message-ID of In-Reply-To.
        thread_id: the first Message-ID of References, which begins with that of the first message of the thread
            (RFC 5322 section 3.6.4); else that of In-Reply-To, else its own.
        mailer: the program that wrote it.
        target_uri, record_type: of a record of a web archive, WARC-Target-URI and WARC-Type.
    """

    start: int
    end: int
    message_id: str | None
    date: datetime | None
    date_source: str | None
    date_raw: str | None = None
    date_field: datetime | None = None
    date_received: datetime | None = None
    date_envelope: datetime | None = None
    sender: str | None = None
    subject: str | None = None
    list_id: str | None = None
    newsgroups: tuple[str, ...] = ()
    in_reply_to: str | None = None
    thread_id: str | None = None
    mailer: str | None = None
    target_uri: str | None = None
    record_type: str | None = None


def read_message(data: bytes, start: int, header: int, fields_end: int, end: int, shift: int) -> Message:
    """Return a message by its header.

    Its header follows the envelope, and has fields up to `fields_end`; the data begins at `shift` in the source.
    """
    fields: dict[bytes, bytes] = {}
    for match in _FIELDS.finditer(b"\n" + data[header:fields_end]):
        if (name := match[1].lower()) not in fields:
            fields[name] = match[2][:_LONGEST].strip()
    date, delivered = fields.get(b"date"), _ENVELOPE.search(data[start:header], 0, _LONGEST)
    # RFC 5321 section 4.4: stamp = from-domain by-domain opt-info [CFWS] ";" FWS date-time
    _, semicolon, relayed = fields.get(b"received", b"").rpartition(b";")
    if not semicolon:
        relayed = b""
    dates = Dates(utc_date(date), utc_date(relayed), utc_date(delivered and _usual_form(delivered)))
    groups = fields.get(b"newsgroups", b"").decode("utf-8", "replace").split(",")
    identity, parent = identifier(fields.get(b"message-id")), _first_id(fields.get(b"in-reply-to"))
    return Message(
        start + shift,
        end + shift,
        identity,
        *dates.choose(),
        _text(date),
        *dates,
        _text(fields.get(b"from")),
        _text(fields.get(b"subject")),
        identifier(fields.get(b"list-id"), _LIST_ID),
        tuple(group.strip() for group in groups if group.strip()),
        parent,
        _first_id(fields.get(b"references")) or parent or identity,
        _text(next((fields[name] for name in _MAILERS if name in fields), None)),
    )


def _usual_form(delivered: "re.Match[bytes]") -> bytes:
    """Return a time in the form of asctime as in the field Date, which is read faster, unless it names its zone."""
    if delivered["name"] is not None:
        return delivered[0]
    day, month, year, time, zone = delivered.group("day", "month", "year", "time", "zone")
    return b" ".join((day, month, year, time, zone or b"+0000"))


def _first_id(value: bytes | None) -> str | None:
    """Return the first Message-ID in brackets of a field."""
    if value is None or b"<" not in value:
        return None
    return identifier(value)


def _text(value: bytes | None) -> str | None:
    """Return the text of a field, unfolded and decoded."""
    if value is None:
        return None
    text = value.decode("utf-8", "surrogateescape")
    if b"=?" not in value and b"\n" not in value and b"\r" not in value:  # most fields
        return readable(text)
    text = _FOLD.sub(" ", text)
    return readable(replaced(text, encoded_words(text)))[:_LONGEST]
