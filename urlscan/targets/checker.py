"""Check the references of a document: whether the file exists, and whether it has the anchor; and its labels."""

import re
from collections import Counter
from collections.abc import Iterator

from urlscan.core.document import Document
from urlscan.core.faults import CheckedTargets, Excuse, TargetFault, first_excuse
from urlscan.core.records import Match, in_text
from urlscan.documents.identify import FROZEN, identify, is_named
from urlscan.documents.languages import CONTINUATION
from urlscan.files.tree import TreeEntry
from urlscan.targets import suggest
from urlscan.targets.advice import ADVICE, KEPT, UNEDITED
from urlscan.targets.anchor_excuses import ANCHOR_ADVICE, ANCHORS
from urlscan.targets.anchors import Anchors
from urlscan.targets.causes import BrokenTarget, merge_all, merge_causes, merge_documents
from urlscan.targets.cross_references import CROSS_REFERENCES, cross_reference_faults
from urlscan.targets.excuses import DOCUMENTS, DOUBTS, FILES, PLACES, BrokenReference
from urlscan.targets.forge import own_reference
from urlscan.targets.generators import FORGE, publisher_of
from urlscan.targets.index import TargetIndex
from urlscan.targets.link_references import appended_labels, is_documentation_of_crate, label_faults
from urlscan.targets.malformed_links import empty_links, malformed_links, malformed_references, missing_prefix
from urlscan.targets.mistakes import MISTAKES, is_no_path, leads_above_root, misread_path, missing_file, path_of_author
from urlscan.targets.names import extension, is_document, is_page, join
from urlscan.targets.references import PLACEHOLDER, Reference, decoded, normalized, read_reference, reference_within
from urlscan.targets.resolve import DocumentLocation, candidate_paths, document_of, find, names_of, page_at, page_paths

_FILE_RULES = frozenset(("missing-file", "wrong-case", "leaves-root", "incomplete-link"))
_FRAGMENT_RULES = frozenset(("missing-fragment", "fragment-case"))
# All algorithms together take twenty times as long as that of GitHub.
_ATTEMPTS = {"auto": ("github", "auto")}
# A suggestion takes up to half a millisecond; a document with more faults gets no further ones.
_MOST_SUGGESTIONS = 1000


