"""U102 space-in-url."""

from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.records import Edit, Fix, Match, Problem, Severity
from urlscan.rules.base import DESTINATIONS, Example, Rule, Spec, TextProblem, in_component
from urlscan.rules.extent import keep_if_delimited
from urlscan.uri.url import COMPONENTS, Url

_SECTION = "RFC 3986 appendix C"


def check(url: Url, spec: Spec) -> Iterator[Problem]:
    """Yield one problem for the first sequence of spaces; its fix covers all of them."""
    start = url.text.find(" ")
    if start < 0:
        return
    end = start + 1
    while url.text.startswith(" ", end):
        end += 1
    component = next((c for c in COMPONENTS if (span := url.span(c)) and span[0] <= start < span[1]), "")
    yield RULE.problem(
        f"space {in_component(component)} must be escaped; write %20",
        component,
        (start, end),
        section=spec.section("characters"),
        suggestion=url.text.replace(" ", "%20"),
    )


def fix(url: Url, problem: Problem) -> Fix | None:
    """Escape all spaces; unsafe, because they may have been inserted by accident.

    None if two spaces are adjacent: a line of the source was wrapped inside the URL and indented, and no escape
    restores the intended URL ("name-       based.html").
    """
    if problem.component not in ("path", "query", "fragment") or "  " in url.text[problem.start :]:
        return None
    edits = [Edit(at, at + 1, "%20") for at in range(problem.start, len(url.text)) if url.text[at] == " "]
    return Fix("unsafe", tuple(edits))


def refine(problem: Problem, occurrence: Match, document: Document) -> Problem | None:
    """Return the problem where the extent of the URL is known; a comment holds other things than URLs."""
    return keep_if_delimited(problem, occurrence, document) if occurrence.context in DESTINATIONS else None


def check_text(occurrence: Match, _document: Document) -> Iterator[TextProblem]:
    """Yield one problem for the first space between delimiters: it is ignored, but may be data."""
    blanks = [break_ for break_ in occurrence.breaks if break_.kind == "blank"]
    if not blanks:
        return
    start = occurrence.start + blanks[0].offset
    end = start + blanks[0].length
    if occurrence.style == "bare":
        yield TextProblem(
            "a blank splits the URL in two",
            start,
            end,
            section="RFC 3986 section 3",
            suggestion=occurrence.url,
            fix=Fix("unsafe", (Edit(start, end, ""),)),
        )
        return
    if occurrence.context == "comment":
        return
    escaped = next((other.url for other in occurrence.alternatives if other.why == "blank-escaped"), "")
    yield TextProblem(
        "space between the delimiters is ignored; write %20 if it belongs to the URL",
        start,
        end,
        section=_SECTION,
        suggestion=escaped,
    )


RULE = Rule(
    code="U102",
    name="space-in-url",
    severity=Severity.ERROR,
    summary="URL contains a space",
    why=(
        "A URL cannot contain a space (RFC 1738 section 2.2, RFC 3986 section 2). White space between delimiters is"
        " ignored, so that long URLs can be broken over lines (RFC 3986 appendix C). A space within one line was"
        " inserted by accident, or it belongs to a name and readers get another URL."
    ),
    when_to_ignore="Where the text shows a URL as a person would type it.",
    bad=(
        Example("See <http://h.example/ TR/xml>."),
        Example("See <URL:gopher://h.example/Remote Information Services>."),
        Example("See http:// www.dominion.org/x there."),
    ),
    good=(
        Example("See <http://h.example/TR/xml>."),
        Example("See < http://h.example/TR/xml >."),
        Example("See <http://h.example/TR/\nxml>."),
        Example("It fetches http:// and ftp:// addresses, such as <http://h.example/>."),
    ),
    check=check,
    check_text=check_text,
    fix=fix,
    fix_note="Writes %20 in markup (unsafe). Between <...> there is no fix: remove the space or write %20.",
    skips_templates=True,
    defers_to_faults=("prose-in-wrapper",),
    contexts=(*DESTINATIONS, "comment"),
    refine=refine,
)
