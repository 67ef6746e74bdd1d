"""U106 unencoded-hash."""

import re
from collections.abc import Iterator

from urlscan.model import Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Rule, Spec, find_in_components
from urlscan.url import Url

_HASHES = re.compile("#+")


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for the "#" before the fragment, and for each sequence of "#" inside it."""
    span = url.span("fragment")
    if span is None:
        return
    yield RULE.problem(
        '"#" is not allowed in a URL; write %23, or remove the fragment',
        "fragment",
        (span[0] - 1, span[0]),
        section="RFC 1738 section 2.2",
        suggestion=url.text[: span[0] - 1],
        # U401 reports the fragment of an absolute-URI, which RFC 3986 does not allow either.
        syntax=spec.grammar == "rfc1738",
    )
    for component, place in find_in_components(url, _HASHES, ("fragment",)):
        yield RULE.problem(
            '"#" (U+0023) must be escaped in the fragment; write %23',
            component,
            place,
            section=spec.section("fragment"),
            suggestion="%23" * (place[1] - place[0]),
        )


RULE = Rule(
    code="U106",
    name="unencoded-hash",
    severity=Severity.ERROR,
    summary='URL contains a "#" that must be escaped',
    why=(
        'RFC 1738 section 2.2: the character "#" "should always be encoded because it is used in World Wide Web and'
        ' in other systems to delimit a URL from a fragment/anchor identifier that might follow it". Since RFC 3986'
        ' section 3.5 the fragment belongs to the URI, but it must not contain another "#".'
    ),
    when_to_ignore="Outside RFC 1738. The rule is on by default only in its profile.",
    bad=(Example("See <http://h.example/a#b>.", "rfc1738"),),
    good=(Example("See <http://h.example/a%23b>.", "rfc1738"), Example("See <http://h.example/a>.", "rfc1738")),
    default=False,
    profiles=("rfc1738",),
    check=check,
    checks_fast_accepted=True,
    contexts=DESTINATIONS,
    skips_templates=True,
)
