"""Join bare URLs with the lines on which they continue, or add the joined URL as an alternative."""

import re
from collections.abc import Iterator

from urlscan.core.choices import BreakKind
from urlscan.core.document import Document, readable
from urlscan.core.records import Alternative, Break, Match, TextFault
from urlscan.finder.breaks import HYPHENS, BreakSpan
from urlscan.finder.continuation import NARROWEST, ContinuationLine, continuation, is_no_guess
from urlscan.finder.delimiters import NAME
from urlscan.finder.evidence import MOST_ALTERNATIVES, Evidence
from urlscan.finder.shapes import MAY_CONTINUE

# A next line that begins with a word, whatever the prefix of the line of the URL is.
# Matches: `\na`, `. \n  a`, `?\n.`
# Does not match: `\n> a`, `\nJ>`, `\nrem`, `\n%`
_WORD_LINE = re.compile(rf"(?P<mark>[.?]?)[ \t]?(?:\r\n?|\n)[ \t]*(?!{NAME}>|(?i:dnl|rem)\b)(?P<first>[A-Za-z0-9_?.])")
# How many characters around a URL are checked for quoted-printable text.
_AROUND = 600


def with_continuations(found: Iterator[Match], document: Document, rejoin: str, evidence: Evidence) -> Iterator[Match]:
    """Yield the matches, each bare URL with the lines on which it continues.

    Args:
        found: the matches in the document.
        document: the document to search.
        rejoin: whether to join URLs ("guess") or to add the joined URL as an alternative.
        evidence: the evidence of the text.
    """
    text = document.prose
    done = 0  # the end of the last joined URL
    for match in found:
        if match.start < done:
            continue  # part of a joined URL
        if match.outer_start < done:  # its delimiter is part of a joined URL
            match = match._replace(outer_start=match.start, outer_end=match.end, style="bare")
        if match.style == "bare":
            start, end = match.start, match.end
            if MAY_CONTINUE.match(text, end):
                url = text[start:end]
                proved_only = _is_short(text, end, match.url) or is_no_guess(text, end, url)
                if proved_only and not _may_be_proved(text, end, url, evidence):
                    yield match
                    continue
                lines = continuation(text, start, end, evidence.count, proved_only=proved_only)
                if lines:
                    match = continued(text, match, lines, rejoin, evidence)
                    done = match.outer_end
        yield match
    document.end = max(document.end, done)


def _is_short(text: str, end: int, url: str) -> bool:
    """Return whether the line is too short to be wrapped inside a word and the URL ends like a complete one."""
    if not text[end - 1].isalnum() or text[end] in ".?" or url.count("/") < 3:
        return False
    # A full line has at least 38 characters.
    return text.rfind("\n", max(end - NARROWEST + 2, 0), end) >= 0


def _may_be_proved(text: str, end: int, url: str, evidence: Evidence) -> bool:
    """Return whether the URL, joined with the next line, may occur unbroken in the text. This is a fast check."""
    match = _WORD_LINE.match(text, end)
    if match is None or url[-1] in HYPHENS:  # whose hyphen may not belong to the joined URL
        return True
    return evidence.may_occur(f"{url}{match['mark']}{match['first']}")


def continued(text: str, occurrence: Match, lines: list[ContinuationLine], rejoin: str, evidence: Evidence) -> Match:
    """Return the occurrence of a bare URL joined with `lines`, or with the joined URL as an alternative."""
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
    if rejoin != "guess":
        reading = Alternative(url, "joined", evidence.count(url))
        # Undecoded text is not reported as a broken URL.
        faults = () if encoded else (TextFault("goes-on", end, lines[-1].end),)
        return occurrence._replace(
            alternatives=(reading, *occurrence.alternatives)[:MOST_ALTERNATIVES], faults=(*occurrence.faults, *faults)
        )
    joined_breaks = tuple(
        Break(brk.kind, brk.start - start, brk.end - brk.start, text[brk.start - 1] in HYPHENS) for brk in breaks
    )
    return occurrence._replace(
        url=url,
        raw=readable(text[start : lines[-1].end]),
        end=lines[-1].end,
        outer_end=lines[-1].end,
        breaks=joined_breaks,
        alternatives=(Alternative(occurrence.url, "unjoined"),),
        joined="guess",
        faults=(),
    )


def _is_quoted_printable(text: str, start: int, lines: list[ContinuationLine]) -> bool:
    """Return whether the surrounding lines are undecoded quoted-printable text."""
    around = text[max(0, start - _AROUND) : lines[-1].end + _AROUND]
    return "=3D" in around or around.count("=\n") + around.count("=\r\n") > 1


def _kind(text: str, start: int, end: int) -> BreakKind:
    """Return the kind of the break text[start:end]."""
    brk = text[start:end].strip()
    if brk[:1] == "=":
        return "soft-break"
    return "quote-mark" if brk[:1] in (">", "|") else "comment-leader" if brk else "newline"
