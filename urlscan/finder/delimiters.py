"""What a URL stands in: `<URL:...>`, `<...>`, a quotation, a bracket, `URL:` or nothing.

RFC 1738 appendix, RFC 2396 appendix E, RFC 3986 appendix C: angle brackets with or without the
prefix "URL:", or double quotes; white space inside them is not the URL's.
"""

import functools
import re
from typing import NamedTuple

from urlscan.patterns import lazy

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
# "> ", ">> ", "> | ", "| " and "Jo> ", as Supercite writes it.
_QUOTE = lazy(r"[ \t]*(?P<name>[A-Za-z][\w.-]{0,15}(?=>[>|\s]))?(?P<marks>(?:>[ \t]*\|?[ \t]*)+|\|)")
_LEADER = lazy(r"[ \t]*(/\*+|//[/!]?|#+!?|;+|\*|--+|%+|!|\"|(?i:dnl|rem)\b)(?=[ \t<])")


# A comment after code on the same line.
_TRAILING = lazy(r"[ \t](//+|#+|;;+|/\*+)(?=[ \t<])")


class LinePrefix(NamedTuple):
    """The quote marks or the comment leader of the line on which a URL begins.

    Attributes:
        kind: quote-mark or comment-leader.
        pattern: matches it at the beginning of another line, white space included.
        named: whether a name stands in it.
    """

    kind: str
    pattern: "re.Pattern[str]"
    named: bool = False


def line_start(text: str, offset: int) -> int:
    """Return where the line of `offset` begins, or -1 if that is too far back."""
    window = max(0, offset - _LINE)
    begin = max(text.rfind("\n", window, offset), text.rfind("\r", window, offset)) + 1
    return begin if begin or not window else -1


def line_prefix(text: str, offset: int) -> LinePrefix | None:
    """Return the prefix of the line of `offset`: only what stands there is removed from the next."""
    begin = line_start(text, offset)
    if begin < 0:
        return None
    head = text[begin:offset]
    if match := _QUOTE.match(head):
        return _quote_prefix(min(match["marks"].count(">"), 40), match["name"] or "", "|" in match["marks"])
    if match := _LEADER.match(head + "<"):
        return _comment_leader("*" if match[1].startswith("/*") else match[1])
    if match := _TRAILING.search(head + "<"):
        return _comment_leader("*" if match[1].startswith("/*") else match[1])
    return None


@functools.lru_cache(64)
def _comment_leader(leader: str) -> LinePrefix:
    """Return the prefix of a comment; "/*" opens a block whose lines may begin with "*"."""
    return LinePrefix("comment-leader", re.compile(rf"[^\S\r\n]*{re.escape(leader)}(?!/)[^\S\r\n]*"))


@functools.lru_cache(256)
def _quote_prefix(marks: int, name: str, bar: bool) -> LinePrefix:
    """Return the prefix of `marks` quote marks, blanks between them or not; of none: a margin bar.

    Who quotes a quotation may write a name before the marks, and a bar behind them.
    """
    one = r"[>|][^\S\r\n]*" if bar else r">[^\S\r\n]*"
    most = marks + bar
    pattern = rf"[^\S\r\n]*{re.escape(name)}(?:{one}){{1,{most}}}" if marks else r"[^\S\r\n]*\|[^\S\r\n]*"
    return LinePrefix("quote-mark", re.compile(pattern), bool(name))
