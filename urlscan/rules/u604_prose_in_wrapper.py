"""U604 prose-in-wrapper."""

from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.records import Match, Severity
from urlscan.rules.base import PARAGRAPHS, Example, Rule, TextProblem


def check_text(occurrence: Match, document: Document) -> Iterator[TextProblem]:
    """Yield a problem for text between the delimiters that is not part of the URL."""
    for fault in occurrence.faults:
        # In comments and source files, words after the URL are a label, as in Haddock.
        if fault.name == "prose-in-wrapper" and (occurrence.context == "prose" or occurrence.style == "wrapper"):
            opener = document.text[occurrence.outer_start : occurrence.start].strip()
            closer = document.text[occurrence.outer_end - 1 : occurrence.outer_end]
            yield TextProblem(
                "delimiters contain text after the URL; write it outside",
                fault.start,
                fault.end,
                section="RFC 3986 appendix C",
                suggestion=f"{opener}{occurrence.url}{closer}",
            )


RULE = Rule(
    code="U604",
    name="prose-in-wrapper",
    severity=Severity.ERROR,
    summary="Delimiters contain words or another URL besides the URL",
    why=(
        "White space between the delimiters is ignored, so that long URLs can be broken over lines (RFC 1738"
        " appendix, RFC 3986 appendix C). Programs that follow this read the words as part of the URL. Give each URL"
        " its own delimiters, and write the words outside."
    ),
    when_to_ignore="Where no program reads the text.",
    bad=(
        Example("See <URL:ftp://h.example/papers/horses.ps or horses.txt>."),
        Example("See <http://h.example/a http://h.example/b>."),
    ),
    good=(
        Example("See <URL:ftp://h.example/papers/horses.ps> or horses.txt."),
        Example("See <http://h.example/a> <http://h.example/b>."),
    ),
    check_text=check_text,
    contexts=PARAGRAPHS,
)
