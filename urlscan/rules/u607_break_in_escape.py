"""U607 break-in-escape."""

import re
from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.records import Match, Severity
from urlscan.rules.base import PARAGRAPHS, Example, Rule, TextProblem, faults_named

# The parts of "%" HEXDIG HEXDIG before and after a break.
_HEAD = re.compile(r"%[0-9A-Fa-f]?\Z")
_TAIL = re.compile(r"[0-9A-Fa-f]{1,2}")


def check_text(occurrence: Match, _document: Document) -> Iterator[TextProblem]:
    """Yield a problem for each escape that a break divides."""
    for fault in faults_named(occurrence, "break-in-escape"):
        joined = next((a.url for a in occurrence.alternatives if a.why == "joined"), "")
        yield _problem(fault.start, fault.end, joined)
    raw = occurrence.raw
    for break_ in occurrence.breaks:
        head = _HEAD.search(raw, max(0, break_.offset - 2), break_.offset)
        tail = _TAIL.match(raw, break_.offset + break_.length)
        if head is None or tail is None:
            continue
        missing = 3 - len(head[0])
        if len(tail[0]) >= missing:
            end = occurrence.start + tail.start() + missing
            yield _problem(occurrence.start + head.start(), end, occurrence.url)


def _problem(start: int, end: int, suggestion: str) -> TextProblem:
    return TextProblem(
        'break divides an escape; break the URL before "%" or after both digits',
        start,
        end,
        section="RFC 3986 section 2.1",
        suggestion=suggestion,
    )


RULE = Rule(
    code="U607",
    name="break-in-escape",
    severity=Severity.ERROR,
    summary="Line break or space divides an escape",
    why=(
        'An escape consists of "%" and two hexadecimal digits (RFC 3986 section 2.1), which belong together. A'
        " reader who does not join the lines gets a malformed URL, and a reader who joins them cannot be sure of the"
        " result."
    ),
    when_to_ignore="In archives of mail, whose lines must not be changed.",
    bad=(Example("See http://h.example/State%20of%\n20Utah today."), Example("See <http://h.example/State%2\n0of>.")),
    good=(Example("See <http://h.example/State\n%20of>."), Example("See http://h.example/State%20of")),
    check_text=check_text,
    contexts=PARAGRAPHS,
)
