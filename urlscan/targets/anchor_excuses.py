"""Decide whether a missing anchor is a mistake, as `excuses` does for files."""

import itertools
import re
from collections import Counter
from collections.abc import Callable, Sequence

from urlscan.core.document import Document
from urlscan.core.faults import Excuse, first_excuse
from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple
from urlscan.core.typing import T
from urlscan.documents.identify import identify
from urlscan.files.tree import Tree
from urlscan.targets.advice import ADVICE, UNEDITED
from urlscan.targets.anchors import Anchors
from urlscan.targets.cross_references import is_label_of_asciidoc
from urlscan.targets.excuses import DOCUMENTS, DOUBTS, FILES, PLACES, BrokenReference, is_value_of
from urlscan.targets.generators import has_front_matter
from urlscan.targets.index import DOCUMENTS_OF_SPHINX
from urlscan.targets.kinds import html
from urlscan.targets.names import extension, is_document, join, languages
from urlscan.targets.references import IN_MARKDOWN, decoded, destinations
from urlscan.targets.similar import letters_of

_LARGEST_PAGE = 1 << 24
# A component of JSX or Vue: on a line of its own, and any with attributes, or a tag of Liquid with arguments; a token
# that a program replaces; the name of a shortcode; a tab of MkDocs ("Tabbed: slugify"); a list in front matter that a
# layout writes.
# Matches: `<Examples />`, `  <Examples of="a"/>`
# Does not match: `<div/>`, `a <B/>`, `<Tabs>`
_LONE_COMPONENT = lazy(r"(?m)^[ \t]*<[A-Z][\w.]*(?:[ \t\n][^<>]{0,1000})?/>[ \t]*\r?$")
# Matches: `<Examples of="a">`, `{% symbol "a" %}`, `{{generator:a}}`, `{{< wheels`, `=== "A"`, `parts:\n  - id: 1`
# Does not match: `<Tabs>`, `<div of="a">`, `{% raw %}`, `{{ a }}`, `parts:\n  - name: a`
_COMPONENT = lazy(
    r"""
    < (?P<attributes> [A-Z][\w.]* [ \t\n] (?: [^<>"'] | "[^"\n]{0,1000}" | '[^'\n]{0,1000}' ){1,1000} ) >
  | \{% [ \t]* (?! (?:rel)?ref\b ) \w+ [ \t] (?P<arguments> [^{}\n]{1,1000} ) %\}
  | ^ \{\{ [ ]* \w+ : (?P<token> [^{}\n]{1,1000} ) \}\}
  | ^ [ \t]* \{\{< [ \t]* (?P<shortcode> [\w-]{1,100} ) \b
  | ^ [ \t]* ===[!+]? [ ] "(?P<tab> [^"\n]{1,200} )"
  | ^ (?P<list> [\w-]{1,100}? ) s? : [ \t]* \r?\n [ \t]* - [ ] (?: id | anchor | slug ) : [ ] [^\n]*
    """,
    re.MULTILINE | re.VERBOSE,
)
# A component, alone on its lines, whose name says that it writes a reference.
# Matches: `<WheelReference/>`, `<APISection name="a" />`, `  <ApiDocs>`, `<OpenAPIReferencePage/>`
# Does not match: `<Wheel/>`, `a <WheelReference/>`, `<ReferenceLink/>`, `<ApiKeyNotice/>`, `<WheelReference/> turns`
_REFERENCE = lazy(
    r"""
    ^ [ \t]* < (?:[A-Z][a-z]{1,30}){0,9} (?: Reference | API | Api(?=[A-Z]) )
    (?: Docs | Page | Reference | Section | Table ){0,2} \b [^<>]{0,400} > [ \t\r]* $
    """,
    re.MULTILINE | re.VERBOSE,
)
_MOST_COMPONENTS = 1_000
# The first name of an object that mkdocstrings ("::: a.b", ":::a.b", "::: a(int)") or the doc-builder of Hugging Face
# documents; ":::a" is an admonition.
_DIRECTIVE = lazy(r"(?m)^(?::::(?:[ ]|(?=\w+\.\w))|\[\[autodoc\]\][ ])([^\s.(\"]+)(?:\([^\n]*\)|\.[\w.]+)?[ \t]*\r?$")
_FENCED = lazy(r"(?ms)^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)")
_SECTION = lazy(r"##(?<![^\n]##)#{0,4}[ \t]")
# A shortcode of Hugo on a line of its own, whose output is read as Markdown ("Shortcodes: Markdown notation"), unless
# it names the document that it includes; or the end of a shortcode.
# Matches: `{{% wheels kind="a" %}}`, `{{% /alert`
# Does not match: `{{< a >}}`, `{{% include "a.md" %}}`, `# {{% a %}}`
_LONE_SHORTCODE = lazy(
    r"""
    \{\{% [ \t]* / [ \t]* (?P<closed> [\w.-]+ )
    | ^ [ \t]* \{\{% [ \t]* (?P<name> [\w.-]+ ) (?! [^{}]{0,400} \.md["'] ) [^{}]{0,1000} %\}\} [ \t]* \r?$
    """,
    re.MULTILINE | re.VERBOSE,
)
# A macro on a line of its own (mkdocs-macros, "Macros"), or a heading that is one. A name with a dot is that of a
# setting.
# Matches: `{{ wheels }}`, `{{ wheels("oak") }}`, `## ${wheels}`
# Does not match: `Now {{ wheels }}.`, `{{ site.title }}`, `{{wheels:oak}}`, `${b}`
_LONE_MACRO = lazy(r"(?m)^(?:\{\{[ ]*\w++(?![.:])[^{}\n]*\}\}|#{1,6}[ ]\$\{\w+\})[ \t]*\r?$")
# A paragraph that is a name in capitals, which a build replaces; several ones explain constants.
# Matches: `REPLACE_WITH_WHEELS`
# Does not match: `WHEELS`, `OAK_WHEELS  \nturn`, `OAK_WHEELS turn`
_CAPITALS, _MOST_CAPITALS = lazy(r"(?m)^[A-Z]+(?:_[A-Z]+)+(?=[ \t\r]*(?:\n[ \t\r]*$|\Z))"), 2
_WORD, _CAPITAL = lazy(r"[^\W_]+"), lazy(r"(?<=[a-z])(?=[A-Z])")
_LAYOUT = lazy(
    r"(?:\A|/)_?(?:layouts?|includes|partials|templates|themes?)/.*\.(?:html?|njk|liquid|hbs|ejs|[st]wig|vue)\Z"
)
# Elements whose fragments are no places: forms, and references to definitions of SVG, which may be in another image.
_NO_PLACE = lazy(r"(?i)<(?:form|button|input|use|textPath|mpath|animate\w*|\w+Gradient|pattern|filter)\b[^<>]*\Z")
# Extensions of Sphinx that write documentation from source code, or resolve references to other projects.
_OBJECT_SOURCES = lazy(rb"autodoc|intersphinx|autosummary|autoapi|breathe")
_SCRIPT = lazy(rb"(?i)<script\b")
# An attribute for an event, and what reads the fragment in it or in a script.
# Matches: `<body onhashchange`, `<a onclick="go(location.hash`
# Does not match: `<p>location.hash`, `<a href="location.hash`
_EVENT, _READS = lazy(rb"<\w[^<>]*\son\w+(?:\s*=[^<>]*)?"), lazy(rb"\b(?:on)?hashchange\b|\blocation\.hash\b")
_MOST_READS, _LONGEST_TAG = 100, 1_000
_PAGE = lazy(r"(?i)<(?:!doctype|html|head|title|body)\b")
# A term of a definition list; a document and an argument in the registry of Terraform ("Provider Documentation").
_TERM = lazy(r"(?m)^([^\s#>:][^\n]{0,200})\n(?:[ \t]*\r?\n)?:[ \t]")
_OF_REGISTRY, _ARGUMENT = lazy(r"(?m)\A---[^\0]{0,2000}?^page_title:"), lazy(r"(?m)^[ \t]*[*-][ \t]+`([\w.]+)`")
_TITLE = lazy(r"(?m)\A---[^\0]{0,2000}?^title[ \t]*:")
_MOST_DOCUMENTS, _FEWEST_DOCUMENTS = 300, 3
# So many mistakes in the spelling of anchors would not be overlooked: another program makes them.
_MANY_RESPELLED = 100
# A document that includes more others is not searched for them.
_MOST_INCLUSIONS = 50


