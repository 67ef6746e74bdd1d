"""Find the work tree of git that holds a directory, its ignore files, and the repositories inside it.

A file belongs to a work tree if it is on disk and no ignore file matches it, whether or not git tracks it. No program
is started and no object of the repository is read: its configuration can name programs for many occasions
(`core.fsmonitor`, `core.sshCommand`, `remote.*.uploadpack`, an `ext::` URL when a missing object is fetched), and a
directory can be a bare repository from an untrusted source.
"""

import os
import stat

from urlscan.core.errors import SourceError
from urlscan.files.git_settings import is_remote, read_settings, read_submodules
from urlscan.files.ignore_file import LARGEST, IgnoreFile
from urlscan.files.repository import closest
from urlscan.files.safe_open import TooLargeError, read_regular, relative_to_here

_LARGEST_GITFILE = 1 << 16


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
        self._ignored_directories: dict[str, str | None] = {}

    def is_ignored(self, path: str, *, is_directory: bool = False) -> bool:
        """Return whether an ignore file excludes a path, which need not exist, or a directory above it."""
        ignored = closest(os.path.dirname(path), self._ignored_directory, self._ignored_directories)
        return ignored is not None or (bool(path) and self._matches(path, is_directory=is_directory))

    def _ignored_directory(self, path: str) -> str | None:
        return path if path and self._matches(path, is_directory=True) else None

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

    def skip_reason(self, path: str, *, is_directory: bool) -> str:
        """Return why git does not list a path on disk, whose directory it lists, or ""."""
        is_git = self._ignores_case and os.path.basename(path).lower() == ".git"
        if is_git or self._matches(path, is_directory=is_directory):
            return "ignored by git"
        if is_directory and path in self._submodules:
            return "submodule"
        if is_directory and _is_repository(os.path.join(self.top, path, ".git")):
            return "another repository"
        return ""

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


def work_tree_around(directory: str) -> tuple[WorkTree | None, str]:
    """Return the work tree that lists the files of a directory, and its path from the top, "" or ending with "/".

    There is none for a directory in no work tree, in `.git`, or ignored.
    """
    work_tree = work_tree_of(directory)
    if work_tree is not None:
        path = os.path.relpath(os.path.realpath(directory), work_tree.top).replace(os.sep, "/")
        if path == os.curdir:
            return work_tree, ""
        if ".git" not in path.lower().split("/") and not work_tree.is_ignored(path, is_directory=True):
            return work_tree, f"{path}/"
    return None, ""


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
