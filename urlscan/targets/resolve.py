"""Resolve a reference to a file of a tree: the files that it may mean, in the order in which they are tried."""

from collections.abc import Iterable, Iterator

from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple
from urlscan.core.settings import TargetSettings
from urlscan.files.tree import Tree, TreeEntry
from urlscan.targets.generators import FORGE, Generator
from urlscan.targets.names import extension, is_document, is_html, is_page, join, languages
from urlscan.targets.references import Reference, normalized
from urlscan.targets.roots import FRONT_MATTER, LARGEST, MOVED, SiteRoot

# Extensions of pages, and of the sources from which they are made.
_PAGES = ("html", "htm", "xhtml")
_PAGE_ENDS = ("", *_PAGES)
_SOURCES = (".md", ".mdx", ".rst", ".adoc", ".asciidoc", ".org", ".ipynb", ".txt", ".markdown", ".rmd", ".qmd")
# The path of a module of Antora.
_MODULE = lazy(r"(?P<module>(?:.*/)?modules/[^/]+)/")
_MOST_NAMED = 500  # files of one name with which each reference is compared


class DocumentLocation(NamedTuple):
    """Where a document is: its tree, its path from the root of the tree, and how targets are found."""

    tree: Tree
    path: str
    settings: TargetSettings

    @property
    def directory(self) -> str:
        """The directory of the document."""
        return self.path.rpartition("/")[0]


def candidate_paths(document: DocumentLocation, reference: Reference, publisher: Generator = FORGE) -> list[str | None]:
    """Return the paths that a reference may mean, from the root of the tree; None for one outside of it.

    The first is the literal one, except between pages. A reference with a leading "/" begins at the directories that
    are configured for it, else at those of its publisher.
    """
    settings, path = document.settings, reference.path
    for prefix, directory in settings.prefix_map:
        if path.startswith(prefix):
            return [_in_tree(document.tree, directory, path.removeprefix(prefix))]
    if not path.startswith("/"):
        paths = [normalized(document.directory, path)]
        is_left = publisher.leaves(path) or (publisher.kind.writes_directories and is_page(path))
        if is_left and not is_document(path):
            # The page of "de/a.md" is mostly "de/a/": "../b/" leads to "de/b.md", and "../c.png" to "de/c.png".
            from_page = normalized(_page_directory(document.path, publisher), path)
            if misread_document(document, path, publisher):
                paths = [from_page]
            elif path.endswith("/"):
                paths.insert(0, from_page)
            else:
                paths.append(from_page)
        paths += (normalized(document.directory, name) for name in _other_names(document.path, path, publisher))
        in_module = _module_path(publisher, document.path, path)
        contents = (normalized(directory, path) for directory in publisher.contents(document.path))
        return [*filter(None, [in_module]), *paths, *filter(None, contents)]
    if directories := (*settings.root_dirs, *settings.static_dirs):
        return [_in_tree(document.tree, directory, path.lstrip("/")) for directory in directories]
    if publisher.site_path and f"{path}/".startswith(publisher.site_path):
        return [normalized(publisher.source, path.removeprefix(publisher.site_path.rstrip("/")))]
    if publisher.is_detected and not publisher.kind.from_source and is_page(path):
        return []  # no page is among the static files
    return [normalized(directory, path.lstrip("/")) for directory in publisher.roots(document.path)]


def _other_names(document: str, path: str, publisher: Generator) -> Iterator[str]:
    """Yield other names of what a path means: of a section of Hugo, of a README, and in the language of a document."""
    stem, _, end = path.rpartition(".")
    if f"/{path}".endswith("/index.md"):
        names = {"_index": publisher.kind.page_macro, "README": publisher.kind.has_readme}
        yield from (f"{stem.removesuffix('index')}{name}.md" for name, is_used in names.items() if is_used)
    if publisher.kind.adds_languages and is_document(path):
        yield from (f"{stem}.{language}.{end}" for language in (*sorted(languages(document)), "en"))


def page_paths(document: DocumentLocation, path: str, publisher: Generator, root: SiteRoot) -> list[str]:
    """Return the paths that a macro may mean: from the document, from the root, and the only one that ends with it."""
    paths = [*root.paths(document.path, path), join(publisher.source, path.strip("/"))]
    if not path.startswith("/"):
        paths = [*filter(None, [normalized(document.directory, path)]), *paths]
    end = path.strip("/")
    if not is_document(end):
        end += ".md"
    files, language = document.tree.files_named(end.rpartition("/")[2]), languages(document.path)
    if len(files) > _MOST_NAMED:
        return paths
    ends = [file for file in files if publisher.publishes(file) and f"/{file}".endswith(f"/{end}")]
    named = [file for file in ends if languages(file) == language]
    if len(named) == 1:
        paths += named
    return paths


