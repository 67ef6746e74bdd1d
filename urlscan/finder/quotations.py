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
    first, close = body, text.find(closer, body, limit)
    while close >= 0:
        after = line_expression_around(text, first, close, limit)  # "http://h/#{x["a"]}"
        if after > close:
            first, close = after, text.find(closer, after, limit)
        elif closer == "'" and text[close + 1 : close + 2].isascii() and text[close + 1 : close + 2].isalnum():
            first, close = close, text.find(closer, close + 1, limit)  # the apostrophe of "Bob's"
        else:
            break
    excluded = _NOT_IN_ATTRIBUTE if is_attribute(text, text.rfind(closer, 0, body)) else _NOT_QUOTED
    if close <= body or _leaves_quotation(text, body, close, excluded):
        return None
    if end < close - 1 and text[end] in ",|":  # GOPROXY="https://proxy.example.org,direct"
        return None
    end = body + len(text[body:close].rstrip(".")) if text[close - 1] == "." else close - (text[close - 1] == ",")
    return end if end > body else close, close + 1


def is_attribute(text: str, quote: int) -> bool:
    """Return whether the quotation mark text[quote] opens the value of an attribute that holds a URL."""
    return text.endswith(_ATTRIBUTES, 0, max(quote, 0))


def _leaves_quotation(text: str, body: int, close: int, excluded: "re.Pattern[str]") -> bool:
    """Return whether text[body:close] has an excluded character outside template expressions."""
    offset = body
    while (match := excluded.search(text, offset, close)) is not None:
        offset = line_expression_around(text, offset, match.start(), close)
        if offset <= match.start():
            offset = expression_end(text, match.start(), close)
        if offset <= match.start():
            return True
    return False
