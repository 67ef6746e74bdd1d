"""U611 needless-wrapper."""

from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.records import Edit, Fix, Match, Severity
from urlscan.rules.base import Example, Rule, TextProblem, faults_named


def check_text(occurrence: Match, document: Document) -> Iterator[TextProblem]:
    """Yield a problem for delimiters inside other delimiters."""
    for fault in faults_named(occurrence, "needless-wrapper"):
        opener = document.text[fault.start : occurrence.start].strip()
        edits = (Edit(fault.start, occurrence.start, ""), Edit(occurrence.end, fault.end, ""))
        yield TextProblem(
            f'"{opener}" and ">" become part of the URL; remove them, since the markup delimits it',
            fault.start,
            fault.end,
            section="RFC 3986 appendix C",
            suggestion=occurrence.url,
            fix=Fix("safe", edits),
        )


RULE = Rule(
    code="U611",
    name="needless-wrapper",
    severity=Severity.WARNING,
    summary="Angle brackets around a URL that markup already delimits",
    why=(
        "Angle brackets and `URL:` separate a URL from prose (RFC 1738 appendix, RFC 3986 appendix C). An attribute"
        " has quotation marks for this purpose. Everything between them is the URL, and `<URL:http://h.example/>` is"
        " not a valid one."
    ),
    when_to_ignore="Never.",
    bad=(Example('<a href="<URL:http://h.example/>">a</a>', path="a.html"),),
    good=(
        Example('<a href="http://h.example/">a</a>', path="a.html"),
        Example("See [a](<http://h.example/>).", path="a.md"),
        Example("See <URL:http://h.example/>."),
    ),
    check_text=check_text,
    fix_note="Removes the delimiters (safe).",
)
