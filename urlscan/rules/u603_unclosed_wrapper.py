"""U603 unclosed-wrapper."""

from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.records import Match, Severity
from urlscan.rules.base import PARAGRAPHS, Example, Rule, TextProblem


def check_text(occurrence: Match, document: Document) -> Iterator[TextProblem]:
    """Yield a problem for a wrapper that is never closed."""
    for fault in occurrence.faults:
        if fault.name == "unclosed-wrapper":
            opener = document.text[fault.start : occurrence.start].strip() or "<"
            yield TextProblem(
                f'"{opener}" is not closed; write ">" after the URL',
                fault.start,
                fault.end,
                section="RFC 3986 appendix C",
                suggestion=f"{opener}{occurrence.url}>",
            )


RULE = Rule(
    code="U603",
    name="unclosed-wrapper",
    severity=Severity.ERROR,
    summary="Angle bracket before a URL is not closed",
    why=(
        'Angle brackets show where a URL ends (RFC 1738 appendix, RFC 3986 appendix C). Without the closing ">" a'
        " reader has to guess. urlscan then reads the URL as if it had no brackets: a line break ends it."
    ),
    when_to_ignore='Where "<" before a URL has another meaning, such as a redirection in a shell script.',
    bad=(Example("See <http://h.example/a\n\nNext paragraph."), Example("See <URL:http://h.example/a and so on.")),
    good=(Example("See <http://h.example/a>."), Example("See http://h.example/a and so on.")),
    check_text=check_text,
    contexts=PARAGRAPHS,
)
