"""tel and sip: telephone numbers and parties to call."""

import re
from collections.abc import Iterator

from urlscan.core.lazy import repeat
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

# --- tel: a telephone number

# RFC 3966 section 3:
#   telephone-uri    = "tel:" telephone-subscriber
#   global-number    = global-number-digits *par
#   local-number     = local-number-digits *par context *par
#   global-number-digits = "+" *phonedigit DIGIT *phonedigit
#   local-number-digits  = *phonedigit-hex (HEXDIG / "*" / "#")*phonedigit-hex
#   phonedigit       = DIGIT / [ visual-separator ]
#   phonedigit-hex   = HEXDIG / "*" / "#" / [ visual-separator ]
#   visual-separator = "-" / "." / "(" / ")"
#   par              = parameter / extension / isdn-subaddress
#   context          = ";phone-context=" descriptor
# A "#" would begin a fragment, so it is written as %23.
_GLOBAL = r"\+(?=[^;]*[0-9])[0-9().-]++"
_LOCAL = r"(?=[^;]*[0-9A-Fa-f*])" + repeat("[0-9A-Fa-f*().-]++|%23", 1)
#   parameter        = ";" pname ["=" pvalue ]
#   pname            = 1*( alphanum / "-" )
#   pvalue           = 1*paramchar
#   paramchar        = "[" / "]" / "/" / ":" / "&" / "+" / "$" / unreserved / pct-encoded
_TEL_PARAMETER = rf"[A-Za-z0-9-]++(?:={PARAMCHARS})?"
_TEL_TODAY = rf"(?:{_GLOBAL}|(?=[^?#]*;(?i:phone-context)=[^;]){_LOCAL})(?:;{_TEL_PARAMETER})*{FRAGMENT}"


class Telephone(Detail):
    """A telephone number (RFC 3966 section 3).

    Attributes:
        number: digits, and the "+" of a global number, without visual separators.
        parameters: names in lowercase, and values; "ext" is the extension.
    """

    number: str
    parameters: tuple[tuple[str, str], ...]


def parse_tel(url: Url) -> Telephone:
    """Return number and parameters."""
    number, *parameters = after_scheme(url)[0].split(";")
    items = [parameter.partition("=") for parameter in parameters]
    return Telephone(
        re.sub("[().-]", "", decoded(number)), tuple((name.lower(), decoded(value)) for name, _, value in items)
    )


def faults_tel(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for an invalid number, and for a local number without a context."""
    document = TEL.document(grammar)
    text, start = after_scheme(url)
    number, _, parameters = text.partition(";")
    end = start + len(number)
    allowed = r"[0-9().-]" if number.startswith("+") else r"[0-9A-Fa-f*().%-]"
    stray = [position for position, character in enumerate(number, start) if not re.match(allowed, character)]
    stray = stray[1:] if number.startswith("+") else stray
    if stray:
        name = url.text[stray[0]]
        message = f'"{name}" is not allowed in a telephone number; use digits after an optional "+", and - . ( )'
        yield Fault("number", stray[0], stray[0] + 1, message, document)
    elif not re.search("[0-9*A-Fa-f]", number):
        yield Fault("number", start - (not number), end, "number is missing", document)
    elif not number.startswith("+") and not any(p.lower().startswith("phone-context=") for p in parameters.split(";")):
        message = "a number without a country code (+) must have a ;phone-context="
        yield Fault("number", start, end, message, "RFC 3966 section 5.1.5")
    yield from invalid_parameters(text[len(number) :], end, _TEL_PARAMETER, document)


def normal_tel(url: Url) -> Url:
    """Return the URL without visual separators in its number (RFC 3966 section 4)."""
    number, semicolon, parameters = url.path.partition(";")
    return url._replace(path=re.sub("[().-]", "", number) + semicolon + parameters)


TEL = Scheme(
    name="tel",
    title="a telephone number",
    documents={"rfc3986": "RFC 3966 section 3"},
    patterns={"rfc3986": _TEL_TODAY},
    parse=parse_tel,
    faults=faults_tel,
    examples=("tel:+1-816-555-1212", "tel:7042;phone-context=h.example"),
    normal=normal_tel,
)

# --- sip and sips: a party to call by the Session Initiation Protocol

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
_SIP_PARAMETER = f"{PARAMCHARS}(?:={PARAMCHARS})?"
_HEADERS = r"(?:\?[^&=#]+=[^&#]*(?:&[^&=#]+=[^&#]*)*)?"
_SIP_TODAY = rf"(?:[^@#]+@)?{_HOST}(?::[0-9]+)?(?:;{_SIP_PARAMETER})*{_HEADERS}{FRAGMENT}"


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


def parse_sip(url: Url) -> SipAddress | None:
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


def faults_sip(url: Url, grammar: str) -> Iterator[Fault]:
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
    yield from invalid_parameters(match[4], start + match.start(4), _SIP_PARAMETER, document)
    for header, position in split_at(match[5], "&", start + match.start(5)) if match[5] is not None else ():
        if "=" not in header[1:]:
            message = 'a header must have a name, "=" and a value'
            yield Fault("header", position - (not header), position + len(header), message, document)


SIP = Scheme(
    name="sip",
    title="a party to call",
    documents={"rfc3986": "RFC 3261 section 25.1"},
    patterns={"rfc3986": _SIP_TODAY},
    parse=parse_sip,
    faults=faults_sip,
    examples=("sip:jo@h.example", "sip:+1-212-555-1212:1234@gateway.h.example;user=phone"),
)
SIPS = SIP._replace(
    name="sips", title="a party to call, over TLS", examples=("sips:jo@h.example?subject=project%20x&priority=urgent",)
)
