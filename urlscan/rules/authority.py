"""Judge the authority of a URL as a whole, and its port (U303, U403, U404 and U406)."""

import re
from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.lazy import lazy, match_end
from urlscan.core.record import NamedTuple
from urlscan.core.records import CONTEXTS, Fix, Match, Problem, Severity
from urlscan.rules.base import Example, Spec, is_in_program, is_secret, quote, replacement, url_rule
from urlscan.rules.hosts import SLASHED, begins_with_host, has_authority, is_domain, is_ipv4, listed_hosts
from urlscan.uri.grammar.characters import WRONG_ANYWHERE, decoded
from urlscan.uri.grammar.simple import GLUED
from urlscan.uri.grammar.templates import placeholder_spans
from urlscan.uri.schemes import NEEDS_HOST, NO_USERINFO, pattern
from urlscan.uri.url import Url

# --- U303 misleading-userinfo

# A login for these is often "first.last" or a mail address, and readers do not click on the URLs.
_SCHEMES = NEEDS_HOST - {"rlogin", "sftp", "ssh", "tn3270"}
# Two labels that end in one of these look like a host even without a port or path; "jo.kim" is a person.
_PLAIN_TOPS = frozenset("biz com edu gov info int mil net org".split())

_NAME = lazy(r"[\w-]+(?:\.[\w-]+)+")
_PORT = lazy(r":[0-9]{1,5}(?![\w.])")
# A path, a query or padding never begins with these; "jo.kim+tag" continues the name.
_NO_PATH = frozenset("._@+-~'!$*():")


# A port, or an address of the own machine: a program connects to one host and listens at the other, "https://h@8080".
# The decimal form of an IPv4 address (RFC 3986 section 7.4) has more digits.
_LISTENS = lazy(r"[0-9]{1,5}|127(?:\.[0-9]+){3}|0\.0\.0\.0|\[::1?\]|localhost", re.IGNORECASE)


def _misleads(url: Url, userinfo: str, host: str) -> bool:
    match = _NAME.match(userinfo)
    if match is None:
        return False
    name, rest = match[0].lower(), userinfo[match.end() :].removeprefix(".")
    # Web hosting providers assign logins that are the name of the site itself.
    site = ".".join(name.split(".")[-2:])
    if f".{host}".endswith(f".{name}") or name.endswith(f".{host}") or (len(site) > 7 and host.endswith(f".{site}")):
        return False
    last = name.rpartition(".")[2]
    if name.startswith("www.") and not last.isdecimal():
        return True
    if not (is_domain(name) or is_ipv4(name)):
        return False
    if rest:
        return _PORT.match(rest) is not None or not (rest[0].isalnum() or rest[0] in _NO_PATH)
    return (url.scheme or "").lower() in ("http", "https", "ftp") and (
        last in _PLAIN_TOPS or is_ipv4(name) or (name.count(".") > 1 and len(last) == 2)
    )


def _inform_in_programs(problem: Problem, occurrence: Match, document: Document) -> Problem:
    """Return the problem; as information in a program, which shows the trick or tests for it."""
    if is_in_program(occurrence, document):
        problem = problem._replace(severity=Severity.INFO)
    return problem


@url_rule(
    "U303",
    Severity.ERROR,
    security_severity=6.5,
    bad=["See <http://www.dominion.org@h.example/login>.", "See <http://dominion.org%2Flogin@192.0.2.7/>."],
    good=[
        "See <ssh://first.last@git.dominion.org/x>.",
        "See <http://first.li@h.example/>.",
        "See <ftp://jo%40mail.dominion.org@ftp.h.example/>.",
        "See <ftp://dominion.org@ftp.dominion.org/>.",
    ],
    defers_to=("U406",),
    refine=_inform_in_programs,
    contexts=CONTEXTS,
)
def misleading_userinfo(url: Url, spec: Spec) -> Iterator[Problem]:
    """User name looks like the host of the URL.

    RFC 3986 section 7.6: the host of "ftp://cnn.example.com&story=breaking_news@10.0.0.1/top_story.htm" is 10.0.0.1,
    but readers mistake it for cnn.example.com. Such URLs are written to deceive. Text before the last @ of the
    authority is never the host. The rule reports a userinfo that, after decoding, begins with www., or with a name that
    has a top-level domain and continues like a URL. A port alone, or the own machine, after the @ is where a program
    listens (`https://h.example@8080`). In programs, which show the trick or test for it, findings are information.

    When to ignore: Where the text explains the trick.
    """
    span = url.span("userinfo")
    host = url.span("host")
    if span is None or host is None or not url.userinfo or not url.host:
        return
    if "=" in url.host or "(" in url.userinfo or (url.scheme is not None and url.scheme.lower() not in _SCHEMES):
        return  # "https://h.example@Header=Value" and "(bucket@h.example)" belong to the text around
    if _LISTENS.fullmatch(url.host) is not None or not _misleads(url, decoded(url.userinfo), decoded(url.host).lower()):
        return
    subject = f"user name {quote(url, span)}"
    if is_secret(url, span):
        subject = "userinfo"
    yield misleading_userinfo.problem(
        f"{subject} looks like the host; the URL leads to {quote(url, host)}",
        "userinfo",
        span,
        # RFC 3986 section 7.6 "Semantic Attacks" is the first to describe it.
        section={"rfc3987": "RFC 3987 section 8"}.get(spec.grammar, "RFC 3986 section 7.6"),
        suggestion=url.text[: span[0]] + url.text[span[1] + 1 :],
        syntax=False,
    )


