"""U605 unwrapped-url."""

from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.records import Fix, Match, Severity
from urlscan.rules.base import PARAGRAPHS, Example, Rule, TextProblem, wrap_edits


def check_text(occurrence: Match, document: Document) -> Iterator[TextProblem]:
    """Yield a problem for a URL in plain text without delimiters."""
    if document.kind in ("plain", "mail") and occurrence.style == "bare" and not occurrence.breaks:
        edits = wrap_edits(occurrence.start, occurrence.end)
        yield TextProblem(
            "URL has no delimiters, so readers have to guess its end; write <URL:...>",
            occurrence.start,
            occurrence.end,
            section="RFC 1738 appendix",
            suggestion=f"<URL:{occurrence.url}>",
            fix=Fix("safe", edits),
        )


RULE = Rule(
    code="U605",
    name="unwrapped-url",
    severity=Severity.WARNING,
    summary="URL in plain text has no angle brackets",
    why=(
        "The appendix of RFC 1738 recommends `<URL:...>` in text: punctuation does not become part of the URL, and"
        " the URL may be broken over lines. RFC 3986 appendix C recommends `<...>`."
    ),
    when_to_ignore="Almost everywhere: bare URLs are common, so the rule is off by default.",
    bad=(Example("See http://h.example/a, or not."),),
    good=(Example("See <URL:http://h.example/a>, or not."), Example("See http://h.example/a, or not.", path="a.md")),
    default=False,
    check_text=check_text,
    checks_every_occurrence=True,
    fix_note="Writes <URL:...> around the URL (safe).",
    contexts=PARAGRAPHS,
)
