"""Patterns with the syntax of `.gitignore`, for `--exclude` and the configuration.

A pattern without "/" is matched with every name on the path. A pattern with "/" is matched with the path from a base
(the current directory, or that of the configuration file) or from the walked directory. A match includes everything
below it, and a final "/" restricts the pattern to directories.
"""

import os
import re

from urlscan.files.wildmatch import DIRECTORIES, regex


class Excluder:
    """A set of patterns, compiled together.

    Args:
        base: the directory that patterns with "/" are relative to, or None for the current directory.
    """

    __slots__ = ("_here", "_pattern")

    def __init__(self, patterns: tuple[str, ...], base: str | None = None) -> None:
        # Patterns are grouped by what precedes and follows them: this compiles six times faster than one by one.
        groups: dict[tuple[str, str], list[str]] = {}
        for pattern in patterns:
            pattern = pattern.removeprefix("./")
            source = regex(pattern.strip("/"))
            if source is not None:
                before = DIRECTORIES if "/" not in pattern.rstrip("/") else ""
                below = "/.*" if pattern.endswith("/") else "(?:/.*)?"
                groups.setdefault((before, below), []).append(source)
        groups_regex = [f"{before}(?:{'|'.join(sources)}){below}" for (before, below), sources in groups.items()]
        self._pattern = re.compile("|".join(groups_regex), re.DOTALL) if groups_regex else None
        self._here = ""
        if groups_regex:
            self._here = os.getcwd() if base is None else base

    def excludes(self, path: str, root: str | None = None) -> bool:
        """Return whether `path` (a directory's may end with "/"), found below `root`, is excluded."""
        if self._pattern is None:
            return False
        return any(self._pattern.fullmatch(candidate) for candidate in self._candidates(path, root))

    def _candidates(self, path: str, root: str | None) -> list[str]:
        end = "/" if path.endswith(os.sep) else ""
        absolute = os.path.abspath(path)
        bases = [self._here] if root is None else [self._here, os.path.abspath(root)]
        return [_relative(absolute, base) + end for base in bases]


def _relative(path: str, base: str) -> str:
    """Return an absolute path relative to a directory; a path outside of it without its first slash."""
    try:
        relative = os.path.relpath(path, base).replace(os.sep, "/")
    except ValueError:  # another drive
        relative = "../"
    if relative.startswith("../"):
        return path.replace(os.sep, "/").lstrip("/")
    return relative
