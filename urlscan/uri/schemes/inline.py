"""data and geo: what the URL itself holds, data or a location."""

import re

from urlscan.core.lazy import repeat
from urlscan.uri.schemes.base import (
    FRAGMENT,
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

# --- data: data contained in the URL

# RFC 2397 section 3:
#   dataurl   := "data:" [ mediatype ] [ ";base64" ] "," data
#   mediatype := [ type "/" subtype ] *( ";" parameter )
#   data      := *urlchar
#   parameter := attribute "=" value
_HEAD = r"([^,;/]*/[^,;]*)?((?:;(?!(?i:base64)(?:,|\Z))[^,;=]+=[^,;]*)*)((?i:;base64))?"
_PARTS = re.compile(f"{_HEAD},(.*)", re.DOTALL)
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


def _data(url: Url) -> Data | None:
    match = _PARTS.fullmatch(after_scheme(url)[0])
    if match is None:
        return None
    parameters = pairs(match[2].split(";"))
    if not match[1] and not parameters:
        parameters = (("charset", "US-ASCII"),)
    return Data(match[1] or "text/plain", parameters, match[3] is not None, match[4])


_DATA_PARTS = "(?!//)(?P<head>[^,]*)(?P<data>,.*)"
_DATA_MISTAKES: Mistakes = (
    Mistake("", r"\A//", '"//" begins a host, but a data URL has none'),
    Mistake("", r"\A[^,]*\Z", "comma before the data is missing"),
    Mistake(
        "head",
        rf"\A(?=(.*))(?!{_HEAD}\Z)",
        "invalid media type; write type/subtype, then ;name=value and ;base64 if needed",
    ),
    Mistake("", r"\A[^,]*(?i:;base64),[A-Za-z0-9+/=_%-]*+(.)", "invalid character in base64"),
)
DATA = Scheme(
    "data contained in the URL",
    {"rfc3986": Grammar("RFC 2397 section 3", _DATA_TODAY, _DATA_PARTS, _DATA_MISTAKES)},
    _data,
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


def _geo_location(url: Url) -> GeoLocation | None:
    """Return coordinates and parameters, or None if a coordinate is not a number."""
    coordinates, *rest = after_scheme(url)[0].split(";")
    numbers = coordinates.split(",")
    if not all(re.fullmatch(_NUMBER, number) for number in numbers):
        return None
    items = [(name.lower(), value) for name, value in pairs(rest)]
    named = dict(items)
    uncertainty = None
    if re.fullmatch(_UNSIGNED, named.get("u", "")):
        uncertainty = float(named["u"])
    return GeoLocation(
        tuple(map(float, numbers)),
        named.get("crs", "wgs84").lower(),
        uncertainty,
        tuple(item for item in items if item[0] not in ("crs", "u")),
    )


_GEO_PARTS = "(?P<coordinates>[^;]*)(?:;(?P<parameters>.*))?"
_NO_NUMBER = Mistake("", rf"\A(?!{_NUMBER}\Z).*", "a coordinate must be a number, such as 48.2 or -16.37")
_GEO_MISTAKES: Mistakes = (
    Items("coordinates", ",", "", (_NO_NUMBER,)),
    Mistake("coordinates", rf"\A{_NUMBER}(?:(?:,{_NUMBER}){{3,}})?\Z", "use latitude, longitude and optional altitude"),
    invalid_parameters(_PARAMETER),
)
GEO = Scheme(
    "a geographic location",
    {"rfc3986": Grammar("RFC 5870 section 3.3", _GEO_TODAY, _GEO_PARTS, _GEO_MISTAKES)},
    _geo_location,
)
