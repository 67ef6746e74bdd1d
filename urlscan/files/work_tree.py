"""Find the work tree of git that holds a directory, its ignore files, and the repositories inside it.

A file belongs to a work tree if it is on disk and no ignore file matches it, whether or not git tracks it. No program
is started and no object of the repository is read: its configuration can name programs for many occasions
(`core.fsmonitor`, `core.sshCommand`, `remote.*.uploadpack`, an `ext::` URL when a missing object is fetched), and a
directory can be a bare repository from an untrusted source.

The settings that decide what belongs to a work tree (`core.excludesFile`, `core.ignoreCase`, `core.sparseCheckout`) are
read from the files that git reads, by a small parser of git-config(1)'s syntax. No other setting has any effect.
"""

import functools
import os
import re
import stat
from collections.abc import Iterator

from urlscan.core.errors import SourceError
from urlscan.core.lazy import lazy
from urlscan.core.offsets import line_end
from urlscan.files.patterns import LARGEST, IgnoreFile
from urlscan.files.repository import closest
from urlscan.files.safe_open import TooLargeError, read_regular, relative_to_here

_LARGEST_GITFILE = 1 << 16
_LARGEST_SETTINGS = 1 << 20
_MOST_INCLUDED = 32
_SECTION = lazy(r"\[[ \t]*([-.A-Za-z0-9]+)[ \t]*(\"(?:[^\"\\\n]|\\.)*\")?[ \t]*\]")
_KEY = lazy(r"([A-Za-z][-A-Za-z0-9]*)[ \t]*(=)?[ \t]*")
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}
_TRUE = {"true", "yes", "on", "1"}
_INTERESTING = lazy(rb"excludesfile|ignorecase|sparsecheckout|include|submodule", re.IGNORECASE)


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
        excludes_file, self._ignores_case, self.is_sparse = read_settings(git_dir, common_dir, top)
        self._shared_files = (os.path.join(common_dir, "info", "exclude"), excludes_file)
        self._submodules = read_submodules(os.path.join(top, ".gitmodules"))
        self._chains: dict[str, tuple[IgnoreFile, ...]] = {}
        self._ignored_directories: dict[str, str | None] = {}

    def is_ignored(self, path: str, *, is_directory: bool = False) -> bool:
        """Return whether an ignore file excludes a path, which need not exist, or a directory above it."""
        is_match = functools.partial(self._matches, is_directory=True)
        ignored = closest(os.path.dirname(path), is_match, self._ignored_directories)
        return ignored is not None or self._matches(path, is_directory=is_directory)

    def is_excluded(self, path: str) -> bool:
        """Return whether a path that is not on disk would be ignored, or is in a submodule."""
        if self.is_ignored(path) or self.is_ignored(path, is_directory=True):
            return True
        return any(f"{path}/".startswith(f"{submodule}/") for submodule in self._submodules)

    def is_other_repository(self, path: str) -> bool:
        """Return whether a directory is a submodule or the top of another repository."""
        return path in self._submodules or _is_repository(os.path.join(self.top, path, ".git"))

    def skip_reasons(self, base: str, kinds: dict[str, str]) -> dict[str, str]:
        """Return why git does not list entries of a directory, by name; `base` is its path, "" or ending with "/"."""
        directory, encoded, reasons = base[:-1], os.fsencode(base), dict[str, str]()
        if directory and ".gitignore" not in kinds:
            self._chains[directory] = self._chain(directory.rpartition("/")[0])
        chain = self._chain(directory)
        for name, kind in kinds.items():
            is_directory = kind == "d"
            is_git = self._ignores_case and name.lower() == ".git"
            if is_git or _is_ignored(chain, encoded, os.fsencode(name), is_directory=is_directory):
                reasons[name] = "ignored by git"
            elif is_directory and base + name in self._submodules:
                reasons[name] = "submodule"
            elif is_directory and _is_repository(os.path.join(self.top, base + name, ".git")):
                reasons[name] = "another repository"
        return reasons

    def _matches(self, path: str, *, is_directory: bool) -> bool:
        """Return whether an ignore file excludes the path itself; the top is never ignored."""
        directory, slash, name = map(os.fsencode, path.rpartition("/"))
        chain = self._chain(os.fsdecode(directory))
        return bool(name) and _is_ignored(chain, directory + slash, name, is_directory=is_directory)

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
            if file is not None:
                chain = (file, *chain)
            self._chains[directory] = chain
        return chain

    def _ignore_file(self, path: str, base: str, *, follow: bool = True) -> IgnoreFile | None:
        try:
            data = read_regular(path, LARGEST, follow=follow)
            return IgnoreFile(data, os.fsencode(base), fold=self._ignores_case) or None
        except TooLargeError:
            self.errors.append(SourceError(relative_to_here(path), "larger than 1 MiB; its patterns are ignored"))
        except OSError:  # missing, or a FIFO: skipped, as in git
            pass
        except ValueError as error:
            self.errors.append(SourceError(relative_to_here(path), f"{error}; its patterns are ignored"))
        return None


def _is_ignored(chain: tuple[IgnoreFile, ...], base: bytes, name: bytes, *, is_directory: bool) -> bool:
    """Return whether ignore files exclude an entry of a directory; the innermost with a matching pattern decides."""
    for file in chain:
        decision = file.decision(base + name, name, is_directory=is_directory)
        if decision is not None:
            return decision
    return False


