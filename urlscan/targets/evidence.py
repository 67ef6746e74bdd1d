"""Judge a broken reference by the others of its form: where most of them lead nowhere, none was meant for the tree.

A program that this package does not know (a site generator, a template, a packager) resolves references in its own way,
and leaves the same evidence in every tree: references of one form lead nowhere in document after document. A mistake
is the exception among references that lead somewhere. The form of a reference is what such a program sees: the kind
of the document, the kind of the target, and how the path begins.

The evidence is read from the document and from a sample of the tree that depends on the tree alone, so that the
result is the same for a single file and for the whole tree. Distinct targets count, not their occurrences.
"""

import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from urlscan.core.find_options import FindOptions
from urlscan.core.lazy import lazy
from urlscan.core.segment import Segment
from urlscan.documents import regions_of
from urlscan.files.decode import decode, head_of, is_binary
from urlscan.files.identify import identify
from urlscan.files.tree import Tree
from urlscan.targets import conventions
from urlscan.targets.index import TargetIndex, is_anchor
from urlscan.targets.link_references import labels_of
from urlscan.targets.names import extension, is_changelog, is_template, is_vendored
from urlscan.targets.references import Reference, decoded, is_placeholder, read_reference
from urlscan.targets.resolve import DocumentLocation, index_of, starts

T = TypeVar("T")

# Three distinct broken targets, and more than three for each good one. On the judged findings of U912 in sets A to L
# (`benchmarks/target_judgements.jsonl`) this alone, in any number of documents, holds for 58 % of the false and 3 % of
# the true ones.
_FEWEST, _RATIO = 3, 3
# A person who renames a directory or mistakes the root of the tree breaks several references in one or two documents,
# so that they are evidence only if other documents agree, or if they are many.
_FEWEST_DOCUMENTS, _FEWEST_IN_DOCUMENT = 3, 10
# Without an extension, or with that of a page, a path often is the name under which a server knows a page.
_FEWEST_PAGES_IN_DOCUMENT = 5
# Pages that have the same broken reference, which a program then writes into every page.
_FEWEST_PAGES = 3
_MOST_NAMESAKES = 20
# Bounds on the work: documents of a directory and of a tree, and their size in bytes.
_MOST_IN_DIRECTORY, _MOST_IN_TREE = 100, 250
_LARGEST = 1 << 19
_LEAD = lazy(r"\A(?:\.{1,2}/)+")
_OPTIONS = FindOptions(relative=True)
_FAMILIES = {
    **dict.fromkeys(("md", "markdown", "mdx", "rst", "adoc", "asciidoc", "org", "ipynb", "txt"), "document"),
    **dict.fromkeys(("html", "htm", "xhtml", "php", "asp", "aspx", "jsp"), "page"),
    **dict.fromkeys(("png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico", "bmp", "tif", "tiff"), "image"),
    "": "name",
}


class Form(NamedTuple):
    """The properties of references that a program resolves in the same way.

    Attributes:
        subject: "file", "fragment" or "label".
        family: the kind of file that the path names: document, page, image, name (no extension), else the extension;
            with a dot if there is another one before the extension ("a.jsp.html"). For a fragment, that of the
            document that should have it.
        lead: how the path begins: "./", "../", with a directory ("a/") or the name of the file (""); for a fragment,
            whether it is in the same document ("#") or not ("").
    """

    subject: str
    family: str
    lead: str


class Tally(NamedTuple):
    """The distinct targets of the references of one form: those that lead nowhere, and the others."""

    broken: set[str]
    good: set[str]

    def refutes(self, fewest: int) -> bool:
        """Return whether hardly any reference leads somewhere."""
        return len(self.broken) >= fewest and len(self.broken) > _RATIO * len(self.good)

    def add(self, other: "Tally") -> None:
        """Add the targets of another tally."""
        self.broken.update(other.broken)
        self.good.update(other.good)


