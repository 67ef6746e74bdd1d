"""The immutable `Url`: a string and its components.

Any string has components: RFC 3986 appendix B gives an expression that matches every one of them,
and what is wrong with a component is for the rules to say.
"""

import functools
import re
from typing import NamedTuple

from urlscan.redact import redact

# From left to right, without the authority, whose parts these are.
COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")


@functools.cache
def _appendix_b() -> re.Pattern[str]:
    # RFC 3986 appendix B:  ^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?
    # The groups without their delimiters; "." takes a line end too, so that every string matches.
    return re.compile(r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)


class Url(NamedTuple):
    """A URL reference and its components; None is absent, "" is empty.

    Attributes:
        text: the whole.
        scheme, authority, path, query, fragment: by RFC 3986 appendix B, for any string.
        userinfo, host, port: the authority, split at its last "@" and at its last ":" outside of
            brackets (RFC 3986 section 3.2).
    """

    text: str
    scheme: str | None
    authority: str | None
    userinfo: str | None
    host: str | None
    port: str | None
    path: str
    query: str | None
    fragment: str | None

    def __repr__(self) -> str:
        """Short, with passwords masked (RFC 3986 section 7.5)."""
        return f"Url({redact(self.text)!r})"

    def span(self, component: str) -> tuple[int, int] | None:
        """Return where `component` stands in `text`, without its delimiters; None where it is absent."""
        value: str | None = getattr(self, component)
        if value is None:
            return None
        start = self._start(component)
        return start, start + len(value)

    def _start(self, component: str) -> int:
        scheme_end = 0 if self.scheme is None else len(self.scheme) + 1
        match component:
            case "scheme":
                return 0
            case "authority" | "userinfo":
                return scheme_end + 2
            case "host":
                return scheme_end + 2 + (0 if self.userinfo is None else len(self.userinfo) + 1)
            case "port":
                return scheme_end + 2 + len(self.authority or "") - len(self.port or "")
            case "path":
                return scheme_end + (0 if self.authority is None else 2 + len(self.authority))
        fragment_start = len(self.text) - len(self.fragment or "")
        if component == "fragment":
            return fragment_start
        query_end = fragment_start if self.fragment is None else fragment_start - 1
        return query_end - len(self.query or "")


def split(url: str) -> Url:
    """Return the components of `url`, which may be any string.

    >>> url = split("ftp://user@h.example:21/pub?a#b")
    >>> url.host, url.port, url.path, url.span("query")
    ('h.example', '21', '/pub', (28, 29))
    """
    match = _appendix_b().match(url)
    assert match is not None  # noqa: S101 - every part of the expression may be empty
    scheme, authority, path, query, fragment = match.groups()
    if authority is None:
        return Url(url, scheme, None, None, None, None, path, query, fragment)
    userinfo, host, port = _split_authority(authority)
    return Url(url, scheme, authority, userinfo, host, port, path, query, fragment)


def _split_authority(authority: str) -> tuple[str | None, str, str | None]:
    # RFC 3986 section 3.2:  authority = [ userinfo "@" ] host [ ":" port ]
    at = authority.rfind("@")
    userinfo = authority[:at] if at >= 0 else None
    host = authority[at + 1 :]
    colon = host.rfind(":")
    if colon < 0:
        return userinfo, host, None
    closing = host.rfind("]")
    if closing > colon or (closing < 0 and "[" in host):  # "[::1]", or "[::1" that nobody closed
        return userinfo, host, None
    return userinfo, host[:colon], host[colon + 1 :]