def find_work_tree(directory: str) -> tuple[str, str] | None:
    """Return the top of the work tree that holds a directory, and the directory of its repository; None without one.

    As in git, the search ends at a ceiling (GIT_CEILING_DIRECTORIES) and at the border of a file system.
    """
    named = os.environ.get("GIT_CEILING_DIRECTORIES", "").split(os.pathsep)
    ceilings = {os.path.realpath(path) for path in named if os.path.isabs(path)}  # git ignores others, and empty ones
    crosses = os.environ.get("GIT_DISCOVERY_ACROSS_FILESYSTEM", "").lower() in _TRUE
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
    return top, git_dir


def work_tree_around(directory: str) -> tuple[WorkTree | None, str]:
    """Return the work tree that lists the files of a directory, and its path from the top, "" or ending with "/".

    There is none for a directory in no work tree, in `.git`, or ignored.
    """
    if (location := find_work_tree(directory)) is not None:
        work_tree = WorkTree(*location)
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
        if _is_git_dir(path):
            return path
        return None
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
    if is_remote(common) and not is_remote(git_dir):
        return git_dir
    return common


def _is_repository(path: str) -> bool:
    """Return whether a `.git` makes its directory a repository of its own."""
    try:
        return _git_dir(path) is not None
    except OSError:
        return True  # treated as one, as in git
    except ValueError:
        return False


# --- the settings of git


def read_settings(git_dir: str, common_dir: str, top: str) -> tuple[str, bool, bool]:
    """Return the user's own ignore file or "", whether case is ignored, and whether only some files are checked out.

    Files that cannot be read, and conditional includes (`includeIf`), are skipped. `common_dir` holds the configuration
    of a linked work tree, and relative paths refer to `top`.
    """
    home = os.path.expanduser("~")
    xdg = os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "git")
    excludes_file = os.path.join(xdg, "ignore")
    flags = {"core.ignorecase": False, "core.sparsecheckout": False}
    repository_files = os.path.join(common_dir, "config"), os.path.join(git_dir, "config.worktree")
    for path in (*_user_files(home, xdg), *repository_files):
        for name, value in _values(path, [_MOST_INCLUDED]):
            if name == "core.excludesfile":
                excludes_file = _path(value or "", top)
            elif name in flags:
                flags[name] = value is None or value.lower() in _TRUE
    ignores_case, is_sparse = flags.values()
    return excludes_file, ignores_case, is_sparse


def read_submodules(path: str) -> frozenset[str]:
    """Return the paths in a `.gitmodules` (gitmodules(5)), whether or not they are checked out."""
    values = _values(path, [1])
    return frozenset(
        value.strip("/") for name, value in values if value and name.startswith("submodule") and name.endswith(".path")
    )


def is_remote(path: str) -> bool:
    """Return whether a path is on another machine, where Windows would log in."""
    return os.name == "nt" and path.replace("\\", "/").startswith("//")


def _user_files(home: str, xdg: str) -> Iterator[str]:
    if os.environ.get("GIT_CONFIG_NOSYSTEM", "").lower() not in _TRUE:
        yield os.environ.get("GIT_CONFIG_SYSTEM") or "/etc/gitconfig"
    given = os.environ.get("GIT_CONFIG_GLOBAL")
    if given is not None:
        yield given
    else:
        yield os.path.join(xdg, "config")
        yield os.path.join(home, ".gitconfig")


def _values(path: str, budget: list[int]) -> Iterator[tuple[str, str | None]]:
    """Yield the settings of a file and those it includes; `budget` counts how many more may be read."""
    if budget[0] == 0 or not path or is_remote(path):
        return
    budget[0] -= 1
    try:
        data = read_regular(path, _LARGEST_SETTINGS)
    except (OSError, ValueError):
        return
    if _INTERESTING.search(data) is None:
        return
    for name, value in _parse(data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")):
        if name == "include.path" and value:
            yield from _values(_path(value, os.path.dirname(path)), budget)
        else:
            yield name, value


def _parse(text: str) -> Iterator[tuple[str, str | None]]:
    """Yield section and key, in lower case, with the value; stop at a syntax error."""
    section, position = "", 0
    while position < len(text):
        header = _SECTION.match(text, position)
        key = _KEY.match(text, position)
        if text[position] in " \t\r\n":
            position += 1
        elif text[position] in "#;":
            position = line_end(text, position)
        elif header is not None:
            section = header[1].lower() + (header[2] or "")
            position = header.end()
        elif key is not None:
            value, position = None, key.end()
            if key[2]:
                value, position = _value(text, position)
            yield f"{section}.{key[1].lower()}", value
        else:
            return


def _value(text: str, position: int) -> tuple[str, int]:
    """Return the value that begins at an offset, and its end."""
    parts: list[str] = []
    length = 0  # parts up to the last one that is not an unquoted blank
    is_quoted = False
    while position < len(text) and (char := text[position]) != "\n":
        position += 1
        if char == '"':
            is_quoted = not is_quoted
            length = len(parts)
        elif char in "#;" and not is_quoted:
            position = line_end(text, position)
        elif char == "\\":
            escaped = text[position : position + 1]
            position += 1 + text.startswith("\r\n", position)
            if escaped not in ("\r", "\n"):  # else the value continues in the next line
                parts.append(_ESCAPES.get(escaped, escaped))
                length = len(parts)
        else:
            parts.append(char)
            if is_quoted or char not in " \t\r":
                length = len(parts)
    return "".join(parts[:length]), position


def _path(value: str, base: str) -> str:
    """Return a path of a configuration, absolute; "" if it is invalid."""
    if value.startswith(("~/", "~\\")):
        value = os.path.expanduser(value)
    if not value or value.startswith("~"):
        return ""
    path = os.path.join(base, value)
    if is_remote(path) and not is_remote(base):
        return ""
    return path
