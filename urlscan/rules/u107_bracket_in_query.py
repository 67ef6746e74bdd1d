"""U107 bracket-in-query."""

import re
from collections.abc import Iterator

from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Rule, Spec, find_in_components, in_component, name_characters
from urlscan.uri.grammar.characters import BRACKETS, escaped, one_of
from urlscan.uri.url import Url

_BRACKETS = re.compile(one_of(BRACKETS) + "+")


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each sequence of square brackets in the query and the fragment."""
    for component, span in find_in_components(url, _BRACKETS, ("query", "fragment")):
        yield RULE.problem(
            f"{name_characters(url, span)} must be escaped {in_component(component)}",
            component,
            span,
            section=spec.section("brackets"),
            suggestion=escaped(url.text[slice(*span)]),
        )


def fix(_url: Url, problem: Problem) -> Fix | None:
    """Escape the brackets."""
    return Fix("safe", (Edit(problem.start, problem.end, problem.suggestion),))


RULE = Rule(
    code="U107",
    name="bracket-in-query",
    severity=Severity.ERROR,
    summary="Query or fragment contains a square bracket",
    why=(
        "RFC 1738 section 2.2 counts brackets among the unsafe characters, and RFC 3986 section 3.2.2 only allows"
        " them around an IP literal. `?filter[x]=1` and `#egg=a[b]` are common nevertheless, and all browsers and"
        " servers accept them."
    ),
    when_to_ignore="Almost always. The rule is on by default only in the profiles of older specifications.",
    bad=(Example("See <http://h.example/?filter[x]=1>.", "rfc1738"),),
    good=(Example("See <http://h.example/?filter%5Bx%5D=1>.", "rfc1738"),),
    default=False,
    profiles=("rfc1738", "rfc2396", "rfc1630"),
    check=check,
    fix=fix,
    fix_note="Writes %5B and %5D (safe).",
    skips_templates=True,
    contexts=DESTINATIONS,
)
