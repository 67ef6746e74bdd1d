"""U601 hyphen-at-break."""

from collections.abc import Iterator

from urlscan.model import Alternative, Occurrence, Severity
from urlscan.redact import redact
from urlscan.rules.base import PARAGRAPHS, Example, Rule, TextProblem
from urlscan.text import Segment

_SECTION = "RFC 1738 appendix"


def check_text(occurrence: Occurrence, _segment: Segment) -> Iterator[TextProblem]:
    """Yield a problem for each hyphen before a line break, with both readings."""
    removed = 0  # characters of earlier gaps
    for gap in occurrence.breaks:
        at = gap.offset - removed  # of the URL
        removed += gap.length
        if not gap.hyphen or gap.kind == "blank":
            continue
        # What stands in the gap is no part of the URL: there the hyphen has been dropped.
        dropped = occurrence.raw.startswith("-", gap.offset)
        hyphen = occurrence.start + gap.offset - (0 if dropped else 1)
        if dropped:
            other = occurrence.url[:at] + "-" + occurrence.url[at:]
        else:
            other = occurrence.url[: at - 1] + occurrence.url[at:]
        yield TextProblem(
            _message(redact(occurrence.url), redact(other), _evidence(occurrence.alternatives, other), dropped),
            hyphen,
            hyphen + 1,
            severity=Severity.WARNING if dropped else None,
            section=_SECTION,
            suggestion=occurrence.url,
        )


def _evidence(alternatives: tuple[Alternative, ...], url: str) -> int:
    return next((a.evidence for a in alternatives if a.url == url), 0)


def _message(url: str, other: str, evidence: int, dropped: bool) -> str:
    if dropped:
        return (
            f"a hyphen at a line break is taken for the typesetter's: {url} stands unbroken elsewhere, {other} does not"
        )
    times = "nowhere else" if not evidence else "once elsewhere" if evidence == 1 else f"{evidence} times elsewhere"
    return f"a hyphen at a line break is taken for the URL's: {url}; without it, {other} stands {times}"


RULE = Rule(
    code="U601",
    name="hyphen-at-break",
    severity=Severity.INFO,
    summary="A URL is broken right after a hyphen, which may belong to it or to the typesetter.",
    why=(
        'RFC 1738, appendix: "some typesetters and printers may erroneously introduce a hyphen at the end of line when'
        ' breaking a line", and so does RFC 3986 appendix C. A reader cannot tell the two URLs apart. The hyphen is'
        " kept unless only the other reading stands unbroken in the same text; then this is a warning."
    ),
    when_to_ignore="Where the text is set by a program that never hyphenates; it is an info for that reason.",
    bad=(Example("See <http://h.example/cgi-\nbin/x>."),),
    good=(Example("See <http://h.example/cgi-bin/\nx>."), Example("See <http://h.example/cgi-bin/x>.")),
    check_text=check_text,
    contexts=PARAGRAPHS,
)
