"""U404 empty-port."""

from collections.abc import Iterator

from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec
from urlscan.rules.hosts import has_authority
from urlscan.uri.url import Url


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a ":" without a port."""
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
    yield RULE.problem(
        'port after ":" is empty; remove the ":"',
        "port",
        (start, end),
        section=spec.section("port"),
        suggestion=url.text[:start] + url.text[end:],
        syntax=syntax,
    )


def fix(_url: Url, problem: Problem) -> Fix | None:
    """Remove the colon: both forms mean the default port."""
    return Fix("safe", (Edit(problem.start, problem.end, ""),))


RULE = Rule(
    code="U404",
    name="empty-port",
    severity=Severity.WARNING,
    summary='URL has a ":" after the host but no port',
    why=(
        'RFC 3986 section 3.2.3: the ":" should be omitted if the port is empty. RFC 1738 section 5 and RFC 1630'
        " require at least one digit, so an empty port is a syntax error by them. RFC 2396 and RFC 3986 allow it."
    ),
    when_to_ignore="Outside RFC 1738 and RFC 1630. The rule is on by default only in their profiles.",
    bad=(Example("See <http://h.example:/>."), Example("See <http://h.example:/>.", "rfc1738")),
    good=(Example("See <http://h.example:80/>."), Example("See <http://h.example/:>.", "rfc1738")),
    default=False,
    profiles=("rfc1738", "rfc1630"),
    check=check,
    fix=fix,
    fix_note='Removes the ":".',
    defers_to=("U406",),
    contexts=ADDRESSES,
    skips_templates=True,
)
