"""Report URLs that were encoded once too often or too rarely (U202 and U208)."""

import re
from collections.abc import Iterator

from urlscan.core.choices import Applicability
from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import Edit, Fix, Match, Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Spec, find_in_components, quote, replacement, url_rule
from urlscan.uri.url import Url

# --- U202 double-encoding

# RFC 3986 section 2.4:  "Implementations must not percent-encode or decode the same string more than
#   once" - "%20" that was encoded again is "%2520".
_DOUBLE = lazy("%25(?=[0-9A-Fa-f]{2})")
_DIVIDER = lazy("%25(?:26|3[Dd])")
# RFC 3986 section 2.2:  reserved = gen-delims / sub-delims
# A value with an escaped delimiter or quotation mark is a URL or JSON, so its own escapes are rightly escaped again.
_DELIMITER = lazy("%(?:2[1-46-9A-CFa-cf]|3[ABDFabdf]|40|5[BDbd])")
# A URL with a query, or an object of JSON, in a value: two programs escape it on its way, as a login page passes it on.
_FORWARDED = lazy("%25(?:3[Ff]|7[Bb])")
# A URL without escapes inside another, as archives write it. Escapes after this point belong to the inner URL.
_NESTED = lazy("[A-Za-z]:/")


# The segments of the path, the names and values of the query, and the fragment. The first "=" divides a parameter;
# others belong to the value.
_PARTS = {"path": lazy("[^/]+"), "query": lazy("(?<==)[^&;]+|[^&;=]+"), "fragment": lazy(".+", re.DOTALL)}


