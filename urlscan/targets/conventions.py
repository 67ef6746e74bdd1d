"""Where the conventions of a site generator or a programming language let references lead."""

import re

from urlscan.core.lazy import lazy
from urlscan.files.tree import Tree
from urlscan.targets.generators import Generator, is_below
from urlscan.targets.names import extension
from urlscan.targets.references import normalized

_MODULE = lazy(r"(?P<module>(?:.*/)?modules/[^/]+)/")
_IMAGES = frozenset(("png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "bmp", "tif", "tiff", "ico"))
_PACKED = frozenset(("zip", "gz", "tgz", "xz", "bz2", "tar", "whl", "jar", "pdf"))
# An object of a program as MyST refers to it: "#Server.start", "#max_size".
# Matches: `A`, `a.b`, `a_b`, `A.b_c`
# Does not match: `a`, `a-b`, `1`
_OBJECT = lazy(r"(?=.*[A-Z_.])[A-Za-z_]\w*(?:\.\w+)*")
# Extensions of Sphinx that write documentation from source code, or resolve references to other projects.
_OBJECT_SOURCES = re.compile(rb"autodoc|intersphinx|autosummary|autoapi|breathe")
_LARGEST = 1 << 16
_NAME = lazy(r"[A-Za-z_]\w*\Z")
# Documents about markup, whose references are examples.
# Matches: `asciidoc-markup_es.adoc`, `MANPAGE_SYNTAX.md`, `markdown-guide.md`
# Does not match: `markdown.md`, `syntax.md`, `guide.md`
_ABOUT_MARKUP = lazy(
    r"""
    (?: ascii_?doc | markdown | md | rst | restructuredtext | org | man_?page ) [-_ ]
    (?: markup | syntax | style | guide | cheat-?sheet | samples? | tests? | demo ) (?![a-z]) .*
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Files of a build: bundles and installers.
# Matches: `A.app/a b.txt`, `a/b.pkg`, `c.AppImage`
# Does not match: `a.md`, `app/a`, `deb`
_BUILT = lazy(r"(?i)(?:.*/)?[^/]+\.app/.*|.*\.(?:pkg|dmg|msi|exe|deb|rpm|apk|AppImage)\Z")
_ERLANG = ("seefile/", "seeerl/", "seeguide/", "seeapp/", "seecom/", "seetype/", "seemfa/", "seeref/", "seehowto/")


def module_path(generator: Generator | None, document: str, path: str) -> str | None:
    """Return what a path means in a document of Antora, from the root of the tree; None where it has no other meaning.

    Pages are found in the `pages` directory of the module of the document, and images in `images`, unless the path
    begins with "./" or "../".
    """
    if generator is None or generator.kind.name != "antora" or path.startswith(("/", "./", "../")):
        return None
    match = _MODULE.match(document)
    if match is None or not path:
        return None
    end = extension(path)
    family = "images" if end in _IMAGES else "attachments" if end in _PACKED else "pages"
    return normalized(f"{match['module']}/{family}", path)


def is_resource(tree: Tree, generator: Generator | None, path: str) -> bool:
    """Return whether a document is no page of Hugo, but belongs to the one of a directory with an `index.md`."""
    if generator is None or generator.kind.name != "hugo" or path.rpartition("/")[2].startswith("index."):
        return False
    directory = path.rpartition("/")[0]
    while directory and is_below(directory, generator.source):
        if "index.md" in tree.entries(directory):
            return True
        directory = directory.rpartition("/")[0]
    return False


def may_be_object(tree: Tree, generator: Generator, name: str) -> bool:
    """Return whether a fragment may name an object of a program, to which MyST links as to a label."""
    if _OBJECT.fullmatch(name) is None:
        return False
    data = tree.read(generator.file, _LARGEST)
    return data is not None and _OBJECT_SOURCES.search(data) is not None


def is_source_name(tree: Tree, document: str, path: str) -> bool:
    """Return whether a path may name an item of a program in Rust, whose documentation includes the document."""
    if _NAME.match(path) is None:
        return False
    return any(name.endswith(".rs") for name in tree.entries(document.rpartition("/")[0]))


def is_example(document: str) -> bool:
    """Return whether a document is about markup, so that the references in it are examples."""
    return _ABOUT_MARKUP.fullmatch(document.rpartition("/")[2]) is not None


def is_built(path: str) -> bool:
    """Return whether a path is that of a file that a build or a packager writes, or of a program that writes links."""
    return _BUILT.match(path) is not None or path.startswith(_ERLANG)


def is_lone_summary(tree: Tree, document: str) -> bool:
    """Return whether a document is a table of contents for a book whose chapters are elsewhere."""
    directory, _, name = document.rpartition("/")
    if name != "SUMMARY.md":
        return False
    entries = tree.entries(directory)
    return not any(kind == "d" or (other != name and other.endswith(".md")) for other, kind in entries.items())