def _is_incomplete(broken: BrokenReference) -> bool:
    anchors = broken.anchors
    if broken.publisher.kind.has_program or not anchors.is_complete or len(anchors.inclusions) > _MOST_INCLUSIONS:
        return True
    key = ("included", broken.document.tree.root, broken.path, *anchors.inclusions)
    paths = broken.trees.computed(key, lambda: _included(broken, anchors.inclusions))
    return len(paths) > _MOST_INCLUSIONS or "" in paths or any(_may_have_anchor(broken, path) for path in paths)


def _included(broken: BrokenReference, inclusions: Sequence[str]) -> set[str]:
    """Return the documents that a document and these documents include; "" for one that is not in the tree."""
    tree, included, waiting = broken.document.tree, set[str](), [*inclusions]
    while waiting and len(included) <= _MOST_INCLUSIONS:
        written = waiting.pop()
        end = "/" + written.lstrip("./")  # some programs search for it in several directories
        paths = [path for path in tree.files_named(end.rpartition("/")[2]) if f"/{path}".endswith(end)]
        for path in filter(is_document, paths) if written and paths else [""]:
            anchors = path not in included and broken.trees.anchors(tree, path, "auto")
            included.add(path)
            if anchors:
                waiting += anchors.inclusions
    return included


def _computed_from_target(broken: BrokenReference, compute: Callable[[bytes], T]) -> T:
    """Return what is computed, once, from the document that lacks the anchor."""
    tree, path = broken.document.tree, broken.path
    return broken.trees.computed((compute, tree.root, path), lambda: compute(tree.read(path, _LARGEST_PAGE) or b""))


