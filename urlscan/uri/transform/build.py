"""Compose a URL from parts. Invalid characters are escaped; parts that no URL can have are refused."""

import re
from collections.abc import Iterable, Mapping

from urlscan.core.choices import Profile
from urlscan.core.errors import RefusedError
from urlscan.core.secrets import redact
from urlscan.uri.grammar.generic import full_match, grammar_of
from urlscan.uri.grammar.hosts import IP_LITERAL
from urlscan.uri.query import QueryParams
from urlscan.uri.schemes import accepts
from urlscan.uri.transform.escapes import quote
from urlscan.uri.transform.idn import to_ascii
from urlscan.uri.url import Url, UrlParts, recompose, split

_SCHEME = "[A-Za-z][A-Za-z0-9+.-]*"


def build(parts: UrlParts, profile: Profile) -> str:
    """Return the URL composed of the parts.

    Raises:
        TypeError: a part has another type.
        RefusedError: no URL can have these parts, or `profile` rejects it.
    """
    components = _components(split("")._replace(profile=profile), parts)
    url = recompose(*components)
    _check_whole(url, components[0], components[1], profile)
    return url


def rebuild(url: Url, parts: UrlParts) -> str:
    """Return the URL with other components, which are escaped; the others stay as they are, valid or not.

    Raises:
        TypeError: a component has another name or type.
        RefusedError: no URL can have these components.
    """
    if unknown := parts.keys() - UrlParts.__optional_keys__:
        raise TypeError(f"{min(unknown)!r} is not a component; use one of {', '.join(UrlParts.__annotations__)}")
    return recompose(*_components(url, parts))


def _components(url: Url, parts: UrlParts) -> tuple[str | None, str | None, str, str | None, str | None]:
    """Return scheme, authority, path, query and fragment of the URL with the given parts, which are escaped."""
    for name, part in parts.items():
        if not (part is None or isinstance(part, str) or name == "query" or (name == "port" and isinstance(part, int))):
            types = "an int or a str" if name == "port" else "a str"
            raise TypeError(f"the {name} of a URL must be {types}, not {type(part).__name__}")
    scheme = parts.get("scheme", url.scheme)
    if scheme is not None and scheme != url.scheme and re.fullmatch(_SCHEME, scheme) is None:
        raise RefusedError(f'"{scheme}" is not a scheme', hint="write a letter, then letters, digits, +, - and .")
    authority = _replaced_authority(url, parts)
    path = quote(parts["path"] or "", "path", url.profile, raw=False) if "path" in parts else url.path
    _check_path(scheme, authority, path)
    query = _query(parts["query"], url.profile) if "query" in parts else url.query
    fragment = _quoted(parts["fragment"], "fragment", url.profile) if "fragment" in parts else url.fragment
    return scheme, authority, path, query, fragment


def _replaced_authority(url: Url, parts: UrlParts) -> str | None:
    """Return the authority with other parts; None if the URL has none."""
    if parts.keys().isdisjoint(("userinfo", "host", "port")):
        return url.authority
    userinfo = _quoted(parts["userinfo"], "userinfo", url.profile) if "userinfo" in parts else url.userinfo
    host = url.host
    if "host" in parts:
        host = None if parts["host"] is None else _host(parts["host"], url.profile)
    port = url.port
    if "port" in parts:
        port = None if parts["port"] is None else _port(parts["port"])
    if host is None:
        if userinfo is not None or port is not None:
            raise RefusedError("a userinfo or port requires a host")
        return None
    return ("" if userinfo is None else userinfo + "@") + host + ("" if port is None else ":" + port)


def _query(query: str | Mapping[str, str] | Iterable[tuple[str, str]] | None, profile: str) -> str | None:
    """Return a query, escaped; in names and values "&", "=", "+" and "%" are data."""
    if query is None or isinstance(query, str):
        return _quoted(query, "query", profile)
    pairs = QueryParams(query).multi_items()
    fields = ([quote(text, "parameter", profile, raw=True) for text in pair] for pair in pairs)
    return "&".join(f"{name}={value}" for name, value in fields)


def _quoted(part: str | None, component: str, profile: str) -> str | None:
    return None if part is None else quote(part, component, profile, raw=False)


def _host(host: str, profile: str) -> str:
    if host.startswith("["):
        if re.fullmatch(IP_LITERAL, host) is None:
            raise RefusedError(f'"{host}" is not an IP literal', hint="RFC 3986 section 3.2.2")
        return host
    if ":" in host:
        if re.fullmatch(IP_LITERAL, f"[{host}]") is None:
            raise RefusedError(f'"{host}" is not a host', hint="pass the port as a separate part")
        return f"[{host}]"
    if not host.isascii() and profile != "rfc3987":
        host = to_ascii(host)
    if re.search(r"[\s/?#@\\<>\"{}|^`\[\]]|%(?![0-9A-Fa-f]{2})", host):
        raise RefusedError(f'"{host}" is not a host', hint="RFC 3986 section 3.2.2")
    return host


def _port(port: int | str) -> str:
    text = str(port)
    if not ((text.isascii() and text.isdecimal()) or text == ""):
        raise RefusedError(f'"{text}" is not a port', hint="RFC 3986 section 3.2.3: digits")
    return text


def _check_path(scheme: str | None, host: str | None, path: str) -> None:
    # RFC 3986 section 3.3
    if host is not None and path and not path.startswith("/"):
        raise RefusedError('after a host, a path must begin with "/"', hint=f'write "/{path}"')
    if host is None and path.startswith("//"):
        raise RefusedError('without a host, a path cannot begin with "//"', hint='write "/." before it')
    if host is None and scheme is None and ":" in path.partition("/")[0]:
        raise RefusedError("the first segment would be read as a scheme", hint=f'write "./{path}"')


def _check_whole(url: str, scheme: str | None, authority: str | None, profile: str) -> None:
    parts = split(url)
    grammar, kind = grammar_of(profile, "uri-reference")
    good = (parts.scheme, parts.authority) == (scheme, authority)
    if good and accepts(url, profile, "uri-reference"):
        return
    generic = full_match(grammar, kind).fullmatch(url) is not None
    whose = f"{scheme} URL by {profile.upper()}" if generic and scheme else f"URL by {profile.upper()}"
    raise RefusedError(f"{redact(url)} is not a valid {whose}", hint="urlscan.check reports the problems")
