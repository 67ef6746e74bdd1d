"""Decide whether a reference that leads nowhere is a mistake: each reason not to report it is an entry with a name.

Every entry has a case in `corpus/targets` (key `excuse`), which is reported if the entry is off. `-v` counts the
references that each entry excuses, and `benchmarks/ablation.py` shows what changes without it.
"""

import os
import re
from collections.abc import Callable
from typing import NamedTuple

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.targets.anchors import Anchors
from urlscan.targets.generators import Generator, has_generator
from urlscan.targets.index import TargetIndex
from urlscan.targets.link_references import unused_destinations
from urlscan.targets.names import extension, is_page, is_template, is_vendored
from urlscan.targets.references import Reference, is_placeholder, normalized
from urlscan.targets.resolve import DocumentLocation

# Elements whose files a build writes (scripts, style sheets, icons), or whose URL leads to a program.
_BUILT = lazy(r"(?i)<(?:script|link|form|input|base|iframe|object|embed|use|meta|area|frame)\b[^<>]*\Z")
_ATTRIBUTE = lazy(r"""=[ \t\r\n]*["']?\Z""")
# Expressions of template languages in a page.
# Matches: `{{ a }}`, `<%`, `<?php`, `{%`
# Does not match: `{a}`, `<?xml`
_TEMPLATE = lazy(r"\{\{[^{}\n]{1,200}\}\}|\{%|<%|<\?(?:php|=)|<(?:TMPL_|xsl:|th:)\w")
_LARGEST_CONFIGURATION = 1 << 16
# Sources from which Quarto writes a PDF.
_PRINTED = (".qmd", ".rmd", ".Rmd", ".tex", ".typ")
# Pages that a program has written from the comments of source code, in lower case. Each pattern begins with a literal.
_PROGRAM = (
    r"(?:javadoc|doxygen|haddock|rustdoc|jsdoc|ldoc|luadoc|rdoc|yard|typedoc|gtk-doc|gi-docgen|pdoc|epydoc|pydoctor"
    r"|ocamldoc|odoc|ddoc|phpdoc(?:umentor)?|natural docs|dokka|scaladoc|swift-?docc?|edoc|exdoc|valadoc|sandcastle)\b"
)
_FROM_SOURCE_CODE = (
    *(
        lazy(rf"{word} (?:automatically )?(?:by|with|using) (?:the )?(?:<a\b[^<>]{{0,200}}>)?\s*{_PROGRAM}")
        for word in ("generated", "produced", "created")
    ),
    lazy(r"content=[\"'](?:javadoc|rustdoc|doxygen|typedoc|gtk-doc|gi-docgen|pdoc|ocamldoc|odoc|exdoc)\b"),
    lazy(r"haddock-(?<!\whaddock-)(?:util|bundle(?:\.min)?)\.js"),
)
_IMAGE_MACRO = lazy(r"\bimage::?\Z")
# Matches: `{{< code >}}`, `{{% /tab %}}`
# Does not match: `{{ code }}`, `{{< >}}`, `{{< code />}}`
_SHORTCODE = lazy(r"\{\{[<%][ \t]*(?P<closing>/)?[ \t]*(?P<name>[\w.-]+)[^{}]{0,400}(?<!/[>%])\}\}")
_REACH = 20_000
_EXCHANGED = lazy(r"\[(?:https?://|www\.)[^\s\[\]]{1,300}\]\(\Z")
_CONTRIBUTORS = "<!-- ALL-CONTRIBUTORS-LIST:"
_BEFORE = 400


class BrokenReference(NamedTuple):
    """A reference that leads nowhere.

    Attributes:
        trees: the trees of the run.
        document: the document that has it.
        publisher: what makes pages of the document.
        segment: the text of the document.
        start: the offset of the reference in the text.
        reference: the reference.
        path: the missing file, or the document that lacks the anchor, from the root of the tree.
        anchor: the missing anchor; "" for a file.
        anchors: the anchors of the document at `path`; None for a file.
    """

    trees: TargetIndex
    document: DocumentLocation
    publisher: Generator
    segment: Document
    start: int
    reference: Reference
    path: str
    anchor: str = ""
    anchors: Anchors | None = None

    @property
    def is_site(self) -> bool:
        """Whether a known site generator publishes the document."""
        return self.publisher.is_detected

    @property
    def is_included(self) -> bool:
        """Whether the document may be included in others: the forge includes none in Markdown, but a generator does."""
        if self.publisher.makes_pages or self.segment.kind != "markdown":
            return True
        tree = self.document.tree
        return self.trees.computed(("generators", tree.root), lambda: has_generator(tree))


