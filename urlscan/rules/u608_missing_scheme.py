"""U608 missing-scheme."""

from collections.abc import Iterator

from urlscan.model import Edit, Fix, Occurrence, Severity
from urlscan.rules.base import Example, Rule, TextProblem, faults_named
from urlscan.text import Segment


def check_text(occurrence: Occurrence, _segment: Segment) -> Iterator[TextProblem]:
    """Yield a problem for what begins like a host where a URL must stand."""
    for fault in faults_named(occurrence, "missing-scheme"):
        if occurrence.scheme:
            yield TextProblem(
                '"//" stands before the scheme: "URL:" is no scheme, and what follows it is the whole URL',
                fault.start,
                fault.end,
                component="scheme",
                section="RFC 1738 appendix",
                suggestion=f"<URL:{occurrence.url}>",
                fix=Fix("safe", (Edit(fault.start, fault.end, ""),)),
            )
        elif occurrence.style == "wrapper":
            yield TextProblem(
                "what stands in the brackets has no scheme, and is no URL without one",
                fault.start,
                fault.end,
                component="scheme",
                section="RFC 1738 section 2.1",
                suggestion=f"<URL:http://{occurrence.url}>",
                fix=Fix("unsafe", (Edit(occurrence.start, occurrence.start, "http://"),)),
            )
        else:
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
    summary='A host without a scheme where a URL must stand: in "<URL:...>", or as a destination in markup.',
    why=(
        "Where markup wants a URL reference, what has no scheme is relative (RFC 3986 section 4.2, RFC 2396 section 5):"
        ' `href="www.h.example"` leads to a file of that name beside the page. In `<URL:...>` a URL must stand, and one'
        " begins with a scheme (RFC 1738 section 2.1)."
    ),
    when_to_ignore="Where files are called so.",
    bad=(
        Example('<a href="www.dominion.org/a">a</a>', path="a.html"),
        Example("See [a](www.dominion.org).", path="a.md"),
        Example("See <URL:www.dominion.org/a>."),
        Example("See <URL://http://www.dominion.org/a>."),
    ),
    good=(
        Example('<a href="http://www.dominion.org/a">a</a>', path="a.html"),
        Example("See <URL:http://www.dominion.org/a>, or <www.dominion.org>."),
        Example('<a href="www/a">a</a> <a href="http://h.example/">b</a>', path="a.html"),
    ),
    check_text=check_text,
    fix_note='Writes http:// (unsafe: the scheme may be another); takes "//" before a scheme away (safe).',
)
