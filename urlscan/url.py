"""The immutable `Url`: a string and its components.

Any string has components: RFC 3986 appendix B gives an expression that matches every one of them,
and what is wrong with a component is for the rules to say.
"""

import functools
import re
from typing import Any, NamedTuple

from urlscan.grammar.hosts import IP_LITERAL, IPV4_ADDRESS
from urlscan.model import Problem
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
        profile: the specification that it was read by.
        detail: the scheme's own parts (`urlscan.schemes`); None if `parse` did not look, or there are none.
        problems: what is wrong with it, by the default rules; empty if `parse` did not look.
        delimiters: what stood around it and is no part of it, such as "<URL:>", or "".
        ignored: how many characters of white space were left out (RFC 2396 appendix E).
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
    profile: str = "rfc3986"
    detail: tuple[Any, ...] | None = None
    problems: tuple[Problem, ...] = ()
    delimiters: str = ""
    ignored: int = 0

    @property
    def user(self) -> str | None:
        """The userinfo up to its first colon, as it is written (RFC 1738 section 3.1)."""
        return None if self.userinfo is None else self.userinfo.partition(":")[0]

    @property
    def password(self) -> str | None:
        """The userinfo behind its first colon, as it is written: None is absent, "" is empty."""
        if self.userinfo is None or ":" not in self.userinfo:
            return None
        return self.userinfo.partition(":")[2]

    @property
    def host_kind(self) -> str | None:
        """What the host is by RFC 3986 section 3.2.2; None where there is none.

        ipv6, ipvfuture, ipv4, reg-name; "invalid" for a bracket that begins no literal.
        """
        if self.host is None:
            return None
        if self.host.startswith("["):
            if re.fullmatch(IP_LITERAL, self.host) is None:
                return "invalid"
            return "ipvfuture" if self.host[1] in "vV" else "ipv6"
        return "ipv4" if re.fullmatch(IPV4_ADDRESS, self.host) else "reg-name"

    def unparse(self) -> str:
        """Return the URL that the components make (RFC 3986 section 5.3): `text`, unless some were replaced."""
        authority = self.authority
        if self.host is not None:
            authority = "" if self.userinfo is None else self.userinfo + "@"
            authority += self.host + ("" if self.port is None else ":" + self.port)
        return recompose(self.scheme, authority, self.path, self.query, self.fragment)

    def __repr__(self) -> str:
        """Short, with passwords masked (RFC 3986 section 7.5)."""
        return f"Url({redact(self.text)!r})"

    @property
    def spans(self) -> dict[str, tuple[int, int]]:
        """Where each component that is there stands, as `span` tells; the authority before its parts."""
        names = ("scheme", "authority", *COMPONENTS[1:])
        return {name: span for name in names if (span := self.span(name)) is not None}

    def span(self, component: str) -> tuple[int, int] | None:
        """Return where `component` stands in `text`, without its delimiters; None where it is absent.

        Args:
            component: a field of those from `scheme` to `fragment`, or user or password.
        """
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
            case "authority" | "userinfo" | "user":
                return scheme_end + 2
            case "password":
                return scheme_end + 2 + len(self.user or "") + 1
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


@functools.cache
def _login_1738() -> re.Pattern[str]:
    # RFC 1738 section 5:  user = *[ uchar | ";" | "?" | "&" | "=" ]       password is the same
    #                      login = [ user [ ":" password ] "@" ] hostport
    # The schemes whose URLs have no login aside.
    schemes = r"(?!(?i:http|gopher|nntp|wais|prospero):)[^:/?#]+"
    return re.compile(rf"({schemes}):(?://([^/#]*\?[^/#]*@[^/?#@]*))([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)


# RFC 1738 sections 3.5 and 3.6, RFC 1630: what follows their colon is one part, and "//" in it names no host.
_WITHOUT_HOST = frozenset(("news", "mailto", "mid", "cid"))


def split(url: str, profile: str = "rfc3986") -> Url:
    """Return the components of `url`, which may be any string.

    By rfc1738 a user name or password may hold a "?", and by that and rfc1630 news, mailto, mid and cid
    have no host; otherwise the profile makes no difference.

    >>> url = split("ftp://user@h.example:21/pub?a#b")
    >>> url.host, url.port, url.path, url.span("query")
    ('h.example', '21', '/pub', (28, 29))
    """
    login = _login_1738().fullmatch(url) if profile == "rfc1738" and "?" in url else None
    match = login or _appendix_b().match(url)
    assert match is not None  # noqa: S101 - every part of the expression may be empty
    scheme, authority, path, query, fragment = match.groups()
    if authority is not None and profile in ("rfc1738", "rfc1630") and scheme and scheme.lower() in _WITHOUT_HOST:
        authority, path = None, f"//{authority}{path}"
    if authority is None:
        return Url(url, scheme, None, None, None, None, path, query, fragment)
    userinfo, host, port = _split_authority(authority)
    return Url(url, scheme, authority, userinfo, host, port, path, query, fragment)


def recompose(scheme: str | None, authority: str | None, path: str, query: str | None, fragment: str | None) -> str:
    """Return the URL of five components (RFC 3986 section 5.3); None is absent, "" is empty."""
    url = path
    if authority is not None:
        url = f"//{authority}{url}"
    if scheme is not None:
        url = f"{scheme}:{url}"
    if query is not None:
        url = f"{url}?{query}"
    return url if fragment is None else f"{url}#{fragment}"


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
