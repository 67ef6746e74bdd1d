"""Join bare URLs over the soft breaks of flowed text.

RFC 3676 section 4:  flowed-line = ( *text-char SP / ) CRLF; the next line continues it if it has the same quote depth.
With "DelSp=yes" that space belongs to the break, so a URL before it continues on the next line.
"""

from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import Match
from urlscan.core.settings import FindOptions
from urlscan.finder.anchors import COLON, PLAIN
from urlscan.finder.continuation import ContinuationLine, joined_match
from urlscan.finder.line_prefixes import line_start
from urlscan.finder.read import read

# The end of a line after a URL: punctuation that may belong to the URL, and the space of a flowed line.
_FLOWED_END = lazy(r"(?P<rest>[^\s<>\"]{0,8}) \r?\n")
_UNBROKEN = lazy(r"[^\s<>\"]*+")
# Quote marks and the stuffed space (RFC 3676 sections 4.4, 4.5).
_QUOTE_MARKS = lazy(r"(?P<marks>>*+) ?")
_SOFT_BREAK = lazy(r" \r?\n")
_MOST_FLOWED_LINES = 32


def with_soft_breaks(matches: Iterator[Match], document: Document, *, joins: bool) -> Iterator[Match]:
    """Yield the matches in flowed text; name the soft breaks in them, and join bare URLs over soft breaks."""
    consumed = 0
    for match in matches:
        if match.outer_start < consumed:
            continue  # part of the previous match
        if joins and not match.breaks and match.style in ("bare", "prefix"):
            match = _join_flowed(document.prose, match)
        breaks = list(match.breaks)
        for number, brk in enumerate(breaks):
            if brk.kind == "newline" and _SOFT_BREAK.match(match.raw, brk.offset):
                breaks[number] = brk._replace(kind="soft-break")
        yield match._replace(breaks=tuple(breaks))
        consumed = match.outer_end


def _join_flowed(text: str, match: Match) -> Match:
    """Return a bare URL with the flowed lines on which it continues."""
    line_end = _FLOWED_END.match(text, match.end)
    if line_end is None:
        return match
    spans = _flowed_spans(text, match.start, line_end.end("rest"))
    joined = "".join([text[start:end] for start, end in spans])
    colon = joined.index(":")
    kind = PLAIN if joined.startswith("//", colon + 1) else COLON
    whole = read(Document(joined), FindOptions(rejoin="never"), colon, kind, 0)
    if whole is None or len(whole.url) <= len(match.url):
        return match
    lines, remaining = list[ContinuationLine](), whole.end - (line_end.end("rest") - match.start)
    extra = len(line_end["rest"])
    for start, end in spans[1:]:
        if remaining > 0:
            lines.append(ContinuationLine(start, min(end, start + remaining), extra))
        remaining, extra = remaining - (end - start), 0
    return joined_match(text, match, lines, "delimited")._replace(alternatives=(), template=whole.template)


def _flowed_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the span on each line of the URL that begins at `start` and ends on its first line at `end`."""
    spans = [(start, end)]
    quotes = _QUOTE_MARKS.match(text, max(line_start(text, start), 0))
    while len(spans) < _MOST_FLOWED_LINES and (soft := _SOFT_BREAK.match(text, end)) is not None:
        following = _QUOTE_MARKS.match(text, soft.end())
        if quotes is None or following is None or following["marks"] != quotes["marks"]:
            break
        piece = _UNBROKEN.match(text, following.end())
        if piece is None or not piece[0] or text.startswith("-- ", following.end()):  # a signature: section 4.3
            break
        end = piece.end()
        spans.append(piece.span())
    return spans