def _has_match(broken: BrokenReference, path: str, pattern: "re.Pattern[bytes]") -> bool:
    """Return whether a file of the tree has a match, which is searched for once."""
    tree, key = broken.document.tree, (pattern, broken.document.tree.root, path)
    return broken.trees.computed(key, lambda: pattern.search(tree.read(path, _LARGEST_PAGE) or b"") is not None)


def _may_have_anchor(broken: BrokenReference, path: str) -> bool:
    """Return whether an included document has the anchor, or may have it."""
    anchors = broken.trees.anchors(broken.document.tree, path, "auto")
    if anchors is None or anchors.has_place(broken.anchor):
        return anchors is not None
    alone = Anchors(anchors.lines, anchors.labels, is_complete=anchors.is_complete)
    return bool(first_excuse(ANCHORS, broken._replace(path=path, anchors=alone)))


def _is_route(broken: BrokenReference) -> bool:
    is_state = "=" in broken.anchor and _has_match(broken, broken.path, _SCRIPT)
    is_read = identify(broken.path) == "html" and (is_state or _computed_from_target(broken, _reads_fragment))
    # No algorithm writes a slash, but an author may have copied it from the heading, or written a path or URL instead.
    is_path = "/" in broken.anchor and not ("://" in broken.anchor or broken.reference.path or extension(broken.anchor))
    return is_read or (is_path and not broken.anchors.names.has_letters(broken.anchor))


