"""Check the references of a markup language to its own labels and documents."""

import re
from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.targets import TargetFault
from urlscan.targets.cross_references import CrossReference, cross_references
from urlscan.targets.generators import Generator
from urlscan.targets.index import TargetIndex
from urlscan.targets.references import decoded, normalized
from urlscan.targets.resolve import DocumentLocation
from urlscan.targets.similar import SimilarNames

# Extensions of Sphinx by which labels are defined elsewhere: by other projects, by titles, or by programs.
_OTHER_LABELS = re.compile(
    rb"intersphinx|autosectionlabel|autodoc|autoapi|breathe|sphinx_gallery|gallery|exhale|sphinx_design|needs"
)
_SPHINX = ("sphinx", "jupyter-book")
_LARGEST = 1 << 16
# Labels of the pages that Sphinx itself writes.
_OWN_LABELS = frozenset(("genindex", "modindex", "py-modindex", "search", "glossary"))
_SOURCES = ("", ".rst", ".md", ".txt", ".ipynb", ".rest")
# An attribute in a path, or a URL.
_COMPUTED = re.compile(r"(?m)^include::[^\n\[]*(?:\{|://)")
_FOOTNOTE = lazy(r"(?i)fn:|\d+\Z")


def cross_reference_faults(
    index: TargetIndex, document: DocumentLocation, segment: Document, generator: Generator | None
) -> Iterator[TargetFault]:
    """Yield the references of a document to labels and documents that its tree does not have.

    Args:
        index: the trees of the run.
        document: the document.
        segment: its text.
        generator: the site generator that publishes the document, or None.
    """
    checker = _Checker(index, document, segment, generator)
    checks = {
        "rst": checker.of_sphinx,
        "markdown": checker.of_sphinx,
        "asciidoc": checker.of_asciidoc,
        "org": checker.of_org,
    }
    check = checks.get(segment.kind)
    for reference in cross_references(segment) if check is not None else ():
        fault = check(reference) if check is not None else None
        if fault is not None:
            yield fault


class _Checker:
    """Checks the cross-references of one document."""

    def __init__(
        self, index: TargetIndex, document: DocumentLocation, segment: Document, generator: Generator | None
    ) -> None:
        self._index, self._document, self._segment, self._generator = index, document, segment, generator

    def of_sphinx(self, reference: CrossReference) -> TargetFault | None:
        """Check a role of Sphinx or an included file."""
        document, generator = self._document, self._generator
        tree, path = document.tree, reference.path
        is_sphinx = generator is not None and generator.kind.name in _SPHINX
        if reference.form == "include":
            if path.startswith("/") and not is_sphinx:
                return None
            return None if _exists(document, _in_source(document, generator, path)) else _fault(reference, "file", path)
        if not is_sphinx or generator is None or ":" in reference.label + path:
            return None
        if _OTHER_LABELS.search(tree.read(generator.file, _LARGEST) or b"") is not None:
            return None
        if reference.form == "document":
            target = _in_source(document, generator, path)
            return None if _exists(document, target, _SOURCES) else _fault(reference, "document", path)
        label = " ".join(reference.label.split())
        labels = self._index.sphinx_labels(tree)
        if label in labels or label.lower() in labels or label in _OWN_LABELS or label.startswith("sphx_glr"):
            return None
        return _fault(reference, "label", label, self._similar(label.lower(), labels))

    def of_asciidoc(self, reference: CrossReference) -> TargetFault | None:
        """Check a cross-reference of AsciiDoc; an id or a title counts in any document, which may be included."""
        document = self._document
        path = decoded(reference.path)
        if reference.path:
            if self._generator is not None or path is None:  # components of Antora
                return None
            target = normalized(document.directory, path)
            if not _exists(document, target, ("", ".adoc", ".asciidoc", ".html")):
                return _fault(reference, "document", path)
        label = " ".join(reference.label.split())
        labels = self._index.asciidoc_labels(document.tree)
        if not label or label in labels or _is_computed(label, labels):
            return None
        if _COMPUTED.search(self._segment.decoded) is not None:
            return None
        if document.tree.find(f"{document.directory}/{label}.adoc".lstrip("/")).state != "missing":
            return None
        return _fault(reference, "label", label, self._similar(label, labels))

    def _similar(self, label: str, labels: frozenset[str]) -> str:
        """Return the label of the tree that a missing one means, or ""."""
        key = ("similar labels", self._document.tree.root, self._segment.kind == "asciidoc")
        return self._index.computed(key, lambda: SimilarNames(sorted(labels))).closest(label)

    def of_org(self, reference: CrossReference) -> TargetFault | None:
        """Check an internal link of Org, or a link to a file."""
        document = self._document
        tree, path = document.tree, decoded(reference.path) or ""
        anchors = self._index.anchors_in_memory(tree, document.path, "auto", self._segment.decoded, "org")
        if path:
            target = normalized(document.directory, path)
            if not _exists(document, target):
                return _fault(reference, "file", path)
            anchors = self._index.anchors(tree, target, "auto") if target and target.endswith(".org") else None
        label = reference.label
        if anchors is None or not anchors.is_complete or not label or _FOOTNOTE.match(label) is not None:
            return None
        name = label[1:] if label[0] in "#*" else label
        if name in anchors.lines or (not label.startswith("#") and anchors.label_names.has_letters(name)):
            return None
        return _fault(reference, "label", label)


def _is_computed(label: str, labels: frozenset[str]) -> bool:
    """Return whether a label may be one with an attribute: "a-{name}-b"."""
    return any(
        label.startswith(computed[: computed.find("{")]) and label.endswith(computed[computed.rfind("}") + 1 :])
        for computed in labels
        if 0 < computed.find("{") < computed.rfind("}")
    )


def _fault(reference: CrossReference, variant: str, written: str, suggestion: str = "") -> TargetFault:
    span = reference.start, reference.end
    return TargetFault("missing-label", *span, written, suggestion=suggestion, variant=variant)


def _exists(document: DocumentLocation, path: str | None, ends: tuple[str, ...] = ("",)) -> bool:
    """Return whether a file exists, or may be written by a build: it is ignored, or its directory is missing."""
    if path is None or any(document.tree.find(path + end).state != "missing" for end in ends):
        return True
    return document.tree.find(path.rpartition("/")[0]).state != "directory"


def _in_source(document: DocumentLocation, generator: Generator | None, path: str) -> str | None:
    """Return the path of a file, which begins at the directory of the documents if it begins with "/"."""
    if path.startswith("/"):
        return normalized(generator.source if generator is not None else "", path.lstrip("/"))
    return normalized(document.directory, path)
