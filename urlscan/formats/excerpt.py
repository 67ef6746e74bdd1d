"""Render the line of a finding with its span underlined.

Tabs, wide and combining characters keep the carets aligned; control and invisible characters are escaped; secrets are
`***`. Only the part of a long line around the span is read, so that a file of one line costs no more than one of many.
"""

import bisect
import re
import unicodedata

from urlscan.core.document import Document, readable
from urlscan.core.lazy import start_or
from urlscan.core.offsets import LineIndex
from urlscan.core.record import NamedTuple
from urlscan.core.records import Finding
from urlscan.core.secrets import MASK, Spans
from urlscan.formats.base import RenderOptions
from urlscan.formats.escape import code_escape, escape
from urlscan.formats.mask import secrets_in

_WIDTH = 100  # the width of an excerpt in columns
_BEFORE = 40  # columns before the span
_AROUND = 300  # characters of the line before and after the span to read
_ROWS = 4  # lines of a span to show; of more, the first and the last
_TAB = "    "
_CUT = "…"
_NEWLINE = re.compile("\r\n?|\n")


class ExcerptLine(NamedTuple):
    """One line of an excerpt.

    Attributes:
        number: its line number, from 1; 0 for omitted lines.
        text: the line.
        carets: the underline below it.
        marked: the characters of the text above the carets; more than it has, if it ends in blanks.
    """

    number: int
    text: str
    carets: str
    marked: slice = slice(0)


def excerpt_of(finding: Finding, document: Document, secrets: Spans) -> list[ExcerptLine]:
    """Return the excerpt of a finding, numbered by the lines of its file; none for one that came without its text.

    If `finding.shown` is set, its lines and columns are not those of `document.decoded`.
    """
    if not document.decoded:
        return []
    start, end = _positions(finding, document)
    return excerpt(document.decoded, document.lines, start, end, secrets, finding.line - start[0])


