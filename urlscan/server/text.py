"""The text of an open document, with the positions of the protocol.

Lines and characters count from 0. A character is a code unit of the position encoding that client and server agreed
on: UTF-16 by default, UTF-8 or UTF-32 on request. Lines end at LF, CRLF or a lone CR, as the protocol defines, and
never at FF or U+2028.

Nothing here takes time proportional to the number of lines, except for texts with lone CRs: positions are found from
one that is known, so that an edit in a text of 50 MB takes milliseconds.
"""

from urlscan.api.buffers import LineIndex, line_end

# Far from a known position, line ends are counted in blocks of this many characters.
_BLOCK = 1 << 16

Position = tuple[int, int]


class Text:
    """A text and its positions. It does not change; `replaced` returns another one.

    Args:
        line_start: an offset at which a line begins, and the number of that line.
    """

    __slots__ = ("_line_start", "_lines", "encoding", "source")

    def __init__(self, source: str, encoding: str = "utf-16", line_start: tuple[int, int] = (0, 0)) -> None:
        self.source = source
        self.encoding = encoding
        self._line_start = line_start
        has_lone_cr = "\r" in source and source.count("\r") != source.count("\r\n")
        self._lines = LineIndex(source) if has_lone_cr else None

    def offset(self, line: int, character: int) -> int:
        """Return the offset of a position; one after the end of a line or of the text means that end."""
        start = self._start(line)
        end = self._end(start)
        if start == end or character <= 0:
            return start
        return start + self._characters(self.source[start:end], character)

    def position(self, offset: int) -> Position:
        """Return the position of an offset."""
        offset = max(0, min(offset, len(self.source)))
        line, start = self._line_at(offset)
        return line, self._units(self.source[start:offset])

    def replaced(self, start: Position, end: Position, text: str) -> "Text":
        """Return the text with another text in place of what is between two positions."""
        first = self.offset(*start)
        last = max(self.offset(*end), first)
        line, begin = self._line_at(first)
        # A line that begins after a lone CR may begin elsewhere once an LF is inserted there.
        line_start = (0, 0)
        if begin and self.source.startswith("\n", begin - 1):
            line_start = begin, line
        return Text(self.source[:first] + text + self.source[last:], self.encoding, line_start)

    def _units(self, text: str) -> int:
        """Return the number of code units of a text."""
        if self.encoding == "utf-32" or text.isascii():
            return len(text)
        if self.encoding == "utf-8":
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text.encode("utf-16-le", "surrogatepass")) // 2

    def _characters(self, line: str, units: int) -> int:
        """Return the number of characters that some code units of a line hold; one that is cut counts."""
        if self.encoding == "utf-32" or line.isascii():
            return min(units, len(line))
        codec, width = ("utf-8", 1) if self.encoding == "utf-8" else ("utf-16-le", 2)
        data = line.encode(codec, "surrogatepass")[: units * width]
        is_whole = width == 2 and not (data and 0xD8 <= data[-1] <= 0xDB)  # no first half of a pair at the end
        return len(data.decode(codec, "surrogatepass" if is_whole else "replace"))

    def _start(self, line: int) -> int:
        """Return the offset at which a line begins; the end of the text for a line after it."""
        if self._lines is not None:
            start = self._lines.offset(line + 1, 1)
            # A line after the last one begins nowhere.
            return start if self._lines.position(start)[0] == line + 1 else len(self.source)
        offset, number = self._line_start
        if line < number:
            offset = number = 0
        while number < line:
            block_end = offset + _BLOCK
            ends = self.source.count("\n", offset, block_end)
            if number + ends < line and block_end < len(self.source):
                number += ends
                offset = block_end
                continue
            for _ in range(line - number):
                offset = self.source.find("\n", offset) + 1
                if not offset:
                    return len(self.source)
            number = line
        if self.source.startswith("\n", offset - 1) or offset == 0:
            self._line_start = offset, number
        return offset

    def _end(self, start: int) -> int:
        """Return the end of the line that begins at an offset, without its line end."""
        end = line_end(self.source, start)
        if self._lines is not None and (cr := self.source.find("\r", start, end)) >= 0:
            return cr
        if end > start and self.source.startswith("\r", end - 1):
            return end - 1
        return end

    def _line_at(self, offset: int) -> Position:
        """Return the number of the line that holds an offset, and the offset at which it begins."""
        if self._lines is not None:
            line, column = self._lines.position(offset)
            return line - 1, offset - column + 1
        line_start, number = self._line_start
        if offset >= line_start:
            number += self.source.count("\n", line_start, offset)
        elif offset < line_start - offset:
            number = self.source.count("\n", 0, offset)
        else:
            number -= self.source.count("\n", offset, line_start)
        start = self.source.rfind("\n", 0, offset) + 1
        self._line_start = start, number
        return number, start
