"""The record of a service that rewrites links, and how the target of a link is decoded and checked."""

import binascii
import re
from collections.abc import Callable
from typing import NamedTuple

from urlscan.core.lazy import lazy
from urlscan.uri.grammar.characters import decoded
from urlscan.uri.url import Url

# A target is an absolute URL with a host, or an address. "javascript:" and relative references are not restored.
_TARGET = lazy(r"(?:https?|ftp)://[^/?#\s]|mailto:[^\s?]", re.IGNORECASE)
# RFC 3986 section 2 allows no control characters and no space; octets that are not UTF-8 have no characters.
_ESCAPED = lazy("[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class Rewriter(NamedTuple):
    """A service that rewrites links.

    Attributes:
        name: its name, that of the module with hyphens.
        hosts: the hosts of rewritten links. "*.h.example" includes the subdomains and "h.example"; "h.*" includes the
            top-level domains of countries.
        restore: returns the target of a rewritten link, not yet checked; None for another URL of the host.
    """

    name: str
    hosts: tuple[str, ...]
    restore: Callable[[Url], str | None]


def from_query(*names: str, path: str | tuple[str, ...] = ()) -> Callable[[Url], str | None]:
    """Return a function that takes the target from the first of these parameters that holds one.

    Args:
        names: the names of the parameters.
        path: the paths of rewritten links, with or without a slash at the end; () for every path.
    """
    paths = {one.rstrip("/") for one in ((path,) if isinstance(path, str) else path)}

    def restore(url: Url) -> str | None:
        if paths and url.path.rstrip("/") not in paths:
            return None
        targets = (unescaped(value) for name in names if (value := parameter(url, name)) is not None)
        return next((target for target in targets if checked(target) is not None), None)

    return restore


def parameter(url: Url, name: str) -> str | None:
    """Return the first value of a parameter as written, or None; an `&amp;` from HTML separates parameters, too."""
    for field in (url.query or "").split("&"):
        key, _, value = field.removeprefix("amp;").partition("=")
        if key == name and value:
            return value
    return None


def unescaped(value: str) -> str:
    """Return the value of a parameter with its escapes decoded as UTF-8, "+" as a space.

    In a URL that was inserted without being escaped, "+" represents itself.
    """
    return decoded(value if ":/" in value else value.replace("+", " "))


def from_base64(value: str) -> str | None:
    """Return the text that a value encodes in base64 (RFC 4648 section 4 or 5), or None; padding may be missing."""
    octets = value.rstrip("=").translate({ord("-"): "+", ord("_"): "/"})
    try:
        return binascii.a2b_base64(octets + "=" * (-len(octets) % 4), strict_mode=True).decode()
    except ValueError:  # binascii.Error, UnicodeError, or characters that are not ASCII
        return None


def checked(target: str | None) -> str | None:
    """Return a target with spaces, controls and invalid octets escaped; None if it is not an absolute URL."""
    if target is None:
        return None
    target = target.strip(" \t\r\n")
    return _ESCAPED.sub(_escape, target) if _TARGET.match(target) is not None else None


def _escape(match: re.Match[str]) -> str:
    octets = match[0].encode("utf-8", "surrogatepass")
    if "\udc80" <= match[0] <= "\udcff":
        octets = bytes([ord(match[0]) - 0xDC00])
    return "".join(f"%{octet:02X}" for octet in octets)
