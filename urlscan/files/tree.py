"""Look up paths in a tree of files: a work tree of git, or any directory.

Each directory is listed once. Names are compared with the listing and never with `stat`, so that the letter case of a
name matters on every file system. Nothing outside of the tree is listed or opened.
"""

import functools
import os
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import groupby, islice

from urlscan.core.record import NamedTuple
from urlscan.core.typing import Literal
from urlscan.files.repository import closest
from urlscan.files.safe_open import Directory, parts_of, read_descriptor, relative_to_here
from urlscan.files.walk import REPOSITORIES, entry_kind, files_below
from urlscan.files.work_tree import WorkTree, find_work_tree

# Written into a source package of Python when it is built.
_PACKAGE = "PKG-INFO"
_MOST_LINKS = 40  # symbolic links on one path, as in Linux
_MOST_LISTED = 200_000  # files of a complete listing
_MOST_DIRECTORIES = 1 << 14  # listed directories that are cached
_MOST_PATHS = 1 << 13  # paths whose entries are cached

State = Literal["file", "directory", "missing", "unknown"]


class TreeEntry(NamedTuple):
    """The file or directory that a path leads to.

    Attributes:
        state: file, directory, missing, or unknown: the path leads to files that are not part of the tree (ignored
            or generated files, another repository, the outside of the tree) or that cannot be read.
        path: the file or directory, with the names that it has in the tree, without symbolic links; for a missing one
            the path that was asked for.
        cased: whether the path is found, but with another letter case.
        is_only: whether no other path differs from it in letter case alone.
    """

    state: State
    path: str
    cased: bool = False
    is_only: bool = True


class _Directory(NamedTuple):
    """The entries of a directory.

    Attributes:
        kinds: the sorted names with "d" (directory), "f" (file), "l" (symbolic link) or "?".
        folded: the names by their spelling without letter case.
    """

    kinds: dict[str, str]
    folded: dict[str, list[str]]


class _Step(NamedTuple):
    """Where the first names of a path lead.

    Attributes:
        state: absent: not on disk, but perhaps ignored; otherwise as in `TreeEntry`.
        path: the path without symbolic links, with the names that are on disk.
        cased, is_only: as in `TreeEntry`.
        links: the number of symbolic links that were followed.
    """

    state: Literal["file", "directory", "absent", "missing", "unknown"]
    path: str
    cased: bool = False
    is_only: bool = True
    links: int = 0


_ROOT = _Step("directory", "")


