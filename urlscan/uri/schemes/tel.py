"""tel: a telephone number."""

import re
from collections.abc import Iterator

from urlscan.core.lazy import repeat
from urlscan.uri.grammar.characters import decoded
from urlscan.uri.schemes.base import FRAGMENT, PARAMCHARS, Fault, Scheme, after_scheme, invalid_parameters
from urlscan.uri.url import Detail, Url

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
_PARAMETER = rf"[A-Za-z0-9-]++(?:={PARAMCHARS})?"
_TODAY = rf"(?:{_GLOBAL}|(?=[^?#]*;(?i:phone-context)=[^;]){_LOCAL})(?:;{_PARAMETER})*{FRAGMENT}"


class Telephone(Detail):
    """A telephone number (RFC 3966 section 3).

    Attributes:
        number: digits, and the "+" of a global number, without visual separators.
        parameters: names in lowercase, and values; "ext" is the extension.
    """

    number: str
    parameters: tuple[tuple[str, str], ...]


def parse(url: Url) -> Telephone:
    """Return number and parameters."""
    number, *parameters = after_scheme(url)[0].split(";")
    items = [parameter.partition("=") for parameter in parameters]
    return Telephone(
        re.sub("[().-]", "", decoded(number)),
        tuple((name.lower(), decoded(value)) for name, _, value in items),
    )


def faults(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for an invalid number, and for a local number without a context."""
    document = TEL.document(grammar)
    text, start = after_scheme(url)
    number, _, parameters = text.partition(";")
    end = start + len(number)
    allowed = r"[0-9().-]" if number.startswith("+") else r"[0-9A-Fa-f*().%-]"
    stray = [at for at, character in enumerate(number, start) if not re.match(allowed, character)]
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
    yield from invalid_parameters(text[len(number) :], end, _PARAMETER, document)


def normal(url: Url) -> Url:
    """Return the URL without visual separators in its number (RFC 3966 section 4)."""
    number, semicolon, parameters = url.path.partition(";")
    return url._replace(path=re.sub("[().-]", "", number) + semicolon + parameters)


TEL = Scheme(
    name="tel",
    title="a telephone number",
    documents={"rfc3986": "RFC 3966 section 3"},
    patterns={"rfc3986": _TODAY},
    parse=parse,
    faults=faults,
    examples=("tel:+1-816-555-1212", "tel:7042;phone-context=h.example"),
    normal=normal,
)