# --- U403 invalid-port

_LAST_PORT = 65535
# Placeholders for a port: "port", "a-port", "*port_number*", "80xx", "NNNN", "*".
_WORD = r"\*?[a-z_-]{0,30}port(?:[_-]?(?:no|nr|num|number|[0-9]))?\*?|[0-9]{0,4}[xn]{1,5}|[*.#]{1,5}"


def _keep_unless_placeholder(problem: Problem, occurrence: Match, _document: Document) -> Problem | None:
    """Return the problem, or None if the text has a placeholder for a port.

    After a host without a dot any word is one: manuals write "localhost:porta" in their language.
    """
    port = occurrence.url[problem.start : problem.end]
    is_word = port.isalpha() and "." not in occurrence.url[: problem.start]
    if is_word or re.fullmatch(_WORD, port, re.IGNORECASE):
        return None
    return problem


@url_rule(
    "U403",
    Severity.ERROR,
    bad=["See <http://h.example:8o/>.", "See <http://h.example:65536/>.", "See <ssh://git@git.dominion.org:jo/x.git>."],
    good=["See <http://h.example:8080/>.", "See <http://h.example:/>.", "See <http://h.example:port/>."],
    refine=_keep_unless_placeholder,
    skips_unknown_schemes=True,
    defers_to=("U406",),
)
def invalid_port(url: Url, spec: Spec) -> Iterator[Problem]:
    """Port is not a number or is greater than 65535.

    RFC 3986 section 3.2.3 and RFC 1738 section 3.1 define a port as a decimal number. Programs reject anything else, or
    read it as part of the path. The grammar sets no limit, but ports of TCP and UDP have 16 bits. RFC 2396 and later
    allow an empty port (see U404). In texts words such as `port` are accepted as placeholders.

    When to ignore: Where the text shows invalid URLs on purpose.
    """
    # RFC 3986 section 3.2.3:  port = *DIGIT
    # RFC 1738 section 5:      port = digits
    for member, offset in listed_hosts(url):
        span, host, port = member.span("port"), member.host or "", member.port
        if span is None or not port or port.startswith("__") or not has_authority(url):  # "__PORT__" is a placeholder
            continue
        # U402 reports a second ":" and an invalid IP literal; "http://;url=a:b" belongs to the text around.
        if "=" in host or (":" in host and not host.startswith("[")) or re.search(WRONG_ANYWHERE, port):
            continue
        is_number, digits = port.isascii() and port.isdecimal(), port.lstrip("0")
        if is_number and len(digits) < 6 and int(digits or "0") <= _LAST_PORT:
            continue
        span = span[0] + offset, span[1] + offset
        # Text that is not a number may be the beginning of a password.
        message = "port is not a number" if is_secret(url, span) else f"port {quote(url, span)} is not a number"
        if is_number:
            message = f"port {quote(url, span)} is out of range; the highest port is {_LAST_PORT}"
        # By RFC 2396 the whole authority is then a reg_name (section 3.2.1).
        syntax = not is_number and spec.grammar != "rfc2396"
        yield invalid_port.problem(message, "port", span, section=spec.section("port"), syntax=syntax)


# --- U404 empty-port


