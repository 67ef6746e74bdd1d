"""mid and cid: a message, and a part of a message."""

import re
from collections.abc import Iterator

from urlscan.core.lazy import repeat
from urlscan.uri.grammar.characters import CHARACTERS, decoded, some_of
from urlscan.uri.grammar.rfc1630 import HOST as HOST_1630
from urlscan.uri.schemes.base import FRAGMENT, Fault, Scheme, after_scheme, stray
from urlscan.uri.url import Detail, Url


class MessagePart(Detail):
    """The message or part that a mid or cid URL names (RFC 2392 section 2), without escapes and angle brackets.

    Attributes:
        message_id: of the message; None in a cid URL.
        content_id: of a part; None for the entire message.
    """

    message_id: str | None
    content_id: str | None


def parse(url: Url) -> MessagePart:
    """Return the identifiers of message and part."""
    text, _ = after_scheme(url)
    if (url.scheme or "").lower() == "cid":
        return MessagePart(None, decoded(text))
    message, slash, content = text.partition("/")
    return MessagePart(decoded(message), decoded(content) if slash else None)


# RFC 2392 section 2:
#   content-id    = url-addr-spec
#   message-id    = url-addr-spec
#   url-addr-spec = addr-spec  ; URL encoding of RFC 822 addr-spec
#   cid-url       = "cid" ":" content-id
#   mid-url       = "mid" ":" message-id [ "/" content-id ]
# One "%40" may represent the "@", as in mailto.
_ADDR_SPEC = repeat("[^%@/?#]++|(?!%40)%", 1) + "(?:@|%40)[^@/?#]++"
_MID = f"{_ADDR_SPEC}(?:/{_ADDR_SPEC})?{FRAGMENT}"
_CID = _ADDR_SPEC + FRAGMENT

# RFC 1630, BNF for specific URL schemes:
#   midaddress = "mid:" addr-spec
#   cidaddress = "cid:" content-identifier
_MID_1630 = rf"{some_of('rfc1630', 'local')}@{HOST_1630}"
_CID_1630 = some_of("rfc1630", "xpalpha")


def faults(url: Url, grammar: str) -> Iterator[Fault]:
    """Yield a fault for each invalid identifier."""
    cid = (url.scheme or "").lower() == "cid"
    document = (CID if cid else MID).document(grammar)
    text, start = after_scheme(url)
    if url.authority is not None:
        yield Fault("message-id", start, start + 2, '"//" begins a host, but an identifier has none', document)
        return
    if url.query is not None:
        at = start + len(url.path)
        yield Fault("message-id", at, at + 1, '"?" in an identifier must be escaped as %3F', document, "%3F")
        text = url.path
    if grammar == "rfc1630":
        yield from stray("content-id" if cid else "message-id", text, start, CHARACTERS["rfc1630"]["xpalpha"], document)
        if cid:
            if not text:
                yield Fault("content-id", start, start, "content-id is missing", document)
            return
        host = text.partition("@")[2]
        if host and "@" not in host and not re.fullmatch(HOST_1630, host):
            first = start + len(text) - len(host)
            yield Fault("message-id", first, first + len(host), 'text after "@" is not a host', document)
    parts = [text] if cid or grammar == "rfc1630" else text.split("/", 1)
    for name, part in zip(("content-id",) if cid else ("message-id", "content-id"), parts, strict=False):
        yield from _identifier(name, part, start, document)
        start += len(part) + 1


def _identifier(name: str, text: str, start: int, document: str) -> Iterator[Fault]:
    for match in re.finditer("/", text):
        message = f'"/" in a {name} must be escaped as %2F'
        yield Fault(name, start + match.start(), start + match.end(), message, document, "%2F")
    at = text.find("@")
    if text.count("@") > 1:
        message = f'{name} contains more than one "@"; escape the others as %40'
        yield Fault(name, start + at, start + at + 1, message, document, "%40")
    elif at < 0 and "%40" not in text[1:-3]:
        yield Fault(name, start - (not text), start + len(text), f'{name} contains no "@"', document)
    elif at == 0 or at == len(text) - 1:
        side = "before" if at == 0 else "after"
        yield Fault(name, start + at, start + at + 1, f'text {side} the "@" of the {name} is missing', document)


MID = Scheme(
    name="mid",
    title="a message, or a part of a message",
    documents={"rfc3986": "RFC 2392 section 2", "rfc1630": 'RFC 1630 section "Message-Id"'},
    patterns={"rfc3986": _MID, "rfc1630": _MID_1630},
    parse=parse,
    faults=faults,
    examples=("mid:960830.1639@h.example",),
)
CID = MID._replace(
    name="cid",
    title="a part of the message that contains the URL",
    documents={"rfc3986": "RFC 2392 section 2", "rfc1630": 'RFC 1630 section "Content-Id"'},
    patterns={"rfc3986": _CID, "rfc1630": _CID_1630},
    examples=("cid:foo4.foo1@h.example",),
)
