"""U205 lowercase-hex."""

import re
from collections.abc import Iterator

from urlscan.model import Edit, Fix, Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Rule, Spec, find_in_components, in_component, is_secret, quote
from urlscan.url import Url

# RFC 3986 section 6.2.2.1:  "the hexadecimal digits within a percent-encoding triplet (e.g., "%3a" versus
#   "%3A") are case-insensitive and therefore should be normalized to use uppercase letters"
_LOWER = re.compile("(?:%(?:[a-f][0-9A-Fa-f]|[0-9A-F][a-f]))+")


def check(url: Url, _spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each run of escapes in lower case."""
    for component, span in find_in_components(url, _LOWER):
        if not is_secret(url, span):  # it would not be shown, and a fix would show it
            yield RULE.problem(
                f"{quote(url, span)} {in_component(component)}: the digits of an escape are written in upper case",
                component,
                span,
                section="RFC 3986 section 6.2.2.1",
                suggestion=url.text[slice(*span)].upper(),
                syntax=False,
            )


def fix(url: Url, problem: Problem) -> Fix | None:
    """Write the digits in upper case."""
    return Fix("safe", (Edit(problem.start, problem.end, url.text[problem.start : problem.end].upper()),))


RULE = Rule(
    code="U205",
    name="lowercase-hex",
    severity=Severity.INFO,
    summary="An escape with hexadecimal digits in lower case.",
    why=(
        "RFC 3986 section 2.1: upper and lower case digits are equivalent, and for consistency upper case should be"
        " written. Programs that compare URLs as strings take the two for different ones (section 6.2.2.1)."
    ),
    when_to_ignore="Where nobody compares the URLs.",
    bad=(Example("See <http://h.example/a%2fb>."),),
    good=(Example("See <http://h.example/a%2Fb>."), Example("See <http://h.example/a%20b>.")),
    default=False,
    check=check,
    fix=fix,
    fix_note="Writes them in upper case.",
    checks_fast_accepted=True,
    skips_templates=True,
    contexts=DESTINATIONS,
)
