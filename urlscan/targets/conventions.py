"""Where the conventions of a site generator or a programming language let references lead."""

import html
import re

from urlscan.core.lazy import lazy
from urlscan.core.segment import Segment
from urlscan.files.tree import Tree
from urlscan.targets.generators import Generator, is_below
from urlscan.targets.names import extension, is_own_project, is_page, is_vendored, may_hold_copies
from urlscan.targets.references import normalized
from urlscan.targets.suggest import key_of

_MODULE = lazy(r"(?P<module>(?:.*/)?modules/[^/]+)/")
_IMAGES = frozenset(("png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "bmp", "tif", "tiff", "ico"))
_PACKED = frozenset(("zip", "gz", "tgz", "xz", "bz2", "tar", "whl", "jar", "pdf"))
# An object of a program as MyST refers to it: "#Server.start", "#max_size".
# Matches: `A`, `a.b`, `a_b`, `A.b_c`
# Does not match: `a`, `a-b`, `1`
_OBJECT = lazy(r"(?=.*[A-Z_.])[A-Za-z_]\w*(?:\.\w+)*")
# Extensions of Sphinx that write documentation from source code, or resolve references to other projects.
_OBJECT_SOURCES = lazy(rb"autodoc|intersphinx|autosummary|autoapi|breathe")
# The same for MkDocs, whose plugins write every object with its name as the id.
_IDENTIFIER = lazy(r"[A-Za-z_]\w*(?:\.\w+)*(?:\(\))?")
_MKDOCS_OBJECT_SOURCES = lazy(rb"mkdocstrings|autoapi|autorefs|api-autonav")
# Commands of Doxygen in Markdown.
# Matches: `@ref a`, `\subpage b`, `@copydoc c`, `\tableofcontents`
# Does not match: `a@ref.example`, `[a](@ref)`
_DOXYGEN = lazy(
    r"""
    [@\\] (?<! [\w(`@\\][@\\] )
    (?: (?: ref | subpage | copy(?:doc|brief|details) | page | section | subsection | anchor | snippet | include
          | addtogroup | defgroup | ingroup | dontinclude | image[ ]html ) [ ]+ \w | tableofcontents\b | mainpage\b )
    """,
    re.VERBOSE,
)
_LARGEST = 1 << 16
_LARGEST_PAGE = 1 << 24
_HTML_HEADING = lazy(r"(?i)<h[1-6](?=[\s>])[^<>]{0,400}>((?:[^<]|<(?!/?h[1-6][\s>])){0,1000})</h[1-6]")
_MARKED_UP_HEADING = lazy(r"(?m)^#{1,6}[ \t]+([^\n<]{1,400}<\w[^\n]{0,1000})")
_ELEMENT = lazy(r"(?i)<(\w+)[^<>]{0,400}>.{0,1000}?</\1>")
_TAG = lazy(r"<[^<>]*>")
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
# Files of a build: bundles, installers, fonts of a page.
# Matches: `A.app/a b.txt`, `a/b.pkg`, `c.AppImage`, `fonts/a.woff2`
# Does not match: `a.md`, `app/a`, `deb`
_BUILT = lazy(r"(?i)(?:.*/)?[^/]+\.app/.*|.*\.(?:pkg|dmg|msi|exe|deb|rpm|apk|AppImage|eot|woff2?|ttf|otf)\Z")
_IMAGE_MACRO = lazy(r"\bimage::?\Z")
_IMAGES_DIRECTORY = lazy(r"(?m)^:imagesdir:[ \t]*([^\r\n]*?)[ \t\r]*$")
_CONTRIBUTORS = "<!-- ALL-CONTRIBUTORS-LIST:"
# Directories of documentation, and the directives that include a file there.
_DOCUMENTATION = ("docs", "doc", "docs/source", "docs/src")
_INCLUSION = lazy(rb"--8<--|\{%|\{\{|\binclude\b")
_SOURCES = (".adoc", ".asciidoc", ".md", ".mdx", ".rst", ".org", ".txt")
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


def image_path(segment: Segment, start: int, document: str, path: str) -> str | None:
    """Return what the path of an image macro means with the `imagesdir` of an AsciiDoc document, from the root.

    Args:
        segment: the document.
        start: the offset of the path.
        document: the path of the document.
        path: the path of the image.

    Returns:
        None where the path has no other meaning than that of other references.
    """
    if segment.kind != "asciidoc" or _IMAGE_MACRO.search(segment.text, max(start - 8, 0), start) is None:
        return None
    match = _IMAGES_DIRECTORY.search(segment.text)
    if match is None or not match[1] or "{" in match[1] or ":" in match[1] or match[1].startswith("/"):
        return None
    return normalized(document.rpartition("/")[0], f"{match[1]}/{path}")


def is_copy(tree: Tree, path: str) -> bool:
    """Return whether a document belongs to a copy of another project in a repository."""
    if is_vendored(path):
        return True
    parts = path.split("/")[:-1]
    return any(
        may_hold_copies(parts[number - 1]) and is_own_project(tree.entries("/".join(parts[: number + 1])))
        for number in range(1, len(parts))
    )


def is_in_images_directory(tree: Tree, segment: Segment, start: int, path: str) -> bool:
    """Return whether the image of a macro of AsciiDoc is in another directory; builds set `imagesdir`.

    Args:
        tree: the tree.
        segment: the document.
        start: the offset of the path.
        path: the path of the image as written.
    """
    if segment.kind != "asciidoc" or _IMAGE_MACRO.search(segment.text, max(start - 8, 0), start) is None:
        return False
    return any(f"/{one}".endswith(f"/{path}") for one in tree.files_named(path.rpartition("/")[2]))


def is_image_elsewhere(tree: Tree, path: str) -> bool:
    """Return whether a missing image has the name of one elsewhere, where a build may search."""
    return extension(path) in _IMAGES and bool(tree.files_named(path.rpartition("/")[2]))


def is_source(tree: Tree, path: str) -> bool:
    """Return whether a missing script or style sheet of a page would be in a directory with others of the tree."""
    end = extension(path)
    if path.endswith((f".min.{end}", f"-min.{end}")):
        return False
    return end in ("js", "mjs", "css") and any(
        name.endswith("." + end) and not name.endswith(".min." + end) for name in tree.entries(path.rpartition("/")[0])
    )


def is_made_from_sibling(tree: Tree, path: str) -> bool:
    """Return whether a missing document may be made from a file of the same name beside it, with another extension."""
    directory, _, name = path.rpartition("/")
    stem = name.removesuffix("." + extension(path))
    return stem != name and not is_page(name) and any(other.startswith(stem + ".") for other in tree.entries(directory))


def is_for_doxygen(segment: Segment) -> bool:
    """Return whether a document in Markdown has commands of Doxygen, which finds images and labels in any directory."""
    return segment.kind == "markdown" and segment.computed(_has_doxygen)


def _has_doxygen(segment: Segment) -> bool:
    return _DOXYGEN.search(segment.text) is not None


def is_identifier(name: str) -> bool:
    """Return whether a fragment may be the name of an object of a program."""
    return _IDENTIFIER.fullmatch(name) is not None


def has_source_elsewhere(tree: Tree, path: str) -> bool:
    """Return whether a document in another directory is the source of a missing page."""
    stem, dot, end = path.rpartition("/")[2].rpartition(".")
    if not dot or end not in ("html", "htm") or stem in ("index", "README"):
        return False
    return any(tree.files_named(stem + source) for source in _SOURCES)


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
    """Return whether a fragment may name an object of a program, to which MyST and MkDocs link as to a label."""
    if generator.kind.preset == "mkdocs":
        objects, sources = _IDENTIFIER, _MKDOCS_OBJECT_SOURCES
    else:
        objects, sources = _OBJECT, _OBJECT_SOURCES
    if objects.fullmatch(name) is None:
        return False
    data = tree.read(generator.file, _LARGEST)
    return data is not None and sources.search(data) is not None


def is_document_name(tree: Tree, document: str, name: str) -> bool:
    """Return whether a fragment is the name of another document of Sphinx, to which MyST links as to a label."""
    path = normalized(document.rpartition("/")[0], name)
    return bool(path) and any(
        tree.find(f"{path}{end}", fold=False).state == "file" for end in (".md", ".rst", ".ipynb")
    )


def may_be_heading(tree: Tree, path: str, wanted: str) -> bool:
    """Return whether a document has a heading of these letters, to which its generator may give an id.

    Generators give ids to headings of pages with front matter, and may drop elements of HTML in headings of Markdown.
    """
    data = tree.read(path, _LARGEST_PAGE) or b""
    end, key = extension(path), key_of(wanted)
    if end in ("md", "mdx", "markdown"):
        headings = [match[1] for match in _MARKED_UP_HEADING.finditer(data.decode("utf-8", "replace"))]
        return any(key_of(_ELEMENT.sub("", one)) == key for one in headings)
    if end not in ("html", "htm") or not data.startswith((b"---\n", b"---\r\n")):
        return False
    headings = [match[1] for match in _HTML_HEADING.finditer(data.decode("utf-8", "replace"))]
    return any(key_of(html.unescape(_TAG.sub("", one))) == key for one in headings)


def is_javadoc_source(path: str) -> bool:
    """Return whether a document is a part of the pages that Javadoc writes, whose references lead to other pages."""
    *directories, name = path.split("/")
    return name in ("package.html", "overview.html") or "doc-files" in directories


def is_no_file(tree: Tree, document: str, path: str) -> bool:
    """Return whether a path is an example, the name of an item of a program, or a file of a build or another directory.

    Args:
        tree: the tree.
        document: the path of the document, from the root.
        path: the path of the reference.
    """
    return (
        is_built(path)
        or is_example(document)
        or is_source_name(tree, document, path)
        or is_included_below(tree, document)
        or is_copied_below(tree, document, path)
    )


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


def is_included_below(tree: Tree, document: str) -> bool:
    """Return whether a document of the same name, such as `docs/changelog.md`, includes a document in Markdown."""
    directory, _, name = document.rpartition("/")
    if not name.endswith(".md") or not name[:-3].isupper():
        return False
    for below in _DOCUMENTATION:
        start = f"{directory}/{below}" if directory else below
        for path in tree.files_in(start):
            if path.rpartition("/")[2].lower() == name.lower():
                data = tree.read(path, _LARGEST) or b""
                if name.encode() in data and _INCLUSION.search(data) is not None:
                    return True
    return False


def is_copied_below(tree: Tree, document: str, path: str) -> bool:
    """Return whether the reference of a notebook leads somewhere once it is copied to the documentation.

    Args:
        tree: the tree.
        document: the path of the document, from the root.
        path: the path of the reference.
    """
    rest = path.lstrip("./")
    if not document.endswith(".ipynb") or "/" not in rest:
        return False
    return any(tree.find(f"{below}/{rest}", fold=False).state == "file" for below in _DOCUMENTATION)


def is_credit(segment: Segment, start: int) -> bool:
    """Return whether a place is in a list by the program all-contributors, whose anchors never exist."""
    first, last = segment.computed(_credits)
    return first < start < last


def _credits(segment: Segment) -> tuple[int, int]:
    """Return the span of the list by all-contributors, which is empty if there is none."""
    first = segment.text.find(_CONTRIBUTORS + "START")
    return (first, segment.text.find(_CONTRIBUTORS + "END", first)) if first >= 0 else (0, 0)


def is_comment(segment: Segment, start: int) -> bool:
    """Return whether a place in Markdown is in a comment of MyST, a line that begins with "%"."""
    text = segment.text
    return segment.kind == "markdown" and text.startswith("%", text.rfind("\n", 0, start) + 1)


def is_lone_summary(tree: Tree, document: str) -> bool:
    """Return whether a document is a table of contents for a book whose chapters are elsewhere."""
    directory, _, name = document.rpartition("/")
    if name != "SUMMARY.md":
        return False
    entries = tree.entries(directory)
    return not any(kind == "d" or (other != name and other.endswith(".md")) for other, kind in entries.items())
