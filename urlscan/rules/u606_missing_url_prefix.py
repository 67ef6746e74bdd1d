"""U606 missing-url-prefix."""

from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.records import Edit, Fix, Match, Severity
from urlscan.rules.base import PARAGRAPHS, Example, Rule, TextProblem


def check_text(occurrence: Match, document: Document) -> Iterator[TextProblem]:
    """Yield a problem for angle brackets without "URL:"."""
    if document.kind in ("plain", "mail") and occurrence.style == "angle":
        opener = occurrence.outer_start
        yield TextProblem(
            'angle bracket without "URL:"; write "<URL:"',
            opener,
            opener + 1,
            section="RFC 1738 appendix",
            suggestion="<URL:",
            fix=Fix("safe", (Edit(opener + 1, opener + 1, "URL:"),)),
        )


RULE = Rule(
    code="U606",
    name="missing-url-prefix",
    severity=Severity.INFO,
    summary='Angle brackets in plain text lack the prefix "URL:"',
    why=(
        'The appendix of RFC 1738 writes "URL:" inside the brackets. RFC 3986 appendix C no longer recommends it.'
        " The rule is for authors who follow the older document."
    ),
    when_to_ignore="Almost everywhere, so the rule is off by default.",
    bad=(Example("See <http://h.example/a>."),),
    good=(Example("See <URL:http://h.example/a>."), Example("See <http://h.example/a>.", path="a.md")),
    default=False,
    check_text=check_text,
    checks_every_occurrence=True,
    fix_note='Writes "URL:" (safe).',
    contexts=PARAGRAPHS,
)
