"""Render the line of a finding with its span underlined.

Tabs, wide and combining characters keep the carets aligned; control and invisible characters are escaped; secrets are
`***`. Only the part of a long line around the span is read, so that a file of one line costs no more than one of many.
"""

import bisect
import re
import unicodedata

from urlscan.core.document import Document, readable
from urlscan.core.offsets import LineIndex
from urlscan.core.record import NamedTuple
from urlscan.core.records import Finding
from urlscan.core.secrets import MASK, Spans
from urlscan.formats.escape import code_escape, escape

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
        shown: the line.
        carets: the underline below it.
    """

    number: int
    shown: str
    carets: str


class _Cell(NamedTuple):
    text: str
    width: int
    marked: bool


def excerpt_of(finding: Finding, document: Document, secrets: Spans) -> list[ExcerptLine]:
    """Return the excerpt of a finding, numbered by the lines of its file; none for one that came without its text.

    If `finding.shown` is set, its lines and columns are not those of `document.decoded`.
    """
    if not document.decoded:
        return []
    lines = document.lines
    start, end = (finding.line, finding.column), (finding.end_line, finding.end_column)
    if finding.shown is not None:  # show the decoded text; number its first line like the line of the finding
        start, end = lines.position(finding.shown[0]), lines.position(finding.shown[1])
    rows = excerpt(document.decoded, lines, start, end, secrets)
    if below := finding.line - start[0]:
        rows = [row._replace(number=row.number and row.number + below) for row in rows]
    return rows


def excerpt(
    text: str, lines: LineIndex, start: tuple[int, int], end: tuple[int, int], secrets: Spans
) -> list[ExcerptLine]:
    """Return the lines of a span.

    Args:
        start, end: line and column, from 1, of the first character and after the last one.
        secrets: merged spans of `text` to mask.
    """
    first = lines.offset(*start)
    last = max(lines.offset(*end), first)
    if start[0] == end[0]:
        return [_row(text, start[0], first, last, secrets)]
    rows = [_row(text, start[0], first, _line_end(text, first), secrets)]
    between = range(start[0] + 1, end[0])
    if len(between) + 2 > _ROWS:
        rows.append(ExcerptLine(0, "...", ""))
        between = range(0)
    for number in between:
        line_start = lines.offset(number, 1)
        rows.append(_row(text, number, line_start, _line_end(text, line_start), secrets))
    if end[1] > 1:
        rows.append(_row(text, end[0], lines.offset(end[0], 1), last, secrets))
    return rows


def _line_end(text: str, start: int) -> int:
    newline = _NEWLINE.search(text, start)
    if newline is None:
        return len(text)
    return newline.start()


def _row(text: str, number: int, first: int, last: int, secrets: Spans) -> ExcerptLine:
    """Return one line with [first, last) underlined."""
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
    line = text[low:high]
    if hidden or not (line.isascii() and line.isprintable()):
        return _windowed(number, _cells(text, low, high, (first, last), hidden), cut_before, cut_after)
    # Every cell is one character wide.
    first, last = first - low, max(last, first + 1) - low
    line += " " * (first >= len(line))  # after the last character
    low, high = 0, len(line)
    if high > _WIDTH:
        low = max(0, first - _BEFORE)
        high = min(high, low + _WIDTH)
        low = max(0, high - _WIDTH)
    before = _CUT * (cut_before or low > 0)
    after = _CUT * (cut_after or high < len(line))
    carets = " " * (len(before) + first - low) + "^" * (min(last, high) - first)
    return ExcerptLine(number, (before + line[low:high] + after).rstrip(" "), carets)


def _cells(text: str, low: int, high: int, marked: tuple[int, int], hidden: Spans) -> list[_Cell]:
    first, last = marked
    cells, offset = [], low
    masks = iter(hidden)
    mask = next(masks, None)
    while offset < high:
        if mask is not None and mask[0] <= offset:
            # One cell of fixed width: do not reveal the length of the secret.
            is_marked = first < mask[1] and mask[0] < max(last, first + 1)
            cells.append(_Cell(MASK, len(MASK), is_marked))
            offset, mask = mask[1], next(masks, None)
            continue
        cells.append(_Cell(*_printable(text[offset]), first <= offset < last or offset == first))
        offset += 1
    if first >= high:  # after the last character
        cells.append(_Cell(" ", 1, True))
    return cells


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
    return character, 1 + (unicodedata.east_asian_width(character) in "WF")


def _windowed(number: int, cells: list[_Cell], cut_before: bool, cut_after: bool) -> ExcerptLine:
    """Return the cells around the marked ones as a line of at most `_WIDTH` columns."""
    marked = next((number for number, cell in enumerate(cells) if cell.marked), 0)
    low, high = marked, marked
    if sum(cell.width for cell in cells) <= _WIDTH:
        low, high = 0, len(cells)
    else:
        room = _BEFORE
        while low > 0 and cells[low - 1].width <= room:
            low -= 1
            room -= cells[low].width
        room += _WIDTH - _BEFORE
        while high < len(cells) and cells[high].width <= room:
            room -= cells[high].width
            high += 1
        while low > 0 and cells[low - 1].width <= room:
            low -= 1
            room -= cells[low].width
    before = _CUT * (cut_before or low > 0)
    after = _CUT * (cut_after or high < len(cells))
    line = before + "".join(cell.text for cell in cells[low:high]) + after
    carets = " " * len(before) + "".join(" ^"[cell.marked] * cell.width for cell in cells[low:high])
    return ExcerptLine(number, line.rstrip(" "), carets.rstrip() or " " * len(before) + "^")
