"""U204 not-utf-8-escape."""

import re
from collections.abc import Iterator

from urlscan.core.records import Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Rule, Spec, find_in_components, in_component, quote
from urlscan.uri.grammar.characters import ESCAPE
from urlscan.uri.url import Url

# RFC 3986 section 2.1:  pct-encoded = "%" HEXDIG HEXDIG
_ESCAPES = re.compile(f"(?:{ESCAPE})+")
# surrogateescape decodes an octet that is not UTF-8 to one of these.
_STRAY = re.compile("[\udc80-\udcff]+")


def check(url: Url, _spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each sequence of escaped octets that is not UTF-8."""
    if (url.scheme or "").lower() == "data":  # the octets are the resource itself
        return
    for component, sequence in find_in_components(url, _ESCAPES):
        escapes = url.text[slice(*sequence)]
        for first, last in _stray(bytes.fromhex(escapes.replace("%", ""))):
            span = sequence[0] + 3 * first, sequence[0] + 3 * last
            yield RULE.problem(
                f"{quote(url, span)} {in_component(component)} is not valid UTF-8",
                component,
                span,
                section="RFC 3986 section 2.5",
                syntax=False,
            )


def _stray(octets: bytes) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each sequence of octets that is not UTF-8."""
    text = octets.decode("utf-8", "surrogateescape")
    at = done = 0
    for match in _STRAY.finditer(text):
        # A valid character may take several octets; each stray octet is one character.
        at += len(text[done : match.start()].encode())
        yield at, at + len(match[0])
        at += len(match[0])
        done = match.end()


RULE = Rule(
    code="U204",
    name="not-utf-8-escape",
    severity=Severity.INFO,
    summary="Escaped octets are not valid UTF-8",
    why=(
        "RFC 3986 section 2.5: characters are escaped as their octets in UTF-8, unless the scheme says otherwise."
        " Section 3.2.2 requires this of hosts. Other octets cannot be shown as text, and RFC 3987 section 3.2 leaves"
        " them escaped."
    ),
    when_to_ignore="Where the server uses Latin-1 or another charset for its names, or octets that are not text.",
    bad=(Example("See <http://h.example/M%FChle>."),),
    good=(Example("See <http://h.example/M%C3%BChle>."), Example("See <http://h.example/a%20b>.")),
    default=False,
    check=check,
    checks_plain=True,
    skips_templates=True,
    contexts=DESTINATIONS,
)
