"""Read the header fields that identify a message: sender, subject, date, list and thread."""

import re
from typing import TYPE_CHECKING, NamedTuple

from urlscan.core.document import readable
from urlscan.documents.mail.headers import body_after, decoded_words, message_id, utc_date

if TYPE_CHECKING:
    from datetime import datetime

# The first field of each name counts; a continued field has at most 20 lines.
# Matches: `\nSubject: a\n b`, `\nlist-id: <a.h.example>`
# Does not match: `\nX-Subject: a`, `Subject: a`
_FIELDS = re.compile(
    rb"\n(?i:(date|from|subject|message-id|list-id|newsgroups|in-reply-to))[ \t]*:([^\n]*(?:\n[ \t][^\n]*){0,20})"
)
_FOLD = re.compile(r"\s*[\r\n]+\s*")
# RFC 2919 section 3: list-id-header = "List-ID:" [phrase] "<" list-id ">" CRLF
_LIST_ID = re.compile(rb"<\s*([^<>\s]+)\s*>\s*\Z")
# Longer fields are truncated.
_LONGEST = 1 << 12


class MessageHeader(NamedTuple):
    """The extent of a message and the fields that identify it.

    Attributes:
        start, end: its span in bytes of the source, with the envelope line of a mailbox.
        message_id: its Message-ID without brackets, or None.
        date: its date in UTC without a zone; None if it is missing or invalid.
        sender: the field From, decoded, or None.
        subject: the field Subject, decoded, or None. It may contain a secret.
        list_id: the identifier of the mailing list without brackets, or None (RFC 2919).
        newsgroups: the newsgroups (RFC 5536 section 3.1.4).
        in_reply_to: the first Message-ID of In-Reply-To, or None.
    """

    start: int
    end: int
    message_id: str | None
    date: "datetime | None"
    sender: str | None
    subject: str | None
    list_id: str | None
    newsgroups: tuple[str, ...]
    in_reply_to: str | None


def read_header(data: bytes, start: int, header: int, end: int, shift: int) -> MessageHeader:
    """Return the header of a message.

    Args:
        header: the start of its header, after the envelope.
        shift: the offset of the data in the source.
    """
    fields: dict[bytes, bytes] = {}
    for match in _FIELDS.finditer(b"\n" + data[header : body_after(data, header, end)[0]]):
        fields.setdefault(match[1].lower(), match[2][:_LONGEST].strip())
    groups = fields.get(b"newsgroups", b"").decode("utf-8", "replace").split(",")
    return MessageHeader(
        start + shift,
        end + shift,
        message_id(fields.get(b"message-id")),
        utc_date(fields.get(b"date")),
        _text(fields.get(b"from")),
        _text(fields.get(b"subject")),
        _list_id(fields.get(b"list-id")),
        tuple(group.strip() for group in groups if group.strip()),
        message_id(fields.get(b"in-reply-to")) if b"<" in fields.get(b"in-reply-to", b"") else None,
    )


def _text(value: bytes | None) -> str | None:
    """Return the text of a field, unfolded and decoded."""
    if value is None:
        return None
    text = value.decode("utf-8", "surrogateescape")
    return readable(decoded_words(_FOLD.sub(" ", text)))[:_LONGEST]


def _list_id(value: bytes | None) -> str | None:
    if value is None:
        return None
    match = _LIST_ID.search(value)
    return (match[1] if match is not None else value).decode("utf-8", "replace") or None
