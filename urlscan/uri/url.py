"""The immutable `Url`: a string and its components.

Any string has components: the expression of RFC 3986 appendix B matches all strings. The rules report invalid
components.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from urlscan.core.lazy import lazy
from urlscan.core.record import Record
from urlscan.core.records import MaskedRecord, Problem
from urlscan.core.secrets import redact
from urlscan.core.typing import HostKind, Profile, TypedDict, Unpack
from urlscan.uri.grammar.characters import decoded
from urlscan.uri.grammar.generic import IP_LITERAL, IPV4_ADDRESS

# From left to right, without the authority, which consists of userinfo, host and port.
COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")


# RFC 3986 appendix B:  ^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?
# The groups do not include the delimiters; "." matches a line end as well, so that every string matches.
_APPENDIX_B = lazy(r"(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)


class Detail(MaskedRecord):
    """The parts of a URL that are specific to its scheme: the base class of one record per scheme."""


class QueryParams(Mapping[str, str]):
    """The parameters of a query, in order; a name can occur more than once.

    As a mapping, it returns the first value of a name. `get_list` returns all of them, `multi_items` all parameters.

    >>> params = QueryParams.parse("tag=a&tag=b&q=x+y%26z&flag")
    >>> params["tag"], params.get_list("tag"), params["q"], params["flag"], params.get("page")
    ('a', ['a', 'b'], 'x y&z', '', None)
    >>> params.multi_items()
    [('tag', 'a'), ('tag', 'b'), ('q', 'x y&z'), ('flag', '')]
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> None:
        """Create the parameters from a mapping or pairs of names and values; raise TypeError for anything else."""
        if isinstance(items, QueryParams):
            pairs: list[object] = [*items.multi_items()]
        elif isinstance(items, str) or not isinstance(items, Iterable):
            raise TypeError(f"a query must be a mapping or pairs of strings, not {type(items).__name__}")
        else:
            pairs = [*(items.items() if isinstance(items, Mapping) else items)]
        self._items = tuple(map(_pair, pairs))

    @classmethod
    def parse(cls, query: str | None) -> "QueryParams":
        """Return the parameters of a query: divided at "&", escapes decoded as UTF-8, "+" read as a space.

        A parameter without "=" has the value "". Octets that are not UTF-8 become lone surrogates (surrogateescape).
        """
        fields = (field.replace("+", " ").partition("=") for field in (query or "").split("&") if field)
        return cls((decoded(name), decoded(value)) for name, _, value in fields)

    def __getitem__(self, name: str) -> str:
        for key, value in self._items:
            if key == name:
                return value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(dict(self._items))

    def __len__(self) -> int:
        return len(dict(self._items))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, QueryParams):
            return self._items == other._items
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._items)

    def __repr__(self) -> str:
        """Return the parameters with secrets masked."""
        masked = [(name, redact(f"?{name}={value}")[len(name) + 2 :]) for name, value in self._items]
        return f"QueryParams({masked!r})"

    def get_list(self, name: str) -> list[str]:
        """Return the values of a name, in order."""
        return [value for key, value in self._items if key == name]

    def multi_items(self) -> list[tuple[str, str]]:
        """Return the names and values of all parameters, in order."""
        return list(self._items)


def _pair(pair: object) -> tuple[str, str]:
    match pair:
        case (str(name), str(value)):
            return name, value
    raise TypeError("the names and values of a query must be pairs of strings")


class UrlParts(TypedDict, total=False):
    """The arguments of `Url.replace`."""

    scheme: str | None
    userinfo: str | None
    host: str | None
    port: int | str | None
    path: str | None
    query: str | Mapping[str, str] | Iterable[tuple[str, str]] | None
    fragment: str | None


