"""The characters of the specifications, as one table: profile, production, characters.

Patterns and sets for the same characters come from here, so that they cannot differ.  The names are
the RFCs' own.
"""

import re

ALPHA = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
DIGIT = "0123456789"
HEXDIG = "0123456789ABCDEFabcdef"

CHARACTERS: dict[str, dict[str, str]] = {
    # RFC 3986 appendix A:
    #   reserved    = gen-delims / sub-delims
    #   gen-delims  = ":" / "/" / "?" / "#" / "[" / "]" / "@"
    #   sub-delims  = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="
    #   unreserved  = ALPHA / DIGIT / "-" / "." / "_" / "~"
    #   scheme      = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
    #   userinfo    = *( unreserved / pct-encoded / sub-delims / ":" )
    #   reg-name    = *( unreserved / pct-encoded / sub-delims )
    #   pchar       = unreserved / pct-encoded / sub-delims / ":" / "@"
    #   query       = *( pchar / "/" / "?" )
    #   fragment    = *( pchar / "/" / "?" )
    "rfc3986": {
        "reserved": ":/?#[]@" + "!$&'()*+,;=",
        "gen-delims": ":/?#[]@",
        "sub-delims": "!$&'()*+,;=",
        "unreserved": ALPHA + DIGIT + "-._~",
        "scheme": ALPHA + DIGIT + "+-.",
        "userinfo": ALPHA + DIGIT + "-._~" + "!$&'()*+,;=" + ":",
        "reg-name": ALPHA + DIGIT + "-._~" + "!$&'()*+,;=",
        "pchar": ALPHA + DIGIT + "-._~" + "!$&'()*+,;=" + ":@",
        "query": ALPHA + DIGIT + "-._~" + "!$&'()*+,;=" + ":@" + "/?",
        "fragment": ALPHA + DIGIT + "-._~" + "!$&'()*+,;=" + ":@" + "/?",
    },
    # RFC 1738 section 5:
    #   safe        = "$" | "-" | "_" | "." | "+"
    #   extra       = "!" | "*" | "'" | "(" | ")" | ","
    #   national    = "{" | "}" | "|" | "\" | "^" | "~" | "[" | "]" | "`"
    #   punctuation = "<" | ">" | "#" | "%" | <">
    #   reserved    = ";" | "/" | "?" | ":" | "@" | "&" | "="
    #   unreserved  = alpha | digit | safe | extra
    #   uchar       = unreserved | escape
    #   xchar       = unreserved | reserved | escape
    #   scheme      = 1*[ lowalpha | digit | "+" | "-" | "." ]
    #   user        = *[ uchar | ";" | "?" | "&" | "=" ]
    #   password    = *[ uchar | ";" | "?" | "&" | "=" ]
    "rfc1738": {
        "safe": "$-_.+",
        "extra": "!*'(),",
        "national": "{}|\\^~[]`",
        "punctuation": '<>#%"',
        "reserved": ";/?:@&=",
        "unreserved": ALPHA + DIGIT + "$-_.+" + "!*'(),",
        "uchar": ALPHA + DIGIT + "$-_.+" + "!*'(),",
        "xchar": ALPHA + DIGIT + "$-_.+" + "!*'()," + ";/?:@&=",
        # Section 2.1: "programs interpreting URLs should treat upper case letters as equivalent
        # to lower case in scheme names".
        "scheme": ALPHA + DIGIT + "+-.",
        "user": ALPHA + DIGIT + "$-_.+" + "!*'()," + ";?&=",
        "password": ALPHA + DIGIT + "$-_.+" + "!*'()," + ";?&=",
    },
}

# Legal nowhere in any of them, whatever the component:
# RFC 1738 section 2.2 "unsafe", RFC 2396 section 2.4.3 "delims" and "unwise".  The space, "%", "#",
# "~" and the brackets are left out: each has a rule of its own.
UNSAFE = '<>"{}|\\^`'
BRACKETS = "[]"

# RFC 3986 section 2.1:  pct-encoded = "%" HEXDIG HEXDIG
# RFC 1738 section 5:    escape      = "%" hex hex
ESCAPE = "%[0-9A-Fa-f]{2}"
# A "%" that begins none.
BAD_PERCENT = "%(?![0-9A-Fa-f]{2})"


def one_of(characters: str) -> str:
    r"""Return the regular expression that matches one of `characters`; neighbours are written as a range.

    >>> one_of("-0123456789_")
    '[\\-0-9_]'
    """
    spans: list[str] = []
    for character in sorted(characters):
        if spans and ord(character) == ord(spans[-1][-1]) + 1:
            spans[-1] = spans[-1][0] + character
        else:
            spans.append(character)
    return "[" + "".join("-".join(map(re.escape, span)) for span in spans) + "]"


def maybe(inner: str) -> str:
    """Return the expression for [ inner ] that is never given back.

    An atomic group, since CPython before 3.11.5 loses its way in a possessive one (gh-106052).
    """
    return f"(?>(?:{inner})?)"


def many(inner: str) -> str:
    """Return the expression for *( inner ) that is never given back."""
    return f"(?>(?:{inner})*)"


def run_of(profile: str, production: str) -> str:
    """Return the expression for *( production / escape ).

    The loop is unrolled and possessive: no input makes it go back.
    """
    some = one_of(CHARACTERS[profile][production]) + "*+"
    return some + many(ESCAPE + some)


def escaped(text: str) -> str:
    """Return `text` with every character as the escapes of its octets in UTF-8.

    >>> escaped("|ü")
    '%7C%C3%BC'
    """
    return "".join(f"%{octet:02X}" for octet in text.encode("utf-8", "surrogatepass"))
