"""Normal forms, by levels (RFC 3986 section 6.2)."""

import contextlib
import ipaddress
import re

from urlscan.core.choices import Level
from urlscan.core.errors import ConfigError, RefusedError
from urlscan.core.typing import Any, get_args
from urlscan.data.ports import DEFAULT_PORTS
from urlscan.uri.grammar.characters import ESCAPE
from urlscan.uri.grammar.domains import mapped_to_ascii
from urlscan.uri.grammar.dots import remove_dot_segments
from urlscan.uri.schemes import HIERARCHICAL, NEEDS_HOST, REGISTRY, accepts, scheme
from urlscan.uri.transform.escapes import decode_escapes, unreserved
from urlscan.uri.transform.idn import to_uri
from urlscan.uri.unwrap import unwrap
from urlscan.uri.url import Url, same_components, split

# Each level includes the previous ones: RFC 3986 sections 6.2.1, 6.2.2.1, 6.2.2.2, 6.2.2.3 and 6.2.3.
LEVELS: tuple[Level, ...] = get_args(Level)

# Schemes in whose paths "." and ".." have no meaning (RFC 5538 section 2.3, RFC 4266 section 2.1, RFC 4156 section 2,
# RFC 4157 section 2): a resolver may remove them, but a comparison must not.
_DOTS_ARE_DATA = frozenset(REGISTRY) - HIERARCHICAL | {"nntp", "gopher", "wais", "prospero"}
# Schemes whose documents allow fewer characters than RFC 3986.
_OWN_CHARACTERS = frozenset(REGISTRY) - HIERARCHICAL | {"nntp"}
# RFC 3986 section 6.2.3: "a URI that uses the generic syntax for authority with an empty path should
# be normalized to a path of "/"."  Schemes whose documents treat the two as equivalent.
_EMPTY_PATH = frozenset("http https ws wss ftp telnet tn3270 gopher".split())


def normalize(url: str, level: str, profile: str) -> str:
    """Return the normal form of `url` at `level`. Normalization is idempotent."""
    steps = LEVELS.index(level)
    parts = split(url, profile)._replace(profile=profile)
    for step in _STEPS[:steps]:
        result = step(parts)
        # "url:%41:b" must not become "url:A:b": its "url:" would be read as a prefix.
        if result.text == parts.text or unwrap(result.text, profile).url == result.text:
            parts = result
    return parts.text


def as_requested(url: str) -> str:
    """Return a URL in the form in which programs request it, apart from its fragment: in ASCII, if IDNA allows it."""
    if not url.isascii():
        with contextlib.suppress(ConfigError, RefusedError):
            url = to_uri(split(url))
    return normalize(url, "scheme", "rfc3986")


def _with_components(url: Url, **components: Any) -> Url:
    """Return the URL with other components; a path that lost its beginning keeps its meaning.

    The URL is returned unchanged if the result would be read with other components.  The empty port of "ftp://h::" is
    not removed, because the colon before it would then introduce a port.
    """
    if all(getattr(url, name) == value for name, value in components.items()):
        return url
    target = url._replace(**components)
    result = split(target.unparse(), url.profile)
    if result.authority is not None and target.authority is None:
        target = target._replace(path="/." + target.path)  # RFC 3986 section 3.3
        result = split(target.unparse(), url.profile)
    if same_components(result, target):
        return result._replace(profile=url.profile)
    return url


# --- RFC 3986 section 6.2.2.1: case normalization


def _case(url: Url) -> Url:
    components = url.changed(_with_upper_escapes)
    if url.scheme is not None:
        components["scheme"] = url.scheme.lower()
    if url.host is not None:
        components["host"] = _lower(url.host)
    return _with_components(url, **components)


def _with_upper_escapes(text: str) -> str:
    return re.sub(ESCAPE, lambda match: match[0].upper(), text)


def _lower(host: str) -> str:
    """Return a host in lowercase, but its escapes.

    RFC 3987 section 5.3.2.1: "scheme and US-ASCII only host are case insensitive".
    """
    return _with_upper_escapes(host.lower() if host.isascii() else host)


