"""The characters of the specifications in one table: profile, production, characters.

Patterns and sets are derived from this table, so that they cannot differ.  The names are those of the RFCs.
"""

import re

from urlscan.core.lazy import lazy

ALPHA = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
DIGIT = "0123456789"
HEXDIG = "0123456789ABCDEFabcdef"

CHARACTERS: dict[str, dict[str, str]] = {
    # RFC 3986 appendix A:
    #   sub-delims  = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="
    #   unreserved  = ALPHA / DIGIT / "-" / "." / "_" / "~"
    #   scheme      = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
    #   userinfo    = *( unreserved / pct-encoded / sub-delims / ":" )
    #   reg-name    = *( unreserved / pct-encoded / sub-delims )
    #   pchar       = unreserved / pct-encoded / sub-delims / ":" / "@"
    #   path        = *( pchar / "/" )                                (of all its forms)
    #   query       = *( pchar / "/" / "?" )
    #   fragment    = *( pchar / "/" / "?" )
    "rfc3986": {
        "sub-delims": "!$&'()*+,;=",
        "unreserved": ALPHA + DIGIT + "-._~",
        "scheme": ALPHA + DIGIT + "+-.",
        "userinfo": ALPHA + DIGIT + "-._~" + "!$&'()*+,;=" + ":",
        "reg-name": ALPHA + DIGIT + "-._~" + "!$&'()*+,;=",
        "pchar": ALPHA + DIGIT + "-._~" + "!$&'()*+,;=" + ":@",
        "path": ALPHA + DIGIT + "-._~" + "!$&'()*+,;=" + ":@" + "/",
        "query": ALPHA + DIGIT + "-._~" + "!$&'()*+,;=" + ":@" + "/?",
        "fragment": ALPHA + DIGIT + "-._~" + "!$&'()*+,;=" + ":@" + "/?",
    },
    # RFC 1738 section 5:
    #   safe        = "$" | "-" | "_" | "." | "+"
    #   extra       = "!" | "*" | "'" | "(" | ")" | ","
    #   reserved    = ";" | "/" | "?" | ":" | "@" | "&" | "="
    #   unreserved  = alpha | digit | safe | extra
    #   uchar       = unreserved | escape
    #   xchar       = unreserved | reserved | escape
    #   scheme      = 1*[ lowalpha | digit | "+" | "-" | "." ]
    #   user        = *[ uchar | ";" | "?" | "&" | "=" ]
    #   password    = *[ uchar | ";" | "?" | "&" | "=" ]
    "rfc1738": {
        "unreserved": ALPHA + DIGIT + "$-_.+" + "!*'(),",
        "uchar": ALPHA + DIGIT + "$-_.+" + "!*'(),",
        "xchar": ALPHA + DIGIT + "$-_.+" + "!*'()," + ";/?:@&=",
        # Section 2.1: "programs interpreting URLs should treat upper case letters as equivalent
        # to lower case in scheme names".
        "scheme": ALPHA + DIGIT + "+-.",
        "user": ALPHA + DIGIT + "$-_.+" + "!*'()," + ";?&=",
        "password": ALPHA + DIGIT + "$-_.+" + "!*'()," + ";?&=",
        # fsegment   = *[ uchar | "?" | ":" | "@" | "&" | "=" ]      psegment is the same
        # hsegment   = *[ uchar | ";" | ":" | "@" | "&" | "=" ]      search is the same
        # fieldname  = *[ uchar | "?" | ":" | "@" | "&" ]            fieldvalue is the same
        # article    = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host
        "fsegment": ALPHA + DIGIT + "$-_.+" + "!*'()," + "?:@&=",
        "hsegment": ALPHA + DIGIT + "$-_.+" + "!*'()," + ";:@&=",
        "fieldname": ALPHA + DIGIT + "$-_.+" + "!*'()," + "?:@&",
        "article": ALPHA + DIGIT + "$-_.+" + "!*'()," + ";/?:&=",
    },
    # RFC 1630, BNF of generic URI syntax:
    #   safe        = "$" | "-" | "_" | "@" | "." | "&"
    #   extra       = "!" | "*" | <"> | "'" | "(" | ")" | ","
    #   xalpha      = alpha | digit | safe | extra | escape
    #   xpalpha     = xalpha | "+"
    #   alphanum2   = alpha | digit | "-" | "_" | "." | "+"           (in the BNF for specific schemes)
    "rfc1630": {
        "xalpha": ALPHA + DIGIT + "$-_@.&" + "!*\"'(),",
        "xpalpha": ALPHA + DIGIT + "$-_@.&" + "!*\"'()," + "+",
        "alphanum2": ALPHA + DIGIT + "-_.+",
        "scheme": ALPHA + DIGIT + "$-_@.&" + "!*\"'(),",
        # xalpha in the BNF for specific schemes, whose "safe" includes "+".
        "group": ALPHA + DIGIT + "$-_@.&+" + "!*\"'(),",
        # The same without "@", which separates addresses.
        "local": ALPHA + DIGIT + "$-_.&+" + "!*\"'(),",
    },
    # RFC 2396 appendix A:
    #   reserved      = ";" | "/" | "?" | ":" | "@" | "&" | "=" | "+" | "$" | ","
    #   mark          = "-" | "_" | "." | "!" | "~" | "*" | "'" | "(" | ")"
    #   unreserved    = alphanum | mark
    #   uric          = reserved | unreserved | escaped
    #   uric_no_slash = unreserved | escaped | ";" | "?" | ":" | "@" | "&" | "=" | "+" | "$" | ","
    #   pchar         = unreserved | escaped | ":" | "@" | "&" | "=" | "+" | "$" | ","
    #   rel_segment   = 1*( unreserved | escaped | ";" | "@" | "&" | "=" | "+" | "$" | "," )
    #   reg_name      = 1*( unreserved | escaped | "$" | "," | ";" | ":" | "@" | "&" | "=" | "+" )
    #   userinfo      = *( unreserved | escaped | ";" | ":" | "&" | "=" | "+" | "$" | "," )
    "rfc2396": {
        "unreserved": ALPHA + DIGIT + "-_.!~*'()",
        "scheme": ALPHA + DIGIT + "+-.",
        "uric": ALPHA + DIGIT + "-_.!~*'()" + ";/?:@&=+$,",
        "uric_no_slash": ALPHA + DIGIT + "-_.!~*'()" + ";?:@&=+$,",
        "pchar": ALPHA + DIGIT + "-_.!~*'()" + ":@&=+$,",
        "path_segments": ALPHA + DIGIT + "-_.!~*'()" + ":@&=+$," + ";/",
        "rel_segment": ALPHA + DIGIT + "-_.!~*'()" + ";@&=+$,",
        "reg_name": ALPHA + DIGIT + "-_.!~*'()" + "$,;:@&=+",
        "userinfo": ALPHA + DIGIT + "-_.!~*'()" + ";:&=+$,",
    },
}

