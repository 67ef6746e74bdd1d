"""Read the references of a markup language to its own labels and documents, which are no URLs.

Sphinx 8, "Cross-referencing syntax", and MyST, "Roles"; docutils 0.22, directive "include"; Asciidoctor 2.0, "Cross
References"; Org Mode manual 9.7, "Internal Links".
"""

import re
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from urlscan.core.document import Document
from urlscan.core.lazy import lazy


class CrossReference(NamedTuple):
    """A reference to a label or a document.

    Attributes:
        form: what it names: a label of any document, a label of the same document, a document or an included file.
        start, end: the span of what is named, in characters of the segment's text.
        path: the document or file as written; "" for the same document or any.
        label: the label as written, without a title; "" for a document.
    """

    form: Literal["label", "own", "document", "include"]
    start: int
    end: int
    path: str = ""
    label: str = ""


# Matches: `` :ref:`a` ``, `` :std:ref:`text <a>` ``, `` :doc:`/a/b` ``, `` {ref}`a` ``
# Does not match: `` :term:`a` ``, `` ref:`a` ``, `` :ref:`!a` ``
_ROLE = lazy(
    r"""
    (?: (?<![\w:]) : (?: std: )? (?P<role> ref | numref | doc ) : | \{ (?P<myst> ref | numref | doc ) \} )
    ` (?! ! ) (?P<text> [^`\\]{1,500} ) `
    """,
    re.VERBOSE,
)
_TITLED = lazy(r"[^<>]*<\s*(?P<target>[^<>]+?)\s*>\s*\Z")
# Matches: `.. include:: a.txt`, `   .. literalinclude:: a/b.py`
# Does not match: `.. include:: <isonum.txt>`, `include:: a`
_INCLUDE = lazy(r"^[ \t]*\.\.[ ](?:literal)?include::[ \t]+(?P<path>[^\s<][^\r\n]{0,500}?)[ \t]*\r?$", re.MULTILINE)
# A directive, a target, a footnote or a substitution: explicit markup that is no comment.
_EXPLICIT = lazy(r"\.\.[ ](?:[\w.+:-]+[ ]?::|_|\[|\|)")
# Matches: `<<a>>`, `<<a,b c>>`, `<<a.adoc#b>>`, `xref:a[`
# Does not match: `<<a`, `xref: a[`, `\<<a>>`, `<<<a>>>`
_ASCIIDOC = lazy(
    r"""
    (?<![\\<\w]) << (?! < ) (?P<short> [^<>,\n{}\x1a]{1,200} ) (?: ,[^<>]{0,300} )? >> (?! > )
  | (?<![\\\w]) xref: (?P<macro> [\w/][\w/.:\#-]{0,200} ) \[
    """,
    re.VERBOSE,
)
# Matches: `[[#a]]`, `[[*Title][b]]`, `[[name]]`, `[[file:a.org::*Title]]`
# Does not match: `[[]]`, `[[a]`, `[a]`
_ORG = lazy(r"\[\[(?P<target>[^\[\]\n]{1,300})\](?:\[[^\[\]\n]{0,300}\])?\]")
# Org: abbreviations ("gh:a"), identifiers ("id:a"), lines of programs ("(a)"), search patterns ("/a/"), templates.
_OTHER_ORG = lazy(r"[\w+-]+:|[(/.~]|.*[{}%$<>\\|]")


def cross_references(segment: Document) -> Iterator[CrossReference]:
    """Yield the references of a document to labels and documents, in order; none in code or comments."""
    reader = _READERS.get(segment.kind)
    return reader(segment) if reader is not None else iter(())


def _matches(pattern: "re.Pattern[str]", segment: Document) -> Iterator[re.Match[str]]:
    """Yield the matches outside of code and comments."""
    for match in pattern.finditer(segment.text):
        if not segment.regions.role(match.start()):
            yield match


def _in_rst(segment: Document) -> Iterator[CrossReference]:
    references = [reference for reference in _roles(segment) if not _is_comment(segment.text, reference.start)]
    for match in _matches(_INCLUDE, segment):
        references.append(CrossReference("include", *match.span("path"), path=match["path"]))
    return iter(sorted(references, key=lambda reference: reference.start))


def _roles(segment: Document) -> Iterator[CrossReference]:
    """Yield the roles of Sphinx that name a label or a document."""
    for match in _matches(_ROLE, segment):
        start, end = match.span("text")
        if (titled := _TITLED.match(match["text"])) is not None:
            start, end = start + titled.start("target"), start + titled.end("target")
        name = segment.text[start:end]
        if not name.strip():  # the end of one code span and the beginning of the next
            continue
        if (match["role"] or match["myst"]) == "doc":
            yield CrossReference("document", start, end, path=name.strip())
        else:
            yield CrossReference("label", start, end, label=name)


def _is_comment(text: str, offset: int) -> bool:
    """Return whether a place is in a comment of reStructuredText: explicit markup that is nothing else."""
    begin = text.rfind("\n", 0, offset) + 1
    indent = _indent(text[begin:offset])
    for _ in range(_MOST_LINES):
        line = text[begin : text.find("\n", begin) if text.find("\n", begin) >= 0 else len(text)]
        if line.strip() and (_indent(line) < indent or begin <= offset <= begin + len(line)):
            indent = _indent(line)
            if line.lstrip().startswith(".. ") and _EXPLICIT.match(line.lstrip()) is None:
                return True
        if not begin or not indent:
            return line.rstrip() == ".." and bool(indent)
        begin = text.rfind("\n", 0, begin - 1) + 1
    return False


# A comment is not longer.
_MOST_LINES = 200


def _indent(line: str) -> int:
    expanded = line.expandtabs()
    return len(expanded) - len(expanded.lstrip())


def _in_asciidoc(segment: Document) -> Iterator[CrossReference]:
    for match in _matches(_ASCIIDOC, segment):
        group = "short" if match["short"] is not None else "macro"
        start, end = match.span(group)
        path, hash_, label = match[group].rpartition("#")
        if ":" in match[group] or (group == "macro" and (hash_ or "." in label)):
            continue  # a component of Antora, and a link
        if not path and label.endswith((".adoc", ".asciidoc")):
            path, label = label, ""
        form: Literal["document", "label"] = "document" if path else "label"
        yield CrossReference(form, start, end, path, label)


def _in_org(segment: Document) -> Iterator[CrossReference]:
    for match in _matches(_ORG, segment):
        start, end = match.span("target")
        target = match["target"]
        if target.startswith("file:"):
            path, _, label = target.removeprefix("file:").partition("::")
            if path.startswith(("/", "~")) or _OTHER_ORG.match(label) is not None:
                continue
            yield CrossReference("document", start + 5, end, path, label)
        elif _OTHER_ORG.match(target) is None:
            yield CrossReference("own", start, end, label=target)


_READERS: dict[str, Callable[[Document], Iterator[CrossReference]]] = {
    "rst": _in_rst,
    "markdown": _roles,
    "asciidoc": _in_asciidoc,
    "org": _in_org,
}
