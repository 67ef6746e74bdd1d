"""What a URL stands in: `<URL:...>`, `<...>`, a quotation, a bracket, `URL:` or nothing.

RFC 1738 appendix, RFC 2396 appendix E, RFC 3986 appendix C: angle brackets with or without the
prefix "URL:", or double quotes; white space inside them is not the URL's.
"""

import functools
import re
from typing import NamedTuple

from urlscan.core.lazy import lazy

# A quotation or a bracket vouches for a URL that it opens right before.
QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»", "‹": "›", "„": "“", "‚": "‘"}
BRACKETS = dict(zip("([（［「『【《〈", ")]）］」』】》〉", strict=True))

# How far before a scheme its opener may stand; it holds "<", "URL:" and one line break.
_WINDOW = 160
_LEFT = lazy(r"<[^\S\r\n]*(?i:(?P<url>url)\s*:)?[^\S\r\n]*(?:(?:\r\n?|\n)[^\S\r\n]*[>|#*;%/ \t]*)?(?:(?<=:)//)?\Z")
# Not the "Image-Url:" of a header field.
_PREFIX = lazy(r"(?<![A-Za-z0-9-])(?i:url):[^\S\r\n]*\Z")
# A scheme that the line break cuts: "<h" newline "ttp://x".
_CUT = lazy(
    r"<[^\S\r\n]*(?i:url\s*:)?\s*(?P<head>[A-Za-z][A-Za-z0-9+.-]{0,15})[^\S\r\n]*(?:\r\n?|\n)[^\S\r\n]*[>|#*;%/ \t]*\Z"
)


class Opening(NamedTuple):
    """What stands before a URL.

    Attributes:
        style: wrapper, angle, quotes, bracket, prefix or bare.
        start: where the opener begins, in characters of the text; the URL's start if there is none.
        closer: the character that closes it, or "".
    """

    style: str
    start: int
    closer: str


def opening(text: str, start: int, floor: int) -> Opening:
    """Return what opens right before the URL at `start`, not looking before `floor`."""
    if start > floor:
        before = text[start - 1]
        if before in QUOTES:
            return Opening("quotes", start - 1, QUOTES[before])
        if before in BRACKETS:
            return Opening("bracket", start - 1, BRACKETS[before])
        if before in "<: \t\r\n>|#*;%/":
            window = max(floor, start - _WINDOW)
            left = text[window:start]
            if match := _LEFT.search(left):
                return Opening("wrapper" if match["url"] else "angle", window + match.start(), ">")
            if match := _PREFIX.search(left):
                return Opening("prefix", window + match.start(), "")
    return Opening("bare", start, "")


def scheme_head(text: str, start: int, floor: int) -> tuple[int, str] | None:
    """Return where a scheme begins that a line break cuts before `start`, and its first part."""
    window = max(floor, start - _WINDOW)
    match = _CUT.search(text[window:start])
    return (window + match.start("head"), match["head"].lower()) if match else None


# --- what stands at the beginning of the line -------------------------------------------------

# How far back the beginning of a line is looked for: one line of 200 MB must not cost a scan a URL.
_LINE = 512
# One quote mark with the blanks and the bar after it.
_MARK = r">(?>[ \t]*)(?:\|(?>[ \t]*))?"
NAME = r"[^\W\d_][\w.'-]{0,15}(?<!-)"
# Marks of a quotation: "> ", ">> ", "> | ", "| ", "Jo> " as Supercite writes it, "> Jo> ".
_QUOTE = lazy(rf"[ \t]*(?P<outer>(?:{_MARK})*)(?:(?P<name>{NAME})(?=>))?(?P<marks>(?:{_MARK})+|\|)")
# Marks that quote only if a neighboring line begins with them, too: ": ", "} ", "+ ".
_RARE_QUOTE = lazy(r"[ \t]*(?P<marks>[:}\])+=$&@~^-]{1,8})(?:(?P<blank>[ \t])|(?<=:))")
_LEADER = lazy(r"[ \t]*(/\*+|//[/!]?|#+!?|;+|\*|--+|%+|!|\"|(?i:dnl|rem)\b)(?=[ \t<])")


# A comment after code on the same line.
_TRAILING = lazy(r"[ \t](//+|#+|;;+|/\*+)(?=[ \t<])")


class LinePrefix(NamedTuple):
    """The quote marks or the comment leader of the line on which a URL begins.

    Attributes:
        kind: quote-mark or comment-leader.
        pattern: matches it at the beginning of another line, white space included.
    """

    kind: str
    pattern: "re.Pattern[str]"


def line_start(text: str, offset: int) -> int:
    """Return where the line of `offset` begins, or -1 if that is too far back."""
    window = max(0, offset - _LINE)
    begin = max(text.rfind("\n", window, offset), text.rfind("\r", window, offset)) + 1
    return begin if begin or not window else -1


