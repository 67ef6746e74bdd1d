"""The one fast check: a short pattern that accepts a subset of the valid URLs, about nine in ten.

A URL that it accepts is valid by RFC 2396, 3986 and 3987, and only rules that are off by default can report it. A URL
that it rejects may still be valid. Secrets are not its subject.
"""

import re

from urlscan.core.lazy import lazy

# The profiles by which every simple URL is valid.
PLAIN_PROFILES = frozenset(("rfc3986", "rfc3987", "rfc2396"))
# The beginning of a second URL after a letter or digit of the first: "http://h.example/ahttp://h.example/b".
GLUED = "(?<=[A-Za-z0-9])(?<!%[0-9A-Fa-f]{2})(?:https?|ftp)://"
# Two labels or more without "_" and "--" (U402, and U701 for "xn--"), the last one of letters.
_HOST = r"(?:[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*\.)+[A-Za-z]+"
# An octet of RFC 3986 section 3.2.2 without leading zeros; some of three digits are left out.
_OCTET = "(?:1?[1-9]?|2[0-4])[0-9]"
# Browsers block none of these ports (U501), and none is a default (U502).
_PORT = "(?::8[0-9]{3})?"
# A scheme and an authority that no rule reports that is on by default.
PLAIN_HEAD = rf"https?://(?:{_HOST}|(?:{_OCTET}\.){{3}}{_OCTET}){_PORT}"
# Escapes that no rule reports. Excluded are "%25", which may be an escaped escape (U202), %00 to %1F and %7F, which are
# controls (U203), and "%2E", which may belong to a dot segment (U207).
_ESCAPE = r"%(?!25|2[Ee]|[01]|7[Ff])[0-9A-Fa-f]{2}"
# A colon before two slashes may belong to a second URL (U406).
_COLON = ":(?!//)"
# Segments that do not begin with a dot (U207, U209, U803), without ";", "=" and "&".
_PATH = rf"(?:/(?!\.)(?:[A-Za-z0-9._~!$'()*+,@-]|{_COLON}|{_ESCAPE})*)*"
# U208 reports "=3D" and "&amp;".
_REST = rf"(?:[A-Za-z0-9._~!$'()*+,@/?;-]|=(?!3D)|&(?!amp;)|{_COLON}|{_ESCAPE})*"
_TAIL = rf"{_PATH}(?:\?{_REST})?(?:[#]{_REST})?"
_ATOM = "[A-Za-z0-9_+-]+"
# Matches: `https://www.h-1.example/a.html?b=c#d`, `http://192.0.2.1:8080/`, `mailto:jo@h.example?subject=a`, `../a/b#c`
# Does not match: `http://h`, `http://h.example/../a`, `http://h.example:80/`, `http://xn--a.example`, `/?a=3Db`, `//h`
_SIMPLE = lazy(
    rf"""
    (?: {PLAIN_HEAD}
      | (?!//|\Z) (?:\.\.?/)* (?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*)?  # RFC 3986 section 4.2: a relative reference
    ) {_TAIL}
    | ftp://{_HOST}{_PATH}
    | mailto:{_ATOM}(?:\.{_ATOM})*@{_HOST}(?:\?[Ss]ubject=(?!3D)[A-Za-z0-9._~-]+)?
    """,
    re.VERBOSE,
)


def is_simple(url: str, profile: str) -> bool:
    """Return whether the fast check of `profile` accepts `url`."""
    return profile in PLAIN_PROFILES and _SIMPLE.fullmatch(url) is not None
