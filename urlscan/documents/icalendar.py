r"""Calendars and cards: lines that were folded are whole again, and escapes undone.

RFC 5545 section 3.1:    a long line is divided anywhere, by a line end and one blank; both are taken out again.
RFC 5545 section 3.3.11: ESCAPED-CHAR = "\\" / "\;" / "\," / "\N" / "\n"
RFC 6350 section 3.2:    the same for cards, section 3.4 for what they escape; many write "\:", too.

White space inside of a URL is what these formats themselves prescribe.
"""

import functools
import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy, repeat
from urlscan.documents.edits import verbatim
from urlscan.documents.replacements import collect
from urlscan.documents.segments import Region

_FOLD = r"\r?\n[ \t]"
_SHOWN_OTHERWISE = lazy(rf"{_FOLD}|\\(?:{_FOLD})*([\\;,:nN])")
# A description that is a page, as Outlook writes it beside the plain one.
_NAME = repeat(rf"[^:\r\n]++|{_FOLD}")
_PAGE = lazy(
    rf"^X-ALT-DESC(?={_NAME}:)(?=(?:[^:\r\n]|{_FOLD})*?FMTTYPE=\"?text/html){_NAME}:"
    "(?P<page>" + repeat(rf"[^\r\n]++|\r(?!\n)|{_FOLD}") + ")",
    re.IGNORECASE | re.MULTILINE,
)
# A character that one property escapes stands for itself in another: what is written holds none.
_PLAINLY = (functools.partial(verbatim, refused="\\,;\r\n"),)


def regions(text: str, _kind: str = "") -> Iterator[Region]:
    """Yield the text as prose, and the pages in it as such."""
    done = 0
    for match in _PAGE.finditer(text):
        start, end = match.span("page")
        yield _region(text, done, start)
        yield _region(text, start, end, "html")
        done = end
    yield _region(text, done, len(text))


def _region(text: str, start: int, end: int, kind: str = "") -> Region:
    replacements = collect(
        (match.start(), match.end(), "\n" if match[1] in ("n", "N") else match[1] or "")
        for match in _SHOWN_OTHERWISE.finditer(text, start, end)
    )
    return Region("prose", start, end, replacements, kind, _PLAINLY)
