"""Checks of hosts that several rules share."""

import re

from urlscan.core.lazy import lazy
from urlscan.uri.grammar.domains import is_domain as is_domain
from urlscan.uri.grammar.hosts import IPV4_ADDRESS
from urlscan.uri.url import Url

# Schemes whose slashes are often misremembered: well-known schemes with a "//" in all documents, except those of
# terminals.
SLASHED = frozenset("ftp gopher http https nntp prospero telnet wais ws wss".split())
# Schemes without an authority, although "mailto://jo@h.example" is seen in practice.
OPAQUE = frozenset("about acct cid data doi geo im javascript magnet mailto mid pres sip sips sms tag tel urn".split())

_IPV4 = lazy(IPV4_ADDRESS)
# The extent of an authority at the beginning of a text.
_HEAD = lazy(r"[^/?#\\]*")


def has_authority(url: Url) -> bool:
    """Return whether the URL has an authority, with userinfo, host and port."""
    return url.authority is not None and (url.scheme or "").lower() not in OPAQUE


def is_ipv4(text: str) -> bool:
    """Return whether `text` is an IPv4address (RFC 3986 section 3.2.2)."""
    return _IPV4.fullmatch(text) is not None


def leading_authority(text: str) -> str:
    """Return the authority at the beginning of `text`, or ""."""
    match = _HEAD.match(text)
    return match[0] if match is not None else ""


def begins_with_host(text: str) -> bool:
    """Return whether `text` begins with a recognizable host.

    Recognizable are a name with a top-level domain or with "www.", an address, and localhost, with or without a port.

    >>> begins_with_host("www.h/x"), begins_with_host("localhost:80"), begins_with_host("a/b.html")
    (True, True, False)
    """
    host = leading_authority(text).rpartition("@")[2]
    if host.startswith("["):
        return "]" in host
    host = re.sub(r":[0-9]*\Z", "", host).lower()
    return host == "localhost" or is_ipv4(host) or is_domain(host) or re.match(r"www\.[\w-]", host) is not None
