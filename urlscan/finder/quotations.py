"""Find the end of a URL between quotation marks on one line."""

import re

from urlscan.core.document import MARKUP
from urlscan.core.lazy import lazy
from urlscan.uri.grammar.templates import expression_end, line_expression_around

# Characters that no URL in a quotation contains.  Escapes of TeX ("\~", "\_") belong to the URL and are reported.
_NOT_QUOTED = lazy(rf"[\s<>{MARKUP}]|\\(?![~_%#&])|[,|;]\w{{2,16}}://")
# HTML section 13.1.2.3: a backslash is a character of a value, "?\frac{1}{2}"; "\n" may be an escape of code around it.
_NOT_IN_ATTRIBUTE = lazy(rf"[\s<>{MARKUP}]|\\(?![~_%#&]|[A-Za-z]{{2}})|[,|;]\w{{2,16}}://")
_ATTRIBUTES = ("href=", "src=", "HREF=", "SRC=")
_QUOTATION = 2048


def quoted_end(text: str, body: int, end: int, closer: str) -> tuple[int, int] | None:
    """Return the end of the URL and of its quotation; None if the quotation contains more than the URL.

    A bracket, a semicolon or a question mark before the closing quotation mark belongs to the URL; a full stop or comma
    does not.  `end` is the end of the URL without the quotation.
    """
    limit = body + _QUOTATION
    first, stop = body, text.find(closer, body, limit)
    while stop >= 0:
        after = line_expression_around(text, first, stop, limit)  # "http://h/#{x["a"]}"
        if after > stop:
            first, stop = after, text.find(closer, after, limit)
        elif closer == "'" and text[stop + 1 : stop + 2].isascii() and text[stop + 1 : stop + 2].isalnum():
            first, stop = stop, text.find(closer, stop + 1, limit)  # the apostrophe of "Bob's"
        else:
            break
    excluded = _NOT_IN_ATTRIBUTE if is_attribute(text, text.rfind(closer, 0, body)) else _NOT_QUOTED
    if stop <= body or _leaves_quotation(text, body, stop, excluded):
        return None
    if end < stop - 1 and text[end] in ",|":  # GOPROXY="https://proxy.example.org,direct"
        return None
    end = body + len(text[body:stop].rstrip(".")) if text[stop - 1] == "." else stop - (text[stop - 1] == ",")
    return end if end > body else stop, stop + 1


def is_attribute(text: str, quote: int) -> bool:
    """Return whether the quotation mark text[quote] opens the value of an attribute that holds a URL."""
    return text.endswith(_ATTRIBUTES, 0, max(quote, 0))


def _leaves_quotation(text: str, body: int, stop: int, excluded: "re.Pattern[str]") -> bool:
    """Return whether text[body:stop] has an excluded character outside template expressions."""
    at = body
    while (match := excluded.search(text, at, stop)) is not None:
        at = line_expression_around(text, at, match.start(), stop)
        if at <= match.start():
            at = expression_end(text, match.start(), stop)
        if at <= match.start():
            return True
    return False
