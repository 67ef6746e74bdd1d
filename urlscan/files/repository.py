"""Convert paths to paths in the repository, for reports that are read elsewhere."""

import functools
import os

from urlscan.files.safe_open import read_regular

STDIN = "-"
# Limit on the size of a file ".git", which holds one path.
_MOST = 4096


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


@functools.lru_cache(maxsize=256)
def _relative(path: str, directory: str) -> str:
    if path == STDIN:
        return path
    absolute = os.path.normpath(os.path.join(directory, path))
    folder, name = os.path.split(absolute)
    root = _root(folder)
    if root is None and (real := os.path.realpath(folder)) != folder:  # a symbolic link may lead to a repository
        root = _root(real)
        absolute = os.path.join(real, name) if root is not None else absolute
    base = os.path.join(directory if root is None else root, "")
    relative = absolute.removeprefix(base) if absolute.startswith(base) else os.path.normpath(path)
    return relative.replace(os.sep, "/")


@functools.lru_cache(maxsize=256)
def _root(directory: str) -> str | None:
    """Return the closest directory, `directory` or above it, that is the root of a work tree; None if there is none.

    A submodule is skipped if a work tree contains it.
    """
    submodule = None
    while True:
        if os.path.lexists(entry := os.path.join(directory, ".git")):
            if not _is_submodule(entry):
                return directory
            submodule = submodule or directory
        parent = os.path.dirname(directory)
        if parent == directory:
            return submodule
        directory = parent


def _is_submodule(entry: str) -> bool:
    """Return whether `.git` is that of a submodule: a file with a path in the `modules` of the repository around it."""
    try:
        content = read_regular(entry, _MOST).replace(b"\\", b"/")
    except (OSError, ValueError):
        return False
    return content.startswith(b"gitdir:") and b"/.git/modules/" in content and b"/worktrees/" not in content
