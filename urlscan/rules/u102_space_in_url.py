"""U102 space-in-url."""

from collections.abc import Iterator

from urlscan.model import Edit, Fix, Occurrence, Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Rule, Spec, TextProblem, in_component
from urlscan.rules.extent import keep_if_delimited
from urlscan.text import Segment
from urlscan.url import COMPONENTS, Url

_SECTION = "RFC 3986 appendix C"


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield one problem for the first run of spaces: what fixes one fixes all."""
    start = url.text.find(" ")
    if start < 0:
        return
    end = start + 1
    while url.text.startswith(" ", end):
        end += 1
    component = next((c for c in COMPONENTS if (span := url.span(c)) and span[0] <= start < span[1]), "")
    yield RULE.problem(
        f"a space {in_component(component)} must be written %20",
        component,
        (start, end),
        section=spec.section("characters"),
        suggestion=url.text.replace(" ", "%20"),
    )


def fix(url: Url, problem: Problem) -> Fix | None:
    """Escape all spaces; unsafe, because they may as well be there by accident.

    None where two follow each other: a line of the source was wrapped inside the URL and indented, and no escape
    makes it the URL that was meant ("name-       based.html").
    """
    if problem.component not in ("path", "query", "fragment") or "  " in url.text[problem.start :]:
        return None
    edits = [Edit(at, at + 1, "%20") for at in range(problem.start, len(url.text)) if url.text[at] == " "]
    return Fix("unsafe", tuple(edits))


def check_text(occurrence: Occurrence, _segment: Segment) -> Iterator[TextProblem]:
    """Yield one problem for the first blank between delimiters: it was ignored, and may have been data."""
    blanks = [gap for gap in occurrence.breaks if gap.kind == "blank"]
    if not blanks:
        return
    escaped = next((other.url for other in occurrence.alternatives if other.why == "blank-escaped"), "")
    start = occurrence.start + blanks[0].offset
    yield TextProblem(
        "a blank inside the delimiters is ignored; if it belongs to the URL, write %20",
        start,
        start + blanks[0].length,
        section=_SECTION,
        suggestion=escaped,
    )


RULE = Rule(
    code="U102",
    name="space-in-url",
    severity=Severity.ERROR,
    summary="A blank in a URL that is no line break.",
    why=(
        "A URL holds no space (RFC 1738 section 2.2, RFC 3986 section 2). Between delimiters white space is"
        " ignored, so that long URLs can be broken over lines (RFC 3986 appendix C); a blank within one line was"
        " either put there by accident or is part of a name, and then the reader of the text gets another URL."
    ),
    when_to_ignore="Where the text shows a URL as a person would type it.",
    bad=(
        Example("See <http://h.example/ TR/xml>."),
        Example("See <URL:gopher://h.example/Remote Information Services>."),
    ),
    good=(
        Example("See <http://h.example/TR/xml>."),
        Example("See < http://h.example/TR/xml >."),
        Example("See <http://h.example/TR/\nxml>."),
    ),
    check=check,
    check_text=check_text,
    fix=fix,
    fix_note="In markup, writes %20 (unsafe); between <...> you choose: without the blank, or %20.",
    skips_templates=True,
    defers_to_faults=("prose-in-wrapper",),
    contexts=DESTINATIONS,
    refine=keep_if_delimited,
)
