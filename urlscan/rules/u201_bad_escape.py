"""U201 bad-escape."""

import re
from collections.abc import Iterator

from urlscan.grammar.characters import BAD_PERCENT
from urlscan.model import Edit, Fix, Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Rule, Spec, find_in_components, in_component, quote
from urlscan.rules.extent import keep_if_delimited
from urlscan.url import Url

# RFC 3986 section 2.1:  pct-encoded = "%" HEXDIG HEXDIG
# With the two characters that should have been digits; a "%" among them may begin a good escape.
_BAD = re.compile(rf"(?:{BAD_PERCENT})+[^%]{{0,2}}")


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each "%" that begins no escape."""
    for component, span in find_in_components(url, _BAD):
        yield RULE.problem(
            f'{quote(url, span)} {in_component(component)}: two hexadecimal digits must follow "%"; or write %25',
            component,
            span,
            section=spec.section("escapes"),
            suggestion="%25",
        )


def fix(url: Url, problem: Problem) -> Fix | None:
    """Escape the "%"; unsafe, because a digit may as well have been lost."""
    percents = range(problem.start, problem.end)
    return Fix("unsafe", tuple(Edit(at, at + 1, "%25") for at in percents if url.text[at] == "%"))


RULE = Rule(
    code="U201",
    name="bad-escape",
    severity=Severity.ERROR,
    summary='A "%" that two hexadecimal digits do not follow.',
    why=(
        'RFC 1738 section 2.2 and RFC 3986 section 2.1: "%" only begins an escape, and serves for nothing else; the'
        " character itself is written %25. Servers answer 400, or read what follows as each of them likes."
    ),
    when_to_ignore="Where the other side is known to take it, as browsers do in fragments.",
    bad=(Example("See <http://h.example/100%>."), Example("See <http://h.example/EMP?name%%3Ddobbins>.")),
    good=(
        Example("See <http://h.example/100%25>."),
        Example('get("http://h.example/%s")'),
        Example("Torn at a line's end, U607: http://h.example/a%2\n0b."),
    ),
    check=check,
    fix=fix,
    fix_note="Writes %25 (unsafe: a digit may have been lost instead).",
    skips_templates=True,
    defers_to_faults=("break-in-escape",),
    contexts=DESTINATIONS,
    refine=keep_if_delimited,
)
