"""Resolve a reference to a file of a tree: the files that it may mean, in the order in which they are tried."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from urlscan.core.settings import TargetSettings
from urlscan.files.tree import Tree, TreeEntry
from urlscan.targets.names import extension
from urlscan.targets.references import Reference, normalized

# Extensions of pages, and of the sources from which they are made.
_PAGES = ("html", "htm", "xhtml")
_SOURCES = (".md", ".mdx", ".rst", ".adoc", ".asciidoc", ".org", ".ipynb", ".txt", ".markdown", ".rmd", ".qmd")
# Extensions of templates from which a program writes a file.
_TEMPLATES = (".in", ".tmpl", ".tpl", ".template", ".j2", ".jinja", ".erb", ".hbs", ".mustache", ".gotmpl", ".tt")


class DocumentLocation(NamedTuple):
    """Where a document is.

    Attributes:
        tree: its tree.
        path: its path from the root of the tree.
        settings: how targets are found.
    """

    tree: Tree
    path: str
    settings: TargetSettings

    @property
    def directory(self) -> str:
        """The directory of the document."""
        return self.path.rpartition("/")[0]


def starts(document: DocumentLocation, reference: Reference) -> list[str | None]:
    """Return the paths that a reference may mean, from the root of the tree; None for one outside of it.

    The first is the literal one. A reference with a leading "/" has none unless directories are configured for it.
    """
    settings, path = document.settings, reference.path
    for prefix, directory in settings.prefix_map:
        if path.startswith(prefix):
            return [_in_tree(document.tree, directory, path.removeprefix(prefix))]
    if not path.startswith("/"):
        return [normalized(document.directory, path)]
    return [
        _in_tree(document.tree, directory, path.lstrip("/"))
        for directory in (*settings.root_dirs, *settings.static_dirs)
    ]


def _in_tree(tree: Tree, directory: str, path: str) -> str | None:
    """Return a path below a directory, an absolute path, from the root of the tree; None if it is outside."""
    above = tree.relative(directory)
    return None if above is None else normalized(above, path)


def find(document: DocumentLocation, path: str) -> TreeEntry:
    """Return the file or directory that a path means, or one that is published or shown in its place."""
    first = document.tree.find(path, fold=False)
    if first.state != "missing" or not document.tree.may_have(_beginning(path), fold=False):
        return first
    # A page that a build writes counts for "a" and "a.html", but "a.md.html" is not written for "a.md".
    states = ("file", "unknown") if extension(path) in ("", *_PAGES) else ("file",)
    for twin in _twins(path, document.settings):
        found = document.tree.find(twin, fold=False)
        if found.state in states:
            return found
    if any(document.tree.find(path + end, fold=False).state == "file" for end in _TEMPLATES):
        return TreeEntry("unknown", path)
    return first


def find_cased(document: DocumentLocation, path: str) -> TreeEntry | None:
    """Return the source of a missing page whose name has another letter case, or None."""
    end = extension(path)
    stem = path[: -len(end) - 1] if end in _PAGES else path
    if end and end not in _PAGES:
        return None
    for source in _SOURCES if document.tree.may_have(stem) else ():
        found = document.tree.find(stem + source)
        if found.state == "file" and found.cased:
            return found
    return None


def is_published(document: DocumentLocation, reference: Reference) -> bool:
    """Return whether a reference leads to a document from the page that a site generator makes.

    It makes a directory of each document ("a/b.md" becomes "a/b/"), and references begin there.
    """
    stem = document.path.removesuffix("." + extension(document.path)) if extension(document.path) else document.path
    name = stem.rpartition("/")[2]
    if name in document.settings.index_files or reference.path.startswith("/"):
        return False
    path = normalized(stem, reference.path)
    return path is not None and find(document, path).state != "missing"


def names_of(paths: Iterable[str], settings: TargetSettings) -> frozenset[str]:
    """Return the names, in lower case, by which references may lead to files.

    They are the paths with and without extension, and the directories that the files show.
    """
    found: set[str] = set()
    for path in paths:
        end = extension(path)
        stem = path[: -len(end) - 1] if end else path
        directory, _, name = stem.rpartition("/")
        found |= {path.lower(), stem.lower()}
        if name in settings.index_files:
            found.add(directory.lower())
    return frozenset(found)


def _beginning(path: str) -> str:
    """Return what the paths of all documents and templates begin with from which a missing page may be made."""
    end = extension(path)
    stem = path[: -len(end) - 1] if end in _PAGES else path
    return stem.removesuffix("index").rstrip("/") if stem.endswith("/index") or stem == "index" else stem


def _twins(path: str, settings: TargetSettings) -> Iterator[str]:
    """Yield the documents from which a missing page is made: "a.html" from "a.md", "a" from "a.md"."""
    end = extension(path)
    if end in _PAGES:
        stem = path[: -len(end) - 1]
        yield from (stem + source for source in _SOURCES)
        if stem.endswith("/index") or stem == "index":  # the page of a directory
            above = stem.removesuffix("index")
            yield from (f"{above}{name}{source}" for name in settings.index_files for source in _SOURCES[:4])
            if above:
                yield from (above.rstrip("/") + source for source in _SOURCES[:4])
        else:
            yield from (f"{stem}/{name}{source}" for name in settings.index_files for source in _SOURCES[:4])
    elif path:
        yield from (path + source for source in settings.fallback_extensions)


def index_of(document: DocumentLocation, directory: str) -> str:
    """Return the document that shows a directory, or ""."""
    names = document.tree.entries(directory)
    for stem in document.settings.index_files:
        for end in (*document.settings.fallback_extensions, ".markdown", ".asciidoc", ".org", ".ipynb"):
            if names.get(stem + end) == "f":
                return f"{directory}/{stem}{end}" if directory else stem + end
    return ""
