"""Find the start of a line, its quote marks or comment leader, and the paragraph around it."""

import functools
import re

from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple
from urlscan.core.typing import BreakKind

# How far back the start of a line is searched for, so that a line of any length takes linear time.
_LINE = 512
# One quote mark, with the blanks and the bar after it.
_MARK = r">(?>[ \t]*)(?:\|(?>[ \t]*))?"
NAME = r"[^\W\d_][\w.'-]{0,15}(?<!-)"
# Quote marks: "> ", ">> ", "> | ", "| ", "Jo> " in the style of Supercite, "> Jo> ".
# Matches: `>`, `> > `, `> | `, `|`, `Jo> `, `> Jo> `
# Does not match: `a`, `: `, `Jo`
_QUOTE = lazy(rf"[ \t]*(?P<outer>(?:{_MARK})*)(?:(?P<name>{NAME})(?=>))?(?P<marks>(?:{_MARK})+|\|)")
# Marks that are quote marks only if an adjacent line begins with them too: ": ", "} ", "+ ".
_RARE_QUOTE = lazy(r"[ \t]*(?P<marks>[:}\])+=$&@~^-]{1,8})(?:(?P<blank>[ \t])|(?<=:))")
_LEADER = lazy(r"[ \t]*(/\*+|//[/!]?|#+!?|;+|\*|--+|%+|!|\"|(?i:dnl|rem)\b)(?=[ \t<])")
# Mailboxes write a line "From " of a message so, without quoting it (RFC 4155 appendix A).
_ESCAPED_FROM = ">From "
# A comment after code on the same line.
_TRAILING = lazy(r"[ \t](//+|#+|;;+|/\*+)(?=[ \t<])")


class LinePrefix(NamedTuple):
    """The quote marks or the comment leader of the line on which a URL begins.

    The pattern matches the prefix, with its white space, at the start of another line.
    """

    kind: BreakKind
    pattern: re.Pattern[str]


def line_start(text: str, offset: int) -> int:
    """Return the start of the line of `offset`, or -1 if it is too far back."""
    window = max(0, offset - _LINE)
    begin = max(text.rfind("\n", window, offset), text.rfind("\r", window, offset)) + 1
    if window and not begin:
        return -1
    return begin


def line_prefix(text: str, offset: int) -> LinePrefix | None:
    """Return the prefix of the line of `offset`, which is also removed from the next line; None if there is none."""
    begin = line_start(text, offset)
    if begin < 0:
        return None
    head = text[begin:offset]
    if (match := _QUOTE.match(head)) and (prefix := _quote_prefix_of(text, begin, match)) is not None:
        return prefix
    if match := _LEADER.match(head + "<") or _TRAILING.search(head + "<"):
        return _comment_leader(match[1])
    if match := _RARE_QUOTE.match(head):
        pattern = _rare_quote_prefix(match["marks"], bool(match["blank"]))
        starts = [text.find("\n", offset, offset + _LINE) + 1 or -1]
        if begin:
            starts.append(line_start(text, begin - 1))
        if any(start >= 0 and pattern.match(text, start) for start in starts):
            return LinePrefix("quote-mark", pattern)
    return None


def is_quoted(text: str, offset: int) -> bool:
    """Return whether the line of `offset` begins with the ">" of a quotation (RFC 3676 section 4.5)."""
    begin = line_start(text, offset)
    if begin < 0 or text.find(">", begin, offset) < 0:
        return False
    match = _QUOTE.match(text[begin:offset])
    if match is None or ">" not in match[0] or text.startswith(_ESCAPED_FROM, begin):
        return False
    return _quote_prefix_of(text, begin, match) is not None


def _quote_prefix_of(text: str, begin: int, match: "re.Match[str]") -> LinePrefix | None:
    """Return the prefix that `_QUOTE` matched at text[begin], or None if its ">" closes a bracket."""
    name = match["name"] or ""
    outer, marks = match["outer"].count(">"), match["marks"].count(">")
    bar = "|" in match[0]
    if not name:
        outer, marks = 0, outer + marks
    if (name or marks == 1) and not is_quotation(text, begin + match.start("name" if name else "marks"), name):
        if not outer:
            return None
        outer, name, marks = 0, "", outer
    return _quote_prefix(min(outer, 40), name, min(marks, 40), bar)