@url_rule(
    "U404",
    Severity.WARNING,
    bad=("See <http://h.example:/>.", Example("See <http://h.example:/>.", "rfc1738")),
    good=("See <http://h.example:80/>.", Example("See <http://h.example/:>.", "rfc1738")),
    defers_to=("U406",),
)
def empty_port(url: Url, spec: Spec) -> Iterator[Problem]:
    """URL has a ":" after the host but no port.

    RFC 3986 section 3.2.3: the ":" should be omitted if the port is empty. RFC 1738 section 5 and RFC 1630 require at
    least one digit, so an empty port is a syntax error by them. RFC 2396 and RFC 3986 allow it.

    When to ignore: Outside RFC 1738 and RFC 1630. The rule is on by default only in their profiles.
    Fix: Removes the ":".
    """
    # RFC 3986 section 3.2.3:  port = *DIGIT
    # RFC 1738 section 5:      port = digits          digits = 1*digit
    # RFC 1630:                port = digits          digits = digit [ digits ]
    span = url.span("port")
    if span is None or url.port or not has_authority(url):
        return
    syntax = spec.grammar in ("rfc1738", "rfc1630")
    if not syntax and (url.scheme or "").lower() == "file":
        return  # a drive letter, as in "file://c:/x"
    start, end = span[0] - 1, span[1]
    yield empty_port.problem(
        'port after ":" is empty; remove the ":"',
        "port",
        (start, end),
        section=spec.section("port"),
        suggestion=url.text[:start] + url.text[end:],
        syntax=syntax,
        fix=replacement("safe", (start, end), ""),  # both forms mean the default port
    )


# --- U406 malformed-authority

_SLASHES = lazy(r"[/\\\uff0f]*")  # with those of East Asian keyboards
# File extensions that are also top-level domains: "http:install.sh" is more likely a file in the same folder.
_FILES = lazy(
    r"[\w-]+(?:\.[0-9][\w-]*)*\.(?:ai|app|cc|cfd|help|java|la|md|mov|pl|ps|pub|py|rs|sh|so|st|vi|zip)", re.IGNORECASE
)


class _AuthorityFault(NamedTuple):
    """A fault in an authority: place, message, corrected URL (or ""), and whether the grammar rejects it."""

    component: str
    start: int
    end: int
    message: str
    corrected: str
    syntax: bool


def _slashes(url: Url, spec: Spec) -> _AuthorityFault | None:
    scheme = (url.scheme or "").lower()
    colon = len(scheme)
    end = match_end(_SLASHES, url.text, colon + 1)
    slashes, rest = url.text[colon + 1 : end], url.text[end:]
    host = re.split(r"[/?#\\]", rest, maxsplit=1)[0]
    if spec.grammar == "rfc1630" and scheme == "nntp" and not slashes:
        return None  # RFC 1630:  nntpaddress = "nntp:" group "/" digits
    if not slashes and (not begins_with_host(rest) or _FILES.fullmatch(host)):
        return None  # reported by U407
    if placeholder_spans(host):
        return None  # the value of a placeholder may begin with slashes
    if re.match(r"(?i:https?|ftp)://", rest) is None:
        rest = f"{url.text[:colon]}://{rest}"
    corrected = _url_with_host(rest)
    if "\\" in slashes:
        message = f'backslashes after "{scheme}:" must be slashes'
    elif len(slashes) > 2:
        message = f'"{scheme}:{slashes}" has too many slashes, or the host is missing'
    elif slashes == "//":
        message = f'host is missing after "{scheme}://"'
    else:
        message = f'"{scheme}:{slashes}" must be "{scheme}://"'
    component = "path"
    if url.authority is not None:
        component = "host"
    return _AuthorityFault(component, colon, end, message, corrected, _rejects_slashes(url, spec, slashes))


def _rejects_slashes(url: Url, spec: Spec, slashes: str) -> bool:
    if "\\" in slashes:
        return True
    if spec.grammar == "rfc2396":
        return False  # a path or an opaque_part; the server may be empty
    scheme = (url.scheme or "").lower()
    # RFC 1738 and RFC 1630 give schemes that they do not describe the generic syntax. That of RFC 1738 does not
    # allow an empty host either.
    void = url.authority is not None and spec.grammar == "rfc1738"
    return void or spec.grammar in ("rfc3986", "rfc3987") or pattern(scheme, spec.grammar, "uri") is not None


