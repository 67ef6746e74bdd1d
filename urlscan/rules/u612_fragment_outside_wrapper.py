"""U612 fragment-outside-wrapper."""

from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.records import Edit, Fix, Match, Severity
from urlscan.rules.base import PARAGRAPHS, Example, Rule, TextProblem, faults_named


def check_text(occurrence: Match, document: Document) -> Iterator[TextProblem]:
    """Yield a problem for a fragment immediately after the closing bracket."""
    for fault in faults_named(occurrence, "fragment-outside"):
        fragment = document.text[fault.start : fault.end]
        edits = (Edit(occurrence.end, occurrence.end, fragment), Edit(fault.start, fault.end, ""))
        yield TextProblem(
            f'"{fragment}" after the bracket is not read as part of the URL; write it inside',
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
    summary="Fragment follows the angle brackets that enclose the URL",
    why=(
        "The appendix of RFC 1738 writes the fragment outside, because it was not part of the URL:"
        ' "<URL:http://h/x>#frag". Since RFC 3986 section 3.5 it is part of the URL, and appendix C writes it inside.'
        " Programs that read the brackets lose a fragment outside."
    ),
    when_to_ignore="Where the text follows RFC 1738.",
    bad=(Example("See <URL:http://h.example/a>#top."),),
    good=(Example("See <URL:http://h.example/a#top>."), Example("See <URL:http://h.example/a> #1.")),
    check_text=check_text,
    fix_note="Moves the fragment inside (safe).",
    contexts=PARAGRAPHS,
)
