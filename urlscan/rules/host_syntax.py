"""U402 invalid-host."""

import re
from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import Match, Problem, Severity
from urlscan.rules.base import DATA_KINDS, Example, Spec, name_characters, quote, url_rule
from urlscan.rules.extent import mark_before_scheme
from urlscan.rules.hosts import has_authority, is_domain, is_ipv4, listed_hosts
from urlscan.uri.grammar.characters import WRONG_ANYWHERE, class_of, run_of
from urlscan.uri.grammar.domains import mapped, mapped_to_ascii
from urlscan.uri.grammar.generic import HOST_1738, HOSTPORT_1630, IP_LITERAL, IPV6_ADDRESS
from urlscan.uri.schemes import NEEDS_HOST, pattern
from urlscan.uri.schemes.base import Fault
from urlscan.uri.url import Url

# RFC 6874 section 2:  IPv6addrz = IPv6address "%25" ZoneID;  in practice the "%" is often left unescaped.
_ZONE = rf"\[({IPV6_ADDRESS})(%[^\]]*+)\]?"
# Numbers that inet_aton accepts: decimal, octal, hexadecimal.
_NUMBER = r"[0-9]++|0[xX][0-9A-Fa-f]*+"
_LONE_NUMBER = r"[0-9]{8,}|0[xX][0-9A-Fa-f]{6,}"

# Fast path for nine hosts in ten: labels, the last of which begins with a letter.
_PLAIN = lazy(r"(?>(?:(?!-)[A-Za-z0-9_-]++(?<!-)\.)*)[A-Za-z][A-Za-z0-9_-]*+(?<!-)\.?")
# RFC 3986 section 3.2.2 allows these in a reg-name; no name of the DNS that is a host has them.
_SUB_DELIMS = lazy(rf"{class_of('rfc3986', 'sub-delims')}++")
# RFC 952 and RFC 1123 section 2.1:  label = let-dig [ *( let-dig / "-" ) let-dig ]
# Both alternatives begin at a label, so that a long one is read once.
_EDGE_HYPHEN = lazy(r"(?:(?<=\.)|\A)(?:-[^.]*+|[^.]*+(?<=-)(?=\.|\Z))")
_LIST = "the authority is a list of hosts, which programs of the scheme read; RFC 3986 has one host"
_NO_LABEL = "host begins with an empty label"
_HOST_NAMES = "RFC 952, RFC 1123 section 2.1"
_UNUSUAL = "RFC 3986 section 7.4"
# RFC 5890 section 2.3.2.1: an A-label consists of ASCII characters; other labels must not begin with its prefix.
_FALSE_A_LABEL = lazy(r"(?i:(?<![^.])xn--)[^.]*[^\W\x00-\x7f][^.]*")
# The delimiters of RFC 3986 that end a host, and "%", which begins an escape.
_MAPPED_DELIMITER = lazy(r"[%/?#@:\\]")


def _missing(url: Url, spec: Spec) -> tuple[Fault | None, bool]:
    """Return the fault of a missing host, and whether the grammar rejects it."""
    scheme = (url.scheme or "").lower()
    colon = len(scheme)
    # RFC 1738 and RFC 1630 require a host after "//" for every scheme except file. A generic path of RFC 1630 may
    # begin with "//", but contains no ":".
    needed = spec.grammar == "rfc1738" or (spec.grammar == "rfc1630" and ":" in (url.authority or ""))
    if not scheme or not (needed or scheme in NEEDS_HOST) or scheme == "file":
        return None, False
    match spec.grammar:
        case "rfc2396":
            syntax = False  # server = [ [ userinfo "@" ] hostport ]
        case "rfc1630":
            syntax = needed or pattern(scheme, "rfc1630", "uri") is not None
        case _:
            syntax = True
    return Fault(colon + 1, colon + 3, f'host is missing after "{scheme}://"'), syntax


def _accepts(url: Url, spec: Spec, host: str) -> bool:
    """Return whether the grammar accepts a host without brackets and colons, apart from faults of other rules."""
    match spec.grammar:
        case "rfc1738":
            return re.fullmatch(HOST_1738, re.sub(f"{WRONG_ANYWHERE}|~", "x", host)) is not None
        case "rfc1630":
            # Without a grammar of the scheme, the generic path accepts it.
            scheme = (url.scheme or "").lower()
            if pattern(scheme, "rfc1630", "uri") is None and ":" not in (url.authority or ""):
                return True
            # RFC 1630's "extra" includes the quotation mark.
            return re.fullmatch(HOSTPORT_1630, re.sub(rf'(?!")(?:{WRONG_ANYWHERE})', "x", host)) is not None
        case "rfc2396":
            return True  # reg_name
    return re.fullmatch(run_of(spec.grammar, "reg-name"), re.sub(WRONG_ANYWHERE, "x", host)) is not None


