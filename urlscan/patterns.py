"""Expressions that are compiled when they are first asked: to compile them all takes longer than a small file."""

import re
from typing import Any, AnyStr, cast

_METHODS = ("match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split")


def lazy(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return what behaves as `re.compile(pattern, flags)` does, and is not compiled before it is used.

    For expressions that most runs have no question for; what every text is searched with is compiled at once.
    """
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))


class _Lazy:
    """An expression; what it can do is its own from the first question on, so that the others cost no more."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what copies and inspects asks for these
            raise AttributeError(name)
        compiled: re.Pattern[Any] = re.compile(self.pattern, self._flags)
        self.__dict__.update({method: getattr(compiled, method) for method in _METHODS})
        return getattr(compiled, name)
