"""Parse header fields: their extent, MIME fields, encoded words, dates.

RFC 5322 section 2.2:  field = field-name ":" unstructured CRLF; a line that begins with white space continues it.
RFC 2045 section 5.1:  content := "Content-Type" ":" type "/" subtype *(";" attribute "=" value)
RFC 2047 section 2:    encoded-word = "=?" charset "?" encoding "?" encoded-text "?="
"""

import binascii
import functools
import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from urlscan.core.errors import ConfigError
from urlscan.core.lazy import end_or, match_end
from urlscan.core.record import NamedTuple
from urlscan.documents.escapes import Replacement
from urlscan.documents.mail.transfer import LABELS, UTF_7, decoder
from urlscan.files.decode import codec_name

_NAME = rb"[!-9;-~]++[ \t]*+:"
# Some programs write the "From " line of a mailbox between the fields, contrary to the standard.
_FIRST = re.compile(rb"(?!--)(?:" + _NAME + rb"|>From )")
_END = re.compile(rb"\n(?![ \t]|(?!--)(?:" + _NAME + rb"|>From ))")
_BLANK = re.compile(rb"[ \t]*\r?\n|[ \t]*\Z")
# Longer fields are truncated before they are parsed.
_LONGEST = 1 << 16
_CONTENT = re.compile(rb"\n[Cc](?i:ontent-(type|transfer-encoding|disposition)[ \t]*:)([^\n]*(?:\n[ \t][^\n]*){0,200})")
FIELD_NAME = re.compile(_NAME)
_VALUE = re.compile(rb"[^\n]*(?:\n[ \t][^\n]*){0,20}")
_FIELD_START = re.compile(rb"\n(?=" + _NAME + rb")")
_PARAMETER = re.compile(r";\s*([^\s=;\"]+?)(\*[0-9]+)?(\*)?\s*=\s*(?:\"((?>(?:[^\"\\]|\\.)*))\"|([^;]*))", re.DOTALL)
_WORD = re.compile(r"=\?([^?\s*]{1,60})(?:\*[^?\s]{0,60})?\?([BbQq])\?([^?\r\n]{0,2048})\?=")
_BETWEEN = re.compile(r"\s+(?==\?)")
_MESSAGE_ID = re.compile(rb"<\s*([^<>\s]+)\s*>")
# `email.utils` ignores the half of the day, which would give a wrong time.
_HALF_OF_DAY = re.compile(r"[0-9]\s*[AP]\.?M\b", re.IGNORECASE)

# The usual form of a date; others are left to `email.utils`, which takes ten times as long.
# RFC 5322 section 3.3: date-time = [ day-of-week "," ] day month year hour ":" minute [ ":" second ] zone
# Matches: `Thu, 22 Aug 2002 18:26:25 +0700`, `2 Aug 2002 18:26:25 -0000`
# Does not match: `Thu, 22 Aug 02 18:26 GMT`, `Thu Aug 22 18:26:25 2002`
_DATE = re.compile(
    r"""
    \s* (?: [A-Z][a-z]{2} ,\s )? \s? ([0-9]{1,2}) [ ] ([A-Z][a-z]{2}) [ ] ([12][0-9]{3}) [ ]
    ([0-9]{2}) : ([0-9]{2}) : ([0-9]{2}) [ ] ([+-][0-9]{2}[0-5][0-9]) (?![0-9])
    """,
    re.VERBOSE,
)
_MONTHS = {name: number for number, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1)}

# Labels that are used for a larger charset (Encoding standard, "names and labels").
_CHARSETS = {
    "iso-8859-1": "cp1252", "latin-1": "cp1252", "latin1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030",
    "x-gbk": "gb18030", "ks_c_5601-1987": "cp949", "ks_c_5601": "cp949", "euc-kr": "cp949", "shift_jis": "cp932",
    "shift-jis": "cp932", "x-sjis": "cp932", "iso-8859-9": "cp1254", "iso-8859-11": "cp874", "tis-620": "cp874",
    "chinesebig5": "big5",
}  # fmt: skip


class Head(NamedTuple):
    """The MIME fields of a header.

    Attributes:
        type: the media type in lower case, such as text/plain; "" if it is missing.
        parameters: the parameters of the type, with names in lower case.
        coding: the transfer encoding as in `decoder`, or "".
        name: the file name, or "".
    """

    type: str
    parameters: Mapping[str, str]
    coding: str
    name: str


def body_after(data: bytes, start: int, limit: int) -> tuple[int, int]:
    """Return the end of the fields at `start`, and the start of the body, after a blank line if there is one."""
    end = start
    if _FIRST.match(data, start, limit) is not None:
        end = end_or(_END.search(data, start, limit), limit)
    return end, match_end(_BLANK, data, end, limit)


def read_head(data: bytes, start: int, end: int) -> Head:
    """Return the MIME fields in data[start:end]."""
    block = b"\n" + data[start:end]
    kind, coding, name = "", "", ""
    parameters: Mapping[str, str] = {}
    for match in _CONTENT.finditer(block):
        field, value = match[1].lower(), match[2][:_LONGEST]
        if field == b"transfer-encoding":
            coding = coding or decoder(value.partition(b";")[0].partition(b"(")[0])
        elif field == b"type" and not kind:
            kind, parameters = _parse_value(value)
            name = name or parameters.get("name", "")
        elif field == b"disposition":
            name = _parse_value(value)[1].get("filename", name)
    return Head(kind, parameters, coding, name)


