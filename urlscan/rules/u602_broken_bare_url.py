"""U602 broken-bare-url."""

import re
from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import Fix, Match, Severity
from urlscan.rules.base import PARAGRAPHS, Example, Rule, TextProblem, faults_named, wrap_edits

# Text before a value in a table of lines: "name::", "key=", a cell's bar, a tab, a target of reStructuredText.
_FIELD = lazy(r"(?:::|=|\||\t|^[ \t]*\.\.[ \t][^\r\n]*:)[ \t]*\Z|\t|::")
# Quoting characters at the beginning of a line are not a field: "> ", "| ".
_QUOTE_MARKS = " \t>|:"
_REACH = 400  # number of characters examined before the URL on its line


def check_text(occurrence: Match, document: Document) -> Iterator[TextProblem]:
    """Yield a problem for a URL in a paragraph that seems to continue on the next line."""
    for fault in faults_named(occurrence, "goes-on"):
        before = re.split(r"[\r\n]", document.text[max(occurrence.start - _REACH, 0) : occurrence.start])[-1]
        is_field = before.strip(_QUOTE_MARKS) and _FIELD.search(before.lstrip()) is not None
        if is_field or _is_target(document.text, occurrence.start):
            return
        edits = wrap_edits(occurrence.start, fault.end)
        joined = next((a.url for a in occurrence.alternatives if a.why == "joined"), "")
        yield TextProblem(
            "URL seems to continue on the next line; enclose it in <URL:...>",
            occurrence.start,
            fault.start,
            section="RFC 3986 appendix C",
            suggestion=f"<URL:{joined}>",
            fix=Fix("unsafe", edits),
        )


def _is_target(text: str, at: int) -> bool:
    """Return whether the line of text[at] continues a target of reStructuredText: ".. _name:"."""
    lines = re.split(r"\r\n?|\n", text[max(at - _REACH, 0) : at])
    return len(lines) > 1 and lines[-2].startswith(".. _") and not lines[-1].strip()


RULE = Rule(
    code="U602",
    name="broken-bare-url",
    severity=Severity.WARNING,
    summary="URL without delimiters seems to be broken over two lines",
    why=(
        "White space delimits a URL in text, and a line end is white space. A URL can only continue on the next line"
        " inside angle brackets or quotation marks (RFC 1738 appendix, RFC 3986 appendix C). Readers take the first"
        " line for the complete URL. The rule guesses, from the end of the URL, the beginning of the next line and"
        " the lengths of the lines around it."
    ),
    when_to_ignore="Where the next line does not belong to the URL.",
    bad=(
        Example("See http://h.example/papers/long-\nname.html for more.\n"),
        Example(
            "The papers of the mill are kept by the harbour office:\nhttp://h.example/cgi-bin/archive/harbour/mills/1994/\nmill.html\n"
        ),
    ),
    good=(
        Example("See <URL:http://h.example/papers/long-\nname.html> for more.\n"),
        Example("See http://h.example/papers/\nThanks.\n"),
        Example("http://h.example/a/\nhttp://h.example/b/\n"),
    ),
    check_text=check_text,
    fix_note="Writes <URL:...> around both lines (unsafe: the rule guesses).",
    defers_to_faults=("break-in-escape",),
    contexts=PARAGRAPHS,
)
