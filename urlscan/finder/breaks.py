"""Read the breaks in a URL.

RFC 1738 appendix: white space between "<" and ">" is ignored.  RFC 3986 appendix C adds line breaks and quote marks.
Real text adds comment leaders, page breaks and the backslash of a folded line.
"""

import re

from urlscan.core.choices import BreakKind
from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple
from urlscan.finder.delimiters import NAME, is_quotation, line_prefix

_BLANK = lazy(r"[^\S\r\n]+")
_LINE = lazy(r"[^\S\r\n]*(?:\r\n?|\n)[^\S\r\n]*")
_NAME = re.compile(rf"({NAME})>(?=[>|\s])")
# A ">" before any "<" on the same line, except in an arrow.
_SECOND = lazy(r"[^<>\r\n]{1,400}(?<![-=])>")
# The first character of a quote mark or a comment leader: a fast check, since most lines begin with neither.
_MARKED = lazy(rf"[>|/#;*%!\"\-:}}\])+=$&@~^]|{NAME}>|(?i:dnl|rem)\b")
_EMPTY = r"[^\S\r\n]*(?:\r\n?|\n)"
# A page break of the RFC series: at most three blank lines, one footer, a form feed or "[Page n]", one header, at most
# three blank lines.
_BLANK_LINES = rf"{_EMPTY}(?:{_EMPTY}){{0,3}}"
_NUMBERED_FOOTER = (
    rf"[^\r\n\f]{{0,200}}\[Page[^\S\r\n]+\w{{1,9}}\]{_EMPTY}(?:[^\S\r\n\f]*(?:\r\n?|\n))?\f?(?:{_EMPTY})?"
)
_FORM_FEED = rf"(?:[^\r\n\f]{{1,200}}(?:\r\n?|\n))?\f(?:{_EMPTY})?"
_HEADER = r"[^\r\n\f]{1,200}"
# Matches: `\n\nSmith [Page 3]\nRFC 1 Title\n\n`, `\n  [Page 3]\n\nTitle\n  `
# Does not match: `\n\nSmith 3\nRFC 1 Title\n\n`, `Smith [Page 3]\nTitle\n`, `\n`
_PAGE = lazy(rf"{_BLANK_LINES}(?:{_NUMBERED_FOOTER}|{_FORM_FEED}){_HEADER}{_BLANK_LINES}[^\S\r\n]*(?=\S)")


class BreakSpan(NamedTuple):
    """A break in a URL: the characters between two of its spans.

    Attributes:
        start, end: in characters of the text.
        kind: page-break, comment-leader, quote-mark, soft-break, newline or blank.
    """

    start: int
    end: int
    kind: BreakKind


def break_at(text: str, offset: int, opened: int) -> BreakSpan | None:
    """Return the break that begins at the white space text[offset], or None if no URL continues after it.

    Only a page break includes a blank line.  A quote mark or a comment leader belongs to the break if the line of
    text[opened], on which the URL was opened, begins with it too.
    """
    line = _LINE.match(text, offset)
    if line is None:
        blank = _BLANK.match(text, offset)
        return BreakSpan(offset, blank.end(), "blank") if blank else None
    end = line.end()
    kind: BreakKind = "newline"
    if _MARKED.match(text, end):
        prefix = line_prefix(text, opened)
        if prefix is not None and (marks := prefix.pattern.match(text, end)):
            end, kind = marks.end(), prefix.kind
        elif (name := _NAME.match(text, end)) and is_quote_mark(text, name.start(), name[1]):
            return None  # a quotation from another author
    if end == len(text) or text[end] in "\r\n\f":
        page = _PAGE.match(text, offset)
        return BreakSpan(offset, page.end(), "page-break") if page else None
    return BreakSpan(offset, end, kind)


def is_quote_mark(text: str, offset: int, name: str) -> bool:
    """Return whether ">" or "name>" at text[offset], first on its line, is a quote mark although a "<" is open.

    The evidence is in other lines of the paragraph, or a second ">" that closes the bracket: "Al> mill>, near".
    """
    return _SECOND.match(text, offset + len(name) + 1) is not None or is_quotation(text, offset, name)
