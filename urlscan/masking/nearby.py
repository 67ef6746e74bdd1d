"""Find the secrets of one row of a text without reading all of it.

Every secret is within a few words of what makes it one (`urlscan.secrets`). The value of a parameter, a token and an
escape contain no white space. A password begins after "//user:", ends at an "@", and continues over at most three
breaks. Words are read as a whole, however long they are, so a secret that is longer than any window is found.
"""

import functools
import re

from urlscan.secrets import Spans, escape_depth, secret_spans

# The word of the row, one for each break of a password, and the host after it.
_WORDS = 5
# A break has at most 41 characters. If its markers are escaped, each can be a word.
_BREAK = 41
_ESCAPED_WORDS = _WORDS + 3 * _BREAK
_MARKERS = ">|#*/;"
_ESCAPED_MARKER = re.compile(r"\s[>|#*/;]*%(?:25)*(?:3[EeBb]|7[Cc]|2[3AaFf])")
# An escape that `secrets.escapes` decodes.
_ESCAPE = re.compile("%[2-7][0-9A-Fa-f]")
# Characters before a URL that tell how it is quoted.
_BEFORE = 64
_STEP = 256
_LONG = 4 * _STEP  # a longer word is remembered
_MOST_REMEMBERED = 64
# Rows within this many characters are read together, up to so many at a time.
_CLOSE = 1 << 12
_MOST_AHEAD = 1 << 14

_BLANK = re.compile(r"\s")


def secrets_near(text: str, low: int, high: int) -> Spans:
    """Return the spans of everything in text[low:high] that looks like a secret, and possibly of more around it."""
    return _nearby(text).find(low, high)


@functools.lru_cache(maxsize=1)
def _nearby(text: str) -> "_Nearby":
    return _Nearby(text)


class _Nearby:
    """Finds the secrets of rows of one text. Rows that follow each other closely are read together."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words = _Words(text)
        self._low = self._high = self._ahead = 0
        self._spans: Spans = []

    @functools.cached_property
    def _decoded(self) -> str:
        """A word that makes a window be decoded as often as the text, in which any delimiter may be escaped."""
        depth = escape_depth(self._text)
        return f"%{'25' * (depth - 1)}3A " if depth else ""

    def find(self, low: int, high: int) -> Spans:
        """Return the spans of the secrets in a row, and possibly of others."""
        if not (self._low <= low and high <= self._high):
            is_close = 0 <= low - self._low <= self._high - self._low + _CLOSE
            self._ahead = min(2 * self._ahead + _STEP, _MOST_AHEAD) if is_close else 0
            # Whole words: rows in one long word are read together.
            self._low, self._high = self._words.window(low, min(max(high, low + self._ahead), len(self._text)), 1)
            self._spans = self._read(self._low, self._high)
        return self._spans

    def _read(self, low: int, high: int) -> Spans:
        text = self._text
        start, stop = self._words.window(low, high, _WORDS)
        before = ""
        # At the end of a text with escapes, a password may be cut off.
        if (stop == len(text) or _ESCAPE.search(text, start, stop)) and self._decoded:
            before = self._decoded
            if _ESCAPED_MARKER.search(text, start, stop):
                start, stop = self._words.window(low, high, _ESCAPED_WORDS)
        start = max(start - _BEFORE, 0)
        shift = start - len(before)
        spans = secret_spans(before + text[start:stop], cut=False)
        return [(first + shift, last + shift) for first, last in spans]


class _Words:
    """The words of a text, which white space divides. Long ones are remembered, so that each is read once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._long: Spans = []

    def window(self, low: int, high: int, number: int) -> tuple[int, int]:
        """Return a span that covers text[low:high] and a number of words on both sides, each after a break."""
        for _ in range(number):
            low = self._start_of(self._before_break(low))
            high = self._end_of(min(high + _BREAK, len(self._text)))
        return low, high

    def _before_break(self, at: int) -> int:
        """Return the offset before a break that ends at `at`."""
        text, least = self._text, max(at - _BREAK, 0)
        while at > least and (text[at - 1] in _MARKERS or text[at - 1].isspace()):
            at -= 1
        return at

    def _start_of(self, at: int) -> int:
        """Return the start of the word that contains `at` or ends there."""
        for start, end in self._long:
            if start <= at <= end:
                return start
        start = self._search_start(at)
        if at - start > _LONG:
            self._remember(start, self._search_end(at))
        return start

    def _end_of(self, at: int) -> int:
        """Return the end of the word that contains `at` or begins there."""
        for start, end in self._long:
            if start <= at <= end:
                return end
        end = self._search_end(at)
        if end - at > _LONG:
            self._remember(self._search_start(at), end)
        return end

    def _search_start(self, at: int) -> int:
        step = _STEP
        while at > 0:
            end, at = at, max(at - step, 0)
            window = self._text[at:end]
            word = window.rsplit(None, 1)[-1] if not window[-1].isspace() else ""
            if len(word) < len(window):
                return end - len(word)
            step *= 2
        return at

    def _search_end(self, at: int) -> int:
        blank = _BLANK.search(self._text, at)
        return blank.start() if blank is not None else len(self._text)

    def _remember(self, start: int, end: int) -> None:
        self._long = [(start, end), *self._long[: _MOST_REMEMBERED - 1]]
