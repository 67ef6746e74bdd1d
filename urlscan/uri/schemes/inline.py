"""data and geo: what the URL itself holds, data or a location."""

import re
from collections.abc import Iterator

from urlscan.core.lazy import repeat
from urlscan.uri.grammar.characters import decoded
from urlscan.uri.schemes.base import FRAGMENT, Fault, Scheme, after_scheme, invalid_parameters, pairs, split_at
from urlscan.uri.url import Detail, Url

# --- data: data contained in the URL

# RFC 2397 section 3:
#   dataurl   := "data:" [ mediatype ] [ ";base64" ] "," data
#   mediatype := [ type "/" subtype ] *( ";" parameter )
#   data      := *urlchar
#   parameter := attribute "=" value
_PARTS = re.compile(
    r"([^,;/]*/[^,;]*)?((?:;(?!(?i:base64),)[^,;=]+=[^,;]*)*)(;base64)?,(.*)", re.DOTALL | re.IGNORECASE
)
_MEDIATYPE = r"(?:[^,;/?#]+/[^,;?#]+)?(?:;(?!(?i:base64),)[^,;=?#]+=[^,;?#]*)*"
_BASE64 = "(?i:;base64)," + repeat("[A-Za-z0-9+/=_-]++|%[0-9A-Fa-f]{2}")
_DATA_TODAY = f"{_MEDIATYPE}(?:{_BASE64}|,[^#]*){FRAGMENT}"


class Data(Detail):
    """The parts of a data URL (RFC 2397 section 3).

    Attributes:
        mediatype: type and subtype; the default is "text/plain".
        parameters: names and values in order; the default is a charset of US-ASCII.
        base64: whether the data is encoded in base64.
        data: the text after the comma.
    """

    mediatype: str
    parameters: tuple[tuple[str, str], ...]
    base64: bool
    data: str


def parse_data(url: Url) -> Data | None:
    """Return the parts, or None without a comma."""
    match = _PARTS.fullmatch(after_scheme(url)[0])
    if match is None:
        return None
    parameters = pairs(match[2].split(";"))
    if not match[1] and not parameters:
        parameters = (("charset", "US-ASCII"),)
    return Data(match[1] or "text/plain", parameters, match[3] is not None, match[4])


def faults_data(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for a missing comma, an invalid media type and invalid base64."""
    document = DATA.document(grammar)
    text, start = after_scheme(url)
    if url.authority is not None:
        yield Fault("mediatype", start, start + 2, '"//" begins a host, but a data URL has none', document)
        return
    head, comma, data = text.partition(",")
    if not comma:
        yield Fault("data", start - (not text), start + len(text), "comma before the data is missing", document)
        return
    if not _PARTS.fullmatch(head + ","):
        message = "invalid media type; write type/subtype, then ;name=value and ;base64 if needed"
        yield Fault("mediatype", start - (not head), start + len(head), message, document)
    stray = re.search("[^A-Za-z0-9+/=_%-]", data) if head.lower().endswith(";base64") else None
    if stray is not None:
        position = start + len(head) + 1 + stray.start()
        yield Fault("data", position, position + 1, "invalid character in base64", document)


DATA = Scheme(
    name="data",
    title="data contained in the URL",
    documents={"rfc3986": "RFC 2397 section 3"},
    patterns={"rfc3986": _DATA_TODAY},
    parse=parse_data,
    faults=faults_data,
    examples=("data:,A%20brief%20note", "data:image/gif;base64,R0lGODdhMAAw"),
)

# --- geo: a geographic location

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
_GEO_TODAY = rf"{_NUMBER},{_NUMBER}(?:,{_NUMBER})?(?:;{_PARAMETER})*{FRAGMENT}"


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


def parse_geo(url: Url) -> GeoLocation | None:
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


def faults_geo(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for coordinates that are not numbers, and for a wrong number of them."""
    document = GEO.document(grammar)
    text, start = after_scheme(url)
    coordinates = text.partition(";")[0]
    for number, position in split_at(coordinates, ",", start):
        if not re.fullmatch(_NUMBER, number):
            message = "a coordinate must be a number, such as 48.2 or -16.37"
            yield Fault("coordinates", position - (not number), position + len(number), message, document)
    end = start + len(coordinates)
    if not 1 <= coordinates.count(",") <= 2:
        message = "use a latitude, a longitude and an optional altitude"
        yield Fault("coordinates", start - (not coordinates), end, message, document)
    yield from invalid_parameters(text[len(coordinates) :], end, _PARAMETER, document)


GEO = Scheme(
    name="geo",
    title="a geographic location",
    documents={"rfc3986": "RFC 5870 section 3.3"},
    patterns={"rfc3986": _GEO_TODAY},
    parse=parse_geo,
    faults=faults_geo,
    examples=("geo:48.2010,16.3695,183", "geo:66,30;u=6.500;FOo=this%2dthat"),
)
