"""Index trees of files: what exists, and which anchors each document has; each is read once, when it is needed."""

import os
import re
from collections.abc import Callable, Hashable

from urlscan.core.lazy import lazy
from urlscan.core.settings import TargetSettings
from urlscan.core.typing import Any, T
from urlscan.documents.identify import identify
from urlscan.files.tree import Tree, divided, tree_of
from urlscan.targets.anchors import Anchors, anchors_of, read_anchors
from urlscan.targets.generators import Generator, configured_generators, documents_generator, generator_of
from urlscan.targets.names import is_document, join
from urlscan.targets.resolve import DocumentLocation
from urlscan.targets.roots import SiteRoot, infer_root

# Limit on the anchors in memory; beyond it all are dropped and read again when they are needed.
_MOST_ANCHORS = 2_000_000
# A label of Sphinx or MyST anywhere: in documents, in parts of them, and in the documentation strings of programs.
# Matches: `.. _a b:`, `.. _a:`, `(a)=`, `name: a`
# Does not match: `.. _a: b`, `.. __a:`, `(a)`, `filename: a`
_LABEL = lazy(
    rb"""
      \.\.[ ]{1,9}_ (?!_) `? ([^\n`]{1,200}?) `? : [ \t]* \r?$
    | \( ([^()\n]{1,200}) \)=
    | (?<![\w`])_` ([^\n`]{1,200}) `(?!_)
    | \{figure-md\} [ \t]+ ([^\s]{1,200})
    | (?: name (?<!\wname) | label (?<!\wlabel) ) : [ \t]+ ([^\r\n\#]{1,200})
    """,
    re.MULTILINE | re.VERBOSE,
)
_ATTRIBUTE_LABEL = lazy(rb"\{#([^(){}\s]{1,200})")
# The files that may have labels.
DOCUMENTS_OF_SPHINX = (".md", ".rst", ".ipynb")
SOURCES_OF_SPHINX = (*DOCUMENTS_OF_SPHINX, ".rest", ".txt", ".inc", *".py .pyx .pyi .c .h .cpp .hpp".split())
_MOST_LABELS, _LARGEST = 100_000, 1 << 24


class TargetIndex:
    """The trees of the documents of a run.

    Args:
        root_of: returns the root of the project of a directory that is in no repository; None: the directory itself.
        read_open: returns the text of a file, by its absolute path, that is open in an editor; None if it is not open.
    """

    def __init__(
        self, root_of: Callable[[str], str] | None = None, read_open: Callable[[str], str | None] | None = None
    ) -> None:
        self._root_of = root_of
        self._read_open = read_open
        self._trees: dict[str, Tree] = {}
        # By root, path and algorithm: a hash of the text, and its anchors.
        self._anchors: dict[tuple[str, str, str], tuple[int, Anchors | None]] = {}
        self._computed: dict[Hashable, Any] = {}
        self._count = 0

    def place(self, path: str) -> tuple[Tree, str] | None:
        """Return the tree of a file, which need not exist, and its path from the root; None if it is outside."""
        directory, name = divided(path)
        tree = self.computed((tree_of, directory), lambda: tree_of(directory, self._trees, self._root_of))
        above = self.computed((Tree.relative, directory), lambda: tree.relative(directory))
        if above is None:
            return None
        return tree, join(above, name)

    def location(self, path: str, settings: TargetSettings) -> DocumentLocation | None:
        """Return where a document is; None if it is in no tree."""
        place = self.place(path)
        if place is None or not place[1]:
            return None
        return DocumentLocation(*place, settings)

    def anchors(self, tree: Tree, path: str, preset: str) -> Anchors | None:
        """Return the anchors of a file of a tree; None if it is no document or cannot be read."""
        text = None
        if self._read_open is not None:
            text = self._read_open(os.path.join(tree.root, path))
        if text is not None:
            return self.anchors_in_memory(tree, path, preset, text, identify(os.path.basename(path), text[:1024]))
        cached = self._anchors.get((tree.root, path, preset))
        if cached is None:
            cached = self._add(tree, path, preset, *read_anchors(tree, path, preset))
        return cached[1]

    def anchors_in_memory(self, tree: Tree, path: str, preset: str, text: str, kind: str) -> Anchors | None:
        """Return the anchors of a document that is in memory; it may differ from the file of that path."""
        cached = self._anchors.get((tree.root, path, preset))
        if cached is None or cached[0] != hash(text):
            cached = self._add(tree, path, preset, hash(text), anchors_of(text, kind, preset))
        return cached[1]

    def _add(self, tree: Tree, path: str, preset: str, key: int, anchors: Anchors | None) -> tuple[int, Anchors | None]:
        """Add the anchors of a document to the cache."""
        if self._count > _MOST_ANCHORS:
            self._anchors.clear()
            self._count = 0
        cached = self._anchors[tree.root, path, preset] = key, anchors
        self._count += 1
        if anchors is not None:
            self._count += len(anchors.lines)
        return cached

    def documents(self, tree: Tree) -> list[str]:
        """Return the files of a tree that are documents by their names, sorted."""
        return self.computed(("documents", tree.root), lambda: list(filter(is_document, tree.files)))

    def sphinx_labels(self, tree: Tree, sources: tuple[str, ...]) -> frozenset[str]:
        """Return the labels of Sphinx in files with some extensions, in lower case and with single spaces."""
        return self.computed(("labels", tree.root, sources), lambda: _sphinx_labels(tree, sources))

    def asciidoc_labels(self, tree: Tree) -> frozenset[str]:
        """Return the ids and the titles in the AsciiDoc documents of a tree."""
        return self.computed(("labels", tree.root, "asciidoc"), lambda: _asciidoc_labels(tree))

    def computed(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return what is computed about a tree, once for each key."""
        if key not in self._computed:
            self._computed[key] = compute()
        value: T = self._computed[key]
        return value

    def site_root(self, tree: Tree, publisher: Generator) -> SiteRoot:
        """Return where "/" leads in the documents that a generator publishes, or that none does."""
        key = ("site root", tree.root, publisher.file, publisher.source)
        return self.computed(key, lambda: infer_root(tree, self.documents(tree), publisher))

    def generator(self, tree: Tree, path: str) -> Generator | None:
        """Return the site generator that publishes a document of a tree, or None."""

        def generators_in(above: str) -> list[Generator]:
            return self.computed(("generators", tree.root, above), lambda: configured_generators(tree, above))

        def generator_beside(above: str) -> Generator | None:
            return self.computed(("beside", tree.root, above), lambda: documents_generator(tree, above))

        return generator_of(path, generators_in, generator_beside)


def _sphinx_labels(tree: Tree, sources: tuple[str, ...]) -> frozenset[str]:
    labels: set[str] = set()
    for _, data in tree.read_each([path for path in tree.files if path.endswith(sources)], _LARGEST):
        if len(labels) >= _MOST_LABELS:
            break
        for match in (*_LABEL.finditer(data), *_ATTRIBUTE_LABEL.finditer(data)):
            label = match[match.lastindex or 0].decode("utf-8", "replace").replace("\\", "")
            labels.add(" ".join(label.lower().split()).strip("\"'"))
    return frozenset(labels)


def _asciidoc_labels(tree: Tree) -> frozenset[str]:
    labels: set[str] = set()
    for path in tree.files:
        if identify(path) == "asciidoc" and len(labels) < _MOST_LABELS:
            anchors = read_anchors(tree, path, "auto")[1]
            if anchors is not None:
                labels.update(anchors.lines, anchors.labels)
    return frozenset(labels)
