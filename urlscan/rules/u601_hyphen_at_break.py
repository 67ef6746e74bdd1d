"""U601 hyphen-at-break."""

from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.records import Alternative, Match, Severity
from urlscan.rules.base import PARAGRAPHS, Example, Rule, TextProblem
from urlscan.secrets import redact

_SECTION = "RFC 1738 appendix"


def check_text(occurrence: Match, _document: Document) -> Iterator[TextProblem]:
    """Yield a problem for each hyphen before a line break, naming both readings."""
    removed = 0  # length of earlier breaks
    for break_ in occurrence.breaks:
        at = break_.offset - removed  # of the URL
        removed += break_.length
        if not break_.hyphen or break_.kind == "blank":
            continue
        # The text of a break is not part of the URL: a hyphen in it was dropped.
        dropped = occurrence.raw.startswith("-", break_.offset)
        hyphen = occurrence.start + break_.offset - (0 if dropped else 1)
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
        return f"hyphen at a line break was dropped: {url} occurs unbroken elsewhere, {other} does not"
    times = "nowhere else" if not evidence else "once elsewhere" if evidence == 1 else f"{evidence} times elsewhere"
    return f"hyphen at a line break was kept: {url}; without it, {other} occurs {times}"


RULE = Rule(
    code="U601",
    name="hyphen-at-break",
    severity=Severity.INFO,
    summary="URL is broken after a hyphen that may not belong to it",
    why=(
        'RFC 1738 appendix: "some typesetters and printers may erroneously introduce a hyphen at the end of line'
        ' when breaking a line". RFC 3986 appendix C repeats this warning. A reader cannot tell which URL is meant.'
        " urlscan keeps the hyphen unless only the other reading occurs unbroken in the same text. In that case the"
        " finding is a warning."
    ),
    when_to_ignore="Where a program that never hyphenates wrote the text. The severity is info for this reason.",
    bad=(Example("See <http://h.example/cgi-\nbin/x>."),),
    good=(Example("See <http://h.example/cgi-bin/\nx>."), Example("See <http://h.example/cgi-bin/x>.")),
    check_text=check_text,
    contexts=PARAGRAPHS,
)
