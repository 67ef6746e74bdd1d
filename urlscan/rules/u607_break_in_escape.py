"""U607 break-in-escape."""

import re
from collections.abc import Iterator

from urlscan.model import Occurrence, Severity
from urlscan.rules.base import PARAGRAPHS, Example, Rule, TextProblem, faults_named
from urlscan.text import Segment

# What a break leaves of "%" HEXDIG HEXDIG before it, and what completes it after.
_HEAD = re.compile(r"%[0-9A-Fa-f]?\Z")
_TAIL = re.compile(r"[0-9A-Fa-f]{1,2}")


def check_text(occurrence: Occurrence, _segment: Segment) -> Iterator[TextProblem]:
    """Yield a problem for each escape that a break cuts."""
    for fault in faults_named(occurrence, "break-in-escape"):
        joined = next((a.url for a in occurrence.alternatives if a.why == "joined"), "")
        yield _problem(fault.start, fault.end, joined)
    raw = occurrence.raw
    for gap in occurrence.breaks:
        head = _HEAD.search(raw, max(0, gap.offset - 2), gap.offset)
        tail = _TAIL.match(raw, gap.offset + gap.length)
        if head is None or tail is None:
            continue
        missing = 3 - len(head[0])
        if len(tail[0]) >= missing:
            end = occurrence.start + tail.start() + missing
            yield _problem(occurrence.start + head.start(), end, occurrence.url)


def _problem(start: int, end: int, suggestion: str) -> TextProblem:
    return TextProblem(
        "a break cuts an escape in two: break before the %, or after both digits",
        start,
        end,
        section="RFC 3986 section 2.1",
        suggestion=suggestion,
    )


RULE = Rule(
    code="U607",
    name="break-in-escape",
    severity=Severity.ERROR,
    summary='A line break or blank between the "%" and the digits of an escape.',
    why=(
        'An escape is "%" and two hexadecimal digits (RFC 3986 section 2.1), one unit that nothing should divide. A'
        " reader who does not join the lines gets a malformed URL, and one who does cannot be sure."
    ),
    when_to_ignore="In archives of mail, whose lines nobody may change.",
    bad=(Example("See http://h.example/State%20of%\n20Utah today."), Example("See <http://h.example/State%2\n0of>.")),
    good=(Example("See <http://h.example/State\n%20of>."), Example("See http://h.example/State%20of")),
    check_text=check_text,
    contexts=PARAGRAPHS,
)
