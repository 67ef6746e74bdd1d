"""Decide whether a reference that leads nowhere is a mistake: each reason not to report it is an entry with a name.

Every entry has a case in `corpus/targets` (key `excuse`), which is reported if the entry is off. `-v` counts the
references that each entry excuses, and `benchmarks/ablation.py` shows what changes without it.
"""

import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice

from urlscan.core.document import Document
from urlscan.core.faults import Excuse
from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple
from urlscan.core.records import Match
from urlscan.documents.identify import is_vendored
from urlscan.files.patterns import Excluder
from urlscan.files.tree import Tree
from urlscan.targets.anchors import Anchors
from urlscan.targets.generators import FORGE, Generator
from urlscan.targets.index import DOCUMENTS_OF_SPHINX, TargetIndex
from urlscan.targets.link_references import unused_definitions
from urlscan.targets.malformed_links import missing_prefix
from urlscan.targets.names import extension, is_document, is_page, is_template, join
from urlscan.targets.references import PLACEHOLDER, Reference, destinations, is_relative, normalized, read_reference
from urlscan.targets.resolve import DocumentLocation, candidate_paths, find
from urlscan.targets.roots import SiteRoot

# Elements whose files a build writes (scripts, style sheets, icons), or whose URL leads to a program.
_BUILT = lazy(r"(?i)<(?:script|link|form|input|base|iframe|object|embed|use|meta|area|frame)\b[^<>]*\Z")
_ATTRIBUTE = lazy(r"""(?:=[ \t\r\n]*|url\()["']?\Z""")  # `url()` of a style, too
LARGEST_CONFIGURATION = 1 << 16
_SEPARATORS = lazy(r"[^\w.-]+")
_SPHINX_OUTPUT = lazy(r"(?:\A|/)(?:_(?:images|static|downloads|sources|modules)/|(?:[\w-]*index|search)(?:\.html)?\Z)")
_BUILD_PROGRAM = lazy(r"(?s:.*/)?(?:\.github/workflows/[^/]+\.ya?ml|\.gitlab-ci\.yml|(?:GNU)?[Mm]akefile|[^/]+\.sh)")
_FILE_NAME = lazy(rb"(?<![\w+@~\x80-\xff-])[\w+@~\x80-\xff-]++(?:\.[\w+@~\x80-\xff-]++)+")
_QUOTED_NAME = lazy(r"[\"']([\w.-]{1,200})[\"']")
_MOST_PROGRAMS = 200
# Matches: `{{#include a/b.md`, `{% include "./a.md`, `.. include:: a.rst`, `!!!include(a/b.md`
# Does not match: `{{#playground a.rs`, `{% include a.html`
_INCLUSION = lazy(
    rb"""
    [{.!] (?: (?<=\{)[{%]-?[ ]*\#?include[ ]+["']? | (?<=\.)\.[ ]include::[ ]+ | (?<=!)!!include\( )
    ([^\s:"'{}()]{1,300}\.(?:md|rst))
    """,
    re.VERBOSE,
)
_IMAGE_MACRO = lazy(r"(?m)(?P<entry>^:[\w-]{1,50}-image:[ \t]+)?\bimage::?\Z")  # of AsciiDoc; an entry is of its PDF
_IMAGES_ELSEWHERE = lazy(r"(?m)^:imagesdir:[ \t]*\w+://")
# Feeds and maps of a site, and its copies for language models (llmstxt.org), which the build of the site writes.
# Matches: `blog/feed.xml`, `sitemap.xml`, `feed.json`, `docs/llms-full.txt`, `a/b.html.md`
# Does not match: `llms.md`, `a/b.md`, `a.xml`, `index.json`
_WRITTEN = lazy(
    r"""
    (?: .*/ )?
    (?: (?: atom | feed | index | rss | sitemap )\.xml | feed\.json | llms(?: -\w+ )?\.txt | [^/]+\.html\.md )
    """,
    re.VERBOSE,
)
_OF_DOXYGEN = lazy(r"(?:.*/)?(?:annotated|hierarchy|modules|topics|group__\w+)\.html")  # its lists and groups
# Relative paths lead to hardly any page or document, or to nearly all: the fewest that are missing and present, and the
# ratio of the two.
FEWEST_MISSING, _FEWEST_PRESENT, MANY = 5, 20, 10
_MOST_DOCUMENTS, LARGEST_DOCUMENT, _MOST_DESTINATIONS = 200, 1 << 20, 10_000
_CONTRIBUTORS = "<!-- ALL-CONTRIBUTORS-LIST:"
_BEFORE = 400


