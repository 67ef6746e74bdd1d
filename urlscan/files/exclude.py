"""Patterns with the syntax of `.gitignore`, for `--exclude` and the configuration.

A pattern without "/" is matched with every name on the path. A pattern with "/" is matched with the path from a base
(the current directory, or that of the configuration file) or from the walked directory. A match includes everything
below it. "*" and "?" match no "/", "**" between slashes does, and a final "/" restricts the pattern to directories.

Patterns in a repository are untrusted. No "*" is tried twice: the text between two of them is matched at the first
place possible, which is correct because each "*" may match the rest. pathspec 1.1 is not used for this reason: it takes
34 s for a pattern with eight "*" on a name of 60 characters, this module 0.5 ms.
"""

import os
import re

_TOKENS = re.compile(r"\*+|\?|\[!?\]?[^\]]*\]|.", re.DOTALL)
_SEGMENTS = r"(?:[^/]*/)*?"


class Excluder:
    """The patterns of one place, compiled together.

    Args:
        patterns: what is matched.
        base: the directory that those with "/" begin at; None: the current one.
    """

    __slots__ = ("_here", "_pattern")

    def __init__(self, patterns: tuple[str, ...], base: str | None = None) -> None:
        patterns = tuple(pattern for pattern in patterns if pattern.strip("/"))
        wanted = [_regex(pattern) for pattern in patterns if not _is_name(pattern)] + _names(patterns)
        self._pattern = re.compile("|".join(wanted), re.DOTALL) if wanted else None
        self._here = (os.getcwd() if base is None else base) if wanted else ""

    def excludes(self, path: str, root: str | None = None) -> bool:
        """Return whether `path` (a directory's may end with "/"), found below `root`, is excluded."""
        if self._pattern is None:
            return False
        return any(self._pattern.fullmatch(candidate) for candidate in self._candidates(path, root))

    def _candidates(self, path: str, root: str | None) -> list[str]:
        end = "/" if path.endswith(os.sep) else ""
        absolute = os.path.abspath(path)
        found = [os.path.relpath(absolute, self._here).replace(os.sep, "/") + end]
        if root is not None:
            found.append(os.path.relpath(absolute, os.path.abspath(root)).replace(os.sep, "/") + end)
        # A path outside the base is matched by the path it was given.
        return [name if not name.startswith("../") else absolute.lstrip("/") + end for name in found]


def _is_name(pattern: str) -> bool:
    """Return whether a pattern is matched with every name on the path."""
    return "/" not in pattern.rstrip("/") and pattern.rstrip("/") != "**"


def _names(patterns: tuple[str, ...]) -> list[str]:
    """Return the expressions for patterns that are names: one for any path, one for directories.

    Together they compile six times faster than one by one.
    """
    found = []
    for is_directory, below in ((False, "(?:/.*)?"), (True, "/.*")):
        names = [p.rstrip("/") for p in patterns if _is_name(p) and p.endswith("/") == is_directory]
        if names:
            found.append(f"{_SEGMENTS}(?:{'|'.join(map(_name, names))}){below}")
    return found


def _regex(pattern: str) -> str:
    body = pattern.removeprefix("./").rstrip("/")
    below = "/.*" if pattern.endswith("/") else "(?:/.*)?"
    runs: list[list[str]] = [[]]  # of names, between two "**"
    for name in body.split("/"):
        if name == "**":
            runs.append([])
        elif name:
            runs[-1].append(name)
    first, *others = ["/".join(map(_name, run)) for run in runs]
    if "/" not in body:
        others = others if first == "" else [first]
        first = ""
    start = f"{first}/" if first else ""
    if not others:
        return first + below
    *middle, last = others
    inner = "".join(f"(?>{_SEGMENTS}{run}/)" for run in middle if run)
    return start + inner + (_SEGMENTS + last + below if last else ".*")


def _name(pattern: str) -> str:
    """Return the expression for one name on a path."""
    chunks = [""]
    for token in _TOKENS.findall(pattern):
        if token[0] == "*":
            chunks.append("")
        else:
            chunks[-1] += _one(token)
    first, *others = chunks
    if not others:
        return first
    return first + "".join(f"(?>[^/]*?{chunk})" for chunk in others[:-1] if chunk) + f"[^/]*{others[-1]}(?=/|\\Z)"


def _one(token: str) -> str:
    """Return the expression for one character."""
    if token == "?":  # noqa: S105 - no secret
        return "[^/]"
    if len(token) < 3 or not token.startswith("["):
        return re.escape(token)
    inside = token[1:-1].removeprefix("!")
    ranges = re.findall(r"(.)-(.)|(.)", inside, re.DOTALL)
    members = [re.escape(one) if one else f"{re.escape(a)}-{re.escape(b)}" for a, b, one in ranges if one or a <= b]
    if not members:
        return "[^/]" if token[1] == "!" else "(?!)"
    return f"[^/{''.join(members)}]" if token[1] == "!" else f"(?!/)[{''.join(members)}]"