def _reads_fragment(data: bytes) -> bool:
    """Return whether a script of a page, or an attribute for an event, reads the fragment."""
    page = data.lower()
    for match in itertools.islice(_READS.finditer(page), _MOST_READS):
        start = match.start()
        tag = page.rfind(b"<", max(start - _LONGEST_TAG, 0), start)
        if page.rfind(b"<script", 0, start) > page.rfind(b"</script", 0, start):
            return True
        if tag >= 0 and _EVENT.fullmatch(page, tag, match.end()) is not None:
            return True
    return False


def _is_special(broken: BrokenReference) -> bool:
    match = re.match(broken.publisher.kind.special, broken.anchor)
    return match is not None and (match.lastindex is None or broken.anchors.names.has_letters(match[1]))


def _is_no_place(broken: BrokenReference) -> bool:
    text, start = broken.segment.text, broken.occurrence.start
    is_in_style = text[max(start - 9, 0) : start].lower().rstrip("\"' ").endswith("url(")
    return is_in_style or is_value_of(_NO_PLACE, broken.segment, start)


class _Components(NamedTuple):
    """The parts of a page that write headings."""

    is_whole: bool  # a component or a program may write any heading
    directives: frozenset[str]  # the names of objects after ":::" (mkdocstrings)
    attributes: list[frozenset[str]]  # the words and the values of each component and its name, in lower case


def _find_components(data: bytes) -> _Components:
    text = data.decode("utf-8", "replace")
    text = _FENCED.sub("", text)
    components = list(itertools.islice(_COMPONENT.finditer(text), _MOST_COMPONENTS))
    is_computed = "<script setup" in text or any(match["token"] for match in components)
    shortcodes = list(_LONE_SHORTCODE.finditer(text))
    # A shortcode that encloses nothing writes its text itself.
    is_whole = any(pattern.search(text) is not None for pattern in (_LONE_MACRO, _REFERENCE))
    is_whole |= 0 < len(_CAPITALS.findall(text)) <= _MOST_CAPITALS
    is_whole |= not {match["name"] for match in shortcodes} <= {None, *(match["closed"] for match in shortcodes)}
    # Without a section the component, or the program, is the page.
    if not is_whole and _SECTION.search(text) is None:
        is_whole = is_computed or _LONE_COMPONENT.search(text) is not None
    written = [match[match.lastgroup or 0] for match in components]
    attributes = [f"{value} {_CAPITAL.sub(' ', value)}".lower() for value in written]
    words = [frozenset((*_WORD.findall(value), *map(letters_of, value.split('"')[1::2]))) for value in attributes]
    return _Components(is_whole, frozenset(_DIRECTIVE.findall(text)), words)


def _is_in_component(broken: BrokenReference) -> bool:
    if identify(broken.path) != "markdown":
        return False
    components = _computed_from_target(broken, _find_components)
    if broken.anchor.partition(".")[0] in components.directives:
        return True
    if not broken.publisher.makes_pages:
        return False
    if components.is_whole or (broken.reference.path and not broken.anchors.lines):
        return True  # a program writes the page
    tree = broken.document.tree
    if broken.anchor in broken.trees.computed(("layouts", tree.root), lambda: _layout_ids(tree)):
        return True
    words = set(_WORD.findall(re.sub(r"-\d+\Z", "", broken.anchor.lower())))
    return any(words <= attributes for attributes in components.attributes)


def _layout_ids(tree: Tree) -> frozenset[str]:
    """Return the ids in the layouts of a tree, which are those of its pages (Eleventy and Jekyll, "Layouts")."""
    layouts = tree.read_each(filter(_LAYOUT.search, tree.files), _LARGEST_PAGE)
    texts = (data.decode("utf-8", "replace") for _, data in layouts)
    return frozenset(name for text in texts for _, name in html.ids(text, 0, len(text)))


