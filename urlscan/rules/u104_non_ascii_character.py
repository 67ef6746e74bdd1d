"""U104 non-ascii-character."""

import re
from collections.abc import Iterator

from urlscan.grammar.characters import IPRIVATE, UCSCHAR, escaped
from urlscan.model import Edit, Fix, Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Rule, Spec, find_in_components, in_component, name_characters
from urlscan.url import COMPONENTS, Url

# From U+00A0: what is below are control characters, U103.
_NON_ASCII = re.compile("[\u00a0-\U0010ffff]+")
_SURROGATE = re.compile("[\ud800-\udfff]")


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each run of characters that are not of US-ASCII."""
    if spec.grammar == "rfc3987":
        yield from _not_in_iris(url, spec)
        return
    for component, span in find_in_components(url, _NON_ASCII):
        yield RULE.problem(
            f"{name_characters(url, span)} {in_component(component)}: a URI is written in US-ASCII, this is an IRI",
            component,
            span,
            section=spec.section("characters"),
            suggestion=_escapes(url, component, span),
        )


def _not_in_iris(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each run of characters that RFC 3987 has no place for, either."""
    for component in COMPONENTS:
        more = UCSCHAR + (IPRIVATE if component == "query" else "")
        allowed = "" if component in ("scheme", "port") else more
        for _, span in find_in_components(url, re.compile(f"[^\x00-\x9f{allowed}]+"), (component,)):
            message = f"{name_characters(url, span)} {in_component(component)}: no character of an IRI"
            yield RULE.problem(message, component, span, section=spec.section("characters"))


def _escapes(url: Url, component: str, span: tuple[int, int]) -> str:
    """Return the run as RFC 3987 section 3.1 maps it; "" in an authority (hosts go by IDNA) and for half characters."""
    run = url.text[slice(*span)]
    if component not in ("path", "query", "fragment") or _SURROGATE.search(run):
        return ""
    return escaped(run)


def fix(_url: Url, problem: Problem) -> Fix | None:
    """Write the run as the escapes of its octets in UTF-8."""
    return Fix("safe", (Edit(problem.start, problem.end, problem.suggestion),)) if problem.suggestion else None


RULE = Rule(
    code="U104",
    name="non-ascii-character",
    severity=Severity.ERROR,
    summary="A character that is not of US-ASCII: an IRI (RFC 3987) where a URI is meant.",
    why=(
        "A URI is a sequence of characters of US-ASCII (RFC 1738 section 2.2, RFC 3986 section 2); others are written"
        " as the escapes of their octets in UTF-8 (RFC 3986 section 2.5, RFC 3987 section 3.1). Browsers and people"
        " take the IRI as it is, protocols and old programs do not."
    ),
    when_to_ignore="Where IRIs are welcome; that is why it is off. Under RFC 3987 it names only what no IRI may hold.",
    bad=(Example("See <http://h.example/wiki/Zürich>."), Example("See <http://h.example/wiki/Zürich>.", "rfc1738")),
    good=(
        Example("See <http://h.example/wiki/Z%C3%BCrich>."),
        Example("See <http://h.example/wiki/Zürich>.", "rfc3987"),
    ),
    default=False,
    profiles=("rfc3987",),
    check=check,
    fix=fix,
    fix_note="Writes the escapes of the UTF-8 octets (safe); not in a host, which has an encoding of its own.",
    contexts=DESTINATIONS,
    skips_templates=True,
)
