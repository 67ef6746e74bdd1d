"""Find the work tree of git that holds a directory, its ignore files, and the repositories inside it.

A file belongs to a work tree if it is on disk and no ignore file matches it, whether or not git tracks it. No program
is started and no object of the repository is read: its configuration can name programs for many occasions
(`core.fsmonitor`, `core.sshCommand`, `remote.*.uploadpack`, an `ext::` URL when a missing object is fetched), and a
directory can be a bare repository from an untrusted source.
"""

import os
import stat
from collections.abc import Callable, Iterable
from typing import NamedTuple

from urlscan.core.errors import SourceError
from urlscan.files.git_settings import is_remote, read_settings, read_submodules
from urlscan.files.ignore_file import LARGEST, IgnoreFile
from urlscan.files.safe_open import TooLargeError, read_regular, relative_to_here

_LARGEST_GITFILE = 1 << 16
_MOST_PATHS = 1 << 16  # paths whose answers are cached


class Listing(NamedTuple):
    """The files of a directory in a work tree.

    Attributes:
        names: the regular files, relative to the directory, with "/", sorted as git sorts them.
        errors: the errors of files that could not be read.
    """

    names: list[str]
    errors: list[SourceError]


class WorkTree:
    """The ignored paths of a work tree and the repositories in it; each ignore file is read when it is first needed.

    Paths are relative to the top, with "/".

    Attributes:
        top: the top of the work tree, an absolute path without symbolic links.
        is_sparse: whether files of the repository may be missing on disk.
        errors: the errors of ignore files that could not be read.
    """

    def __init__(self, top: str, git_dir: str) -> None:
        self.top = top
        self.errors: list[SourceError] = []
        common_dir = _common_dir(git_dir)
        settings = read_settings(git_dir, common_dir, top)
        self.is_sparse = settings.is_sparse
        self._ignores_case = settings.ignore_case
        self._shared_files = (os.path.join(common_dir, "info", "exclude"), settings.excludes_file)
        self._submodules = read_submodules(os.path.join(top, ".gitmodules"))
        self._chains: dict[str, tuple[IgnoreFile, ...]] = {}
        self._ignored_directories: dict[str, bool] = {}

    def is_ignored(self, path: str, *, is_directory: bool = False) -> bool:
        """Return whether an ignore file excludes a path, which need not exist, or a directory above it."""
        missing = []
        directory = path.rpartition("/")[0]
        while directory and directory not in self._ignored_directories:
            missing.append(directory)
            directory = directory.rpartition("/")[0]
        is_ignored = self._ignored_directories.get(directory, False)
        for directory in reversed(missing):
            is_ignored = is_ignored or self._matches(directory, is_directory=True)
            if len(self._ignored_directories) >= _MOST_PATHS:
                self._ignored_directories.clear()
            self._ignored_directories[directory] = is_ignored
        return is_ignored or (bool(path) and self._matches(path, is_directory=is_directory))

    def may_exclude(self, start: str) -> bool:
        """Return whether a path that begins with `start` may be ignored or in a submodule."""
        return bool(self._submodules or self._chain(start.rpartition("/")[0]))

    def is_excluded(self, path: str) -> bool:
        """Return whether a path that is not on disk would be ignored, or is in a submodule."""
        if self.is_ignored(path) or self.is_ignored(path, is_directory=True):
            return True
        return any(f"{path}/".startswith(f"{submodule}/") for submodule in self._submodules)

    def is_other_repository(self, path: str) -> bool:
        """Return whether a directory is a submodule or the top of another repository."""
        return path in self._submodules or _is_repository(os.path.join(self.top, path, ".git"))

    def list_files(self, directory: str, given: str, skip: Callable[[str, str], None] | None = None) -> Listing:
        """Return the files below a directory that are not ignored, without those of other repositories.

        Args:
            directory: the directory, from the top.
            given: the directory as it was named.
            skip: called with the name of each other file and directory, from the directory, and why it is skipped.
                A name of a directory ends with "/"; its files are not named.
        """
        start = f"{directory}/" if directory else ""
        names: list[str] = []
        skipped: list[tuple[str, str]] = []
        errors: list[SourceError] = []
        waiting = [start]
        while waiting:
            path = waiting.pop()
            try:
                with os.scandir(os.path.join(self.top, path)) as entries:
                    files, directories = self._divide(path, entries, skipped)
            except OSError as error:
                errors.append(SourceError(os.path.join(given, path[len(start) :]), error.strerror or str(error)))
                continue
            names += files
            waiting += directories
        if skip is not None:
            for name, why in sorted(skipped, key=lambda item: os.fsencode(item[0])):
                skip(name[len(start) :], why)
        names.sort(key=os.fsencode)
        return Listing([name[len(start) :] for name in names], self.errors + errors)

    def _divide(
        self, path: str, entries: Iterable[os.DirEntry[str]], skipped: list[tuple[str, str]]
    ) -> tuple[list[str], list[str]]:
        """Return the files and the directories of a directory that is not ignored, and collect the skipped ones."""
        files, directories = [], []
        for entry in entries:
            name = path + entry.name
            is_directory = entry.is_dir(follow_symlinks=False)
            if entry.name == ".git" or (self._ignores_case and entry.name.lower() == ".git"):
                continue
            if not is_directory and not entry.is_file(follow_symlinks=False):
                skipped.append((name, "symbolic link" if entry.is_symlink() else "not a regular file"))
            elif self._matches(name, is_directory=is_directory):
                skipped.append((name + "/" * is_directory, "ignored by git"))
            elif not is_directory:
                files.append(name)
            elif name in self._submodules:
                skipped.append((name + "/", "submodule"))
            elif _is_repository(os.path.join(entry.path, ".git")):
                skipped.append((name + "/", "another repository"))
            else:
                directories.append(name + "/")
        return files, directories

    def _matches(self, path: str, *, is_directory: bool) -> bool:
        """Return whether an ignore file excludes the path itself; the innermost with a matching pattern decides."""
        directory, _, name = path.rpartition("/")
        chain = self._chain(directory)
        if not chain:
            return False
        encoded, encoded_name = os.fsencode(path), os.fsencode(name)
        for file in chain:
            decision = file.decision(encoded, encoded_name, is_directory=is_directory)
            if decision is not None:
                return decision
        return False

    def _chain(self, directory: str) -> tuple[IgnoreFile, ...]:
        """Return the ignore files that apply in a directory, the innermost first."""
        missing = []
        while directory not in self._chains:
            missing.append(directory)
            if not directory:
                break
            directory = directory.rpartition("/")[0]
        chain = self._chains.get(directory)
        if chain is None:
            files = (self._ignore_file(path, "") for path in self._shared_files if path)
            chain = tuple(file for file in files if file is not None)
        for directory in reversed(missing):
            base = f"{directory}/" if directory else ""
            # As in git, `.gitignore` itself is not followed if it is a symbolic link.
            file = self._ignore_file(os.path.join(self.top, base, ".gitignore"), base, follow=False)
            chain = self._chains[directory] = chain if file is None else (file, *chain)
        return chain

    def _ignore_file(self, path: str, base: str, *, follow: bool = True) -> IgnoreFile | None:
        try:
            data = read_regular(path, LARGEST, follow=follow)
            file = IgnoreFile(data, os.fsencode(base), fold=self._ignores_case)
        except TooLargeError:
            self.errors.append(SourceError(relative_to_here(path), "larger than 1 MiB; its patterns are ignored"))
        except OSError:  # missing, or a FIFO: skipped, as in git
            return None
        except ValueError as error:
            self.errors.append(SourceError(relative_to_here(path), f"{error}; its patterns are ignored"))
        else:
            return file or None
        return None


