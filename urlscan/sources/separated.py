"""Comma- and tab-separated values (RFC 4180): a field ends the URL in it.

RFC 4180 section 2:  escaped = DQUOTE *(TEXTDATA / COMMA / CR / LF / 2DQUOTE) DQUOTE
"""

import functools
import re
from collections.abc import Iterator

from urlscan.sources.escapes import doubled, in_doubled
from urlscan.sources.views import Piece
from urlscan.sources.writing import verbatim

# What people divide the fields by, besides commas; the first line tells.
_SEPARATORS = (",", ";", "\t", "|")
_HEAD = 4096
_IN_QUOTES = (functools.partial(in_doubled, quote='"'),)


def pieces(text: str, kind: str) -> Iterator[Piece]:
    """Yield the fields as data, and what divides them as markup."""
    yield from _pieces(text, kind, every=False)


def every_piece(text: str, kind: str) -> Iterator[Piece]:
    """Yield as `pieces`, and each field by itself."""
    yield from _pieces(text, kind, every=True)


def _pieces(text: str, kind: str, *, every: bool) -> Iterator[Piece]:
    separator = "\t" if kind == "tsv" else _separator(text)
    plainly = (functools.partial(verbatim, refused=f'"\r\n{separator}'),)
    # A quotation mark that is never closed costs one look: those behind it are then closed in pairs.
    field = re.compile(rf"(?P<escaped>\"(?:[^\"]++|\"\")*+\")(?=[{separator}\r\n]|\Z)|[^{separator}\r\n]*+")
    # Fields without a colon hold no URL: most of a table, without a look at it.
    plain = re.compile(rf"(?:(?:\"[^\":]*+\"|[^\":{separator}\r\n]*+)[{separator}\r\n])*+")
    done = at = 0
    while (skipped := plain.match(text, at)) is not None and (at := at if every else skipped.end()) < len(text):
        match = field.match(text, at)
        if match is None or match.end() == len(text):
            break
        end = match.end()
        if match["escaped"] and ((swaps := doubled(text, at + 1, end - 1, '"')) or every):
            yield Piece("data", done, at + 1)
            yield Piece("string", at + 1, end - 1, tuple(swaps), encode=_IN_QUOTES)
            done = end - 1
        if text[end] == separator:
            yield Piece("data", done, end, encode=plainly)
            yield Piece("markup", end, end + 1)
            done = end + 1
        at = end + 1
    yield Piece("data", done, len(text), encode=plainly)


def _separator(text: str) -> str:
    """Return what divides the fields of the first line."""
    head = text[:_HEAD].lstrip("\r\n").partition("\n")[0]
    return max(_SEPARATORS, key=head.count)
