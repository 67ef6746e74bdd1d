"""U611 needless-wrapper."""

from collections.abc import Iterator

from urlscan.model import Edit, Fix, Occurrence, Severity
from urlscan.rules.base import Example, Rule, TextProblem, faults_named
from urlscan.text import Segment


def check_text(occurrence: Occurrence, segment: Segment) -> Iterator[TextProblem]:
    """Yield a problem for delimiters inside of delimiters."""
    for fault in faults_named(occurrence, "needless-wrapper"):
        opener = segment.text[fault.start : occurrence.start].strip()
        edits = (Edit(fault.start, occurrence.start, ""), Edit(occurrence.end, fault.end, ""))
        yield TextProblem(
            f'"{opener}" and ">" are read as part of the URL: the markup delimits it already',
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
    summary="A URL in angle brackets where markup delimits it already.",
    why=(
        "Angle brackets and `URL:` set a URL off from prose (RFC 1738 appendix, RFC 3986 appendix C). An attribute has"
        " its quotation marks: what stands between them is the URL, and `<URL:http://h.example/>` is none."
    ),
    when_to_ignore="Never.",
    bad=(Example('<a href="<URL:http://h.example/>">a</a>', path="a.html"),),
    good=(
        Example('<a href="http://h.example/">a</a>', path="a.html"),
        Example("See [a](<http://h.example/>).", path="a.md"),
        Example("See <URL:http://h.example/>."),
    ),
    check_text=check_text,
    fix_note="Takes the delimiters away (safe).",
)
