"""mailto, mid and cid: addresses, messages and their parts."""

import re

from urlscan.core.lazy import repeat
from urlscan.uri.grammar.characters import CHARACTERS, ESCAPE, decoded, decoded_or_none, run_of
from urlscan.uri.grammar.generic import HOST_1630, HOSTNAME_1630
from urlscan.uri.schemes.base import FRAGMENT, Grammar, Items, Mistake, Mistakes, Scheme, after_scheme, pairs, stray
from urlscan.uri.url import Detail, Url

# --- mailto: one or more mail addresses, and header fields of a message

# RFC 5322 section 3.2.3, without characters that RFC 6068 section 2 requires to be escaped ("%", "/", "?", "#", "[",
# "]", "&", ";", "=") and those that RFC 3986 does not allow ("^", "`", "{", "|", "}"):
#   atext         = ALPHA / DIGIT / "!" / "$" / "'" / "*" / "+" / "-" / "_" / "~"
#   dot-atom-text = 1*atext *( "." 1*atext )
_ATEXT = "[A-Za-z0-9_~!$'*+-]"
_ATOM = rf"(?={_ATEXT}|(?!%40){ESCAPE}){_ATEXT}*+(?>(?:(?!%40){ESCAPE}{_ATEXT}*+)*)"
_DOT_ATOM = rf"{_ATOM}(?>(?:\.{_ATOM})*)"
# A quoted string or a domain literal begins with an escape and may contain any escaped characters.
_QTEXT = "[A-Za-z0-9._~!$'()*+:-]*+"
_QUOTED = f"%22{_QTEXT}(?>(?:(?!%22(?:@|%40)){ESCAPE}{_QTEXT})*)%22"
_LITERAL = "%5[Bb][A-Za-z0-9.:]++%5[Dd]"

# RFC 6068 section 2:
#   addr-spec  = local-part "@" domain
#   local-part = dot-atom-text / quoted-string
#   domain     = dot-atom-text / "[" *dtext-no-obs "]"
# One "%40" may represent the "@": documentation generators write it to stop harvesters, and all mail programs accept
# it.
_LOCAL_PART = f"(?:{_QUOTED}|{_DOT_ATOM})"
_DOMAIN = f"(?:{_LITERAL}|{_DOT_ATOM})"
_MAILTO_ADDR_SPEC = f"{_LOCAL_PART}(?:@|%40){_DOMAIN}"

# RFC 6068 section 2:
#   qchar       = unreserved / pct-encoded / some-delims
#   some-delims = "!" / "$" / "'" / "(" / ")" / "*" / "+" / "," / ";" / ":" / "@"
_QCHARS = "[A-Za-z0-9._~!$'()*+,;:@-]*+"


class Mail(Detail):
    """The message that a mailto URL describes (RFC 6068), without escapes.

    Attributes:
        addresses: the addresses before "?", in order.
        headers: names as written, and values, in order; "body" is the text, "to" has more addresses.
    """

    addresses: tuple[str, ...]
    headers: tuple[tuple[str, str], ...]


def _mail(url: Url) -> Mail:
    addresses = [decoded(address) for address in url.path.split(",") if address]
    return Mail(tuple(addresses), pairs((url.query or "").split("&")))


# RFC 6068 section 2:
#   mailtoURI  = "mailto:" [ to ] [ hfields ]
#   to         = addr-spec *("," addr-spec )
#   hfields    = "?" hfield *( "&" hfield )
#   hfield     = hfname "=" hfvalue
#   hfname     = *qchar
#   hfvalue    = *qchar
_HFVALUE = f"{_QCHARS}(?>(?:{ESCAPE}{_QCHARS})*)"
_HFIELD = f"{_HFVALUE}={_HFVALUE}"
_TO = f"(?>{_MAILTO_ADDR_SPEC}(?>(?:,{_MAILTO_ADDR_SPEC})*)|)"
_TODAY = rf"{_TO}(?>\?{_HFIELD}(?>(?:&{_HFIELD})*)|){FRAGMENT}"

# RFC 1738 section 5:
#   mailtourl      = "mailto:" encoded822addr
#   encoded822addr = 1*xchar               ; further defined in RFC822
# RFC 822 section 6.1:  addr-spec = local-part "@" domain
_XCHARS = run_of("rfc1738", "article", minimum=1)  # but "@"
_RFC1738 = f"{_XCHARS}@{_XCHARS}|(?!%40)(?=[^@]*?%40[^@]){_XCHARS}"

