"""U201 bad-escape."""

import re
from collections.abc import Iterator

from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Rule, Spec, find_in_components, in_component, quote
from urlscan.rules.extent import keep_if_delimited
from urlscan.uri.grammar.characters import BAD_PERCENT
from urlscan.uri.url import Url

# RFC 3986 section 2.1:  pct-encoded = "%" HEXDIG HEXDIG
# Include the two characters that should have been digits. A "%" among them may begin a valid escape.
_BAD = re.compile(rf"(?:{BAD_PERCENT})+[^%]{{0,2}}")


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each "%" that does not begin an escape."""
    for component, span in find_in_components(url, _BAD):
        yield RULE.problem(
            f'invalid escape {quote(url, span)} {in_component(component)}; write "%" as %25',
            component,
            span,
            section=spec.section("escapes"),
            suggestion="%25",
        )


def fix(url: Url, problem: Problem) -> Fix | None:
    """Escape the "%"; unsafe, because a digit may have been lost instead."""
    percents = range(problem.start, problem.end)
    return Fix("unsafe", tuple(Edit(at, at + 1, "%25") for at in percents if url.text[at] == "%"))


RULE = Rule(
    code="U201",
    name="bad-escape",
    severity=Severity.ERROR,
    summary="Percent sign does not begin a valid escape",
    why=(
        'RFC 1738 section 2.2 and RFC 3986 section 2.1: "%" begins an escape and has no other use. The character'
        " itself is written as %25. Servers answer such a request with status 400, or read the URL in different ways."
    ),
    when_to_ignore="Where the program that reads the URL accepts it, as browsers do in fragments.",
    bad=(Example("See <http://h.example/100%>."), Example("See <http://h.example/EMP?name%%3Ddobbins>.")),
    good=(
        Example("See <http://h.example/100%25>."),
        Example('get("http://h.example/%s")'),
        Example("Broken at a line end, U607: http://h.example/a%2\n0b."),
    ),
    check=check,
    fix=fix,
    fix_note="Writes %25 (unsafe: a digit may have been lost instead).",
    skips_templates=True,
    defers_to_faults=("break-in-escape",),
    contexts=DESTINATIONS,
    refine=keep_if_delimited,
)
