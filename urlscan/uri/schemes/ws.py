"""ws and wss: the WebSocket protocol."""

from collections.abc import Iterator

from urlscan.uri.schemes.base import Fault, Scheme
from urlscan.uri.url import Detail, Url


class ResourceName(Detail):
    """The request of a ws URL (RFC 6455 section 3).

    Attributes:
        resource_name: path ("/" if it is empty) and query, as sent.
        secure: whether the connection uses TLS.
    """

    resource_name: str
    secure: bool


def parse(url: Url) -> ResourceName | None:
    """Return the resource name."""
    if url.authority is None:
        return None
    name = (url.path or "/") + ("" if url.query is None else "?" + url.query)
    return ResourceName(name, (url.scheme or "").lower() == "wss")


# RFC 6455 section 3:
#   ws-URI  = "ws:" "//" host [ ":" port ] path [ "?" query ]
#   wss-URI = "wss:" "//" host [ ":" port ] path [ "?" query ]
# Fragments "MUST NOT be used on these URIs".
_TODAY = "//[^/?#:@][^/?#@]*+(?:[/?][^#]*)?"


def faults(url: Url, grammar: str) -> Iterator[Fault]:
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
    patterns={"rfc3986": _TODAY},
    parse=parse,
    faults=faults,
    examples=("ws://h.example", "ws://h.example:8080/chat?room=1"),
)
WSS = WS._replace(name="wss", title="a WebSocket over TLS", examples=("wss://h.example/chat",))
