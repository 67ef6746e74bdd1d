"""Match paths against git's ignore files: `.gitignore`, `info/exclude` and the user's own; see gitignore(5)."""

import re

from urlscan.files.wildmatch import literal_length, regex

LARGEST = 1 << 20  # bytes of an ignore file
_MOST_WILDCARDS = 1 << 17  # bytes of all patterns with wildcards; they are compiled, which takes 5 us a byte


class IgnoreFile:
    """The patterns of one file. The last pattern that matches a name decides.

    Most patterns are literal names or `*.suffix`, which are looked up in tables; the others are compiled together, and
    tried one by one only for a name that one of them matches.

    Args:
        base: the directory of the patterns, relative to the top of the work tree: b"" or ending with "/".
        fold: whether case is ignored (`core.ignoreCase`).

    Raises:
        ValueError: there are too many patterns with wildcards.
    """

    __slots__ = ("_base", "_fold", "_names", "_paths", "_rules", "_suffixes", "_tails", "_wild")

    def __init__(self, data: bytes, base: bytes = b"", *, fold: bool = False) -> None:
        self._base = len(base)
        self._fold = fold
        self._rules: list[tuple[bool, bool]] = []  # negated, only for directories
        self._names: dict[bytes, list[int]] = {}
        self._paths: dict[bytes, list[int]] = {}
        self._suffixes: dict[bytes, list[int]] = {}
        # Patterns by whether they match the path, as opposed to the name.
        wild: dict[bool, list[tuple[int, str]]] = {False: [], True: []}
        for line in _lines(data):
            self._add(line, wild)
        if sum(len(source) for rules in wild.values() for _, source in rules) > _MOST_WILDCARDS:
            raise ValueError("too many patterns with wildcards")
        self._tails = tuple(self._suffixes)
        self._wild = [(is_path, _Wild(rules, fold)) for is_path, rules in wild.items() if rules]

    def __bool__(self) -> bool:
        """Return whether the file contains patterns."""
        return bool(self._rules)

    def _add(self, pattern: bytes, wild: dict[bool, list[tuple[int, str]]]) -> None:
        is_negated = pattern.startswith(b"!")
        pattern = pattern[is_negated:]
        is_directory = pattern.endswith(b"/")
        pattern = pattern[: len(pattern) - is_directory]
        is_path = b"/" in pattern
        pattern = pattern.removeprefix(b"/")
        if not pattern:
            return
        number = len(self._rules)
        self._rules.append((is_negated, is_directory))
        text = pattern.decode("latin-1")
        key = pattern.lower() if self._fold else pattern
        if literal_length(text) == len(text):
            literals = self._paths if is_path else self._names
            literals.setdefault(key, []).append(number)
        elif not is_path and text[0] == "*" and literal_length(text[1:]) == len(text) - 1:
            self._suffixes.setdefault(key[1:], []).append(number)
        else:
            wild[is_path].append((number, text))

    def decision(self, path: bytes, name: bytes, *, is_directory: bool) -> bool | None:
        """Return whether a path below the base, with its last name, is ignored, or None if no pattern matches."""
        if self._fold:
            path, name = path.lower(), name.lower()
        best = self._last(self._names.get(name, ()), -1, is_directory)
        if self._tails and name.endswith(self._tails):
            for suffix, numbers in self._suffixes.items():
                if name.endswith(suffix):
                    best = self._last(numbers, best, is_directory)
        if self._paths:
            best = self._last(self._paths.get(path[self._base :], ()), best, is_directory)
        for is_path, wild in self._wild:
            subject = path[self._base :] if is_path else name
            if wild.matches(subject):
                best = self._last(wild.matching(subject), best, is_directory)
        return None if best < 0 else not self._rules[best][0]

    def _last(self, numbers: "list[int] | tuple[()]", best: int, is_directory: bool) -> int:
        for number in numbers:
            if number > best and (is_directory or not self._rules[number][1]):
                best = number
        return best


class _Wild:
    """Patterns with wildcards, compiled on first use."""

    __slots__ = ("_any", "_compiled", "_each", "_fold", "_rules")

    def __init__(self, rules: list[tuple[int, str]], fold: bool) -> None:
        self._rules: list[tuple[int, str]] | None = rules
        self._fold = fold
        self._any: re.Pattern[bytes] | None = None
        self._each: list[tuple[int, bytes]] = []
        self._compiled: dict[int, re.Pattern[bytes]] = {}

    def matches(self, subject: bytes) -> bool:
        """Return whether any of the patterns matches."""
        if self._rules is not None:
            sources = [(number, regex(text, fold=self._fold)) for number, text in self._rules]
            self._rules = None
            self._each = [(number, source.encode("latin-1")) for number, source in sources if source is not None]
            if self._each:
                self._any = re.compile(b"|".join(source for _, source in self._each), re.DOTALL)
        return self._any is not None and self._any.fullmatch(subject) is not None

    def matching(self, subject: bytes) -> list[int]:
        """Return the numbers of the patterns that match."""
        if not self._compiled:
            self._compiled = {number: re.compile(source, re.DOTALL) for number, source in self._each}
        return [number for number, pattern in self._compiled.items() if pattern.fullmatch(subject)]


def _lines(data: bytes) -> list[bytes]:
    """Return the patterns of a file, without comments and unescaped trailing spaces."""
    lines = []
    for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        line = line.removesuffix(b"\r")
        line = _trimmed(line.partition(b"\0")[0])
        if line and not line.startswith(b"#"):
            lines.append(line)
    return lines


def _trimmed(line: bytes) -> bytes:
    pattern = line.rstrip(b" ")
    if len(pattern) == len(line):
        return line
    backslashes = len(pattern) - len(pattern.rstrip(b"\\"))
    return pattern + b" " if backslashes % 2 else pattern