def misread_document(document: DocumentLocation, path: str, publisher: Generator) -> tuple[str, str] | None:
    """Return what a path to a page means between files, but not on the site, and the document that is shown for it.

    MkDocs leaves a path that is not that of a file as it is written: browsers resolve "b" on the page "a/" of "a.md" to
    "a/b", and "/b" to a page of the host, which is above the site if the URL of that has a path.
    """
    kind = publisher.kind
    directory, is_misread = document.directory, kind.writes_directories and kind.leaves_pages
    if path.startswith("/"):
        directory, is_misread = publisher.source, not f"{path}/".startswith(publisher.site_path or "/")
    if not (is_misread and is_page(path)):
        return None
    target = normalized(directory, path)
    if target is None or document.tree.find(target, fold=False).state == "file":
        return None
    source = document_of(document, find(document, target))
    if not source or not publisher.publishes(source):
        return None
    return target, source


def _page_directory(document: str, publisher: Generator) -> str:
    """Return the directory from which the page of a document is shown: "a" for "a.md", "b" for "b/index.md"."""
    directory, _, name = document.rpartition("/")
    stem = name.partition(".")[0]
    if stem in ("index", "_index") or is_html(name) or (stem == "README" and publisher.kind.leaves_pages):
        return directory
    return document.rpartition(".")[0]


def _module_path(publisher: Generator, document: str, path: str) -> str | None:
    """Return what a path means in a document of Antora, from the root of the tree; None where it has no other meaning.

    Pages are found in the `pages` directory of the module of the document, and images in `images`, unless the path
    begins with "./" or "../" (Antora, "Resource ID coordinates"). A document outside of the modules, such as one for
    navigation, belongs to ROOT.
    """
    families, match = publisher.kind.families, _MODULE.match(document)
    if not families or path.startswith(("./", "../")):
        return None
    module = match["module"] if match is not None else join(publisher.home, "modules/ROOT")
    return normalized(f"{module}/{families.get(extension(path), 'pages')}", path)


def _in_tree(tree: Tree, directory: str, path: str) -> str | None:
    """Return a path below a directory, an absolute path, from the root of the tree; None if it is outside."""
    above = tree.relative(directory)
    if above is None:
        return None
    return normalized(above, path)


def find(document: DocumentLocation, path: str) -> TreeEntry:
    """Return the file or directory that a path means, or one that is published or shown in its place."""
    first = document.tree.find(path, fold=False)
    if first.state != "missing":
        return first
    # A page that a build writes counts for "a" and "a.html", but "a.md.html" is not written for "a.md".
    for twin in _twins(path, document):
        entry = document.tree.find(twin, fold=False)
        if entry.state == "file" or (entry.state == "unknown" and extension(path) in _PAGE_ENDS):
            return entry
    return first


def page_at(document: DocumentLocation, path: str) -> str:
    """Return the document that is shown at a path; "" if there is none, or its front matter names another path."""
    page = document_of(document, find(document, path))
    data = document.tree.read(page, LARGEST) if page else None
    if data is None or MOVED.search(data, 0, FRONT_MATTER) is not None:
        return ""
    return page


def names_of(paths: Iterable[str], settings: TargetSettings) -> frozenset[str]:
    """Return the paths of files, with and without extension, and of the directories that they show, in lower case."""
    names: set[str] = set()
    for path in paths:
        end = extension(path)
        stem = path[: len(path) - len(end) - bool(end)]
        directory, _, name = stem.rpartition("/")
        names |= {path.lower(), stem.lower()}
        if name in settings.index_files:
            names.add(directory.lower())
    return frozenset(names)


def _twins(path: str, document: DocumentLocation) -> Iterator[str]:
    """Yield the documents from which a missing page is made: "a.html" from "a.md", "a" from "a.md"."""
    settings, end = document.settings, extension(path)
    if end not in _PAGES:
        yield from (path + extension for extension in settings.fallback_extensions if path)
        return
    stem = path[: -len(end) - 1]
    yield from (stem + source for source in _SOURCES)
    directory = f"/{stem}".removesuffix("/index").lstrip("/")
    names = [join(directory, name + source) for name in settings.index_files for source in _SOURCES[:4]]
    if document.tree.find(directory, fold=False).state != "directory":
        names = names[:1]  # all are missing, or ignored with their directory
    yield from names
    if stem.endswith("/index"):  # the page of a directory
        yield from (directory + source for source in _SOURCES[:4])
    # In the language of the document, or in English, from which a server chooses.
    yield from (path + document.path.partition(".html")[2], path + ".en")


def document_of(document: DocumentLocation, entry: TreeEntry) -> str:
    """Return the path of a file, or of the document that shows a directory; "" if there is none."""
    if entry.state == "file":
        return entry.path
    names = document.tree.entries(entry.path)
    for stem in document.settings.index_files:
        if stem == "README" and is_html(document.path):  # no browser shows it
            continue
        for end in (*document.settings.fallback_extensions, ".markdown", ".asciidoc", ".org", ".ipynb"):
            if names.get(stem + end) == "f":
                return join(entry.path, stem + end)
    return ""
