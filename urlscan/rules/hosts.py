"""What rules ask of hosts: whether a text looks like one, and whether a URL leads to one."""

import functools
import re

from urlscan.grammar.hosts import IPV4_ADDRESS
from urlscan.patterns import lazy
from urlscan.url import Url

# Schemes that are known to everybody, so that people misremember how many slashes follow, and of which
# way: those with a "//" in all documents, but for what belongs to terminals.
SLASHED = frozenset("ftp gopher http https nntp prospero telnet wais ws wss".split())
# What follows these is no authority, although "mailto://jo@h.example" is written.
OPAQUE = frozenset("about acct cid data doi geo im javascript magnet mailto mid pres sip sips sms tag tel urn".split())

_LABEL = lazy(r"(?!-)[\w-]{1,63}")
_IPV4 = lazy(IPV4_ADDRESS)
# What a host that stands at the beginning of a text reaches to.
_HEAD = lazy(r"[^/?#\\]*")


def has_authority(url: Url) -> bool:
    """Return whether userinfo, host and port of a URL are what they seem."""
    return url.authority is not None and (url.scheme or "").lower() not in OPAQUE


def is_ipv4(text: str) -> bool:
    """Return whether `text` is an IPv4address (RFC 3986 section 3.2.2)."""
    return _IPV4.fullmatch(text) is not None


def is_domain(text: str) -> bool:
    """Return whether `text` is a name with a top-level domain that exists.

    >>> is_domain("h.example.org."), is_domain("archive.tar"), is_domain("org")
    (True, False, False)
    """
    labels = text.lower().removesuffix(".").split(".")
    return len(labels) > 1 and all(map(_LABEL.fullmatch, labels)) and _is_top(labels[-1])


def _is_top(label: str) -> bool:
    return (label if label.isascii() else f"xn--{label.encode('punycode', 'replace').decode()}") in _tlds()


@functools.cache
def _tlds() -> frozenset[str]:
    from urlscan.data.tlds import TLDS  # some kilobytes that most runs never need

    return TLDS


def leading_authority(text: str) -> str:
    """Return the authority that `text` begins with, if it begins with one."""
    match = _HEAD.match(text)
    return match[0] if match is not None else ""


def begins_with_host(text: str) -> bool:
    """Return whether `text` begins with what everybody takes for a host.

    A name with a top-level domain or with "www.", an address, localhost; each with a port or without.

    >>> begins_with_host("www.h/x"), begins_with_host("localhost:80"), begins_with_host("a/b.html")
    (True, True, False)
    """
    host = leading_authority(text).rpartition("@")[2]
    if host.startswith("["):
        return "]" in host
    host = re.sub(r":[0-9]*\Z", "", host).lower()
    return host == "localhost" or is_ipv4(host) or is_domain(host) or re.match(r"www\.[\w-]", host) is not None