# --- brackets and colons


def _literal(url: Url, spec: Spec, span: tuple[int, int]) -> Fault | None:
    # RFC 3986 section 3.2.2:  IP-literal = "[" ( IPv6address / IPvFuture ) "]"
    host, (start, end) = url.host or "", span
    if re.fullmatch(IP_LITERAL, host):
        if spec.grammar in ("rfc3986", "rfc3987"):
            return None
        number = spec.grammar.removeprefix("rfc")
        message = f"{quote(url, span)}: RFC {number} does not allow IPv6 addresses; RFC 2732 introduced them"
        return Fault(*span, message)
    zone = re.fullmatch(_ZONE, host)
    if zone is not None:
        part = (start + zone.start(2), start + zone.end(2))
        message = f"{quote(url, part)}: remove the zone identifier, which is valid on one machine only"
        return Fault(*part, message, "RFC 6874 section 4", f"[{zone[1]}]")
    if host.startswith("[") and ("]" not in host or host.endswith("]")):
        return Fault(*span, f"{quote(url, span)} is not a valid IPv6 address in brackets")
    # "[::1]x": the first wrong character follows the literal. "a]b": it is the bracket.
    if host.startswith("["):
        wrong = start + host.index("]") + 1
    else:
        wrong = next(position for position in range(start, end) if url.text[position] in "[]")
    character = name_characters(url, (wrong, wrong + 1))
    return Fault(wrong, wrong + 1, f"{character} in the host: brackets may only enclose an IP literal")


def _colon(url: Url, host: str, span: tuple[int, int]) -> Fault:
    # The split takes the last ":" as the delimiter of the port, which is wrong in an IPv6 address without brackets.
    start = span[0]
    whole = host
    if url.port is not None:
        whole = f"{host}:{url.port}"
    part = (start, start + len(whole))
    if re.fullmatch(IPV6_ADDRESS, whole):
        message = f"{quote(url, part)}: an IPv6 address must be enclosed in brackets"
        return Fault(*part, message, suggestion=f"[{whole}]")
    if re.fullmatch(IPV6_ADDRESS, host):
        message = f"{quote(url, part)}: an IPv6 address before a port must be enclosed in brackets"
        return Fault(*part, message, suggestion=f"[{host}]:{url.port}")
    position = start + host.index(":")
    return Fault(position, position + 1, 'host contains ":"')


# --- names and numbers


def _name(url: Url, host: str, span: tuple[int, int]) -> Fault | None:
    """Return the fault of a host that the generic grammar accepts, or None."""
    if host.strip(".") == "" or "..." in host:
        return None  # an ellipsis, as in "http://.../x"
    fault = _empty_label(host, span[0]) or _comma(url, host, span[0])
    return fault or _number(url, host.removesuffix("."), span)


def _empty_label(host: str, start: int) -> Fault | None:
    # RFC 1034 section 3.1: "One label is reserved, and that is the null (i.e., zero length) label used
    # for the root."
    if host.startswith("."):
        return Fault(start, start + 1, _NO_LABEL, "RFC 1034 section 3.1", host[1:])
    position = host.find("..")
    if position < 0:
        return None
    message = "host contains an empty label: two dots in a row"
    return Fault(start + position, start + position + 2, message, "RFC 1034 section 3.1", host.replace("..", "."))


def _comma(url: Url, host: str, start: int) -> Fault | None:
    # A comma after a complete host belongs to the text ("a.example.org,direct"); "www,h.example" is a typing error.
    before, comma, after = host.partition(",")
    if not (comma and before and after) or is_domain(before) or is_ipv4(before) or before == "localhost":
        return None
    if not is_domain(fixed := host.replace(",", ".")):
        return None
    position = start + len(before)
    message = f'"," in the host {quote(url, (start, start + len(host)))}: did you mean "."?'
    return Fault(position, position + 1, message, "", fixed)


