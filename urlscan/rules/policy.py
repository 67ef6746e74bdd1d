"""Report what a project may not want to link to (U501 to U506), and what a link checker reported (U951)."""

import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy
from urlscan.core.records import CONTEXTS, Edit, Fix, Problem, Severity
from urlscan.core.settings import is_listed
from urlscan.data.ports import BAD_PORTS, DEFAULT_PORTS, SERVICE_PORTS
from urlscan.data.tracking import NAMES, PREFIXES
from urlscan.rules.base import Example, Spec, is_secret, quote, replacement, url_rule
from urlscan.rules.hosts import is_internal, is_sample
from urlscan.uri.schemes import HIERARCHICAL
from urlscan.uri.transform.normal import as_requested
from urlscan.uri.url import Url

# --- U501 reserved-port

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


@url_rule(
    "U501",
    Severity.INFO,
    bad=["See <http://h.example:25/>.", "See <gopher://h.example:79/0jo>."],
    good=[
        "See <http://h.example:8080/>.",
        "See <gopher://h.example:70/1>.",
        "See <http://localhost:25/>.",
        "See <http://h.example:81/>.",
    ],
    skips_allowed_hosts=True,
)
def reserved_port(url: Url, spec: Spec) -> Iterator[Problem]:
    """Port belongs to a service of another protocol.

    RFC 1738 section 6: a URL can be constructed so that opening it sends commands to a server of another protocol, such
    as a mail server; ports in the "reserved space" need care. RFC 3986 section 7.2 warns of ports below 1024. The rule
    reports the ports that browsers block (the Fetch standard lists them) and those of gopher and WAIS. It accepts the
    scheme's own ports, and any port of the local machine. Browsers refuse to open most of these URLs.

    When to ignore: Where the service is known to use that port.
    """
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
    message = f"port {port} belongs to {SERVICE_PORTS[port]}, not to {scheme}"
    section = spec.section("security", rfc3986="RFC 3986 section 7.2", rfc3987="RFC 3986 section 7.2")
    yield reserved_port.problem(message, "port", span, section=section, syntax=False)


# --- U502 explicit-default-port


_DEFAULT_PORT_SECTIONS = {
    "rfc1738": "RFC 1738 section 3.1",
    "rfc2396": "RFC 2396 section 6",
    "rfc3987": "RFC 3987 section 5.3.3",
}


@url_rule(
    "U502",
    Severity.WARNING,
    bad=["See <http://h.example:80/>.", "See <ftp://h.example:21/x>."],
    good=["See <http://h.example:8080/>.", "See <https://h.example:80/>."],
    skips_templates=False,
)
def explicit_default_port(url: Url, spec: Spec) -> Iterator[Problem]:
    """Port is the default of the scheme.

    RFC 3986 sections 3.2.3 and 6.2.3: the port and its ":" should be omitted if the port is the scheme's default.
    Programs that compare URLs as strings treat the two forms as different.

    When to ignore: Where readers need to see the port, as in the documentation of a server.
    Fix: Removes the port.
    """
    span = url.span("port")
    default = DEFAULT_PORTS.get((url.scheme or "").lower())
    if span is None or default is None or (url.port or "").lstrip("0") != str(default):
        return
    start, end = span[0] - 1, span[1]
    yield explicit_default_port.problem(
        f"port {default} is the default of {(url.scheme or '').lower()}; remove it",
        "port",
        (start, end),
        section=_DEFAULT_PORT_SECTIONS.get(spec.grammar, "RFC 3986 section 6.2.3"),
        suggestion=url.text[:start] + url.text[end:],
        syntax=False,
        fix=replacement("safe", (start, end), ""),
    )


# --- U503 local-resource

# Scheme: message, section, and section of RFC 1630.
_LOCAL = {
    "file": ("file URLs only work on their own machine", "RFC 1738 section 3.10", 'RFC 1630 section "file"'),
    "nntp": (
        "most news servers only serve local clients; write a news URL",
        "RFC 1738 section 3.7",
        'RFC 1630 section "NNTP"',
    ),
    "cid": ("cid URLs only work inside their own message", "RFC 2392 section 1", 'RFC 1630 section "Content-Id"'),
}


@url_rule(
    "U503",
    Severity.INFO,
    bad=["See <file:///srv/mill/plan.txt>.", "See <nntp://h.example/comp.mills/12>."],
    good=["See <http://h.example/plan.txt>.", "See <news:comp.mills>."],
    skips_templates=False,
)
def local_resource(url: Url, spec: Spec) -> Iterator[Problem]:
    """URL names a local resource: a file, nntp or cid URL.

    RFC 1738 section 3.10: a file URL does not designate a resource that is universally accessible over the Internet.
    Section 3.7: most NNTP servers allow access from local clients only, so the news form is preferred. A cid URL refers
    to another part of the same message (RFC 2392 section 1).

    When to ignore: In texts that are only used locally: settings of a machine, messages with their parts.
    """
    if url.scheme is None or url.scheme.lower() not in _LOCAL:
        return
    message, section, section_1630 = _LOCAL[url.scheme.lower()]
    yield local_resource.problem(
        message,
        "scheme",
        (0, len(url.scheme)),
        section=section_1630 if spec.grammar == "rfc1630" else section,
        syntax=False,
    )


