"""http and ws: resources and sockets of a web server."""

from urlscan.uri.grammar.characters import CHARACTERS, decoded, run_of
from urlscan.uri.grammar.generic import HOSTPORT, HOSTPORT_1630, PATH, SEARCH
from urlscan.uri.schemes.base import (
    AUTHORITY,
    MISSING_SLASH,
    NET_LOCATION,
    REST,
    Grammar,
    Mistake,
    Scheme,
    after_authority,
    stray,
)
from urlscan.uri.url import Detail, Url

# --- http and https: the HyperText Transfer Protocol


class HttpSelector(Detail):
    """The request of an http URL (RFC 1738 section 3.3), without escapes.

    Attributes:
        segments: the segments of the path after its first "/"; the last one is empty if the URL ends in "/".
        searchpart: the text after "?", or None; with its escapes, since the server interprets "&" and "=".
    """

    segments: tuple[str, ...]
    searchpart: str | None


def _selector(url: Url) -> HttpSelector:
    segments = url.path.removeprefix("/").split("/") if url.path else []
    return HttpSelector(tuple(map(decoded, segments)), url.query)


# RFC 9110 section 4.2:
#   http-URI  = "http"  "://" authority path-abempty [ "?" query ]
#   https-URI = "https" "://" authority path-abempty [ "?" query ]
_HTTP_TODAY = NET_LOCATION + REST

# RFC 1738 section 5:
#   httpurl  = "http://" hostport [ "/" hpath [ "?" search ]]
#   hpath    = hsegment *[ "/" hsegment ]
#   hsegment = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
#   search   = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
_HSEGMENT = run_of("rfc1738", "hsegment")
_HPATH = f"{_HSEGMENT}(?>(?:/{_HSEGMENT})*)"
_RFC1738 = rf"//{HOSTPORT}(?>/{_HPATH}(?>\?{_HSEGMENT}|)|)"

# RFC 1630, BNF for specific URL schemes:
#   httpaddress = "http://" hostport [ "/" path ] [ "?" search ]
_RFC1630 = rf"//{HOSTPORT_1630}(?>/{PATH}|)(?>\?{SEARCH}|)"

_HTTP_PARTS = rf"{AUTHORITY}(?P<path>[^?]*)(?:\?(?P<search>.*))?"
_ALLOWED_1738, _ALLOWED_1630 = CHARACTERS["rfc1738"]["hsegment"], CHARACTERS["rfc1630"]["xpalpha"]
_MISTAKES_1738 = (stray("path", "path", _ALLOWED_1738 + "/"), stray("search", "query", _ALLOWED_1738), MISSING_SLASH)
_MISTAKES_1630 = (
    stray("path", "path", _ALLOWED_1630 + "/"),
    stray("search", "query", _ALLOWED_1630),
    Mistake("search", r"\A\Z", 'query after "?" is empty'),
)
HTTP = Scheme(
    "a resource of an HTTP server",
    {
        "rfc3986": Grammar("RFC 9110 section 4.2.1", _HTTP_TODAY),
        "rfc1738": Grammar("RFC 1738 section 3.3", _RFC1738, _HTTP_PARTS, _MISTAKES_1738),
        "rfc1630": Grammar('RFC 1630 section "HTTP"', _RFC1630, _HTTP_PARTS, _MISTAKES_1630),
    },
    _selector,
)
HTTPS = HTTP._replace(
    title="a resource of an HTTP server, over TLS", grammars={"rfc3986": Grammar("RFC 9110 section 4.2.2", _HTTP_TODAY)}
)


# --- ws and wss: the WebSocket protocol


class ResourceName(Detail):
    """The request of a ws URL (RFC 6455 section 3).

    Attributes:
        resource_name: path ("/" if it is empty) and query, as sent.
        secure: whether the connection uses TLS.
    """

    resource_name: str
    secure: bool


def _resource_name(url: Url) -> ResourceName:
    name = after_authority(url._replace(path=url.path or "/"))
    return ResourceName(name, (url.scheme or "").lower() == "wss")


# RFC 6455 section 3:
#   ws-URI  = "ws:" "//" host [ ":" port ] path [ "?" query ]
#   wss-URI = "wss:" "//" host [ ":" port ] path [ "?" query ]
# Fragments "MUST NOT be used on these URIs".
_WS_TODAY = "//[^/?#:@][^/?#@]*+(?:[/?][^#]*)?"
_WS_MISTAKES = (
    Mistake("userinfo", r"\A.*", "a WebSocket URL cannot have a userinfo"),
    Mistake("fragment", r"\A.*", 'a WebSocket URL cannot have a fragment; write "#" as %23'),
)
WS = Scheme("a WebSocket", {"rfc3986": Grammar("RFC 6455 section 3", _WS_TODAY, "", _WS_MISTAKES)}, _resource_name)
WSS = WS._replace(title="a WebSocket over TLS")
