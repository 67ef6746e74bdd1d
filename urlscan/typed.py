"""What people type for a URL: with delimiters around it, and broken over lines (RFC 2396 appendix E)."""

import re
from collections.abc import Sequence
from typing import NamedTuple

# RFC 3986 appendix C: "Using <> angle brackets around each URI is especially recommended [...] The
# prefix "URL:" (with or without a trailing space) was formerly recommended as a way to help
# distinguish a URI from other bracketed designators."
_ENCLOSED = re.compile(
    r"<(?P<prefix>url:\s*+)?(?P<angle>[^<>]*)>|\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'", re.IGNORECASE | re.DOTALL
)
_NAMES = {"angle": "<>", "double": '""', "single": "''"}
# RFC 1738 appendix: "URL:" before a URL without brackets; it is no scheme if another one follows.
_PREFIX = re.compile(r"url:\s*+(?=[a-z][a-z0-9+.-]*+:)", re.IGNORECASE)
# "... line-breaks, etc. may have to be added to break a long URI across lines.  The whitespace should
# be ignored when the URI is extracted."  Blanks within a line are U102's.
_LINE_BREAK = re.compile(r"[ \t]*+[\r\n]\s*")
_WHITE = " \t\r\n"


class Typed(NamedTuple):
    """A URL out of what was typed.

    Attributes:
        url: without delimiters and line breaks.
        offsets: where each of its characters stands in what was typed.
        delimiters: what stood around it, such as "<URL:>", or "".
        ignored: how many characters of white space were left out.
    """

    url: str
    offsets: Sequence[int]
    delimiters: str
    ignored: int


def typed(text: str) -> Typed:
    r"""Return the URL in `text`.

    >>> typed("<URL:http://h.example/\na>").url
    'http://h.example/a'
    """
    if text.isalnum() or (text[:1].isalnum() and text[:4].lower() != "url:" and text[-1] not in _WHITE):
        return Typed(text, range(len(text)), "", 0)
    start, end = _stripped(text, 0, len(text))
    match = _ENCLOSED.fullmatch(text, start, end)
    if match is None or match.lastgroup is None:
        prefix = _PREFIX.match(text, start, end)
        first = prefix.end() if prefix else start
        blanks = len(text) - (end - first) - (4 if prefix else 0)
        return Typed(text[first:end], range(first, end), "URL:" if prefix else "", blanks)
    delimiters = _NAMES[match.lastgroup]
    around = len(delimiters)
    if match["prefix"]:
        delimiters, around = "<URL:>", around + 4
    start, end = _stripped(text, *match.span(match.lastgroup))
    offsets = list(range(start, end))
    for gap in reversed(list(_LINE_BREAK.finditer(text, start, end))):
        del offsets[gap.start() - start : gap.end() - start]
    url = "".join([text[at] for at in offsets])
    return Typed(url, offsets, delimiters, len(text) - len(url) - around)


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in _WHITE:
        start += 1
    while end > start and text[end - 1] in _WHITE:
        end -= 1
    return start, end
