"""Define the records that the finder and the linter return.

All are immutable. Unless a field says otherwise, offsets count characters from 0; lines and columns count from 1.
"""

import enum
from typing import NamedTuple

from urlscan.core.segment import MailLocation
from urlscan.secrets import redact

SCHEMA_VERSION = 1

# How the text delimits a URL.
STYLES = ("wrapper", "angle", "quotes", "prefix", "markup", "bare", "schemeless", "email")
# Styles in which delimiters fix the extent of the URL.
DELIMITED = ("markup", "angle", "wrapper")
# Contexts of a URL: a destination in markup, running text, a comment or docstring of a program, a string
# literal or data value that is the URL and nothing else, a part of a longer string, or code.
CONTEXTS = ("link", "prose", "comment", "string", "fragment", "code")


class Severity(enum.IntEnum):
    """The severity of a finding; ordered, so that `--fail-on` is a comparison."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def label(self) -> str:
        """The name in options and records: info, warning or error."""
        return self.name.lower()


class Break(NamedTuple):
    """One break in a URL.

    Attributes:
        kind: the first that applies of page-break, comment-leader, quote-mark, soft-break, newline, blank.
        offset: the start of the break, in characters of `raw`.
        length: its length in characters.
        hyphen: whether the character before the break is a hyphen (RFC 1738 appendix).
    """

    kind: str
    offset: int
    length: int
    hyphen: bool


class Alternative(NamedTuple):
    """Another reading of an occurrence.

    Attributes:
        url: the URL in this reading.
        why: hyphen-dropped, hyphen-kept, blank-escaped, unjoined, joined, shorter or longer.
        evidence: how often that URL occurs unbroken elsewhere in the same file.
    """

    url: str
    why: str
    evidence: int = 0


class TextFault(NamedTuple):
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


class Occurrence(NamedTuple):
    """One URL found in a text.

    Attributes:
        url: the URL, rejoined.
        raw: the text from its first to its last character, with breaks, without wrapper and prefix.
        start, end: the span of `raw`: text[start:end] == raw.
        outer_start, outer_end: the span with the delimiters.
        scheme: the scheme in lower case.
        style: one of STYLES.
        breaks: the breaks of `raw`, in order; `raw` without them is `url`.
        alternatives: other readings, at most eight.
        joined: none, delimited (delimiters confirm it) or guess.
        template: whether it holds a placeholder (`%s`, `{name}`, `<id>`).
        faults: faults of the text around it.
        assumed: the full URL for the styles schemeless and email: "http://www.h.example/", "mailto:jo@h.example".
        context: one of CONTEXTS; prose for plain text.
    """

    url: str
    raw: str
    start: int
    end: int
    outer_start: int
    outer_end: int
    scheme: str
    style: str
    breaks: tuple[Break, ...] = ()
    alternatives: tuple[Alternative, ...] = ()
    joined: str = "none"
    template: bool = False
    faults: tuple[TextFault, ...] = ()
    assumed: str = ""
    context: str = "prose"

    def in_raw(self, offset: int) -> int:
        """Return the offset in `raw` of the character of `url` at `offset`."""
        for gap in self.breaks:
            if gap.offset > offset:
                break
            offset += gap.length
        return offset

    def __repr__(self) -> str:
        """Return a short form with passwords masked (RFC 3986 section 7.5)."""
        return (
            f"Occurrence(url={redact(self.url)!r}, start={self.start}, end={self.end},"
            f" style={self.style!r}, joined={self.joined!r})"
        )


def in_text(occurrence: Occurrence, start: int, end: int) -> tuple[int, int]:
    """Return the smallest span of the text that holds url[start:end], including the breaks inside."""
    if not occurrence.breaks:
        return occurrence.start + start, occurrence.start + end
    first = occurrence.start + occurrence.in_raw(start)
    if end <= start:
        return first, first
    return first, occurrence.start + occurrence.in_raw(end - 1) + 1


class Problem(NamedTuple):
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


class Edit(NamedTuple):
    """A replacement of the characters from `start` to `end` by `text`."""

    start: int
    end: int
    text: str


class Fix(NamedTuple):
    """The edits that fix a finding.

    Attributes:
        applicability: safe (keeps the meaning) or unsafe.
        edits: as the source writes them ("&" in HTML as "&amp;"), in order, not overlapping.
        meant: the same edits in decoded text, in characters of the segment.
    """

    applicability: str
    edits: tuple[Edit, ...]
    meant: tuple[Edit, ...] = ()

    def __eq__(self, other: object) -> bool:
        """Compare without `meant`, whose offsets depend on the chunk of the text."""
        return isinstance(other, Fix) and self[:2] == other[:2]

    def __ne__(self, other: object) -> bool:
        """Return the opposite of `==`."""
        return not self == other

    def __hash__(self) -> int:
        """Hash what `==` compares."""
        return hash(self[:2])


def place_name(path: str, member: str) -> str:
    """Return the name to show for a source: its path, with the member of an archive."""
    return f"{path}:{member}" if member else path


class Finding(NamedTuple):
    """A problem, or a fault of the text around a URL, at a location in a source.

    `start`, `end` and the edits of `fix` count characters if the source is a text given to the library, and bytes if it
    is a file or a member of an archive. Columns count code points. `mail` is None outside mail. `shown` is the span in
    characters of the decoded text if lines and columns do not refer to that text, else None. `context` is that of the
    URL, "" for a finding without a URL.
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
