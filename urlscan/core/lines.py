"""Lines and columns of a text."""

import bisect

from urlscan.core.lazy import lazy

_NEWLINE = lazy("\r\n?|\n")


def _line_of(mark: tuple[int, int, int]) -> int:
    return mark[1]


class LineIndex:
    """Computes lines and columns of a text on demand.

    Lines end at LF, CRLF or a lone CR, never at FF or U+2028. Calls in increasing order take one pass over the text in
    total.

    Args:
        text: the text, or a chunk of one.
        known: an offset in it whose line and column, from 1, are known.
        line: that line.
        column: that column.
    """

    __slots__ = ("_has_cr", "_marks", "_text")

    def __init__(self, text: str, known: int = 0, line: int = 1, column: int = 1) -> None:
        self._text = text
        self._has_cr = "\r" in text
        # (offset, its line, the start of that line, which may be before the text)
        self._marks: list[tuple[int, int, int]] = [(known, line, known - column + 1)]

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1, of the character at `offset`."""
        line, start = self._line_at(offset)
        return line, offset - start + 1

    def line_start(self, offset: int) -> int:
        """Return the offset at which the line of `offset` begins."""
        return self._line_at(offset)[1]

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a position; 0 for a position before the text."""
        at = bisect.bisect_right(self._marks, line, key=_line_of) - 1
        known, number, start = self._marks[max(at, 0)]
        if number == line:
            return max(start + column - 1, 0)
        if number > line:
            return max(self._before(known, line, number) + column - 1, 0)
        first = known
        while number < line and (newline := _NEWLINE.search(self._text, known)) is not None:
            number, known = number + 1, newline.end()
            start = known
        if known > first + 256:
            self._marks.insert(max(at, 0) + 1, (known, number, start))
        return start + column - 1

    def _before(self, known: int, line: int, number: int) -> int:
        """Return the start of a line that is before the known offset, which is in line `number`."""
        starts = [match.end() for match in _NEWLINE.finditer(self._text, 0, known)]
        return starts[line - number - 1] if len(starts) > number - line else 0

    def _line_at(self, offset: int) -> tuple[int, int]:
        first, line, start = self._marks[0]
        if offset < first:
            ends = [match.end() for match in _NEWLINE.finditer(self._text, offset, first)]
            before = max(self._text.rfind("\n", 0, offset), self._text.rfind("\r", 0, offset)) + 1
            return (line - len(ends), before) if ends else (line, start)
        at = max(bisect.bisect_right(self._marks, (offset, len(self._text), 0)) - 1, 0)
        known, line, start = self._marks[at]
        text = self._text
        crossed = text.count("\n", known, offset)
        last = text.rfind("\n", known, offset) if crossed else -1
        if self._has_cr:
            # Between CR and LF the line has not ended yet.
            inside = offset > known and text.startswith("\r\n", offset - 1)
            stop = offset - 1 if inside else offset
            lone = text.count("\r", known, stop)
            if lone:
                lone -= text.count("\r\n", known, offset)
            if lone:
                last = max(last, text.rfind("\r", known, stop))
            crossed += lone
        if crossed:
            line, start = line + crossed, last + 1
        if offset > known + 256:
            self._marks.insert(at + 1, (offset, line, start))
        return line, start
