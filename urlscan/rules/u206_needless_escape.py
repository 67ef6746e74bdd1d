"""U206 needless-escape."""

import functools
import re
from collections.abc import Iterator

from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Rule, Spec, find_in_components, in_component, is_secret, quote
from urlscan.uri.grammar.characters import ALPHA, CHARACTERS, DIGIT
from urlscan.uri.url import Url

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

    "+" and "*" of RFC 1738 are excluded: forms write "+" for a space, and "news:*" means all groups. RFC 1630 has no
    such production; its "safe" includes "@" and "&", which later schemes reserve.
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
    """Yield a problem for each sequence of escaped characters that need no escape."""
    dots: set[int] | None = None
    for component, span in find_in_components(url, _pattern(spec.grammar), _COMPONENTS):
        # After a "%" that does not begin an escape, the decoded characters would become its digits.
        if "%" in url.text[max(span[0] - 2, 0) : span[0]] or is_secret(url, span):
            continue
        if dots is None:
            dots = _dot_segments(url)
        if component == "path" and span[0] in dots:
            continue
        yield RULE.problem(
            f"needless escape {quote(url, span)} {in_component(component)}; write the character itself",
            component,
            span,
            section=_SECTIONS[spec.grammar],
            suggestion=_decoded(url.text[slice(*span)]),
            syntax=False,
        )


def _decoded(escapes: str) -> str:
    return bytes.fromhex(escapes.replace("%", "")).decode("ascii")


def _dot_segments(url: Url) -> set[int]:
    """Return the positions in segments that would be "." or ".." after decoding."""
    start = (url.span("path") or (0, 0))[0]
    return {start + at for match in _DOTS.finditer(url.path) for at in range(*match.span())}


def fix(url: Url, problem: Problem) -> Fix | None:
    """Replace the escapes with the characters."""
    return Fix("safe", (Edit(problem.start, problem.end, _decoded(url.text[problem.start : problem.end])),))


RULE = Rule(
    code="U206",
    name="needless-escape",
    severity=Severity.INFO,
    summary="Escape of a character that needs no escape",
    why=(
        "RFC 3986 sections 2.3 and 6.2.2.2: an escaped unreserved character is equivalent to the character itself"
        " and should not be created. Such escapes hide the meaning of a URL, and senders of spam use them for this"
        " purpose. The profile decides which characters are unreserved. The rule accepts %2E where it would become a"
        " dot segment (U207)."
    ),
    when_to_ignore="Where escapes protect mail addresses or names from harvesting.",
    bad=(Example("See <http://h.example/%7Ejo/%6Dill>."),),
    good=(Example("See <http://h.example/~jo/a%20b>."), Example("See <http://h.example/a%2Fb>.")),
    default=False,
    check=check,
    fix=fix,
    fix_note="Replaces the escapes with the characters.",
    checks_plain=True,
    skips_templates=True,
    contexts=DESTINATIONS,
)
