"""Provide the checker of relative references for each source, loading the index of the tree when it is needed."""

import functools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import Match
from urlscan.core.settings import FileSettings, Settings, TargetSettings
from urlscan.files.walk import STDIN
from urlscan.linter.selection import enabled_entries

# Imported on first use: most programs have no relative references.
if TYPE_CHECKING:
    from urlscan.core.targets import TargetChecker, TargetFault
    from urlscan.targets.checker import DocumentChecker
    from urlscan.targets.generators import Generator
    from urlscan.targets.index import TargetIndex

_KINDS = frozenset(("markdown", "html", "rst", "asciidoc", "org", "ipynb"))

# The rules about link labels in Markdown, and the kinds with labels.
_LABEL_RULES = (
    "undefined-reference", "duplicate-definition", "unused-definition", "malformed-link", "incomplete-link"
)  # fmt: skip
# Signs of labels, and of malformed links: apart, reversed, doubled, empty, with a blank.
_LABEL_SIGNS = lazy(r"\]\[|\]:|\] +\(|\)\[|\]\(\(|\[\]\(|\]\([ ]?\)|\]\([^\s()<>\"']+ ")
_LABEL_KINDS = ("markdown", "rst", "asciidoc", "org")


@functools.lru_cache(maxsize=64)
def _enabled_names(settings: Settings) -> frozenset[str]:
    """Return the names of the enabled rules about targets."""
    return frozenset(entry.name for entry in enabled_entries(settings) if entry.code.startswith(("U91", "U92")))


class Targets:
    """The index of the trees of a run.

    Args:
        root_of: returns the root of the project of a directory that is in no repository.
        only: the files, as absolute paths, to which references are checked; empty for all.
        read_open: returns the text of a file, by its absolute path, that is open in an editor; None if it is not open.
    """

    def __init__(
        self,
        root_of: Callable[[str], str] | None = None,
        only: frozenset[str] = frozenset(),
        read_open: Callable[[str], str | None] | None = None,
    ) -> None:
        self._root_of = root_of
        self._read_open = read_open
        self._only = only
        self._index: TargetIndex | None = None

    def restricted(self, paths: frozenset[str]) -> "Targets":
        """Return the same index for the references to some files only, which are absolute paths."""
        other = Targets(self._root_of, paths, self._read_open)
        other._index = self._index
        return other

    def emptied(self) -> "Targets":
        """Return the same trees with an index that has read nothing yet."""
        return Targets(self._root_of, self._only, self._read_open)

    def generator(self, path: str) -> "Generator | None":
        """Return the detected site generator of a path, or None."""
        location = self.index.place(path)
        return None if location is None else self.index.generator(*location)

    @property
    def index(self) -> "TargetIndex":
        """The index, created on first use."""
        if self._index is None:
            from urlscan.targets.index import TargetIndex

            self._index = TargetIndex(self._root_of, self._read_open)
        return self._index

    def checker(self, document: Document, file_settings: FileSettings) -> "TargetChecker | None":
        """Return the checker for a document; None if its references are not checked."""
        if document.kind not in _KINDS or document.path == STDIN or document.origin is not None or document.packed:
            return None
        names = _enabled_names(file_settings.settings)
        return _Deferred(self, document.path, file_settings.targets, names, self._only) if names else None


class _Deferred:
    """A checker that is created when the first reference is checked.

    Attributes:
        links, excused: as in `TargetChecker`.
    """

    def __init__(
        self, targets: Targets, path: str, settings: TargetSettings, names: frozenset[str], only: frozenset[str]
    ) -> None:
        self._targets, self._path, self._settings, self._names, self._only = targets, path, settings, names, only
        self._checker: DocumentChecker | None = None
        self._is_created = False
        self.links = 0
        self.excused: Counter[str] = Counter()

    def check_reference(self, occurrence: Match, document: Document) -> None:
        """Look up the target of a reference."""
        checker = self._created()
        if checker is not None and checker.checks_references:
            self.links += 1
            checker.check_reference(occurrence, document)

    def reference_faults(self, document: Document) -> "list[tuple[Match, TargetFault]]":
        """Return the references that were looked up with what is wrong with them, each cause once."""
        return self._checker.reference_faults(document) if self._checker is not None else []

    def check_document(self, document: Document) -> "Iterator[TargetFault]":
        """Yield what is wrong with the labels of a document."""
        if self._only or not self._may_have_labels(document):
            return iter(())
        checker = self._created()
        return checker.check_document(document) if checker is not None else iter(())

    def _may_have_labels(self, document: Document) -> bool:
        """Return whether a document may have labels that an enabled rule checks."""
        if document.kind not in _LABEL_KINDS:
            return False
        if "missing-label" in self._names:
            return True
        is_markdown = document.kind == "markdown" and not self._names.isdisjoint(_LABEL_RULES)
        return is_markdown and _LABEL_SIGNS.search(document.text) is not None

    def _created(self) -> "DocumentChecker | None":
        if not self._is_created:
            from urlscan.targets.checker import checker_of

            self._checker = checker_of(self._targets.index, self._path, self._settings, self._names, self._only)
            if self._checker is not None:
                self._checker.excused = self.excused
            self._is_created = True
        return self._checker
