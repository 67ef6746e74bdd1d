"""U609 punctuation-in-wrapper."""

from collections.abc import Iterator

from urlscan.model import Edit, Fix, Occurrence, Severity
from urlscan.rules.base import Example, Rule, TextProblem, faults_named
from urlscan.text import Segment


def check_text(occurrence: Occurrence, segment: Segment) -> Iterator[TextProblem]:
    """Yield a problem for a full stop, a comma or a semicolon before the closing bracket."""
    for fault in faults_named(occurrence, "punctuation-in-wrapper"):
        mark = segment.text[fault.start : fault.end]
        yield TextProblem(
            f'"{mark}" stands inside of the brackets and is part of the URL: the sentence\'s belongs behind them',
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
    summary="Punctuation at the end of a URL in angle brackets.",
    why=(
        "What stands between angle brackets is the URL (RFC 1738 appendix, RFC 3986 appendix C), the full stop of the"
        " sentence with it: `<http://h.example/a.>` is the resource `/a.`, which seldom is there."
    ),
    when_to_ignore="Where the URL does end so.",
    bad=(
        Example("See <URL:http://h.example/a.>"),
        Example("See <http://h.example/a,> or not."),
        Example("See `a <http://h.example/a.>`__.", path="a.rst"),
    ),
    good=(Example("See <URL:http://h.example/a>."), Example("See <http://h.example/a...>.")),
    check_text=check_text,
    fix_note="Takes it away (unsafe: the URL may end so).",
)
