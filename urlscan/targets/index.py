"""Index trees of files: what exists, and which anchors each document has; each is read once, when it is needed."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from urlscan.core.lazy import lazy
from urlscan.files.decode import decode, head_of, is_binary
from urlscan.files.identify import identify
from urlscan.files.tree import Tree, divided, tree_of
from urlscan.targets.generators import Generator, generator_of, is_below
from urlscan.targets.names import DOCUMENT_KINDS

# Most runs need no anchors.
if TYPE_CHECKING:
    from urlscan.targets.anchors import Anchors

# Larger documents are not read for their anchors.
_LARGEST = 1 << 24
# Limit on the anchors in memory; beyond it all are dropped and read again when they are needed.
_MOST_ANCHORS = 2_000_000
_MOST_DIRECTORIES = 1 << 16
# MyST: "(label)=" before a heading, and the options "name" and "label" of directives.
_LABEL = lazy(rb"(?m)^[ \t]*(?:\((?=[^()\n]+\)=)|:(?:name|label):[ \t]*|(?:name|label):[ \t]*)([^()\s]{1,200})")
# reStructuredText: ".. _label:".
_RST_LABEL = lazy(rb"(?m)^\.\. _([^_:\s][^:\s]{0,200}):[ \t\r]*$")
_MOST_LABELS = 100_000
_TITLE = lazy(rb"---[ \t]*\r?\n(?:[^\n]{0,2000}\n){0,40}?title:([^\n]{1,400})\n")


class TargetIndex:
    """The trees of the documents of a run.

    Args:
        root_of: returns the root of the project of a directory that is in no repository; None: the directory itself.
    """

    def __init__(self, root_of: Callable[[str], str] | None = None) -> None:
        self._root_of = root_of
        self._trees: dict[str, Tree] = {}
        self._by_directory: dict[str, Tree] = {}
        self._anchors: dict[tuple[str, str, str], Anchors | None] = {}
        self._generators: dict[tuple[str, str], Generator | None] = {}
        self._labels: dict[tuple[str, str], frozenset[str]] = {}
        self._count = 0

    def tree(self, directory: str) -> Tree:
        """Return the tree that holds a directory, an absolute path."""
        tree = self._by_directory.get(directory)
        if tree is None:
            if len(self._by_directory) > _MOST_DIRECTORIES:
                self._by_directory.clear()
            tree = tree_of(directory, self._root_of)
            tree = self._by_directory[directory] = self._trees.setdefault(tree.root, tree)
        return tree

    def place(self, path: str) -> tuple[Tree, str] | None:
        """Return the tree of a file, which need not exist, and its path from the root; None if it is outside."""
        directory, name = divided(path)
        tree = self.tree(directory)
        above = tree.relative(directory)
        if above is None:
            return None
        return tree, f"{above}/{name}" if above and name else above or name

    def anchors(self, tree: Tree, path: str, preset: str) -> "Anchors | None":
        """Return the anchors of a file of a tree; None if it is no document or cannot be read."""
        key = (tree.root, path, preset)
        if key not in self._anchors:
            if self._count > _MOST_ANCHORS:
                self._anchors.clear()
                self._count = 0
            found = self._anchors[key] = _anchors_of_file(tree, path, preset)
            self._count += 1 + (len(found.lines) if found is not None else 0)
        return self._anchors[key]

    def title(self, tree: Tree, path: str) -> str:
        """Return the title in the front matter of a document, or ""."""
        data = tree.read(path, _LARGEST) or b""
        match = _TITLE.match(data)
        return match[1].decode("utf-8", "replace").strip(" \"'\r") if match is not None else ""

    def labels(self, tree: Tree, source: str) -> frozenset[str]:
        """Return the labels that the documents of Sphinx below a directory define; MyST may refer to any of them."""
        key = (tree.root, source)
        if key not in self._labels:
            found: set[str] = set()
            for path in tree.files():
                if path.endswith((".md", ".rst", ".ipynb")) and is_below(path, source) and len(found) < _MOST_LABELS:
                    data = tree.read(path, _LARGEST) or b""
                    pattern = _RST_LABEL if path.endswith(".rst") else _LABEL
                    found.update(match[1].decode("utf-8", "replace") for match in pattern.finditer(data))
            self._labels[key] = frozenset(found)
        return self._labels[key]

    def generator(self, tree: Tree, path: str) -> Generator | None:
        """Return the site generator that publishes a document of a tree, or None."""
        key = (tree.root, path.rpartition("/")[0])
        if key not in self._generators:
            if len(self._generators) > _MOST_DIRECTORIES:
                self._generators.clear()
            self._generators[key] = generator_of(tree, path)
        return self._generators[key]


def _anchors_of_file(tree: Tree, path: str, preset: str) -> "Anchors | None":
    if not tree.find(path).is_readable:
        return None
    data = tree.read(path, _LARGEST)
    if data is None or is_binary(data):
        return None
    kind = identify(os.path.basename(path), head_of(data))
    return anchors_of_text(decode(data, None, kind).text, kind, preset) if kind in DOCUMENT_KINDS else None


def anchors_of_text(text: str, kind: str, preset: str) -> "Anchors | None":
    """Return the anchors of a document; None for a kind without anchors."""
    from urlscan.targets.anchors import READERS, anchors_of

    return anchors_of(text, kind, preset) if kind in READERS else None


def is_anchor(fragment: str, anchors: "Anchors") -> bool:
    """Return whether a decoded fragment leads to a place in a document, or need not."""
    from urlscan.targets.anchors import always_present

    return always_present(fragment) or anchors.line_of(fragment) is not None
