"""The one fast check: a short pattern that accepts a subset of the valid URLs, about nine in ten.

A URL that it accepts is valid by RFC 2396, 3986 and 3987, and only rules that are off by default can report it. A URL
that it rejects may still be valid. Secrets are not its subject.
"""

import re

from urlscan.core.lazy import lazy

# The profiles by which every simple URL is valid.
PLAIN_PROFILES = frozenset(("rfc3986", "rfc3987", "rfc2396"))
# The beginning of a second URL after a letter or digit of the first, or after the brackets of Markdown:
# "http://h.example/ahttp://h.example/b", "http://h.example/a](http://h.example/b".
# Only the names are in any case: compiling a class in any case takes ten times as long.
GLUED_PATTERN = r"(?:(?<=[A-Za-z0-9])(?<!%[0-9A-Fa-f]{2})|\]\()(?i:https?|ftp)://"
GLUED = lazy(GLUED_PATTERN)
# Two labels or more without "_" and "--" (U402, and U701 for "xn--"), the last one of letters.
_HOST = r"(?:[^\W_]+[.-])+(?<=\.)[A-Za-z]+"
# Four octets of RFC 3986 section 3.2.2 without leading zeros.
_ADDRESS = r"(?:(?:2(?:5[0-5]|[0-4]\d)|1\d\d|[1-9]?\d)\.?\b){4}"
# Browsers block no port from 8000 to 8999 (U501), and none is a default (U502).
_AUTHORITY = rf"(?:{_HOST}|{_ADDRESS})(?::8\d{{3}})?"
# A scheme and an authority that no rule reports that is on by default.
PLAIN_HEAD = f"(?a:https?://{_AUTHORITY})"
# Segments that do not begin with a dot (U207, U209, U803), without ";", "=" and "&". U208 reports "=3D" and "&amp;".
_TAIL = r"(?:/(?!\.)[\w.~!$'()*+,@:%-]*)*(?:[?#](?!.*(?:=3D|&amp;))[\w.~!$'()*+,@:%/?;=&#-]*)?"
# Matches: `https://www.h-1.example/a.html?b=c#d`, `http://203.0.113.109:8080/`, `../a/b#c`, `ftp://h.example/a`
# Does not match: `http://h`, `http://h.example/../a`, `http://h.example:80/`, `http://xn--a.example`, `/?a=3Db`, `//h`
_SIMPLE = lazy(
    rf"""
    (?: (?:https?|ftp(?=://[^:;=&?#]*\Z))://{_AUTHORITY}
      | (?!.*://|//|\Z) (?:\.\.?/)* (?:[\w~-][\w.~-]*)?  # RFC 3986 section 4.2: a relative reference
    ) {_TAIL}
    """,
    re.ASCII | re.VERBOSE,
)
# Matches: `mailto:jo@h.example`, `mailto:jo@h.example?subject=a`
# Does not match: `mailto:jo`, `mailto:jo.@h.example`
_SIMPLE_MAILTO = lazy(rf"mailto:[\w+-]+(?:\.[\w+-]+)*@{_HOST}(?:\?[Ss]ubject=(?!3D)[\w.~-]+)?", re.ASCII)
# Escapes that rules report: "%25", which may be an escaped escape (U202), controls (U203), "%2E", which may belong to a
# dot segment (U207), and "%" without two digits (U201).
_ODD_ESCAPE = lazy("%(?:[01]|2[5Ee]|7[Ff]|(?![0-9A-Fa-f]{2}))")


def is_simple(url: str, profile: str) -> bool:
    """Return whether the fast check of `profile` accepts `url`."""
    if profile not in PLAIN_PROFILES:
        return False
    if url.startswith("mailto:"):
        return _SIMPLE_MAILTO.fullmatch(url) is not None
    return (
        _SIMPLE.fullmatch(url) is not None
        and url.count("#") < 2
        and url.find("://", len("https:")) < 0  # a second URL (U406)
        and ("%" not in url or _ODD_ESCAPE.search(url) is None)
    )
