"""U208 undecoded-text."""

import functools
import re
from collections.abc import Iterator

from urlscan.model import Edit, Fix, Occurrence, Problem, Severity
from urlscan.patterns import lazy
from urlscan.rules.base import ADDRESSES, Example, Rule, Spec
from urlscan.text import Segment
from urlscan.url import Url

# What nobody writes into a URL himself: "&amp;" for "&", and the "=" of quoted-printable (RFC 2045 section 6.7).
_UNDECODED = re.compile(r"&amp;|=3D")
# How far around a place its text is looked at.
_AROUND = 300
# Where tags are, "&amp;" is how a URL must be written.
_TAG = lazy(r"</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*|/?)>|<!--|\b(?:href|src)\s*=", re.IGNORECASE)
# Another sign of quoted-printable: a soft line break, an octet in hexadecimal.
_SIGN = lazy(r"=\r?\n|=[0-9A-F]{2}(?![0-9a-z])|=3D")


def check(url: Url, _spec: Spec) -> Iterator[Problem]:
    """Yield a problem for each character reference and each encoded equals sign."""
    for match in _UNDECODED.finditer(url.text):
        component = next((name for name in ("query", "fragment", "path") if _within(url.span(name), match.start())), "")
        entity = match[0] == "&amp;"
        yield RULE.problem(
            f'"{match[0]}" stands for "{"&" if entity else "="}": the text around was not decoded',
            component,
            match.span(),
            section="HTML 13.1.4" if entity else "RFC 2045 section 6.7",
            suggestion=_decoded(url.text),
            syntax=False,
        )


def _located(problem: Problem, occurrence: Occurrence, segment: Segment) -> Problem | None:
    """Return the problem if the text around is no markup, or is quoted-printable, else None."""
    return problem if _is_undecoded(problem, occurrence, segment) else None


def _is_undecoded(problem: Problem, occurrence: Occurrence, segment: Segment) -> bool:
    entity = occurrence.url.startswith("&amp;", problem.start)
    if occurrence.style == "markup":
        return entity  # the markup has been decoded: it was encoded twice
    if segment.kind not in ("plain", "mail"):
        return False
    at = occurrence.start + occurrence.in_raw(problem.start)
    around = segment.text[max(0, at - _AROUND) : at + _AROUND]
    if entity:
        return _TAG.search(around) is None
    return len(_SIGN.findall(around)) > 1


def fix(url: Url, problem: Problem) -> Fix:
    """Write the character; unsafe for quoted-printable, since all of the text wants to be decoded."""
    entity = url.text.startswith("&amp;", problem.start)
    edit = Edit(problem.start, problem.end, "&" if entity else "=")
    return Fix("safe" if entity else "unsafe", (edit,))


def _within(span: tuple[int, int] | None, at: int) -> bool:
    return span is not None and span[0] <= at < span[1]


@functools.lru_cache(maxsize=1)  # a URL of many is asked about for each
def _decoded(text: str) -> str:
    return text.replace("&amp;", "&").replace("=3D", "=")


RULE = Rule(
    code="U208",
    name="undecoded-text",
    severity=Severity.WARNING,
    summary='A character reference or quoted-printable in a URL: "&amp;", "=3D".',
    why=(
        '"&amp;" is how HTML and XML write "&", "=3D" how quoted-printable writes "=" (RFC 2045 section 6.7). In a'
        " text that is neither, a URL that holds them was copied without being decoded, and leads elsewhere."
        ' Nothing is said of "&amp;" where tags are near, nor of "=3D" without another sign of quoted-printable.'
    ),
    when_to_ignore="Where the source of a page or of a mail is shown as text.",
    bad=(
        Example("See http://h.example/?a=1&amp;b=2 now."),
        Example("See http://h.example/?a=3D1&b=3D2 now."),
        Example('<a href="http://h.example/?a=1&amp;amp;b=2">a</a>', path="a.html"),
    ),
    good=(
        Example('Write <a href="http://h.example/?a=1&amp;b=2">.'),
        Example("See http://h.example/?a=1&amp;b=2 now.", path="a.md"),
        Example("See http://h.example/?a=3d7eaed8 now."),
    ),
    check=check,
    refine=_located,
    fix=fix,
    fix_note='Writes the character ("&amp;": safe; "=3D": unsafe, for the whole text wants decoding).',
    contexts=ADDRESSES,
    skips_templates=True,
)