def _second_scheme(url: Url, spec: Spec) -> _AuthorityFault | None:
    """Return the fault of a URL in the place of the host or without a space after another, or None."""
    scheme, host = (url.scheme or "").lower(), (url.host or "").lower()
    begin = len(scheme) + 3
    old = spec.grammar in ("rfc1738", "rfc1630")
    if (url.userinfo or "").lower().startswith("mailto:"):
        # U302 and U402 defer to this rule, so it also covers their syntax errors.
        syntax = old and spec.grammar in NO_USERINFO.get(scheme, {})
        syntax = syntax or (not url.host and spec.grammar != "rfc2396")
        message = 'two schemes: "mailto:" is in the place of the host'
        return _AuthorityFault("userinfo", begin, begin + 7, message, url.text[begin:], syntax)
    if url.userinfo is not None:
        return None
    inner = host.rstrip(":")
    if inner in SLASHED and (url.port == "" or (url.port is None and url.path.startswith("//"))):
        # RFC 2396 and later allow an empty port; no specification allows a second colon.
        syntax = (old and url.port is not None) or (inner != host and spec.grammar != "rfc2396")
        end = begin + len(host) + (url.port is not None)
        corrected = _url_with_host(f"{url.text[begin:end].rstrip(':')}://{url.text[end:].lstrip('/')}")
        message = f'two schemes: "{inner}" is in the place of the host'
        return _AuthorityFault("host", begin, end, message, corrected, syntax)
    glued = GLUED.search(url.text, begin)
    if glued is None:
        return None
    start, end = glued.start(), glued.end() - 2
    component = [name for name, (first, last) in url.spans.items() if first <= start < last][-1]
    message = f'two URLs without a space between them: "{url.text[start:end]}" begins the second'
    syntax = (old and component == "host") or url.text.startswith("]", start)
    return _AuthorityFault(component, start, end, message, "", syntax)


def _url_with_host(url: str) -> str:
    """Return a URL, or "" if no host follows its "//"."""
    if begins_with_host(url.partition("://")[2]):
        return url
    return ""


def _write_intended(url: Url, fault_end: int, intended: str) -> Fix | None:
    """Write the intended URL; unsafe, because the text may show the mistake on purpose."""
    if not intended:
        return None
    # Keep the text after the fault, so that line breaks in it are preserved.
    tail = 0
    while tail < len(url.text) - fault_end and url.text[-1 - tail :] == intended[-1 - tail :]:
        tail += 1
    return replacement("unsafe", (0, len(url.text) - tail), intended[: len(intended) - tail])


@url_rule(
    "U406",
    Severity.WARNING,
    bad=[
        "See <http:/www.dominion.org/x>.",
        "See <http:///www.dominion.org/x>.",
        "See <http://http://www.dominion.org/x>.",
        "See <http://mailto:jo@dominion.org>.",
        "See <http://www.dominion.org/xhttp://www.dominion.org/y>.",
    ],
    good=[
        "See <http://www.dominion.org/x>.",
        "See <file:///etc/hosts>.",
        "See <http://archive.dominion.org/http://h.example/>.",
    ],
    skips_templates=False,
    contexts=CONTEXTS,
)
def malformed_authority(url: Url, spec: Spec) -> Iterator[Problem]:
    """Scheme is not followed by "//" and one host.

    RFC 3986 section 3.2 and RFC 1738 section 3.1: two slashes precede a host. With one slash, three or none, the host
    is read as a path. Browsers correct this; other programs look for a file or resolve a relative reference. A scheme
    in the place of the host is a copying error, and so are two URLs with nothing or the brackets of Markdown between
    them. The rule covers http, https, ftp, ws, wss, gopher, telnet, nntp, wais and prospero.

    When to ignore: Where the text shows invalid URLs on purpose.
    Fix: Writes the intended URL (unsafe).
    """
    if (url.scheme or "").lower() not in SLASHED:
        return
    find_fault = _slashes
    if url.authority:
        find_fault = _second_scheme
    fault = find_fault(url, spec)
    if fault is not None:
        yield malformed_authority.problem(
            fault.message,
            fault.component,
            (fault.start, fault.end),
            section=spec.section("authority"),
            suggestion=fault.corrected,
            syntax=fault.syntax,
            is_advice=url.text.endswith("://"),  # a generator made a link of the name of a scheme
            fix=_write_intended(url, fault.end, fault.corrected),
        )