class BrokenReference(NamedTuple):
    """A reference that leads nowhere.

    Attributes:
        trees, document, segment: the trees of the run, the document that has it, and its text.
        publisher: what makes pages of the document.
        occurrence, reference: the reference in the text, and its path and fragment.
        path: the missing file, or the document that lacks the anchor, from the root of the tree.
        anchor: the missing anchor; "" for a file.
        anchors: the anchors of the document at `path`; none for a file.
        root: where "/" leads, for a reference that begins with it.
    """

    trees: TargetIndex
    document: DocumentLocation
    publisher: Generator
    segment: Document
    occurrence: Match
    reference: Reference
    path: str
    anchor: str = ""
    anchors: Anchors = Anchors({}, {}, is_complete=True)
    root: SiteRoot = SiteRoot()

    @property
    def has_inferred_root(self) -> bool:
        """Whether the document belongs to a site whose root is not configured; a forge begins at the repository."""
        settings = self.document.settings
        # Most pages of HTML among the documents of a site are written by programs.
        is_source = self.publisher.makes_pages and self.segment.kind != "html"
        is_configured = settings.root_dirs or settings.static_dirs or self.publisher.site_path.strip("/")
        return is_source and not is_configured


# --- documents


def _is_template(broken: BrokenReference) -> bool:
    tree, path, kind = broken.document.tree, broken.document.path, broken.publisher.kind
    is_partial = kind.partials != "" and re.search(kind.partials, path.removeprefix(broken.publisher.home)) is not None
    is_literal = broken.segment.decoded.startswith('R"')  # a raw string, which a program in C++ includes
    if is_partial or is_literal or is_template(path, broken.segment.kind):
        return True
    # No other program has parts that are no pages of their own. Docutils resolves the paths of a part, and no labels.
    if not (kind.has_readme or kind.has_labels or (broken.segment.kind == "rst" and broken.reference.path)):
        return False
    included, chapters = broken.trees.computed(("parts of books", tree.root), lambda: _read_books(broken.trees, tree))
    names = path.split("/")
    ends = ("/".join(names[start:]) for start in range(len(names)))
    return path not in chapters and not included.isdisjoint(ends)


def _read_books(trees: TargetIndex, tree: Tree) -> tuple[frozenset[str], frozenset[str]]:
    """Return the ends of the paths that the documents of books include, and the chapters (mdBook, "SUMMARY.md")."""
    chapters: set[str] = set()
    for path, data in tree.read_each(tree.files_named("SUMMARY.md"), LARGEST_DOCUMENT):
        written = (destination.decode("utf-8", "replace") for destination in destinations(data))
        chapters.update(normalized(path.rpartition("/")[0], destination) or "" for destination in written)
    documents = tree.read_each(trees.documents(tree), LARGEST_DOCUMENT)
    names = {match[1].decode("utf-8", "replace") for _, data in documents for match in _INCLUSION.finditer(data)}
    return frozenset(name.lstrip("./") for name in names), frozenset(chapters)


def _is_vendored(broken: BrokenReference) -> bool:
    return broken.document.tree.is_checkout and is_vendored(broken.document.path)


def _is_unused(broken: BrokenReference) -> bool:
    return broken.segment.kind == "markdown" and broken.occurrence.start in broken.segment.computed(unused_definitions)


def _is_credit(broken: BrokenReference) -> bool:
    first, last = broken.segment.computed(_credits)
    return 0 <= first < broken.occurrence.start < last


def _credits(segment: Document) -> tuple[int, int]:
    """Return where the list by all-contributors begins and ends; -1 for nowhere."""
    return segment.text.find(_CONTRIBUTORS + "START"), segment.text.find(_CONTRIBUTORS + "END")


