"""Decide whether a reference that leads nowhere is a mistake: each reason not to report it is an entry with a name.

Every entry has a case in `corpus/targets` (key `excuse`), which is reported if the entry is off. `-v` counts the
references that each entry excuses, and `benchmarks/ablation.py` shows what changes without it.
"""

import html
import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from urlscan.core.lazy import lazy
from urlscan.core.segment import Segment
from urlscan.targets.generators import Generator
from urlscan.targets.index import TargetIndex
from urlscan.targets.link_references import unused_destinations
from urlscan.targets.names import extension, is_page, is_template, is_vendored
from urlscan.targets.references import Reference, is_placeholder, normalized
from urlscan.targets.resolve import DocumentLocation
from urlscan.targets.suggest import key_of

# Most runs need no anchors.
if TYPE_CHECKING:
    from urlscan.targets.anchors import Anchors

# Elements whose files a build writes (scripts, style sheets, icons), or whose URL leads to a program.
_BUILT = lazy(r"(?i)<(?:script|link|form|input|base|iframe|object|embed|use|meta|area|frame)\b[^<>]*\Z")
_ATTRIBUTE = lazy(r"""=[ \t\r\n]*["']?\Z""")
# Expressions of template languages in a page.
# Matches: `{{ a }}`, `<%`, `<?php`, `{%`
# Does not match: `{a}`, `<?xml`
_TEMPLATE = lazy(r"\{\{[^{}\n]{1,200}\}\}|\{%|<%|<\?(?:php|=)|<(?:TMPL_|xsl:|th:)\w")
# Programs that give ids to the elements of a page.
# Matches: `.id =`, `setAttribute("id",`, `.attr('id',`
# Does not match: `.id ==`, `getAttribute("id")`
_SETS_IDS = lazy(rb"\.id[ ]*=(?!=)|(?:setAttribute|\.attr|\.prop)\([ ]*['\"]id['\"][ ]*,")
_SCRIPT = lazy(r"""(?i)<script\b[^<>]{0,400}?\bsrc[ ]*=[ ]*["']?([^"'\s<>]{1,400})""")
_MOST_SCRIPTS = 20
_LARGEST_SCRIPT, _LARGEST_PAGE, _LARGEST_CONFIGURATION = 1 << 20, 1 << 24, 1 << 16
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
# A component of JSX or Vue: on a line of its own, and any with attributes.
# Matches: `<Examples />`, `  <Examples of="a"/>`
# Does not match: `<div/>`, `a <B/>`, `<Tabs>`
_LONE_COMPONENT = lazy(r"(?m)^[ \t]*<[A-Z][\w.]*(?:[ \t\n][^<>]{0,1000})?/>[ \t]*\r?$")
_COMPONENT = lazy(r"<[A-Z][\w.]*[ \t\n]((?:[^<>\"']|\"[^\"\n]{0,1000}\"|'[^'\n]{0,1000}'){1,1000})>")
_FENCED = lazy(r"(?ms)^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)")
_HEADING = lazy(r"(?m)^#{1,6}[ \t]")
_WORD = lazy(r"[^\W_]+")
# Elements whose fragments are no places: forms, and references to definitions of SVG, which may be in another image.
_NO_PLACE = lazy(r"(?i)<(?:form|button|input|use|textPath|mpath|animate\w*|\w+Gradient|pattern|filter)\b[^<>]*\Z")
_IMAGE_MACRO = lazy(r"\bimage::?\Z")
# Names that a script of a page gives a meaning: "#/route", "#!page", "#tab=1".
_ROUTE = re.compile(r"[!/]|[^=&]*[=&]")
# Matches: `{{< code >}}`, `{{% /tab %}}`
# Does not match: `{{ code }}`, `{{< >}}`, `{{< code />}}`
_SHORTCODE = lazy(r"\{\{[<%][ \t]*(?P<closing>/)?[ \t]*(?P<name>[\w.-]+)[^{}]{0,400}(?<!/[>%])\}\}")
_REACH = 20_000
# Extensions of Sphinx that write documentation from source code, or resolve references to other projects.
_OBJECT_SOURCES = lazy(rb"autodoc|intersphinx|autosummary|autoapi|breathe")
_HTML_HEADING = lazy(r"(?i)<h[1-6](?=[\s>])[^<>]{0,400}>((?:[^<]|<(?!/?h[1-6][\s>])){0,1000})</h[1-6]")
_MARKED_UP_HEADING = lazy(r"(?m)^#{1,6}[ \t]+([^\n<]{1,400}<\w[^\n]{0,1000})")
_ELEMENT = lazy(r"(?i)<(\w+)[^<>]{0,400}>.{0,1000}?</\1>")
_TAG = lazy(r"<[^<>]*>")
# Documents that one document includes; further ones are not read.
_MOST_SIBLINGS = 50
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
        wanted: the missing anchor; "" for a file.
        anchors: the anchors of the document at `path`; None for a file.
    """

    trees: TargetIndex
    document: DocumentLocation
    publisher: Generator
    segment: Segment
    start: int
    reference: Reference
    path: str
    wanted: str = ""
    anchors: "Anchors | None" = None

    @property
    def is_site(self) -> bool:
        """Whether a known site generator publishes the document."""
        return self.publisher.is_detected


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
    return next((one.name for one in excuses if one.name not in disabled and one.applies(broken)), "")


def count_doubts(broken: BrokenReference) -> int:
    """Return how many entries of DOUBTS hold for a missing file."""
    return sum(one.name not in disabled and one.applies(broken) for one in DOUBTS)


# --- documents


def _is_template(broken: BrokenReference) -> bool:
    return is_template(broken.document.path, broken.segment.kind)


def _is_vendored(broken: BrokenReference) -> bool:
    return broken.document.tree.is_checkout and is_vendored(broken.document.path)


def _is_unused(broken: BrokenReference) -> bool:
    return broken.segment.kind == "markdown" and broken.start in broken.segment.computed(unused_destinations)


def _has_template_syntax(broken: BrokenReference) -> bool:
    return broken.segment.kind == "html" and broken.segment.computed(_is_page_template)


def _is_page_template(segment: Segment) -> bool:
    return _TEMPLATE.search(segment.document) is not None


def _is_in_shortcode(broken: BrokenReference) -> bool:
    text, offset = broken.segment.text, broken.start
    if broken.segment.kind != "markdown" or "{{" not in text:
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


def _is_api_page(segment: Segment) -> bool:
    text = segment.document.lower()
    return any(sign.search(text) is not None for sign in _FROM_SOURCE_CODE)


DOCUMENTS = (
    Excuse("template", _is_template, "the references of a template are resolved in the pages made from it"),
    Excuse("vendored", _is_vendored, "a copy of another project lacks files that its package does not have"),
    Excuse("unused-definition", _is_unused, "no link leads there; U917 reports the definition"),
    Excuse("template-syntax", _has_template_syntax, "a program completes the page"),
    Excuse("source-code", _is_from_source_code, "a program wrote the page from the comments of source code"),
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
    for one in broken.trees.inclusions(document.tree).of(document.path):
        path = normalized(one.directory, broken.reference.path)
        if path is not None and broken.trees.find(document, path).state != "missing":
            return True
    return False


def _leaves_source(broken: BrokenReference) -> bool:
    return broken.is_site and not broken.publisher.publishes(broken.path)


def _is_page_of_site(broken: BrokenReference) -> bool:
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
    configuration = tree.read(broken.publisher.file, _LARGEST_CONFIGURATION) or b""
    return bool(extension(name)) and name.encode("utf-8", "surrogatepass") in configuration


def _is_base_name(broken: BrokenReference) -> bool:
    if not broken.publisher.kind.by_name:
        return False
    stem, _, end = broken.path.rpartition("/")[2].rpartition(".")
    names = (f"{stem}.{other}" for other in ("md", "cheatmd", "livemd", end))
    return any(broken.document.tree.files_named(name) for name in names)


def _is_directory_without_pages(broken: BrokenReference) -> bool:
    if broken.segment.kind == "html" or extension(broken.reference.path) not in ("html", "htm", "xhtml", "php"):
        return False
    names = broken.document.tree.entries(broken.path.rpartition("/")[0])
    return not any(name.endswith((".html", ".htm", ".xhtml", ".php")) for name in names)


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
    Excuse("output", _is_output, "the configuration of the generator names the file, or its directory"),
    Excuse("base-name", _is_base_name, "the generator finds a document by its name, in any directory"),
    Excuse("images-directory", _is_in_images_directory, "a build of AsciiDoc sets the directory of images"),
    Excuse("no-pages", _is_directory_without_pages, "a build writes the pages of a directory without any"),
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


# --- missing anchors


def _is_incomplete(broken: BrokenReference) -> bool:
    return broken.anchors is not None and not broken.anchors.is_complete


def _is_outside_of_site(broken: BrokenReference) -> bool:
    leads_out = broken.is_site and not broken.publisher.publishes(broken.path)
    return leads_out and is_page(broken.reference.path) and broken.path != broken.document.path


def _is_in_template(broken: BrokenReference) -> bool:
    return broken.path != broken.document.path and is_template(broken.path)


def _is_route(broken: BrokenReference) -> bool:
    return extension(broken.path) in ("html", "htm", "xhtml") and _ROUTE.match(broken.wanted) is not None


def _is_set_by_script(broken: BrokenReference) -> bool:
    if extension(broken.path) not in ("html", "htm", "xhtml", ""):
        return False
    tree = broken.document.tree
    return broken.trees.computed(("ids by script", tree.root, broken.path), lambda: _sets_ids(broken))


def _sets_ids(broken: BrokenReference) -> bool:
    """Return whether a script of a page, in it or in the tree, gives ids to elements."""
    tree = broken.document.tree
    data = tree.read(broken.path, _LARGEST_PAGE) or b""
    if b"<script" not in data.lower():
        return False
    if _SETS_IDS.search(data) is not None:
        return True
    text = data.decode("utf-8", "replace")
    for match in list(_SCRIPT.finditer(text))[:_MOST_SCRIPTS]:
        path = normalized(broken.path.rpartition("/")[0], match[1].partition("?")[0])
        script = tree.read(path, _LARGEST_SCRIPT) if path and tree.find(path).is_readable else None
        if script is not None and _SETS_IDS.search(script) is not None:
            return True
    return False


def _is_special(broken: BrokenReference) -> bool:
    pattern = broken.publisher.kind.special
    return bool(pattern) and re.match(pattern, broken.wanted) is not None


def _is_no_place(broken: BrokenReference) -> bool:
    return is_value_of(_NO_PLACE, broken.segment, broken.start)


def _has_embeds(broken: BrokenReference) -> bool:
    pattern = broken.publisher.kind.embeds
    if not pattern:
        return False
    data = broken.document.tree.read(broken.path, _LARGEST_PAGE) or b""
    return re.search(rf"\[{pattern}\]\(", data.decode("utf-8", "replace")) is not None


def _is_in_component(broken: BrokenReference) -> bool:
    if not broken.publisher.makes_pages or extension(broken.path) not in ("md", "mdx", "markdown"):
        return False
    text = (broken.document.tree.read(broken.path, _LARGEST_PAGE) or b"").decode("utf-8", "replace")
    text = _FENCED.sub("", text)
    if _LONE_COMPONENT.search(text) is not None or ("<script setup" in text and _HEADING.search(text) is None):
        return True
    words = set(_WORD.findall(broken.wanted.lower()))
    return any(words <= set(_WORD.findall(match[1].lower())) for match in _COMPONENT.finditer(text))


def _is_title(broken: BrokenReference) -> bool:
    title = broken.trees.title(broken.document.tree, broken.path)
    return bool(title) and key_of(title) == key_of(broken.wanted)


def _is_anchor_where_included(broken: BrokenReference) -> bool:
    tree = broken.document.tree
    inclusions = broken.trees.inclusions(tree)
    for one in inclusions.of(broken.path):
        for page in (one.document, *inclusions.siblings(one)[:_MOST_SIBLINGS]):
            anchors = broken.trees.anchors(tree, page, "auto")
            if anchors is not None and anchors.line_of(broken.wanted) is not None:
                return True
    return False


def _is_target_of_myst(broken: BrokenReference) -> bool:
    publisher, tree = broken.publisher, broken.document.tree
    if publisher.kind.name not in ("sphinx", "jupyter-book"):
        return False
    if broken.wanted in broken.trees.labels(tree, publisher.source):
        return True
    configuration = tree.read(publisher.file, _LARGEST_CONFIGURATION) or b""
    return broken.path == broken.document.path and _OBJECT_SOURCES.search(configuration) is not None


def _is_marked_up_heading(broken: BrokenReference) -> bool:
    data = broken.document.tree.read(broken.path, _LARGEST_PAGE) or b""
    end, key = extension(broken.path), key_of(broken.wanted)
    if end in ("md", "mdx", "markdown") and broken.publisher.makes_pages:
        headings = [match[1] for match in _MARKED_UP_HEADING.finditer(data.decode("utf-8", "replace"))]
        return any(key_of(_ELEMENT.sub("", one)) == key for one in headings)
    if end not in ("html", "htm") or not data.startswith((b"---\n", b"---\r\n")):
        return False
    headings = [match[1] for match in _HTML_HEADING.finditer(data.decode("utf-8", "replace"))]
    return any(key_of(html.unescape(_TAG.sub("", one))) == key for one in headings)


def _has_unknown_slugs(broken: BrokenReference) -> bool:
    if broken.publisher.kind.preset not in ("", "auto") or broken.anchors is None:
        return False
    key = key_of(broken.wanted)
    return any(key_of(anchor) == key for anchor in broken.anchors.lines)


ANCHORS = (
    Excuse("incomplete", _is_incomplete, "the document includes others, or a program writes a part of it"),
    Excuse("outside-of-site", _is_outside_of_site, "a page of a site does not lead to documents that it lacks"),
    Excuse("target-template", _is_in_template, "a template has not the anchors of the pages that are made from it"),
    Excuse("route", _is_route, "a script of the page gives the fragment a meaning"),
    Excuse("script", _is_set_by_script, "a script of the page gives ids to elements"),
    Excuse("element", _is_no_place, "a form is sent to a script, and a definition of SVG may be in another image"),
    Excuse("embeds", _has_embeds, "the generator gives an included file an anchor"),
    Excuse("component", _is_in_component, "a component of the page writes headings"),
    Excuse("special", _is_special, "the generator gives the fragment a meaning"),
    Excuse("title", _is_title, "the title in the front matter is a heading of the page"),
    Excuse("included-anchor", _is_anchor_where_included, "the document that includes this one has the anchor"),
    Excuse("myst-target", _is_target_of_myst, "MyST leads to labels and objects of any document of the project"),
    Excuse("heading-component", _is_marked_up_heading, "generators drop components from the anchor of a heading"),
    Excuse("unknown-slugs", _has_unknown_slugs, "an unknown program made the anchor from the same letters"),
)
# The excuses for all that is broken.
ALL = (*DOCUMENTS, *FILES, *DOUBTS, *ANCHORS)


def _is_attribute(broken: BrokenReference) -> bool:
    """Return whether a reference is the value of an attribute of HTML."""
    start = broken.start
    is_html = broken.segment.kind in ("markdown", "html", "ipynb")
    return is_html and _ATTRIBUTE.search(broken.segment.text[max(start - 10, 0) : start]) is not None


def is_value_of(elements: "re.Pattern[str]", segment: Segment, start: int) -> bool:
    """Return whether a place is in an attribute of some elements."""
    begin = segment.text.rfind("<", max(start - _BEFORE, 0), start)
    return begin >= 0 and elements.match(segment.text, begin, start) is not None
