"""Markdown: destinations of links and images, reference definitions, autolinks, code, raw HTML.

After CommonMark 0.31 and GitHub's extensions, as far as they tell URLs from the text around: a document is cut
at its code blocks and spans, its destinations and its tags; nesting, emphasis and lists are nobody's
business here.  Autolinks in angle brackets and bare URLs are prose, and the finder's.
"""

import re
from collections.abc import Iterator

from urlscan.sources.decode import Decoded
from urlscan.sources.html import entity_swaps, tag_pieces
from urlscan.sources.views import Piece, view_of
from urlscan.text import Segment

# CommonMark 4.5: at least three backticks or tildes, indented, list markers and quote marks before them; a
# backtick fence has none in its info string.
_FENCE = re.compile(
    r"(?m)^[ \t>]*(?:(?:[-+*]|[0-9]{1,9}[.)])[ \t]+){0,9}(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})[^\n]*$"
)  # fmt: skip
# CommonMark 4.7: "[label]:", a destination and perhaps a title, in up to three blanks; GitHub's footnotes
# begin "[^", and are text.
_DEFINITION = re.compile(
    r"(?m)^[ \t>]{0,12}\[(?!\^)(?:[^\[\]\\\n]|\\.){1,999}\]:[ \t]*\n?[ \t]*(?P<destination><[^<>\n]*>|[^\s<][^\s]*)"
    r"[ \t]*(?:\n?[ \t]*(?:\"[^\"]*\"|'[^']*'|\([^()]*\))[ \t]*)?$"
)
# CommonMark 6.1: a run of backticks closed by one of the same length.
_TICKS = re.compile(r"`+")
# CommonMark 6.3: the closing bracket of the text, an opening parenthesis, a destination.
_INLINE = re.compile(r"\]\([ \t]*\n?[ \t]*")
_TITLE = re.compile(
    r"[ \t]*\n?[ \t]*(?:(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\))[ \t]*\n?[ \t]*)?\)", re.DOTALL
)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
# What is looked at next.
_NEXT = re.compile(r"[`\[\]\\]|<[A-Za-z/!]|\n[ \t]*\n")
_AUTOLINK = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>|<[^\s<>@]+@[^\s<>]+>")
_LONGEST = 4096
# Parentheses in a destination: CommonMark asks for three levels at least.
_DEEPEST = 32


def segments(decoded: Decoded) -> Iterator[Segment]:
    """Yield one segment: the document with the escapes of its destinations undone."""
    yield view_of(decoded, "markdown", _pieces(decoded.text))


def _pieces(text: str) -> Iterator[Piece]:
    at = 0
    while at < len(text):
        fence = _FENCE.search(text, at)
        stop = fence.start() if fence is not None else len(text)
        yield from _blocks(text, at, stop)
        if fence is None:
            return
        end = _closed(text, fence)
        yield Piece("code", stop, end)
        at = end


def _closed(text: str, fence: re.Match[str]) -> int:
    """Return where a fenced block ends: behind a fence that is at least as long, or with the document."""
    mark = fence["fence"]
    closing = re.compile(rf"(?m)^[ \t>]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$").search(text, fence.end())
    return closing.end() if closing is not None else len(text)


def _blocks(text: str, start: int, stop: int) -> Iterator[Piece]:
    """Yield the pieces outside of fenced code."""
    at = start
    for match in _DEFINITION.finditer(text, start, stop):
        first, last = match.span("destination")
        if match.start() < at:
            continue
        yield from _inlines(text, at, first)
        yield from _destination(text, first, last)
        at = last
    yield from _inlines(text, at, stop)


def _inlines(text: str, start: int, stop: int) -> Iterator[Piece]:
    done = at = start
    opened = 0  # brackets that may be the text of a link
    while (match := _NEXT.search(text, at, stop)) is not None:
        here = match.start()
        what = text[here]
        pieces: list[Piece] = []
        end = match.end()
        if what == "\n":
            opened = 0  # no link goes over a blank line
        elif what == "[":
            opened += 1
        elif what == "]":
            if opened and text.startswith("(", end):
                pieces, end = _link(text, here, stop)
            opened = max(opened - 1, 0)
        elif what == "\\":
            end = here + 2
        elif what == "`":
            pieces, end = _code(text, here, stop)
        elif (autolink := _AUTOLINK.match(text, here, stop)) is not None:
            end = autolink.end()
        else:
            pieces, end = tag_pieces(text, here, stop)
        if pieces:
            yield from _prose(done, pieces[0].start)
            yield from pieces
            done = end
        at = max(end, here + 1)
    yield from _prose(done, stop)


def _code(text: str, here: int, stop: int) -> tuple[list[Piece], int]:
    opening = _TICKS.match(text, here, stop)
    assert opening is not None  # noqa: S101 - it begins with a backtick
    closing = text.find(opening[0], opening.end(), stop)
    while closing >= 0:
        run = _TICKS.match(text, closing, stop)
        assert run is not None  # noqa: S101 - it was found
        if run[0] == opening[0] and text[closing - 1] != "`":
            if "\n\n" in text[opening.end() : closing]:
                break  # no span goes over a blank line
            return [Piece("code", here, run.end())], run.end()
        closing = text.find(opening[0], run.end(), stop)
    return [], opening.end()


def _link(text: str, here: int, stop: int) -> tuple[list[Piece], int]:
    """Return the destination of "](destination)", with a title or without."""
    opening = _INLINE.match(text, here, stop)
    if opening is None:
        return [], here + 1
    first = opening.end()
    if text.startswith("<", first):
        closing = text.find(">", first, min(stop, first + _LONGEST))
        last = closing + 1 if closing >= 0 and "\n" not in text[first:closing] else -1
    else:
        last = _balanced(text, first, stop)
    if last < 0 or _TITLE.match(text, last, stop) is None:
        return [], here + 1
    return list(_destination(text, first, last)), last


def _balanced(text: str, start: int, stop: int) -> int:
    """Return where a destination ends whose parentheses match; -1 if it holds a control or never ends."""
    depth, at, limit = 0, start, min(stop, start + _LONGEST)
    while at < limit:
        character = text[at]
        if character == "\\" and at + 1 < limit:
            at += 1
        elif character == "(":
            depth += 1
            if depth > _DEEPEST:
                return -1
        elif character == ")":
            if depth == 0:
                return at
            depth -= 1
        elif character <= " " or character == "\x7f":
            return at if depth == 0 else -1
        at += 1
    return -1


def _destination(text: str, start: int, end: int) -> Iterator[Piece]:
    """Yield a destination as a link, without its angle brackets and with its escapes undone."""
    enclosed = text.startswith("<", start) and end - start >= 2
    first, last = (start + 1, end - 1) if enclosed else (start, end)
    if first == last:
        yield Piece("markup", start, end)
        return
    if enclosed:
        yield Piece("markup", start, first)
    swaps = [(match.start(), match.end(), match[1]) for match in _ESCAPED.finditer(text, first, last)]
    swaps += [swap for swap in entity_swaps(text, first, last) if not any(a <= swap[0] < b for a, b, _ in swaps)]
    yield Piece("link", first, last, tuple(sorted(swaps)))
    if enclosed:
        yield Piece("markup", last, end)


def _prose(start: int, end: int) -> Iterator[Piece]:
    if start < end:
        yield Piece("prose", start, end)