def _parts(url: Url) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the component and the span of each part before a URL inside the URL."""
    nested = _NESTED.search(url.text, (url.span("path") or (0, 0))[0])
    limit = nested.start() if nested is not None else len(url.text)
    for component, pattern in _PARTS.items():
        for _, span in find_in_components(url, pattern, (component,)):
            if span[1] <= limit:
                yield component, span


@url_rule(
    "U202",
    Severity.WARNING,
    bad=["See <http://h.example/?q=blue%2520mill>.", "See <http://h.example/blue%2520mill>."],
    good=[
        "See <http://h.example/?q=100%25>.",
        "See <http://h.example/?to=http%3A%2F%2Fg.example%2Fblue%2520mill>.",
        "See <http://archive.example/2001/http://h.example/?q=blue%2520mill>.",
    ],
    contexts=DESTINATIONS,
)
def double_encoding(url: Url, spec: Spec) -> Iterator[Problem]:
    """URL is probably percent-encoded twice.

    RFC 2396 section 2.4.2 and RFC 3986 section 2.4: the same string must not be percent-encoded more than once. %2520
    represents the three characters %20, not a space. A URL inside another URL is rightly encoded twice. The rule
    therefore accepts values that contain other escaped delimiters, begin with a slash, or belong to an inner URL. In a
    path or a fragment the severity is info, since some servers decode these twice, and so it is in the name of a
    parameter, which programs escape themselves, and in a value that is JSON or a URL with a query.

    When to ignore: Where the server is known to decode twice.
    Fix: Removes the 25 in a value of the query (unsafe: it may be intended), unless "=" or "&" is escaped.
    """
    if "%25" not in url.text:
        return
    for component, (start, end) in _parts(url):
        places = [match.start() for match in _DOUBLE.finditer(url.text, start, end)]
        value = url.text[start:end]
        if not places or value.startswith("/") or _DELIMITER.search(value) is not None:
            continue
        span = places[0], places[-1] + 5
        # Some servers require it in paths, because they decode twice; a program may escape the names of its fields.
        is_advice = component != "query" or url.text.startswith("=", end) or bool(_FORWARDED.search(value))
        fix = None  # what divides a query is probably meant without any escape
        if not is_advice and _DIVIDER.search(url.text, *span) is None:
            fix = Fix("unsafe", tuple(Edit(position + 1, position + 3, "") for position in places))
        yield double_encoding.problem(
            f'{quote(url, span)} in the {component} is probably escaped twice: %25 is an escaped "%"',
            component,
            span,
            section="RFC 2396 section 2.4.2" if spec.grammar == "rfc2396" else "RFC 3986 section 2.4",
            syntax=False,
            is_advice=is_advice,
            fix=fix,
        )


# --- U208 undecoded-text

# Never written into a URL on purpose: "&amp;" for "&", and "=3D" of quoted-printable (RFC 2045 section 6.7).
_UNDECODED = lazy(r"&amp;|=3D")
# The decoded character, the section, and the applicability of the fix. A text of quoted-printable needs decoding as a
# whole.
_UNDECODED_FORMS: dict[str, tuple[str, str, Applicability]] = {
    "&amp;": ("&", "HTML 13.1.4", "safe"),
    "=3D": ("=", "RFC 2045 section 6.7", "unsafe"),
}
# How much text on either side is examined, in characters.
_AROUND = 300
# Near tags, "&amp;" is the correct form of "&".
# White space precedes the name of an attribute; "src=" in a query is a parameter.
_TAG = lazy(
    r"</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*|/?)>|<!--|(?<![^\s\"'])(?:[a-z][\w-]*[:-])?(?:href|src)\s*=", re.IGNORECASE
)
# Another sign of quoted-printable: a soft line break, an octet in hexadecimal.
_SIGN = lazy(r"=\r?\n|=[0-9A-F]{2}(?![0-9a-z])|=3D")


def _keep_undecoded(problem: Problem, occurrence: Match, document: Document) -> Problem | None:
    """Return the problem if the surrounding text is not markup, or is quoted-printable, else None."""
    if _is_undecoded(problem, occurrence, document):
        return problem
    return None


def _is_undecoded(problem: Problem, occurrence: Match, document: Document) -> bool:
    entity = occurrence.url.startswith("&amp;", problem.start)
    if document.kind == "xml":
        return False  # what is encoded twice there may be the source of a page, as in feeds
    if occurrence.style == "markup":
        return entity  # the markup has been decoded, so the URL was encoded twice
    if document.kind not in ("plain", "mail"):
        return False
    position = occurrence.start + occurrence.in_raw(problem.start)
    first, last = max(0, position - _AROUND), position + _AROUND
    if entity:
        # The URL itself is not markup, whatever its query contains.
        before, after = document.text[first : occurrence.start], document.text[occurrence.end : last]
        return _TAG.search(before) is None and _TAG.search(after) is None
    return len(_SIGN.findall(document.text, first, last)) > 1


@url_rule(
    "U208",
    Severity.WARNING,
    bad=(
        "See http://h.example/?a=1&amp;b=2 now.",
        "See http://h.example/?a=3D1&b=3D2 now.",
        Example('<a href="http://h.example/?a=1&amp;amp;b=2">a</a>', path="a.html"),
    ),
    good=(
        'Write <a href="http://h.example/?a=1&amp;b=2">.',
        Example("See http://h.example/?a=1&amp;b=2 now.", path="a.md"),
        "See http://h.example/?a=3d7eaed8 now.",
        Example('<svg><style>@import url("http://h.example/?a=1&amp;b=2");</style></svg>', path="a.svg"),
    ),
    refine=_keep_undecoded,
)
def undecoded_text(url: Url, _spec: Spec) -> Iterator[Problem]:
    """URL contains an undecoded character reference or quoted-printable.

    HTML and XML write "&" as "&amp;", and quoted-printable writes "=" as "=3D" (RFC 2045 section 6.7). In other text,
    and in scripts and styles of HTML, a URL that contains them was copied without decoding and leads elsewhere. The
    rule accepts "&amp;" near tags and anywhere in XML, and "=3D" without another sign of quoted-printable.

    When to ignore: Where the text shows the source of a page or of a mail.
    Fix: Writes the character ("&amp;": safe; "=3D": unsafe, since the entire text needs decoding).
    """
    suggestion = url.text.replace("&amp;", "&").replace("=3D", "=")
    for match in _UNDECODED.finditer(url.text):
        spans = {name: url.span(name) or (0, 0) for name in ("query", "fragment", "path")}
        component = next((name for name, (start, end) in spans.items() if start <= match.start() < end), "")
        decoded, section, applicability = _UNDECODED_FORMS[match[0]]
        yield undecoded_text.problem(
            f'undecoded "{match[0]}" in the URL; write "{decoded}"',
            component,
            match.span(),
            section=section,
            suggestion=suggestion,
            syntax=False,
            fix=replacement(applicability, match.span(), decoded),
        )
