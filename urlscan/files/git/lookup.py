"""Answer questions about single paths of a work tree, without listing it."""

import bisect
import functools
import os
from collections.abc import Iterator
from typing import Literal

from urlscan.files.git.ignore import LARGEST, IgnoreFile
from urlscan.files.git.index import Index, read_index
from urlscan.files.git.settings import GitSettings, read_settings
from urlscan.files.git.worktree import Repository, discover, is_ignored, is_repository
from urlscan.files.safe_open import read_regular

_DOT_GIT = b".git"
_MOST_PATHS = 1 << 16  # paths whose answers are cached


def work_tree_of(directory: str) -> "WorkTreeLookup | None":
    """Return the work tree that holds a directory, or None."""
    try:
        real = os.path.realpath(directory)
        repository = discover(real)
    except (OSError, ValueError):
        return None
    return WorkTreeLookup(repository) if repository is not None else None


class WorkTreeLookup:
    """The tracked and the ignored paths of a work tree; each file of git is read when it is first needed.

    Paths are relative to the top of the work tree, with "/". A file of git that cannot be read counts as empty: the
    walk reports it.

    Attributes:
        top: the top of the work tree, an absolute path without symbolic links.
    """

    def __init__(self, repository: Repository) -> None:
        self.top = repository.top
        self._repository = repository
        self._chains: dict[bytes, tuple[IgnoreFile, ...]] = {}
        # Answers by path.
        self._ignored_files: dict[bytes, bool] = {}
        self._ignored_directories: dict[bytes, bool] = {}
        self._others: dict[bytes, bool] = {}
        self._tops: dict[bytes, bool] = {}

    @functools.cached_property
    def _settings(self) -> GitSettings:
        return read_settings(self._repository.common_dir, self._repository.top)

    @functools.cached_property
    def _index(self) -> Index:
        try:
            return read_index(self._repository.git_dir)
        except (OSError, ValueError):
            return Index(frozenset(), frozenset())

    @functools.cached_property
    def _tracked(self) -> list[bytes]:
        return sorted(self._index.files)

    def has_ceilings(self) -> bool:
        """Return whether the environment names directories at which the search for a repository ends."""
        return "GIT_CEILING_DIRECTORIES" in os.environ

    def is_tracked(self, path: str) -> bool:
        """Return whether a path is a tracked file, or a directory that holds one; it need not exist on disk."""
        if self.is_tracked_file(path):
            return True
        return self._has_tracked(os.fsencode(path) + b"/")

    def may_know(self, start: str) -> bool:
        """Return whether a path that begins with `start` and is not on disk may be tracked, ignored or a submodule."""
        name = os.fsencode(start)
        return bool(self._index.gitlinks or self._chain(_above(name)) or self._has_tracked(name))

    def state_of_absent(self, path: str) -> Literal["file", "directory", "unknown", "missing"]:
        """Return what git knows about a path that is not on disk.

        It is tracked (a sparse checkout, or a file that was deleted), unknown (ignored, or in a submodule) or missing.
        """
        name = os.fsencode(path)
        if name in self._index.files:
            return "file"
        if self._has_tracked(name + b"/"):
            return "directory"
        if self._is_below_ignored(name) or any(self._matches(name, is_directory=either) for either in (False, True)):
            return "unknown"
        return "unknown" if self.is_submodule(path) else "missing"

    def _has_tracked(self, start: bytes) -> bool:
        """Return whether the path of a tracked file begins with `start`."""
        at = bisect.bisect_left(self._tracked, start)
        return at < len(self._tracked) and self._tracked[at].startswith(start)

    def is_tracked_file(self, path: str) -> bool:
        """Return whether a path is a tracked file; it need not exist on disk."""
        return os.fsencode(path) in self._index.files

    def is_other_repository(self, path: str) -> bool:
        """Return whether a path is a submodule or another repository, or is below one."""
        name = os.fsencode(path)
        known = self._others.get(name)
        if known is None:
            known = any(self._has_other(above) for above in (*_above_all(name), name))
            _add(self._others, name, known)
        return known

    def _has_other(self, name: bytes) -> bool:
        """Return whether a path is the top of a submodule or of another repository."""
        known = self._tops.get(name)
        if known is None:
            inner = os.path.join(os.fsencode(self.top), name, _DOT_GIT)
            known = name in self._index.gitlinks or (os.path.lexists(inner) and is_repository(os.fsdecode(inner)))
            _add(self._tops, name, known)
        return known

    def is_submodule(self, path: str) -> bool:
        """Return whether a path is a submodule, or below one; it need not exist on disk."""
        links = self._index.gitlinks
        if not links:
            return False
        name = os.fsencode(path)
        return name in links or any(above in links for above in _above_all(name))

    def is_ignored(self, path: str, *, is_directory: bool = False) -> bool:
        """Return whether git ignores a path, or a directory above it, and does not track it."""
        name = os.fsencode(path)
        ignored = self._ignored_directories if is_directory else self._ignored_files
        known = ignored.get(name)
        if known is None:
            known = self._is_below_ignored(name) or self._matches(name, is_directory=is_directory)
            _add(ignored, name, known)
        return known and not self.is_tracked(path)

    def _is_below_ignored(self, name: bytes) -> bool:
        """Return whether a directory above a path is ignored."""
        directory = _above(name)
        known = self._ignored_directories.get(directory)
        if known is None:
            known = any(self._matches(above, is_directory=True) for above in (*_above_all(directory), directory))
            _add(self._ignored_directories, directory, known)
        return known

    def _matches(self, name: bytes, *, is_directory: bool) -> bool:
        """Return whether an ignore file excludes a path itself."""
        return bool(name) and is_ignored(
            self._chain(_above(name)), name, name.rpartition(b"/")[2], is_directory=is_directory
        )

    def _chain(self, directory: bytes) -> tuple[IgnoreFile, ...]:
        """Return the ignore files that apply in a directory, the innermost first."""
        waiting = []
        while directory not in self._chains:
            waiting.append(directory)
            if not directory:
                break
            directory = _above(directory)
        chain = self._chains.get(directory)
        if chain is None:
            own = os.path.join(self._repository.common_dir, "info", "exclude")
            files = (self._ignore_file(path, b"") for path in (own, self._settings.excludes_file) if path)
            chain = tuple(file for file in files if file is not None)
        for one in reversed(waiting):
            base = one + b"/" if one else b""
            path = os.path.join(self.top, os.fsdecode(base), ".gitignore")
            found = self._ignore_file(path, base, follow=False)
            chain = self._chains[one] = chain if found is None else (found, *chain)
        return chain

    def _ignore_file(self, path: str, base: bytes, *, follow: bool = True) -> IgnoreFile | None:
        try:
            file = IgnoreFile(read_regular(path, LARGEST, follow=follow), base, fold=self._settings.ignore_case)
        except (OSError, ValueError):
            return None
        return file if file else None


def _add(cache: dict[bytes, bool], path: bytes, answer: bool) -> None:
    """Add an answer to a cache, which is cleared when it is full."""
    if len(cache) >= _MOST_PATHS:
        cache.clear()
    cache[path] = answer


def _above_all(path: bytes) -> Iterator[bytes]:
    """Yield the directories above a path, the outermost first, without the top."""
    at = path.find(b"/")
    while at >= 0:
        yield path[:at]
        at = path.find(b"/", at + 1)


def _above(path: bytes) -> bytes:
    """Return the directory of a path; b"" for the top."""
    return path.rpartition(b"/")[0]
