"""Patterns of ignore files, see gitignore(5), and of the same syntax for `--exclude` and the configuration.

The grammar is that of git's `wildmatch`: `*` and `?` match no "/", `**` between slashes matches any number of
directories, brackets may hold ranges and POSIX classes, a backslash escapes.

Patterns are untrusted. Git's matcher takes exponential time on some; here no `*` is tried twice. The text between two
of them is matched at the first place possible, which is correct because each `*` may match the rest. pathspec 1.1 is
not used for this reason: it takes 34 s for a pattern with eight `*` on a name of 60 characters, this module 0.5 ms.
"""

import functools
import os
import re

from urlscan.core.lazy import lazy, start_or

LARGEST = 1 << 20  # bytes of an ignore file
_MOST_WILDCARDS = 1 << 17  # bytes of all patterns with wildcards; they are compiled, which takes 5 us a byte
# The expression for any number of directories.
_DIRECTORIES = "(?:[^/]*/)*?"
_SPECIAL = re.compile(r"[*?\[\\]")
# The classes of git's own <ctype.h>, which contains ASCII only.
_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r" \t\n\r",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_SLASH, _STAR, _STARS = "/", "*", "**"  # tokens; every other token is an expression for one character


class Excluder:
    """A set of patterns, compiled together, for `--exclude` and the configuration.

    A pattern without "/" is matched with every name on the path. A pattern with "/" is matched with the path from
    `base` (the current directory, or that of the configuration file) or from the walked directory. A match includes
    everything below it, and a final "/" restricts the pattern to directories.
    """

    __slots__ = ("_here", "_pattern")

    def __init__(self, patterns: tuple[str, ...], base: str | None = None) -> None:
        # Patterns are grouped by what precedes and follows them: this compiles six times faster than one by one.
        groups: dict[tuple[str, str], list[str]] = {}
        for pattern in patterns:
            pattern = pattern.removeprefix("./")
            source = _regex(pattern.strip("/"))
            if source is not None:
                before, below = "", "(?:/.*)?"
                if "/" not in pattern.rstrip("/"):
                    before = _DIRECTORIES
                if pattern.endswith("/"):
                    below = "/.*"
                groups.setdefault((before, below), []).append(source)
        groups_regex = [f"{before}(?:{'|'.join(sources)}){below}" for (before, below), sources in groups.items()]
        self._pattern = re.compile("|".join(groups_regex) or "(?!)", re.DOTALL)
        self._here = base or os.getcwd()

    def excludes(self, path: str, root: str | None = None) -> bool:
        """Return whether `path` (a directory's may end with "/"), found below `root`, is excluded."""
        end = "/" if path.endswith(os.sep) else ""
        absolute = os.path.abspath(path)
        bases = [self._here]
        if root is not None:
            bases.append(os.path.abspath(root))
        return any(self._pattern.fullmatch(_relative(absolute, base) + end) for base in bases)


@functools.lru_cache(maxsize=64)  # the patterns of a configuration are matched one by one
def _relative(path: str, base: str) -> str:
    """Return an absolute path relative to a directory; a path outside of it without its first slash."""
    try:
        relative = os.path.relpath(path, base).replace(os.sep, "/")
    except ValueError:  # another drive
        relative = "../"
    if relative.startswith("../"):
        return path.replace(os.sep, "/").lstrip("/")
    return relative


