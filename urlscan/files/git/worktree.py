"""List the files of a work tree: tracked files, and untracked files that are not ignored."""

import os
import stat
from bisect import bisect_left
from typing import NamedTuple

from urlscan.core.errors import SourceError
from urlscan.files.git.ignore import LARGEST, IgnoreFile
from urlscan.files.git.index import Index, read_index
from urlscan.files.git.settings import is_remote, read_settings
from urlscan.files.safe_open import TooLargeError, read_regular, relative_to_here

_DOT_GIT, _GITIGNORE = b".git", b".gitignore"
_LARGEST_GITFILE = 1 << 16


class Listing(NamedTuple):
    """The files of a directory in a work tree.

    Attributes:
        names: the regular files, relative to the directory, with "/", sorted as git sorts them.
        errors: the errors of files that could not be read.
        skipped: the other files and directories, and why they were skipped, if that was asked for. A directory ends
            with "/"; its files are not named.
    """

    names: list[str]
    errors: list[SourceError]
    skipped: list[tuple[str, str]]


class Repository(NamedTuple):
    """The directories of a repository.

    Attributes:
        top: the top of the work tree.
        git_dir: the directory of the index.
        common_dir: the directory of the configuration; a different one for a linked work tree.
    """

    top: str
    git_dir: str
    common_dir: str


def list_files(directory: str, *, explain: bool = False) -> Listing | None:
    """Return the files of a directory; None if it is in no work tree, or is ignored and contains no tracked file.

    Submodules and untracked nested repositories are omitted.

    Args:
        directory: the directory.
        explain: whether to return what was skipped.
    """
    try:
        real = os.path.realpath(directory)
        repository = discover(real)
    except (OSError, ValueError):
        return None
    if repository is None:
        return None
    below = os.path.relpath(real, repository.top)
    parts = [] if below == os.curdir else [os.fsencode(part) for part in below.split(os.sep)]
    if any(part.lower() == _DOT_GIT for part in parts):
        return None
    return _WorkTree(repository, directory, parts, explain=explain).listing()


# --- finding the repository


def discover(directory: str) -> Repository | None:
    """Return the repository whose work tree holds a directory.

    As in git, the search ends at a ceiling (GIT_CEILING_DIRECTORIES) and at the border of a file system.

    Raises:
        ValueError: a `.git` file in the path is invalid.
    """
    named = os.environ.get("GIT_CEILING_DIRECTORIES", "").split(os.pathsep)
    ceilings = {os.path.realpath(path) for path in named if os.path.isabs(path)}  # git ignores others, and empty ones
    crosses = os.environ.get("GIT_DISCOVERY_ACROSS_FILESYSTEM", "").lower() in {"1", "true", "yes", "on"}
    device = os.stat(directory).st_dev
    while True:
        git_dir = _git_dir(os.path.join(directory, ".git"))
        if git_dir is not None:
            return Repository(directory, git_dir, _common_dir(git_dir))
        above = os.path.dirname(directory)
        if above == directory or above in ceilings or (os.stat(above).st_dev != device and not crosses):
            return None
        directory = above


