"""U605 unwrapped-url."""

from collections.abc import Iterator

from urlscan.model import Fix, Occurrence, Severity
from urlscan.rules.base import PARAGRAPHS, Example, Rule, TextProblem, wrap_edits
from urlscan.text import Segment


def check_text(occurrence: Occurrence, segment: Segment) -> Iterator[TextProblem]:
    """Yield a problem for a URL in plain text that nothing delimits."""
    if segment.kind in ("plain", "mail") and occurrence.style == "bare" and not occurrence.breaks:
        edits = wrap_edits(occurrence.start, occurrence.end)
        yield TextProblem(
            "nothing delimits the URL: where it ends is the reader's guess",
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
    summary="A URL in plain text without angle brackets.",
    why=(
        "RFC 1738, appendix, recommends `<URL:...>` in text: no punctuation sticks to the URL then, and it may be"
        " broken over lines. RFC 3986 appendix C says the same of `<...>`."
    ),
    when_to_ignore="Almost everywhere: bare URLs are usual, which is why it is off.",
    bad=(Example("See http://h.example/a, or not."),),
    good=(Example("See <URL:http://h.example/a>, or not."), Example("See http://h.example/a, or not.", path="a.md")),
    default=False,
    check_text=check_text,
    checks_every_occurrence=True,
    fix_note="Writes <URL:...> around it (safe).",
    contexts=PARAGRAPHS,
)
