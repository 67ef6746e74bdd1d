"""U501 reserved-port."""

import re
from collections.abc import Iterator

from urlscan.data.ports import BAD_PORTS, DEFAULT_PORTS, SERVICE_PORTS
from urlscan.model import Problem, Severity
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec
from urlscan.schemes import HIERARCHICAL
from urlscan.url import Url

# Besides those of the Fetch standard the reserved ports of the other schemes of RFC 1738, which it does not
# block because browsers spoke them.
_RESERVED = BAD_PORTS | {DEFAULT_PORTS["gopher"], DEFAULT_PORTS["wais"]}
# RFC 1738 section 6 speaks of the "reserved space"; the ports above it are blocked for what browsers fetch.
_LAST_RESERVED = 1023
_FETCHED = frozenset("ftp http https ws wss".split())
# Ports that are a scheme's own beside its default: IRC is served on a range of them, and the secure form of
# a protocol has another.
_IRC = frozenset((6665, 6666, 6667, 6668, 6669, 6679, 6697))
_OWN = {
    "ftp": frozenset((989, 990)),
    "irc": _IRC,
    "irc6": _IRC,
    "ircs": _IRC,
    "ldap": frozenset((636,)),
    "ldaps": frozenset((389,)),
    "nntp": frozenset((563,)),
    "snews": frozenset((119,)),
}
# RFC 6761 section 6.3; RFC 1122 section 3.2.1.3; RFC 4291 section 2.5.3
_LOOPBACK = r"(?:.*\.)?localhost(?:\.localdomain)?\.?|127(?:\.[0-9]+){1,3}|0\.0\.0\.0|\[(?:0*:)*:?0*1\]"
_SECTIONS = {
    "rfc1738": "RFC 1738 section 6",
    "rfc2396": "RFC 2396 section 7",
    "rfc1630": 'RFC 1630 section "Security considerations"',
}


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a port that belongs to another service."""
    span = url.span("port")
    scheme = (url.scheme or "").lower()
    if span is None or not url.port or scheme not in HIERARCHICAL:
        return
    digits = url.port.lstrip("0")
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > 5:
        return
    port = int(digits)
    if port not in _RESERVED or port == DEFAULT_PORTS.get(scheme) or port in _OWN.get(scheme, ()):
        return
    if port > _LAST_RESERVED and scheme not in _FETCHED:
        return
    if re.fullmatch(_LOOPBACK, url.host or "", re.IGNORECASE):
        return
    yield RULE.problem(
        f"port {port} is that of {SERVICE_PORTS[port]}, not of {scheme}",
        "port",
        span,
        section=_SECTIONS.get(spec.grammar, "RFC 3986 section 7.2"),
        syntax=False,
    )


RULE = Rule(
    code="U501",
    name="reserved-port",
    severity=Severity.INFO,
    summary="A port that belongs to a service of another protocol.",
    why=(
        "RFC 1738 section 6: a URL can be made so that looking at it sends commands to a server of another protocol,"
        ' such as one for mail; care is due with ports in the "reserved space". RFC 3986 section 7.2 says the'
        " same of ports below 1024. Reported are the ports that browsers block (the Fetch standard lists them)"
        " and those of gopher and WAIS; never the scheme's own, and never on the machine itself."
        " Browsers refuse to open most of these URLs."
    ),
    when_to_ignore="Where the service is known to be at that port.",
    bad=(Example("See <http://h.example:25/>."), Example("See <gopher://h.example:79/0jo>.")),
    good=(
        Example("See <http://h.example:8080/>."),
        Example("See <gopher://h.example:70/1>."),
        Example("See <http://localhost:25/>."),
        Example("See <http://h.example:81/>."),
    ),
    check=check,
    skips_allowed_hosts=True,
    skips_templates=True,
    contexts=ADDRESSES,
)
