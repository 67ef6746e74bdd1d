"""ws and wss: the WebSocket protocol."""

from collections.abc import Iterator
from typing import NamedTuple

from urlscan.schemes.base import Fault, Scheme
from urlscan.url import Url


class ResourceName(NamedTuple):
    """What a ws URL asks the server for (RFC 6455 section 3).

    Attributes:
        resource_name: path, "/" if it is empty, and query, as they are sent.
        secure: whether it goes over TLS.
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
def _today(name: str) -> str:
    return f"(?i:{name})://[^/?#:@][^/?#@]*+(?:[/?][^#]*)?"


def faults(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a userinfo and a fragment: they have none."""
    userinfo, fragment = url.span("userinfo"), url.span("fragment")
    if userinfo is not None:
        yield Fault("userinfo", *userinfo, "a WebSocket URL has no userinfo", WS.document(grammar))
    if fragment is not None:
        message = 'a WebSocket URL has no fragment; "#" is written %23'
        yield Fault("fragment", fragment[0] - 1, fragment[1], message, WS.document(grammar))


WS = Scheme(
    name="ws",
    title="a WebSocket",
    documents={"rfc3986": "RFC 6455 section 3"},
    patterns={"rfc3986": lambda: _today("ws")},
    parse=parse,
    faults=faults,
    examples=("ws://h.example", "ws://h.example:8080/chat?room=1"),
)
WSS = WS._replace(
    name="wss",
    title="a WebSocket over TLS",
    patterns={"rfc3986": lambda: _today("wss")},
    examples=("wss://h.example/chat",),
)
