"""Internationalized hosts, and IRIs to URIs and back (RFC 3987 section 3, RFC 5891)."""

import re
from types import ModuleType

from urlscan.errors import ConfigError, RefusedError
from urlscan.grammar.characters import escaped
from urlscan.transform.escapes import undone, unreserved
from urlscan.url import Url


def _idna() -> ModuleType:
    try:
        import idna
    except ImportError:
        raise ConfigError(
            "internationalized hosts need the package idna", hint="pip install 'urlscan-lint[idn]'"
        ) from None
    return idna


def to_ascii(host: str) -> str:
    """Return `host` with its labels as A-labels, as the DNS has them.

    Raises:
        RefusedError: a label that IDNA does not take.
        ConfigError: the package idna is not there.
    """
    if host.isascii():
        return host
    idna = _idna()
    try:
        # UTS #46 maps what people type, capitals and full-width forms among it, to what may be registered.
        encoded: bytes = idna.encode(host, uts46=True, transitional=False)
    except idna.IDNAError as error:
        raise RefusedError(f"no host by IDNA: {error}") from None
    return encoded.decode("ascii")


def to_unicode(host: str) -> str:
    """Return `host` with its A-labels as people read them; what is none stays as it is.

    Raises:
        ConfigError: the package idna is not there.
    """
    if "xn--" not in host.lower():
        return host
    idna = _idna()
    labels = []
    for label in host.split("."):
        try:
            labels.append(idna.decode(label) if label.lower().startswith("xn--") else label)
        except idna.IDNAError:
            labels.append(label)
    return ".".join(labels)


def to_uri(url: Url) -> str:
    """Return an IRI as a URI: RFC 3987 section 3.1, the host by its last step's alternative, IDNA."""
    parts = url._replace(
        host=None if url.host is None else to_ascii(url.host),
        userinfo=None if url.userinfo is None else _octets(url.userinfo),
        path=_octets(url.path),
        query=None if url.query is None else _octets(url.query),
        fragment=None if url.fragment is None else _octets(url.fragment),
    )
    return parts.unparse()


def _octets(text: str) -> str:
    return text if text.isascii() else re.sub("[^\x00-\x7f]+", lambda match: escaped(match[0]), text)


def to_iri(url: Url) -> str:
    """Return a URI as an IRI: RFC 3987 section 3.2; only characters beyond US-ASCII come out of escapes."""
    pattern = unreserved("rfc3987")

    def decode(component: str | None) -> str | None:
        if component is None:
            return None
        return undone(component, lambda c: not c.isascii() and pattern.match(c) is not None)

    parts = url._replace(
        host=None if url.host is None else to_unicode(decode(url.host) or ""),
        userinfo=decode(url.userinfo),
        path=decode(url.path) or "",
        query=decode(url.query),
        fragment=decode(url.fragment),
    )
    return parts.unparse()
