"""Check the link references of Markdown: labels that are not defined, defined twice, or never used.

CommonMark 0.31: a definition is `[label]: destination` (4.7); a full reference is `[text][label]`, a collapsed one
`[label][]`, and a shortcut `[label]` (6.3). Brackets without a definition are text, so only the first two forms show
that a link was meant. GitHub's footnotes, `[^label]`, have other definitions.
"""

import re
from collections.abc import Callable, Iterator

from urlscan.core.document import Document
from urlscan.core.faults import TargetFault
from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple
from urlscan.files.tree import Tree
from urlscan.targets.names import join
from urlscan.targets.references import normalized

_MOST_DOCUMENTS, _LARGEST = 2_000, 1 << 20  # bytes
_LONGEST = 999  # CommonMark 4.7: the characters of a label
_LABEL = r"(?: [^\[\]\\\x1a] | \\. ){1,999}"
# The text before the destination of a definition.
_BEFORE_DESTINATION = lazy(rf"\[ (?P<label> {_LABEL} ) \]: [ \t]* (?: \r?\n [ \t>]* )? <? \Z", re.VERBOSE)
# A heading, without an attribute list.
# Matches: `## Mill`, `## Mill ##`, `# Mill {#wheel}`, `Mill\n====`, `Mill\n---`
# Does not match: `Mill`, `#Mill`
_HEADING = lazy(
    r"""
    ^(?: \#{1,6}[ \t]+ (?P<text> [^\r\n]{1,400}? ) [ \t]* (?: \#+[ \t]* | \{[^{}\r\n]{0,200}\}[ \t]* )?
      | (?P<title> [^\r\n]{1,400} ) \r?\n [ ]{0,3} (?: =+ | -+ ) [ \t]* ) \r?$
    """,
    re.MULTILINE | re.VERBOSE,
)
# Anything that might be a definition, even where it is not one: in code, or without a destination.
_DEFINED = lazy(rf"^ [ \t>*+0-9.)-]* \[ (?P<label> {_LABEL} ) \]:", re.MULTILINE | re.VERBOSE)
_APPENDED = lazy(rf"\[ {_LABEL} \]: | <!--.*-->", re.VERBOSE)  # a line of a document of definitions alone
# Matches: `][a]`, `][]`
# Does not match: `][a](b)`, `][a]: b`, `][^a]`, `][, a]` (of a signature)
_REFERENCE = lazy(rf"\]\[ (?P<label> (?! [\^@!\#:] | \s*, ) (?> {_LABEL} )? ) \] (?! [(:\[] )", re.VERBOSE)
_SHORTCUT = lazy(rf"\[ (?<! \\\[ ) (?P<label> {_LABEL} ) \]", re.VERBOSE)
# A line without links: the marker of a quotation, a space that belongs to it, and four spaces (CommonMark 5.1 and 4.4),
# or a tag that begins or continues a block of HTML (4.6).
# Matches: `>     `, `<td>`, `  <li `, `</table>`
# Does not match: `>   `, `<a>`, `<title>`
_NO_LINKS = lazy(
    r"""
    [ ]{0,3} (?:>[ ]?){1,9} (?:[ ]{4}|\t)
  | [ \t]* </? (?i: table | t(?:body|d|h|r|head|foot) | div | p | [ou]l | li | d[dlt] | center | h[1-6] ) [ >]
    """,
    re.VERBOSE,
)
_BRACKET = lazy(r"[\[\]\n](?:(?<!\\.)(?<!\n)|(?<=\n)[ \t]*\r?\n)")
# Names of symbols, to which tools for API documentation link: "package.module.Class", "crate::Type", "function()".
_SYMBOL = lazy(r"`?[\w!]+(?:(?:\.|::|/)[\w!]+)+(?:\(\))?`?|`?[\w.]+\(\)`?|.*[$\\{}=].*", re.DOTALL)
_NO_SYMBOL = lazy(r"https?://|.*\.(?:pdf|md|png|svg)\Z")
_URL = lazy(r"https?://")
_SCHEME = lazy(r"(?i)(?:https?://)?(?:www\.)?")
# Segments of a path by which the URLs of one page differ: "stable/a" and "nightly/a", "issues/1" and "pull/1".
_BRANCH = lazy(r"/(?:(?:stable|nightly|beta|latest|current|master|main|trunk|issues|pulls?|tree|blob)/)+")
# A task, a footnote, an admonition, a table of contents, a citation of Pandoc, the name of a wiki page.
# Matches: ` `, `x`, `^1`, `!NOTE`, `TOC`, `_TOC_`, `@smith2020, p. 3`, `see a; -@smith`, `[Page]`
# Does not match: `!`, `Toc of a`, `jo@h.example`, `by @jo`, `[a] b`, `![a]`
_NO_TEXT = lazy(r"\s*[xX]?\s*|\^.*|!\w+|_?_?TOC_?_?|(?:.*;\s*)?-?@\w.*|\[[^\[\]]*\]", re.DOTALL)
# The text directly before an index: a name, which may be emphasized or the argument of a command of TeX, or an index.
# Matches: `a`, `)`, `a*`, `_`, `a}`
# Does not match: `*`, `"`, `%}`
_INDEXED = lazy(r"(?:[\w)\]\\$]|\S\*|\w\})\Z")
# Matches: `#![doc = include_str!("../README.md")]`, `#![cfg_attr(doc, doc = include_str!("a.md"))]`
# Does not match: `let a = include_str!("a.md");`
_RUST_DOCUMENTATION = lazy(rb'#!?\[(?:cfg_attr\([^\]\n]{1,99})?[ ]*doc[ ]*=[ ]*include_str!\([ ]*"([^"\n]+)"[ )]*\]')
# Labels of definitions that serve as comments: `[//]: # (text)`.
_COMMENTS = frozenset(("//", "comment", "_", "-", "#", "metadata", "meta"))


