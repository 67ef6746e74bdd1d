"""U501 reserved-port."""

import re
from collections.abc import Iterator

from urlscan.core.records import Problem, Severity
from urlscan.data.ports import BAD_PORTS, DEFAULT_PORTS, SERVICE_PORTS
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec
from urlscan.uri.schemes import HIERARCHICAL
from urlscan.uri.url import Url

# The Fetch standard does not block the ports of other schemes of RFC 1738, because browsers supported them.
_RESERVED = BAD_PORTS | {DEFAULT_PORTS["gopher"], DEFAULT_PORTS["wais"]}
# RFC 1738 section 6 warns of the "reserved space"; higher ports are blocked only for schemes that browsers fetch.
_LAST_RESERVED = 1023
_FETCHED = frozenset("ftp http https ws wss".split())
# Further ports of a scheme: IRC uses a range of ports, and the secure form of a protocol has its own.
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
        f"port {port} belongs to {SERVICE_PORTS[port]}, not to {scheme}",
        "port",
        span,
        section=_SECTIONS.get(spec.grammar, "RFC 3986 section 7.2"),
        syntax=False,
    )


RULE = Rule(
    code="U501",
    name="reserved-port",
    severity=Severity.INFO,
    summary="Port belongs to a service of another protocol",
    why=(
        "RFC 1738 section 6: a URL can be constructed so that opening it sends commands to a server of another"
        ' protocol, such as a mail server; ports in the "reserved space" need care. RFC 3986 section 7.2 warns of'
        " ports below 1024. The rule reports the ports that browsers block (the Fetch standard lists them) and those"
        " of gopher and WAIS. It accepts the scheme's own ports, and any port of the local machine. Browsers refuse"
        " to open most of these URLs."
    ),
    when_to_ignore="Where the service is known to use that port.",
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
