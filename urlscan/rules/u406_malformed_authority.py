"""U406 malformed-authority."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from urlscan.grammar.templates import placeholder_spans
from urlscan.model import Edit, Fix, Problem, Severity
from urlscan.patterns import lazy
from urlscan.rules.base import Example, Rule, Spec
from urlscan.rules.hosts import SLASHED, begins_with_host, is_domain, leading_authority
from urlscan.schemes import NO_USERINFO, pattern
from urlscan.url import Url

_SLASHES = lazy(r"[/\\]*")
# Names of files that are top-level domains too: "http:install.sh" is rather the file beside.
_FILES = lazy(r"[\w-]+\.(?:ai|app|cc|cfd|help|java|la|md|mov|pl|ps|pub|py|rs|sh|so|st|vi|zip)", re.IGNORECASE)
# "http://www.h.examplehttp://www.h.example/": the second begins in the host of the first.
_GLUED = lazy(r"(.+?)(https?|ftp)", re.IGNORECASE)


class _Fault(NamedTuple):
    """Where it is wrong, what is, how the URL was meant (or ""), and whether the grammar rejects it."""

    component: str
    start: int
    end: int
    message: str
    mended: str
    syntax: bool


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for slashes that are missing, too many or backslashes, and for a second scheme."""
    if (url.scheme or "").lower() not in SLASHED:
        return
    fault = _second_scheme(url, spec) if url.authority else _slashes(url, spec)
    if fault is not None:
        yield RULE.problem(
            fault.message,
            fault.component,
            (fault.start, fault.end),
            section=spec.section("authority"),
            suggestion=fault.mended,
            syntax=fault.syntax,
        )


def _slashes(url: Url, spec: Spec) -> _Fault | None:
    scheme = (url.scheme or "").lower()
    colon = len(scheme)
    match = _SLASHES.match(url.text, colon + 1)
    slashes = match[0] if match is not None else ""
    rest = url.text[colon + 1 + len(slashes) :]
    host = leading_authority(rest)
    if spec.grammar == "rfc1630" and scheme == "nntp" and not slashes:
        return None  # RFC 1630:  nntpaddress = "nntp:" group "/" digits
    if not slashes and (not begins_with_host(rest) or _FILES.fullmatch(host)):
        return None  # U407 has a word for it
    if placeholder_spans(host):
        return None  # whatever it stands for may begin with slashes
    inner = re.match(r"(?i:https?|ftp)://", rest)
    if inner is not None:
        mended = rest if begins_with_host(rest[inner.end() :]) else ""
    else:
        mended = f"{url.text[:colon]}://{rest}" if begins_with_host(rest) else ""
    if "\\" in slashes:
        message = f'the backslashes after "{scheme}:" must be slashes'
    elif len(slashes) > 2:
        message = f'"{scheme}:{slashes}": the host is missing, or a slash too much'
    elif slashes == "//":
        message = f'there is no host after "{scheme}://"'
    else:
        message = f'"{scheme}:{slashes}" must be "{scheme}://"'
    end = colon + 1 + len(slashes)
    component = "host" if url.authority is not None else "path"
    return _Fault(component, colon, end, message, mended, _rejects_slashes(url, spec, slashes))


def _rejects_slashes(url: Url, spec: Spec, slashes: str) -> bool:
    if "\\" in slashes:
        return True
    if spec.grammar == "rfc2396":
        return False  # a path or an opaque_part, and a server may be empty
    scheme = (url.scheme or "").lower()
    # By RFC 1738 and RFC 1630 a scheme that they do not describe has the generic syntax; that of RFC 1738
    # has no empty host either.
    void = url.authority is not None and spec.grammar == "rfc1738"
    return void or spec.grammar in ("rfc3986", "rfc3987") or pattern(scheme, spec.grammar, "uri") is not None


def _second_scheme(url: Url, spec: Spec) -> _Fault | None:
    """Return what is wrong where a URL stands in the place of the host, or follows it at once."""
    scheme, host = (url.scheme or "").lower(), (url.host or "").lower()
    begin = len(scheme) + 3
    old = spec.grammar in ("rfc1738", "rfc1630")
    if (url.userinfo or "").lower().startswith("mailto:"):
        # U302 and U402 leave the word to this rule, so that it answers for what they would say.
        syntax = old and spec.grammar in NO_USERINFO.get(scheme, {})
        syntax = syntax or (not url.host and spec.grammar != "rfc2396")
        message = '"mailto:" stands in the place of the host'
        return _Fault("userinfo", begin, begin + 7, f"two schemes: {message}", url.text[begin:], syntax)
    if url.userinfo is not None:
        return None
    inner = host.rstrip(":")
    if inner in SLASHED and (url.port == "" or (url.port is None and url.path.startswith("//"))):
        mended = _mended(url, begin, len(host) + (url.port is not None))
        # An empty port is one since RFC 2396; a second colon, never.
        syntax = (old and url.port is not None) or (inner != host and spec.grammar != "rfc2396")
        end = begin + len(host) + (url.port is not None)
        return _Fault("host", begin, end, f'two schemes: "{inner}" stands in the place of the host', mended, syntax)
    glued = _GLUED.fullmatch(host) if url.port == "" and url.path.startswith("//") else None
    if glued is not None and is_domain(glued[1]):
        start = begin + len(glued[1])
        message = f'two URLs in one: "{glued[2]}:" follows the host without a blank'
        return _Fault("host", start, start + len(glued[2]) + 1, message, url.text[start:], old)
    return None


def _mended(url: Url, begin: int, length: int) -> str:
    """Return the inner URL, with its colon and slashes; "" if that is none."""
    inner = url.text[begin : begin + length].rstrip(":")
    rest = url.text[begin + length :].lstrip("/")
    return f"{inner}://{rest}" if begins_with_host(rest) else ""


def fix(url: Url, problem: Problem) -> Fix | None:
    """Write the URL that was meant; unsafe, because the place itself may show what is wrong."""
    if not problem.suggestion:
        return None
    # What is behind the fault stays as it is, so that breaks there are kept.
    tail = 0
    while tail < len(url.text) - problem.end and url.text[-1 - tail :] == problem.suggestion[-1 - tail :]:
        tail += 1
    end = len(url.text) - tail
    return Fix("unsafe", (Edit(0, end, problem.suggestion[: len(problem.suggestion) - tail]),))


RULE = Rule(
    code="U406",
    name="malformed-authority",
    severity=Severity.WARNING,
    summary='Another thing than "//" and one host after a scheme that needs both: http:/h, http:///h, http://http://h.',
    why=(
        'RFC 3986 section 3.2 and RFC 1738 section 3.1: a host is preceded by "//", two slashes and no backslash. With'
        " one slash, three or none the host is read as a path; browsers mend it, other programs look for a file"
        " or take the URL for a relative one. A scheme in the place of the host is a slip of copying. The schemes"
        " are http, https, ftp, ws, wss, gopher, telnet, nntp, wais and prospero."
    ),
    when_to_ignore="Where the text shows what a URL must not be.",
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
    fix_note="Writes the URL that was meant (unsafe).",
)
