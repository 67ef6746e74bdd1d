"""Classify the delimiters of a URL: `<URL:...>`, `<...>`, a quotation, a bracket, the prefix `URL:`, or none.

RFC 1738 appendix, RFC 2396 appendix E, RFC 3986 appendix C: angle brackets with or without the
prefix "URL:", or double quotes; white space inside them is ignored.
"""

from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple
from urlscan.core.typing import Literal, Style
from urlscan.finder.anchors import PREFIX

# Quotation marks and brackets that delimit a URL directly after the opener.
QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»", "‹": "›", "„": "“", "‚": "‘"}
BRACKETS = dict(zip("([（［「『【《〈⟨", ")]）］」』】》〉⟩", strict=True))

# How far before a scheme its opener may be: room for "<", "URL:" and one line break.
_WINDOW = 160
# Matches: `<`, `< `, `<URL:`, `<URL: \n> `, `<URL://`
# Does not match: `URL:`, `<a`, `<\n\n`
_LEFT = lazy(r"<[^\S\r\n]*(?i:(?P<url>url)\s*:)?[^\S\r\n]*(?:(?:\r\n?|\n)[^\S\r\n]*[>|#*;%/ \t]*)?(?:(?<=:)//)?\Z")
# A scheme interrupted by a line break: "<h" newline "ttp://x".
# Matches: `<h\n`, `< ftp\n`, `<URL: htt\n> `
# Does not match: `<\n`, `h\n`, `<h`
_CUT = lazy(
    r"<[^\S\r\n]*(?i:url\s*:)?\s*(?P<head>[A-Za-z][A-Za-z0-9+.-]{0,15})[^\S\r\n]*(?:\r\n?|\n)[^\S\r\n]*[>|#*;%/ \t]*\Z"
)


class Opening(NamedTuple):
    """The opening delimiter of a URL: its style, its offset or that of the URL, and the closing character or ""."""

    style: Style | Literal["bracket"]
    start: int
    closer: str


def opening(text: str, start: int, floor: int) -> Opening:
    """Return the opener directly before the URL at `start`; nothing before `floor` is read."""
    if start > floor:
        before = text[start - 1]
        if before in QUOTES:
            return Opening("quotes", start - 1, QUOTES[before])
        if before in BRACKETS:
            return Opening("bracket", start - 1, BRACKETS[before])
        if before in "<: \t\r\n>|#*;%/":
            window = max(floor, start - _WINDOW)
            before_url = text[window:start]
            if match := _LEFT.search(before_url):
                return Opening("wrapper" if match["url"] else "angle", window + match.start(), ">")
            if match := PREFIX.search(before_url):
                return Opening("prefix", window + match.start(), "")
    return Opening("bare", start, "")


def scheme_head(text: str, start: int, floor: int) -> tuple[int, str] | None:
    """Return the start and the first part of a scheme that a line break interrupts before `start`."""
    window = max(floor, start - _WINDOW)
    match = _CUT.search(text[window:start])
    if match is None:
        return None
    return window + match.start("head"), match["head"].lower()
