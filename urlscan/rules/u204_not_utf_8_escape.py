"""U204 not-utf-8-escape."""

import re
from collections.abc import Iterator

from urlscan.grammar.characters import ESCAPE
from urlscan.model import Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Rule, Spec, find_in_components, in_component, quote
from urlscan.url import Url

# RFC 3986 section 2.1:  pct-encoded = "%" HEXDIG HEXDIG
_ESCAPES = re.compile(f"(?:{ESCAPE})+")
# What surrogateescape makes of an octet that is no UTF-8.
_STRAY = re.compile("[\udc80-\udcff]+")


def check(url: Url, _spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each run of escapes whose octets are no UTF-8."""
    if (url.scheme or "").lower() == "data":  # whose octets are the resource itself
        return
    for component, run in find_in_components(url, _ESCAPES):
        escapes = url.text[slice(*run)]
        for first, last in _stray(bytes.fromhex(escapes.replace("%", ""))):
            span = run[0] + 3 * first, run[0] + 3 * last
            yield RULE.problem(
                f"{quote(url, span)} {in_component(component)} is no UTF-8",
                component,
                span,
                section="RFC 3986 section 2.5",
                syntax=False,
            )


def _stray(octets: bytes) -> Iterator[tuple[int, int]]:
    """Yield the places of the octets that are no UTF-8."""
    text = octets.decode("utf-8", "surrogateescape")
    at = done = 0
    for match in _STRAY.finditer(text):
        # Good characters may take more octets than one, each stray octet is one character.
        at += len(text[done : match.start()].encode())
        yield at, at + len(match[0])
        at += len(match[0])
        done = match.end()


RULE = Rule(
    code="U204",
    name="not-utf-8-escape",
    severity=Severity.INFO,
    summary="Escapes whose octets are no UTF-8.",
    why=(
        "RFC 3986 section 2.5: where a scheme does not say otherwise, characters are escaped as their octets in UTF-8,"
        " and section 3.2.2 demands it of hosts. Other octets can be shown as no text, and RFC 3987 section 3.2 leaves"
        " them as they are."
    ),
    when_to_ignore="Where the server names its resources in Latin-1 or another charset, or in octets that are no text.",
    bad=(Example("See <http://h.example/M%FChle>."),),
    good=(Example("See <http://h.example/M%C3%BChle>."), Example("See <http://h.example/a%20b>.")),
    default=False,
    check=check,
    checks_fast_accepted=True,
    skips_templates=True,
    contexts=DESTINATIONS,
)
