"""Read comma- and tab-separated values (RFC 4180): no URL extends over the end of a field.

RFC 4180 section 2:  escaped = DQUOTE *(TEXTDATA / COMMA / CR / LF / 2DQUOTE) DQUOTE
"""

import functools
import re
from collections.abc import Iterator

from urlscan.documents.escapes import doubled_quotes, encode_doubled, verbatim
from urlscan.documents.lookahead import QuoteRuns
from urlscan.documents.regions import Region
from urlscan.documents.replacements import collect

# The separators in use; the most frequent one in the first line counts.
_SEPARATORS = (",", ";", "\t", "|")
_HEAD = 4096
_IN_QUOTES = (functools.partial(encode_doubled, quote='"'),)


def regions(text: str, kind: str, _scope: str = "") -> Iterator[Region]:
    """Yield the fields as data and the separators as markup."""
    separator = "\t"
    if kind != "tsv":
        separator = max(_SEPARATORS, key=text[:_HEAD].lstrip("\r\n").partition("\n")[0].count)
    encode_unquoted = (functools.partial(verbatim, refused=f'"\r\n{separator}'),)
    unquoted = re.compile(rf"[^{separator}\r\n]*+")
    quotes = QuoteRuns(text, '"')
    start = first = 0  # of the text that is not yielded yet, and of the next field
    while first < len(text):
        # A quotation mark that is never closed, or closed within a field, does not begin a quoted field.
        end = quotes.end(first + 1) + 1 if text.startswith('"', first) else 0
        is_quoted = 0 < end <= len(text) and (end == len(text) or text[end] in f"{separator}\r\n")
        if not is_quoted:
            match = unquoted.match(text, first)
            end = match.end() if match is not None else first
        if end == len(text):
            break
        if is_quoted:
            yield Region("data", start, first + 1)
            yield Region(
                "string", first + 1, end - 1, collect(doubled_quotes(text, first + 1, end - 1, '"')), "", _IN_QUOTES
            )
            start = end - 1
        if text[end] == separator:
            yield Region("data", start, end, encode=encode_unquoted)
            yield Region("markup", end, end + 1)
            start = end + 1
        first = end + 1
    yield Region("data", start, len(text), encode=encode_unquoted)