class _Definition(NamedTuple):
    """A definition: its normalized label, the span of the label, its URL and the offset of that."""

    label: str
    start: int
    end: int
    url: str
    url_start: int


def label_faults(
    segment: Document, names: frozenset[str], may_be_defined: Callable[[str], bool]
) -> Iterator[TargetFault]:
    """Yield what is wrong with the labels of a Markdown document, in order of position."""
    faults: list[TargetFault] = []
    definitions = segment.computed(_definitions)
    if "duplicate-definition" in names:
        written = [entry for entry in definitions if "{{" not in entry.url]  # a template may be in a part of its own
        first = {entry.label: entry for entry in reversed(written)}
        for entry in written:
            if first[entry.label] is not entry and entry.label not in _COMMENTS:
                differs = _comparable(first[entry.label].url) != _comparable(entry.url)
                span = entry.start, entry.end, entry.label
                faults.append(TargetFault("duplicate-definition", *span, is_certain=differs, url=entry.url))
    if "undefined-reference" in names:
        faults += _undefined(segment, may_be_defined)
    if "unused-definition" in names:
        unused = reversed(segment.computed(unused_definitions).values())
        for label, start, end, url, _ in {entry.label: entry for entry in unused}.values():
            if label not in _COMMENTS:
                faults.append(TargetFault("unused-definition", start, end, label, url=url))
    yield from sorted(faults, key=lambda fault: (fault.start, fault.end, fault.name))


def defined_labels(segment: Document) -> frozenset[str]:
    """Return the labels, normalized, that a Markdown document defines."""
    return frozenset(definition.label for definition in segment.computed(_definitions))


def is_defined(label: str, segment: Document) -> bool:
    """Return whether a Markdown document defines a label."""
    return normalized_label(label) in segment.computed(defined_labels)


def is_documentation_of_crate(tree: Tree, path: str) -> bool:
    """Return whether a crate, or a module beside a document, includes it (rustdoc, "The doc attribute").

    A label in it may be the name of an item then ("Linking to items by name").
    """
    sources = [join(path.rpartition("/")[0], name) for name in ("src/lib.rs", "src/main.rs", "lib.rs", "mod.rs")]
    return any(
        normalized(source.rpartition("/")[0], written.decode("utf-8", "replace")) == path
        for source, data in tree.read_each(sources, 1 << 20)
        for written in _RUST_DOCUMENTATION.findall(data)
    )


def appended_labels(tree: Tree) -> frozenset[str]:
    """Return the labels of documents of definitions alone, which a program appends to others (pymdownx.snippets)."""
    documents = tree.read_sample([path for path in tree.files if path.endswith(".md")], _MOST_DOCUMENTS, _LARGEST)
    texts = (data.decode("utf-8", "replace") for _, data in documents)
    lists = (text for text in texts if all(map(_APPENDED.match, filter(str.strip, text.split("\n")))))
    return frozenset(normalized_label(match["label"]) for text in lists for match in _DEFINED.finditer(text))


def _undefined(segment: Document, may_be_defined: Callable[[str], bool]) -> Iterator[TargetFault]:
    """Yield the references whose labels are not defined, even by a heading (Pandoc) or by what is no definition."""
    defined = segment.computed(defined_labels)
    undefined = [
        (label, start, end)
        for label, start, end in segment.computed(_references)
        if label not in defined and (_NO_SYMBOL.match(label) or not _SYMBOL.fullmatch(label))
        # In a document without definitions, two brackets are tags, an index or the notation of a program.
        if defined or segment.prose.startswith("][]", end) or _NO_SYMBOL.match(label) is not None
    ]
    if not undefined:
        return
    maybe_defined = {normalized_label(match["label"]) for match in _DEFINED.finditer(segment.decoded)}
    maybe_defined.update(
        normalized_label(match["text"] or match["title"]) for match in _HEADING.finditer(segment.decoded)
    )
    if any("{{" in label for label in maybe_defined):
        return  # a template defines labels
    for label, start, end in undefined:
        if label not in maybe_defined and not may_be_defined(label):
            yield TargetFault("undefined-reference", start, end, segment.text[start:end].strip())