def _is_target_of_myst(broken: BrokenReference) -> bool:
    publisher, tree = broken.publisher, broken.document.tree
    if not publisher.kind.has_labels or broken.segment.kind == "rst":
        return False  # docutils resolves a URI no further
    documents = (join(broken.document.directory, broken.anchor + end) for end in DOCUMENTS_OF_SPHINX)
    labels = broken.trees.sphinx_labels(tree, DOCUMENTS_OF_SPHINX)
    if broken.anchor.lower() in labels or any(tree.find(path).state == "file" for path in documents):
        return True
    if broken.path != broken.document.path or not broken.anchor.replace(".", "").isidentifier():
        return False
    return _has_match(broken, publisher.file, _OBJECT_SOURCES)


def _is_definition_term(broken: BrokenReference) -> bool:
    names = {letters_of(broken.anchor), letters_of(re.sub(r"-\d+\Z", "", broken.anchor))}  # numbered like headings
    return broken.publisher.makes_pages and not names.isdisjoint(_computed_from_target(broken, _terms))


def _terms(data: bytes) -> frozenset[str]:
    """Return the letters of the terms of definition lists, and of the arguments of a provider of Terraform."""
    text = data.decode("utf-8", "replace")
    terms = _TERM.findall(text)
    if _OF_REGISTRY.match(text) is not None:
        terms += _ARGUMENT.findall(text)
    return frozenset(map(letters_of, terms))


def _has_unknown_slugs(broken: BrokenReference) -> bool:
    publisher, anchors = broken.publisher, broken.anchors
    pattern = publisher.kind.unknown_anchors
    if pattern and _has_match(broken, broken.path, re.compile(pattern)):
        return True
    has_letters = anchors.names.has_letters(broken.anchor)
    return has_letters and (publisher.preset == "auto" or (publisher.is_detected and _has_unknown_form(broken)))


def _has_unknown_form(broken: BrokenReference) -> bool:
    """Return whether most anchors of this form lead nowhere on the site, or many are spelled in another way."""
    is_on_site = broken.publisher.makes_pages
    if (broken.publisher.kind.slug_key or not is_on_site) and broken.anchors.names.has_letters(broken.anchor):
        # The configuration would name another algorithm, and the forge has none, but an unknown program may.
        return not is_on_site and _survey_of(broken).are_respelled
    return _form(broken.anchor) in _survey_of(broken).unknown_forms


def _form(anchor: str) -> str:
    """Return what anchors that one program makes have in common."""
    if anchor.isalnum():
        return "word"
    if anchor != anchor.lower():
        return "upper case"
    if anchor.replace("-", "").isalnum():
        return "hyphens"
    return "other signs"


def _is_joined(broken: BrokenReference) -> bool:
    """Return whether a page that joins all documents has the anchor."""
    trees, tree, publisher = broken.trees, broken.document.tree, broken.publisher
    if broken.reference.path:
        return False
    if broken.segment.kind == "asciidoc":
        return is_label_of_asciidoc(trees, tree, broken.anchor)
    if not publisher.kind.joins_documents:
        return False
    key = ("joined", tree.root, publisher.file, languages(broken.path))
    return broken.anchor in trees.computed(key, lambda: _joined_anchors(broken))


def _joined_anchors(broken: BrokenReference) -> frozenset[str]:
    """Return the anchors of all documents of the publisher in the language of the one that lacks an anchor."""
    trees, tree, publisher, language = broken.trees, broken.document.tree, broken.publisher, languages(broken.path)
    paths = [path for path in trees.documents(tree) if publisher.publishes(path) and languages(path) == language]
    pages = (trees.anchors(tree, path, publisher.preset) for path in paths[:_MOST_DOCUMENTS])
    return frozenset(anchor for anchors in pages if anchors is not None for anchor in anchors.lines)


