"""The records: what the finder finds and what the linter says.

All are immutable.  Unless a field says otherwise, offsets count characters from 0 and lines and
columns count from 1.
"""

import enum
from typing import NamedTuple

from urlscan.redact import redact
from urlscan.text import MailLocation

SCHEMA_VERSION = 1

# Where a URL stood (DESIGN of the finder: see ARCHITECTURE.md, "Words").
STYLES = ("wrapper", "angle", "quotes", "prefix", "markup", "bare", "schemeless", "email")
# Those of URLs whose extent delimiters fix.
DELIMITED = ("markup", "angle", "wrapper")
# What a URL is in its document: a destination in markup, running text, a comment or docstring of a program, a string
# literal or data value that is the URL and nothing else, a part of a longer string, or code.
CONTEXTS = ("link", "prose", "comment", "string", "fragment", "code")


class Severity(enum.IntEnum):
    """How loud a finding is; ordered, so that `--fail-on` is a comparison."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def label(self) -> str:
        """The name that options and records use: info, warning or error."""
        return self.name.lower()


class Break(NamedTuple):
    """One gap in a URL as it stands in the text.

    Attributes:
        kind: the first that applies of page-break, comment-leader, quote-mark, soft-break,
            newline, blank.
        offset: where the gap begins, in characters of `raw`.
        length: how long it is, in characters.
        hyphen: whether the character before the gap is a hyphen (RFC 1738 appendix).
    """

    kind: str
    offset: int
    length: int
    hyphen: bool


class Alternative(NamedTuple):
    """Another reading of the same place.

    Attributes:
        url: the URL by that reading.
        why: hyphen-dropped, hyphen-kept, blank-escaped, unjoined, joined, shorter or longer.
        evidence: how often that URL stands unbroken elsewhere in the same file.
    """

    url: str
    why: str
    evidence: int = 0


class Fault(NamedTuple):
    """Something wrong with the text around a URL, seen while it was read; rules report it.

    Attributes:
        name: unclosed-wrapper, prose-in-wrapper, punctuation-in-wrapper, fragment-outside (of a wrapper),
            break-in-escape, missing-scheme, needless-wrapper, too-long, goes-on (in the next line) or scheme-cut (what
            stands before an unknown scheme may be its beginning).
        start, end: the place, in characters of the text.
    """

    name: str
    start: int
    end: int


class Occurrence(NamedTuple):
    """One URL found in a text.

    Attributes:
        url: the URL, rejoined.
        raw: the text from its first to its last character, breaks included; wrapper and prefix not.
        start, end: the place of `raw`: text[start:end] == raw.
        outer_start, outer_end: the same with its delimiters.
        scheme: in lower case.
        style: one of STYLES.
        breaks: the gaps of `raw`, in order; raw without them is url.
        alternatives: other readings, at most eight.
        joined: none, delimited (a delimiter vouches for it) or guess.
        template: whether it holds a placeholder (`%s`, `{name}`, `<id>`).
        faults: what is wrong with the text around it.
        assumed: of schemeless and email, the URL that is meant: "http://www.h.example/", "mailto:jo@h.example".
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
    faults: tuple[Fault, ...] = ()
    assumed: str = ""
    context: str = "prose"

    def in_raw(self, offset: int) -> int:
        """Return where in `raw` the character of `url` at `offset` stands."""
        for gap in self.breaks:
            if gap.offset > offset:
                break
            offset += gap.length
        return offset

    def __repr__(self) -> str:
        """Like a NamedTuple's, with passwords masked (RFC 3986 section 7.5)."""
        return (
            f"Occurrence(url={redact(self.url)!r}, start={self.start}, end={self.end},"
            f" style={self.style!r}, joined={self.joined!r})"
        )


def in_text(occurrence: Occurrence, start: int, end: int) -> tuple[int, int]:
    """Return where url[start:end] stands in the text: the smallest run, gaps in between included."""
    if not occurrence.breaks:
        return occurrence.start + start, occurrence.start + end
    first = occurrence.start + occurrence.in_raw(start)
    if end <= start:
        return first, first
    return first, occurrence.start + occurrence.in_raw(end - 1) + 1


class Problem(NamedTuple):
    """What is wrong with one URL.

    Attributes:
        code, name: the rule, e.g. U201 and bad-escape.
        severity: how loud.
        syntax: whether the profile's grammar rejects the URL for it (all that `is_valid` asks).
        message: one sentence that names the character or component, without a full stop.
        component: scheme, userinfo, host, port, path, query, fragment, or "" for the whole.
        start, end: the place, in characters of the URL.
        section: where it is written, e.g. "RFC 3986 section 2.1".
        suggestion: the URL or the part as it should be written, or "".
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
    """Replace the characters from `start` to `end` by `text`."""

    start: int
    end: int
    text: str


class Fix(NamedTuple):
    """Edits that mend a finding.

    Attributes:
        applicability: safe (meaning is kept) or unsafe.
        edits: in order, not overlapping.
        meant: the same, in characters of the segment's text: what that is to show. `edits` has it as the source
            writes it, an "&" in HTML as "&amp;".
    """

    applicability: str
    edits: tuple[Edit, ...]
    meant: tuple[Edit, ...] = ()

    def __eq__(self, other: object) -> bool:
        """Two that write the same are the same; each part of a large text counts its own characters."""
        return isinstance(other, Fix) and self[:2] == other[:2]

    def __ne__(self, other: object) -> bool:
        """As `==` says."""
        return not self == other

    def __hash__(self) -> int:
        """As `==` says."""
        return hash(self[:2])


def place_name(path: str, member: str) -> str:
    """Return what people are told that something stands in: the path, with the member of an archive."""
    return f"{path}:{member}" if member else path


class Finding(NamedTuple):
    """A problem, or a fault of the text around a URL, at a place of a source.

    `start`, `end` and the edits of `fix` count characters when the source is a text given to the
    library, and bytes when it is a file, or a member of an archive; columns count code points.  `mail` is None for
    what is no mail; `shown` is the place in characters of the decoded text, where lines and columns are not of that;
    `context` is that of the URL, "" for a finding about no URL.
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
        """What people are told that it stands in: the path, with the member of an archive."""
        return place_name(self.path, self.member)

    def __repr__(self) -> str:
        """Short, with passwords masked (RFC 3986 section 7.5)."""
        return (
            f"Finding({self.code} {self.name} at {self.where}:{self.line}:{self.column}:"
            f" {redact(self.message)!r}, url={redact(self.url)!r})"
        )