def line_prefix(text: str, offset: int) -> LinePrefix | None:
    """Return the prefix of the line of `offset`, or None: only the same prefix is removed from the next line."""
    begin = line_start(text, offset)
    if begin < 0:
        return None
    head = text[begin:offset]
    if (match := _QUOTE.match(head)) and (prefix := _quote_prefix_of(text, begin, match)) is not None:
        return prefix
    if match := _LEADER.match(head + "<"):
        return _comment_leader("*" if match[1].startswith("/*") else match[1])
    if match := _TRAILING.search(head + "<"):
        return _comment_leader("*" if match[1].startswith("/*") else match[1])
    if match := _RARE_QUOTE.match(head):
        pattern = _rare_quote_prefix(match["marks"], bool(match["blank"]))
        if _is_neighbored(text, begin, offset, pattern):
            return LinePrefix("quote-mark", pattern)
    return None


def _quote_prefix_of(text: str, begin: int, match: "re.Match[str]") -> LinePrefix | None:
    """Return the prefix that `_QUOTE` matched at text[begin], or None where its ">" closes a bracket."""
    name = match["name"] or ""
    outer, marks = match["outer"].count(">"), match["marks"].count(">")
    bar = "|" in match["marks"] or "|" in match["outer"]
    if not name:
        outer, marks = 0, outer + marks
    if (name or marks == 1) and not is_quotation(text, begin + match.start("name" if name else "marks"), name):
        return _quote_prefix(0, "", min(outer, 40), bar) if outer else None
    return _quote_prefix(min(outer, 40), name, min(marks, 40), bar)


@functools.lru_cache(64)
def _comment_leader(leader: str) -> LinePrefix:
    """Return the prefix of a comment; "/*" opens a block whose lines may begin with "*"."""
    return LinePrefix("comment-leader", re.compile(rf"[^\S\r\n]*{re.escape(leader)}(?!/)[^\S\r\n]*"))


@functools.lru_cache(256)
def _quote_prefix(outer: int, name: str, marks: int, bar: bool) -> LinePrefix:
    """Return the prefix of `marks` quote marks, blanks between them or not; of none: a margin bar.

    A quotation of a quotation may have `outer` marks and a name before the marks, and a bar after them.
    """
    one = r"[>|][^\S\r\n]*" if bar else r">[^\S\r\n]*"
    pattern = r"[^\S\r\n]*"
    if name:
        pattern += rf"(?:{one}){{0,{outer + bar}}}{re.escape(name)}"
    pattern += rf"(?:{one}){{1,{marks + bar}}}" if marks else r"\|[^\S\r\n]*"
    return LinePrefix("quote-mark", re.compile(pattern))


@functools.lru_cache(64)
def _rare_quote_prefix(marks: str, blank: bool) -> "re.Pattern[str]":
    return re.compile(rf"[^\S\r\n]*{re.escape(marks)}[^\S\r\n]{'+' if blank else '*'}")


def _is_neighbored(text: str, begin: int, offset: int, prefix: "re.Pattern[str]") -> bool:
    """Return whether the line before text[begin], or the one after text[offset], has the prefix, too."""
    before = line_start(text, begin - 1) if begin else -1
    after = text.find("\n", offset, offset + _LINE) + 1
    return (before >= 0 and prefix.match(text, before) is not None) or (
        after > 0 and prefix.match(text, after) is not None
    )


# How far a paragraph is read for the evidence of its other lines, and at how many marks.
_PARAGRAPH = 1024
_MOST_MARKS = 24
_OPENER = lazy(r"<(?:[A-Za-z/!]|[ \t]*(?i:url):)")
_LINE_MARKS = " \t>|"


def is_quotation(text: str, at: int, name: str) -> bool:
    """Return whether ">" or "name>" at text[at], first on its line, marks a quotation and closes no bracket.

    It closes a "<" that is open there: `<http://h.example/a/` newline `Foo> and`.  So it marks a quotation only if
    a line of the paragraph, this one or another, begins with it where no "<" is open.
    """
    first, last = paragraph(text, at)
    word = name + ">"
    found = text.find(word, first, last)
    for _ in range(_MOST_MARKS):
        if found < 0:
            break
        begin = max(text.rfind("\n", first, found), text.rfind("\r", first, found), first - 1) + 1
        leads = not text[begin:found].strip(_LINE_MARKS)
        if leads and not _is_open(text, first, begin):
            return True
        found = text.find(word, found + len(word), last)
    return False


def paragraph(text: str, at: int) -> tuple[int, int]:
    """Return where the paragraph around text[at] begins and ends, or where it is no longer read."""
    floor, limit = max(at - _PARAGRAPH, 0), min(at + _PARAGRAPH, len(text))
    first = max(text.rfind("\n\n", floor, at), text.rfind("\n\r\n", floor, at), floor)
    ends = [end for end in (text.find("\n\n", at, limit), text.find("\n\r\n", at, limit)) if end >= 0]
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
