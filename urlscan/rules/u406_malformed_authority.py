"""U406 malformed-authority."""

import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy
from urlscan.core.named_tuple import NamedTuple
from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.rules.base import Example, Rule, Spec
from urlscan.rules.hosts import SLASHED, begins_with_host, is_domain, leading_authority
from urlscan.uri.grammar.templates import placeholder_spans
from urlscan.uri.schemes import NO_USERINFO, pattern
from urlscan.uri.url import Url

_SLASHES = lazy(r"[/\\]*")
# File extensions that are also top-level domains: "http:install.sh" is more likely a file in the same folder.
_FILES = lazy(r"[\w-]+\.(?:ai|app|cc|cfd|help|java|la|md|mov|pl|ps|pub|py|rs|sh|so|st|vi|zip)", re.IGNORECASE)
# "http://www.h.examplehttp://www.h.example/": the second URL begins in the host of the first.
_GLUED = lazy(r"(.+?)(https?|ftp)", re.IGNORECASE)


class _AuthorityFault(NamedTuple):
    """A fault in an authority: place, message, corrected URL (or ""), and whether the grammar rejects it."""

    component: str
    start: int
    end: int
    message: str
    corrected: str
    syntax: bool


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for missing or extra slashes, for backslashes, and for a second scheme."""
    if (url.scheme or "").lower() not in SLASHED:
        return
    fault = _second_scheme(url, spec) if url.authority else _slashes(url, spec)
    if fault is not None:
        yield RULE.problem(
            fault.message,
            fault.component,
            (fault.start, fault.end),
            section=spec.section("authority"),
            suggestion=fault.corrected,
            syntax=fault.syntax,
        )


def _slashes(url: Url, spec: Spec) -> _AuthorityFault | None:
    scheme = (url.scheme or "").lower()
    colon = len(scheme)
    match = _SLASHES.match(url.text, colon + 1)
    slashes = match[0] if match is not None else ""
    rest = url.text[colon + 1 + len(slashes) :]
    host = leading_authority(rest)
    if spec.grammar == "rfc1630" and scheme == "nntp" and not slashes:
        return None  # RFC 1630:  nntpaddress = "nntp:" group "/" digits
    if not slashes and (not begins_with_host(rest) or _FILES.fullmatch(host)):
        return None  # reported by U407
    if placeholder_spans(host):
        return None  # the value of a placeholder may begin with slashes
    inner = re.match(r"(?i:https?|ftp)://", rest)
    if inner is not None:
        corrected = rest if begins_with_host(rest[inner.end() :]) else ""
    else:
        corrected = f"{url.text[:colon]}://{rest}" if begins_with_host(rest) else ""
    if "\\" in slashes:
        message = f'backslashes after "{scheme}:" must be slashes'
    elif len(slashes) > 2:
        message = f'"{scheme}:{slashes}" has too many slashes, or the host is missing'
    elif slashes == "//":
        message = f'host is missing after "{scheme}://"'
    else:
        message = f'"{scheme}:{slashes}" must be "{scheme}://"'
    end = colon + 1 + len(slashes)
    component = "host" if url.authority is not None else "path"
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
    """Return the fault of a URL in the place of the host or immediately after it, or None."""
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
        corrected = _inner_url(url, begin, len(host) + (url.port is not None))
        # RFC 2396 and later allow an empty port; no specification allows a second colon.
        syntax = (old and url.port is not None) or (inner != host and spec.grammar != "rfc2396")
        end = begin + len(host) + (url.port is not None)
        message = f'two schemes: "{inner}" is in the place of the host'
        return _AuthorityFault("host", begin, end, message, corrected, syntax)
    glued = _GLUED.fullmatch(host) if url.port == "" and url.path.startswith("//") else None
    if glued is not None and is_domain(glued[1]):
        start = begin + len(glued[1])
        message = f'two URLs without a space between them: "{glued[2]}:" follows the host'
        return _AuthorityFault("host", start, start + len(glued[2]) + 1, message, url.text[start:], old)
    return None


def _inner_url(url: Url, begin: int, length: int) -> str:
    """Return the inner URL with its colon and slashes, or "" if it has no host."""
    inner = url.text[begin : begin + length].rstrip(":")
    rest = url.text[begin + length :].lstrip("/")
    return f"{inner}://{rest}" if begins_with_host(rest) else ""


def fix(url: Url, problem: Problem) -> Fix | None:
    """Write the intended URL; unsafe, because the text may show the mistake on purpose."""
    if not problem.suggestion:
        return None
    # Keep the text after the fault, so that line breaks in it are preserved.
    tail = 0
    while tail < len(url.text) - problem.end and url.text[-1 - tail :] == problem.suggestion[-1 - tail :]:
        tail += 1
    end = len(url.text) - tail
    return Fix("unsafe", (Edit(0, end, problem.suggestion[: len(problem.suggestion) - tail]),))


RULE = Rule(
    code="U406",
    name="malformed-authority",
    severity=Severity.WARNING,
    summary='Scheme is not followed by "//" and one host',
    why=(
        "RFC 3986 section 3.2 and RFC 1738 section 3.1: two slashes precede a host. With one slash, three or none,"
        " the host is read as a path. Browsers correct this; other programs look for a file or resolve a relative"
        " reference. A scheme in the place of the host is a copying error. The rule covers http, https, ftp, ws, wss,"
        " gopher, telnet, nntp, wais and prospero."
    ),
    when_to_ignore="Where the text shows invalid URLs on purpose.",
    bad=(
        Example("See <http:/www.dominion.org/x>."),
        Example("See <http:///www.dominion.org/x>."),
        Example("See <http://http://www.dominion.org/x>."),
        Example("See <http://mailto:jo@dominion.org>."),
    ),
    good=(
        Example("See <http://www.dominion.org/x>."),
        Example("See <file:///etc/hosts>."),
        Example("See <http://archive.dominion.org/http://h.example/>."),
    ),
    check=check,
    fix=fix,
    fix_note="Writes the intended URL (unsafe).",
)