class Excuse(NamedTuple):
    """A reason for which a reference that leads nowhere is no mistake.

    Attributes:
        name: its name, for `-v` and the ablation.
        applies: returns whether it holds for a reference.
        why: the reason.
    """

    name: str
    applies: Callable[[BrokenReference], bool]
    why: str


# The names of the entries that are off, for measurements.
disabled: set[str] = set()


def first_excuse(excuses: tuple[Excuse, ...], broken: BrokenReference) -> str:
    """Return the name of the first entry that holds for a reference, or ""."""
    return next((excuse.name for excuse in excuses if excuse.name not in disabled and excuse.applies(broken)), "")


def count_doubts(broken: BrokenReference) -> int:
    """Return how many entries of DOUBTS hold for a missing file."""
    return sum(excuse.name not in disabled and excuse.applies(broken) for excuse in DOUBTS)


# --- documents


def _is_template(broken: BrokenReference) -> bool:
    return is_template(broken.document.path, broken.segment.kind)


def _is_vendored(broken: BrokenReference) -> bool:
    return broken.document.tree.is_checkout and is_vendored(broken.document.path)


def _is_unused(broken: BrokenReference) -> bool:
    return broken.segment.kind == "markdown" and broken.start in broken.segment.computed(unused_destinations)


def _has_template_syntax(broken: BrokenReference) -> bool:
    return broken.segment.kind == "html" and broken.segment.computed(_is_page_template)


def _is_page_template(segment: Document) -> bool:
    return _TEMPLATE.search(segment.decoded) is not None


def _has_braces(document: Document) -> bool:
    return "{{" in document.text


def _is_in_shortcode(broken: BrokenReference) -> bool:
    text, offset = broken.segment.text, broken.start
    if broken.segment.kind != "markdown" or not broken.segment.computed(_has_braces):
        return False
    opened: list[str] = []
    for match in _SHORTCODE.finditer(text, max(offset - _REACH, 0), offset):
        if match["closing"] is None:
            opened.append(match["name"])
        elif match["name"] in opened:
            del opened[opened.index(match["name"]) :]
    following: list[str] = []
    for match in _SHORTCODE.finditer(text, offset, offset + _REACH) if opened else ():
        if match["closing"] is None:
            following.append(match["name"])
        elif match["name"] in following:
            following.remove(match["name"])
        elif match["name"] in opened:
            return True
    return False


def _is_from_source_code(broken: BrokenReference) -> bool:
    return broken.segment.kind == "html" and broken.segment.computed(_is_api_page)


def _is_api_page(segment: Document) -> bool:
    text = segment.decoded.lower()
    return any(sign.search(text) is not None for sign in _FROM_SOURCE_CODE)


def _is_credit(broken: BrokenReference) -> bool:
    first, last = broken.segment.computed(_credits)
    return first < broken.start < last


def _credits(segment: Document) -> tuple[int, int]:
    """Return the span of the list by all-contributors, which is empty if there is none."""
    first = segment.text.find(_CONTRIBUTORS + "START")
    return (first, segment.text.find(_CONTRIBUTORS + "END", first)) if first >= 0 else (0, 0)


def _is_commented(broken: BrokenReference) -> bool:
    text, start = broken.segment.text, broken.start
    first = max(start - _REACH, 0)
    return broken.document.path.endswith(".mdx") and text.rfind("{/*", first, start) > text.rfind("*/}", first, start)


