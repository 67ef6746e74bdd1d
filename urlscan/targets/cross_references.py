"""Check the references of a markup language to its own labels and documents, which are no URLs.

Sphinx 8, "Cross-referencing syntax", and MyST, "Roles"; docutils 0.22, directive "include"; Asciidoctor 2.0, "Cross
References"; Org Mode manual 9.7, "Internal Links".
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping

from urlscan.core.document import Document
from urlscan.core.faults import TargetFault
from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple
from urlscan.core.typing import Literal, T
from urlscan.files.tree import Tree
from urlscan.targets.generators import Generator
from urlscan.targets.index import DOCUMENTS_OF_SPHINX, SOURCES_OF_SPHINX, TargetIndex
from urlscan.targets.link_references import matches_in_text
from urlscan.targets.references import decoded, normalized
from urlscan.targets.resolve import DocumentLocation
from urlscan.targets.similar import SimilarNames, letters_of


class CrossReference(NamedTuple):
    """A reference to a label or a document.

    Attributes:
        form: what it names: a label of any document, a label of the same document, a document or an included file.
        path: the document or file as written; "" for the same document or any.
        label: the label as written, without a title; "" for a document.
    """

    form: Literal["label", "own", "document", "include"]
    start: int
    end: int
    path: str = ""
    label: str = ""


# Matches: `` :ref:`a` ``, `` :std:ref:`text <a>` ``, `` :doc:`/a/b` ``, `` {ref}`a` ``
# Does not match: `` :term:`a` ``, `` ref:`a` ``, `` :ref:`!a` ``
_ROLE = lazy(
    r"""
    (?: : (?<![\w:]:) (?:std:)? (?P<role> ref | numref | doc ) : | \{ (?P<myst> ref | numref | doc ) \} )
    ` (?! ! ) (?P<text> [^`\\]{1,500} ) `
    """,
    re.VERBOSE,
)
_ROLE_SIGNS = tuple(map(lazy, (r":(?:num)?(?:ref|doc):`", r"\{(?:num)?(?:ref|doc)\}`")))  # found faster
_TITLED = lazy(r"(?s).+<(?P<target>[^<>]++)>\s*+\Z")
# Matches: `.. include:: a.txt`, `.. literalinclude:: a/b.py`
# Does not match: `.. include:: <isonum.txt>`, `include:: a`, `.. include:: {a}.txt`, `.. include:: |a|`
_INCLUDE = lazy(r"\.\.[ ](?:literal)?include::[ \t]+(?P<path>[^\s<{|$][^\r\n{|$]{0,500}?)[ \t]*\r?$", re.MULTILINE)
# Blanks and list markers before a directive.
_MARGIN = " \t-*+"
# A directive, a target, a footnote or a substitution: explicit markup that is no comment. The contents of some
# directives are another language.
_EXPLICIT = lazy(r"\.\.[ ](?:(?!raw|math|graphviz|(?:di)?graph\b|mermaid|prompt|\w*uml)[\w.+:-]+[ ]?::|_|\[|\|)")
# Matches: `<<a>>`, `<<a,b c>>`, `<<a.adoc#b>>`, `xref:a[`
# Does not match: `<<a`, `xref: a[`, `\<<a>>`, `<<<a>>>`
_ASCIIDOC = lazy(
    r"""
    (?<![\\<\w]) << (?! < ) (?P<short> [^<>,\n{}\x1a]{1,200} ) (?: ,[^<>]{0,300} )? >> (?! > )
  | (?<![\\\w]) xref: (?P<macro> [\w/][\w/.:\#-]{0,200} ) \[
    """,
    re.VERBOSE,
)
# Matches: `[[#a]]`, `[[*Title][b]]`, `[[name]]`, `[[file:a.org::*Title]]`
# Does not match: `[[]]`, `[[a]`, `[a]`
_ORG = lazy(r"\[\[(?P<target>[^\[\]\n]{1,300})\](?:\[[^\[\]\n]{0,300}\])?\]")
# Org: abbreviations ("gh:a"), identifiers ("id:a"), lines of programs ("(a)"), search patterns ("/a/"), templates.
_OTHER_ORG = lazy(r"[\w+-]+:|[(/.~]|.*[{}%$<>\\|]")


def cross_references(segment: Document) -> Iterator[CrossReference]:
    """Yield the references of a document to labels and documents, in order; none in code or comments."""
    if segment.kind in _READERS:
        yield from _READERS[segment.kind](segment)


def _in_rst(segment: Document) -> Iterator[CrossReference]:
    text, references = segment.text, [*_roles(segment)]
    for match in matches_in_text(_INCLUDE, segment):
        if not text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip(_MARGIN):
            references.append(CrossReference("include", *match.span("path"), path=match["path"]))
    references.sort(key=lambda reference: reference.start)
    return outside_comments(text, ((reference.start, reference) for reference in references))


