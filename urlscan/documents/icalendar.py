r"""Read iCalendar and vCard: unfold lines and decode escapes.

RFC 5545 section 3.1:    a long line is folded anywhere, by a line end and one white space character.
RFC 5545 section 3.3.11: ESCAPED-CHAR = "\\" / "\;" / "\," / "\N" / "\n"
RFC 6350 section 3.2:    the same folding for vCard; section 3.4: its escapes. Many writers escape colons, too.
"""

import functools
import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy, repeat
from urlscan.documents.escapes import verbatim
from urlscan.documents.regions import Region
from urlscan.documents.replacements import collect

_FOLD = r"\r?\n[ \t]"
_REPLACED = lazy(rf"{_FOLD}|\\(?:{_FOLD})*([\\;,:nN])")
_SHOWN = {"n": "\n", "N": "\n"}
# A description in HTML, which Outlook writes in addition to the plain one.
_NAME = repeat(rf"[^:\r\n]++|{_FOLD}")
_HTML_TYPE = rf"(?:[^:\r\n]|{_FOLD})*?FMTTYPE=\"?text/html"
_VALUE = repeat(rf"[^\r\n]++|\r(?!\n)|{_FOLD}")
# Matches: `X-ALT-DESC;FMTTYPE=text/html:<p>`, `X-ALT-DESC;FMTTYPE=text/html:<p>\n a`
# Does not match: `X-ALT-DESC:<p>`, `DESCRIPTION;FMTTYPE=text/html:a`
_PAGE = lazy(rf"^X-ALT-DESC(?={_NAME}:)(?={_HTML_TYPE}){_NAME}:(?P<page>{_VALUE})", re.IGNORECASE | re.MULTILINE)
# Characters that only some properties escape are not written at all.
_ENCODE = (functools.partial(verbatim, refused="\\,;\r\n"),)


def regions(text: str, _kind: str = "", _scope: str = "") -> Iterator[Region]:
    """Yield the text as prose, with its HTML pages as nested documents."""
    region_end = 0
    for match in _PAGE.finditer(text):
        start, end = match.span("page")
        yield _region(text, region_end, start)
        yield _region(text, start, end, "html")
        region_end = end
    yield _region(text, region_end, len(text))


def _region(text: str, start: int, end: int, kind: str = "") -> Region:
    replacements = collect(
        (match.start(), match.end(), _SHOWN.get(match[1], match[1] or ""))
        for match in _REPLACED.finditer(text, start, end)
    )
    return Region("prose", start, end, replacements, kind, _ENCODE)
