"""Answer questions about single paths of a work tree, without listing it."""

import bisect
import functools
import os

from urlscan.files.git.ignore import LARGEST, IgnoreFile
from urlscan.files.git.index import Index, read_index
from urlscan.files.git.settings import GitSettings, read_settings
from urlscan.files.git.worktree import Repository, discover, is_ignored, is_repository
from urlscan.files.safe_open import read_regular

_DOT_GIT = b".git"


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
        self._ignored: dict[bytes, bool] = {b"": False}

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

    def is_tracked(self, path: str) -> bool:
        """Return whether a path is a tracked file, or a directory that holds one; it need not exist on disk."""
        if self.is_tracked_file(path):
            return True
        below = os.fsencode(path) + b"/"
        at = bisect.bisect_left(self._tracked, below)
        return at < len(self._tracked) and self._tracked[at].startswith(below)

    def is_tracked_file(self, path: str) -> bool:
        """Return whether a path is a tracked file; it need not exist on disk."""
        return os.fsencode(path) in self._index.files

    def is_other_repository(self, path: str) -> bool:
        """Return whether a path is a submodule or another repository, or is below one."""
        parts = os.fsencode(path).split(b"/")
        for count in range(1, len(parts) + 1):
            above = b"/".join(parts[:count])
            if above in self._index.gitlinks:
                return True
            inner = os.path.join(os.fsencode(self.top), above, _DOT_GIT)
            if os.path.lexists(inner) and is_repository(os.fsdecode(inner)):
                return True
        return False

    def is_ignored(self, path: str, *, is_directory: bool = False) -> bool:
        """Return whether git ignores a path, or a directory above it, and does not track it."""
        name = os.fsencode(path)
        if name not in self._ignored and not self._is_below_ignored(name):
            self._ignored[name] = is_ignored(
                self._chain(_above(name)), name, name.rpartition(b"/")[2], is_directory=is_directory
            )
        return self._ignored.get(name, True) and not self.is_tracked(path)

    def _is_below_ignored(self, name: bytes) -> bool:
        """Return whether a directory above a path is ignored."""
        parts = name.split(b"/")
        for count in range(1, len(parts)):
            above = b"/".join(parts[:count])
            if above not in self._ignored:
                self._ignored[above] = is_ignored(
                    self._chain(_above(above)), above, parts[count - 1], is_directory=True
                )
            if self._ignored[above]:
                return True
        return False

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


def _above(path: bytes) -> bytes:
    """Return the directory of a path; b"" for the top."""
    return path.rpartition(b"/")[0]