def _no_dns_name(url: Url, span: tuple[int, int]) -> Fault | None:
    """Return the fault of a host that is grammatical but not a DNS name, or None."""
    host, start = url.host or "", span[0]
    if (url.scheme or "").lower() not in NEEDS_HOST:
        return None
    name = mapped_to_ascii(host)
    if name is not None:
        message = f"{quote(url, span)}: IDNA maps this host to {name}"
        return Fault(*span, message, "UTS #46 section 4", name)
    if not host.isascii() and (fault := _not_mapped(url, host, start)) is not None:
        return fault
    delimiter = _SUB_DELIMS.search(host)
    if delimiter is not None:
        part = (start + delimiter.start(), start + delimiter.end())
        return Fault(
            *part,
            f"{name_characters(url, part)} in the host; host names consist of letters, digits and hyphens",
            _HOST_NAMES,
        )
    edge = _EDGE_HYPHEN.search(host)
    if edge is None or not edge[0].strip("-"):
        return None  # "http://---.example/" is a placeholder
    part = (start + edge.start(), start + edge.end())
    message = f"{quote(url, part)}: a label of a host name must not begin or end with a hyphen"
    return Fault(*part, message, _HOST_NAMES)


def _not_mapped(url: Url, host: str, start: int) -> Fault | None:
    """Return the fault of a host in other scripts that IDNA cannot map to a DNS name, or None."""
    for position, character in enumerate(host, start):
        if not character.isascii() and (delimiter := _MAPPED_DELIMITER.search(mapped(character))):
            span = (position, position + 1)
            message = f'{name_characters(url, span)} in the host: IDNA maps it to "{delimiter[0]}"'
            return Fault(*span, message, "UTS #46 section 4")
    label = _FALSE_A_LABEL.search(host)
    if label is None:
        return None
    span = (start + label.start(), start + label.end())
    message = f'{quote(url, span)}: a label that begins with "xn--" consists of ASCII characters'
    return Fault(*span, message, "RFC 5890 section 2.3.2.1")


def _fault(url: Url, spec: Spec) -> tuple[Fault | None, bool]:
    """Return the fault of the host of a URL with an authority, or None, and whether the grammar rejects it."""
    host, span = url.host or "", url.span("host") or (0, 0)
    if _PLAIN.fullmatch(host) and spec.grammar not in ("rfc1738", "rfc1630"):
        return None, False
    if not host:
        return _missing(url, spec)
    if "[" in host or "]" in host:
        return _literal(url, spec, span), True
    if ":" in host:
        return _colon(url, host, span), spec.grammar != "rfc2396"
    syntax = not _accepts(url, spec, host)
    fault = _name(url, host, span)
    if fault is None and syntax:
        rule = "use labels of letters, digits and inner hyphens; the last must begin with a letter"
        if spec.grammar == "rfc1630":
            rule = "a name must begin with a letter"
        fault = Fault(*span, f"{quote(url, span)} is not a valid host name: {rule}")
    return fault or _no_dns_name(url, span), syntax


def _keep_if_complete(problem: Problem, occurrence: Match, document: Document) -> Problem | None:
    """Return the problem, or None if the host is not a DNS name because it is a pattern or incomplete, or a list.

    "http://*.h.example/" and "http://.h.example" are patterns, and "http://h-" is completed by a program. A hyphen at
    the edge of a label is information: servers and browsers accept it.
    """
    if problem.message == _LIST:
        return None
    is_tested = occurrence.context in ("comment", "string") and document.kind not in DATA_KINDS
    if is_tested or problem.section == _UNUSUAL:
        # Of 8 judged findings in programs none was useful: they describe and test what is no host. Of 14 about unusual
        # addresses none was, all in one repository.
        problem = problem._replace(severity=Severity.INFO)
    is_delimited = occurrence.context == "link" or occurrence.style in ("wrapper", "angle")
    if problem.message == _NO_LABEL:
        if is_delimited:
            return problem
        return None
    if problem.section != _HOST_NAMES or problem.syntax:
        return problem
    if "label" not in problem.message:
        if is_delimited and occurrence.url[problem.start] not in "*$(":
            return problem
        return None
    if is_delimited or occurrence.url.startswith(".", problem.end):
        return problem._replace(severity=Severity.INFO)
    return None


