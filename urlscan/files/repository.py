"""Convert paths to paths in the repository, for reports that are read elsewhere."""

import functools
import os

STDIN = "-"


def repository_path(path: str) -> str:
    """Return `path` relative to the root of the repository that holds the current directory, with "/".

    Without a repository it is relative to the current directory. A path outside of either is only normalized.
    """
    try:
        return _relative(path, os.getcwd())
    except (OSError, ValueError):  # the current directory is gone, or there is a NUL in the path
        return path


@functools.lru_cache(maxsize=256)
def _relative(path: str, here: str) -> str:
    if path == STDIN:
        return path
    root = os.path.join(_root(here), "")
    absolute = os.path.normpath(os.path.join(here, path))
    if not absolute.startswith(root):  # the path may lead to the repository through a symbolic link
        folder, name = os.path.split(absolute)
        absolute = os.path.join(os.path.realpath(folder), name)
    relative = absolute.removeprefix(root) if absolute.startswith(root) else os.path.normpath(path)
    return relative.replace(os.sep, "/")


@functools.lru_cache(maxsize=8)
def _root(here: str) -> str:
    """Return the closest directory, `here` or above it, with an entry `.git`; `here` if there is none."""
    directory = here
    while not os.path.lexists(os.path.join(directory, ".git")):
        parent = os.path.dirname(directory)
        if parent == directory:
            return here
        directory = parent
    return directory
