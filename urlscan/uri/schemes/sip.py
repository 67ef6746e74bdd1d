"""sip and sips: a party to call by the Session Initiation Protocol."""

import re
from collections.abc import Iterator

from urlscan.uri.grammar.characters import decoded
from urlscan.uri.grammar.hosts import DOMAINLABEL, IPV4_ADDRESS, IPV6_ADDRESS, TOPLABEL
from urlscan.uri.schemes.base import (
    FRAGMENT,
    PARAMCHARS,
    Fault,
    Scheme,
    after_scheme,
    invalid_parameters,
    pairs,
    split_at,
)
from urlscan.uri.url import Detail, Url

# RFC 3261 section 25.1:
#   SIP-URI  = "sip:" [ userinfo ] hostport uri-parameters [ headers ]
#   SIPS-URI = "sips:" [ userinfo ] hostport uri-parameters [ headers ]
#   userinfo = ( user / telephone-subscriber ) [ ":" password ] "@"
#   hostport = host [ ":" port ]
#   uri-parameters = *( ";" uri-parameter)
#   headers  = "?" header *( "&" header )
#   header   = hname "=" hvalue
_PARTS = re.compile(r"(?:([^@]*)@)?(\[[^\]@]*\]|[^:;?@]*)(?::([^;?@]*))?((?:;[^;?]*)*)(?:\?(.*))?", re.DOTALL)


# RFC 3261 section 25.1:
#   host           = hostname / IPv4address / IPv6reference
#   hostname       = *( domainlabel "." ) toplabel [ "." ]
#   uri-parameter  = pname [ "=" pvalue ]
#   pname          = 1*paramchar           pvalue is the same
#   paramchar      = "[" / "]" / "/" / ":" / "&" / "+" / "$" / unreserved / escaped
_HOST = rf"(?:(?:{DOMAINLABEL}\.)*{TOPLABEL}\.?|{IPV4_ADDRESS}|\[{IPV6_ADDRESS}\])"
_PARAMETER = f"{PARAMCHARS}(?:={PARAMCHARS})?"
_HEADERS = r"(?:\?[^&=#]+=[^&#]*(?:&[^&=#]+=[^&#]*)*)?"
_TODAY = rf"(?:[^@#]+@)?{_HOST}(?::[0-9]+)?(?:;{_PARAMETER})*{_HEADERS}{FRAGMENT}"


class SipAddress(Detail):
    """The parts of a sip URL (RFC 3261 section 19.1.1), without escapes.

    Attributes:
        user, password: None if absent.
        host, port: as written.
        parameters, headers: names and values, in order.
    """

    user: str | None
    password: str | None
    host: str
    port: str | None
    parameters: tuple[tuple[str, str], ...]
    headers: tuple[tuple[str, str], ...]


def parse(url: Url) -> SipAddress | None:
    """Return the parts, or None if the text is not a SIP address."""
    match = _PARTS.fullmatch(after_scheme(url)[0])
    if match is None:
        return None
    userinfo, host, port, parameters, headers = match.groups()
    user, colon, password = (userinfo or "").partition(":")
    return SipAddress(
        None if userinfo is None else decoded(user),
        decoded(password) if colon else None,
        host,
        port,
        pairs(parameters.split(";")),
        pairs((headers or "").split("&")),
    )


def faults(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for an invalid user, host, port, parameter or header."""
    document = SIP.document(grammar)
    text, start = after_scheme(url)
    match = _PARTS.fullmatch(text)
    if match is None:
        yield Fault("address", start, start + len(text), "invalid SIP address; write user@host", document)
        return
    if match[1] == "":
        yield Fault("user", start, start + 1, 'user before "@" is missing', document)
    first, last = start + match.start(2), start + match.end(2)
    if not match[2]:
        yield Fault("host", first - (first == len(url.text)), last, "host is missing", document)
    elif not re.fullmatch(_HOST, match[2]):
        yield Fault("host", first, last, "not a valid host name or address", document)
    if match[3] is not None and not re.fullmatch("[0-9]+", match[3]):
        first, last = start + match.start(3), start + match.end(3)
        yield Fault("port", first - 1, last, "port is not a number", document)
    yield from invalid_parameters(match[4], start + match.start(4), _PARAMETER, document)
    for header, at in split_at(match[5], "&", start + match.start(5)) if match[5] is not None else ():
        if "=" not in header[1:]:
            message = 'a header must have a name, "=" and a value'
            yield Fault("header", at - (not header), at + len(header), message, document)


SIP = Scheme(
    name="sip",
    title="a party to call",
    documents={"rfc3986": "RFC 3261 section 25.1"},
    patterns={"rfc3986": _TODAY},
    parse=parse,
    faults=faults,
    examples=("sip:jo@h.example", "sip:+1-212-555-1212:1234@gateway.h.example;user=phone"),
)
SIPS = SIP._replace(
    name="sips",
    title="a party to call, over TLS",
    examples=("sips:jo@h.example?subject=project%20x&priority=urgent",),
)
