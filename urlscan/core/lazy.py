"""Compile regular expressions on first use: compiling all of them takes longer than reading a small file."""

import re
from typing import Any, AnyStr, cast

# Number of repetitions in each atomic group of `repeat`.
_BATCH = 1000
_METHODS = ("match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split")


def lazy(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a substitute for `re.compile(pattern, flags)` that compiles on first use.

    For expressions that most runs do not need. Expressions that search every text are compiled at import.
    """
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))


def repeat(inner: str, minimum: int = 0) -> str:
    """Return a possessive expression for `minimum` or more repetitions of `inner`.

    Use it in place of a possessive quantifier after a group, `(?:inner)*+`, which CPython before 3.11.5 matches wrongly
    (gh-106052).  An atomic group records each repetition, in 120 bytes, until it ends; atomic groups inside limit
    the records to one per thousand repetitions, so that a long text does not exhaust the memory.

    Args:
        inner: the expression to repeat; it must not match the empty string.
        minimum: 0 or 1.
    """
    return f"(?>(?>(?:{inner}){{1,{_BATCH}}}){'+' if minimum else '*'})"


class _Lazy:
    """A pattern that compiles on first use and then stores the methods of the compiled one."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # `copy` and `inspect` look these up
            raise AttributeError(name)
        compiled: re.Pattern[Any] = re.compile(self.pattern, self._flags)
        self.__dict__.update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)
