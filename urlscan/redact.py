"""Secrets in URLs: where they stand, and the text without them.

RFC 3986 section 7.5 asks that a password be masked wherever a URI is shown.  Everything that
urlscan prints goes through here; `scan`, `resolve` and `normalize` return what is there.
"""

import re

MASK = "***"

# RFC 3986 section 3.2.1: userinfo up to the last "@" of the authority, the password after its
# first ":".  People write passwords that hold a raw "/", "?", "#" or "@"; what stands before a
# later "@" is then taken for the password too, unless it begins like a port.
_PASSWORD = re.compile(
    r"//[^\s/?#:@]{0,256}:"
    r"(?:(?P<in>[^\s/?#<>\"]{1,1024})@|(?!\d*[/?#])(?P<wild>[^\s<>\"/?#@]{0,99}[/?#][^\s<>\"@]{0,99})@(?=[\w.-]+(?:[:/?#\s]|$)))"
)
# The names that services give to a secret in a query, whole and exact.
_SECRET = re.compile(
    r"[?&;](?:access_token|api_key|secret_token|Signature|X-Amz-(?:Signature|Security-Token|Credential))="
    r"(?P<value>[^\s&;#<>\"]{8,})"
)


def secret_spans(text: str) -> list[tuple[int, int]]:
    """Return the places of secrets in `text`, in characters, in order, not overlapping.

    A non-empty password of a URL's userinfo (RFC 3986 section 3.2.1), well-formed or not, and the
    value of a query parameter whose name says that it is a secret.
    """
    spans: list[tuple[int, int]] = []
    if "@" in text:
        for match in _PASSWORD.finditer(text):
            spans.append(match.span("in") if match["in"] is not None else match.span("wild"))
    if "=" in text:
        spans.extend(match.span("value") for match in _SECRET.finditer(text))
    spans.sort()
    return spans


def redact(text: str) -> str:
    """Return `text` with every secret of a URL in it replaced by `***`."""
    spans = secret_spans(text)
    if not spans:
        return text
    parts, done = [], 0
    for start, end in spans:
        if start >= done:
            parts += [text[done:start], MASK]
            done = end
    return "".join([*parts, text[done:]])
