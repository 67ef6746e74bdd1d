r"""Read formats of interchange: tables, calendars and contacts, HTTP responses.

RFC 4180 section 2:      escaped = DQUOTE *(TEXTDATA / COMMA / CR / LF / 2DQUOTE) DQUOTE
RFC 5545 section 3.1:    a long line is folded anywhere, by a line end and one white space character.
RFC 5545 section 3.3.11: ESCAPED-CHAR = "\\" / "\;" / "\," / "\N" / "\n"
RFC 6350 section 3.2:    the same folding for vCard; section 3.4: its escapes. Many writers escape colons, too.
RFC 9112 section 2.1:    status line, header fields, an empty line, and a document of any kind (`curl --include`).
"""

import functools
import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy, repeat
from urlscan.documents.escapes import collect, doubled_quotes, encode_doubled, verbatim
from urlscan.documents.identify import identify
from urlscan.documents.regions import Region
from urlscan.files.media_types import STATUS_LINE, response_header, web_kind

# The separators in use; the most frequent one in the first line counts.
_SEPARATORS = (",", ";", "\t", "|")
_FIRST_LINE = 4096
_QUOTED = lazy('"' + repeat('[^"]++|""') + '"')
_IN_QUOTES = (functools.partial(encode_doubled, quote='"'),)


def _table(text: str, kind: str) -> Iterator[Region]:
    """Yield the fields as data and the separators as markup: no URL extends over the end of a field."""
    separator = "\t"
    if kind != "tsv":
        separator = max(_SEPARATORS, key=text[:_FIRST_LINE].lstrip("\r\n").partition("\n")[0].count)
    encode_unquoted = (functools.partial(verbatim, refused=f'"\r\n{separator}'),)
    unquoted = re.compile(rf"[^{separator}\r\n]*+")
    start = first = 0  # of the text that is not yielded yet, and of the next field
    while first < len(text):
        # A quotation mark that is never closed, or closed within a field, does not begin a quoted field.
        field = quoted = _QUOTED.match(text, first)
        if quoted is None or text[quoted.end() : quoted.end() + 1] not in ("", separator, "\r", "\n"):
            field, quoted = unquoted.match(text, first), None
        if field is None or field.end() == len(text):
            break
        end = field.end()
        if quoted is not None:
            yield Region("data", start, first + 1)
            escapes = collect(doubled_quotes(text, first + 1, end - 1, '"'))
            yield Region("string", first + 1, end - 1, escapes, "", _IN_QUOTES)
            start = end - 1
        if text[end] == separator:
            yield Region("data", start, end, encode=encode_unquoted)
            yield Region("markup", end, end + 1)
            start = end + 1
        first = end + 1
    yield Region("data", start, len(text), encode=encode_unquoted)


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
_IN_CALENDAR = (functools.partial(verbatim, refused="\\,;\r\n"),)


def _calendar(text: str, _kind: str) -> Iterator[Region]:
    """Yield the text as prose, with its HTML pages as nested documents."""
    region_end = 0
    for match in _PAGE.finditer(text):
        start, end = match.span("page")
        yield _unfolded(text, region_end, start)
        yield _unfolded(text, start, end, "html")
        region_end = end
    yield _unfolded(text, region_end, len(text))


def _unfolded(text: str, start: int, end: int, kind: str = "") -> Region:
    replacements = collect(
        (match.start(), match.end(), _SHOWN.get(match[1], match[1] or ""))
        for match in _REPLACED.finditer(text, start, end)
    )
    return Region("prose", start, end, replacements, kind, _IN_CALENDAR)


# Characters of the body by which its kind is detected.
_HEAD = 1 << 12


def _response(document: str, _kind: str) -> Iterator[Region]:
    """Yield the header as text, and the body as a nested document."""
    header = response_header(document)
    if header is None or header.end == len(document):
        yield Region("prose", 0, len(document))
        return
    body = header.end
    yield Region("prose", 0, body)
    head = document[body : body + _HEAD].removeprefix("\ufeff")
    kind = web_kind(header.content_type.name) or identify("", head)
    if STATUS_LINE.match(head) is not None:  # the response to a request that followed a redirection
        kind = "http"
    yield Region("prose", body, len(document), kind=kind.removeprefix("plain"))


_READERS = {"csv": _table, "tsv": _table, "ics": _calendar, "vcf": _calendar, "http": _response}


def regions(text: str, kind: str, _scope: str = "") -> Iterator[Region]:
    """Yield the regions of a document."""
    return _READERS[kind](text, kind)
