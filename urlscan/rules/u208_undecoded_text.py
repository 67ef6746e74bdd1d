"""U208 undecoded-text."""

import functools
import re
from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import Edit, Fix, Match, Problem, Severity
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec
from urlscan.uri.url import Url

# Never written into a URL on purpose: "&amp;" for "&", and "=3D" of quoted-printable (RFC 2045 section 6.7).
_UNDECODED = re.compile(r"&amp;|=3D")
# How much text on either side is examined, in characters.
_AROUND = 300
# Near tags, "&amp;" is the correct form of "&".
# White space precedes the name of an attribute; "src=" in a query is a parameter.
_TAG = lazy(
    r"</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*|/?)>|<!--|(?<![^\s\"'])(?:[a-z][\w-]*[:-])?(?:href|src)\s*=", re.IGNORECASE
)
# Another sign of quoted-printable: a soft line break, an octet in hexadecimal.
_SIGN = lazy(r"=\r?\n|=[0-9A-F]{2}(?![0-9a-z])|=3D")


def check(url: Url, _spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each character reference and each encoded equals sign."""
    for match in _UNDECODED.finditer(url.text):
        component = next((name for name in ("query", "fragment", "path") if _within(url.span(name), match.start())), "")
        entity = match[0] == "&amp;"
        yield RULE.problem(
            f'undecoded "{match[0]}" in the URL; write "{"&" if entity else "="}"',
            component,
            match.span(),
            section="HTML 13.1.4" if entity else "RFC 2045 section 6.7",
            suggestion=_decoded(url.text),
            syntax=False,
        )


def _keep_undecoded(problem: Problem, occurrence: Match, document: Document) -> Problem | None:
    """Return the problem if the surrounding text is not markup, or is quoted-printable, else None."""
    return problem if _is_undecoded(problem, occurrence, document) else None


def _is_undecoded(problem: Problem, occurrence: Match, document: Document) -> bool:
    entity = occurrence.url.startswith("&amp;", problem.start)
    if document.kind == "xml":
        return False  # what is encoded twice there may be the source of a page, as in feeds
    if occurrence.style == "markup":
        return entity  # the markup has been decoded, so the URL was encoded twice
    if document.kind not in ("plain", "mail"):
        return False
    at = occurrence.start + occurrence.in_raw(problem.start)
    first, last = max(0, at - _AROUND), at + _AROUND
    around = document.text[first:last]
    if entity:
        # The URL itself is not markup, whatever its query contains.
        before, after = document.text[first : occurrence.start], document.text[occurrence.end : last]
        return _TAG.search(before) is None and _TAG.search(after) is None
    return len(_SIGN.findall(around)) > 1


def fix(url: Url, problem: Problem) -> Fix:
    """Write the character; unsafe for quoted-printable, since the entire text needs decoding."""
    entity = url.text.startswith("&amp;", problem.start)
    edit = Edit(problem.start, problem.end, "&" if entity else "=")
    return Fix("safe" if entity else "unsafe", (edit,))


def _within(span: tuple[int, int] | None, at: int) -> bool:
    return span is not None and span[0] <= at < span[1]


@functools.lru_cache(maxsize=1)  # called for each match in the same URL
def _decoded(text: str) -> str:
    return text.replace("&amp;", "&").replace("=3D", "=")


RULE = Rule(
    code="U208",
    name="undecoded-text",
    severity=Severity.WARNING,
    summary="URL contains an undecoded character reference or quoted-printable",
    why=(
        'HTML and XML write "&" as "&amp;", and quoted-printable writes "=" as "=3D" (RFC 2045 section 6.7). In'
        " other text, and in scripts and styles of HTML, a URL that contains them was copied without decoding and"
        ' leads elsewhere. The rule accepts "&amp;" near tags and anywhere in XML, and "=3D" without another sign of'
        " quoted-printable."
    ),
    when_to_ignore="Where the text shows the source of a page or of a mail.",
    bad=(
        Example("See http://h.example/?a=1&amp;b=2 now."),
        Example("See http://h.example/?a=3D1&b=3D2 now."),
        Example('<a href="http://h.example/?a=1&amp;amp;b=2">a</a>', path="a.html"),
    ),
    good=(
        Example('Write <a href="http://h.example/?a=1&amp;b=2">.'),
        Example("See http://h.example/?a=1&amp;b=2 now.", path="a.md"),
        Example("See http://h.example/?a=3d7eaed8 now."),
        Example('<svg><style>@import url("http://h.example/?a=1&amp;b=2");</style></svg>', path="a.svg"),
    ),
    check=check,
    refine=_keep_undecoded,
    fix=fix,
    fix_note='Writes the character ("&amp;": safe; "=3D": unsafe, since the entire text needs decoding).',
    contexts=ADDRESSES,
    skips_templates=True,
)