def _is_part(broken: BrokenReference) -> bool:
    """Return whether a reference to an anchor of its own document is in a part of a page.

    A page of HTML has a document type and a title (HTML, sections 4.2.2 and 13.1.1), or at least a body. A document
    with front matter, but without a title and any other anchor, is shown on a page with others.
    """
    if broken.reference.path or broken.path != broken.document.path:
        return False
    if broken.segment.kind == "html":
        return not broken.segment.computed(_is_whole_page)
    if broken.segment.kind != "markdown" or _TITLE.match(broken.segment.decoded) is not None:
        return False
    return not (broken.anchors.lines or broken.anchors.inclusions) and broken.segment.computed(has_front_matter)


def _is_whole_page(segment: Document) -> bool:
    return _PAGE.search(segment.decoded) is not None


class _Survey(NamedTuple):
    """The evidence of the links to headings of their own document, in the documents of a publisher.

    Attributes:
        unknown_forms: the forms of anchors of which most lead nowhere: a plugin, a theme or a script gives them a
            meaning, or another generator whose configuration has the same name.
        are_respelled: whether many anchors in several documents lead nowhere, but have the letters of a heading.
    """

    unknown_forms: frozenset[str]
    are_respelled: bool


def _survey_of(broken: BrokenReference) -> _Survey:
    publisher = broken.publisher
    key = ("survey", broken.document.tree.root, publisher.file, publisher.source, publisher.preset)
    return broken.trees.computed(key, lambda: _survey(broken))


def _survey(broken: BrokenReference) -> _Survey:
    trees, tree, publisher = broken.trees, broken.document.tree, broken.publisher
    paths = [path for path in trees.documents(tree) if publisher.publishes(path) and identify(path) == "markdown"]
    counts, respelled = Counter[tuple[bool, str]](), Counter[str]()
    for path, data in tree.read_sample(paths, _MOST_DOCUMENTS, _LARGEST_PAGE):
        fragments = destinations(data, b"#", (IN_MARKDOWN,))
        names = {decoded(name[1:].decode("utf-8", "replace")) or "" for name in fragments}
        if not names or (anchors := trees.anchors(tree, path, publisher.preset)) is None:
            continue  # computing anchors takes most of the time
        votes, is_original = set[tuple[bool, str]](), languages(path) <= {"en"}
        for name in sorted(names):
            if anchors.has_place(name):
                votes.add((True, _form(name)))
                continue
            respelled[path] += (is_written := anchors.names.has_letters(name))
            # A translator of headings often forgets the links to them.
            if is_written or is_original:
                votes.add((is_written and publisher.preset == "auto", _form(name)))
        counts.update(votes)
    forms = frozenset(form for _, form in counts if counts[False, form] > max(counts[True, form], _FEWEST_DOCUMENTS))
    are_respelled = respelled.total() >= _MANY_RESPELLED and len(+respelled) > _FEWEST_DOCUMENTS
    return _Survey(forms, are_respelled)


ANCHORS = (
    Excuse("incomplete", _is_incomplete, "the document includes others, or a program writes a part of it"),
    Excuse("route", _is_route, "a script of the page gives the fragment a meaning"),
    Excuse("element", _is_no_place, "a form is sent to a script, and a definition of SVG may be in another image"),
    Excuse("component", _is_in_component, "a component, a directive or the layout of the page writes headings"),
    Excuse("special", _is_special, "the generator gives the fragment a meaning"),
    Excuse("myst-target", _is_target_of_myst, "a program resolves labels and objects of any document of the project"),
    Excuse("term", _is_definition_term, "the generator gives the terms of definition lists ids"),
    Excuse("part", _is_part, "a page includes the document, and may have the anchor"),
    Excuse("joined", _is_joined, "a page joins documents, one of which has the anchor"),
    Excuse("unknown-slugs", _has_unknown_slugs, "another program makes anchors, or a part of the page"),
)
ANCHOR_ADVICE = (
    Excuse("unknown-form", _has_unknown_form, "most anchors of this form lead nowhere: the site may know them"),
)
# The excuses for all that is broken.
ALL = (*PLACES, *DOCUMENTS, *FILES, *DOUBTS, *ANCHORS, *ADVICE, *ANCHOR_ADVICE, *UNEDITED)