def unused_definitions(segment: Document) -> dict[int, _Definition]:
    """Return the definitions of labels that are nowhere else in brackets, by the offsets of their URLs."""
    definitions = segment.computed(_definitions)
    if not definitions:
        return {}
    starts = {definition.start for definition in definitions}
    links = {start for start, _ in segment.links}
    used = {label for label, _, _ in segment.computed(_references)}
    used |= {
        normalized_label(match[1])
        for match in _SHORTCUT.finditer(segment.prose)
        if match.start(1) not in starts and match.end() + 1 not in links  # "[a](b)" is no use of "a"
    }
    return {definition.url_start: definition for definition in definitions if definition.label not in used}


def definition_at(segment: Document, offset: int) -> tuple[int, int] | None:
    """Return the span of the label that defines the one in brackets at an offset of the text, or None."""
    first = max(segment.text.rfind("\n", 0, offset), offset - _LONGEST, 0)
    for match in _SHORTCUT.finditer(segment.prose, first, min(offset + _LONGEST, len(segment.prose))):
        if match.start() <= offset <= match.end():
            label, entries = normalized_label(match["label"]), segment.computed(_definitions)
            return next(((entry.start, entry.end) for entry in entries if entry.label == label), None)
    return None


_QUOTED_LINE = lazy(r"\n[ \t]*>[ \t>]*")


def normalized_label(label: str) -> str:
    """Return a label as labels are compared (CommonMark 4.7): case-folded, with single spaces, also in a quotation."""
    return " ".join(_QUOTED_LINE.sub(" ", label).split()).casefold()


def matches_in_text(pattern: "re.Pattern[str]", segment: Document) -> Iterator[re.Match[str]]:
    """Return the matches outside of code and comments."""
    return (match for match in pattern.finditer(segment.text) if not segment.regions.role(match.start()))


def _definitions(segment: Document) -> list[_Definition]:
    text, definitions = segment.text, list[_Definition]()
    if "]:" not in text:
        return []
    for start, end in segment.links:
        if text.startswith("(", start - 1):  # most links
            continue
        before = text[max(start - 4, 0) : start].rstrip("< \t\r\n>")
        if not before.endswith("]:") and before:
            continue
        first = max(start - _LONGEST - 20, 0)
        opening = text.rfind("[", first, start)
        if opening > 0 and text[opening - 1] != "\\":  # no label extends over it
            first = opening
        match = _BEFORE_DESTINATION.search(text, first, start)
        if match is not None and not match["label"].startswith("^"):
            first, last = match.span("label")
            definitions.append(_Definition(normalized_label(match["label"]), first, last, text[start:end], start))
    return definitions


def _comparable(url: str) -> str:
    """Return what distinguishes the resources of URLs: not the scheme, "www.", a closing slash or the branch."""
    return _BRANCH.sub("/", _SCHEME.sub("", url).rstrip("/") + "/")


def _references(segment: Document) -> list[tuple[str, int, int]]:
    """Return each full or collapsed reference: its normalized label, and the span of the label."""
    prose, references = segment.prose, list[tuple[str, int, int]]()
    for match in _REFERENCE.finditer(prose):
        if prose[match.start() - 1 : match.start()] == "\\" or segment.regions.role(match.start()):  # code
            continue
        line_start = segment.text.rfind("\n", 0, match.start()) + 1
        if _NO_LINKS.match(segment.text, line_start) is not None:
            continue
        opening = _opening(prose, match.start())
        if opening < 0 or not (_URL.match(match["label"]) or _is_link_text(prose, opening, match.start())):
            continue
        start, end = match.span("label")
        if not prose[start:end].strip():
            start, end = opening + 1, match.start()
            if prose.startswith("^", start) or "\x1a" in prose[start:end] or end - start > _LONGEST:
                continue
        text, label = prose[opening + 1 : match.start()], prose[start:end]
        is_index = len(text) <= 2 and len(label) <= 2 and (text + label).isascii()  # "[0][1]"
        if not is_index and any(map(str.isalnum, label)):
            references.append((normalized_label(label), start, end))
    return references


def _opening(text: str, closing: int) -> int:
    """Return the offset of the bracket that text[closing] closes, in the same paragraph; -1 if there is none."""
    first = max(closing - _LONGEST, 0)
    opening = text.rfind("[", first, closing)
    content = text[opening + 1 : closing]
    if opening > 0 and text[opening - 1] != "\\" and "]" not in content and "\n" not in content:
        return opening
    depth = 0
    for match in reversed(list(_BRACKET.finditer(text, first, closing))):
        if match[0] == "]":
            depth += 1
        elif match[0] == "[":
            if depth == 0:
                return match.start()
            depth -= 1
        else:
            return -1
    return -1


def _is_link_text(text: str, opening: int, closing: int) -> bool:
    """Return whether brackets can be the text of a link, and not an index, a wiki link or a task."""
    before = text[max(opening - 2, 0) : opening]
    if before.endswith("!"):  # an image, also one without text
        return True
    if before.endswith("[") or _INDEXED.search(before) is not None:
        return False
    return _NO_TEXT.fullmatch(text, opening + 1, closing) is None