# They hold for the labels and malformed links of a document, too, but not for URLs, which lead to one place everywhere.
PLACES = (
    Excuse(
        "template",
        _is_template,
        "the references of a template, or a part of a chapter, are resolved in the pages made from it",
    ),
)
DOCUMENTS = (
    Excuse("vendored", _is_vendored, "a copy of another project is not edited, and lacks some files of it"),
    Excuse("unused-definition", _is_unused, "no link leads there; U917 reports the definition"),
    Excuse("credits", _is_credit, "the program all-contributors writes anchors that never exist"),
)


# --- missing files


def _is_package(broken: BrokenReference) -> bool:
    return not (broken.document.tree.is_checkout or broken.document.settings.root_dirs)


def _is_placeholder(broken: BrokenReference) -> bool:
    return PLACEHOLDER.fullmatch(broken.reference.raw_path) is not None


def _is_generated(broken: BrokenReference) -> bool:
    full = os.path.join(broken.document.tree.root, broken.path)
    return any(Excluder((glob,), base).excludes(full) for base, glob in broken.document.settings.generated)


def _is_redirected(broken: BrokenReference) -> bool:
    sources = {source.strip("/") for source, _ in broken.document.settings.redirects}
    return bool(sources) and not sources.isdisjoint((broken.reference.path.strip("/"), broken.path))


def _has_other_name(broken: BrokenReference) -> bool:
    tree, publisher = broken.document.tree, broken.publisher
    # MyST-Parser, "Cross-references": a destination that is no file is a label.
    may_be_label = publisher.kind.has_labels and broken.segment.kind == "markdown" and is_page(broken.reference.path)
    if may_be_label and broken.reference.path.lower() in broken.trees.sphinx_labels(tree, DOCUMENTS_OF_SPHINX):
        return True
    aliases = broken.trees.computed(("aliases", tree.root, publisher.file), lambda: _aliases(broken))
    is_alias = broken.path.rpartition("/")[2].partition(".")[0] in aliases
    return is_alias or (broken.root.is_complete and broken.root.may_have(broken.reference.path))


def _aliases(broken: BrokenReference) -> frozenset[str]:
    """Return the words in the other names of pages that documents and the configuration of their generator give."""
    words, tree, publisher = set[str](), broken.document.tree, broken.publisher
    if not publisher.kind.aliases:
        return frozenset()
    paths = filter(publisher.publishes, broken.trees.documents(tree))
    for _, data in tree.read_each([publisher.file, *paths], LARGEST_CONFIGURATION):
        for match in re.finditer(publisher.kind.aliases, data.decode("utf-8", "replace")):
            words.update(word.partition(".")[0] for word in _SEPARATORS.split(match[1]))
    return frozenset(words)


def _is_page_of_site(broken: BrokenReference) -> bool:
    is_source = broken.publisher.is_detected or broken.segment.kind != "html"
    is_made = is_source and broken.publisher.makes_pages and is_page(broken.reference.path)
    return is_made and not (broken.root.is_complete or _is_left(broken) or _are_found(broken))


def _is_left(broken: BrokenReference) -> bool:
    """Return whether MkDocs or docutils leaves a reference to a page as it is written."""
    kind = broken.publisher.kind
    is_left = kind.leaves_pages or (kind.has_labels and broken.segment.kind == "rst")
    return is_left and is_page(broken.reference.path)


def _is_tag_of_site(broken: BrokenReference) -> bool:
    is_moved = broken.publisher.makes_pages and not _is_left(broken)
    return is_moved and broken.segment.kind == "markdown" and _is_attribute(broken)


def _is_route_of_site(broken: BrokenReference) -> bool:
    publisher = broken.publisher
    if publisher.kind.finds_names:  # by a name, also that of a document of another project
        return "/" not in broken.reference.path
    is_route = extension(broken.path) not in ("md", "mdx", "markdown") and not broken.root.is_complete
    return is_route and publisher.makes_pages and not publisher.kind.follows_files and not _are_found(broken)


