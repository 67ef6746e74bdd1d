"""Check the relative references and the labels of documents; the index of their trees is loaded when it is needed."""

from collections.abc import Callable

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import Match
from urlscan.core.settings import FileSettings
from urlscan.core.typing import TYPE_CHECKING
from urlscan.files.walk import STDIN
from urlscan.linter.judge import rule_set_for

# Imported on first use: most programs have no relative references.
if TYPE_CHECKING:
    from urlscan.core.faults import CheckedTargets
    from urlscan.targets.generators import Generator
    from urlscan.targets.index import TargetIndex

_KINDS = frozenset(("markdown", "html", "rst", "asciidoc", "org", "ipynb"))

# The rules about labels and links as they are written.
_LABEL_RULES = (
    "undefined-reference", "duplicate-definition", "unused-definition", "missing-label", "malformed-link",
    "incomplete-link",
)  # fmt: skip
# Signs of labels and of malformed links: apart, doubled, empty, code, with a blank, with a full-width parenthesis;
# reversed ones, and roles of MyST.
_AFTER_BRACKET = r"\](?:[\[:]| +\(|\((?:[(\[`)]|[ ]\)|(?<=\[\]\()|[^\s()<>\"'\uff09]++[ \uff09]))"
_LABEL_SIGNS = tuple(map(lazy, (_AFTER_BRACKET, r"\)\[", r"\{(?:(?:num)?ref|doc)\}`")))
# Signs of a reference without "_", of a link of Markdown, and of roles and inclusions, in reStructuredText.
_RST_SIGNS = lazy(r"<https?://[^\s<>`]+>`(?![`_:])|\]\(https?://|(?:ref|doc):`|include::[ ]")


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
        if location is None:
            return None
        return self.index.generator(*location)

    @property
    def index(self) -> "TargetIndex":
        """The index, created on first use."""
        if self._index is None:
            from urlscan.targets.index import TargetIndex

            self._index = TargetIndex(self._root_of, self._read_open)
        return self._index

    def check(
        self, document: Document, references: list[Match], file_settings: FileSettings
    ) -> "CheckedTargets | None":
        """Look up where the references in a document and the URLs of its repository lead, and check its labels.

        Returns:
            The faults; None if the document has nothing to check, or no rule about it is enabled.
        """
        if document.path == STDIN or document.origin is not None or document.packed:
            return None
        if references and document.kind not in _KINDS:
            references = [reference for reference in references if reference.scheme]
        names = rule_set_for(file_settings.settings).about_targets
        has_labels = False
        if document.kind in ("asciidoc", "org"):
            has_labels = not self._only and "missing-id" in names
        elif not (self._only or names.isdisjoint(_LABEL_RULES)):
            if document.kind == "markdown":
                has_labels = any(sign.search(document.text) for sign in _LABEL_SIGNS)
            elif document.kind == "rst":
                has_labels = bool(document.replacements.starts) or _RST_SIGNS.search(document.text) is not None
        if not names or not (references or has_labels):
            return None
        from urlscan.targets.checker import DocumentChecker

        location = self.index.location(document.path, file_settings.targets)
        if location is None:
            return None
        checker = DocumentChecker(self.index, location, document, names, self._only)
        return checker.check(references, has_labels=has_labels)
