"""Recognize the URLs of a repository's own files on its forge: `https://github.com/o/r/blob/main/a/b.md` is "/a/b.md".

The remotes of a clone and the metadata of its package name the repository. A fork may name another one, from which most
files were copied: it is the repository to which most of these URLs in the documents lead to files that exist here.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import product

from urlscan.core.lazy import lazy
from urlscan.files.safe_open import read_regular
from urlscan.files.tree import Tree
from urlscan.targets.index import TargetIndex
from urlscan.targets.references import Reference, decoded, reference_within

# The URL of a file or directory of a branch.
# Matches: `https://github.com/o/r/blob/main/a(b)/b.md#c`, `https://raw.githubusercontent.com/o/r/master/a.png`
# Does not match: `https://github.com/o/r/wiki/main/a`, `https://github.com/o/r/blob/main/:a`, `https://github.com/o/r/main/a`
_FILE = lazy(
    r"""
    https?:// (?: (?:www\.)?github\.com | gitlab\.com | codeberg\.org | (?P<is_raw> raw\.githubusercontent\.com ) ) /
    (?P<repository> [\w.-]++/[\w.-]++ )
    (?(is_raw) | (?: (?P<is_shown> /(?:blob|tree) ) | (?:/-)?/(?:blob|tree|raw|src/branch) ) ) (?:/refs/heads)?
    (?P<branch> /[\w.-]++/ )
    (?P<path> (?: [^\s()<>"'`|\[\]{}\\^*,;:]++ | \( [^\s()<>"'`|\[\]{}\\^*,;:]{0,100} \) | (?<! / ) : ){1,500} )
    """,
    re.VERBOSE | re.ASCII,
)
# The repository of a package: npm, "repository"; Cargo, "The manifest format"; PyPA, "Well-known labels"; Composer,
# "homepage"; MkDocs, "repo_url"; or of a remote in `.git/config`.
# Matches: `repository": {"url": "git+https://github.com/o/r.git`, `[remote "a"]\nurl = git@github.com:o/r`
# Does not match: `git = "https://github.com/o/r`, `[submodule "a"]\nurl = git@github.com:o/r`
_NAMED = lazy(
    rb"""
    (?: \[remote[ ] [^\[]*? \burl | \brepository["']: [ \t\r\n]* \{ [^{}]{0,300}? ["']url
      | \b (?: repository | repo_url | source(?:[ ]code)? | homepage ) ) ["']? [ \t]* [=:] [ \t]* ["']?
    (?:git\+)? (?:(?:https?|ssh|git)://)? (?: [^\s@/"']{0,300} @ | www\. )?
    (?:github\.com|gitlab\.com|codeberg\.org) [/:] (?P<repository> [\w.-]+/[\w.-]+? ) (?:\.git)? /? (?![\w.-])
    """,
    re.VERBOSE | re.IGNORECASE,
)
# The usual names of the default branch.
_DEFAULT_BRANCHES: tuple[str, ...] = ("/main/", "/master/")
_METADATA = ("package.json", "Cargo.toml", "pyproject.toml", "composer.json", "mkdocs.yml")
_FEWEST = 3  # existing paths from which a repository is inferred, if no more are missing
_EXISTING = ("file", "directory")
_MOST_DOCUMENTS, _LARGEST, _MOST_PATHS = 2_000, 1 << 20, 100_000
_LARGEST_GIT = 1 << 26  # a list of a million branches and tags


def own_reference(index: TargetIndex, tree: Tree, url: str) -> Reference | None:
    """Return the reference from the root of the repository that a URL of its forge means; None for another URL."""
    match = _FILE.fullmatch(url)
    if match is None or not tree.is_checkout:
        return None
    if (match["repository"].lower(), match["branch"]) not in _branches(index, tree):
        return None
    end = len(url)
    if not match["is_shown"]:
        end = len(url.partition("#")[0])  # a text without anchors, or those of another forge than GitHub
    return reference_within(url, match.start("path") - 1, end)


def repository_names(index: TargetIndex, tree: Tree) -> frozenset[str]:
    """Return the names of a repository, in lower case: that of its directory, and those on its forge."""
    return frozenset((os.path.basename(tree.root).lower(), *(name.split("/")[1] for name, _ in _branches(index, tree))))


def _branches(index: TargetIndex, tree: Tree) -> frozenset[tuple[str, str]]:
    return index.computed(("branches", tree.root), lambda: frozenset(_own_branches(tree, index.documents(tree))))


def _own_branches(tree: Tree, documents: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the repositories of a tree with some documents, each with a branch between slashes.

    The first remote is that of the clone. Most paths of a default branch exist, unless an old branch is checked out.
    """
    remotes, checked_out, defaults = _read_git(os.path.join(tree.root, ".git"))
    yield from product(remotes[:1], checked_out)
    branches = (*defaults, *checked_out)
    files: set[tuple[str, str]] = set()  # repositories and paths
    for _, data in tree.read_sample(documents, _MOST_DOCUMENTS, _LARGEST):
        if len(files) < _MOST_PATHS and any(branch.encode() in data for branch in branches):
            for match in _FILE.finditer(data.decode("utf-8", "replace")):
                if match["branch"] in branches:
                    files.add((match["repository"].lower(), match["path"].partition("#")[0].partition("?")[0]))
    paths = [(name, decoded(path) or "") for name, path in sorted(files) if "/" in path.strip("/")]  # no README
    totals = Counter(name for name, _ in paths)
    existing = Counter(name for name, path in paths if tree.find(path.strip("/"), fold=False).state in _EXISTING)
    names = {name.partition("/")[2] for name in remotes}
    inferred = [name for name, count in existing.most_common(1) if count >= max(_FEWEST, totals[name] / 2)]
    # A repository that moved to another owner has its name and most of its files.
    moved = [name for name, count in existing.items() if count >= max(_FEWEST, 3 * totals[name] / 4)]
    inferred += (name for name in moved if name.partition("/")[2] in names)
    # The metadata of a fork may name the original; that of a manual may name the project that it describes.
    metadata = [name for _, data in tree.read_each(_METADATA, _LARGEST) for name in _names_in(data)]
    named = [*remotes, *(name for name in metadata if not names or name.partition("/")[2] in names)]
    yield from product((*inferred, *(name for name in named if existing[name] >= totals[name] // 2)), branches)


def _read_git(git: str) -> tuple[list[str], tuple[str, ...], tuple[str, ...]]:
    """Return the repositories of the remotes, the branch that is checked out, and those that may be the default.

    "master" is not the default if the remote has it beside the default branch.
    """
    head, packed = _read_file(git, "HEAD"), _read_file(git, "packed-refs")
    checked_out = head.removeprefix(b"ref: refs/heads/").decode("utf-8", "replace").strip()
    default = (_read_file(git, "refs/remotes/origin/HEAD") or head).decode("utf-8", "replace").rstrip()
    names = {branch: f"refs/remotes/origin{branch[:-1]}" for branch in _DEFAULT_BRANCHES}
    on_remote = [branch for branch, name in names.items() if _read_file(git, name) or f" {name}\n".encode() in packed]
    defaults = tuple(branch for branch in names if branch not in on_remote or default.endswith(branch[:-1]))
    return _names_in(_read_file(git, "config")), (f"/{checked_out}/",), defaults


def _read_file(git: str, path: str) -> bytes:
    """Return the contents of a file in a directory of git; b"" for none."""
    with suppress(OSError):
        return read_regular(os.path.join(git, path), _LARGEST_GIT)
    return b""


def _names_in(data: bytes) -> list[str]:
    return [match["repository"].decode().lower() for match in _NAMED.finditer(data)]
