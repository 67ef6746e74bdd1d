"""Check the references of a document: whether the file exists, and whether it has the anchor."""

import functools
import os
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from urlscan.core.lazy import lazy
from urlscan.core.records import Match, in_text
from urlscan.core.segment import Segment
from urlscan.core.settings import TargetSettings
from urlscan.core.targets import TargetFault
from urlscan.files.tree import TreeEntry
from urlscan.targets import conventions, suggest
from urlscan.targets.evidence import Evidence, paths_of
from urlscan.targets.generators import Generator
from urlscan.targets.index import TargetIndex, anchors_of_text, is_anchor
from urlscan.targets.labels import cross_reference_faults
from urlscan.targets.names import extension, is_changelog, is_page, is_template, is_vendored
from urlscan.targets.parts import is_dynamic, is_from_source_code, is_generated, is_in_shortcode, is_part
from urlscan.targets.references import (
    Reference,
    decoded,
    is_forge_page,
    is_placeholder,
    is_program,
    normalized,
    read_reference,
)
from urlscan.targets.resolve import DocumentLocation, find_cased, index_of, is_published, names_of

# Most runs need no anchors.
if TYPE_CHECKING:
    from urlscan.targets.anchors import Anchors

# Elements whose files a build writes: scripts, style sheets, icons; and those whose URL leads to a program.
_BUILT = lazy(r"(?i)<(?:script|link|form|input|base|iframe|object|embed|use|meta|area|frame)\b[^<>]*\Z")
# Elements of SVG that refer to definitions of the image.
_GRAPHICS = lazy(r"(?i)<(?:use|textPath|mpath|animate\w*|linearGradient|radialGradient|pattern|filter)\b[^<>]*\Z")
_ATTRIBUTE = lazy(r"""=[ \t\r\n]*["']?\Z""")
# Names that a page's script gives a meaning: "#/route", "#!page", "#tab=1".
_ROUTE = lazy(r"[!/]|.*[=&{}]|.*\$\(")
# A value of an attribute that is no URL, but an expression or a list of names.
_NO_URL = lazy(r"['\s]")
_BEFORE = 400
_FILE_RULES = frozenset(("missing-file", "wrong-case", "leaves-root"))
_FRAGMENT_RULES = frozenset(("missing-fragment", "fragment-case"))
# The algorithm that makes most anchors; it is tried before the others.
_COMMON = "github"
# Suggestions compare a name with many others; a document with more faults gets no further ones.
_MOST_SUGGESTIONS = 200
# Documents that one document includes; further ones are not read.
_MOST_SIBLINGS = 50