class Tree:
    """A tree of files.

    Paths are relative to its root, with "/", normalized, "" for the root itself.

    Attributes:
        root: the root, an absolute path without symbolic links.
        is_checkout: whether the tree is a checkout of a repository, so that a file that it lacks does not exist. A
            package may lack files of its repository, even if it is put under version control: the metadata of an
            unpacked Python package show that. A sparse checkout lacks files, too.
    """

    def __init__(self, root: str, git: WorkTree | None) -> None:
        self.root = root
        is_complete = any(os.path.lexists(os.path.join(root, name)) for name in REPOSITORIES)
        if git is not None:
            is_complete = not git.is_sparse
        self.is_checkout = is_complete and not os.path.lexists(os.path.join(root, _PACKAGE))
        self._git = git
        self._directories: dict[str, _Directory | None] = {}
        # The results of `find`, and the directories on the way, by path and whether another letter case counts.
        self._found: dict[tuple[str, bool], TreeEntry] = {}
        self._steps: dict[tuple[str, bool], _Step] = {}

    def entries(self, directory: str) -> dict[str, str]:
        """Return the sorted names in a directory with their kinds, "d", "f", "l" or "?"; none if that fails."""
        listed = self._listed(directory)
        if listed is None:
            return {}
        return listed.kinds

    def relative(self, path: str) -> str | None:
        """Return an absolute path relative to the root, or None if it is outside of the tree."""
        try:
            relative = os.path.relpath(os.path.realpath(path), self.root)
        except (OSError, ValueError):  # another drive
            return None
        if relative == os.curdir:
            return ""
        if relative.split(os.sep, 1)[0] == os.pardir:
            return None
        return relative.replace(os.sep, "/")

    def shown(self, path: str) -> str:
        """Return a path of the tree as it is shown: relative to the current directory if it is below it."""
        return relative_to_here(os.path.join(self.root, path))

    def find(self, path: str, *, fold: bool = True) -> TreeEntry:
        """Return what a path leads to; with `fold` also a name with another letter case."""
        entry = self._found.get((path, fold))
        if entry is None:
            if len(self._found) >= _MOST_PATHS:
                self._found.clear()
            entry = self._found[path, fold] = self._find(path, fold=fold)
        return entry

    def _find(self, path: str, *, fold: bool) -> TreeEntry:
        above, slash, name = path.rpartition("/")
        step = _ROOT
        if slash and not above:  # an empty name at the root
            step = _Step("absent", path)
        elif path:
            step = self._step(self._walked(above, fold=fold), name, fold=fold)
        is_directory = step.state == "directory"
        if step.state == "absent":
            if self._git is not None and self._git.is_excluded(step.path):
                return TreeEntry("unknown", path)
            return TreeEntry("missing", path)
        if step.state != "file" and not is_directory:
            return TreeEntry(step.state, path)
        if step.path and self._git is not None and self._git.is_ignored(step.path, is_directory=is_directory):
            if not is_directory:
                path = step.path
            return TreeEntry("unknown", path, step.cased, step.is_only)
        return TreeEntry(step.state, step.path, step.cased, step.is_only)

    def _walked(self, path: str, *, fold: bool) -> _Step:
        """Return where a path leads that has further names."""
        directory, waiting = path, list[str]()
        self._steps["", fold] = _ROOT
        while (step := self._steps.get((directory, fold))) is None:
            directory, _, name = directory.rpartition("/")
            waiting.append(name)
        if len(self._steps) >= _MOST_PATHS:
            self._steps.clear()
        for name in reversed(waiting):
            step = self._step(step, name, fold=fold)
            directory = _join(directory, name)
            if step.state == "directory" or directory == path:
                self._steps[directory, fold] = step
        return step

    def _step(self, above: _Step, name: str, *, fold: bool) -> _Step:
        """Return where a name leads from a directory."""
        if above.state == "absent":
            return above._replace(path=f"{above.path}/{name}")
        if above.state != "directory":
            if above.state == "file":
                return above._replace(state="missing")
            return above
        directory = self._listed(above.path)
        if directory is None:
            return above._replace(state="unknown")
        actual = _actual(directory, name, fold=fold)
        if actual is None:
            return above._replace(state="absent", path=_join(above.path, name))
        entry_path, kind = _join(above.path, actual), directory.kinds[actual]
        is_cased = actual != name and _normal(actual) != _normal(name)
        is_only = above.is_only and len(directory.folded[fold_name(actual)]) == 1
        step = above._replace(path=entry_path, cased=above.cased or is_cased, is_only=is_only)
        if kind == "l":
            return self._follow(step, fold=fold)
        if kind == "d" and not self._is_elsewhere(entry_path):
            return step
        if kind == "f":
            return step._replace(state="file")
        return step._replace(state="unknown")

    def _follow(self, link: _Step, *, fold: bool) -> _Step:
        """Return where a symbolic link leads."""
        try:
            target = self.relative(os.path.realpath(os.path.join(self.root, link.path), strict=True))
        except (OSError, ValueError):
            target = None
        if target is None or link.links == _MOST_LINKS:
            return link._replace(state="unknown")
        step = link._replace(path="", links=link.links + 1)
        for name in filter(None, target.split("/")):
            step = self._step(step, name, fold=fold)
        return step

    def read(self, path: str, max_size: int) -> bytes | None:
        """Return the bytes of a file; None if it has more than `max_size`, is a symbolic link, or cannot be read."""
        return next((data for _, data in self.read_each((path,), max_size)), None)

    def read_each(self, paths: Iterable[str], max_size: int) -> Iterator[tuple[str, bytes]]:
        """Yield the paths and bytes of files, without those for which `read` returns None."""
        for above, group in groupby(paths, lambda path: path.rpartition("/")[0]):
            try:
                directory = Directory(self.root, parts_of(above))
            except (OSError, ValueError):
                continue
            with closing(directory):
                for path in group:
                    try:
                        (name,) = parts_of(path.rpartition("/")[2])
                        data = read_descriptor(directory.open_regular(name), max_size)
                    except (OSError, ValueError):
                        continue
                    yield path, data

    def read_sample(self, paths: list[str], most: int, max_size: int) -> Iterator[tuple[str, bytes]]:
        """Return an iterator as `read_each`, over paths from the whole list if there are more than `most`."""
        return self.read_each(paths[:: len(paths) // most + 1], max_size)

    @functools.cached_property
    def files(self) -> tuple[str, ...]:
        """The files of the tree that git does not ignore, or all of them, sorted."""
        items, start = files_below(self.root, around=(self._git, "")), len(os.path.join(self.root, ""))
        names = (item[start:].replace(os.sep, "/") for item in items if isinstance(item, str))
        return tuple(islice(names, _MOST_LISTED))

    @functools.cached_property
    def _groups(self) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        """The files by their directories, and by their names."""
        by_directory, by_name = dict[str, list[str]](), dict[str, list[str]]()
        for path in self.files:
            directory, _, name = path.rpartition("/")
            by_directory.setdefault(directory, []).append(path)
            by_name.setdefault(name, []).append(path)
        return by_directory, by_name

    def files_named(self, name: str) -> list[str]:
        """Return the files of the tree with a name, in any directory."""
        return self._groups[1].get(name, [])

    def files_in(self, directory: str) -> list[str]:
        """Return the files of the tree that are directly in a directory."""
        return self._groups[0].get(directory, [])

    def _listed(self, directory: str) -> _Directory | None:
        if directory not in self._directories:
            if len(self._directories) > _MOST_DIRECTORIES:
                self._directories.clear()
            self._directories[directory] = _scan(os.path.join(self.root, directory))
        return self._directories[directory]

    def _is_elsewhere(self, directory: str) -> bool:
        """Return whether a directory on disk belongs to another repository."""
        listed = self._listed(directory)
        if listed is None:
            return True
        return self._git is not None and ".git" in listed.kinds and self._git.is_other_repository(directory)


def tree_of(directory: str, trees: dict[str, Tree], root_of: Callable[[str], str] | None = None) -> Tree:
    """Return the tree that holds a directory, one of the given ones, by their roots, or a new one that is added.

    It is the work tree of git, else the closest directory, upwards, that holds a repository of another system, else
    the root of the project, or without `root_of` the directory itself.
    """
    if (work_tree := find_work_tree(directory)) is not None:
        root = work_tree[0]
        if root not in trees:
            trees[root] = Tree(root, WorkTree(*work_tree))
        return trees[root]

    def holds_repository(path: str) -> bool:
        return any(os.path.isdir(os.path.join(path, name)) for name in REPOSITORIES[1:])

    root = os.path.realpath(directory)
    repository = closest(root, holds_repository, {})
    if repository is not None:
        root = repository
    elif root_of is not None:
        root = os.path.realpath(root_of(os.path.abspath(directory)))
    return trees.setdefault(root, Tree(root, None))


def divided(path: str) -> tuple[str, str]:
    """Return the directory of a path and its name; the file need not exist.

    References in a file that a symbolic link names are resolved from the file: a program that reads it opens the link,
    but a forge shows the file only in its own directory.
    """
    directory, name = os.path.split(path)
    if name in ("", os.curdir, os.pardir) or os.path.islink(path):
        directory, name = os.path.split(os.path.realpath(path))
    return directory, name


def exists(path: str) -> Literal["file", "directory"] | None:
    """Return what a path is, or None if it does not exist."""
    if os.path.isdir(path):
        return "directory"
    if os.path.lexists(path):
        return "file"
    return None


def _scan(directory: str) -> _Directory | None:
    try:
        with os.scandir(directory) as entries:  # in an order of the file system
            kinds = {entry.name: entry_kind(entry) for entry in sorted(entries, key=lambda entry: entry.name)}
    except (OSError, ValueError):
        return None
    folded: dict[str, list[str]] = {}
    for name in kinds:
        folded.setdefault(fold_name(name), []).append(name)
    return _Directory(kinds, folded)


def _actual(directory: _Directory, name: str, *, fold: bool) -> str | None:
    """Return the name of an entry: the same name, an equivalent one in another normal form, or another letter case."""
    if name in directory.kinds:
        return name
    similar = directory.folded.get(fold_name(name), [])
    for entry in similar:
        if _normal(entry) == _normal(name):
            return entry
    if similar and fold:
        return similar[0]
    return None


def _normal(name: str) -> str:
    if name.isascii():
        return name
    return unicodedata.normalize("NFC", name)


def fold_name(name: str) -> str:
    """Return the spelling of a name without letter case, in one normal form of Unicode."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", _normal(name).casefold())


def _join(directory: str, name: str) -> str:
    if directory and name:
        return f"{directory}/{name}"
    return directory or name
