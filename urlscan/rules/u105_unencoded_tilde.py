"""U105 unencoded-tilde."""

import re
from collections.abc import Iterator

from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Rule, Spec, find_in_components, in_component
from urlscan.uri.url import Url

# RFC 1738 section 5:  national = "{" | "}" | "|" | "\" | "^" | "~" | "[" | "]" | "`"
_TILDES = re.compile("~+")
# RFC 1630 lists it among the national characters, which "do not appear in any productions".
_OLD = ("rfc1738", "rfc1630")


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each sequence of tildes."""
    for component, span in find_in_components(url, _TILDES):
        yield RULE.problem(
            f'"~" (U+007E) must be escaped {in_component(component)}; write %7E',
            component,
            span,
            section=spec.section("characters") if spec.grammar in _OLD else "RFC 1738 section 2.2",
            suggestion="%7E" * (span[1] - span[0]),
            syntax=spec.grammar in _OLD,
        )


def fix(_url: Url, problem: Problem) -> Fix | None:
    """Escape the tildes: both forms are equivalent (RFC 3986 section 6.2.2.2)."""
    if problem.component in ("scheme", "host", "port"):
        return None
    return Fix("safe", (Edit(problem.start, problem.end, problem.suggestion),))


RULE = Rule(
    code="U105",
    name="unencoded-tilde",
    severity=Severity.ERROR,
    summary="URL contains an unescaped tilde",
    why=(
        "RFC 1738 section 2.2 counts the tilde among the unsafe characters, which must always be encoded: keyboards"
        " and gateways of its time lacked it. RFC 2396 section 2.3 and RFC 3986 section 2.3 allow it."
    ),
    when_to_ignore="Outside RFC 1738 and RFC 1630. The rule is on by default only in their profiles.",
    bad=(Example("See <http://h.example/~jo/>.", "rfc1738"),),
    good=(Example("See <http://h.example/%7Ejo/>.", "rfc1738"), Example("See <http://h.example/jo/>.", "rfc1738")),
    default=False,
    profiles=("rfc1738", "rfc1630"),
    check=check,
    fix=fix,
    fix_note="Writes %7E (safe).",
    checks_plain=True,
    contexts=DESTINATIONS,
    skips_templates=True,
)