Tallies = dict[Form, Tally]
# The form of all labels of link references.
_LABEL = Form("label", "", "")


class Evidence:
    """The references of a document and of its tree, by form.

    Args:
        index: the trees of the run.
        document: the document.
    """

    def __init__(self, index: TargetIndex, document: DocumentLocation) -> None:
        self._index, self._document = index, document
        self._segment: Segment | None = None
        # The results for this segment.
        self._computed: dict[Hashable, Any] = {}

    def refutes_file(self, segment: Segment, path: str) -> bool:
        """Return whether a broken reference was not meant to lead to a file of the tree.

        Args:
            segment: the text of the document.
            path: the decoded path of the reference.
        """
        form = file_form(path)
        return (
            self._once(segment, form, lambda: self._refutes_files(segment, form))
            or self._is_moved(segment, path)
            or (segment.kind == "html" and self._is_on_pages(segment, path))
        )

    def refutes_fragment(self, segment: Segment, target: str) -> bool:
        """Return whether a broken fragment was not meant for the anchors that this package knows.

        Args:
            segment: the text of the document.
            target: the path of the document that lacks the anchor; "" for the same document.
        """
        form = _fragment_form(self._document.path, target or self._document.path)
        return self._once(segment, form, lambda: _refute(self._documents(segment, "fragment"), form))

    def refutes_label(self, segment: Segment) -> bool:
        """Return whether the labels in a document of Markdown are not those of link references."""
        return self._once(segment, _LABEL, lambda: self._refutes_labels(segment))

    def _refutes_labels(self, segment: Segment) -> bool:
        if _sum_of([self._own(segment, "label")]).refutes(_FEWEST_IN_DOCUMENT):
            return True
        return _refute(self._documents(segment, "label"), _LABEL)

    def _refutes_files(self, segment: Segment, form: Form) -> bool:
        own = self._own(segment, "file")
        # A document whose references of all forms lead nowhere belongs elsewhere.
        if _sum_of([own]).refutes(_FEWEST_IN_DOCUMENT):
            return True
        if form.family in ("name", "page") and _sum_of([own], form).refutes(_FEWEST_PAGES_IN_DOCUMENT):
            return True
        directory = self._document.directory
        return _refute(self._documents(segment, "file", directory), form) or _refute(
            self._documents(segment, "file"), form
        )

    def _is_moved(self, segment: Segment, path: str) -> bool:
        """Return whether a reference leads somewhere from another directory, where a build has the documents."""

        def count() -> set[str]:
            moved: dict[str, tuple[set[str], set[int]]] = {}
            for number, tallies in enumerate(self._documents(segment, "file", self._document.directory)):
                for other in _broken_paths(tallies):
                    for base in self._bases(other):
                        paths, documents = moved.setdefault(base, (set(), set()))
                        paths.add(other)
                        documents.add(number)
            return {
                base
                for base, (paths, documents) in moved.items()
                if len(paths) >= _FEWEST and len(documents) >= _FEWEST_DOCUMENTS
            }

        bases = self._bases(path)
        return bool(bases) and not bases.isdisjoint(self._once(segment, "moved", count))

    def _bases(self, path: str) -> set[str]:
        """Return the directories from which a path, without "./" and "../", leads to a file."""
        rest = _LEAD.sub("", path)
        files = self._document.tree.files_named(rest.rpartition("/")[2])[:_MOST_NAMESAKES]
        return {file.removesuffix(rest) for file in files if f"/{file}".endswith(f"/{rest}")}

    def _is_on_pages(self, segment: Segment, path: str) -> bool:
        """Return whether several pages have the same broken reference."""
        documents = self._documents(segment, "file")
        pages = self._once(segment, "pages", lambda: Counter(one for each in documents for one in _broken_paths(each)))
        return pages[path] >= _FEWEST_PAGES

    def _once(self, segment: Segment, key: Hashable, compute: Callable[[], T]) -> T:
        """Return what is computed for a text of the document, once for each key."""
        if segment is not self._segment:
            self._segment = segment
            self._computed.clear()
        if key not in self._computed:
            self._computed[key] = compute()
        value: T = self._computed[key]
        return value

    def _own(self, segment: Segment, subject: str) -> Tallies:
        """Return the tallies of the document itself, as it is in memory."""
        return self._once(segment, ("own", subject), lambda: _TALLIES[subject](self._index, self._document, segment))

    def _documents(self, segment: Segment, subject: str, directory: str | None = None) -> list[Tallies]:
        """Return the tallies of the document and of others of its kind.

        Args:
            segment: the text of the document.
            subject: a key of _TALLIES.
            directory: the directory of the others; None for a sample of the tree.
        """
        tree, kind = self._document.tree, segment.kind

        def choose() -> list[str]:
            if directory is None:
                return _sample(tree.files(), kind, _MOST_IN_TREE)
            return _sample(tree.files_in(directory), kind, _MOST_IN_DIRECTORY)

        paths = self._index.computed(("documents", tree.root, kind, directory), choose)
        others = [self._of_document(path, kind, subject) for path in paths if path != self._document.path]
        return [self._own(segment, subject), *others]

    def _of_document(self, path: str, kind: str, subject: str) -> Tallies:
        """Return the tallies of a document on disk."""
        document = self._document._replace(path=path)

        def count() -> Tallies:
            segment = _read(document.tree, path, kind, "][" if subject == "label" else "")
            tallies = _TALLIES[subject](self._index, document, segment) if segment is not None else {}
            if is_changelog(path):  # its references were right when they were written
                return {form: Tally(set(), one.good) for form, one in tallies.items()}
            return tallies

        return self._index.computed((subject, document), count)