def _number(url: Url, host: str, span: tuple[int, int]) -> Fault | None:
    """Return the fault of a host that looks like an IPv4 address or ends like one, or None."""
    labels = host.split(".")
    if is_ipv4(host) or not labels[-1][:1].isdecimal():
        return None
    part = (span[0], span[0] + len(host))
    if len(labels) == 1:
        if not re.fullmatch(_LONE_NUMBER, host):
            return None
    elif not all(re.fullmatch(_NUMBER, label) for label in labels):
        if not (labels[-1].isascii() and labels[-1].isdecimal()):
            return None
        # RFC 1123 section 2.1: "at least the highest-level component label will be alphabetic"
        message = f"{quote(url, part)}: only an IPv4 address may end in a label of digits"
        return Fault(*part, message, "RFC 1123 section 2.1")
    address = _address(labels)
    if address is None:
        return Fault(*part, f"{quote(url, part)} is not an IPv4 address: use four numbers of at most 255")
    if any(len(label) > 1 and label[0] == "0" and label.isdecimal() for label in labels):
        message = f"{quote(url, part)}: numbers with leading zeros are octal to some programs and invalid to others"
        return Fault(*part, message, _UNUSUAL)
    message = f"{quote(url, part)} is an unusual form of the IPv4 address {address}"
    return Fault(*part, message, _UNUSUAL, address)


def _address(labels: list[str]) -> str | None:
    """Return the IPv4 address that inet_aton derives from these numbers, or None.

    RFC 3986 section 7.4: "a dotted form of three numbers, the last part should be interpreted as a
    16-bit quantity", of two as 24 bits, and "a 32-bit number" alone.
    """
    if len(labels) > 4 or any(len(label) > 12 for label in labels):
        return None
    try:
        *first, last = (int(label, _base(label)) for label in labels)
    except ValueError:
        return None
    if any(number > 255 for number in first) or last >= 256 ** (5 - len(labels)):
        return None
    octets = [*first, *last.to_bytes(5 - len(labels), "big")]
    return ".".join(map(str, octets))


def _base(label: str) -> int:
    if label[1:2] in ("x", "X"):
        return 16
    if label[0] == "0" and not {"8", "9"} & set(label):
        return 8
    return 10


@url_rule(
    "U402",
    Severity.WARNING,
    bad=(
        "See <http://a..h.example/>.",
        "See <http://www,dominion.org/>.",
        "See <http://256.1.1.1/>.",
        "See <http://-h.example/>.",
        "See <http://h&x.example/>.",
        "See <http://[2001:db8::1::2]/>.",
        Example("See <http://h_.example/>.", "rfc1738"),
    ),
    good=[
        "See <http://localhost/>.",
        "See <http://h_x.example./>.",
        "See <http://[2001:db8::2]/>.",
        "Allow http://*.h.example/ and http://h-",
        "See <http://.../x> and <http://192.0.2.7/>.",
    ],
    refine=_keep_if_complete,
    skips_allowed_hosts=True,
    skips_unknown_schemes=True,
    defers_to=("U101", "U103", "U201", "U406"),
)
def invalid_host(url: Url, spec: Spec) -> Iterator[Problem]:
    """Host is missing or invalid.

    RFC 3986 section 3.2.2 and RFC 1738 section 3.1 define hosts. Programs do not find other hosts, or disagree about
    them. RFC 3986 section 7.4 warns of IPv4 addresses in unusual forms, which can pass filters. The generic syntax
    allows the delimiters !$&'()*+,;= in a host, and hyphens at the edges of labels; no host in the DNS has such a name
    (RFC 1123 section 2.1). IDNA maps full-width letters to ASCII. Names without a dot, underscores and a trailing dot
    are allowed, except by RFC 1738. A label that begins with `xn--` is ASCII (RFC 5890 section 2.3.2.1). A hyphen at
    the edge of a label and an unusual form of an address are information, because browsers accept them. Each host of a
    list is judged (`mongodb://h1:27017,h2:27017/`), which drivers of databases and of queues read.

    When to ignore: Where hosts are not names of the DNS.
    """
    span = url.span("host")
    if span is None or not has_authority(url) or mark_before_scheme(url):
        return  # brackets around the URL are one fault, which U401 reports
    hosts = listed_hosts(url)
    if len(hosts) > 1:
        section, syntax = spec.section("host"), spec.grammar != "rfc2396"
        yield invalid_host.problem(_LIST, "host", span, section=section, severity=Severity.INFO, syntax=syntax)
    for member, offset in hosts:
        fault, syntax = _fault(member, spec)
        if fault is not None and len(hosts) > 1:  # without quotations: text after a ":" may be a password
            fault = Fault(fault.start, fault.end, "a host of the list is not a valid host name or address")
        if fault is not None:
            yield invalid_host.problem(
                fault.message,
                "host",
                (fault.start + offset, fault.end + offset),
                section=fault.section or spec.section("host"),
                suggestion=fault.suggestion,
                syntax=syntax,
            )
