"""Cache searches ahead, so that a reader takes linear time.

A search for the closing delimiter after each opening one takes quadratic time if the closing one is far away or
missing. Each class here stores its last answer, so that queries in ascending order take one pass.
"""

import re
from bisect import bisect_left


class NextMatch:
    """The start of the next match of a pattern that matches at the same offsets wherever the search begins."""

    __slots__ = ("_asked", "_found", "_search", "_text")

    def __init__(self, pattern: "re.Pattern[str]", text: str) -> None:
        self._search = pattern.search
        self._text = text
        self._asked, self._found = 0, -1

    def after(self, offset: int) -> int:
        """Return where the first match at or after `offset` begins, or the length of the text."""
        if not self._asked <= offset <= self._found:
            match = self._search(self._text, offset)
            self._asked, self._found = offset, match.start() if match is not None else len(self._text)
        return self._found


class EqualRuns:
    """The runs of one character in text[start:limit], by their length."""

    __slots__ = ("_starts",)

    def __init__(self, text: str, character: str, start: int, limit: int) -> None:
        self._starts: dict[int, list[int]] = {}
        for match in re.compile(re.escape(character) + "+").finditer(text, start, limit):
            self._starts.setdefault(match.end() - match.start(), []).append(match.start())

    def after(self, offset: int, length: int) -> int:
        """Return where the first run of this length begins at or after `offset`, or -1."""
        starts = self._starts.get(length, [])
        number = bisect_left(starts, offset)
        return starts[number] if number < len(starts) else -1