# RFC 1630, BNF for specific URL schemes:
#   mailtoaddress = "mailto:" xalphas "@" hostname
_LOCAL_1630 = run_of("rfc1630", "local", minimum=1)
_RFC1630 = f"{_LOCAL_1630}@{HOSTNAME_1630}"


def normal_mailto(url: Url) -> Url:
    """Return the URL with the domains of its addresses in lowercase (RFC 5321 section 2.4)."""
    return url._replace(path=re.sub(r"@[^@%,]*(?=,|\Z)", lambda domain: domain[0].lower(), url.path))


_ADDRESS = "(?P<local_part>(?P<local>[^@]*))(?:@|%40)(?P<domain_part>(?P<domain>[^@]*))"


def _address_mistakes(part: str, group: str, pattern: str) -> Mistakes:
    """Return the mistakes in the local-part or the domain of an address; `group` is a second group of the same text."""
    no_match = rf"\A(?!{pattern}\Z)(?=.)"
    return (
        Mistake(group, rf"{no_match}.*?([&;=:(),/?])", f'"{{0}}" in the {part} must be escaped as {{1}}', "{1}"),
        Mistake(
            group,
            rf"{no_match}(?!\.|.*(?:\.\.|\.\Z)).*?(%40)",
            f"second %40 in the {part}; only one may replace the @ of the address",
        ),
        Mistake(
            f"{group}_part",
            rf"{no_match}(?:(?=\.)|.*?(?=\.\.|\.\Z))(\A\.|\.\.?)",
            f"extra dot in the {part}: dots must be between other characters",
        ),
    )


_ADDRESS_MISTAKES: Mistakes = (
    Mistake("", r"\A\Z", "address is missing"),
    Mistake("", r"\A(?!.*(?:@|%40)).*", 'address contains no "@"'),
    Mistake("", r"\A[^@;]+@[^;]*(;)(?=[^@]+@)", 'addresses must be separated by ","', ","),
    Mistake("", r"\A[^@]*(@)[^;]*@", 'address contains more than one "@"; escape the others as %40', "%40"),
    Mistake("", r"\A(@|%40(?!.*(?:@|%40)))", 'local-part before "@" is missing'),
    Mistake("", r"\A[^@]*?(@|%40)\Z", 'domain after "@" is missing'),
    *_address_mistakes("local-part", "local", _LOCAL_PART),
    *_address_mistakes("domain", "domain", _DOMAIN),
)
_HEADER_MISTAKES = (
    Mistake("", r"\A\Z", "header field is missing"),
    Mistake("", r"\A[^=]*\Z", 'a header field must have a name, "=" and a value'),
    # Only the first: the others usually have the same cause.
    Mistake("field", r"\A[^/?=]*+(?>=[^/?=]*+|)([/?=])", '"{0}" in a header field must be escaped as {1}', "{1}"),
)
_MAILTO_MISTAKES: Mistakes = (
    Mistake("", r"\A//", '"//" begins a host, but a mailto URL has none'),
    Mistake("", r"\A((?i:mailto):)", 'two schemes; remove the second "mailto:"'),
    Items("to", ",", _ADDRESS, _ADDRESS_MISTAKES),
    Items("headers", "&", "(?P<field>.*)", _HEADER_MISTAKES),
)
MAILTO = Scheme(
    "a mail address",
    {
        "rfc3986": Grammar(
            "RFC 6068 section 2", _TODAY, r"(?!//|(?i:mailto):)(?P<to>[^?]+)?(?:\?(?P<headers>.*))?", _MAILTO_MISTAKES
        ),
        "rfc1738": Grammar("RFC 1738 section 3.5", _RFC1738, _ADDRESS, _ADDRESS_MISTAKES),
        "rfc1630": Grammar('RFC 1630 section "Mailto"', _RFC1630, _ADDRESS, _ADDRESS_MISTAKES),
    },
    _mail,
    normal=normal_mailto,
)


# --- mid and cid: a message, and a part of a message


