"""U101 unsafe-character."""

import re
from collections.abc import Iterator

from urlscan.core.choices import Applicability
from urlscan.core.lazy import lazy
from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Rule, Spec, find_in_components, in_component, name_characters
from urlscan.rules.extent import keep_if_delimited
from urlscan.uri.grammar.characters import UNSAFE, escaped, one_of
from urlscan.uri.url import Url

# RFC 1738 section 2.2:  "Other characters are unsafe because gateways and other transport agents are
#   known to sometimes modify such characters. [...] All unsafe characters must always be encoded
#   within a URL."
_UNSAFE = lazy(one_of(UNSAFE) + "+")
# RFC 3986 section 3.2.2:  "This is the only place where square bracket characters are allowed in the
#   URI syntax" - brackets in the authority belong to U401, those in query and fragment to U107.
_UNSAFE_IN_PATH = re.compile(one_of(UNSAFE + "[]") + "+")

# Escaping these keeps the meaning. A backslash may have been intended as "/"; the others are more often stray markup
# than data.
_ESCAPABLE = frozenset("^|{}[]")
# A substitution that was not made, "/|version|/", or TeX notation, "^^". Escaping these would hide the mistake.
_NOTATION = lazy(r"\|[\w -]{1,64}\||\^\^")


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each sequence of unsafe characters."""
    if _UNSAFE_IN_PATH.search(url.text) is None:
        return
    places = [
        *find_in_components(url, _UNSAFE, ("scheme", "userinfo", "host", "port")),
        *find_in_components(url, _UNSAFE_IN_PATH, ("path",)),
        *find_in_components(url, _UNSAFE, ("query", "fragment")),
    ]
    for component, span in places:
        characters = url.text[slice(*span)]
        if spec.grammar == "rfc1630" and set(characters) == {'"'}:
            continue  # RFC 1630:  extra = "!" | "*" | <"> | "'" | "(" | ")" | ","
        yield RULE.problem(
            f"{name_characters(url, span)} must be escaped {in_component(component)}",
            component,
            span,
            section=spec.section("characters"),
            suggestion=escaped(characters) if "\\" not in characters and component != "userinfo" else "",
        )


def fix(url: Url, problem: Problem) -> Fix | None:
    """Escape the characters where this keeps the meaning; in an authority it would not."""
    characters = url.text[problem.start : problem.end]
    if problem.component not in ("path", "query", "fragment") or not _ESCAPABLE.issuperset(characters):
        return None
    applicability: Applicability = "unsafe" if _NOTATION.search(url.text) is not None else "safe"
    return Fix(applicability, (Edit(problem.start, problem.end, escaped(characters)),))


RULE = Rule(
    code="U101",
    name="unsafe-character",
    severity=Severity.ERROR,
    summary="URL contains a character that must be escaped",
    why=(
        "Gateways, mail programs and typesetters delimit URLs with these characters or change them, so that the URL"
        ' ends early or arrives damaged. The characters are < > " { } | \\ ^ ` and, in a path, square brackets. RFC'
        " 1738 section 2.2 calls them unsafe, RFC 2396 section 2.4.3 calls them delimiters and unwise, and RFC 3986"
        " section 2 does not allow them. Square brackets may only enclose an IP literal (RFC 3986 section 3.2.2)."
        " U107 covers brackets in a query or a fragment."
    ),
    when_to_ignore="Where only browsers read the URL: they escape most of these characters.",
    bad=(
        Example("See <http://h.example/a|b>."),
        Example("See <http://h.example/[draft=1]/x>."),
        Example('See <http://h.example/a">.'),
        Example("See <http://h.example/a^b>.", "rfc1738"),
    ),
    good=(
        Example("See <http://h.example/a%7Cb>."),
        Example("See <http://[2001:db8::1]/>."),
        Example("See <http://h.example/?filter[x]=1>."),
        Example("See <http://h.example/{name}>."),
    ),
    check=check,
    fix=fix,
    fix_note="Escapes ^ | { } and the brackets of a path (safe). Other characters have no fix.",
    skips_templates=True,
    defers_to=("U406",),
    contexts=DESTINATIONS,
    refine=keep_if_delimited,
)
