"""U608 missing-scheme."""

from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.records import Edit, Fix, Match, Severity
from urlscan.rules.base import Example, Rule, TextProblem, faults_named


def check_text(occurrence: Match, _document: Document) -> Iterator[TextProblem]:
    """Yield a problem for a host without a scheme where a URL is required."""
    for fault in faults_named(occurrence, "missing-scheme"):
        if occurrence.scheme:
            yield TextProblem(
                '"//" precedes the scheme; remove it',
                fault.start,
                fault.end,
                component="scheme",
                section="RFC 1738 appendix",
                suggestion=f"<URL:{occurrence.url}>",
                fix=Fix("safe", (Edit(fault.start, fault.end, ""),)),
            )
        elif occurrence.style == "wrapper":
            prefix = _missing_prefix(occurrence.url)
            edit = Edit(occurrence.start, occurrence.start, prefix)
            yield TextProblem(
                "text in the brackets has no scheme; a URL must begin with one",
                fault.start,
                fault.end,
                component="scheme",
                section="RFC 1738 section 2.1",
                suggestion=f"<URL:{prefix}{occurrence.url}>" if prefix else "",
                fix=Fix("unsafe", (edit,)) if prefix else None,
            )
        else:
            host = occurrence.url.partition("/")[0]
            yield TextProblem(
                f'"{host}" is read as a relative path; write a scheme before a host',
                fault.start,
                fault.end,
                component="scheme",
                section="RFC 3986 section 4.2",
                suggestion=f"http://{occurrence.url}",
                fix=Fix("unsafe", (Edit(occurrence.start, occurrence.start, "http://"),)),
            )


def _missing_prefix(url: str) -> str:
    """Return what must precede a host or an address; "" for a path, whose host is unknown."""
    if url.startswith(("/", ".")):
        return ""
    return "mailto:" if "@" in url.partition("/")[0] and ":" not in url else "http://"


RULE = Rule(
    code="U608",
    name="missing-scheme",
    severity=Severity.WARNING,
    summary="Host has no scheme where a URL is required",
    why=(
        "Markup reads a reference without a scheme as relative (RFC 3986 section 4.2, RFC 2396 section 5):"
        ' `href="www.h.example"` leads to a file of that name next to the page. `<URL:...>` must contain a URL, which'
        " begins with a scheme (RFC 1738 section 2.1)."
    ),
    when_to_ignore="Where files have such names.",
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
    fix_note='Writes http:// (unsafe: the scheme may be another), or removes "//" before a scheme (safe).',
)