# --- U504 insecure-scheme

# RFC 9110 section 4.2.2, RFC 6455 section 3.
_SECURE = {"http": "https", "ws": "wss"}
# URLs that are names of XML namespaces, schemas and document types. Changing one changes the name.
# Matches: `http://www.w3.org/1999/`, `http://purl.org/`, `http://mill.org/plan.dtd`
# Does not match: `http://www.w3.org/TR/xml/`, `http://maven.apache.org/guides/`, `http://mill.org/schemas.html`
_IDENTIFIER = lazy(
    r"""http://
    (?: www\.w3\.org/ (?: (?:19|20)[0-9]{2}/ | ns/ | XML/1998/namespace | Graphics/SVG/ | Math/DTD/ )
      | (?: schemas\. | ns\. | xmlns\. )[^/]+/
      | (?: (?:www\.)?purl\.org | xmlns\.com | ogp\.me | (?:www\.)?schema\.org | www\.opengis\.net ) (?: [/\#] | \Z )
      | (?: java\.sun\.com/ (?: xml/ns | dtd | JSP ) | maven\.apache\.org/ [A-Z]+/ [0-9.]+ | json-schema\.org/draft-
          | docbook\.org/ns/ | relaxng\.org/ns/ | www\.springframework\.org/schema/ | www\.sitemaps\.org/schemas/
          | www\.topografix\.com/GPX/ | a9\.com/-/spec/ | search\.yahoo\.com/mrss | www\.itunes\.com/dtds/
          | www\.apple\.com/DTDs/ | (?: www | earth )\.google\.com/kml/ | www\.inkscape\.org/namespaces/
          | sodipodi\.sourceforge\.net/DTD/ | creativecommons\.org/ns | web\.resource\.org/cc/
          | docs\.oasis-open\.org/ns/ | www\.oasis-open\.org/docbook/ )
      | [^?\#\s]* \. (?: dtd | xsd ) \Z
    )""",
    re.IGNORECASE | re.VERBOSE,
)


@url_rule(
    "U504",
    Severity.WARNING,
    bad=["See <http://mill.org/plan>.", "See <ws://mill.org:8080/live>."],
    good=(
        "See <https://mill.org/plan>.",
        "See <http://localhost:8000/>, <http://mill.example/> and <http://192.168.0.1/>.",
        Example('<svg xmlns:x="http://www.w3.org/1999/xlink"/> names "http://www.w3.org/2000/svg".', path="a.md"),
    ),
    options=("insecure-hosts",),
)
def insecure_scheme(url: Url, spec: Spec) -> Iterator[Problem]:
    """URL of http or ws, although https or wss is wanted.

    RFC 9110 section 17.1 and RFC 6455 section 10.6: anyone on the way can read and change what http and ws transfer.
    The rule is a policy: enable it where every link should be secure. It does not report local hosts and private
    addresses (see U505), example domains (RFC 2606), documentation addresses (RFC 5737, RFC 3849), and URLs that are
    names, which must not change: XML namespaces, schemas, document types.

    When to ignore: For servers that offer no https: name them in `insecure-hosts`.
    Fix: Writes the secure scheme, unless the URL has a port. Whether the server offers it is not tried.
    """
    scheme, host = (url.scheme or "").lower(), url.host or ""
    if scheme not in _SECURE or not host or is_internal(host) or is_sample(host):
        return
    if is_listed(host, spec.insecure_hosts) or _IDENTIFIER.match(url.text) or is_secret(url, (0, len(scheme))):
        return
    # A port belongs to the insecure scheme.
    secure = "" if url.port else _SECURE[scheme]
    yield insecure_scheme.problem(
        f"{scheme} sends everything unencrypted; write {_SECURE[scheme]}",
        "scheme",
        (0, len(scheme)),
        section="RFC 9110 section 4.2.2" if scheme == "http" else "RFC 6455 section 11.1.2",
        suggestion=secure,
        syntax=False,
        fix=replacement("unsafe", (0, len(scheme)), secure) if secure else None,
    )


# --- U505 internal-host


