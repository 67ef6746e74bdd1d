"""Compile regular expressions on first use: compiling all of them takes longer than reading a small file."""

import re
import sys
from collections.abc import Callable
from itertools import pairwise

from urlscan.core.typing import TYPE_CHECKING, Any, AnyStr

# Number of repetitions in each atomic group of `repeat`.
_BATCH = 1000
_METHODS = ("match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split")


class LazyPattern:
    """A substitute for `re.compile(pattern, flags)` that compiles on first use, and then stores the methods.

    For expressions that most runs do not need. Expressions that search every text are compiled at import.
    """

    def __init__(self, pattern: str | bytes, flags: int = 0) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # `copy` and `inspect` look these up
            raise AttributeError(name)
        compiled: re.Pattern[Any] = re.compile(self.pattern, self._flags)
        self.__dict__.update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)


if TYPE_CHECKING:
    lazy = re.compile  # the type of a pattern is that of a compiled one
else:
    lazy = LazyPattern


def lazy_search(pattern: str) -> Callable[[str], object]:
    """Return a function that searches a text for a pattern, which is compiled on first use."""
    expression = lazy(pattern)
    return lambda text: expression.search(text)


def match_end(pattern: "re.Pattern[AnyStr]", text: AnyStr, start: int, limit: int = sys.maxsize) -> int:
    """Return the end of a match of `pattern` at text[start]; `start` if there is none."""
    match = pattern.match(text, start, limit)
    return start if match is None else match.end()


def start_or(match: "re.Match[str] | re.Match[bytes] | None", default: int) -> int:
    """Return the start of a match, or the default without one."""
    return default if match is None else match.start()


def end_or(match: "re.Match[str] | re.Match[bytes] | None", default: int) -> int:
    """Return the end of a match, or the default without one."""
    return default if match is None else match.end()


def without(characters: str) -> tuple[str, str]:
    """Return a class of Latin-1 without these characters, which is a table and twice as fast, and one of all others."""
    edges = [-1, *sorted(map(ord, characters)), 256]
    ranges = [rf"\x{first + 1:02x}-\x{last - 1:02x}" for first, last in pairwise(edges) if last > first + 1]
    return f"[{''.join(ranges)}]", f"[^{re.escape(characters)}]"


def repeat(inner: str, minimum: int = 0) -> str:
    """Return a possessive expression for `minimum` (0 or 1) or more repetitions of `inner`, which is never empty.

    Use it in place of a possessive quantifier after a group, `(?:inner)*+`, which CPython before 3.11.5 matches wrongly
    (gh-106052).  An atomic group records each repetition, in 120 bytes, until it ends; atomic groups inside limit
    the records to one per thousand repetitions, so that a long text does not exhaust the memory.
    """
    return f"(?>(?>(?:{inner}){{1,{_BATCH}}}){'+' if minimum else '*'})"