DOCUMENTS = (
    Excuse("template", _is_template, "the references of a template are resolved in the pages made from it"),
    Excuse("vendored", _is_vendored, "a copy of another project lacks files that its package does not have"),
    Excuse("unused-definition", _is_unused, "no link leads there; U917 reports the definition"),
    Excuse("template-syntax", _has_template_syntax, "a program completes the page"),
    Excuse("source-code", _is_from_source_code, "a program wrote the page from the comments of source code"),
    Excuse("comment", _is_commented, "a comment of MDX is not shown"),
    Excuse("credits", _is_credit, "the program all-contributors writes anchors that never exist"),
    Excuse("shortcode", _is_in_shortcode, "Hugo resolves the content of a shortcode where its template says"),
)


# --- missing files


def _is_package(broken: BrokenReference) -> bool:
    return not (broken.document.tree.is_checkout or broken.document.settings.root_dirs)


def _is_placeholder(broken: BrokenReference) -> bool:
    return is_placeholder(broken.reference.raw_path)


def _is_generated(broken: BrokenReference) -> bool:
    globs = broken.document.settings.generated
    if not globs:
        return False
    from urlscan.files.exclude import Excluder

    full = os.path.join(broken.document.tree.root, broken.path)
    return any(Excluder((glob,), base).excludes(full) for base, glob in globs)


def _is_redirected(broken: BrokenReference) -> bool:
    sources = {source.strip("/") for source, _ in broken.document.settings.redirects}
    return bool(sources) and not sources.isdisjoint((broken.reference.path.strip("/"), broken.path))


def _is_file_where_included(broken: BrokenReference) -> bool:
    document = broken.document
    if not broken.is_included:
        return False
    for inclusion in broken.trees.inclusions(document.tree).of(document.path):
        path = normalized(inclusion.directory, broken.reference.path)
        if path is not None and broken.trees.find(document, path).state != "missing":
            return True
    return False


def _leaves_source(broken: BrokenReference) -> bool:
    return broken.is_site and not broken.publisher.publishes(broken.path)


def _is_page_of_site(broken: BrokenReference) -> bool:
    if _EXCHANGED.search(broken.segment.text, max(broken.start - _BEFORE, 0), broken.start) is not None:
        return False  # the text is a URL, so that the destination is the text
    is_source = broken.is_site or broken.segment.kind != "html"
    return is_source and broken.publisher.makes_pages and is_page(broken.reference.path)


def _is_tag_of_site(broken: BrokenReference) -> bool:
    return broken.publisher.makes_pages and broken.segment.kind == "markdown" and _is_attribute(broken)


def _is_route_of_site(broken: BrokenReference) -> bool:
    return not broken.publisher.kind.follows_files and extension(broken.path) not in ("md", "mdx", "markdown")


def _is_output(broken: BrokenReference) -> bool:
    if not broken.is_site:
        return False
    kind, tree, name = broken.publisher.kind, broken.document.tree, broken.path.rpartition("/")[2]
    if kind.outputs and re.search(rf"(?:\A|/)(?:{kind.outputs})/", broken.path) is not None:
        return True
    if name.endswith(".pdf") and any(tree.find(broken.path[:-4] + end).state == "file" for end in _PRINTED):
        return True
    configuration = tree.read(broken.publisher.file, _LARGEST_CONFIGURATION) or b""
    return bool(extension(name)) and name.encode("utf-8", "surrogatepass") in configuration


def _is_from_sibling(broken: BrokenReference) -> bool:
    """Return whether SUMMARY.md names the directory of a missing file, which is next to that of the manual."""
    tree, source = broken.document.tree, broken.publisher.source or broken.document.directory
    name = broken.path.removeprefix(source).lstrip("/")
    beside = f"{source.rpartition('/')[0]}/{name}".lstrip("/")
    if "/" not in name or beside == broken.path or tree.find(beside).state != "file":
        return False
    directory = f"({name.partition('/')[0]}/".encode("utf-8", "surrogatepass")
    return directory in (tree.read(f"{source}/SUMMARY.md".lstrip("/"), _LARGEST_CONFIGURATION) or b"")


def _is_base_name(broken: BrokenReference) -> bool:
    if not broken.publisher.kind.by_name:
        return False
    stem, _, end = broken.path.rpartition("/")[2].rpartition(".")
    names = (f"{stem}.{other}" for other in ("md", "cheatmd", "livemd", end))
    return any(broken.document.tree.files_named(name) for name in names)