@url_rule(
    "U505",
    Severity.WARNING,
    bad=[
        "See <http://wiki.corp/plan>.",
        "Open <http://localhost:8000/>.",
        "See <https://[fd00::12]/> and <http://10.0.4.1/>.",
    ],
    good=["See <http://mill.org/internal/> and <http://corp.mill.org/>.", "See <http://192.0.2.1/>."],
    skips_allowed_hosts=True,
)
def internal_host(url: Url, _spec: Spec) -> Iterator[Problem]:
    """Host is only reached from its own machine or network.

    Readers elsewhere cannot follow the link, and the name shows how a network is built. Reported are localhost;
    loopback, private, shared and link-local addresses (RFC 6890, RFC 1918, RFC 3927, RFC 4193, RFC 6598); and names in
    `.local` (RFC 6762), `.internal`, `.home.arpa` (RFC 8375), `.localdomain`, `.intranet`, `.private`, `.corp`, `.home`
    and `.lan` (RFC 6762 appendix G). The rule is a policy: enable it for what is published.

    When to ignore: In texts about local servers, such as instructions for a development server: name the host in
    `allowed-hosts`.
    """
    span = url.span("host")
    if span is None or not url.host or not is_internal(url.host):
        return
    yield internal_host.problem(
        f"{quote(url, span)} is only reached from its own machine or network",
        "host",
        span,
        section="RFC 6890 section 2.2.2" if url.host[-1] in "0123456789]" else "RFC 6761 section 6",
        syntax=False,
    )


# --- U506 tracking-parameter

# A parameter of a query with the separator after it, which may be an undecoded character reference.
_PARAMETER = lazy(r"(?P<name>[^&;=]*)(?:=[^&;]*)?(?P<end>&(?:amp;|#38;|#x26;)?|;|\Z)")


def _tracking(url: Url) -> tuple[list[str], list[tuple[int, int]]]:
    """Return the names of tracking parameters, and the spans to remove: each with a separator, adjacent ones as one."""
    first, last = url.span("query") or (0, 0)
    names, spans, kept_end = list[str](), list[tuple[int, int]](), first - 1
    for match in _PARAMETER.finditer(url.text, first, last):
        name, (start, end) = match["name"], match.span()
        if name in NAMES or name.lower().startswith(PREFIXES):
            if spans and spans[-1][1] == start:
                start = spans.pop()[0]
            spans.append((start, end))
            names.append(name)
        elif start < end:
            kept_end = match.start("end")
    if spans and spans[-1][1] == last:  # the separator before it, or the question mark, goes as well
        spans[-1] = (kept_end, last)
    return names, spans


@url_rule(
    "U506",
    Severity.WARNING,
    bad=[
        "See <https://mill.org/?utm_source=news&utm_medium=mail>.",
        "See <https://mill.org/plan?page=2&fbclid=IwAR0abc#top>.",
    ],
    good=["See <https://mill.org/?source=news>.", "See <https://mill.org/utm_source=news>."],
)
def tracking_parameter(url: Url, _spec: Spec) -> Iterator[Problem]:
    """Query contains parameters that only track the reader.

    A tracking parameter tells the server from which campaign, mail or account a link comes. RFC 3986 section 3.4: a
    query identifies a resource, but here the page is the same without it. In a document, it counts every reader as a
    visitor of that campaign, and may show who copied the link. The rule is a policy; the names come from the
    documentation of advertising and mail services (`urlscan/data/tracking.py` lists them).

    When to ignore: In newsletters and advertisements that are meant to be counted.
    Fix: Removes the parameters.
    """
    names, removed = _tracking(url)
    if not removed:
        return
    names = list(dict.fromkeys(names))
    start = url.text.index(names[0], removed[0][0])
    message = f"{', '.join(names[:4])}{', ...' if len(names) > 4 else ''}: only for tracking; remove"
    fix = Fix("unsafe", tuple(Edit(*span, "") for span in removed))
    yield tracking_parameter.problem(
        message, "query", (start, start + len(names[0])), section="RFC 3986 section 3.4", syntax=False, fix=fix
    )


# --- U951 dead-link


_STATUSES = "url,status,time\nhttp://h.example/old,404 Not Found,2026-11-02\nhttp://h.example/new,200,2026-11-02\n"


@url_rule(
    "U951",
    Severity.WARNING,
    bad=(
        Example("See <http://h.example/old>.", statuses=_STATUSES),
        Example("See <http://H.example/\nold#a>.", statuses=_STATUSES),
    ),
    good=(Example("See <http://h.example/new>.", statuses=_STATUSES), "See <http://h.example/old>."),
    skips_templates=False,
    contexts=CONTEXTS,
)
def dead_link(url: Url, spec: Spec) -> Iterator[Problem]:
    """A link checker reported the URL as dead.

    urlscan opens no connection. `--statuses FILE` reads what a link checker found, and turns on this rule, which
    reports each dead URL at its place: rejoined, decoded, in mail and in archives. Dead is what the checker reports as
    broken: a status code from 400 (RFC 9110 section 15), no response, a time-out. A URL is compared as written, and as
    it is requested: in ASCII (RFC 3987 section 3.1), without the fragment, with the host in lower case (RFC 3986
    section 6.2).

    When to ignore: Where a text documents what was once available.
    """
    reasons = spec.statuses
    if not reasons:
        return
    requested = as_requested(url.text)
    keys = (url.text, requested, requested.partition("#")[0])
    reason = next((reasons[key] for key in keys if key in reasons), None)
    if reason is not None:
        message = f"dead link: {reason}"
        yield dead_link.problem(message, "", (0, len(url.text)), section="RFC 9110 section 15", syntax=False)