def _positions(finding: Finding, document: Document) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return line and column of the first character of a finding and after its last one, in the decoded text."""
    if finding.shown is not None:
        return document.lines.position(finding.shown[0]), document.lines.position(finding.shown[1])
    return (finding.line, finding.column), (finding.end_line, finding.end_column)


def secrets_shown(document: Document, options: RenderOptions) -> Spans:
    """Return the spans of the decoded text to mask in the excerpts of a document."""
    if options.show_secrets or not (document.decoded and document.findings):
        return []
    offset, positions = document.lines.offset, (_positions(finding, document) for finding in document.findings)
    return secrets_in(document, [(offset(*start), offset(*end)) for start, end in positions])


def excerpt(
    text: str, lines: LineIndex, start: tuple[int, int], end: tuple[int, int], secrets: Spans, below: int = 0
) -> list[ExcerptLine]:
    """Return the lines of a span.

    Args:
        start, end: line and column, from 1, of the first character and after the last one.
        secrets: merged spans of `text` to mask.
        below: the number to add to the numbers of lines.
    """
    first = lines.offset(*start)
    last = max(lines.offset(*end), first)
    if start[0] == end[0]:
        return [_row(text, start[0] + below, first, last, secrets)]
    rows = [_row(text, start[0] + below, first, start_or(_NEWLINE.search(text, first), len(text)), secrets)]
    between = range(start[0] + 1, end[0])
    if len(between) + 2 > _ROWS:
        rows.append(ExcerptLine(0, "...", ""))
        between = range(0)
    for number in between:
        line_start = lines.offset(number, 1)
        line_end = start_or(_NEWLINE.search(text, line_start), len(text))
        rows.append(_row(text, number + below, line_start, line_end, secrets))
    if end[1] > 1:
        rows.append(_row(text, end[0] + below, lines.offset(end[0], 1), last, secrets))
    return rows


def _row(text: str, number: int, first: int, last: int, secrets: Spans) -> ExcerptLine:
    """Return one line with [first, last) underlined, of which at most `_WIDTH` columns are shown."""
    last = min(last, first + _AROUND)
    low, high = max(first - _AROUND, 0), min(last + _AROUND, len(text))
    line_start = max(text.rfind("\n", low, first), text.rfind("\r", low, first)) + 1
    newline = _NEWLINE.search(text, last, high)
    cut_before = line_start == 0 and low > 0 and text[low - 1] not in "\r\n"
    cut_after = newline is None and high < len(text) and text[high] not in "\r\n"
    low = max(low, line_start)
    if newline is not None:
        high = newline.start()
    index = max(bisect.bisect_left(secrets, (low,)) - 1, 0)
    hidden = [span for span in secrets[index : bisect.bisect_left(secrets, (high,))] if span[1] > low]
    line, last = text[low:high], max(last, first + 1)
    if hidden or not (line.isascii() and line.isprintable()):
        texts, widths, marked = _cells(text, low, high, (first, last), hidden)
    else:  # every cell is one character wide
        if first >= high:  # after the last character
            line += " "
        texts, widths, marked = list(line), [1] * len(line), range(first - low, min(last - low, len(line)))
    low, high = 0, len(widths)
    if sum(widths) > _WIDTH:
        low, high = _window(widths, marked.start)
    before = after = ""
    if cut_before or low > 0:
        before = _CUT
    if cut_after or high < len(widths):
        after = _CUT
    end = min(marked.stop, high)
    carets = " " * (len(before) + sum(widths[low : marked.start])) + ("^" * sum(widths[marked.start : end]) or "^")
    head, body = before + "".join(texts[low : marked.start]), "".join(texts[marked.start : end])
    text = (head + body + "".join(texts[end:high]) + after).rstrip(" ")
    return ExcerptLine(number, text, carets, slice(len(head), len(head + body)))


def _cells(
    text: str, low: int, high: int, marked: tuple[int, int], hidden: Spans
) -> tuple[list[str], list[int], range]:
    """Return the characters of a line, and each secret, as they are shown, their widths, and the marked ones."""
    first, last = marked
    texts, widths, marks = list[str](), list[int](), list[int]()
    offset, masks = low, [*hidden, (high, high)]
    while offset < high:
        start, end = masks[0]
        if start <= offset:
            # One cell of fixed width: do not reveal the length of the secret.
            cell, masks = (MASK, len(MASK)), masks[1:]
        else:
            start, end, cell = offset, offset + 1, _printable(text[offset])
        if first < end and start < last:
            marks.append(len(texts))
        texts.append(cell[0])
        widths.append(cell[1])
        offset = end
    if first >= high:
        marks.append(len(texts))
        texts.append(" ")
        widths.append(1)
    return texts, widths, range(marks[0], marks[-1] + 1)


def _printable(character: str) -> tuple[str, int]:
    """Return a printable form of a character, and its width in columns."""
    if " " <= character <= "~":
        return character, 1
    if character == "\t":
        return _TAB, len(_TAB)
    character = readable(character)
    escaped = escape(character)
    category = unicodedata.category(character)
    if escaped == character and category in {"Cc", "Cf", "Cs", "Zl", "Zp"}:  # invisible, but harmless elsewhere
        escaped = code_escape(character)
    if escaped != character:
        return escaped, len(escaped)
    if category in {"Mn", "Me"}:
        return character, 0
    if unicodedata.east_asian_width(character) in "WF":
        return character, 2
    return character, 1


def _window(widths: list[int], marked: int) -> tuple[int, int]:
    """Return the cells around the first marked one that fit into `_WIDTH` columns."""
    low = high = marked
    room = _BEFORE
    while low > 0 and widths[low - 1] <= room:
        low -= 1
        room -= widths[low]
    room += _WIDTH - _BEFORE
    while high < len(widths) and widths[high] <= room:
        room -= widths[high]
        high += 1
    while low > 0 and widths[low - 1] <= room:
        low -= 1
        room -= widths[low]
    return low, high