class DocumentChecker:
    """Checks the references and the labels of one document.

    Args:
        names: the names of the enabled rules; nothing else is looked for.
        only: the files, as absolute paths, to which references are checked; empty for all.
    """

    def __init__(
        self,
        index: TargetIndex,
        location: DocumentLocation,
        document: Document,
        names: frozenset[str],
        only: frozenset[str],
    ) -> None:
        self._index, self._location, self._names = index, location, names
        self.document = document
        places = [place for path in only if (place := index.place(path)) is not None]
        given = frozenset(path for tree, path in places if tree is location.tree)
        self._only: frozenset[str] | None = None
        if only:
            self._only = names_of(given, location.settings)
        generator = index.generator(location.tree, location.path)
        self._publisher = publisher_of(generator, location.path, document)
        self._suggestions = self._links = 0
        self._excused: Counter[str] = Counter()
        self.broken: list[BrokenTarget] = []

    def check(self, references: list[Match], *, has_labels: bool) -> CheckedTargets:
        """Return what is wrong with the targets of references, each cause once, and with the labels."""
        if self._names.isdisjoint(_FILE_RULES | _FRAGMENT_RULES):
            references = []
        for occurrence in references:
            self.check_reference(occurrence)
        about_labels: list[TargetFault] = []
        if has_labels:
            about_labels.extend(self._label_faults())
        malformed = {fault.start for fault in about_labels}
        faults = [(match, fault) for match, fault in self._reference_faults() if fault.start not in malformed]
        for fault in about_labels:
            span = fault.start, fault.end
            faults.append((Match(fault.url, fault.url, *span, *span, "", "markup", context="link"), fault))
        return CheckedTargets(faults, self._links, self._excused)

    def check_reference(self, occurrence: Match) -> None:
        """Look up the target of a reference, of a macro, or of a URL of the repository on its forge."""
        url, location, publisher = occurrence.url, self._location, self._publisher
        reference, find_fault = None, self._fault
        if occurrence.scheme:
            publisher, find_fault = FORGE, self._fault_on_forge
            reference = own_reference(self._index, location.tree, url)
            if reference is None or occurrence.template:
                return
        elif macro := publisher.kind.page_macro and re.fullmatch(publisher.kind.page_macro, url):
            reference, find_fault = reference_within(url, *macro.span("page")), self._fault_of_page
        elif not occurrence.template:
            reference = read_reference(url)
        self._links += 1
        if self.document.base and not occurrence.scheme:
            self._excuse("base")
            return
        if reference is None:
            self._excuse("placeholders")
            return
        broken = BrokenReference(self._index, location, publisher, self.document, occurrence, reference, location.path)
        fault = find_fault(broken)
        if fault is None:
            return
        if occurrence.scheme:
            occurrence = occurrence._replace(context=self.document.context(occurrence.start, occurrence.end))
            if self._is_no_link(occurrence, reference):
                return
            fault = fault._replace(is_certain=False)  # another branch may be right
        # A link without a scheme was never right, and one to a file that still exists elsewhere is to lead there.
        reasons = KEPT if fault.name == "incomplete-link" or fault.suggestion else UNEDITED
        fault = fault._replace(advice=fault.advice or first_excuse(reasons, broken))
        self.broken.append(BrokenTarget(occurrence, fault, self._cause(fault, reference)))

    def _is_no_link(self, occurrence: Match, reference: Reference) -> bool:
        """Return whether a URL is no link: code, output, a placeholder, or a part that a program completes."""
        text, path = self.document.text, reference.path
        if occurrence.context == "code" or PLACEHOLDER.fullmatch(path.lstrip("/")) is not None:
            return True
        if occurrence.context in ("link", "prose"):
            return False
        # A program compares or completes "docs/a", and a comment breaks it.
        is_whole = extension(path) or reference.fragment or "/tree/" in occurrence.url
        continuation = CONTINUATION.match(text, occurrence.end)
        # In a comment, the next line begins with a field: ":param a:".
        is_continued = continuation is not None and (occurrence.context != "comment" or "\n" not in continuation[0])
        return self.document.kind == "ipynb" or not is_whole or is_continued

    def _reference_faults(self) -> Iterator[tuple[Match, TargetFault]]:
        """Yield the broken references with what is wrong with them, each cause once."""
        tree, path = self._location.tree, self._location.path
        broken = self.broken
        if path.endswith("SUMMARY.md") and not self._publisher.kind.has_readme:
            broken = merge_all(broken, "broken links in this table of contents")
        elif is_named(FROZEN, path.lower()):
            broken = merge_all(broken, "broken links in this old version")
        for target in merge_causes(broken):
            if target.fault.name in ("missing-file", "missing-fragment") and not target.fault.advice:
                target = merge_documents(self._index, tree, path, target)
            yield target.occurrence, target.fault

    def _cause(self, fault: TargetFault, reference: Reference) -> tuple[str, str] | None:
        """Return the cause that other faults of the document may share, or None."""
        if fault.name == "missing-fragment" and reference.path:
            return "in that document", reference.raw_path
        missing, tree = "", self._location.tree
        directory = fault.target.rpartition("/")[0]
        while fault.name == "missing-file" and tree.find(directory).state != "directory":
            directory, missing = directory.rpartition("/")[0], directory
        if not missing.strip("./"):
            return None
        return "to the same missing directory", missing

    def _excuse(self, name: str) -> bool:
        """Count a reference that is not reported, if a name is given; return whether one is."""
        if name:
            self._excused[name] += 1
        return bool(name)

    def _is_excused(self, broken: BrokenReference, excuses: tuple[Excuse, ...]) -> bool:
        """Count and return whether an excuse holds; the place of a document excuses its relative references, too."""
        if not broken.occurrence.scheme:
            excuses = (*PLACES, *excuses)
        return self._excuse(first_excuse(excuses, broken))

    def _fault(self, broken: BrokenReference) -> TargetFault | None:
        reference, location = broken.reference, self._location
        if not reference.path:
            if self._only is not None:
                return None
            return self._anchor_fault(broken)
        if not reference.fragment and self._names.isdisjoint(_FILE_RULES):
            return None
        paths, root = candidate_paths(location, reference, self._publisher), broken.root
        if reference.path.startswith("/") and broken.has_inferred_root:
            root = self._index.site_root(location.tree, self._publisher)
            rooted = root.paths(location.path, reference.path)
            if is_page(reference.path):
                paths = [*rooted, *paths]
                # Wherever the root is, the page of a document with that path is known.
                if not paths and reference.fragment:
                    path = join(self._publisher.source, reference.path.strip("/"))
                    # The language of "a.html.en" matters, too.
                    key = page_at, location.tree.root, path, location.path.partition(".html")[2], location.settings
                    paths = [*filter(None, [self._index.computed(key, lambda: page_at(location, path))])]
            else:
                paths += rooted
        if not paths or None in paths:
            return self._outside(broken, paths) if self._only is None else None
        candidates = sorted((path for path in paths if path is not None), key=bool, reverse=True)  # the root last
        if not self._is_requested(*candidates):
            return None
        target = self._find(candidates, reference)
        if target.state != "file" or reference.fragment:  # most references lead to a file
            broken = broken._replace(path=candidates[0], root=root)
        return self._fault_at(broken, target)

    def _fault_at(self, broken: BrokenReference, target: TreeEntry) -> TargetFault | None:
        """Return a fault for a reference that leads to nothing, or to a document that lacks the anchor."""
        written = broken.reference.path
        # An ignored file may have the name of a host, but no build writes "mill.org.html" for it.
        is_page_of_build = target.state == "unknown" and not target.path.endswith(written.rstrip("/"))
        if target.state == "missing" or (is_page_of_build and missing_prefix(written)):
            return self._file_fault(broken)
        if target.state == "unknown":
            self._excuse("ignored")
            return None
        path = broken.reference.fragment and document_of(self._location, target)
        if not path:
            return None
        return self._anchor_fault(broken._replace(path=path))

    def _is_requested(self, *paths: str) -> bool:
        """Return whether one of some paths means a file to which references are checked."""
        return self._only is None or not self._only.isdisjoint(names_of(paths, self._location.settings))

    # --- files

    def _fault_on_forge(self, broken: BrokenReference) -> TargetFault | None:
        """Return a fault for a URL of a forge, which knows a file by its exact path only."""
        path = normalized("", broken.reference.path)
        if not path or not self._is_requested(path):
            return None
        return self._fault_at(broken._replace(path=path), self._location.tree.find(path, fold=False))

    def _fault_of_page(self, broken: BrokenReference) -> TargetFault | None:
        """Return a fault for the fragment in a macro; without its page the generator fails."""
        path, location, publisher = broken.reference.path, self._location, self._publisher
        if not path:
            return self._fault(broken)
        paths = page_paths(location, path, publisher, self._index.site_root(location.tree, publisher))
        target = self._find(paths, broken.reference)
        if target.state == "missing" or not self._is_requested(*paths):
            return None
        return self._fault_at(broken, target)

    def _find(self, candidates: list[str], reference: Reference) -> TreeEntry:
        """Return the first of some paths that exists."""
        entries = (find(self._location, path) for path in candidates)
        target = next((entry for entry in entries if entry.state != "missing"), TreeEntry("missing", candidates[0]))
        if target.state == "missing" and self._publisher.kind.finds_names:
            named = self._location.tree.files_named(reference.path.rpartition("/")[2])
            target = next((TreeEntry("file", path) for path in named if self._publisher.publishes(path)), target)
        return target

    def _outside(self, broken: BrokenReference, paths: list[str | None]) -> TargetFault | None:
        """Return a fault for a reference that leaves the tree; none where the root is not known."""
        reference = broken.reference
        is_missing = "missing-file" in self._names and leads_above_root(broken)
        if is_missing or path_of_author(broken) or misread_path(broken):
            return self._file_fault(broken._replace(path=reference.path.rstrip("/")))
        if not paths or reference.path.startswith("/"):
            self._excuse("root")
            return None
        if "leaves-root" not in self._names:
            self._excuse("outside")
        # With a path inside the tree, a configured directory is elsewhere.
        if normalized(self._location.directory, reference.path) is not None:
            return None
        return missing_file(broken)._replace(name="leaves-root", target="")

    def _file_fault(self, broken: BrokenReference) -> TargetFault | None:
        """Return what is wrong with a reference that leads to no file; None where the file may exist elsewhere."""
        if self._names.isdisjoint(_FILE_RULES) or self._is_excused(broken, DOCUMENTS):
            return None
        for recognize in MISTAKES:
            if (mistake := recognize(broken)) is not None:
                return mistake
        fault = missing_file(broken)
        if broken.occurrence.scheme:
            return fault
        is_word = is_no_path(broken)
        # A given file that is gone is missing without doubt, and so is what a word replaces.
        if self._only is None and not is_word and self._excuse(first_excuse(FILES, broken)):
            return None
        doubts = [doubt for doubt in DOUBTS if first_excuse((doubt,), broken)]
        if len(doubts) > 1:
            self._excuse("doubts")
            return None
        fault = fault._replace(is_certain=not doubts, advice=first_excuse(ADVICE, broken))
        if is_word:
            return fault
        return self._with_suggestion(fault, broken)

    def _with_suggestion(self, fault: TargetFault, broken: BrokenReference) -> TargetFault:
        """Return a fault with the path to write for the file that a missing one means, if there is one."""
        near = self._may_suggest() and suggest.closest_file(self._index, self._location.tree, broken.path)
        document, publisher, reference = self._location.path, self._publisher, broken.reference
        is_path = "/" in reference.path.rpartition("../")[2] or "../" in broken.path
        if not near and is_path:  # a "../" too few, or too many
            near = suggest.path_from_root(self._location.tree, document, reference.path)
        # From a document and from its page, different paths lead to an image; and no document means itself.
        if not near or near == document or publisher.kind.families:
            return fault
        if publisher.leaves(reference.path) and not is_document(near):
            return fault
        if suggest.is_moved(near, broken.path, reference.path, document):
            fault = fault._replace(variant="moved")
        return fault._replace(suggestion=suggest.written_path(near, document, reference.raw_path))

    # --- anchors

    def _anchors(self, path: str, preset: str) -> Anchors | None:
        """Return the anchors of a document; of the checked document itself, as it is in memory."""
        tree, document = self._location.tree, self.document
        if path != self._location.path:
            return self._index.anchors(tree, path, preset)
        if document.kind == "ipynb":  # each cell of a notebook is a text of its own
            path = ""
        return self._index.anchors_in_memory(tree, path, preset, document.decoded, document.kind)

    def _anchor_fault(self, broken: BrokenReference) -> TargetFault | None:
        """Return a fault for a fragment that names no anchor of the document at the path of the reference."""
        raw, path = broken.reference.fragment or "", broken.path
        name = decoded(raw)
        if name is None or not any(map(str.isalnum, name)) or self._names.isdisjoint(_FRAGMENT_RULES):
            return None
        preset = self._location.settings.anchors
        if preset == "auto" and self.document.kind != "ipynb" and not path.endswith(".ipynb"):
            preset = broken.publisher.preset  # a notebook is read in Jupyter and on the forge
        for algorithm in _ATTEMPTS.get(preset, (preset,)):
            anchors = self._anchors(path, algorithm)
            if anchors is None or anchors.has_place(name) or anchors.has_place(raw):
                return None
            broken = broken._replace(anchor=name, anchors=anchors)
        if self._is_excused(broken, (*DOCUMENTS, *ANCHORS)):
            return None
        start = broken.reference.fragment_start
        span = in_text(broken.occurrence, start, start + len(raw))
        if path == self._location.path:
            path = ""
        is_shown = not broken.publisher.is_detected  # a script of the forge ignores the letter case
        if is_shown and (anchor := broken.anchors.names.with_case(name)):
            return TargetFault("fragment-case", *span, name, path, suggest.encoded(anchor, raw))
        if "missing-fragment" not in self._names:
            return None
        near, of_site = self._closest_anchor(broken), ""
        if near and self._leads_on_forge(broken):  # which shows the document, too
            near, of_site = "", near
        fault = TargetFault("missing-fragment", *span, name, path, suggest.encoded(near, raw), variant=of_site)
        return fault._replace(advice=first_excuse(ANCHOR_ADVICE, broken))

    def _closest_anchor(self, broken: BrokenReference) -> str:
        """Return the anchor that a missing one means, or ""."""
        near, preset = self._may_suggest() and broken.anchors.names.closest(broken.anchor), broken.publisher.preset
        if not near:
            return ""
        # Programs make different anchors of a heading with several words, and some keep the letter case.
        if preset == "auto" and (broken.publisher.is_detected or not near.replace("-", "").isalnum()):
            return ""
        # Some programs drop hyphens at the edges: Astro and Jekyll; docsify writes "_" before a digit.
        lacks_sign = near[0].isdigit() and broken.anchor[0] == "_"
        has_hyphen = any(near[edge] == "-" and broken.anchor[edge] != "-" for edge in (0, -1))
        if broken.publisher.is_detected and (lacks_sign or has_hyphen):
            return ""
        return near

    def _leads_on_forge(self, broken: BrokenReference) -> bool:
        """Return whether an anchor that the site does not have is one on the forge."""
        if broken.publisher.preset == "github" or identify(broken.path) != "markdown":
            return False
        on_forge = self._anchors(broken.path, "github")
        return on_forge is not None and on_forge.has_place(broken.anchor)

    def _may_suggest(self) -> bool:
        self._suggestions += 1
        return self._suggestions <= _MOST_SUGGESTIONS

    # --- labels

    def _label_faults(self) -> Iterator[TargetFault]:
        """Yield what is wrong with the labels of the document, and with its links wherever they lead."""
        location, document = self._location, self.document
        whole = Reference("", "", None, fragment_start=0)
        start = Match("", "", 0, 0, 0, 0, "", "markup")
        labels = BrokenReference(self._index, location, self._publisher, document, start, whole, location.path)
        for fault in self._written_faults():
            if first_excuse((*PLACES, *DOCUMENTS), labels):
                return
            yield fault._replace(advice=first_excuse(UNEDITED, labels) or fault.advice)

    def _written_faults(self) -> Iterator[TargetFault]:
        """Yield what is wrong with the labels of the document, and with its links, as they are written."""
        document = self.document
        if document.kind == "markdown":
            yield from self._link_faults()
        elif document.kind == "rst" and "malformed-link" in self._names:
            yield from malformed_references(document)
        if CROSS_REFERENCES.get(document.kind) in self._names and self._location.tree.is_checkout:
            yield from cross_reference_faults(self._index, self._location, document, self._publisher)

    def _link_faults(self) -> Iterator[TargetFault]:
        """Yield what is wrong with the links of a Markdown document, whatever they lead to."""
        document, kind = self.document, self._publisher.kind
        yield from label_faults(document, self._names, self._may_be_defined)
        if "malformed-link" in self._names:
            yield from malformed_links(document, allows_blanks=kind.allows_blanks, links_code=kind.links_code)
        # In the table of contents of mdBook or docsify it is a draft.
        if "incomplete-link" in self._names and not self._location.path.endswith(("SUMMARY.md", "_sidebar.md")):
            yield from empty_links(document, fills_text=kind.has_labels)

    def _may_be_defined(self, label: str) -> bool:
        """Return whether a label may be defined elsewhere."""
        if (self._publisher.kind.defines_labels and not label.isdigit()) or self._publisher.kind.has_program:
            return True
        tree, path = self._location.tree, self._location.path
        if label in self._index.computed((appended_labels, tree.root), lambda: appended_labels(tree)):
            return True
        key = (is_documentation_of_crate, tree.root, path)
        if label.strip("`").isidentifier() and self._index.computed(key, lambda: is_documentation_of_crate(tree, path)):
            return True
        anchors = self._anchors(path, "github")
        return anchors is None or not anchors.is_complete or bool(anchors.inclusions)
