"""Checks of hosts that several rules share."""

import functools
import re

from urlscan.core.lazy import lazy
from urlscan.core.typing import TYPE_CHECKING
from urlscan.uri.grammar.domains import is_domain as is_domain
from urlscan.uri.grammar.generic import IPV4_ADDRESS
from urlscan.uri.schemes import HIERARCHICAL
from urlscan.uri.url import Url, split

if TYPE_CHECKING:
    import ipaddress

# Schemes whose slashes are often misremembered: well-known schemes with a "//" in all documents, except those of
# terminals.
SLASHED = frozenset("ftp gopher http https nntp prospero telnet wais ws wss".split())
# Schemes without an authority, although "mailto://jo@h.example" is seen in practice.
OPAQUE = frozenset("about acct cid data doi geo im javascript magnet mailto mid pres sip sips sms tag tel urn".split())

_IPV4 = lazy(IPV4_ADDRESS)
# RFC 6761, RFC 6762 with its appendix G, RFC 8375, and the name that ICANN reserved in 2024 (SAC 113).
# Matches: `localhost`, `mill.local`, `api.staging.internal`, `nas.home.arpa.`
# Does not match: `internal`, `local.mill.org`, `mylocalhost`, `corp.mill.org`
_INTERNAL_NAME = lazy(
    r"""
    (?: .*\. )? localhost (?: \.localdomain )? \.?
  | .*\. (?: local | internal | intranet | private | corp | home | lan | localdomain | home\.arpa ) \.?
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Networks that are not routed on the Internet: loopback, RFC 1918, RFC 3927, RFC 4193, RFC 4291, RFC 6598.
_INTERNAL_NETWORKS = (
    "0.0.0.0/32", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16",
    "::/128", "::1/128", "fc00::/7", "fe80::/10",
)  # fmt: skip
# Hosts for examples (RFC 2606, RFC 6761, RFC 5737, RFC 3849, RFC 9637), also in other languages, and the own machine.
# Matches: `h.example`, `example.com`, `ejemplo.com`, `x.invalid`, `localhost.`, `127.0.0.1`, `[2001:db8::1]`
# Does not match: `examples.org`, `example.com.mill.org`, `h.org`, `10.0.0.1`, `domain`
_SAMPLE = lazy(
    r"""
    (?: .*\. )? (?: ex[ae]mpl[eo] | ejemplo | esempio | beispiel | voorbeeld ) (?: \.[a-z]{2,10} )? \.?
  | (?: .*\. )? (?: test | invalid | localhost ) \.? | .*\.domain | host\.docker\.internal
  | 0\.0\.0\.0 | 127(?:\.[0-9]+){3} | 192\.0\.2\.[0-9]+ | 198\.51\.100\.[0-9]+ | 203\.0\.113\.[0-9]+
  | \[ (?: ::1 | 2001:db8:.* | 3fff:.* ) \]
    """,
    re.IGNORECASE | re.VERBOSE,
)


def has_authority(url: Url) -> bool:
    """Return whether the URL has an authority, with userinfo, host and port."""
    return url.authority is not None and (url.scheme or "").lower() not in OPAQUE


def listed_hosts(url: Url) -> list[tuple[Url, int]]:
    """Return each host of a list, "mongodb://h1:27017,h2:27017/", as a URL, with the offset of its spans.

    Drivers of databases and of queues read such lists. The result for another URL is the URL itself, with offset 0.
    """
    name, host, authority = (url.scheme or "").lower(), url.span("host"), url.span("authority")
    if host is None or authority is None or name in HIERARCHICAL | OPAQUE:
        return [(url, 0)]
    text, offset = url.text[host[0] : authority[1]], host[0] - len(f"{name}://")
    if "," not in text or not (":" in (url.host or "") or "," in (url.port or "")):
        return [(url, 0)]  # RFC 3986 allows commas in a name
    hosts = re.finditer("[^,]+", text)
    return [(split(f"{name}://{match[0]}", url.profile), offset + match.start()) for match in hosts]


def is_ipv4(text: str) -> bool:
    """Return whether `text` is an IPv4address (RFC 3986 section 3.2.2)."""
    return _IPV4.fullmatch(text) is not None


def begins_with_host(text: str) -> bool:
    """Return whether `text` begins with a recognizable host.

    Recognizable are a name with a top-level domain or with "www.", an address, and localhost, with or without a port.

    >>> begins_with_host("www.h/x"), begins_with_host("localhost:80"), begins_with_host("a/b.html")
    (True, True, False)
    """
    host = re.split(r"[/?#\\]", text, maxsplit=1)[0].rpartition("@")[2]
    if host.startswith("["):
        return "]" in host
    host = re.sub(r":[0-9]*\Z", "", host).lower()
    return host == "localhost" or is_ipv4(host) or is_domain(host) or re.match(r"www\.[\w-]", host) is not None


def is_internal(host: str) -> bool:
    """Return whether a host is only reached from its own machine or network: by its name or its address.

    >>> is_internal("wiki.corp"), is_internal("192.168.0.1"), is_internal("[fe80::1]"), is_internal("mill.org")
    (True, True, True, False)
    """
    if not (host.startswith("[") or is_ipv4(host)):
        return _INTERNAL_NAME.fullmatch(host) is not None
    import ipaddress  # deferred: only the policy rules need it

    try:
        address = ipaddress.ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    return any(address in network for network in _internal_networks())


def is_sample(host: str) -> bool:
    """Return whether a host is one for examples, or the own machine.

    >>> is_sample("www.example.com"), is_sample("mill.example"), is_sample("192.0.2.1"), is_sample("mill.org")
    (True, True, True, False)
    """
    return _SAMPLE.fullmatch(host) is not None


@functools.cache
def _internal_networks() -> "tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]":
    import ipaddress

    return tuple(map(ipaddress.ip_network, _INTERNAL_NETWORKS))
