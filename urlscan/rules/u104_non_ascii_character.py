"""U104 non-ascii-character."""

import re
from collections.abc import Iterator

from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Rule, Spec, find_in_components, in_component, name_characters
from urlscan.uri.grammar.characters import IPRIVATE, UCSCHAR, escaped
from urlscan.uri.grammar.mapping import mapped_to_ascii
from urlscan.uri.url import COMPONENTS, Url

# From U+00A0 upwards: U103 reports the control characters below.
_NON_ASCII = re.compile("[\u00a0-\U0010ffff]+")
_SURROGATE = re.compile("[\ud800-\udfff]")


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each sequence of non-ASCII characters."""
    if spec.grammar == "rfc3987":
        yield from _not_in_iris(url, spec)
        return
    for component, span in find_in_components(url, _NON_ASCII):
        yield RULE.problem(
            f"{name_characters(url, span)} {in_component(component)}: a URI may only contain ASCII characters",
            component,
            span,
            section=spec.section("characters"),
            suggestion=_escapes(url, component, span),
        )


def _not_in_iris(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each sequence of characters that RFC 3987 does not allow either."""
    for component in COMPONENTS:
        more = UCSCHAR + (IPRIVATE if component == "query" else "")
        allowed = "" if component in ("scheme", "port") else more
        for _, span in find_in_components(url, re.compile(f"[^\x00-\x9f{allowed}]+"), (component,)):
            message = f"{name_characters(url, span)} {in_component(component)} is not allowed in an IRI"
            yield RULE.problem(message, component, span, section=spec.section("characters"))


def _escapes(url: Url, component: str, span: tuple[int, int]) -> str:
    """Return the escapes of RFC 3987 section 3.1; "" in an authority (hosts use IDNA) and for surrogates."""
    characters = url.text[slice(*span)]
    if component == "host" and mapped_to_ascii(url.host or "") is not None:
        return mapped_to_ascii(characters) or ""
    if component not in ("path", "query", "fragment") or _SURROGATE.search(characters):
        return ""
    return escaped(characters)


def fix(_url: Url, problem: Problem) -> Fix | None:
    """Escape the octets of the characters in UTF-8."""
    return Fix("safe", (Edit(problem.start, problem.end, problem.suggestion),)) if problem.suggestion else None


RULE = Rule(
    code="U104",
    name="non-ascii-character",
    severity=Severity.ERROR,
    summary="URL contains a non-ASCII character",
    why=(
        "A URI is a sequence of ASCII characters (RFC 1738 section 2.2, RFC 3986 section 2). Other characters are"
        " written as the escapes of their octets in UTF-8 (RFC 3986 section 2.5, RFC 3987 section 3.1). Browsers and"
        " people accept IRIs; protocols and old programs do not."
    ),
    when_to_ignore="Where IRIs are accepted. Under RFC 3987 the rule only reports characters that no IRI may contain.",
    bad=(Example("See <http://h.example/wiki/Zürich>."), Example("See <http://h.example/wiki/Zürich>.", "rfc1738")),
    good=(
        Example("See <http://h.example/wiki/Z%C3%BCrich>."),
        Example("See <http://h.example/wiki/Zürich>.", "rfc3987"),
    ),
    default=False,
    profiles=("rfc3987",),
    check=check,
    fix=fix,
    fix_note="Writes the escapes of the UTF-8 octets (safe), in a host only as IDNA maps it to ASCII.",
    contexts=DESTINATIONS,
    skips_templates=True,
)
