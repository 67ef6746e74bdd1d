"""U608 missing-scheme."""

from collections.abc import Iterator

from urlscan.model import Edit, Fix, Occurrence, Severity
from urlscan.rules.base import Example, Rule, TextProblem
from urlscan.text import Segment


def check_text(occurrence: Occurrence, _segment: Segment) -> Iterator[TextProblem]:
    """Yield a problem for a relative reference that begins like a host."""
    for fault in occurrence.faults:
        if fault.name == "missing-scheme":
            host = occurrence.url.partition("/")[0]
            yield TextProblem(
                f'"{host}" is read as a file beside this one: a scheme must stand before a host',
                fault.start,
                fault.end,
                component="scheme",
                section="RFC 3986 section 4.2",
                suggestion=f"http://{occurrence.url}",
                fix=Fix("unsafe", (Edit(occurrence.start, occurrence.start, "http://"),)),
            )


RULE = Rule(
    code="U608",
    name="missing-scheme",
    severity=Severity.WARNING,
    summary='A destination in markup that begins with "www." and has no scheme.',
    why=(
        "Where markup wants a URL reference, what has no scheme is relative (RFC 3986 section 4.2, RFC 2396 section 5):"
        ' `href="www.h.example"` leads to a file of that name beside the page.'
    ),
    when_to_ignore="Where files are called so.",
    bad=(
        Example('<a href="www.dominion.org/a">a</a>', path="a.html"),
        Example("See [a](www.dominion.org).", path="a.md"),
    ),
    good=(
        Example('<a href="http://www.dominion.org/a">a</a>', path="a.html"),
        Example('<a href="www/a">a</a> <a href="http://h.example/">b</a>', path="a.html"),
    ),
    check_text=check_text,
    fix_note="Writes http:// (unsafe: the scheme may be another).",
)