# --- RFC 3986 section 6.2.2.2: percent-encoding normalization


def _percent(url: Url) -> Url:
    result = _decoded(url, unreserved(url.profile))
    if result.text == url.text or (url.scheme or "").lower() not in _OWN_CHARACTERS:
        return result
    # "~" is unreserved, but not allowed in a newsgroup; "." divides the atoms of an address.
    if accepts(url.text, url.profile, "uri") and not accepts(result.text, url.profile, "uri"):
        return _decoded(url, re.compile("[A-Za-z0-9_-]"))
    return result


def _decoded(url: Url, pattern: re.Pattern[str]) -> Url:
    """Return the URL without the escapes of characters that match."""
    components = url.changed(lambda part: decode_escapes(part, lambda character: bool(pattern.match(character))))
    if url.host is not None:
        components["host"] = _lower(components["host"])  # characters decoded from escapes
    return _with_components(url, **components)


# --- RFC 3986 section 6.2.2.3: path segment normalization; section 3.2.3: "normalizers should omit the
# port component and its ":" delimiter if port is empty"


def _dot(url: Url) -> Url:
    path = url.path
    # By RFC 2396 section 3, a path that does not begin with "/" is opaque.
    opaque = url.scheme is not None and not path.startswith("/") and url.profile not in ("rfc3986", "rfc3987")
    if (url.scheme or "").lower() not in _DOTS_ARE_DATA and not opaque:
        rooted = url.scheme is not None or path.startswith("/")
        path = remove_dot_segments(path).path if rooted else _relative(path)
    return _with_components(_with_components(url, path=path), port=url.port or None)


def _relative(path: str) -> str:
    """Return a relative path without the dot segments that have the same effect for every base.

    Section 6.2.2.3: they "are intended only for use within relative references".  "mid/x/../6" is "mid/6" everywhere.
    Leading dot segments are required, and a ".." that removes the first segment would turn "foo/../bar" into "/bar" for
    a base such as "foo:bar" (section 5.2.4).
    """
    first, slash, rest = path.partition("/")
    if not slash or first in (".", ".."):
        return path
    remaining, above = remove_dot_segments("/" + rest, keep=True)
    if above:
        return path
    return first + remaining


# --- RFC 3986 section 6.2.3: scheme-based normalization


def _scheme(url: Url) -> Url:
    name = (url.scheme or "").lower()
    port = url.port
    if port and port.isdecimal() and port.isascii() and int(port[:9]) == DEFAULT_PORTS.get(name):
        port = None
    # RFC 1630 has no "/" after a telnet login.
    empty = name in _EMPTY_PATH and url.profile != "rfc1630"
    path = url.path
    if empty and url.authority is not None:
        path = path or "/"
    host = _address(url.host)
    # RFC 3987 section 5.3.3: hosts are equal if ToASCII maps them to the same name.
    if host is not None and url.profile == "rfc3987" and name in NEEDS_HOST:
        host = mapped_to_ascii(host) or host
    url = _with_components(_with_components(url, path=path, host=host), port=port)
    parsed_scheme = scheme(name)
    if parsed_scheme is None or parsed_scheme.normal is None:
        return url
    target = parsed_scheme.normal(url)
    result = split(target.unparse(), url.profile)
    # "tel:/./a" without its dot segment would be "tel://a", which has a host.
    if same_components(result, target):
        return result
    return url


def _address(host: str | None) -> str | None:
    """Return an IPv6 address in the form that RFC 5952 section 4 recommends."""
    if host is None or not host.startswith("[") or not host.endswith("]") or host[1:2] in ("v", "V"):
        return host
    try:
        address = ipaddress.IPv6Address(host[1:-1])
    except ValueError:
        return host
    # Section 5: addresses that embed an IPv4 address with a known prefix keep its dots.
    if address.ipv4_mapped is not None:
        return f"[::ffff:{address.ipv4_mapped}]"
    return f"[{address.compressed}]"


_STEPS = (_case, _percent, _dot, _scheme)
