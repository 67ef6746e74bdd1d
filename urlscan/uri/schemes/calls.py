"""tel and sip: telephone numbers and parties to call."""

import re

from urlscan.core.lazy import repeat
from urlscan.uri.grammar.characters import decoded, decoded_or_none
from urlscan.uri.grammar.generic import DOMAINLABEL, IPV4_ADDRESS, IPV6_ADDRESS, TOPLABEL
from urlscan.uri.schemes.base import (
    FRAGMENT,
    PARAMCHARS,
    Grammar,
    Items,
    Mistake,
    Mistakes,
    Scheme,
    after_scheme,
    invalid_parameters,
    pairs,
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


def _telephone(url: Url) -> Telephone:
    number, *parameters = after_scheme(url)[0].split(";")
    items = tuple((name.lower(), value) for name, value in pairs(parameters))
    return Telephone(re.sub("[().-]", "", decoded(number)), items)


def normal_tel(url: Url) -> Url:
    """Return the URL without visual separators in its number (RFC 3966 section 4)."""
    number, semicolon, parameters = url.path.partition(";")
    return url._replace(path=re.sub("[().-]", "", number) + semicolon + parameters)


_TEL_PARTS = "(?P<number>[^;]*)(?:;(?P<parameters>.*))?"
_TEL_MISTAKES: Mistakes = (
    Mistake(
        "",
        r"\A(?:\+[0-9().-]*+|(?!\+)[0-9A-Fa-f*().%-]*+)([^;])",
        '"{0}" is not allowed in a telephone number; use digits after an optional "+", and - . ( )',
    ),
    Mistake("", r"\A([^;0-9*A-Fa-f]*)(?:;|\Z)", "number is missing"),
    Mistake(
        "",
        r"\A(?!\+)([^;]++)(?!.*;(?i:phone-context)=)",
        "a number without a country code (+) must have a ;phone-context=",
        section="RFC 3966 section 5.1.5",
    ),
    invalid_parameters(_TEL_PARAMETER),
)
TEL = Scheme(
    "a telephone number",
    {"rfc3986": Grammar("RFC 3966 section 3", _TEL_TODAY, _TEL_PARTS, _TEL_MISTAKES)},
    _telephone,
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
_SIP_PARTS = (
    r"(?:(?P<userinfo>[^@]*)@)?(?P<host>\[[^\]@]*\]|[^:;?@]*)(?P<colon>:(?P<port>[^;?@]*))?"
    r"(?:;(?P<parameters>[^?]*))?(?:\?(?P<headers>.*))?"
)

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


def _sip_address(url: Url) -> SipAddress | None:
    match = re.fullmatch(_SIP_PARTS, after_scheme(url)[0], re.DOTALL)
    if match is None:
        return None
    user, password = match["userinfo"], None
    if user is not None and ":" in user:
        user, _, password = user.partition(":")
    return SipAddress(
        decoded_or_none(user),
        decoded_or_none(password),
        match["host"],
        match["port"],
        pairs((match["parameters"] or "").split(";")),
        pairs((match["headers"] or "").split("&")),
    )


_NO_HEADER = Mistake("", r"\A(?!.[^=]*=).*", 'a header must have a name, "=" and a value')
_SIP_MISTAKES: Mistakes = (
    Mistake("", rf"\A(?=(.*))(?!{_SIP_PARTS}\Z)", "invalid SIP address; write user@host"),
    Mistake("", "\\A@", 'user before "@" is missing'),
    Mistake("", r"\A//(?!.*@)", '"//" begins a host, but a SIP URL has none; write "sip:host"'),
    Mistake("host", r"\A\Z", "host is missing"),
    Mistake("host", rf"\A(?!//|{_HOST}\Z).*", "not a valid host name or address"),
    Mistake("colon", r"\A:(?![0-9]+\Z).*", "port is not a number"),
    invalid_parameters(_SIP_PARAMETER),
    Items("headers", "&", "", (_NO_HEADER,)),
)
SIP = Scheme(
    "a party to call",
    {"rfc3986": Grammar("RFC 3261 section 25.1", _SIP_TODAY, _SIP_PARTS, _SIP_MISTAKES)},
    _sip_address,
)
SIPS = SIP._replace(title="a party to call, over TLS")
