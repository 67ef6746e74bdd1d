"""Read comma- and tab-separated values (RFC 4180): no URL extends over the end of a field.

RFC 4180 section 2:  escaped = DQUOTE *(TEXTDATA / COMMA / CR / LF / 2DQUOTE) DQUOTE
"""

import functools
import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy, repeat
from urlscan.documents.escapes import doubled_quotes, encode_doubled, verbatim
from urlscan.documents.regions import Region
from urlscan.documents.replacements import collect

# The separators in use; the most frequent one in the first line counts.
_SEPARATORS = (",", ";", "\t", "|")
_HEAD = 4096
_QUOTED = lazy('"' + repeat('[^"]++|""') + '"')
_IN_QUOTES = (functools.partial(encode_doubled, quote='"'),)


def regions(text: str, kind: str, _scope: str = "") -> Iterator[Region]:
    """Yield the fields as data and the separators as markup."""
    separator = "\t"
    if kind != "tsv":
        separator = max(_SEPARATORS, key=text[:_HEAD].lstrip("\r\n").partition("\n")[0].count)
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
