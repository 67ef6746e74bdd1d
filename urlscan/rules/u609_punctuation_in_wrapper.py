"""U609 punctuation-in-wrapper."""

from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.records import Edit, Fix, Match, Severity
from urlscan.rules.base import Example, Rule, TextProblem, faults_named


def check_text(occurrence: Match, document: Document) -> Iterator[TextProblem]:
    """Yield a problem for a period, a comma or a semicolon before the closing bracket."""
    for fault in faults_named(occurrence, "punctuation-in-wrapper"):
        character = document.text[fault.start : fault.end]
        yield TextProblem(
            f'"{character}" before ">" is part of the URL; write punctuation after the bracket',
            fault.start,
            fault.end,
            section="RFC 3986 appendix C",
            suggestion=occurrence.url[:-1],
            fix=Fix("unsafe", (Edit(fault.start, fault.end, ""),)),
        )


RULE = Rule(
    code="U609",
    name="punctuation-in-wrapper",
    severity=Severity.WARNING,
    summary="Punctuation before the closing bracket becomes part of the URL",
    why=(
        "Angle brackets delimit the URL (RFC 1738 appendix, RFC 3986 appendix C), so a period before the closing"
        " bracket belongs to it: `<http://h.example/a.>` names the resource `/a.`, which rarely exists."
    ),
    when_to_ignore="Where the URL really ends with the character.",
    bad=(
        Example("See <URL:http://h.example/a.>"),
        Example("See <http://h.example/a,> or not."),
        Example("See `a <http://h.example/a.>`__.", path="a.rst"),
    ),
    good=(Example("See <URL:http://h.example/a>."), Example("See <http://h.example/a...>.")),
    check_text=check_text,
    fix_note="Removes the punctuation (unsafe: the URL may end with it).",
)
