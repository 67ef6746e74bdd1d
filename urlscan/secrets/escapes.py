"""Decode percent-escapes level by level, with a map back to the original text.

A URL in a parameter of another URL is escaped, perhaps several times, and perhaps partially: `quote(url)` keeps "/",
`quote(url, safe=":/")` keeps the delimiters of the scheme.  Secrets in it are found after decoding.
"""

import bisect
import functools
import re
from array import array
from collections.abc import Iterator

# A delimiter of a URL that is escaped once or more often. Without one, decoding escapes reveals nothing new.
# ":" "/" "@" "=" "?" "&" "#" ";" "[" "-" "_", and "." of hosts.
_DELIMITER_OCTET = "(?:3[AaDdFfBb]|2[FfDdEe36]|40|5[FfBb])"
_DELIMITER = rf"%(?:25){{0,6}}{_DELIMITER_OCTET}"
# Printable ASCII without the space, quotation marks and brackets, which end a URL in a text.
_ESCAPE = r"%(2[134-9A-Fa-f]|3[0-9ABDFabdf]|[46][0-9A-Fa-f]|5[0-9ABDEFabdef]|7[0-9A-Ea-e])"
_MOST_LEVELS = 6

_compiled = functools.cache(re.compile)


class Level:
    """A text with one more level of its escapes decoded.

    Attributes:
        text: the result.
        escapes: offsets in `text` of the decoded characters, in order.
    """

    __slots__ = ("escapes", "text")

    def __init__(self, text: str, escapes: "array[int]") -> None:
        self.text = text
        self.escapes = escapes

    def to_original(self, offset: int) -> int:
        """Return the offset before this level was decoded: each escape is two characters longer than its character."""
        return offset + 2 * bisect.bisect_left(self.escapes, offset)


def has_escaped_delimiter(text: str) -> bool:
    """Return whether `text` contains an escaped delimiter of a URL."""
    return "%" in text and _compiled(_DELIMITER).search(text) is not None


def levels(text: str) -> Iterator[Level]:
    """Yield `text` with one level of escapes decoded, then with two, until nothing changes."""
    for _ in range(_MOST_LEVELS):
        if not has_escaped_delimiter(text):
            return
        level = _decode(text)
        yield level
        text = level.text


def _decode(text: str) -> Level:
    escapes = array("Q")
    for number, match in enumerate(_compiled(_ESCAPE).finditer(text)):
        escapes.append(match.start() - 2 * number)
    return Level(_compiled(_ESCAPE).sub(lambda match: chr(int(match[1], 16)), text), escapes)