def _git_dir(path: str) -> str | None:
    """Return the directory of a repository that `.git` is or names, or None."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return None
    if stat.S_ISDIR(mode):
        return path if _is_git_dir(path) else None
    if not stat.S_ISREG(mode):
        return None
    data = read_regular(path, _LARGEST_GITFILE)
    if not data.startswith(b"gitdir: "):
        raise ValueError("invalid .git file")
    named = os.fsdecode(data[8:].rstrip(b"\r\n"))
    git_dir = os.path.join(os.path.dirname(path), named)
    if (is_remote(git_dir) and not is_remote(path)) or not _is_git_dir(git_dir):
        raise ValueError("the .git file names no repository")
    return git_dir


def _is_git_dir(path: str) -> bool:
    if not os.path.lexists(os.path.join(path, "HEAD")):
        return False
    common = _common_dir(path)
    return all(os.path.isdir(os.path.join(common, name)) for name in ("objects", "refs"))


def _common_dir(git_dir: str) -> str:
    try:
        data = read_regular(os.path.join(git_dir, "commondir"), _LARGEST_GITFILE)
    except (OSError, ValueError):
        return git_dir
    common = os.path.join(git_dir, os.fsdecode(data.rstrip(b"\r\n")))
    return git_dir if is_remote(common) and not is_remote(git_dir) else common


def is_repository(path: str) -> bool:
    """Return whether a `.git` makes its directory a repository of its own."""
    try:
        return _git_dir(path) is not None
    except OSError:
        return True  # treated as one, as in git
    except ValueError:
        return False


# --- listing the work tree


class _WorkTree:
    """One walk over a directory of a work tree.

    Args:
        repository: the repository.
        shown: the directory, as it was named.
        parts: the names that lead to it from the top.
        explain: whether to collect what is skipped.
    """

    def __init__(self, repository: Repository, shown: str, parts: list[bytes], *, explain: bool) -> None:
        self._repository = repository
        self._top = os.path.join(os.fsencode(repository.top), b"")
        self._shown = shown
        self._parts = parts
        self._start = b"".join(part + b"/" for part in parts)
        self._errors: list[SourceError] = []
        self._explain = explain
        self._skipped: list[tuple[bytes, str]] = []
        self._fold = False
        self._index = Index(frozenset(), frozenset())
        self._tracked: list[bytes] | None = None

    def listing(self) -> Listing | None:
        """Return the files of the directory; None if it is ignored and nothing in it is tracked."""
        settings = read_settings(self._repository.common_dir, self._repository.top)
        self._fold = settings.ignore_case
        try:
            self._index = read_index(self._repository.git_dir)
        except (OSError, ValueError) as error:
            why = (isinstance(error, OSError) and error.strerror) or str(error)
            path = relative_to_here(os.path.join(self._repository.git_dir, "index"))
            self._errors.append(SourceError(path, f"cannot read the index; all ignored files are skipped: {why}"))
        exclude_file = os.path.join(self._repository.common_dir, "info", "exclude")
        chain = tuple(
            file
            for path in (exclude_file, settings.excludes_file)
            if path and (file := self._ignore_file(path, b"")) is not None
        )
        above = self._chain_above(chain)
        found = [] if above is None else self._walk(above)
        found += self._missed(found)
        if above is None and not self._is_tracked_below(self._start):
            return None
        cut, read = len(self._start), set(found)  # a tracked file is read although it is ignored
        skipped = [(os.fsdecode(name[cut:]), why) for name, why in sorted(self._skipped) if name not in read]
        return Listing([os.fsdecode(name[cut:]) for name in sorted(found)], self._errors, skipped)

    def _chain_above(self, chain: tuple[IgnoreFile, ...]) -> tuple[IgnoreFile, ...] | None:
        """Return the ignore files that apply to the directory, except its own; None if it is ignored."""
        path = b""
        for part in self._parts:
            chain = self._with_own(path, chain)
            if is_ignored(chain, path + part, part, is_directory=True):
                return None
            path += part + b"/"
        return chain

    def _walk(self, chain: tuple[IgnoreFile, ...]) -> list[bytes]:
        """Return the files below the directory that are not ignored, relative to the top."""
        found: list[bytes] = []
        waiting = [(self._start, chain)]
        while waiting:
            path, chain = waiting.pop()
            try:
                with os.scandir(self._top + path) as scanned:
                    entries = list(scanned)
            except OSError as error:
                self._errors.append(SourceError(self._name(path), error.strerror or str(error)))
                continue
            if path != self._start and self._belongs_to_another(path, entries):
                self._skip(path, "another repository")
                continue
            if any(entry.name == _GITIGNORE for entry in entries):
                chain = self._with_own(path, chain)
            for entry in entries:
                name = entry.name
                if name == _DOT_GIT or (self._fold and name.lower() == _DOT_GIT):
                    continue
                is_directory = entry.is_dir(follow_symlinks=False)
                if not is_directory and not entry.is_file(follow_symlinks=False):
                    self._skip(path + name, "symbolic link" if entry.is_symlink() else "not a regular file")
                elif is_ignored(chain, path + name, name, is_directory=is_directory):
                    self._skip(path + name + b"/" * is_directory, "ignored by git")
                elif not is_directory:
                    found.append(path + name)
                elif path + name in self._index.gitlinks:
                    self._skip(path + name + b"/", "submodule")
                else:
                    waiting.append((path + name + b"/", chain))
        return found

    def _skip(self, path: bytes, why: str) -> None:
        if self._explain:
            self._skipped.append((path, why))

    def _belongs_to_another(self, path: bytes, entries: list[os.DirEntry[bytes]]) -> bool:
        """Return whether a directory is a separate repository without files that are tracked here."""
        if all(entry.name != _DOT_GIT for entry in entries):
            return False
        return is_repository(os.fsdecode(self._top + path + _DOT_GIT)) and not self._is_tracked_below(path)

    def _is_tracked_below(self, path: bytes) -> bool:
        if self._tracked is None:
            self._tracked = sorted(self._index.files)
        at = bisect_left(self._tracked, path)
        return at < len(self._tracked) and self._tracked[at].startswith(path)

    def _missed(self, found: list[bytes]) -> list[bytes]:
        """Return the tracked files of the directory that were not found because they are ignored."""
        missed = self._index.files.difference(found)
        if self._fold and missed:
            folded = {name.lower() for name in found}
            missed = frozenset(name for name in missed if name.lower() not in folded)
        real: dict[bytes, bool] = {b"": True}
        return [name for name in missed if name.startswith(self._start) and self._is_file(name, real)]

    def _is_file(self, name: bytes, real: dict[bytes, bool]) -> bool:
        """Return whether a name is a regular file with no symbolic link in its path; `real` caches."""
        if not _is_inside(name):
            return False
        try:
            if not stat.S_ISREG(os.lstat(self._top + name).st_mode):
                return False
        except (OSError, ValueError):  # deleted, but still in the index
            return False
        return self._is_real(name.rpartition(b"/")[0], real)

    def _is_real(self, directory: bytes, real: dict[bytes, bool]) -> bool:
        known: list[bytes] = []
        while directory not in real:
            known.append(directory)
            directory = directory.rpartition(b"/")[0]
        is_real = real[directory]
        for one in reversed(known):
            is_real = real[one] = is_real and not os.path.islink(self._top + one)
        return is_real

    def _with_own(self, path: bytes, chain: tuple[IgnoreFile, ...]) -> tuple[IgnoreFile, ...]:
        """Return the ignore files with the one of a directory in front, if it has one."""
        # As in git, `.gitignore` itself is not followed if it is a symbolic link.
        own = self._ignore_file(os.fsdecode(self._top + path + _GITIGNORE), path, follow=False)
        return chain if own is None else (own, *chain)

    def _ignore_file(self, path: str, base: bytes, *, follow: bool = True) -> IgnoreFile | None:
        try:
            file = IgnoreFile(read_regular(path, LARGEST, follow=follow), base, fold=self._fold)
        except TooLargeError:
            self._errors.append(SourceError(relative_to_here(path), "larger than 1 MiB; its patterns are ignored"))
        except OSError:  # missing, or a FIFO: skipped, as in git
            return None
        except ValueError as error:
            self._errors.append(SourceError(relative_to_here(path), f"{error}; its patterns are ignored"))
        else:
            return file if file else None
        return None

    def _name(self, path: bytes) -> str:
        return os.path.join(self._shown, os.fsdecode(path[len(self._start) :]))


def is_ignored(chain: tuple[IgnoreFile, ...], path: bytes, name: bytes, *, is_directory: bool) -> bool:
    """Return the decision of the first ignore file with a matching pattern; the innermost file comes first."""
    for file in chain:
        decision = file.decision(path, name, is_directory=is_directory)
        if decision is not None:
            return decision
    return False


def _is_inside(name: bytes) -> bool:
    """Return whether a name of an index stays in the work tree, and out of `.git`."""
    return not any(part in (b"", b".", b"..") or part.lower() == _DOT_GIT for part in name.split(b"/"))