def _roles(segment: Document) -> Iterator[CrossReference]:
    """Yield the roles of Sphinx that name a label or a document."""
    if not any(sign.search(segment.text) for sign in _ROLE_SIGNS):
        return
    for match in matches_in_text(_ROLE, segment):
        name, (start, end) = match["text"], match.span("text")
        if (titled := _TITLED.match(name)) is not None:
            name = titled["target"].strip()
            start = segment.text.index(name, start + titled.start("target"))
            end = start + len(name)
        if not name.strip():  # the end of one code span and the beginning of the next
            continue
        if (match["role"] or match["myst"]) == "doc":
            yield CrossReference("document", start, end, path=name.strip())
        else:
            yield CrossReference("label", start, end, label=name)


def outside_comments(text: str, places: Iterable[tuple[int, T]]) -> Iterator[T]:
    """Yield the values whose offsets, which are in order, are in no comment of reStructuredText."""
    consumed, is_comment = -1, False
    for offset, value in places:
        newline = text.rfind("\n", max(consumed, 0), offset)
        if consumed < 0 or newline >= 0:  # the first of its line
            is_comment = _is_comment(text, newline + 1)
        consumed = offset
        if not is_comment:
            yield value


def _is_comment(text: str, begin: int) -> bool:
    """Return whether the line that begins at `begin` is in a comment, or in a directive with another language."""
    indent = sys.maxsize
    for _ in range(_MOST_LINES):
        line = text[begin : text.find("\n", begin) + 1 or len(text)].strip("\r\n")
        if line.strip() and _indent(line) < indent:
            indent, marker = _indent(line), line.lstrip()
            if marker == ".." or (marker.startswith(".. ") and _EXPLICIT.match(marker) is None):
                return True
        if not begin or not indent:
            return False
        begin = text.rfind("\n", 0, begin - 1) + 1
    return False


# A comment is not longer.
_MOST_LINES = 200


def _indent(line: str) -> int:
    expanded = line.expandtabs()
    return len(expanded) - len(expanded.lstrip())


def _in_asciidoc(segment: Document) -> Iterator[CrossReference]:
    for match in matches_in_text(_ASCIIDOC, segment):
        group = str(match.lastgroup)
        start, end = match.span(group)
        path, hash_, label = match[group].rpartition("#")
        if ":" in match[group] or (group == "macro" and (hash_ or "." in label)):
            continue  # a component of Antora, and a link
        if not path and label.endswith((".adoc", ".asciidoc")):
            path, label = label, ""
        if path:
            yield CrossReference("document", start, end, path, label)
        else:
            yield CrossReference("label", start, end, label=label)


def _in_org(segment: Document) -> Iterator[CrossReference]:
    for match in matches_in_text(_ORG, segment):
        start, end = match.span("target")
        target = match["target"]
        if target.startswith("file:"):
            path, _, label = target.removeprefix("file:").partition("::")
            if path.startswith(("/", "~")) or _OTHER_ORG.match(label) is not None:
                continue
            yield CrossReference("document", start + 5, end, path, label)
        elif _OTHER_ORG.match(target) is None:
            yield CrossReference("own", start, end, label=target)


_READERS: dict[str, Callable[[Document], Iterator[CrossReference]]] = {
    "rst": _in_rst,
    "markdown": _roles,
    "asciidoc": _in_asciidoc,
    "org": _in_org,
}


# --- whether what they name exists

# The rule that reports a reference to nothing.
CROSS_REFERENCES = {"rst": "missing-label", "markdown": "missing-label", "asciidoc": "missing-id", "org": "missing-id"}

# Signs of labels that are defined elsewhere: by other projects, by titles, or by programs; of a configuration that
# another file completes; and of documents with other extensions.
# Matches: `extensions = ['sphinx.ext.intersphinx`, `from a import *`, `extensions = a`, `version:`
# Does not match: `# intersphinx`, `extensions = [`, `source_suffix = '.rst`
_OTHER_LABELS = lazy(
    rb"""
    ^ (?! [ \t]*\# ) [^\n]*
    (?: import[ ]\* | sphinx_pyproject | extensions[ ]*=[ ]*[^\s\[(] | source_suffix\b.*\.(?!rst\b|md\b|txt\b|ipynb\b)
      | intersphinx | autosectionlabel | autoapi | ablog | breathe | exhale | gallery | nbsphinx | sphinx_design
      | sphinx_needs )
    | \A version:  # myst.yml
    """,
    re.MULTILINE | re.VERBOSE,
)
_LARGEST = 1 << 16
# Labels of the pages that Sphinx itself writes.
_OWN_LABELS = frozenset(("genindex", "modindex", "py-modindex", "search", "glossary"))
_SOURCES = ("", ".rst", ".md", ".txt", ".ipynb", ".rest")
# An attribute in a path, or a URL.
_COMPUTED = re.compile(r"(?m)^include::[^\n\[]*(?:\{|://)")
_FOOTNOTE = lazy(r"(?i)fn:|\d+\Z")


def cross_reference_faults(
    index: TargetIndex, document: DocumentLocation, segment: Document, publisher: Generator
) -> Iterator[TargetFault]:
    """Yield the references of a document to labels and documents that its tree does not have."""
    checker = _Checker(index, document, segment, publisher)
    checks = {"asciidoc": checker.of_asciidoc, "org": checker.of_org}
    yield from filter(None, map(checks.get(segment.kind, checker.of_sphinx), cross_references(segment)))


