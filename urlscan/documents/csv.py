"""Read comma- and tab-separated values (RFC 4180): no URL extends over the end of a field.

RFC 4180 section 2:  escaped = DQUOTE *(TEXTDATA / COMMA / CR / LF / 2DQUOTE) DQUOTE
"""

import functools
import re
from collections.abc import Iterator

from urlscan.core.lazy import repeat
from urlscan.documents.edits import verbatim
from urlscan.documents.escapes import doubled_quotes, encode_doubled
from urlscan.documents.lookahead import QuoteRuns
from urlscan.documents.replacements import collect
from urlscan.documents.segments import Region

# The separators in use; the most frequent one in the first line counts.
_SEPARATORS = (",", ";", "\t", "|")
_HEAD = 4096
_IN_QUOTES = (functools.partial(encode_doubled, quote='"'),)


def regions(text: str, kind: str) -> Iterator[Region]:
    """Yield the fields as data and the separators as markup."""
    yield from _regions(text, kind, every=False)


def all_regions(text: str, kind: str) -> Iterator[Region]:
    """Yield the same as `regions`, with each field as a region of its own."""
    yield from _regions(text, kind, every=True)


def _regions(text: str, kind: str, *, every: bool) -> Iterator[Region]:
    separator = "\t" if kind == "tsv" else _separator(text)
    encode_unquoted = (functools.partial(verbatim, refused=f'"\r\n{separator}'),)
    unquoted = re.compile(rf"[^{separator}\r\n]*+")
    quotes = QuoteRuns(text, '"')
    # Fields without a colon hold no URL; one match skips most of a table.
    inert = re.compile(repeat(rf"(?:\"[^\":]*+\"|[^\":{separator}\r\n]*+)[{separator}\r\n]"))
    done = at = 0
    while at < len(text):
        if not every and (skipped := inert.match(text, at)) is not None:
            at = skipped.end()
        # A quotation mark that is never closed, or closed within a field, does not begin a quoted field.
        end = quotes.end(at + 1) + 1 if text.startswith('"', at) else 0
        is_quoted = 0 < end <= len(text) and (end == len(text) or text[end] in f"{separator}\r\n")
        if not is_quoted:
            match = unquoted.match(text, at)
            end = match.end() if match is not None else at
        if end == len(text):
            break
        if is_quoted and ((replacements := collect(doubled_quotes(text, at + 1, end - 1, '"'))) or every):
            yield Region("data", done, at + 1)
            yield Region("string", at + 1, end - 1, replacements, encode=_IN_QUOTES)
            done = end - 1
        if text[end] == separator:
            yield Region("data", done, end, encode=encode_unquoted)
            yield Region("markup", end, end + 1)
            done = end + 1
        at = end + 1
    yield Region("data", done, len(text), encode=encode_unquoted)


def _separator(text: str) -> str:
    """Return the separator of the first line."""
    head = text[:_HEAD].lstrip("\r\n").partition("\n")[0]
    return max(_SEPARATORS, key=head.count)
