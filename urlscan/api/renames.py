"""Update references when files, directories or headings are renamed.

References to what is renamed get the new name, and the references of a renamed document begin at its new directory.
Only references that lead to something are changed, and only if they would not lead there any more.
"""

import re
from collections.abc import Iterator
from itertools import accumulate
from posixpath import dirname, relpath
from typing import NamedTuple

from urlscan.api.references import Destination, OpenTree, full_path, referrers, relative_references
from urlscan.core.errors import UrlscanError
from urlscan.core.lazy import lazy
from urlscan.core.offsets import replaced
from urlscan.core.records import in_text
from urlscan.documents import read_text
from urlscan.files.tree import Tree
from urlscan.pipeline.referrers import mention_pattern
from urlscan.pipeline.targets import Targets
from urlscan.targets.anchors import Anchors, anchors_of
from urlscan.targets.references import Reference, normalized
from urlscan.targets.resolve import DocumentLocation, find
from urlscan.targets.suggest import encoded

# The text of a heading in its line. AsciiDoc: "==", Markdown: "#", reStructuredText and Markdown: an underline.
# Matches: `# A`, `## A b ##`, `== A`, `> ## A {#b}`
# Does not match: `#A`, `####### A`, `A`
_MARKED = lazy(
    r"""[ \t>]* (?P<mark>\#{1,6}|={1,6}) [ \t]+ (?P<text> \S (?:[ \t]*+[^ \t])*? )
    (?:[ \t]++[\#=]++)? [ \t]*+ (?:\{[^{}]*+\})? [ \t]*+ \r?\Z""",
    re.VERBOSE,
)
_UNDERLINE = lazy(r"[ \t>]*(?P<line>([-=~^\"'`#*+.:_])\2*)[ \t]*\r?\Z")


class Rename(NamedTuple):
    """A file or directory and its new name, as absolute paths."""

    old: str
    new: str


# The renames in one tree: old and new paths from its root, the longest first.
_Moves = list[tuple[str, str]]


class DocumentEdits(NamedTuple):
    """A document, by its absolute path before it is renamed, and its edits in order: start, end and text."""

    path: str
    text: str
    edits: list[tuple[int, int, str]]


def reference_edits(renames: list[Rename], open_tree: OpenTree) -> Iterator[DocumentEdits | None]:
    """Yield the edits of the documents whose references change, before anything is renamed; None for other documents.

    Raise UrlscanError if there is more to read than one request may.
    """
    for tree, moves in _by_tree(renames, open_tree.targets):
        pattern = mention_pattern([old for old, _ in moves])
        for searched in open_tree.documents(tree, pattern, lambda path, moves=moves: _moved(path, moves) != path):  # type: ignore[misc]
            edits: list[tuple[int, int, str]] = []
            if searched is not None:
                document, text = searched
                edits = list(_edits(document, text, open_tree.kind(document, text), moves))
            yield DocumentEdits(full_path(document), text, edits) if edits else None


def _by_tree(renames: list[Rename], targets: Targets) -> Iterator[tuple[Tree, _Moves]]:
    by_root: dict[str, tuple[Tree, _Moves]] = {}
    for rename in renames:
        old, new = targets.index.place(rename.old), targets.index.place(rename.new)
        if old is not None and new is not None and old[1] and new[1] and old[0] is new[0]:
            by_root.setdefault(old[0].root, (old[0], []))[1].append((old[1], new[1]))
    for tree, pairs in by_root.values():
        yield tree, sorted(pairs, key=lambda pair: len(pair[0]), reverse=True)


def _edits(document: DocumentLocation, text: str, kind: str, moves: _Moves) -> Iterator[tuple[int, int, str]]:
    for segment, match, reference in relative_references(read_text(text, kind=kind)):
        new, length = _new_path(document, reference, moves), len(reference.raw_path)
        start, end = in_text(match, 0, length)
        if new not in ("", reference.raw_path) and end - start == length:  # no line break is inside
            yield from segment.edits(start, end, new, start) or ()


def _new_path(document: DocumentLocation, reference: Reference, moves: _Moves) -> str:
    """Return the path to write in a reference; "" if it still leads to its target, or led nowhere."""
    is_rooted, path = reference.path.startswith("/"), reference.path.lstrip("/")
    roots: list[str | None] = [document.directory]
    if is_rooted:
        directories = (*document.settings.root_dirs, *document.settings.static_dirs)
        roots = [document.tree.relative(directory) for directory in directories]
    places = ((root, normalized(root, path)) for root in roots if root is not None)
    targets = ((root, target) for root, target in places if target is not None)
    existing = (pair for pair in targets if find(document, pair[1]).state in ("file", "directory"))
    root, old_target = next(existing, ("", None))
    if old_target is None or not reference.path:
        return ""
    target = _moved_target(document, old_target, moves)
    new_root = root if is_rooted else dirname(_moved(document.path, moves))
    if normalized(new_root, path) == target:
        return ""
    new = relpath(target or ".", new_root or ".")
    if is_rooted:
        new = f"/{new}"
    if reference.path.endswith("/"):
        new += "/"
    if reference.raw_path.startswith("./") and not new.startswith("."):
        new = "./" + new
    return encoded(new, reference.raw_path)


def _moved_target(document: DocumentLocation, path: str, moves: _Moves) -> str:
    """Return the new path of a target; one that is written without the extension of its file keeps that form."""
    file = find(document, path).path
    new = _moved(file, moves)
    if new == file or file == path:
        return _moved(path, moves)
    # "guide" for "guide.md", "guide.html" for "guide.md": both share the stem.
    stem, new_stem = file.rpartition(".")[0], new.rpartition(".")[0]
    if path.startswith(stem) and "/" not in path[len(stem) :]:
        return new_stem + path[len(stem) :]
    return _moved(path, moves)


