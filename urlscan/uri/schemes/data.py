"""data: data contained in the URL."""

import re
from collections.abc import Iterator

from urlscan.core.lazy import repeat
from urlscan.uri.schemes.base import FRAGMENT, Fault, Scheme, after_scheme, pairs
from urlscan.uri.url import Detail, Url

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
_TODAY = f"{_MEDIATYPE}(?:{_BASE64}|,[^#]*){FRAGMENT}"


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


def parse(url: Url) -> Data | None:
    """Return the parts, or None without a comma."""
    match = _PARTS.fullmatch(after_scheme(url)[0])
    if match is None:
        return None
    parameters = pairs(match[2].split(";"))
    if not match[1] and not parameters:
        parameters = (("charset", "US-ASCII"),)
    return Data(match[1] or "text/plain", parameters, match[3] is not None, match[4])


def faults(url: Url, grammar: str) -> Iterator[Fault]:
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
        at = start + len(head) + 1 + stray.start()
        yield Fault("data", at, at + 1, "invalid character in base64", document)


DATA = Scheme(
    name="data",
    title="data contained in the URL",
    documents={"rfc3986": "RFC 2397 section 3"},
    patterns={"rfc3986": _TODAY},
    parse=parse,
    faults=faults,
    examples=("data:,A%20brief%20note", "data:image/gif;base64,R0lGODdhMAAw"),
)
