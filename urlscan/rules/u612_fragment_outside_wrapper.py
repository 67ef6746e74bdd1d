"""U612 fragment-outside-wrapper."""

from collections.abc import Iterator

from urlscan.model import Edit, Fix, Occurrence, Severity
from urlscan.rules.base import PARAGRAPHS, Example, Rule, TextProblem, faults_named
from urlscan.text import Segment


def check_text(occurrence: Occurrence, segment: Segment) -> Iterator[TextProblem]:
    """Yield a problem for a fragment right behind the closing bracket."""
    for fault in faults_named(occurrence, "fragment-outside"):
        fragment = segment.text[fault.start : fault.end]
        edits = (Edit(occurrence.end, occurrence.end, fragment), Edit(fault.start, fault.end, ""))
        yield TextProblem(
            f'"{fragment}" stands behind the brackets: programs that read them take the URL without it',
            fault.start,
            fault.end,
            component="fragment",
            section="RFC 3986 appendix C",
            suggestion=occurrence.url + fragment,
            fix=Fix("safe", edits),
        )


RULE = Rule(
    code="U612",
    name="fragment-outside-wrapper",
    severity=Severity.WARNING,
    summary="A fragment behind the angle brackets that hold the URL.",
    why=(
        'RFC 1738, appendix, had the fragment outside, since it was no part of the URL: "<URL:http://h/x>#frag". Since'
        " RFC 3986 section 3.5 it is part, and appendix C has it inside. What stands behind is lost."
    ),
    when_to_ignore="Where RFC 1738 is what the text goes by.",
    bad=(Example("See <URL:http://h.example/a>#top."),),
    good=(Example("See <URL:http://h.example/a#top>."), Example("See <URL:http://h.example/a> #1.")),
    check_text=check_text,
    fix_note="Moves it inside (safe).",
    contexts=PARAGRAPHS,
)
