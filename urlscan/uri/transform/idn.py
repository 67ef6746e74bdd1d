"""Convert internationalized hosts, and IRIs to URIs and back (RFC 3987 section 3, RFC 5891)."""

import re
from types import ModuleType

from urlscan.core.errors import ConfigError, RefusedError
from urlscan.core.project import install_command
from urlscan.uri.grammar.characters import escaped
from urlscan.uri.transform.escapes import decode_escapes, unreserved
from urlscan.uri.url import Url


def _idna() -> ModuleType:
    """Return the package, which converts labels; raise ConfigError if it is not installed."""
    try:
        import idna
    except ImportError:
        raise ConfigError("internationalized hosts require the package idna", hint=install_command("idn")) from None
    return idna


def to_ascii(host: str) -> str:
    """Return `host` with its labels as A-labels, as in the DNS; raise RefusedError if IDNA does not allow one."""
    if host.isascii():
        return host
    idna = _idna()
    try:
        # UTS #46 maps common input, such as capitals and full-width forms, to labels that can be registered.
        encoded: bytes = idna.encode(host, uts46=True, transitional=False)
    except idna.IDNAError as error:
        raise RefusedError(f"not a host by IDNA: {error}") from None
    return encoded.decode("ascii")


def to_unicode(host: str) -> str:
    """Return `host` with its A-labels in Unicode; other labels are unchanged."""
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


def host_names(host: str) -> tuple[str, str | None]:
    """Return the host that a URL means in Unicode, and in ASCII, or None if IDNA does not allow it.

    Without idna, an ASCII host is unchanged and the ASCII form of any other is None. RFC 3986 section 3.2.2: escapes of
    a name are decoded before IDNA; a resolver ignores letter case and a final dot.
    """
    if "%" in host:
        characters = unreserved("rfc3987")
        host = decode_escapes(host, lambda character: characters.match(character) is not None)
    host = host.lower().removesuffix(".")
    if host.isascii() and "xn--" not in host:
        return host, host
    try:
        unicode_host = to_unicode(host)
        if not host.isascii():
            return unicode_host, to_ascii(host).lower()
        is_refused = any(label.startswith("xn--") for label in unicode_host.split("."))  # such a label is not decoded
        return unicode_host, None if is_refused else host
    except ConfigError:
        return host, host if host.isascii() else None
    except RefusedError:
        return host, None


def to_uri(url: Url) -> str:
    """Return an IRI as a URI: RFC 3987 section 3.1, with IDNA for the host, the alternative of its last step."""
    components = url.changed(lambda part: re.sub("[^\x00-\x7f]+", lambda match: escaped(match[0]), part))
    if url.host is not None:
        components["host"] = to_ascii(url.host)
    return url._replace(**components).unparse()


def to_iri(url: Url) -> str:
    """Return a URI as an IRI: RFC 3987 section 3.2; only escapes of non-ASCII characters are decoded."""
    pattern = unreserved("rfc3987")
    components = url.changed(
        lambda part: decode_escapes(part, lambda character: not character.isascii() and bool(pattern.match(character)))
    )
    if url.host is not None:
        components["host"] = to_unicode(components["host"])
    return url._replace(**components).unparse()
