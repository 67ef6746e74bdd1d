"""Compose a URL from parts. Invalid characters are escaped; parts that no URL can have are refused."""

import re

from urlscan.core.choices import Profile
from urlscan.core.errors import RefusedError
from urlscan.core.secrets import redact
from urlscan.core.typing import Any
from urlscan.uri.grammar.generic import IP_LITERAL, full_match
from urlscan.uri.schemes import accepts
from urlscan.uri.transform.escapes import quote
from urlscan.uri.transform.idn import to_ascii
from urlscan.uri.url import QueryParams, Url, UrlParts, same_components, split


def build(parts: UrlParts, profile: Profile) -> str:
    """Return the URL composed of the parts; raise RefusedError if no URL can have them, or if `profile` rejects it."""
    whole = _with_parts(split("")._replace(profile=profile), parts)
    url = whole.unparse()
    if same_components(split(url), whole) and accepts(url, profile, "uri-reference"):
        return url
    what = f"URL by {profile.upper()}"
    if whole.scheme and full_match(profile, "uri-reference").fullmatch(url):
        what = f"{whole.scheme} {what}"
    raise RefusedError(f"{redact(url)} is not a valid {what}", hint="urlscan.check reports the problems")


def rebuild(url: Url, parts: UrlParts) -> str:
    """Return the URL with other components, which are escaped; the others stay as they are, valid or not."""
    if unknown := parts.keys() - UrlParts.__annotations__.keys():
        raise TypeError(f"{min(unknown)!r} is not a component; use one of {', '.join(UrlParts.__annotations__)}")
    return _with_parts(url, parts).unparse()


def _with_parts(url: Url, parts: UrlParts) -> Url:
    """Return the URL with the given parts, escaped; raise TypeError or RefusedError for those that no URL can have."""
    for name, part in parts.items():
        if not (part is None or isinstance(part, str) or name == "query" or (name == "port" and isinstance(part, int))):
            types = "an int or a str" if name == "port" else "a str"
            raise TypeError(f"the {name} of a URL must be {types}, not {type(part).__name__}")
    components = {name: _component(name, part, url.profile) for name, part in parts.items() if part is not None}
    url = url._replace(**dict.fromkeys(parts) | components, authority=None)
    scheme, host, path = url.scheme, url.host, url.path or ""
    if host is None and (url.userinfo is not None or url.port is not None):
        raise RefusedError("a userinfo or port requires a host")
    # RFC 3986 section 3.3
    if host is not None and path and not path.startswith("/"):
        raise RefusedError('after a host, a path must begin with "/"', hint=f'write "/{path}"')
    if host is None and path.startswith("//"):
        raise RefusedError('without a host, a path cannot begin with "//"', hint='write "/." before it')
    if host is None and scheme is None and ":" in path.partition("/")[0]:
        raise RefusedError("the first segment would be read as a scheme", hint=f'write "./{path}"')
    return url._replace(path=path)


def _component(name: str, part: Any, profile: str) -> str:
    """Return a part, escaped or as a host or port."""
    if name == "host":
        return _host(part, profile)
    if name == "port":
        text = str(part)
        if not (text == "" or (text.isascii() and text.isdecimal())):
            raise RefusedError(f'"{text}" is not a port', hint="RFC 3986 section 3.2.3: digits")
        return text
    if name == "scheme":
        if re.fullmatch("[A-Za-z][A-Za-z0-9+.-]*", part) is None:
            raise RefusedError(f'"{part}" is not a scheme', hint="write a letter, then letters, digits, +, - and .")
        return str(part)
    if isinstance(part, str):
        return quote(part, name, profile, raw=False)
    # In names and values "&", "=", "+" and "%" are data.
    pairs = QueryParams(part).multi_items()
    fields = ([quote(text, "parameter", profile, raw=True) for text in pair] for pair in pairs)
    return "&".join(f"{name}={value}" for name, value in fields)


def _host(host: str, profile: str) -> str:
    if host.startswith("["):
        if re.fullmatch(IP_LITERAL, host) is None:
            raise RefusedError(f'"{host}" is not an IP literal', hint="RFC 3986 section 3.2.2")
        return host
    if ":" in host:
        if re.fullmatch(IP_LITERAL, f"[{host}]") is None:
            raise RefusedError(f'"{redact("//" + host)[2:]}" is not a host', hint="pass the port as a separate part")
        return f"[{host}]"
    if not host.isascii() and profile != "rfc3987":
        host = to_ascii(host)
    if re.search(r"[\s/?#@\\<>\"{}|^`\[\]]|%(?![0-9A-Fa-f]{2})", host):
        raise RefusedError(f'"{host}" is not a host', hint="RFC 3986 section 3.2.2")
    return host
