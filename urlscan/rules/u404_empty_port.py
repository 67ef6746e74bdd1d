"""U404 empty-port."""

from collections.abc import Iterator

from urlscan.model import Edit, Fix, Problem, Severity
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec
from urlscan.rules.hosts import has_authority
from urlscan.url import Url


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for a ":" that no port follows."""
    # RFC 3986 section 3.2.3:  port = *DIGIT
    # RFC 1738 section 5:      port = digits          digits = 1*digit
    # RFC 1630:                port = digits          digits = digit [ digits ]
    span = url.span("port")
    if span is None or url.port or not has_authority(url):
        return
    syntax = spec.grammar in ("rfc1738", "rfc1630")
    if not syntax and (url.scheme or "").lower() == "file":
        return  # "file://c:/x" has a drive there
    start, end = span[0] - 1, span[1]
    yield RULE.problem(
        'the port after ":" is empty',
        "port",
        (start, end),
        section=spec.section("port"),
        suggestion=url.text[:start] + url.text[end:],
        syntax=syntax,
    )


def fix(_url: Url, problem: Problem) -> Fix | None:
    """Drop the colon: both mean the default port."""
    return Fix("safe", (Edit(problem.start, problem.end, ""),))


RULE = Rule(
    code="U404",
    name="empty-port",
    severity=Severity.WARNING,
    summary='A ":" after the host and no port.',
    why=(
        'RFC 3986 section 3.2.3: the port and its ":" should be left out if the port is empty. RFC 1738 section 5 and'
        " RFC 1630 have at least one digit there, so that by them it is an error of syntax; RFC 2396 and 3986 allow"
        " none."
    ),
    when_to_ignore="Wherever RFC 1738 and RFC 1630 are not the law; it is on under their profiles alone.",
    bad=(Example("See <http://h.example:/>."), Example("See <http://h.example:/>.", "rfc1738")),
    good=(Example("See <http://h.example:80/>."), Example("See <http://h.example/:>.", "rfc1738")),
    default=False,
    profiles=("rfc1738", "rfc1630"),
    check=check,
    fix=fix,
    fix_note='Drops the ":".',
    defers_to=("U406",),
    contexts=ADDRESSES,
    skips_templates=True,
)