class IgnoreFile:
    """The patterns of one file. The last pattern that matches a name decides.

    Most patterns are literal names or `*.suffix`, which are looked up in tables; the others are compiled together, and
    tried one by one only for a name that one of them matches. They are relative to `base`, a path from the top of the
    work tree that is b"" or ends with "/". Raise ValueError if there are too many with wildcards.
    """

    __slots__ = ("_base", "_fold", "_names", "_paths", "_rules", "_suffixes", "_tails", "_wild")

    def __init__(self, data: bytes, base: bytes = b"", *, fold: bool = False) -> None:
        self._base = len(base)
        self._fold = fold
        self._rules: list[tuple[bool, bool]] = []  # negated, only for directories
        self._names: dict[bytes, list[int]] = {}
        self._paths: dict[bytes, list[int]] = {}
        self._suffixes: dict[bytes, list[int]] = {}
        wild: dict[str, list[tuple[int, str]]] = {"name": [], "path": []}  # patterns by what they match
        for line in _lines(data):
            self._add(line, wild)
        if sum(len(source) for rules in wild.values() for _, source in rules) > _MOST_WILDCARDS:
            raise ValueError("too many patterns with wildcards")
        self._tails = tuple(self._suffixes)
        self._wild = [(subject, _Wild(rules, fold)) for subject, rules in wild.items() if rules]

    def __bool__(self) -> bool:
        """Return whether the file contains patterns."""
        return bool(self._rules)

    def _add(self, pattern: bytes, wild: dict[str, list[tuple[int, str]]]) -> None:
        is_negated = pattern.startswith(b"!")
        pattern = pattern.removeprefix(b"!")
        is_directory = pattern.endswith(b"/")
        pattern = pattern.removesuffix(b"/")
        if pattern.count(b"/") == 1:  # in any directory, as without it
            pattern = pattern.removeprefix(b"**/")
        is_path = b"/" in pattern
        pattern = pattern.removeprefix(b"/")
        if not pattern:
            return
        number = len(self._rules)
        self._rules.append((is_negated, is_directory))
        text = pattern.decode("latin-1")
        if self._fold:
            pattern = pattern.lower()
        if _literal_length(text) == len(text):
            literals = self._names
            if is_path:
                literals = self._paths
            literals.setdefault(pattern, []).append(number)
        elif is_path:
            wild["path"].append((number, text))
        elif text[0] == "*" and _literal_length(text[1:]) == len(text) - 1:
            self._suffixes.setdefault(pattern[1:], []).append(number)
        else:
            wild["name"].append((number, text))

    def decision(self, path: bytes, name: bytes, *, is_directory: bool) -> bool | None:
        """Return whether a path below the base, with its last name, is ignored, or None if no pattern matches."""
        if self._fold:
            path, name = path.lower(), name.lower()
        path = path[self._base :]
        numbers = [*self._names.get(name, ()), *self._paths.get(path, ())]
        if name.endswith(self._tails):
            for suffix in filter(name.endswith, self._suffixes):
                numbers += self._suffixes[suffix]
        for subject, wild in self._wild:
            if subject == "path":
                numbers += wild.matching(path)
            else:
                numbers += wild.matching(name)
        for number in sorted(numbers, reverse=True):
            is_negated, is_for_directories = self._rules[number]
            if is_directory or not is_for_directories:
                return not is_negated
        return None


class _Wild:
    """Patterns with wildcards, compiled together on first use, and each for the first name that any of them matches."""

    def __init__(self, rules: list[tuple[int, str]], fold: bool) -> None:
        self._rules = rules
        self._fold = fold

    @functools.cached_property
    def _each(self) -> dict[int, re.Pattern[bytes]]:
        sources = ((number, _regex(text, fold=self._fold)) for number, text in self._rules)
        return {number: lazy(source.encode("latin-1"), re.DOTALL) for number, source in sources if source is not None}

    @functools.cached_property
    def _any(self) -> re.Pattern[bytes]:
        return re.compile(b"|".join(each.pattern for each in self._each.values()) or b"(?!)", re.DOTALL)

    def matching(self, subject: bytes) -> list[int]:
        """Return the numbers of the patterns that match."""
        if self._any.fullmatch(subject) is None:
            return []
        return [number for number, pattern in self._each.items() if pattern.fullmatch(subject)]


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
    backslashes = len(pattern) - len(pattern.rstrip(b"\\"))
    if pattern != line and backslashes % 2:
        return pattern + b" "
    return pattern


# --- the expression for a pattern


def _literal_length(pattern: str) -> int:
    """Return how many characters of a pattern come before its first wildcard or backslash."""
    return start_or(_SPECIAL.search(pattern), len(pattern))