def work_tree_of(directory: str) -> WorkTree | None:
    """Return the work tree that holds a directory, or None.

    As in git, the search ends at a ceiling (GIT_CEILING_DIRECTORIES) and at the border of a file system.
    """
    named = os.environ.get("GIT_CEILING_DIRECTORIES", "").split(os.pathsep)
    ceilings = {os.path.realpath(path) for path in named if os.path.isabs(path)}  # git ignores others, and empty ones
    crosses = os.environ.get("GIT_DISCOVERY_ACROSS_FILESYSTEM", "").lower() in {"1", "true", "yes", "on"}
    try:
        top = os.path.realpath(directory)
        device = os.stat(top).st_dev
        while (git_dir := _git_dir(os.path.join(top, ".git"))) is None:
            above = os.path.dirname(top)
            if above == top or above in ceilings or (os.stat(above).st_dev != device and not crosses):
                return None
            top = above
    except (OSError, ValueError):
        return None
    return WorkTree(top, git_dir)


def list_files(directory: str, skip: Callable[[str, str], None] | None = None) -> Listing | None:
    """Return the files as `WorkTree.list_files`; None for a directory in no work tree, in `.git`, or ignored."""
    work_tree = work_tree_of(directory)
    if work_tree is None:
        return None
    path = os.path.relpath(os.path.realpath(directory), work_tree.top).replace(os.sep, "/")
    path = "" if path == os.curdir else path
    if ".git" in path.lower().split("/") or work_tree.is_ignored(path, is_directory=True):
        return None
    return work_tree.list_files(path, directory, skip)


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
    """Return the directory of the configuration; another one than that of a linked work tree."""
    try:
        data = read_regular(os.path.join(git_dir, "commondir"), _LARGEST_GITFILE)
    except (OSError, ValueError):
        return git_dir
    common = os.path.join(git_dir, os.fsdecode(data.rstrip(b"\r\n")))
    return git_dir if is_remote(common) and not is_remote(git_dir) else common


def _is_repository(path: str) -> bool:
    """Return whether a `.git` makes its directory a repository of its own."""
    try:
        return _git_dir(path) is not None
    except OSError:
        return True  # treated as one, as in git
    except ValueError:
        return False