class Url(Record):
    """A URL reference and its components; None means absent, "" means empty. `str(url)` is the reference.

    Attributes:
        text: the complete reference.
        scheme, authority, path, query, fragment: by RFC 3986 appendix B, for any string.
        userinfo, host, port: the authority, split at its last "@" and at its last ":" outside of
            brackets (RFC 3986 section 3.2).
        profile: the specification that it was parsed by.
        detail: the parts specific to the scheme, one of the records in `urlscan.details`; None if there are none.
        problems: problems found by the default rules; empty unless set by `parse`.
        delimiters: the delimiters removed around the URL, such as "<URL:>", or "".
        ignored: the number of white space characters removed (RFC 2396 appendix E).
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
    profile: "Profile" = "rfc3986"
    detail: Detail | None = None
    problems: tuple[Problem, ...] = ()
    delimiters: str = ""
    ignored: int = 0
    # Creates the result of `replace`; set by `parse`, which is in a higher layer.
    _rebuild: "Callable[[Url, UrlParts], Url] | None" = None

    @property
    def params(self) -> QueryParams:
        """The parameters of the query, decoded: a mapping in which a name can occur more than once."""
        return QueryParams.parse(self.query)

    def replace(self, **parts: "Unpack[UrlParts]") -> "Url":
        """Return the URL with other components, parsed by the same profile.

        Characters that are not allowed in a new component are escaped, existing escapes are kept (see
        `urlscan.quote`), and None removes a component. Components that are not named stay as they are.

        Args:
            parts: scheme, userinfo, host, port, path, query and fragment. The query can also be a mapping or pairs of
                names and values, whose delimiters and "%" are escaped.

        Raises:
            RefusedError: no URL can have these components.

        >>> import urlscan
        >>> url = urlscan.parse("http://h.example:8080/a?page=1")
        >>> str(url.replace(host="www.h.example", port=None))
        'http://www.h.example/a?page=1'
        >>> str(url.replace(query={"q": "a&b", "page": "2"}, fragment="top"))
        'http://h.example:8080/a?q=a%26b&page=2#top'
        """
        if self._rebuild is None:
            raise TypeError("replace requires a URL that urlscan.parse returned")
        return self._rebuild(self, parts)

    @property
    def user(self) -> str | None:
        """The userinfo up to its first colon, with escapes (RFC 1738 section 3.1)."""
        return self.userinfo and self.userinfo.partition(":")[0]

    @property
    def password(self) -> str | None:
        """The userinfo after its first colon, with escapes; None if absent, "" if empty."""
        if self.userinfo is None or ":" not in self.userinfo:
            return None
        return self.userinfo.partition(":")[2]

    @property
    def host_kind(self) -> HostKind | None:
        """The form of the host by RFC 3986 section 3.2.2, or None without a host.

        One of ipv6, ipvfuture, ipv4 and reg-name, or "invalid" for a bracket that does not begin a literal.
        """
        if self.host is None:
            return None
        if self.host.startswith("["):
            if re.fullmatch(IP_LITERAL, self.host) is None:
                return "invalid"
            if self.host[1] in "vV":
                return "ipvfuture"
            return "ipv6"
        if re.fullmatch(IPV4_ADDRESS, self.host):
            return "ipv4"
        return "reg-name"

    def changed(self, change: Callable[[str], str]) -> dict[str, str]:
        """Return the components from userinfo to fragment that are present, without the port, after a change."""
        names = ("userinfo", "host", "path", "query", "fragment")
        return {name: change(part) for name in names if (part := getattr(self, name)) is not None}

    def unparse(self) -> str:
        """Return the URL composed of the components (RFC 3986 section 5.3): `text`, unless some were replaced."""
        authority = self.authority
        if self.host is not None:
            authority = self.host
            if self.userinfo is not None:
                authority = f"{self.userinfo}@{authority}"
            if self.port is not None:
                authority += f":{self.port}"
        return recompose(self.scheme, authority, self.path, self.query, self.fragment)

    def __str__(self) -> str:
        """Return the reference; it contains passwords."""
        return self.text

    def __repr__(self) -> str:
        """Return the call that gives this URL, with passwords masked (RFC 3986 section 7.5)."""
        profile = "" if self.profile == "rfc3986" else f", profile={self.profile!r}"
        return f"urlscan.parse({redact(self.text)!r}{profile})"

    @property
    def spans(self) -> dict[str, tuple[int, int]]:
        """Return the span of each component that is present, as in `span`; the authority precedes its parts."""
        names = ("scheme", "authority", *COMPONENTS[1:])
        return {name: span for name in names if (span := self.span(name)) is not None}

    def span(self, component: str) -> tuple[int, int] | None:
        """Return the span of a component in `text` without its delimiters, or None if it is absent.

        Args:
            component: a field from `scheme` to `fragment`, or user or password.
        """
        value: str | None = getattr(self, component)
        if value is None:
            return None
        # The offsets of authority, path, query and fragment, whether or not they are present.
        authority = 2 if self.scheme is None else len(self.scheme) + 3
        path = authority - 2 if self.authority is None else authority + len(self.authority)
        query = path + len(self.path) + 1
        fragment = query if self.query is None else query + len(self.query) + 1
        start = {"scheme": 0, "path": path, "query": query, "fragment": fragment}.get(component, authority)
        if component == "port":
            start = path - len(value)
        elif component == "password":
            start += len(self.user or "") + 1
        elif component == "host" and self.userinfo is not None:
            start += len(self.userinfo) + 1
        return start, start + len(value)


# RFC 1738 section 5:  user = *[ uchar | ";" | "?" | "&" | "=" ]       password is the same
#                      login = [ user [ ":" password ] "@" ] hostport
# Not for schemes whose URLs have no login.
_SCHEMES_1738 = r"(?!(?i:http|gopher|nntp|wais|prospero):)[^:/?#]+"
_LOGIN_1738 = lazy(rf"({_SCHEMES_1738}):(?://([^/#]*\?[^/#]*@[^/?#@]*))([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL)

# RFC 1738 sections 3.5 and 3.6, RFC 1630: the text after the colon is one part, in which "//" does not begin a host.
_WITHOUT_HOST = frozenset(("news", "mailto", "mid", "cid"))


def split(url: str, profile: str = "rfc3986") -> Url:
    """Return the components of `url`, which may be any string.

    By rfc1738 a user name or password may contain "?". By rfc1738 and rfc1630 news, mailto, mid and cid have no host.
    Otherwise the profile makes no difference.

    >>> url = split("ftp://user@h.example:21/pub?a#b")
    >>> url.host, url.port, url.path, url.span("query")
    ('h.example', '21', '/pub', (28, 29))
    """
    match = None
    if profile == "rfc1738" and "?" in url:
        match = _LOGIN_1738.fullmatch(url)
    match = match or _APPENDIX_B.match(url)
    assert match is not None  # noqa: S101 - every part of the expression may be empty
    scheme, authority, path, query, fragment = match.groups()
    if authority is not None and profile in ("rfc1738", "rfc1630") and scheme and scheme.lower() in _WITHOUT_HOST:
        authority, path = None, f"//{authority}{path}"
    if authority is None:
        return Url(url, scheme, None, None, None, None, path, query, fragment)
    # RFC 3986 section 3.2:  authority = [ userinfo "@" ] host [ ":" port ]
    before, sign, host = authority.rpartition("@")
    userinfo, port = before if sign else None, None
    colon, closing = host.rfind(":"), host.rfind("]")
    # Not "[::1]", nor "[::1" without a closing bracket.
    if colon > closing and (closing >= 0 or "[" not in host):
        host, port = host[:colon], host[colon + 1 :]
    return Url(url, scheme, authority, userinfo, host, port, path, query, fragment)


def same_components(url: Url, other: Url) -> bool:
    """Return whether two URLs have the same components."""
    return all(getattr(url, name) == getattr(other, name) for name in COMPONENTS)


def recompose(scheme: str | None, authority: str | None, path: str, query: str | None, fragment: str | None) -> str:
    """Return the URL composed of five components (RFC 3986 section 5.3); None means absent, "" means empty."""
    url = path
    if authority is not None:
        url = f"//{authority}{url}"
    if scheme is not None:
        url = f"{scheme}:{url}"
    if query is not None:
        url = f"{url}?{query}"
    return url if fragment is None else f"{url}#{fragment}"