def _are_found(broken: BrokenReference) -> bool:
    """Return whether nearly all relative paths of a site lead to pages and documents, so that others are mistakes."""
    tree, publisher = broken.document.tree, broken.publisher
    if not (is_relative(broken.reference) and is_page(broken.reference.path)):
        return False
    key = "relative paths", tree.root, publisher.file, publisher.source
    documents = filter(publisher.publishes, broken.trees.documents(tree))
    present, missing = broken.trees.computed(key, lambda: count_paths(broken, documents))
    return present >= _FEWEST_PRESENT and present >= MANY * missing


def count_paths(broken: BrokenReference, paths: Iterable[str]) -> tuple[int, int]:
    """Return how many relative paths in some documents lead to pages and documents, and how many to missing pages."""
    present = missing = 0
    for path, destination in sampled_destinations(broken.document.tree, list(filter(is_document, paths))):
        reference = read_reference(destination)
        if reference is None or not is_relative(reference):
            continue
        candidates = candidate_paths(broken.document._replace(path=path), reference, broken.publisher)
        if any(candidate is None or find(broken.document, candidate).state != "missing" for candidate in candidates):
            present += is_page(reference.path) or is_document(reference.path)
        else:
            missing += is_page(reference.path)
    return present, missing


def sampled_destinations(tree: Tree, documents: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the destinations in a sample of documents that are no URLs, each after the path of its document."""
    sources = tree.read_sample(documents, _MOST_DOCUMENTS, LARGEST_DOCUMENT)
    written = ((path, raw) for path, data in sources for raw in destinations(data))
    for path, raw in islice(written, _MOST_DESTINATIONS):
        if not raw.startswith((b"http://", b"https://")):
            yield path, raw.decode("utf-8", "replace")


def _is_output(broken: BrokenReference) -> bool:
    tree, publisher, name = broken.document.tree, broken.publisher, broken.path.rpartition("/")[2]
    is_sphinx = publisher.kind.has_labels or broken.segment.kind == "rst"  # conf.py may be elsewhere
    if (is_sphinx and _SPHINX_OUTPUT.search(broken.path)) or _WRITTEN.fullmatch(broken.path):
        return True
    if _OF_DOXYGEN.fullmatch(broken.path) and broken.trees.computed(
        ("doxygen", tree.root), lambda: any("doxy" in file.lower() for file in tree.files)
    ):
        return True
    if is_document(name):  # documents are sources
        return publisher.kind.adds_documents and _has_no_directory(broken)
    if not extension(name):
        return False
    if publisher.kind.runs_code:
        quoted = broken.segment.computed(_quoted_names)
        if name in quoted or name.rpartition(".")[0] in quoted:
            return True
    key = ("outputs", tree.root, publisher.file)
    names = broken.trees.computed(key, lambda: _read_programs(tree, publisher.file))
    return name.encode("utf-8", "surrogatepass") in names and not tree.files_named(name)


def _quoted_names(segment: Document) -> frozenset[str]:
    """Return the names in quotation marks in a document, such as those of the files that its code writes."""
    return frozenset(_QUOTED_NAME.findall(segment.decoded))


def _read_programs(tree: Tree, configuration: str) -> frozenset[bytes]:
    """Return the names of files in the build programs of a tree and in the configuration of a generator."""
    programs = [path for path in tree.files if _BUILD_PROGRAM.fullmatch(path) is not None][:_MOST_PROGRAMS]
    sources = tree.read_each(filter(None, (configuration, *programs)), LARGEST_CONFIGURATION)
    return frozenset(name for _, data in sources for name in _FILE_NAME.findall(data))


def _has_unknown_root(broken: BrokenReference) -> bool:
    path, tree, name = broken.reference.path, broken.document.tree, broken.document.path.rpartition("/")[2]
    # No build copies documents to the root of a repository, and the forge shows a README.
    is_of_forge = name.lower().startswith("readme.") or ("/" in broken.path and is_document(broken.path))
    is_known = (broken.publisher is FORGE and is_of_forge) or broken.document.settings.root_dirs
    if not path.startswith("/") or is_known or broken.root.is_complete:
        return False
    first, slash, _ = path.lstrip("/").partition("/")
    directories = (join(root, first) for root in broken.publisher.roots(broken.document.path))
    # A file is missing where its first directory is published.
    is_below = slash and any(tree.find(directory, fold=False).state == "directory" for directory in directories)
    return is_page(path) or not is_below


def is_completed(broken: BrokenReference) -> bool:
    """Return whether a program writes the scheme before an address or a host that lacks it."""
    prefix = missing_prefix(broken.reference.path)
    has_program = broken.publisher.kind.has_program
    return prefix != "" and (has_program or (prefix == "mailto:" and broken.segment.kind == "rst"))


def _is_in_images_directory(broken: BrokenReference) -> bool:
    path, segment, start = broken.reference.path, broken.segment, broken.occurrence.start
    if segment.kind != "asciidoc":
        return False
    macro = _IMAGE_MACRO.search(segment.text, max(start - _BEFORE, 0), start)
    if macro is None:
        return False
    files = broken.document.tree.files_named(path.rpartition("/")[2])
    is_elsewhere = macro["entry"] is not None or segment.computed(_has_images_elsewhere)
    return is_elsewhere or any(f"/{file}".endswith(f"/{path}") for file in files)


def _has_images_elsewhere(segment: Document) -> bool:
    return _IMAGES_ELSEWHERE.search(segment.decoded) is not None


FILES = (
    Excuse("package", _is_package, "a package may lack files of its repository"),
    Excuse("placeholder", _is_placeholder, "instructions show where a path goes"),
    Excuse("generated", _is_generated, "the configuration lists the file as written by a build"),
    Excuse("redirect", _is_redirected, "the configuration lists the page as redirected"),
    Excuse("other-name", _has_other_name, "a label, front matter or a redirect names it, or another file shows it"),
    Excuse("root", _has_unknown_root, "the root of a site is not known to be in the tree"),
    Excuse("site-page", _is_page_of_site, "the generator writes the pages of its site"),
    Excuse("site-tag", _is_tag_of_site, "generators leave HTML alone, so that it is resolved from the page"),
    Excuse("site-route", _is_route_of_site, "the generator resolves references between pages"),
    Excuse(
        "output", _is_output, "a build program, code of the document or the configuration of the generator names it"
    ),
    Excuse("completed", is_completed, "docutils writes `mailto:`, and a program of the project may complete links"),
    Excuse("images-directory", _is_in_images_directory, "the document or its build sets the directory of images"),
)


# --- doubts: one makes a missing file a warning, two excuse it


def _is_page_or_html(broken: BrokenReference) -> bool:
    return is_page(broken.reference.path) or broken.segment.kind == "html"


def _has_no_directory(broken: BrokenReference) -> bool:
    if broken.segment.kind == "markdown" and not (broken.publisher.makes_pages or extension(broken.path)):
        return False  # a forge resolves it between files, and builds write files with extensions
    directory = broken.path.rpartition("/")[0]
    return not directory.startswith("..") and broken.document.tree.find(directory).state != "directory"


def _is_built(broken: BrokenReference) -> bool:
    return _is_attribute(broken) and is_value_of(_BUILT, broken.segment, broken.occurrence.start)


DOUBTS = (
    Excuse("page", _is_page_or_html, "a server knows pages under many names"),
    Excuse("no-directory", _has_no_directory, "a build may write the whole directory"),
    Excuse("built-element", _is_built, "a build writes scripts and style sheets"),
)


def _is_attribute(broken: BrokenReference) -> bool:
    """Return whether a reference is the value of an attribute of HTML."""
    start = broken.occurrence.start
    is_html = broken.segment.kind in ("markdown", "html", "ipynb")
    return is_html and _ATTRIBUTE.search(broken.segment.text[max(start - 10, 0) : start]) is not None


def is_value_of(elements: "re.Pattern[str]", segment: Document, start: int) -> bool:
    """Return whether a place is in an attribute of some elements."""
    begin = segment.text.rfind("<", max(start - _BEFORE, 0), start)
    return begin >= 0 and elements.match(segment.text, begin, start) is not None