@functools.lru_cache(64)
def _comment_leader(leader: str) -> LinePrefix:
    """Return the prefix of a comment; the lines of a block comment may begin with "*"."""
    if leader.startswith("/*"):
        leader = "*"
    return LinePrefix("comment-leader", re.compile(rf"[^\S\r\n]*{re.escape(leader)}(?!/)[^\S\r\n]*"))


@functools.lru_cache(256)
def _quote_prefix(outer: int, name: str, marks: int, bar: bool) -> LinePrefix:
    """Return the prefix of `marks` quote marks with optional blanks between them, or of a margin bar if `marks` is 0.

    A nested quotation may have `outer` marks and a name before these marks, and a bar after them.
    """
    mark = r"[>|][^\S\r\n]*" if bar else r">[^\S\r\n]*"
    pattern = r"[^\S\r\n]*"
    if name:
        pattern += rf"(?:{mark}){{0,{outer + bar}}}{re.escape(name)}"
    if marks:
        pattern += rf"(?:{mark}){{1,{marks + bar}}}"
    else:
        pattern += r"\|[^\S\r\n]*"
    return LinePrefix("quote-mark", re.compile(pattern))


@functools.lru_cache(64)
def _rare_quote_prefix(marks: str, blank: bool) -> "re.Pattern[str]":
    return re.compile(rf"[^\S\r\n]*{re.escape(marks)}[^\S\r\n]{'+' if blank else '*'}")


# The limits for reading the other lines of a paragraph: characters in each direction, and quote marks.
_PARAGRAPH = 1024
_MOST_MARKS = 24
_OPENER = lazy(r"<(?:[A-Za-z/!]|[ \t]*(?i:url):)")
_LINE_MARKS = " \t>|"


def is_quotation(text: str, offset: int, name: str) -> bool:
    """Return whether ">" or "name>" at text[offset], first on its line, is a quote mark and closes no bracket.

    It may close a "<" that is open there: `<http://h.example/a/` newline `Foo> and`.  So it is a quote mark only if a
    line of the paragraph, this one or another, begins with it while no "<" is open.
    """
    first, last = paragraph(text, offset)
    word = name + ">"
    position = text.find(word, first, last)
    for _ in range(_MOST_MARKS):
        if position < 0:
            break
        begin = max(text.rfind("\n", first, position), text.rfind("\r", first, position), first - 1) + 1
        leads = not text[begin:position].strip(_LINE_MARKS)
        if leads and not _is_open(text, first, begin):
            return True
        position = text.find(word, position + len(word), last)
    return False


def paragraph(text: str, offset: int) -> tuple[int, int]:
    """Return the span of the paragraph around text[offset], as far as it is read."""
    floor, limit = max(offset - _PARAGRAPH, 0), min(offset + _PARAGRAPH, len(text))
    first = max(text.rfind("\n\n", floor, offset), text.rfind("\n\r\n", floor, offset), floor)
    ends = [end for end in (text.find("\n\n", offset, limit), text.find("\n\r\n", offset, limit)) if end >= 0]
    return first, min(ends, default=limit)


def _is_open(text: str, first: int, begin: int) -> bool:
    """Return whether a "<" in text[first:begin] is still open at the line start text[begin]."""
    opener = text.rfind("<", first, begin)
    if opener < 0 or _OPENER.match(text, opener) is None:
        return False
    line = max(text.rfind("\n", first, opener) + 1, first)
    quoted = text[line:opener].lstrip(" \t").startswith(">")
    closer = text.find(">", opener, begin)
    for _ in range(_MOST_MARKS):
        if closer < 0:
            break
        line = max(text.rfind("\n", opener, closer), opener)
        if not quoted or text[line:closer].strip(_LINE_MARKS + "\n"):
            return False
        closer = text.find(">", closer + 1, begin)  # a quote mark, as before the "<"
    return True
