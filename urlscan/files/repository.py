"""Search directories upwards, and convert paths to paths in the repository, for reports that are read elsewhere."""

import functools
import os
from collections.abc import Callable

from urlscan.files.safe_open import read_regular

STDIN = "-"
# Limit on the size of a file ".git", which holds one path.
_MOST = 4096
_MOST_CACHED = 1 << 16  # an archive may hold any number of directories


def closest(directory: str, test: Callable[[str], bool], cache: dict[str, str | None]) -> str | None:
    """Return the closest directory, upwards, for which `test` returns true; None without one.

    The cache holds the results of earlier searches with this test, by directory.
    """
    unknown = list[str]()
    while directory not in cache:
        unknown.append(directory)
        if test(directory):
            cache[directory] = directory
        elif os.path.dirname(directory) == directory:
            cache[directory] = None
        else:
            directory = os.path.dirname(directory)
    result = cache[directory]
    if len(cache) > _MOST_CACHED:
        cache.clear()
    cache.update(dict.fromkeys(unknown, result))
    return result


def absolute(path: str) -> str:
    """Return a path as an absolute path, without following links."""
    return os.path.abspath(path)


def repository_path(path: str) -> str:
    """Return `path` relative to the root of the repository that holds the file, with "/".

    The current directory and the form of the path do not matter. A submodule belongs to the repository around it.
    Outside a repository the path is relative to the current directory if the file is below it, and is only normalized
    otherwise.
    """
    try:
        return _relative(path, os.getcwd())
    except (OSError, ValueError):  # the current directory is gone, or there is a NUL in the path
        return path


def is_in_repository(path: str) -> bool:
    """Return whether the work tree of a repository holds a file."""
    try:
        return _root(os.path.dirname(os.path.abspath(path))) is not None
    except (OSError, ValueError):  # as above
        return False


@functools.lru_cache(maxsize=256)
def _relative(path: str, directory: str) -> str:
    if path == STDIN:
        return path
    absolute = os.path.normpath(os.path.join(directory, path))
    folder, name = os.path.split(absolute)
    root = _root(folder)
    if root is None and (real := os.path.realpath(folder)) != folder:  # a symbolic link may lead to a repository
        root = _root(real)
        if root is not None:
            absolute = os.path.join(real, name)
    base = os.path.join(root or directory, "")
    if not absolute.startswith(base):
        absolute = os.path.normpath(path)
    return absolute.removeprefix(base).replace(os.sep, "/")


@functools.lru_cache(maxsize=256)
def _root(directory: str) -> str | None:
    """Return the root of the closest work tree, upwards; that of a submodule only if no other contains it."""
    submodules = list[str]()

    def is_root(path: str) -> bool:
        entry = os.path.join(path, ".git")
        if not os.path.lexists(entry):
            return False
        if _is_submodule(entry):
            submodules.append(path)
            return False
        return True

    return closest(directory, is_root, {}) or next(iter(submodules), None)


def _is_submodule(entry: str) -> bool:
    """Return whether `.git` is that of a submodule: a file with a path in the `modules` of the repository around it."""
    try:
        content = read_regular(entry, _MOST).replace(b"\\", b"/")
    except (OSError, ValueError):
        return False
    return content.startswith(b"gitdir:") and b"/.git/modules/" in content and b"/worktrees/" not in content
