"""Complete the paths and the fragments of the links that are typed in a document."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from urlscan.api.references import OpenTree, target_of
from urlscan.core.lazy import lazy
from urlscan.documents import read_text
from urlscan.targets.link_references import defined_labels
from urlscan.targets.references import Reference, decoded
from urlscan.targets.resolve import DocumentLocation, candidate_paths
from urlscan.targets.suggest import encoded

# Only the end of a line is read.
_LONGEST = 1_000
MOST = 1_000
_REFERENCE = r"(?P<reference>[^\s<>()\[\]\"'`]*)\Z"
# The text before a reference in its line, by kind.
# Matches: `](`, `](<a/b`, `[a]: `, `href="#a`
# Does not match: `[a]`, `f(`, `href=`
_MARKDOWN = lazy(r"(?:\]\(\s*<?|^[ >]*\[[^\[\]]+\]:\s*<?|\b(?:href|src)\s*=\s*[\"'])" + _REFERENCE)
# Matches: `` `a <b ``, `.. image:: `, `.. _a: b`
# Does not match: `` `a ``, `.. note:: `
_RST = lazy(
    r"""
    (?: ` [^`<>]* <
      | ^ [ ]* \.\.[ ] (?: \| [^|]* \| [ ] )? (?: image | figure | include | literalinclude ) :: [ ]+
      | ^ [ ]* \.\.[ ]_ [^:]+ : [ ]+
    )
    """
    + _REFERENCE,
    re.VERBOSE,
)
# Matches: `link:`, `xref:`, `image::`, `include::`, `<<`
# Does not match: `links:`, `<`
_ASCIIDOC = lazy(r"(?:(?<!\w)(?:link|xref|image|include)::?|(?P<own><<))" + _REFERENCE)
# Matches: `href="`, `src='`
# Does not match: `href=`, `alt="`
_HTML = lazy(r"\b(?:href|src)\s*=\s*[\"']" + _REFERENCE)
# Matches: `a][b`, `a][`
# Does not match: `a](`, `][`
_LABEL = lazy(r"[^\[\]]\]\[(?P<label>[^\[\]]*)\Z")
_PATTERNS = {"markdown": _MARKDOWN, "rst": _RST, "asciidoc": _ASCIIDOC, "html": _HTML, "xml": _HTML}


class Completion(NamedTuple):
    """A text that may replace a span of a document in a link, the name to show, and the line of an anchor, from 1."""

    kind: Literal["file", "directory", "anchor", "label"]
    label: str
    start: int
    end: int
    text: str
    line: int = 0


def completions(tree: OpenTree, document: DocumentLocation, text: str, kind: str, offset: int) -> Iterator[Completion]:
    """Yield what may follow before an offset of a document: files, directories, anchors and labels, only in links."""
    line = text[max(text.rfind("\n", 0, offset) + 1, offset - _LONGEST) : offset]
    if kind == "markdown" and (label := _LABEL.search(line)) is not None:
        segment = next(read_text(text, kind=kind))
        for name in sorted(defined_labels(segment)):
            yield Completion("label", name, offset - len(label["label"]), offset, name)
        return
    if kind not in _PATTERNS or (match := _PATTERNS[kind].search(line)) is None:
        return
    path, mark, fragment = match["reference"].partition("#")
    if mark or match.groupdict().get("own"):
        if not mark:
            path, fragment = "", path
        yield from _anchors(tree, document, decoded(path), (offset - len(fragment), offset))
    if not mark:
        directory, slash, name = match["reference"].rpartition("/")
        yield from _entries(document, directory + slash, decoded(name) or "", (offset - len(name), offset))


def _anchors(
    tree: OpenTree, document: DocumentLocation, path: str | None, span: tuple[int, int]
) -> Iterator[Completion]:
    """Yield the anchors of the document that a path leads to."""
    if path is None or (target := target_of(document, path)) is None or target[1] != "file":
        return
    if (anchors := tree.anchors(document, target[0])) is None:
        return
    for name, line in anchors.lines.items():
        yield Completion("anchor", name, *span, encoded(name, ""), line)


def _entries(document: DocumentLocation, directory: str, name: str, span: tuple[int, int]) -> Iterator[Completion]:
    """Yield the files and directories that begin with a name, ignored ones and hidden ones left out."""
    path = decoded(directory)
    if path is None:
        return
    reference = Reference(path or "./", directory, None, 0)
    for start in candidate_paths(document, reference):
        if start is None:
            continue
        for entry in sorted(document.tree.entries(start)):
            full = f"{start}/{entry}".lstrip("/")
            if not entry.lower().startswith(name.lower()) or (entry.startswith(".") and not name):
                continue
            state = document.tree.find(full).state
            if state == "file" and full != document.path:
                yield Completion("file", entry, *span, encoded(entry, ""))
            elif state == "directory":
                yield Completion("directory", f"{entry}/", *span, f"{encoded(entry, '')}/")