def _has_unknown_root(broken: BrokenReference) -> bool:
    return (
        broken.reference.path.startswith("/")
        and not broken.document.settings.root_dirs
        and (is_page(broken.reference.path) or not _is_below_root(broken))
    )


def _is_below_root(broken: BrokenReference) -> bool:
    """Return whether the first directory of a path that begins with "/" is where its publisher looks for it."""
    first, slash, _ = broken.reference.path.lstrip("/").partition("/")
    tree = broken.document.tree
    return bool(slash) and any(
        tree.find(f"{root}/{first}".lstrip("/"), fold=False).state == "directory"
        for root in broken.publisher.roots(broken.document.path)
    )


def _is_in_images_directory(broken: BrokenReference) -> bool:
    segment, start, path = broken.segment, broken.start, broken.reference.path
    if segment.kind != "asciidoc" or _IMAGE_MACRO.search(segment.text, max(start - 8, 0), start) is None:
        return False
    files = broken.document.tree.files_named(path.rpartition("/")[2])
    return any(f"/{file}".endswith(f"/{path}") for file in files)


FILES = (
    Excuse("package", _is_package, "a package may lack files of its repository"),
    Excuse("placeholder", _is_placeholder, "instructions show where a path goes"),
    Excuse("generated", _is_generated, "the configuration lists the file as written by a build"),
    Excuse("redirect", _is_redirected, "the configuration lists the page as redirected"),
    Excuse("root", _has_unknown_root, "the root of a site is not known to be in the tree"),
    Excuse("leaves-source", _leaves_source, "a build copies the documents of a site, with others, to another place"),
    Excuse("site-page", _is_page_of_site, "the generator writes the pages of its site"),
    Excuse("site-tag", _is_tag_of_site, "generators leave HTML alone, so that it is resolved from the page"),
    Excuse("site-route", _is_route_of_site, "the generator resolves references between pages"),
    Excuse("output", _is_output, "the configuration of the generator names it, or the source of a PDF is beside it"),
    Excuse("sibling", _is_from_sibling, "a build copies the directories of a manual together with its SUMMARY.md"),
    Excuse("base-name", _is_base_name, "the generator finds a document by its name, in any directory"),
    Excuse("images-directory", _is_in_images_directory, "a build of AsciiDoc sets the directory of images"),
    Excuse("included-file", _is_file_where_included, "it is resolved in the document that includes this one"),
)


# --- doubts: one makes a missing file a warning, two excuse it


def _is_page_or_html(broken: BrokenReference) -> bool:
    return is_page(broken.reference.path) or broken.segment.kind == "html"


def _has_no_directory(broken: BrokenReference) -> bool:
    return broken.document.tree.find(broken.path.rpartition("/")[0]).state != "directory"


def _is_built(broken: BrokenReference) -> bool:
    return _is_attribute(broken) and is_value_of(_BUILT, broken.segment, broken.start)


DOUBTS = (
    Excuse("page", _is_page_or_html, "a server knows pages under many names"),
    Excuse("no-directory", _has_no_directory, "a build may write the whole directory"),
    Excuse("built-element", _is_built, "a build writes scripts and style sheets"),
)

# The excuses for a page whose name has another letter case: the front matter of a document gives the name of its page,
# and a site has pages that the tree does not show.
PAGES = tuple(excuse for excuse in FILES if excuse.name in ("root", "site-page"))


def _is_attribute(broken: BrokenReference) -> bool:
    """Return whether a reference is the value of an attribute of HTML."""
    start = broken.start
    is_html = broken.segment.kind in ("markdown", "html", "ipynb")
    return is_html and _ATTRIBUTE.search(broken.segment.text[max(start - 10, 0) : start]) is not None


def is_value_of(elements: "re.Pattern[str]", segment: Document, start: int) -> bool:
    """Return whether a place is in an attribute of some elements."""
    begin = segment.text.rfind("<", max(start - _BEFORE, 0), start)
    return begin >= 0 and elements.match(segment.text, begin, start) is not None
