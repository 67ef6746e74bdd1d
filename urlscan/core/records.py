"""Define the records that the finder and the linter return.

All are immutable. Unless a field says otherwise, offsets count characters from 0; lines and columns count from 1.
"""

import enum

from urlscan.core.offsets import replaced
from urlscan.core.record import NamedTuple, Record
from urlscan.core.secrets import MASK, redact
from urlscan.core.typing import TYPE_CHECKING, AlternativeReason, Any, Applicability, BreakKind, Context, Joined, Style

if TYPE_CHECKING:
    from datetime import datetime


SCHEMA_VERSION = 1

# Styles in which delimiters fix the extent of the URL.
DELIMITED = ("markup", "angle", "wrapper")
CONTEXTS: tuple[Context, ...] = ("link", "prose", "comment", "string", "fragment", "code")


class Severity(enum.IntEnum):
    """The severity of a finding; ordered, so that `--fail-on` is a comparison."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def label(self) -> str:
        """The name in options and records: info, warning or error."""
        return self.name.lower()


class MaskedRecord(Record):
    """A record whose `repr` masks passwords and other secrets (RFC 3986 section 7.5)."""

    def __repr__(self) -> str:
        """Return the fields with secrets masked."""
        fields = (f"{name}={_masked(name, value)!r}" for name, value in self._asdict().items())
        return f"{type(self).__name__}({', '.join(fields)})"


def _masked(name: str, value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_masked(name, item) for item in value)
    if not isinstance(value, str):
        return value
    if name == "password" and value:
        return MASK
    return redact(f"?{value}")[1:]  # a part may be a query, or begin with a token


class Break(Record):
    """One break in a URL.

    Attributes:
        kind: the first that applies of page-break, comment-leader, quote-mark, soft-break, newline, blank.
        offset: the start of the break, in characters of `raw`.
        length: its length in characters.
        hyphen: whether the character before the break is a hyphen (RFC 1738 appendix).
    """

    kind: "BreakKind"
    offset: int
    length: int
    hyphen: bool


class Alternative(MaskedRecord):
    """Another reading of an occurrence.

    Attributes:
        url: the URL in this reading.
        why: hyphen-dropped, hyphen-kept, blank-escaped, unjoined, joined, shorter or longer.
        evidence: how often that URL occurs unbroken elsewhere in the same file.
    """

    url: str
    why: "AlternativeReason"
    evidence: int = 0


class TextFault(Record):
    """A fault of the text around a URL, detected while the URL is read; rules report it.

    Attributes:
        name: unclosed-wrapper, prose-in-wrapper, punctuation-in-wrapper, fragment-outside (of a wrapper),
            break-in-escape, missing-scheme, needless-wrapper, too-long, goes-on (the URL continues in the next line),
            scheme-cut (the text before an unknown scheme may be its beginning) or look-alike (the sign in place of
            "://").
        start, end: the span in characters of the text.
    """

    name: str
    start: int
    end: int


class Match(NamedTuple):
    """One URL found in a text, as all packages exchange it: the fields of the public `Occurrence`, in a tuple.

    The finder yields one for each URL of a source, and creating a tuple takes a tenth of the time of a record.
    """

    url: str
    raw: str
    start: int
    end: int
    outer_start: int
    outer_end: int
    scheme: str
    style: "Style"
    breaks: tuple[Break, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    joined: "Joined" = "none"
    template: bool = False
    faults: tuple[TextFault, ...] = ()
    assumed: str = ""
    context: "Context" = "prose"
    original: str = ""

    def in_raw(self, offset: int) -> int:
        """Return the offset in `raw` of the character of `url` at `offset`."""
        return _in_raw(self.breaks, offset)

    def __repr__(self) -> str:
        """Return a short form with passwords masked (RFC 3986 section 7.5)."""
        return f"Match({redact(self.url)!r}, {self.start}, {self.end}, {self.style!r})"


def _in_raw(breaks: tuple[Break, ...], offset: int) -> int:
    for gap in breaks:
        if gap.offset > offset:
            break
        offset += gap.length
    return offset


class Occurrence(Record):
    """One URL found in a text.

    Attributes:
        url: the URL, rejoined.
        raw: the text from its first to its last character, with breaks, without wrapper and prefix.
        start, end: the span of `raw`: text[start:end] == raw.
        outer_start, outer_end: the same with the delimiters.
        scheme: the scheme in lower case.
        style: how the text delimits the URL.
        breaks: the breaks of `raw`, in order; `raw` without them is `original`, or `url` if that is "".
        alternatives: other readings, at most eight.
        joined: none, delimited (delimiters or the hyphen of a typesetter confirm it) or guess.
        template: whether it holds a placeholder (`%s`, `{name}`, `<id>`).
        faults: faults of the text around it.
        assumed: the full URL for the styles schemeless and email: "http://www.h.example/", "mailto:jo@h.example".
        context: where the URL is in its document; prose in plain text.
        original: the URL as written, rejoined, if it was unwrapped or restored from a defanged form; else "".
    """

    url: str
    raw: str
    start: int
    end: int
    outer_start: int
    outer_end: int
    scheme: str
    style: "Style"
    breaks: tuple[Break, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    joined: "Joined" = "none"
    template: bool = False
    faults: tuple[TextFault, ...] = ()
    assumed: str = ""
    context: "Context" = "prose"
    original: str = ""

    def in_raw(self, offset: int) -> int:
        """Return the offset in `raw` of the character of `url` at `offset`."""
        return _in_raw(self.breaks, offset)

    def __repr__(self) -> str:
        """Return a short form with passwords masked (RFC 3986 section 7.5)."""
        return (
            f"Occurrence(url={redact(self.url)!r}, start={self.start}, end={self.end},"
            f" style={self.style!r}, joined={self.joined!r})"
        )


class MailLocation(Record):
    """A location in a mail message.

    Attributes:
        message_id: the Message-ID without its brackets; None without one.
        date: the date in ISO 8601, UTC; None if it is missing or invalid.
        part: an IMAP part number (RFC 3501 section 6.4.5), `header:Name` for a header field, `TEXT` for the text around
            the parts; None if it is unknown.
    """

    message_id: str | None
    date: str | None
    part: str | None


class Located(Record):
    """One URL found in a file: the fields of a record of `urlscan extract --format jsonl`.

    Bytes that are not valid in the encoding of the file are shown as Windows-1252. The fields that are not listed are
    those of `Occurrence`. The URL may contain a password.

    Attributes:
        path: the name of the source, as given or as found in a directory.
        line, column, end_line, end_column: the span of `raw`, from 1; columns count code points.
        start, end: the span of `raw` in bytes of the file, or of the member of an archive.
        scheme: the scheme in lower case; "" for a relative reference, a host or an address.
        member: the name of the member in an archive, or "".
        relative: whether the URL is a relative reference in markup.
        message_id: the Message-ID of the mail, without brackets; None outside mail or without one.
        date: the date of the mail in ISO 8601, UTC; None outside mail, or if it is missing or invalid.
        part: the part of the mail (`MailLocation`); None outside mail, or if it is unknown.
    """

    url: str
    raw: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    start: int
    end: int
    outer_start: int
    outer_end: int
    scheme: str
    style: "Style"
    context: "Context"
    breaks: tuple[Break, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    joined: "Joined" = "none"
    member: str = ""
    relative: bool = False
    template: bool = False
    assumed: str = ""
    message_id: str | None = None
    date: str | None = None
    part: str | None = None
    original: str = ""

    @property
    def where(self) -> str:
        """The name of the source to show: its path, with the member of an archive."""
        return place_name(self.path, self.member)

    def __repr__(self) -> str:
        """Return a short form with passwords masked (RFC 3986 section 7.5)."""
        return f"Located({redact(self.url)!r} at {self.where}:{self.line}:{self.column})"


class WebRecord(NamedTuple):
    """A record of a web archive (ISO 28500).

    Attributes:
        record_id: its WARC-Record-ID without brackets, or "".
        record_type: response, resource, conversion, metadata, ...
        target_uri: the URI that was requested, or "". It may contain a secret.
        date: its date in UTC without a zone, or None.
        kind: the kind of its content; "" to detect it.
        charset: the encoding that the record declares for its content, or "".
    """

    record_id: str
    record_type: str
    target_uri: str
    date: "datetime | None"
    kind: str
    charset: str


class Skipped(Record):
    """A source that was not read, or not completely.

    Attributes:
        path: its name, with the member of an archive.
        reason: why it was skipped, or a remark on how it was read.
        was_named: whether it was named, and not found in a directory or an archive.
        is_error: whether it could not be read, as opposed to a binary or excluded file.
    """

    path: str
    reason: str
    was_named: bool = False
    is_error: bool = False


def in_text(occurrence: Match, start: int, end: int) -> tuple[int, int]:
    """Return the smallest span of the text that holds url[start:end], including the breaks inside."""
    if not occurrence.breaks:
        return occurrence.start + start, occurrence.start + end
    first = occurrence.start + occurrence.in_raw(start)
    if end <= start:
        return first, first
    return first, occurrence.start + occurrence.in_raw(end - 1) + 1


def without_breaks(raw: str, breaks: tuple[Break, ...]) -> str:
    """Return `raw` without its breaks."""
    return replaced(raw, ((gap.offset, gap.offset + gap.length, "") for gap in breaks))


class Edit(MaskedRecord):
    """A replacement of a span by another text.

    Attributes:
        start, end: the span, in characters of a text or in bytes of a file.
        text: the text to write there.
    """

    start: int
    end: int
    text: str


class Fix(Record):
    """The edits that fix a finding.

    Attributes:
        applicability: safe (keeps the meaning) or unsafe.
        edits: as the source writes them ("&" in HTML as "&amp;"), in order, not overlapping.
        meant: the same edits in decoded text, in characters of the document.
    """

    applicability: "Applicability"
    edits: tuple[Edit, ...]
    meant: tuple[Edit, ...] = ()

    def __eq__(self, other: object) -> bool:
        """Compare without `meant`, whose offsets depend on the chunk of the text."""
        return isinstance(other, Fix) and (self.applicability, self.edits) == (other.applicability, other.edits)

    def __hash__(self) -> int:
        """Hash what `==` compares."""
        return hash((self.applicability, self.edits))


class Problem(MaskedRecord):
    """A problem of one URL, reported by a rule.

    Attributes:
        code, name: the rule, e.g. U201 and bad-escape.
        severity: the severity.
        syntax: whether the profile's grammar rejects the URL for this; `is_valid` depends on nothing else.
        message: one sentence that names the character or component, without a full stop.
        component: scheme, userinfo, host, port, path, query, fragment, or "" for the whole URL.
        start, end: the span in characters of the URL.
        section: the section of the specification, e.g. "RFC 3986 section 2.1".
        suggestion: the corrected URL or component, or "".
        fix: the fix, whose edits are in characters of the URL; None without one.
    """

    code: str
    name: str
    severity: Severity
    syntax: bool
    message: str
    component: str
    start: int
    end: int
    section: str
    suggestion: str = ""
    fix: Fix | None = None


def place_name(path: str, member: str) -> str:
    """Return the name to show for a source: its path, with the member of an archive."""
    return f"{path}:{member}" if member else path


class Finding(Record):
    """A problem, or a fault of the text around a URL, at a location in a source.

    Attributes:
        code, name: the rule, e.g. U201 and bad-escape.
        severity: the severity, which the settings can change.
        message: one sentence, without a full stop. It contains no secret.
        url: the URL, which may contain a password; "" for a finding without a URL.
        path: the path of the source.
        line, column, end_line, end_column: the span, from 1; columns count code points.
        start, end: the span, in characters of a text that was given to the library, or in bytes of a file or a member
            of an archive.
        component: scheme, userinfo, host, port, path, query, fragment, or "".
        section: the section of the specification.
        suggestion: the corrected URL or component, or "".
        fix: the edits that fix the finding, in the unit of `start`; None if there are none.
        member: the name of the member in an archive, or "".
        mail: the message and its part; None outside mail.
        shown: the span in characters of the decoded text if lines and columns do not refer to that text, else None.
        context: where the URL is in its document; "" for a finding without a URL.
    """

    code: str
    name: str
    severity: Severity
    message: str
    url: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    start: int
    end: int
    component: str = ""
    section: str = ""
    suggestion: str = ""
    fix: Fix | None = None
    member: str = ""
    mail: MailLocation | None = None
    shown: tuple[int, int] | None = None
    context: str = ""

    @property
    def where(self) -> str:
        """The name of the source to show: its path, with the member of an archive."""
        return place_name(self.path, self.member)

    def __repr__(self) -> str:
        """Return a short form with passwords masked (RFC 3986 section 7.5)."""
        return (
            f"Finding({self.code} {self.name} at {self.where}:{self.line}:{self.column}:"
            f" {redact(self.message)!r}, url={redact(self.url)!r})"
        )
