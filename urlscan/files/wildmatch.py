"""Translate patterns of gitignore(5) to regular expressions, for ignore files and for `--exclude`.

The grammar is that of git's `wildmatch`: `*` and `?` match no "/", `**` between slashes matches any number of
directories, brackets may hold ranges and POSIX classes, a backslash escapes.

Patterns are untrusted. Git's matcher takes exponential time on some; here no `*` is tried twice. The text between two
of them is matched at the first place possible, which is correct because each `*` may match the rest. pathspec 1.1 is
not used for this reason: it takes 34 s for a pattern with eight `*` on a name of 60 characters, this module 0.5 ms.
"""

import re

# The expression for any number of directories.
DIRECTORIES = "(?:[^/]*/)*?"
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


def literal_length(pattern: str) -> int:
    """Return how many characters of a pattern come before its first wildcard or backslash."""
    special = _SPECIAL.search(pattern)
    return special.start() if special is not None else len(pattern)


def regex(pattern: str, *, fold: bool = False) -> str | None:
    """Return the expression that a whole name must match; None for a malformed pattern, which matches nothing.

    Args:
        pattern: the pattern, without a leading or trailing "/".
        fold: whether letters match in either case; the name must be in lower case then, and each character of the
            pattern is a byte (ISO 8859-1).
    """
    # Git compares the literal beginning first and matches the rest on its own, so that `a**/b` is `a` and then
    # `**/b`: the two stars begin a pattern.
    literal = literal_length(pattern)
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
    inner = "".join(f"(?>{DIRECTORIES}{run}/)" for run in middle if run)
    return start + inner + (DIRECTORIES + last if runs[-1] else ".*")


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
    return re.escape(text.encode("latin-1").lower().decode("latin-1") if fold else text)


def _bracket(pattern: str, position: int, fold: bool) -> tuple[str, int] | None:
    """Return the expression for a bracket and where it ends, or None; `position` is after the opening one."""
    is_negated = pattern[position : position + 1] in ("!", "^") and position < len(pattern)
    position += is_negated
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
        position += bool(is_range)
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
    if not members:
        return "[^/]" if is_negated else "(?!)"
    source = f"[^/{members}]" if is_negated else f"(?!/)[{members}]"
    return f"(?i:{source})" if fold else source
