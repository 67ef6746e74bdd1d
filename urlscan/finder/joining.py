"""Join bare URLs with the lines on which they continue, or add the joined URL as an alternative."""

from collections.abc import Iterator

from urlscan.core.choices import BreakKind, Joined
from urlscan.core.document import Document, readable
from urlscan.core.records import Alternative, Break, Match, TextFault
from urlscan.core.settings import FindOptions
from urlscan.finder.breaks import BreakSpan
from urlscan.finder.continuation import ContinuationLine, continuation, typeset_continuation
from urlscan.finder.evidence import MOST_ALTERNATIVES, Evidence
from urlscan.finder.shapes import MAY_CONTINUE, TYPESET_HYPHENS

# The styles of URLs that no delimiter ends.
_BARE = ("bare", "prefix")
# How many characters around a URL are checked for quoted-printable text.
_AROUND = 600


def with_continuations(
    matches: Iterator[Match], document: Document, options: FindOptions, evidence: Evidence
) -> Iterator[Match]:
    """Yield the matches, each bare URL with the lines on which it continues.

    Args:
        matches: the matches in the document.
        document: the document to search.
        options: whether to join URLs that a typesetter hyphenated (unless `rejoin` is "never"), and to join other URLs
            ("guess") or add the joined URL as an alternative (`continuations`).
        evidence: the evidence of the text.
    """
    text = document.prose
    guesses = options.continuations or options.rejoin == "guess"
    joins = options.rejoin != "never"
    consumed = 0  # the end of the last joined URL
    for match in matches:
        start, end, style = match.start, match.end, match.style
        if start < consumed:
            continue  # part of a joined URL
        if consumed and match.outer_start < consumed:  # its delimiter is part of a joined URL
            style = "bare"
            match = match._replace(outer_start=start, outer_end=end, style=style)
        if joins and style in _BARE and (lines := typeset_continuation(text, start, end)):
            match = joined_match(text, match, lines, "delimited")
            consumed = match.outer_end
        elif guesses and style == "bare" and MAY_CONTINUE.match(text, end):
            lines = continuation(text, start, end, evidence.count)
            if lines:
                match = continued(text, match, lines, options.rejoin, evidence)
                consumed = match.outer_end
        yield match
    document.end = max(document.end, consumed)


def continued(text: str, occurrence: Match, lines: list[ContinuationLine], rejoin: str, evidence: Evidence) -> Match:
    """Return the occurrence of a bare URL joined with `lines`, or with the joined URL as an alternative."""
    whole = joined_match(text, occurrence, lines, "guess")
    if rejoin == "guess":
        return whole
    reading = Alternative(whole.url, "joined", evidence.count(whole.url))
    # Undecoded text is not reported as a broken URL.
    encoded = _is_quoted_printable(text, occurrence.start, lines)
    faults = () if encoded else (TextFault("goes-on", occurrence.end, lines[-1].end),)
    return occurrence._replace(
        alternatives=(reading, *occurrence.alternatives)[:MOST_ALTERNATIVES], faults=(*occurrence.faults, *faults)
    )


def joined_match(text: str, occurrence: Match, lines: list[ContinuationLine], joined: Joined) -> Match:
    """Return the occurrence of a bare URL joined with `lines`."""
    start, end = occurrence.start, occurrence.end
    spans, breaks = [(start, end)], list[BreakSpan]()
    encoded = _is_quoted_printable(text, start, lines)
    for line in lines:
        first, last = spans[-1]
        last += line.extra
        if encoded and text[last - 1] == "=":  # RFC 2045 section 6.7 (5): a soft line break
            last -= 1
        spans[-1] = (first, last)
        breaks.append(BreakSpan(last, line.start, _kind(text, last, line.start)))
        spans.append((line.start, line.end))
    url = readable("".join([text[first:last] for first, last in spans]))
    joined_breaks = tuple(
        Break(brk.kind, brk.start - start, brk.end - brk.start, text[brk.start - 1] == "-") for brk in breaks
    )
    return occurrence._replace(
        url=url,
        raw=readable(text[start : lines[-1].end]),
        end=lines[-1].end,
        outer_end=lines[-1].end,
        breaks=joined_breaks,
        alternatives=(Alternative(occurrence.url, "unjoined"),),
        joined=joined,
        faults=(),
    )


def _is_quoted_printable(text: str, start: int, lines: list[ContinuationLine]) -> bool:
    """Return whether the surrounding lines are undecoded quoted-printable text."""
    around = text[max(0, start - _AROUND) : lines[-1].end + _AROUND]
    return "=3D" in around or around.count("=\n") + around.count("=\r\n") > 1


def _kind(text: str, start: int, end: int) -> BreakKind:
    """Return the kind of the break text[start:end]."""
    brk = text[start:end].lstrip("".join(TYPESET_HYPHENS)).strip()
    if brk[:1] == "=":
        return "soft-break"
    if brk[:1] in (">", "|"):
        return "quote-mark"
    return "comment-leader" if brk else "newline"
