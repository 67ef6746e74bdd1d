"""U205 lowercase-hex."""

import re
from collections.abc import Iterator

from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Rule, Spec, find_in_components, in_component, is_secret, quote
from urlscan.uri.url import Url

# RFC 3986 section 6.2.2.1:  "the hexadecimal digits within a percent-encoding triplet (e.g., "%3a" versus
#   "%3A") are case-insensitive and therefore should be normalized to use uppercase letters"
_LOWER = re.compile("(?:%(?:[a-f][0-9A-Fa-f]|[0-9A-F][a-f]))+")


def check(url: Url, _spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each sequence of escapes in lowercase."""
    for component, span in find_in_components(url, _LOWER):
        if not is_secret(url, span):  # the message would mask it, but a fix would reveal it
            yield RULE.problem(
                f"escape with lowercase digits {in_component(component)}: {quote(url, span)}; write uppercase digits",
                component,
                span,
                section="RFC 3986 section 6.2.2.1",
                suggestion=url.text[slice(*span)].upper(),
                syntax=False,
            )


def fix(url: Url, problem: Problem) -> Fix | None:
    """Write the digits in uppercase."""
    return Fix("safe", (Edit(problem.start, problem.end, url.text[problem.start : problem.end].upper()),))


RULE = Rule(
    code="U205",
    name="lowercase-hex",
    severity=Severity.INFO,
    summary="Escape has lowercase hexadecimal digits",
    why=(
        "RFC 3986 section 2.1: uppercase and lowercase digits are equivalent, and programs should write uppercase"
        " for consistency. Programs that compare URLs as strings treat the two forms as different (section 6.2.2.1)."
    ),
    when_to_ignore="Where URLs are not compared as strings.",
    bad=(Example("See <http://h.example/a%2fb>."),),
    good=(Example("See <http://h.example/a%2Fb>."), Example("See <http://h.example/a%20b>.")),
    default=False,
    check=check,
    fix=fix,
    fix_note="Writes the digits in uppercase.",
    checks_plain=True,
    skips_templates=True,
    contexts=DESTINATIONS,
)
