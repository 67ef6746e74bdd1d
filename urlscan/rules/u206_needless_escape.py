"""U206 needless-escape."""

import functools
import re
from collections.abc import Iterator

from urlscan.grammar.characters import ALPHA, CHARACTERS, DIGIT
from urlscan.model import Edit, Fix, Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Rule, Spec, find_in_components, in_component, is_secret, quote
from urlscan.url import Url

_SECTIONS = {
    "rfc3986": "RFC 3986 section 6.2.2.2",
    "rfc3987": "RFC 3987 section 5.3.2.3",
    "rfc2396": "RFC 2396 section 2.3",
    "rfc1738": "RFC 1738 section 2.2",
    "rfc1630": 'RFC 1630 section "Encoding reserved characters"',
}
_DOTS = re.compile(r"(?:\A|(?<=/))(?:\.|%2[Ee]){1,2}(?=/|\Z)")
_COMPONENTS = ("userinfo", "host", "path", "query", "fragment")


def _unreserved(grammar: str) -> str:
    """Return the characters that need no escape.

    "+" and "*" are left out of those of RFC 1738: forms write "+" for a blank, and "news:*" is all groups.
    RFC 1630 has no such production; its "safe" holds "@" and "&", which later schemes reserve.
    """
    if grammar == "rfc1630":
        return ALPHA + DIGIT + "-_."
    unreserved = CHARACTERS["rfc3986" if grammar == "rfc3987" else grammar]["unreserved"]
    return unreserved.replace("+", "").replace("*", "")


@functools.cache
def _pattern(grammar: str) -> re.Pattern[str]:
    escapes = "|".join(f"{ord(character):02X}" for character in _unreserved(grammar))
    return re.compile(f"(?:%(?i:{escapes}))+")


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each run of escapes of characters that need none."""
    dots: set[int] | None = None
    for component, span in find_in_components(url, _pattern(spec.grammar), _COMPONENTS):
        # After a "%" that begins no escape the characters would become its digits.
        if "%" in url.text[max(span[0] - 2, 0) : span[0]] or is_secret(url, span):
            continue
        if dots is None:
            dots = _dot_segments(url)
        if component == "path" and span[0] in dots:
            continue
        yield RULE.problem(
            f"{quote(url, span)} {in_component(component)} needs no escape",
            component,
            span,
            section=_SECTIONS[spec.grammar],
            suggestion=_decoded(url.text[slice(*span)]),
            syntax=False,
        )


def _decoded(escapes: str) -> str:
    return bytes.fromhex(escapes.replace("%", "")).decode("ascii")


def _dot_segments(url: Url) -> set[int]:
    """Return the places in segments that would be "." or ".." without their escapes."""
    start = (url.span("path") or (0, 0))[0]
    return {start + at for match in _DOTS.finditer(url.path) for at in range(*match.span())}


def fix(url: Url, problem: Problem) -> Fix | None:
    """Write the characters themselves."""
    return Fix("safe", (Edit(problem.start, problem.end, _decoded(url.text[problem.start : problem.end])),))


RULE = Rule(
    code="U206",
    name="needless-escape",
    severity=Severity.INFO,
    summary="An escape of a character that needs none: letters, digits and a few marks.",
    why=(
        "RFC 3986 sections 2.3 and 6.2.2.2: an escaped unreserved character is equivalent to the character itself, and"
        " should not be created. Such escapes hide what a URL says, which is what senders of spam do it for. What is"
        " unreserved is for the profile to say; %2E is left alone where it would become a dot segment (U207)."
    ),
    when_to_ignore="Where the escapes keep mail addresses or names from being harvested.",
    bad=(Example("See <http://h.example/%7Ejo/%6Dill>."),),
    good=(Example("See <http://h.example/~jo/a%20b>."), Example("See <http://h.example/a%2Fb>.")),
    default=False,
    check=check,
    fix=fix,
    fix_note="Writes the characters themselves.",
    checks_fast_accepted=True,
    skips_templates=True,
    contexts=DESTINATIONS,
)
