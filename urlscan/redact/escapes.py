"""Percent-escapes undone level by level, each with the way back to the original text.

A URL in a parameter of another is escaped, perhaps more than once, and perhaps in part: `quote(url)` leaves "/",
`quote(url, safe=":/")` the delimiters of the scheme.  A secret in it is found where the escapes are undone.
"""

import bisect
import functools
import re
from array import array
from collections.abc import Iterator
from typing import NamedTuple

# A delimiter of a URL that is escaped, once or more often: without one, undoing escapes shows nothing new.
# ":" "/" "@" "=" "?" "&" "#" ";" "[" "-" "_", and "." of hosts.
_DELIMITER = r"%(?:25){0,6}(?:3[AaDdFfBb]|2[FfDdEe36]|40|5[FfBb])"
# Printable ASCII without the blank, quotation marks and brackets, which end a URL in a text.
_ESCAPE = r"%(2[134-9A-Fa-f]|3[0-9ABDFabdf]|[46][0-9A-Fa-f]|5[0-9ABDEFabdef]|7[0-9A-Ea-e])"
_MOST_LEVELS = 6

_compiled = functools.cache(re.compile)


class Level(NamedTuple):
    """A text with one more level of its escapes undone.

    Attributes:
        text: the result.
        escapes: offsets in `text` of the characters that were escaped, in order.
    """

    text: str
    escapes: "array[int]"

    def to_original(self, offset: int) -> int:
        """Return the offset before this level was undone: each escape is two characters longer than what it means."""
        return offset + 2 * bisect.bisect_left(self.escapes, offset)


def has_escaped_delimiter(text: str) -> bool:
    """Return whether a delimiter of a URL is escaped in `text`."""
    return "%" in text and _compiled(_DELIMITER).search(text) is not None


def levels(text: str) -> Iterator[Level]:
    """Yield `text` with one level of escapes undone, then with two, until nothing changes."""
    for _ in range(_MOST_LEVELS):
        if not has_escaped_delimiter(text):
            return
        level = _undone(text)
        yield level
        text = level.text


def _undone(text: str) -> Level:
    pieces, escapes, at, length = list[str](), array("Q"), 0, 0
    for match in _compiled(_ESCAPE).finditer(text):
        pieces += text[at : match.start()], chr(int(match[1], 16))
        length += match.start() - at
        escapes.append(length)
        length += 1
        at = match.end()
    pieces.append(text[at:])
    return Level("".join(pieces), escapes)
