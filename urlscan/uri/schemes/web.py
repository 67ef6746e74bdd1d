"""http and ws: resources and sockets of a web server."""

from collections.abc import Iterator

from urlscan.uri.grammar.characters import CHARACTERS, decoded, run_of
from urlscan.uri.grammar.rfc1630 import HOSTPORT as HOSTPORT_1630
from urlscan.uri.grammar.rfc1630 import PATH, SEARCH
from urlscan.uri.grammar.rfc1738 import HOSTPORT
from urlscan.uri.schemes.base import NET_LOCATION, REST, Fault, Scheme, missing_slash, stray
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


def parse_http(url: Url) -> HttpSelector | None:
    """Return the segments of the path and the searchpart."""
    if url.authority is None:
        return None
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


def faults_http(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for delimiters that RFC 1738 and RFC 1630 do not allow. RFC 9110 allows all."""
    if grammar not in ("rfc1738", "rfc1630"):
        return
    allowed = CHARACTERS["rfc1738"]["hsegment"] if grammar == "rfc1738" else CHARACTERS["rfc1630"]["xpalpha"]
    for component, more in (("path", "/"), ("query", "")):
        span = url.span(component)
        if span is not None:
            text = url.text[slice(*span)]
            yield from stray(component, text, span[0], allowed + more, HTTP.document(grammar))
    if grammar == "rfc1630" and url.query == "" and (span := url.span("query")):
        yield Fault("query", span[0] - 1, span[0], 'query after "?" is empty', HTTP.document(grammar))
    if grammar == "rfc1738":
        yield from missing_slash(url)


HTTP = Scheme(
    name="http",
    title="a resource of an HTTP server",
    documents={
        "rfc3986": "RFC 9110 section 4.2.1",
        "rfc1738": "RFC 1738 section 3.3",
        "rfc1630": 'RFC 1630 section "HTTP"',
    },
    patterns={"rfc3986": _HTTP_TODAY, "rfc1738": _RFC1738, "rfc1630": _RFC1630},
    parse=parse_http,
    faults=faults_http,
    examples=("http://h.example", "http://h.example:8080/a/b?c"),
)
HTTPS = HTTP._replace(
    name="https",
    title="a resource of an HTTP server, over TLS",
    documents={"rfc3986": "RFC 9110 section 4.2.2"},
    patterns={"rfc3986": _HTTP_TODAY},
    examples=("https://h.example", "https://h.example:8080/a/b?c"),
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


def parse_ws(url: Url) -> ResourceName | None:
    """Return the resource name."""
    if url.authority is None:
        return None
    name = (url.path or "/") + ("" if url.query is None else "?" + url.query)
    return ResourceName(name, (url.scheme or "").lower() == "wss")


# RFC 6455 section 3:
#   ws-URI  = "ws:" "//" host [ ":" port ] path [ "?" query ]
#   wss-URI = "wss:" "//" host [ ":" port ] path [ "?" query ]
# Fragments "MUST NOT be used on these URIs".
_WS_TODAY = "//[^/?#:@][^/?#@]*+(?:[/?][^#]*)?"


def faults_ws(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for a userinfo and for a fragment, which are not allowed."""
    userinfo, fragment = url.span("userinfo"), url.span("fragment")
    if userinfo is not None:
        yield Fault("userinfo", *userinfo, "a WebSocket URL cannot have a userinfo", WS.document(grammar))
    if fragment is not None:
        message = 'a WebSocket URL cannot have a fragment; write "#" as %23'
        yield Fault("fragment", fragment[0] - 1, fragment[1], message, WS.document(grammar))


WS = Scheme(
    name="ws",
    title="a WebSocket",
    documents={"rfc3986": "RFC 6455 section 3"},
    patterns={"rfc3986": _WS_TODAY},
    parse=parse_ws,
    faults=faults_ws,
    examples=("ws://h.example", "ws://h.example:8080/chat?room=1"),
)
WSS = WS._replace(name="wss", title="a WebSocket over TLS", examples=("wss://h.example/chat",))