def file_form(path: str) -> Form:
    """Return the form of a reference to a file."""
    lead = next((one for one in ("./", "../") if path.startswith(one)), "a/" if "/" in path else "")
    return Form("file", _family(path), lead)


def _fragment_form(document: str, target: str) -> Form:
    return Form("fragment", _family(target), "#" if target == document else "")


def _family(path: str) -> str:
    end = extension(path)
    stem = path.rpartition("/")[2].rpartition(".")[0].strip(".") if end else ""
    return _FAMILIES.get(end, end) + ("." if "." in stem else "")


def _sum_of(documents: list[Tallies], form: Form | None = None) -> Tally:
    """Return the targets of the references in documents, of one form or of all."""
    found = Tally(set(), set())
    for tallies in documents:
        for one in tallies.values() if form is None else (tallies[form],) if form in tallies else ():
            found.add(one)
    return found


def _refute(documents: list[Tallies], form: Form) -> bool:
    """Return whether hardly any reference of a form in several documents leads somewhere."""
    is_common = sum(form in one and bool(one[form].broken) for one in documents) >= _FEWEST_DOCUMENTS
    return is_common and _sum_of(documents, form).refutes(_FEWEST)


def _broken_paths(tallies: Tallies) -> set[str]:
    """Return the paths, as written, of the references to files in a document that lead nowhere."""
    return {target.partition("\n")[2] for tally in tallies.values() for target in tally.broken}


# --- one document


def _file_tallies(index: TargetIndex, document: DocumentLocation, segment: Segment) -> Tallies:
    """Return the references of a document to files; those that are doubtful do not count."""
    found: Tallies = {}
    for start, reference in _references(segment):
        if not reference.path or is_placeholder(reference.raw_path):
            continue
        states = [index.find(document, path).state for path in paths_of(index, document, segment, start, reference)]
        if not states or "unknown" in states:
            continue
        tally = found.setdefault(file_form(reference.path), Tally(set(), set()))
        is_broken = all(state == "missing" for state in states)
        # The same path means another file in another directory.
        (tally.broken if is_broken else tally.good).add(f"{document.directory}\n{reference.path}")
    return found


