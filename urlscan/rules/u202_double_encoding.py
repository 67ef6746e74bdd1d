"""U202 double-encoding."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from urlscan.core.lazy import lazy
from urlscan.core.records import Edit, Fix, Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Rule, Spec, in_component, quote
from urlscan.uri.url import Url

# RFC 3986 section 2.4:  "Implementations must not percent-encode or decode the same string more than
#   once" - "%20" that was encoded again is "%2520".
_DOUBLE = lazy("%25(?=[0-9A-Fa-f]{2})")
# RFC 3986 section 2.2:  reserved = gen-delims / sub-delims
# A value with an escaped delimiter is a URL or a query itself, so its own escapes are rightly escaped again.
_DELIMITER = lazy("%(?:2[1346-9A-CFa-cf]|3[ABDFabdf]|40|5[BDbd])")
# A URL without escapes inside another, as archives write it. Escapes after this point belong to the inner URL.
_NESTED = lazy("[A-Za-z]:/")


class _Part(NamedTuple):
    component: str
    start: int
    end: int


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each segment, name, value or fragment that is probably escaped twice."""
    if "%25" not in url.text:
        return
    for part in _parts(url):
        places = [match.start() for match in _DOUBLE.finditer(url.text, part.start, part.end)]
        if not places or _holds_url(url.text[part.start : part.end]):
            continue
        span = places[0], places[-1] + 5
        found = RULE.problem(
            f'{quote(url, span)} {in_component(part.component)} is probably escaped twice: %25 is an escaped "%"',
            part.component,
            span,
            section="RFC 2396 section 2.4.2" if spec.grammar == "rfc2396" else "RFC 3986 section 2.4",
            syntax=False,
        )
        # Some servers require it in paths, because they decode twice.
        yield found if part.component == "query" else found._replace(severity=Severity.INFO)


def _holds_url(value: str) -> bool:
    return value.startswith("/") or _DELIMITER.search(value) is not None


def _parts(url: Url) -> list[_Part]:
    """Return the segments of the path, the names and values of the query, and the fragment."""
    path = url.span("path") or (0, 0)
    nested = _NESTED.search(url.text, path[0])
    limit = len(url.text) if nested is None else nested.start()
    parts = _cut(url.text, "path", path, "[^/]+")
    if (query := url.span("query")) is not None:
        # The first "=" divides a parameter; others belong to the value.
        for parameter in _cut(url.text, "query", query, "[^&;]+"):
            equals = url.text.find("=", parameter.start, parameter.end)
            if equals < 0:
                parts.append(parameter)
            else:
                parts.append(parameter._replace(end=equals))
                parts.append(parameter._replace(start=equals + 1))
    if (fragment := url.span("fragment")) is not None:
        parts.append(_Part("fragment", *fragment))
    return [part for part in parts if part.end <= limit]


def _cut(text: str, component: str, span: tuple[int, int], pattern: str) -> list[_Part]:
    return [_Part(component, *match.span()) for match in re.compile(pattern).finditer(text, *span)]


def fix(url: Url, problem: Problem) -> Fix | None:
    """Remove the "25" of each escape; unsafe, because the program that reads the URL may decode twice."""
    found = _DOUBLE.finditer(url.text, problem.start, problem.end)
    return Fix("unsafe", tuple(Edit(match.start() + 1, match.end(), "") for match in found))


RULE = Rule(
    code="U202",
    name="double-encoding",
    severity=Severity.WARNING,
    summary="URL is probably percent-encoded twice",
    why=(
        "RFC 2396 section 2.4.2 and RFC 3986 section 2.4: the same string must not be percent-encoded more than"
        " once. %2520 represents the three characters %20, not a space. A URL inside another URL is rightly encoded"
        " twice. The rule therefore accepts values that contain other escaped delimiters, begin with a slash, or"
        " belong to an inner URL. In a path or a fragment the severity is info, since some servers decode these"
        " twice."
    ),
    when_to_ignore="Where the server is known to decode twice.",
    bad=(Example("See <http://h.example/?q=blue%2520mill>."), Example("See <http://h.example/blue%2520mill>.")),
    good=(
        Example("See <http://h.example/?q=100%25>."),
        Example("See <http://h.example/?to=http%3A%2F%2Fg.example%2Fblue%2520mill>."),
        Example("See <http://archive.example/2001/http://h.example/?q=blue%2520mill>."),
    ),
    check=check,
    fix=fix,
    fix_note="Removes the 25 (unsafe: it may be intended).",
    skips_templates=True,
    contexts=DESTINATIONS,
)
