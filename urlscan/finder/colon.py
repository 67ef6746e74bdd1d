"""Check the shape of URLs whose schemes have no "//", since prose and code contain similar text.

`news:comp.lang.c` is a URL; "Good news: the build", "std::vector", "10:30" and "HTTP::Request" are not.  A shape is
the beginning of the grammar of a scheme, and more permissive, because a linter must find invalid URLs as well.
"""

import re

from urlscan.uri.grammar.domains import top_level_domains

# RFC 6068:  mailtoURI = "mailto:" [ to ] [ hfields ];  RFC 3261, 5122, 3859, 3860, 7565: an address
_ADDRESS = r"[^\s<>\"@:/?#\\,;()]+(?:@|%40)[A-Za-z0-9\[][^\s<>\"]*"
# RFC 3261 section 25.1:  userinfo = ( user / telephone-subscriber ) [ ":" password ] "@"
_SIP_ADDRESS = r"[^\s<>\"@:/?#\\,;()]+(?::[^\s<>\"@/?#\\,()]*)?(?:@|%40)[A-Za-z0-9\[][^\s<>\"]*"
# A host with "www.", a known top-level domain, or an address.
_NO_SLASHES = (
    r"(?:/(?!/)|\\{1,2}|(?![/\\]))"
    r"(?:www\.[\w-]+\.|localhost[:/]|(?:[0-9]{1,3}\.){3}[0-9]{1,3}|(?:[\w-]+\.)+(?P<top>[A-Za-z]{2,24})(?![\w.-]))"
)
_SHAPES = {
    "mailto": rf"(?:{_ADDRESS}|\?[a-z-]+=)",
    # RFC 1738 section 3.6:  grouppart = "*" | group | article
    "news": r"(?:[A-Za-z][A-Za-z0-9+_-]*(?:\.[A-Za-z0-9+_-]+)+|\*(?=[\s>]|\Z)|[^\s<>\"@/]+@[A-Za-z0-9\[])",
    # RFC 2392:  cid-url = "cid" ":" content-id;  mid-url = "mid" ":" message-id [ "/" content-id ]
    "mid": r"[^\s<>\"@/:]+(?:@|%40)[A-Za-z0-9\[]",
    "cid": r"[^\s<>\"@/:]+(?:@|%40)[A-Za-z0-9\[]",
    # RFC 8141:  assigned-name = "urn" ":" NID ":" NSS;  RFC 1630 wrote "urn:/authority/..."
    "urn": r"(?:[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]:[A-Za-z0-9%(_.~@$!*'+=-]|/[A-Za-z0-9]+/)",
    # RFC 3966:  a global number begins with "+"; other numbers after "tel:" follow a label
    "tel": r"(?:\+[0-9(][0-9().-]{2,}|[0-9*#][0-9().-]*;phone-context=)",
    "sms": r"\+[0-9]{3,}",
    "sip": rf"(?:{_SIP_ADDRESS}|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)",
    "sips": rf"(?:{_SIP_ADDRESS}|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)",
    "xmpp": rf"(?:{_ADDRESS}|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+[/?])",
    "im": _ADDRESS,
    "pres": _ADDRESS,
    "acct": _ADDRESS,
    "doi": r"10\.[0-9]{4,9}/\S",
    "magnet": r"\?[A-Za-z.0-9]+=",
    # Look-alikes for the linter: too few or too many slashes, backslashes, no slash.
    "http": _NO_SLASHES,
    "https": _NO_SLASHES,
    "ftp": _NO_SLASHES,
    # RFC 8089 section 2:  local-path = [ drive-letter ] path-absolute.  "file:x" is a label.
    "file": r"(?:[A-Za-z][:|])?/(?:[\w~%]|\.{1,2}[\w/])",
    # RFC 5870:  coord-a "," coord-b
    "geo": r"-?[0-9]+(?:\.[0-9]+)?,-?[0-9]+(?:\.[0-9]+)?",
}


def has_shape(scheme: str, rest: str) -> bool:
    """Return whether `rest`, the text after the colon, has the shape of a URL of `scheme`."""
    shape = _SHAPES.get(scheme)
    match = re.match(shape, rest) if shape is not None else None
    if match is None or "top" not in match.re.groupindex or match["top"] is None:
        return match is not None
    return match["top"].lower() in top_level_domains()