# RFC 3987 section 2.2:
#   ucschar  = %xA0-D7FF / %xF900-FDCF / %xFDF0-FFEF
#            / %x10000-1FFFD / %x20000-2FFFD / %x30000-3FFFD / %x40000-4FFFD / %x50000-5FFFD
#            / %x60000-6FFFD / %x70000-7FFFD / %x80000-8FFFD / %x90000-9FFFD / %xA0000-AFFFD
#            / %xB0000-BFFFD / %xC0000-CFFFD / %xD0000-DFFFD / %xE1000-EFFFD
#   iprivate = %xE000-F8FF / %xF0000-FFFFD / %x100000-10FFFD
# Written as the inside of a character class, because the set has more than a hundred thousand characters.
UCSCHAR = (
    "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"
    + "".join(f"{chr(plane << 16)}-{chr((plane << 16) + 0xFFFD)}" for plane in range(0x1, 0xE))
    + "\U000e1000-\U000efffd"
)
IPRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"
# RFC 3987 section 2.2: the productions of RFC 3986 with additional characters.
_INTERNATIONAL = {
    "userinfo": UCSCHAR,
    "reg-name": UCSCHAR,
    "pchar": UCSCHAR,
    "path": UCSCHAR,
    "query": UCSCHAR + IPRIVATE,
    "fragment": UCSCHAR,
}

# Not legal in any component of any specification:
# RFC 1738 section 2.2 "unsafe", RFC 2396 section 2.4.3 "delims" and "unwise".  The space, "%", "#", "~" and the
# brackets are excluded, because each has its own rule.
UNSAFE = '<>"{}|\\^`'
BRACKETS = "[]"
SURROGATE = lazy("[\ud800-\udfff]")

# RFC 3986 section 2.1:  pct-encoded = "%" HEXDIG HEXDIG
# RFC 1738 section 5:    escape      = "%" hex hex
ESCAPE = "%[0-9A-Fa-f]{2}"
# A "%" that does not begin an escape.
BAD_PERCENT = "%(?![0-9A-Fa-f]{2})"
# Faults in any component, which U101 to U104 and U201 report, so that the other rules ignore them.
WRONG_ANYWHERE = rf"[{re.escape(UNSAFE)}]|[^!-~]|{BAD_PERCENT}"


def class_of(profile: str, production: str) -> str:
    """Return the expression that matches one character of `production`, except escapes."""
    more = ""
    if profile == "rfc3987":
        profile, more = "rfc3986", _INTERNATIONAL.get(production, "")
    inside = re.escape(CHARACTERS[profile][production]).replace(ALPHA + DIGIT, "A-Za-z0-9")
    return f"[{inside}{more}]"


def run_of(profile: str, production: str, *, minimum: int = 0) -> str:
    """Return the expression for `minimum` (0 or 1) or more of ( production / escape ).

    The loop is unrolled and possessive, so it never backtracks. Groups are atomic instead: CPython before 3.11.5
    mishandles possessive quantifiers after groups (gh-106052).
    """
    character = class_of(profile, production)
    start = f"(?={character}|{ESCAPE})" if minimum else ""
    return f"{start}{character}*+(?>(?:{ESCAPE}{character}*+)*)"


def escaped(text: str) -> str:
    """Return `text` with every character replaced by the escapes of its octets in UTF-8.

    >>> escaped("|ü")
    '%7C%C3%BC'
    """
    return "".join(f"%{octet:02X}" for octet in text.encode("utf-8", "surrogatepass"))


def decoded(text: str) -> str:
    """Return `text` with its escapes decoded once.

    Octets that are not UTF-8 become surrogates (Python's surrogateescape), so that nothing is lost. A "%" that does
    not begin an escape is kept.

    >>> decoded("%2Fetc")
    '/etc'
    """
    if "%" not in text:
        return text
    octets = text.encode("utf-8", "surrogatepass")
    return re.sub(rb"%([0-9A-Fa-f]{2})", lambda m: bytes([int(m[1], 16)]), octets).decode("utf-8", "surrogateescape")


def decoded_or_none(text: str | None) -> str | None:
    """Return `text` with its escapes decoded once; None for a part that is absent."""
    return text and decoded(text)
