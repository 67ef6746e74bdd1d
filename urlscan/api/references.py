"""Follow the references of documents: where each leads, which documents refer to a file or heading, what may follow.

The documents of a tree are read when it is asked, one after the other and within limits; nothing is kept but the index
of the link check. A document that is open in an editor is read from there. Offsets count characters.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from urlscan.core.document import Document
from urlscan.core.errors import UrlscanError
from urlscan.core.records import Match, in_text
from urlscan.core.secrets import redact
from urlscan.core.settings import FindOptions, SettingsProvider
from urlscan.documents import read_text
from urlscan.documents.identify import identify
from urlscan.files.decode import decode, is_binary
from urlscan.files.tree import Tree
from urlscan.finder import find_in_document
from urlscan.pipeline.referrers import mention_pattern
from urlscan.pipeline.targets import Targets
from urlscan.targets.anchors import Anchors
from urlscan.targets.cross_references import cross_references
from urlscan.targets.link_references import definition_at
from urlscan.targets.names import is_document
from urlscan.targets.references import Reference, decoded, read_reference
from urlscan.targets.resolve import DocumentLocation, candidate_paths, document_of, find

# Limits of one search: the bytes of a document, the bytes that are read, the characters that are parsed.
_LARGEST = 1 << 24
_MOST_READ = 1 << 28
MOST_PARSED = 1 << 24
_HEAD = 1024


class OpenTree(NamedTuple):
    """The trees of a project, with the texts that are open in the editor.

    `read_open` returns the text of an open document by its absolute path; None if it is not open.
    """

    targets: Targets
    provider: SettingsProvider
    read_open: Callable[[str], str | None]

    def location(self, path: str) -> DocumentLocation | None:
        """Return where a document is, by its absolute path; None if it is in no tree."""
        return self.targets.index.location(path, self.provider.of(path).targets)

    def anchors(self, document: DocumentLocation, path: str) -> Anchors | None:
        """Return the anchors of a document of the tree, by the algorithm that applies to a document."""
        return self.targets.index.anchors(document.tree, path, self.preset(document))

    def preset(self, document: DocumentLocation) -> str:
        """Return the algorithm of the anchors of a document: the configured one, or that of its generator or GitHub."""
        preset = document.settings.anchors
        if preset == "auto":
            generator = self.targets.index.generator(document.tree, document.path)
            if generator is not None:
                preset = generator.preset
        if preset in ("auto", ""):
            return "github"
        return preset

    def read(self, document: DocumentLocation) -> str | None:
        """Return the text of a document, as an editor shows it; None for one that is not UTF-8, binary or too large."""
        text = self.read_open(full_path(document))
        if text is not None:
            return text
        data = document.tree.read(document.path, _LARGEST)
        if data is None or is_binary(data):
            return None
        decoded_data = decode(data)
        if decoded_data.encoding != "utf-8" or not decoded_data.whole:
            return None
        return decoded_data.text

    def kind(self, document: DocumentLocation, text: str) -> str:
        """Return the kind of a document."""
        return self.provider.of(full_path(document)).kind or identify(document.path, text[:_HEAD])

    def documents(
        self, tree: Tree, pattern: "re.Pattern[str]", always: Callable[[str], bool]
    ) -> Iterator[tuple[DocumentLocation, str] | None]:
        """Yield the documents of a tree, and their texts, that match a pattern or must be searched; None for others.

        Raise UrlscanError if there is more to read than one request may.
        """
        count = parsed = 0
        for path in tree.files:
            full = os.path.join(tree.root, path)
            if not is_document(path) or self.provider.excludes(full, None):
                continue
            document = DocumentLocation(tree, path, self.provider.of(full).targets)
            text = self.read(document)
            count += len(text or "")
            if text is None or not (always(path) or pattern.search(text) is not None):
                yield None
                continue
            parsed += len(text)
            if count > _MOST_READ or parsed > MOST_PARSED:
                raise UrlscanError(f"{tree.root}: too many documents to search for references")
            yield document, text


def full_path(document: DocumentLocation) -> str:
    """Return the absolute path of a document."""
    return os.path.join(document.tree.root, document.path)


# --- the links of a document


class Link(NamedTuple):
    """A reference of a document to a file or a heading, by its path and its fragment as written, decoded.

    `rewrite` returns the edits that write another fragment; none if it cannot be written.
    """

    start: int
    end: int
    path: str
    fragment: str
    fragment_span: tuple[int, int]
    rewrite: Callable[[str], list[tuple[int, int, str]]]


def relative_references(segments: Iterable[Document]) -> Iterator[tuple[Document, Match, Reference]]:
    """Yield the relative references in the markup of a document; none below a base URL that it declares."""
    for segment in segments:
        if segment.base:
            continue
        for match in find_in_document(segment, FindOptions(relative=True)):
            if match.style == "markup" and not match.scheme and not match.template:
                reference = read_reference(match.url)
                if reference is not None:
                    yield segment, match, reference


def links_of(text: str, kind: str) -> Iterator[Link]:
    """Yield the references of a document to files and headings: its relative references, and those of its markup."""
    segments = list(read_text(text, kind=kind))
    for segment, match, reference in relative_references(segments):
        fragment = reference.fragment or ""
        yield _link(segment, match, reference.path, fragment, reference.fragment_start)
    for segment in segments:
        for cross in cross_references(segment):
            if cross.path or cross.label:
                written = segment.text[cross.start : cross.end]
                match = Match(written, written, cross.start, cross.end, cross.start, cross.end, "", "markup")
                yield _link(segment, match, cross.path, cross.label, len(written) - len(cross.label))


def _link(segment: Document, match: Match, path: str, fragment: str, fragment_start: int) -> Link:
    first = last = match.end
    if fragment:
        first, last = in_text(match, fragment_start, fragment_start + len(fragment))

    def rewrite(new: str) -> list[tuple[int, int, str]]:
        return segment.edits(first, last, new, match.start) or []

    span = segment.to_source(match.start, match.end)
    return Link(*span, path, decoded(fragment) or "", segment.to_source(first, last), rewrite)


def link_at(text: str, kind: str, offset: int) -> Link | None:
    """Return the link that holds or touches an offset, or None."""
    return next((link for link in links_of(text, kind) if link.start <= offset <= link.end), None)


def label_definition(text: str, kind: str, offset: int) -> tuple[int, int] | None:
    """Return the span of the definition of the link label at an offset of a Markdown document, or None."""
    if kind != "markdown":
        return None
    return definition_at(next(read_text(text, kind=kind)), offset)


# --- where a link leads


class Destination(NamedTuple):
    """Where a reference leads to.

    Attributes:
        path: the absolute path of the file or directory.
        name: its path from the root of the tree, with the fragment, as it is shown; secrets are masked.
        line: the line of the anchor, from 1; 0 without one.
        state: file, directory or missing.
    """

    path: str
    name: str
    line: int = 0
    state: str = "file"


def target_of(document: DocumentLocation, path: str) -> tuple[str, str] | None:
    """Return the path in the tree that a path in a document leads to, and its state; None for a path out of the tree.

    A directory leads to the document that it shows.
    """
    if not path:
        return document.path, "file"
    paths = [start for start in candidate_paths(document, Reference(path, path, None, 0)) if start is not None]
    for start in paths:
        entry = find(document, start)
        if entry.state == "file":
            return entry.path, "file"
        if entry.state == "directory":
            if index := document_of(document, entry):
                return index, "file"
            return entry.path, "directory"
    if not paths:
        return None
    return paths[0], "missing"


def destination(tree: OpenTree, document: DocumentLocation | None, url: str) -> Destination | None:
    """Return where a relative reference leads to; None for one that is doubtful, or in a document of no tree."""
    reference = read_reference(url)
    if document is None or reference is None or not (reference.path or reference.fragment):
        return None
    return follow(tree, document, reference.path, decoded(reference.fragment or "") or "")


def follow(tree: OpenTree, document: DocumentLocation, path: str, fragment: str) -> Destination | None:
    """Return where a path and a fragment, both decoded, lead to from a document."""
    target = target_of(document, path)
    if target is None:
        return None
    relative, state = target
    full = os.path.join(document.tree.root, relative)
    if state == "missing":
        return Destination(full, redact(f"{relative} (no such file)"), state=state)
    line, name = 0, relative or "."
    if fragment:
        name += f"#{fragment}"
        anchors = tree.anchors(document, relative)
        if anchors is not None:
            line = anchors.line_of(fragment) or anchors.labels.get(fragment, 0)
            line = line or anchors.labels.get(" ".join(fragment.split()).lower(), 0)
    return Destination(full, redact(name), line, state)


# --- who refers to a file or a heading


class Referrer(NamedTuple):
    """A document, by its absolute path, and its links to a file or a heading, in order."""

    path: str
    text: str
    links: list[Link]


def referrers(tree: OpenTree, target: Destination) -> Iterator[Referrer | None]:
    """Yield the documents that refer to a file, or to the heading in its line; None for each document that does not.

    Raise UrlscanError if there is more to read than one request may.
    """
    location = tree.location(target.path)
    if location is None:
        return
    names: set[str] = set()
    if target.line and (anchors := tree.anchors(location, location.path)) is not None:
        all_names = (*anchors.lines.items(), *anchors.labels.items())
        names = {name for name, line in all_names if line == target.line}
    pattern = mention_pattern([location.path])
    for searched in tree.documents(location.tree, pattern, lambda path: path == location.path):
        if searched is None:
            yield None
            continue
        document, text = searched
        links = []
        for link in links_of(text, tree.kind(document, text)):
            leads_there = target_of(document, link.path) == (location.path, "file")
            if leads_there and (not target.line or link.fragment.removeprefix("user-content-") in names):
                links.append(link)
        yield Referrer(full_path(document), text, links) if links else None