class _Checker:
    """Checks the cross-references of one document."""

    def __init__(self, index: TargetIndex, document: DocumentLocation, segment: Document, publisher: Generator) -> None:
        self._index, self._document, self._segment, self._publisher = index, document, segment, publisher

    def _fault(self, reference: CrossReference, variant: str, written: str, suggestion: str = "") -> TargetFault:
        name = CROSS_REFERENCES[self._segment.kind]
        return TargetFault(name, reference.start, reference.end, written, suggestion=suggestion, variant=variant)

    def of_sphinx(self, reference: CrossReference) -> TargetFault | None:
        """Check a role of Sphinx or an included file."""
        document, publisher = self._document, self._publisher
        tree, path = document.tree, reference.path
        has_labels = publisher.kind.has_labels
        base = document.directory
        if path.startswith("/"):
            base, path = publisher.source, path.lstrip("/")
        if reference.form == "include":
            if (has_labels or path == reference.path) and not _exists(document, normalized(base, path)):
                return self._fault(reference, "file", reference.path)
            return None
        if not has_labels or ":" in reference.label + path:
            return None
        key = ("other labels", tree.root, publisher.file)
        external = self._index.computed(key, lambda: _OTHER_LABELS.search(tree.read(publisher.file, _LARGEST) or b""))
        if reference.form == "document":
            if not external and not _exists(document, normalized(base, path), _SOURCES):
                return self._fault(reference, "document", reference.path)
            return None
        label = " ".join(reference.label.split())
        labels = self._index.sphinx_labels(tree, DOCUMENTS_OF_SPHINX)
        if label.lower() in labels or label in _OWN_LABELS or label.startswith("sphx_glr"):
            return None
        near = self._similar(label.lower(), labels)
        # Other projects and programs define further labels, but no misspelled ones of this project.
        if external and letters_of(near) in ("", letters_of(label)):
            return None
        if label.lower() in self._index.sphinx_labels(tree, SOURCES_OF_SPHINX):  # in the documentation of programs
            return None
        return self._fault(reference, "label", label, near)

    def of_asciidoc(self, reference: CrossReference) -> TargetFault | None:
        """Check a cross-reference of AsciiDoc; an id or a title counts in any document, which may be included."""
        document = self._document
        path = decoded(reference.path)
        if reference.path:
            if self._publisher.is_detected or path is None:  # components of Antora
                return None
            target = normalized(document.directory, path)
            if not _exists(document, target, ("", ".adoc", ".asciidoc", ".html")):
                return self._fault(reference, "document", path)
        label = " ".join(reference.label.split())
        tree = document.tree
        if not label or is_label_of_asciidoc(self._index, tree, label):
            return None
        if self._segment.computed(_includes_computed):
            return None
        if document.tree.find(f"{document.directory}/{label}.adoc".lstrip("/")).state != "missing":
            return None
        return self._fault(reference, "label", label, self._similar(label, self._index.asciidoc_labels(tree)))

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
            anchors = None
            if target and target.endswith(".org"):
                anchors = self._index.anchors(tree, target, "auto")
        label = reference.label
        if anchors is None or not anchors.is_complete or not label or _FOOTNOTE.match(label) is not None:
            return None
        name = label.removeprefix("#").removeprefix("*")
        if name in anchors.lines or (not label.startswith("#") and anchors.label_names.has_letters(name)):
            return None
        return self._fault(reference, "label", label)


def _includes_computed(segment: Document) -> bool:
    return _COMPUTED.search(segment.decoded) is not None


def is_label_of_asciidoc(index: TargetIndex, tree: Tree, label: str) -> bool:
    """Return whether an AsciiDoc document of a tree has an id or a title, also one with attributes."""
    labels = index.asciidoc_labels(tree)
    forms = index.computed(("computed labels", tree.root), lambda: _computed_labels(labels))
    return label in labels or _is_computed(label, forms)


def _computed_labels(labels: frozenset[str]) -> dict[str, set[str]]:
    """Return the ends of the labels with an attribute, "a-{name}-b", by their beginnings."""
    forms: dict[str, set[str]] = {}
    for label in labels:
        if 0 < label.find("{") < label.rfind("}"):
            forms.setdefault(label[: label.find("{")], set()).add(label[label.rfind("}") + 1 :])
    return forms


def _is_computed(label: str, forms: Mapping[str, set[str]]) -> bool:
    """Return whether a label, of at most 200 characters, may be one with an attribute."""
    positions = range(len(label) + 1)
    ends = (forms[label[:start]] for start in positions if label[:start] in forms)
    return any(label[start:] in suffixes for suffixes in ends for start in positions)


def _exists(document: DocumentLocation, path: str | None, ends: tuple[str, ...] = ("",)) -> bool:
    """Return whether a file exists, or may be written by a build: it is ignored, or its directory is missing."""
    if path is None or any(document.tree.find(path + end).state != "missing" for end in ends):
        return True
    return document.tree.find(path.rpartition("/")[0]).state != "directory"
