"""Lines and columns of a text."""

import bisect
from operator import itemgetter

from urlscan.core.lazy import lazy

_NEWLINE = lazy("\r\n?|\n")
_LF = lazy("\n")


def line_end(text: str, start: int) -> int:
    """Return the offset of the first LF at or after an offset, or the end of the text."""
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


class LineIndex:
    """Computes lines and columns of a text on demand.

    Lines end at LF, CRLF or a lone CR, never at FF or U+2028. In mail with LF, a lone CR is a character of its line
    (RFC 5322 section 2.3). Calls in increasing order take one pass over the text in total.

    Args:
        text: the text, or a chunk of one.
        origin: the offset in it that has the given line and column, from 1.
        is_mail: whether the text is mail.
    """

    __slots__ = ("_has_cr", "_marks", "_newline", "_text")

    def __init__(self, text: str, origin: int = 0, line: int = 1, column: int = 1, *, is_mail: bool = False) -> None:
        self._text = text
        self._has_cr = "\r" in text and not (is_mail and "\n" in text)
        self._newline = _NEWLINE if self._has_cr else _LF
        # (offset, its line, the start of that line, which may be before the text)
        self._marks: list[tuple[int, int, int]] = [(origin, line, origin - column + 1)]

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1, of the character at `offset`."""
        first, line, start = self._marks[0]
        if offset < first:
            ends = [match.end() for match in self._newline.finditer(self._text, offset, first)]
            before = self._text.rfind("\n", 0, offset) + 1
            if self._has_cr:
                before = max(before, self._text.rfind("\r", 0, offset) + 1)
            if ends:
                line, start = line - len(ends), before
            return line, offset - start + 1
        number = max(bisect.bisect_right(self._marks, (offset, len(self._text), 0)) - 1, 0)
        mark, line, start = self._marks[number]
        text = self._text
        crossed = text.count("\n", mark, offset)
        last = text.rfind("\n", mark, offset) if crossed else -1
        if self._has_cr:
            # Between CR and LF the line has not ended yet.
            is_inside = offset > mark and text.startswith("\r\n", offset - 1)
            end = offset - is_inside
            lone = text.count("\r", mark, end)
            if lone:
                lone -= text.count("\r\n", mark, offset)
            if lone:
                last = max(last, text.rfind("\r", mark, end))
            crossed += lone
        if crossed:
            line, start = line + crossed, last + 1
        if offset > mark + 256:
            self._marks.insert(number + 1, (offset, line, start))
        return line, offset - start + 1

    def line_start(self, offset: int) -> int:
        """Return the offset at which the line of `offset` begins."""
        return offset - self.position(offset)[1] + 1

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a position; 0 for a position before the text."""
        number = max(bisect.bisect_right(self._marks, line, key=itemgetter(1)) - 1, 0)
        mark, mark_line, start = self._marks[number]
        if mark_line == line:
            return max(start + column - 1, 0)
        if mark_line > line:
            starts = [match.end() for match in self._newline.finditer(self._text, 0, mark)]
            line_start = starts[line - mark_line - 1] if len(starts) > mark_line - line else 0
            return max(line_start + column - 1, 0)
        position = mark
        while mark_line < line and (newline := self._newline.search(self._text, position)) is not None:
            mark_line, position = mark_line + 1, newline.end()
            start = position
        if position > mark + 256:
            self._marks.insert(number + 1, (position, mark_line, start))
        return start + column - 1