class DocumentChecker:
    """Checks the references of one document (`core.targets.TargetChecker`).

    Args:
        index: the trees of this run.
        document: where the document is.
        names: the names of the enabled rules; nothing else is looked for.
        only: the names of the files to which references are checked (`resolve.names_of`); None for all files.
    """

    def __init__(
        self,
        index: TargetIndex,
        document: DocumentLocation,
        names: frozenset[str],
        only: frozenset[str] | None = None,
    ) -> None:
        self._index = index
        self._document = document
        self._names = names
        self._only = only
        self._checks_fragments = not names.isdisjoint(_FRAGMENT_RULES)
        self._checks_references = self._checks_fragments or not names.isdisjoint(_FILE_RULES)
        self._own: tuple[str, dict[str, Anchors | None]] | None = None
        self._inserted: tuple[Segment, bool] | None = None
        self._suggestions = 0
        self._evidence = Evidence(index, document)

    def check_reference(self, occurrence: Match, segment: Segment) -> list[TargetFault]:
        """Return what is wrong with the target of a reference, if anything."""
        if not self._checks_references or occurrence.template or segment.base:
            return []
        faults = self._faults(occurrence, segment)
        if not faults or self._is_inserted(segment, occurrence):
            return []
        return [self._graded(one, segment) for one in faults if not self._is_refuted(one, segment)]

    def _is_refuted(self, fault: TargetFault, segment: Segment) -> bool:
        """Return whether the other references of its form show that a reference is resolved in an unknown way."""
        if fault.name == "missing-file":
            return self._evidence.refutes_file(segment, fault.wanted)
        return fault.name == "missing-fragment" and self._evidence.refutes_fragment(segment, fault.target)

    def _graded(self, fault: TargetFault, segment: Segment) -> TargetFault:
        """Return a fault that is marked as information where its document is not likely to be edited."""
        if fault.name not in ("missing-fragment", "missing-file"):
            return fault
        # A page is often served with files that its tree lacks: 13 of 32 judged findings were true.
        is_served = fault.name == "missing-file" and segment.kind == "html" and not self._document.settings.root_dirs
        return fault._replace(is_advisory=is_served or self._is_advisory(segment))

    def _is_advisory(self, segment: Segment) -> bool:
        """Return whether the document is a changelog, or was written by a program."""
        return is_changelog(self._document.path) or segment.computed(is_generated)

    def _is_inserted(self, segment: Segment, occurrence: Match) -> bool:
        """Return whether a reference is resolved from another document: its own is a template, or a part of a page."""
        document = self._document
        if self._is_foreign(segment):
            return True
        if conventions.is_resource(document.tree, self._generator, document.path):
            return True
        if segment.kind == "html" and _NO_URL.search(occurrence.url) is not None:
            return True
        if segment.kind == "asciidoc" and segment.text[occurrence.start - 1 : occurrence.start] == "<":
            return True  # image::<file>[]
        if conventions.is_comment(segment, occurrence.start) or conventions.is_credit(segment, occurrence.start):
            return True
        if self._inserted is None or self._inserted[0] is not segment:
            self._inserted = segment, _is_part(segment)
        return self._inserted[1] or (segment.kind == "markdown" and is_in_shortcode(segment, occurrence.start))

    def _is_foreign(self, segment: Segment) -> bool:
        """Return whether the document is a template, or a copy of the document of another project."""
        tree, path = self._document.tree, self._document.path
        return is_template(path, segment.kind) or (tree.is_checkout and conventions.is_copy(tree, path))

    @functools.cached_property
    def _generator(self) -> Generator | None:
        """The site generator that publishes the document."""
        return self._index.generator(self._document.tree, self._document.path)

    def _faults(self, occurrence: Match, segment: Segment) -> list[TargetFault]:
        reference = read_reference(occurrence.url)
        if reference is None:
            return []
        if not reference.path:
            return [] if self._only is not None else self._own_fragment(occurrence, segment, reference)
        if not reference.fragment and self._names.isdisjoint(_FILE_RULES):
            return []
        paths = paths_of(self._index, self._document, segment, occurrence.start, reference)
        if not paths:
            return self._outside(occurrence, reference) if not reference.path.startswith("/") else []
        if self._only is not None and not any(names_of([path], self._document.settings) & self._only for path in paths):
            return []
        found = [self._index.find(self._document, path) for path in paths]
        first = next((one for one in found if one.state != "missing"), None)
        if first is None:
            return self._missing(occurrence, segment, reference, found[0])
        return self._fragment_of(occurrence, segment, reference, first)

    def check_document(self, segment: Segment) -> Iterator[TargetFault]:
        """Yield what is wrong with the labels of a document."""
        document = self._document
        if self._is_foreign(segment):
            return
        if segment.kind == "markdown":
            from urlscan.targets.link_references import label_faults

            is_advisory = self._is_advisory(segment)
            for fault in label_faults(segment, self._names, lambda: self._has_other_definitions(segment)):
                if fault.name == "undefined-reference" and self._evidence.refutes_label(segment):
                    continue
                yield fault._replace(is_advisory=is_advisory)
        if "missing-label" in self._names and document.tree.is_checkout:
            yield from cross_reference_faults(self._index, document, segment, self._generator)

    def _has_other_definitions(self, segment: Segment) -> bool:
        """Return whether a label may be defined elsewhere."""
        # Plugins of MkDocs define labels by headings and symbols, Pandoc by headings.
        generator = self._generator
        if generator is not None and generator.kind.preset in ("mkdocs", "pandoc"):
            return True
        anchors = self._anchors(segment)
        if anchors is None or not anchors.is_complete:
            return True
        return conventions.is_included_below(self._document.tree, self._document.path)

    # --- files

    def _outside(self, occurrence: Match, reference: Reference) -> list[TargetFault]:
        """Return a fault for a reference that leaves the tree."""
        if normalized(self._document.directory, reference.path) is not None:  # a configured directory is elsewhere
            return []
        place = in_text(occurrence, 0, len(reference.raw_path))
        return [TargetFault("leaves-root", *place, reference.path)]

    def _missing(
        self, occurrence: Match, segment: Segment, reference: Reference, found: TreeEntry
    ) -> list[TargetFault]:
        """Return a fault for a missing file or a wrong letter case; none where the file may exist elsewhere."""
        if self._names.isdisjoint(("missing-file", "wrong-case")):
            return []
        tree, span = self._document.tree, in_text(occurrence, 0, len(reference.raw_path))
        actual = tree.find(found.path)
        if actual.state in ("file", "directory") and actual.cased:
            written = suggest.written_case(actual.path, reference.raw_path)
            return [TargetFault("wrong-case", *span, reference.path, actual.path, written, is_certain=actual.is_only)]
        if (twin := find_cased(self._document, found.path)) is not None:
            name = twin.path.rpartition(".")[0] + found.path[len(twin.path.rpartition(".")[0]) :]
            written = suggest.written_case(name, reference.raw_path)
            return [TargetFault("wrong-case", *span, reference.path, twin.path, written, is_certain=False)]
        if "missing-file" not in self._names or self._may_exist(occurrence, segment, reference, found.path):
            return []
        doubts = self._doubts(segment, reference, found.path)
        if doubts > 1 or self._is_found_where_included(reference):
            return []
        near = suggest.closest_file(tree, found.path) if self._may_suggest() else ""
        origin = conventions.module_path(self._generator, self._document.path, reference.path)
        origin = self._document.path if origin is None else origin.removesuffix(reference.path) + "_"
        written = suggest.written_path(near, origin, reference.raw_path) if near else ""
        return [TargetFault("missing-file", *span, reference.path, found.path, written, is_certain=not doubts)]

    def _doubts(self, segment: Segment, reference: Reference, path: str) -> int:
        """Return the number of reasons for which a missing file may be one that a build or another project has."""
        document, generator = self._document, self._generator
        doubts = [
            is_page(reference.path) or segment.kind == "html",
            bool(reference.fragment) and not extension(reference.path),  # a published page: no directory has anchors
            document.tree.find(path.rpartition("/")[0]).state != "directory",
            generator is not None and not generator.kind.follows_files,
            conventions.is_made_from_sibling(document.tree, path),
            conventions.is_image_elsewhere(document.tree, reference.path),
        ]
        return sum(doubts) + (doubts[-1] and conventions.is_for_doxygen(segment))

    def _is_found_where_included(self, reference: Reference) -> bool:
        """Return whether a reference leads to a file from a document that includes this one."""
        document = self._document
        for one in self._index.inclusions(document.tree).of(document.path):
            path = normalized(one.directory, reference.path)
            if path is not None and self._index.find(document, path).state != "missing":
                return True
        return False

    def _may_exist(self, occurrence: Match, segment: Segment, reference: Reference, path: str) -> bool:
        """Return whether a missing file may exist where the document is published."""
        document, generator = self._document, self._generator
        if not (document.tree.is_checkout or document.settings.root_dirs) or is_vendored(document.path):
            return True
        if (
            is_placeholder(reference.raw_path)
            or is_program(path)
            or is_forge_page(path)
            or conventions.is_no_file(document.tree, document.path, reference.path)
            or (is_page(reference.path) and conventions.is_javadoc_source(document.path))
            or conventions.is_in_images_directory(document.tree, segment, occurrence.start, reference.path)
            or self._is_generated(path)
            or self._is_redirected(reference.path, path)
        ):
            return True
        in_tag = segment.kind in ("markdown", "html", "ipynb") and _is_attribute(segment, occurrence)
        if in_tag and _is_attribute_of(_BUILT, segment, occurrence) and not conventions.is_source(document.tree, path):
            return True
        if "/" not in reference.path and "missing-scheme" in {fault.name for fault in occurrence.faults}:
            return True
        if is_page(reference.path) and (
            is_published(document, reference)
            or (segment.kind != "html" and self._only is None and not self._has_pages(path))
        ):
            return True
        if segment.kind == "markdown" and self._is_label(reference.path):
            return True
        if segment.kind == "html":
            if reference.path.endswith("/") and not self._has_pages(f"{path}.html"):
                return True
        elif conventions.has_source_elsewhere(document.tree, path):
            return True
        if generator is None:
            return conventions.is_lone_summary(document.tree, document.path)
        leaves = not path.startswith(generator.source + "/") and bool(generator.source)
        if leaves or is_page(path) or (in_tag and segment.kind == "markdown"):
            return True
        return not generator.kind.follows_files and extension(path) not in ("md", "mdx", "markdown")

    def _is_label(self, path: str) -> bool:
        """Return whether a path is a label of MyST."""
        if "/" in path or extension(path):
            return False
        source = self._generator.source if self._generator is not None else ""
        return path in self._index.labels(self._document.tree, source)

    def _has_pages(self, path: str) -> bool:
        """Return whether the directory of a missing page, if it is one, has pages; else a build writes them."""
        if not extension(path):
            return True
        names = self._document.tree.entries(path.rpartition("/")[0])
        return any(name.endswith((".html", ".htm", ".xhtml", ".php")) for name in names)

    def _is_generated(self, path: str) -> bool:
        """Return whether the configuration lists a path as written by a build."""
        globs = self._document.settings.generated
        if not globs:
            return False
        from urlscan.files.exclude import Excluder

        full = os.path.join(self._document.tree.root, path)
        return any(Excluder((glob,), base).excludes(full) for base, glob in globs)

    def _is_redirected(self, written: str, path: str) -> bool:
        sources = {source.strip("/") for source, _ in self._document.settings.redirects}
        return bool(sources) and not sources.isdisjoint((written.strip("/"), path))

    # --- anchors

    def _anchors(self, segment: Segment, preset: str = _COMMON) -> "Anchors | None":
        """Return the anchors of the document itself, as it is in memory."""
        if self._own is None or self._own[0] is not segment.document:
            self._own = segment.document, {}
        known = self._own[1]
        if preset not in known:
            document = self._document
            # Each cell of a notebook is a text of its own.
            known[preset] = (
                anchors_of_text(segment.document, segment.kind, preset)
                if segment.kind == "ipynb"
                else self._index.anchors_in_memory(document.tree, document.path, preset, segment)
            )
        return known[preset]

    def _own_fragment(self, occurrence: Match, segment: Segment, reference: Reference) -> list[TargetFault]:
        if not (reference.fragment and self._checks_fragments) or _is_attribute_of(_GRAPHICS, segment, occurrence):
            return []
        if conventions.is_identifier(reference.fragment) and conventions.is_for_doxygen(segment):
            return []  # a symbol of the program, or a label of another document
        find_anchors = functools.partial(self._anchors, segment)
        return self._fragment(occurrence, reference, find_anchors, "", is_html=segment.kind == "html")

    def _fragment_of(
        self, occurrence: Match, segment: Segment, reference: Reference, found: TreeEntry
    ) -> list[TargetFault]:
        """Return a fault for a missing anchor of another document."""
        if not (reference.fragment and self._checks_fragments):
            return []
        path = found.path if found.state == "file" else ""
        if found.state == "directory":
            path = index_of(self._document, found.path)
        if not path or is_template(path):
            return []
        if path == self._document.path:
            return self._own_fragment(occurrence, segment, reference)
        if self._generator is not None and is_page(reference.path) and not self._generator.publishes(path):
            return []  # a reference between pages of the site
        find_anchors = functools.partial(self._index.anchors, self._document.tree, path)
        return self._fragment(occurrence, reference, find_anchors, path)

    def _fragment(
        self,
        occurrence: Match,
        reference: Reference,
        find_anchors: "Callable[[str], Anchors | None]",
        path: str,
        *,
        is_html: bool = False,
    ) -> list[TargetFault]:
        raw = reference.fragment
        wanted = decoded(raw) if raw else None
        if not raw or wanted is None or not raw.strip("#"):
            return []
        preset = self._document.settings.anchors
        anchors = find_anchors(_COMMON if preset == "auto" else preset)
        if anchors is None or is_anchor(wanted, anchors) or is_anchor(raw, anchors) or not anchors.is_complete:
            return []
        if preset == "auto":  # all algorithms together take twenty times as long
            anchors = find_anchors(preset)
        if anchors is None or is_anchor(wanted, anchors) or is_anchor(raw, anchors):
            return []
        if path.endswith(".rst") and not anchors.lines:  # without a title: included in a document that has one
            return []
        if not anchors.is_complete or (is_html and _ROUTE.match(wanted)):
            return []
        start = reference.fragment_start
        span = in_text(occurrence, start, start + len(raw))
        folded = wanted.casefold()
        for anchor in anchors.lines:
            if len(anchor) == len(wanted) and anchor.casefold() == folded:
                return [TargetFault("fragment-case", *span, wanted, path, suggest.encoded(anchor, raw))]
        if "missing-fragment" not in self._names or self._may_have_anchor(wanted, anchors, path):
            return []
        near = suggest.closest_anchor(wanted, anchors.lines) if self._may_suggest() else ""
        return [TargetFault("missing-fragment", *span, wanted, path, suggest.encoded(near, raw))]

    def _may_have_anchor(self, wanted: str, anchors: "Anchors", path: str) -> bool:
        """Return whether the page of a document may have an anchor that the document does not show."""
        key = suggest.key_of(wanted)
        title = self._index.title(self._document.tree, path or self._document.path)
        if title and suggest.key_of(title) == key:
            return True
        if self._is_anchor_where_included(wanted, path or self._document.path):
            return True
        generator = self._index.generator(self._document.tree, path or self._document.path)
        if generator is not None and generator.kind.preset == "mkdocs":
            return conventions.may_be_object(self._document.tree, generator, wanted)
        if generator is not None and generator.kind.name in ("sphinx", "jupyter-book"):
            if wanted in self._index.labels(self._document.tree, generator.source):
                return True
            return not path and (
                conventions.may_be_object(self._document.tree, generator, wanted)
                or conventions.is_document_name(self._document.tree, self._document.path, wanted)
            )
        if conventions.may_be_heading(self._document.tree, path or self._document.path, wanted):
            return True
        unknown = generator is not None and not generator.kind.preset
        return unknown and any(suggest.key_of(anchor) == key for anchor in anchors.lines)

    def _is_anchor_where_included(self, wanted: str, path: str) -> bool:
        """Return whether a document that includes the one of a path, or others, has an anchor."""
        tree = self._document.tree
        inclusions = self._index.inclusions(tree)
        for one in inclusions.of(path):
            for page in (one.document, *inclusions.siblings(one)[:_MOST_SIBLINGS]):
                anchors = self._index.anchors(tree, page, "auto")
                if anchors is not None and anchors.line_of(wanted) is not None:
                    return True
        return False

    def _may_suggest(self) -> bool:
        self._suggestions += 1
        return self._suggestions <= _MOST_SUGGESTIONS