def _regex(pattern: str, *, fold: bool = False) -> str | None:
    """Return the expression that a whole name must match; None for a malformed pattern, which matches nothing.

    The pattern has no "/" at its edges. To `fold` case, the name is in lower case, and the pattern in ISO 8859-1.
    """
    # Git compares the literal beginning first and matches the rest on its own, so that `a**/b` is `a` and then
    # `**/b`: the two stars begin a pattern.
    literal = _literal_length(pattern)
    start = _escape(pattern[:literal], fold)
    tokens = _tokens(pattern[literal:], fold)
    if tokens is None:
        return None
    segments: list[list[str]] = [[]]
    for token in tokens:
        if token == _SLASH:
            segments.append([])
        else:
            segments[-1].append(token)
    if [] in segments[1:] or (not segments[0] and not start):
        return None  # names are never empty
    return start + _join(segments)


def _join(segments: list[list[str]]) -> str:
    """Return the expression for names between slashes, of which some are `**`."""
    runs: list[list[str]] = [[]]  # the names between two `**`
    for segment in segments:
        if segment == [_STARS]:
            runs.append([])
        else:
            runs[-1].append(_segment(segment))
    first, *following = ["/".join(run) for run in runs]
    if not following:
        return first
    start = f"{first}/" if runs[0] else ""
    *middle, last = following
    inner = "".join(f"(?>{_DIRECTORIES}{run}/)" for run in middle if run)
    if not runs[-1]:
        return f"{start}{inner}.*"
    return start + inner + _DIRECTORIES + last


def _segment(tokens: list[str]) -> str:
    """Return the expression for one name."""
    chunks = [""]
    for token in tokens:
        if token in (_STAR, _STARS):
            chunks.append("")
        else:
            chunks[-1] += token
    first, *following = chunks
    if not following:
        return first
    return first + "".join(f"(?>[^/]*?{chunk})" for chunk in following[:-1] if chunk) + f"[^/]*{following[-1]}(?=/|\\Z)"


def _tokens(pattern: str, fold: bool) -> list[str] | None:
    tokens: list[str] = []
    position = 0
    while position < len(pattern):
        char = pattern[position]
        position += 1
        if char == "*":
            if tokens and tokens[-1] in (_STAR, _STARS):
                tokens[-1] = _STARS
            else:
                tokens.append(_STAR)
        elif char == "?":
            tokens.append("[^/]")
        elif char == "[":
            bracket = _bracket(pattern, position, fold)
            if bracket is None:
                return None
            token, position = bracket
            tokens.append(token)
        else:
            if char == "\\":
                if position == len(pattern):
                    return None
                char = pattern[position]
                position += 1
            tokens.append(_SLASH if char == "/" else _escape(char, fold))
    return tokens


def _escape(text: str, fold: bool) -> str:
    """Return the expression for a literal text."""
    if fold:
        text = text.encode("latin-1").lower().decode("latin-1")
    return re.escape(text)


def _bracket(pattern: str, position: int, fold: bool) -> tuple[str, int] | None:
    """Return the expression for a bracket and where it ends, or None; `position` is after the opening one."""
    is_negated = pattern[position : position + 1] in ("!", "^")
    if is_negated:
        position += 1
    members = ""
    previous = ""  # what a range may begin with
    is_first = True
    while is_first or pattern[position : position + 1] != "]":
        is_first = False
        char = pattern[position : position + 1]
        if char == "[" and pattern[position + 1 : position + 2] == ":":
            end = pattern.find("]", position + 2)
            if end < 0:
                return None
            if end > position + 2 and pattern[end - 1] == ":":
                expression = _CLASSES.get(pattern[position + 2 : end - 1])
                if expression is None:
                    return None
                members += expression
                previous, position = "", end + 1
                continue
        is_range = char == "-" and previous and pattern[position + 1 : position + 2] not in ("", "]")
        if is_range:
            position += 1
        char = pattern[position : position + 1]
        if char == "\\":
            position += 1
            char = pattern[position : position + 1]
        if not char:
            return None
        if not is_range:
            members += re.escape(char)
        elif previous <= char:
            members += f"{re.escape(previous)}-{re.escape(char)}"
        previous = "" if is_range else char
        position += 1
    return _set(members, is_negated, fold), position + 1


def _set(members: str, is_negated: bool, fold: bool) -> str:
    """Return the expression for one character of a set, which is never a "/"."""
    if not members and not is_negated:
        return "(?!)"
    source = f"[^/{members}]" if is_negated else f"(?!/)[{members}]"
    if fold:
        return f"(?i:{source})"
    return source