class MessagePart(Detail):
    """The message or part that a mid or cid URL names (RFC 2392 section 2), without escapes and angle brackets.

    Attributes:
        message_id: of the message; None in a cid URL.
        content_id: of a part; None for the entire message.
    """

    message_id: str | None
    content_id: str | None


def _message_part(url: Url) -> MessagePart:
    text, _ = after_scheme(url)
    if (url.scheme or "").lower() == "cid":
        return MessagePart(None, decoded(text))
    message, *content = text.split("/", 1)
    return MessagePart(decoded(message), decoded_or_none(next(iter(content), None)))


# RFC 2392 section 2:
#   content-id    = url-addr-spec
#   message-id    = url-addr-spec
#   url-addr-spec = addr-spec  ; URL encoding of RFC 822 addr-spec
#   cid-url       = "cid" ":" content-id
#   mid-url       = "mid" ":" message-id [ "/" content-id ]
# One "%40" may represent the "@", as in mailto.
_MID_ADDR_SPEC = repeat("[^%@/?#]++|(?!%40)%", 1) + "(?:@|%40)[^@/?#]++"
_MID = f"{_MID_ADDR_SPEC}(?:/{_MID_ADDR_SPEC})?{FRAGMENT}"
_CID = _MID_ADDR_SPEC + FRAGMENT

# RFC 1630, BNF for specific URL schemes:
#   midaddress = "mid:" addr-spec
#   cidaddress = "cid:" content-identifier
_MID_1630 = f"{_LOCAL_1630}@{HOST_1630}"
_CID_1630 = run_of("rfc1630", "xpalpha", minimum=1)


_NO_HOST = Mistake("", r"\A//", '"//" begins a host, but an identifier has none')
_NO_QUERY = Mistake("query", r"\A\?", '"?" in an identifier must be escaped as %3F', "%3F")


def _identifier(part: str, name: str) -> Mistakes:
    return (
        Mistake(part, r"\A[^@]*(@).*@", f'{name} contains more than one "@"; escape the others as %40', "%40"),
        Mistake(part, r"\A(?!.+%40...)[^@]*\Z", f'{name} contains no "@"'),
        Mistake(part, r"\A@", f'text before the "@" of the {name} is missing'),
        Mistake(part, r"@\Z", f'text after the "@" of the {name} is missing'),
        Mistake(f"{part}_id", "/", f'"/" in a {name} must be escaped as %2F', "%2F"),
    )


_MESSAGE, _CONTENT = _identifier("message", "message-id"), _identifier("content", "content-id")
_MID_PARTS = r"(?!//)(?P<message>(?P<message_id>[^/?]*))(?:/(?P<content>(?P<content_id>[^?]*)))?(?P<query>\?.*)?"
_MID_PARTS_1630 = r"(?P<allowed>(?P<host>(?P<message>(?P<message_id>[^?]*))))(?P<query>\?.*)?"
_CID_PARTS = r"(?P<allowed>(?P<content>(?P<content_id>[^?]*)))(?P<query>\?.*)?"
MID = Scheme(
    "a message, or a part of a message",
    {
        "rfc3986": Grammar("RFC 2392 section 2", _MID, _MID_PARTS, (_NO_HOST, _NO_QUERY, *_MESSAGE, *_CONTENT)),
        "rfc1630": Grammar(
            'RFC 1630 section "Message-Id"',
            _MID_1630,
            _MID_PARTS_1630,
            (
                _NO_QUERY,
                stray("allowed", "message-id", CHARACTERS["rfc1630"]["xpalpha"]),
                Mistake("host", rf"\A[^@]*@(?!{HOST_1630}\Z)([^@]+)\Z", 'text after "@" is not a host'),
                *_MESSAGE,
            ),
        ),
    },
    _message_part,
)
CID = MID._replace(
    title="a part of the message that contains the URL",
    grammars={
        "rfc3986": Grammar("RFC 2392 section 2", _CID, f"(?!//){_CID_PARTS}", (_NO_HOST, _NO_QUERY, *_CONTENT)),
        "rfc1630": Grammar(
            'RFC 1630 section "Content-Id"',
            _CID_1630,
            _CID_PARTS,
            (
                _NO_QUERY,
                stray("allowed", "content-id", CHARACTERS["rfc1630"]["xpalpha"]),
                Mistake("content", r"\A\Z", "content-id is missing"),
            ),
        ),
    },
)