def _moved(path: str, moves: _Moves) -> str:
    """Return the new name of a path; the same one if neither it nor a directory above is renamed."""
    for old, new in moves:
        if path == old:
            return new
        if path.startswith(old + "/"):
            return new + path[len(old) :]
    return path


class HeadingText(NamedTuple):
    """The text of a heading.

    Attributes:
        mark: what shows its level: "##", or the characters of its lines, such as "-" or "==" (with one above it).
        lines: the spans of the lines above and below it that must be as long as the text (reStructuredText).
    """

    start: int
    end: int
    mark: str
    lines: tuple[tuple[int, int], ...] = ()


def outline(text: str, kind: str) -> Iterator[tuple[int, HeadingText]]:
    """Yield the headings of a document in order, each with its level, from 1."""
    anchors = anchors_of(text, kind)
    underlines = {"=": 1, "-": 2} if kind == "markdown" else {}
    if anchors is None:
        return
    for heading in _headings(text, kind, sorted({*anchors.lines.values()})):
        if kind == "rst" or heading.mark in underlines:
            yield underlines.setdefault(heading.mark, len(underlines) + 1), heading
        else:
            yield len(heading.mark), heading


def heading_in_line(text: str, kind: str, line: int) -> HeadingText | None:
    """Return the heading in a line, by its number from 1, of a document with headings; None if there is none."""
    return next(_headings(text, kind, [line]), None)


def _headings(text: str, kind: str, numbers: list[int]) -> Iterator[HeadingText]:
    """Yield the headings in some lines, by their numbers in order."""
    if kind not in ("markdown", "rst", "asciidoc"):
        return
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    for number in numbers:
        if number <= len(lines) and (heading := _heading(lines, starts[number - 1], kind, number)) is not None:
            yield heading


def _heading(lines: list[str], start: int, kind: str, line: int) -> HeadingText | None:
    """Return the heading in a line that begins at an offset, or None."""
    marked = _MARKED.match(lines[line - 1]) if kind != "rst" else None
    if marked is not None:
        return HeadingText(start + marked.start("text"), start + marked.end("text"), marked["mark"])
    content = lines[line - 1].strip(" \t>\r") if kind == "markdown" else lines[line - 1].strip()
    below = _UNDERLINE.match(lines[line]) if len(lines) > line else None
    if not content or below is None or kind == "asciidoc":
        return None
    first = start + lines[line - 1].index(content)
    after = start + len(lines[line - 1]) + 1
    spans = [(after + below.start("line"), after + below.end("line"))]
    above = _UNDERLINE.match(lines[line - 2]) if line > 1 else None
    if above is not None and above["line"] == below["line"]:
        before = start - len(lines[line - 2]) - 1
        spans.insert(0, (before + above.start("line"), before + above.end("line")))
    lines_of_text = tuple(spans) if kind == "rst" else ()
    return HeadingText(first, first + len(content), below["line"][0] * max(len(lines_of_text), 1), lines_of_text)


def heading_edits(open_tree: OpenTree, heading: Destination, new: str) -> Iterator[DocumentEdits | None]:
    """Yield the edits that rename a heading and keep the fragments that lead to headings of its document.

    Yield None for each document that does not change. Raise UrlscanError if there is no heading that can be renamed,
    if `new`, in the markup of the document, is not the text of one, or if the documents are too large.
    """
    location = open_tree.location(heading.path)
    new = new.strip()
    if location is None or (text := open_tree.read(location)) is None:
        raise UrlscanError(f"{heading.path}: cannot be read")
    kind = open_tree.kind(location, text)
    span = heading_in_line(text, kind, heading.line)
    if span is None:
        raise UrlscanError("no heading that can be renamed")
    if not new or not new.isprintable():
        raise UrlscanError("the text of a heading is one line")
    heading_edits = [(span.start, span.end, new)]
    heading_edits += [(start, end, text[start] * max(len(new), 3)) for start, end in span.lines]
    changed = replaced(text, sorted(heading_edits))
    preset = open_tree.preset(location)
    new_names = _new_names(anchors_of(text, kind, preset), anchors_of(changed, kind, preset))
    for referrer in referrers(open_tree, heading._replace(line=0)):
        if referrer is None:
            yield None
            continue
        edits = []
        for link in referrer.links:
            if link.fragment in new_names:
                written = referrer.text[slice(*link.fragment_span)]
                edits += link.rewrite(encoded(new_names[link.fragment], written))
        if referrer.path == heading.path:
            edits, heading_edits = sorted([*heading_edits, *edits]), []
        yield DocumentEdits(referrer.path, referrer.text, edits) if edits else None
    if heading_edits:
        yield DocumentEdits(heading.path, text, sorted(heading_edits))


def _new_names(before: Anchors | None, after: Anchors | None) -> dict[str, str]:
    """Return the new name of each anchor that a changed heading gives another one: that in the same line."""
    if before is None or after is None:
        return {}
    names: dict[str, str] = {}
    for old_names, new_names in ((before.lines, after.lines), (before.labels, after.labels)):
        added: dict[int, list[str]] = {}
        for name, line in new_names.items():
            if old_names.get(name) != line:
                added.setdefault(line, []).append(name)
        for name, line in old_names.items():
            if new_names.get(name) != line and added.get(line):
                candidates = added[line]
                names[name] = candidates.pop(0) if len(candidates) > 1 else candidates[0]
    return names