def checker_of(
    index: TargetIndex,
    path: str,
    settings: TargetSettings,
    names: frozenset[str],
    only: frozenset[str] = frozenset(),
) -> DocumentChecker | None:
    """Return the checker of a document; None if it is outside of every tree.

    Args:
        index: the trees of this run.
        path: the path of the document, which need not exist.
        settings: how targets are found.
        names: the names of the enabled rules.
        only: the files, as absolute paths, to which references are checked; empty for all.
    """
    place = index.place(path)
    if place is None or not place[1]:
        return None
    tree, name = place
    targets = frozenset(found[1] for one in only if (found := index.place(one)) is not None and found[0] is tree)
    document = DocumentLocation(tree, name, settings)
    return DocumentChecker(index, document, names, names_of(targets, settings) if only else None)


def _is_part(segment: Segment) -> bool:
    """Return whether the references of a document belong to another one, or were written by a program."""
    if segment.kind == "markdown":
        return is_part(segment)
    return segment.kind == "html" and (is_dynamic(segment) or is_from_source_code(segment))


def _is_attribute(segment: Segment, occurrence: Match) -> bool:
    """Return whether a reference is the value of an attribute of HTML."""
    start = occurrence.start
    return _ATTRIBUTE.search(segment.text[max(start - 10, 0) : start]) is not None


def _is_attribute_of(elements: "re.Pattern[str]", segment: Segment, occurrence: Match) -> bool:
    """Return whether a reference is the value of an attribute of some elements."""
    start = occurrence.start
    begin = segment.text.rfind("<", max(start - _BEFORE, 0), start)
    return begin >= 0 and elements.match(segment.text, begin, start) is not None