def _fragment_tallies(index: TargetIndex, document: DocumentLocation, segment: Segment) -> Tallies:
    """Return the fragments in a document whose target exists and is a document."""
    found: Tallies = {}
    for start, reference in _references(segment):
        wanted = decoded(reference.fragment) if reference.fragment else None
        if not wanted:
            continue
        path = document.path
        if reference.path:
            entries = [index.find(document, one) for one in paths_of(index, document, segment, start, reference)]
            entry = next((one for one in entries if one.state != "missing"), None)
            if entry is None or entry.state not in ("file", "directory"):
                continue
            path = entry.path if entry.state == "file" else index_of(document, entry.path)
        state = _has_anchor(index, document, path, wanted) if path else None
        if state is not None:
            tally = found.setdefault(_fragment_form(document.path, path), Tally(set(), set()))
            (tally.good if state else tally.broken).add(f"{path}\n{wanted}")
    return found


def _has_anchor(index: TargetIndex, document: DocumentLocation, path: str, wanted: str) -> bool | None:
    """Return whether a document has an anchor; None if that is not known."""
    for preset in ("github", "auto"):
        anchors = index.anchors(document.tree, path, preset)
        if anchors is None:
            return None
        if is_anchor(wanted, anchors):
            return True
        if not anchors.is_complete:
            return None
    return False


def _label_tallies(_index: TargetIndex, _document: DocumentLocation, segment: Segment) -> Tallies:
    """Return the labels of full and collapsed references in a document of Markdown."""
    return {_LABEL: Tally(*labels_of(segment))} if "][" in segment.text else {}


_TALLIES: dict[str, Callable[[TargetIndex, DocumentLocation, Segment], Tallies]] = {
    "file": _file_tallies,
    "fragment": _fragment_tallies,
    "label": _label_tallies,
}


def paths_of(
    index: TargetIndex, document: DocumentLocation, segment: Segment, start: int, reference: Reference
) -> list[str]:
    """Return the paths that a reference may mean, the literal one last; none for one that leaves the tree.

    Args:
        index: the trees of the run.
        document: the document.
        segment: its text.
        start: the offset of the reference.
        reference: the reference.
    """
    paths = starts(document, reference)
    if None in paths:
        return []
    in_module = conventions.module_path(index.generator(document.tree, document.path), document.path, reference.path)
    if in_module is None:
        in_module = conventions.image_path(segment, start, document.path, reference.path)
    return [one for one in (in_module, *paths) if one is not None]


def _references(segment: Segment) -> Iterator[tuple[int, Reference]]:
    """Yield the relative references of a document with their offsets."""
    for start, end in () if segment.base else segment.links:
        url = segment.text[start:end].strip()
        if ":" in url.partition("/")[0].partition("#")[0] or url.startswith("/"):
            continue
        reference = read_reference(url)
        if reference is not None:
            yield start, reference


# --- the documents of a tree


def _sample(files: Iterable[str], kind: str, most: int) -> list[str]:
    """Return documents of a kind, evenly distributed over the files, without those that are never checked."""
    paths = [one for one in files if identify(one) == kind and not (is_template(one, kind) or is_vendored(one))]
    step = max(len(paths) / most, 1.0)
    return [paths[int(number * step)] for number in range(min(len(paths), most))]


def _read(tree: Tree, path: str, kind: str, sign: str = "") -> Segment | None:
    """Return the text of a document of a tree; None if it is large, lacks a sign, or is another kind by its content."""
    from urlscan.documents.segments import build_segment

    data = tree.read(path, _LARGEST) if tree.find(path).is_readable else None
    if data is None or is_binary(data) or identify(os.path.basename(path), head_of(data)) != kind:
        return None
    text = decode(data, None, kind)
    if sign not in text.text:
        return None
    return build_segment(text, kind, regions_of(text.text, kind, _OPTIONS))
