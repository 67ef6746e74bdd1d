"""U610 too-long."""

from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.records import Match, Severity
from urlscan.rules.base import PARAGRAPHS, Example, Rule, TextProblem, faults_named


def check_text(occurrence: Match, _document: Document) -> Iterator[TextProblem]:
    """Yield a problem for a URL of which only the beginning was read."""
    for fault in faults_named(occurrence, "too-long"):
        yield TextProblem(
            "URL is longer than 65,536 characters; only its beginning was checked",
            fault.start,
            fault.end,
            section="RFC 9110 section 4.1",
        )


RULE = Rule(
    code="U610",
    name="too-long",
    severity=Severity.WARNING,
    summary="URL is longer than 65,536 characters",
    why=(
        "No specification sets a limit. RFC 9110 section 4.1 asks programs to support at least 8,000 octets, and few"
        " support more than 65,536. urlscan reads no further, so that a hostile text cannot make it read without end."
    ),
    when_to_ignore="Where the URL contains data on purpose.",
    bad=(Example("http://h.example/" + "a" * 70_000),),
    good=(Example("http://h.example/" + "a" * 60_000),),
    check_text=check_text,
    contexts=PARAGRAPHS,
)
