"""Join URLs over the soft line breaks of flowed text.

RFC 3676 section 4:  flowed-line = ( *text-char SP / ) CRLF; the next line continues it if it has the same quote depth.
With "DelSp=yes" that space belongs to the break, so a URL before it continues on the next line.
"""

import re
from collections.abc import Iterator

from urlscan.core.choices import BreakKind
from urlscan.core.records import Break, Match
from urlscan.finder.scan import find

# The end of a line after a URL: punctuation that may belong to the URL, and the space of a flowed line.
_BREAK = re.compile(r"(?P<rest>[^\s<>\"]{0,8}) \r?\n")
# Quote marks and the stuffed space (RFC 3676 sections 4.4, 4.5).
_BEGIN = re.compile(r"(?P<marks>>*+) ?")
_PIECE = re.compile(r"[^\s<>\"]*+")
_SOFT = re.compile(r" \r?\n")
# RFC 3676 section 4.3: the line that begins a signature is not flowed.
_SIGNATURE = "-- "
_MOST_LINES = 32
_LONGEST_LINE = 2048


def with_soft_breaks(matches: Iterator[Match], text: str, *, delsp: bool) -> Iterator[Match]:
    """Yield the matches in flowed text; mark soft line breaks, and with DelSp join bare URLs over them."""
    consumed = 0
    for match in matches:
        if match.outer_start < consumed:
            continue  # part of the previous match
        if match.breaks:
            match = _named(match)
        elif delsp and match.style in ("bare", "prefix"):
            match = _whole(text, match) or match
        yield match
        consumed = match.outer_end


def _named(occurrence: Match) -> Match:
    """Return the occurrence with the kind `soft-break` for its soft line breaks."""
    raw = occurrence.raw
    breaks = tuple(
        brk._replace(kind="soft-break") if brk.kind == "newline" and _SOFT.match(raw, brk.offset) else brk
        for brk in occurrence.breaks
    )
    return occurrence._replace(breaks=breaks)


def _whole(text: str, occurrence: Match) -> Match | None:
    """Return a bare URL joined over soft line breaks; None if it does not continue."""
    match = _BREAK.match(text, occurrence.end)
    if match is None:
        return None
    spans = _line_spans(text, occurrence.start, match.end("rest"))
    again = next(find("".join(text[first:last] for first, last in spans), rejoin="never"), None)
    if again is None or again.start or len(again.url) <= len(occurrence.url):
        return None
    breaks: list[Break] = []
    length = 0  # of the joined lines so far
    end = occurrence.end
    for number, (start, last) in enumerate(spans):
        if number:
            before = spans[number - 1][1]
            kind: BreakKind = "quote-mark" if ">" in text[before:start] else "soft-break"
            breaks.append(Break(kind, before - occurrence.start, start - before, text[before - 1] == "-"))
        length += last - start
        end = last - max(length - again.end, 0)
        if length >= again.end:
            break
    return occurrence._replace(
        url=again.url,
        raw=text[occurrence.start : end],
        end=end,
        outer_end=end,
        breaks=tuple(breaks),
        alternatives=(),
        joined="delimited",
        template=again.template,
        faults=(),
    )


def _line_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the span on each line of the URL that begins at `start` and ends on its first line at `end`."""
    spans = [(start, end)]
    line = text.rfind("\n", max(start - _LONGEST_LINE, 0), start) + 1
    begin = _BEGIN.match(text, line)
    marks = begin["marks"] if begin is not None else ""
    while len(spans) < _MOST_LINES and (soft := _SOFT.match(text, end)) is not None:
        following = _BEGIN.match(text, soft.end())
        if following is None or following["marks"] != marks or text.startswith(_SIGNATURE, following.end()):
            break
        piece = _PIECE.match(text, following.end())
        end = piece.end() if piece is not None else following.end()
        if end == following.end():
            break
        spans.append((following.end(), end))
    return spans