@functools.lru_cache(maxsize=256)  # most are one of a few values
def _parse_value(field: bytes) -> tuple[str, Mapping[str, str]]:
    """Return a value and its parameters, with continuations joined (RFC 2231 section 3)."""
    value = field.decode("utf-8", "replace")
    parameters: dict[str, str] = {}
    for match in _PARAMETER.finditer(value):
        name, text = match[1].lower(), (match[5] or "").strip()
        if match[5] is None:
            text = re.sub(r"\\(.)", r"\1", match[4], flags=re.DOTALL)
        if match[3]:  # RFC 2231 section 4: utf-8'en'the%20mill; only the first section has the charset
            if match[2] in (None, "*0"):
                text = text.rpartition("'")[2]
            text = binascii.a2b_qp(text.replace("%", "=").encode("ascii", "replace")).decode("latin-1")
        if match[2]:
            parameters[name] = parameters.get(name, "") + text
        else:
            parameters.setdefault(name, text)
    return value.partition(";")[0].strip().lower(), parameters


def field_starts(data: bytes, start: int, end: int) -> list[int]:
    """Return the starts of the fields in data[start:end]."""
    return [start + match.end() - 1 for match in _FIELD_START.finditer(b"\n" + data[start:end])]


def field(data: bytes, start: int, end: int, name: bytes) -> bytes | None:
    """Return the value of the first field of that name, which is given in lower case; None if there is none."""
    match = re.compile(rb"\n(?i:" + name + rb")[ \t]*:").search(b"\n" + data[start:end])
    if match is None:
        return None
    value_start = start + match.end() - 1
    value_end = match_end(_VALUE, data, value_start, min(end, value_start + _LONGEST))
    return data[value_start:value_end].strip()


def identifier(value: bytes | None, pattern: "re.Pattern[bytes]" = _MESSAGE_ID) -> str | None:
    """Return a Message-ID, or the identifier of a list, without its brackets (RFC 8621 section 4.1.2.5)."""
    if value is None:
        return None
    if (match := pattern.search(value)) is not None:
        value = match[1]
    return value.strip().decode("utf-8", "replace") or None


def iso_date(value: bytes | None) -> str | None:
    """Return a date in ISO 8601 and UTC, or None if it cannot be parsed (RFC 5322 section 3.3).

    >>> iso_date(b"Thu, 22 Aug 2002 18:26:25 +0700")
    '2002-08-22T11:26:25Z'
    """
    date = utc_date(value)
    if date is None:
        return None
    return date.isoformat() + "Z"


def utc_date(value: bytes | None) -> datetime | None:
    """Return a date in UTC, without a zone, or None if it cannot be parsed (RFC 5322 section 3.3)."""
    if not value:
        return None
    text = value.decode("latin-1")
    usual = _DATE.match(text)
    usual_end = end_or(usual, 1)
    if usual_end < len(text) and _HALF_OF_DAY.search(text, usual_end - 1):
        return None
    if usual is not None and usual[2] in _MONTHS:
        day, month, year, hour, minute, second, zone = usual.groups()
        parts = (int(year), _MONTHS[month], int(day), int(hour), int(minute), min(int(second), 59))
        try:
            return datetime(*parts) - _offset(zone)
        except (ValueError, OverflowError):
            return None
    from email.utils import parsedate_tz

    parsed = parsedate_tz(text)
    if parsed is None:
        return None
    # RFC 5322 section 4.3: 1900 is added to a year of three digits, which programs wrote from 2000 on.
    year = parsed[0]
    if 100 <= year < 1000:
        year += 1900
    try:
        local = datetime(year, *parsed[1:5], min(parsed[5], 59))
        return local - timedelta(seconds=parsed[9] or 0)
    except (ValueError, OverflowError):
        return None


@functools.lru_cache(maxsize=256)
def _offset(zone: str) -> timedelta:
    """Return the offset of a zone such as +0700 from UTC."""
    return timedelta(hours=int(zone[:3]), minutes=int(zone[0] + zone[3:]))


def charset_of(label: str | None) -> str | None:
    """Return the codec of a declared charset; None for US-ASCII and unknown charsets."""
    if not label:
        return None
    name = label.strip().strip("\"'").lower()
    if name in ("us-ascii", "ascii", "ansi_x3.4-1968", "iso-ir-6"):
        return None
    if name in LABELS:
        return UTF_7
    try:
        return codec_name(_CHARSETS.get(name, name))
    except (ConfigError, UnicodeError):
        return None


# --- encoded words


def encoded_words(text: str) -> Iterator[Replacement]:
    """Yield the replacements for the encoded words of a field, including the white space between two."""
    word_end = -1  # the end of the last word
    for match in _WORD.finditer(text):
        decoded = _word(*match.groups())
        if decoded is None:
            continue
        if word_end >= 0 and (between := _BETWEEN.match(text, word_end)) is not None and between.end() == match.start():
            yield word_end, match.start(), ""
        yield match.start(), match.end(), decoded
        word_end = match.end()


def _word(charset: str, coding: str, text: str) -> str | None:
    codec = charset_of(charset) or "utf-8"
    try:
        raw = text.encode("ascii")
        if coding in "Bb":
            octets = binascii.a2b_base64(raw.rstrip(b"=") + b"=" * (-len(raw.rstrip(b"=")) % 4))
        else:
            octets = binascii.a2b_qp(raw.replace(b"_", b" "))
        return octets.decode(codec, "replace")
    except (ValueError, LookupError):
        return None
