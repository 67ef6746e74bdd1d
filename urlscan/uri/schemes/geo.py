"""geo: a geographic location."""

import re
from collections.abc import Iterator

from urlscan.core.lazy import repeat
from urlscan.uri.grammar.characters import decoded
from urlscan.uri.schemes.base import FRAGMENT, Fault, Scheme, after_scheme, invalid_parameters, split_at
from urlscan.uri.url import Detail, Url

# RFC 5870 section 3.3:
#   geo-URI     = geo-scheme ":" geo-path
#   geo-path    = coordinates p
#   coordinates = coord-a "," coord-b [ "," coord-c ]
#   coord-a     = [ "-" ] num          coord-b and coord-c are the same
#   p           = [ crsp ] [ uncp ] *parameter
#   crsp        = ";crs=" crslabel
#   uncp        = ";u=" uval
#   num         = 1*DIGIT [ "." 1*DIGIT ]
#   parameter   = ";" pname [ "=" pvalue ]
#   pname       = 1*( alphanum / "-" )
#   pvalue      = 1*paramchar
#   paramchar   = "[" / "]" / ":" / "&" / "+" / "$" / unreserved / pct-encoded
_NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"
_PARAMCHARS = repeat(r"[A-Za-z0-9_.!~*'()\[\]:&+$-]++|%[0-9A-Fa-f]{2}", 1)
_PARAMETER = rf"[A-Za-z0-9-]++(?:={_PARAMCHARS})?"
_UNSIGNED = r"[0-9]+(?:\.[0-9]+)?"
_TODAY = rf"{_NUMBER},{_NUMBER}(?:,{_NUMBER})?(?:;{_PARAMETER})*{FRAGMENT}"


class GeoLocation(Detail):
    """The parts of a geo URL (RFC 5870 section 3).

    Attributes:
        coordinates: latitude, longitude and optional altitude, in degrees and meters of WGS 84.
        crs: the reference system in lowercase; the default is "wgs84".
        uncertainty: in meters, or None if unknown.
        parameters: names and values of the others.
    """

    coordinates: tuple[float, ...]
    crs: str
    uncertainty: float | None
    parameters: tuple[tuple[str, str], ...]


def parse(url: Url) -> GeoLocation | None:
    """Return coordinates and parameters, or None if a coordinate is not a number."""
    coordinates, *rest = after_scheme(url)[0].split(";")
    numbers = coordinates.split(",")
    if not all(re.fullmatch(_NUMBER, number) for number in numbers):
        return None
    items = [(name.lower(), decoded(value)) for name, _, value in (item.partition("=") for item in rest)]
    named = dict(items)
    uncertainty = named.get("u", "")
    return GeoLocation(
        tuple(map(float, numbers)),
        named.get("crs", "wgs84").lower(),
        float(uncertainty) if re.fullmatch(_UNSIGNED, uncertainty) else None,
        tuple(item for item in items if item[0] not in ("crs", "u")),
    )


def faults(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for coordinates that are not numbers, and for a wrong number of them."""
    document = GEO.document(grammar)
    text, start = after_scheme(url)
    coordinates = text.partition(";")[0]
    for number, at in split_at(coordinates, ",", start):
        if not re.fullmatch(_NUMBER, number):
            message = "a coordinate must be a number, such as 48.2 or -16.37"
            yield Fault("coordinates", at - (not number), at + len(number), message, document)
    end = start + len(coordinates)
    if not 1 <= coordinates.count(",") <= 2:
        message = "use a latitude, a longitude and an optional altitude"
        yield Fault("coordinates", start - (not coordinates), end, message, document)
    yield from invalid_parameters(text[len(coordinates) :], end, _PARAMETER, document)


GEO = Scheme(
    name="geo",
    title="a geographic location",
    documents={"rfc3986": "RFC 5870 section 3.3"},
    patterns={"rfc3986": _TODAY},
    parse=parse,
    faults=faults,
    examples=("geo:48.2010,16.3695,183", "geo:66,30;u=6.500;FOo=this%2dthat"),
)
