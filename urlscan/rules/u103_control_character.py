"""U103 control-character."""

import re
from collections.abc import Iterator

from urlscan.core.records import Problem, Severity
from urlscan.rules.base import (
    DESTINATIONS,
    Example,
    Rule,
    Spec,
    find_in_components,
    in_component,
    is_secret,
    name_characters,
)
from urlscan.rules.extent import keep_if_delimited
from urlscan.uri.url import Url

# RFC 2396 section 2.4.3:  control = <US-ASCII coded characters 00-1F and 7F hexadecimal>
# C1 (U+0080 to U+009F) are the control characters of ISO 6429; RFC 3987's ucschar leaves them out too.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each sequence of control characters."""
    for component, span in find_in_components(url, _CONTROL):
        yield RULE.problem(
            _message(url, span, component),
            component,
            span,
            section=spec.section("characters"),
        )


def _message(url: Url, span: tuple[int, int], component: str) -> str:
    if is_secret(url, span):
        return "control character in a secret"
    return f"control character {name_characters(url, span)} {in_component(component)}"


RULE = Rule(
    code="U103",
    name="control-character",
    severity=Severity.ERROR,
    summary="URL contains a control character",
    why=(
        "Control characters have no graphic form and must be encoded (RFC 1738 section 2.2); RFC 3986 section 2 does"
        " not allow them. Some programs end the URL at such a character, others drop it, and terminals execute it."
    ),
    when_to_ignore="In test data that needs control characters.",
    bad=(Example("See <http://h.example/a\x01b>."), Example("See <http://h.example/a\x7fb>.")),
    good=(Example("See <http://h.example/a%01b>."), Example("\x1b[32m<http://h.example/ab>\x1b[m")),
    check=check,
    contexts=DESTINATIONS,
    refine=keep_if_delimited,
    skips_templates=True,
)
