"""U610 too-long."""

from collections.abc import Iterator

from urlscan.model import Occurrence, Severity
from urlscan.rules.base import PARAGRAPHS, Example, Rule, TextProblem, faults_named
from urlscan.text import Segment


def check_text(occurrence: Occurrence, _segment: Segment) -> Iterator[TextProblem]:
    """Yield a problem for a URL of which we have read no more."""
    for fault in faults_named(occurrence, "too-long"):
        yield TextProblem(
            "the URL is longer than 65,536 characters, and was judged only so far",
            fault.start,
            fault.end,
            section="RFC 9110 section 4.1",
        )


RULE = Rule(
    code="U610",
    name="too-long",
    severity=Severity.WARNING,
    summary="A URL of more than 65,536 characters.",
    why=(
        "No specification has a limit; RFC 9110 section 4.1 asks programs for 8,000 octets at least, and what has more"
        " than 65,536 is read by hardly any. We read no further either, so that no text can make us."
    ),
    when_to_ignore="Where data is meant to be in the URL.",
    bad=(Example("http://h.example/" + "a" * 70_000),),
    good=(Example("http://h.example/" + "a" * 60_000),),
    check_text=check_text,
    contexts=PARAGRAPHS,
)
