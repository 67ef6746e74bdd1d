"""Update relative references when files or directories are renamed.

References to what is renamed get the new name, and the references of a renamed document begin at its new place. Only
references that lead to something are changed, and only if they would not lead there any more.
"""

import re
from collections.abc import Callable, Iterator
from posixpath import dirname, relpath
from typing import NamedTuple

from urlscan.core.document import Document
from urlscan.core.find_options import FindOptions
from urlscan.core.lazy import lazy
from urlscan.core.records import Match, in_text
from urlscan.core.settings import SettingsProvider
from urlscan.documents import read_text
from urlscan.documents.identify import identify
from urlscan.files.decode import decode, is_binary
from urlscan.files.tree import Tree
from urlscan.finder import find_in_document
from urlscan.pipeline.targets import Targets
from urlscan.targets.names import is_document
from urlscan.targets.references import Reference, normalized, read_reference
from urlscan.targets.resolve import DocumentLocation, find
from urlscan.targets.suggest import encoded

_LARGEST = 1 << 24
_WORD = lazy(r"[A-Za-z0-9]{2,}")


class Rename(NamedTuple):
    """A file or directory and its new name, as absolute paths."""

    old: str
    new: str


class _Moves(NamedTuple):
    """The renames in one tree, as paths from its root."""

    pairs: tuple[tuple[str, str], ...]

    def moved(self, path: str) -> str:
        """Return the new name of a path; the same one if neither it nor a directory above is renamed."""
        for old, new in self.pairs:
            if path == old:
                return new
            if path.startswith(old + "/"):
                return new + path[len(old) :]
        return path

    def pattern(self) -> "re.Pattern[str]":
        """Return a pattern that matches in every document with a reference to one of them, however it is encoded."""
        words = set()
        for old, _ in self.pairs:
            name = old.rpartition("/")[2].partition(".")[0]
            is_index = name.lower() in ("readme", "index", "_index", "home")  # a reference may name the directory
            words.add("" if is_index else max(_WORD.findall(name), key=len, default=""))
        return re.compile("|".join(sorted(words)), re.IGNORECASE)


class DocumentEdits(NamedTuple):
    """The edits of one document: start, end and text, in characters.

    Attributes:
        path: its absolute path, before it is renamed.
        text: its text.
        edits: the edits, in order.
    """

    path: str
    text: str
    edits: list[tuple[int, int, str]]


def reference_edits(
    renames: list[Rename], targets: Targets, provider: SettingsProvider, read_open: Callable[[str], str | None]
) -> Iterator[DocumentEdits]:
    """Yield the edits of the documents whose references change, before anything is renamed.

    Args:
        renames: what will be renamed.
        targets: the index of the trees.
        read_open: returns the text of an open document by its absolute path, or None.
    """
    for tree, moves in _by_tree(renames, targets):
        pattern = moves.pattern()
        for path in tree.files():
            full = f"{tree.root.rstrip('/')}/{path}"
            if not is_document(path) or provider.excludes(full, None):
                continue
            text = read_open(full)
            if text is None:
                text = _text_on_disk(tree, path)
            if text is None or (moves.moved(path) == path and pattern.search(text) is None):
                continue
            document = DocumentLocation(tree, path, provider.of(full).targets)
            edits = list(_edits(document, text, provider.of(full).kind, moves))
            if edits:
                yield DocumentEdits(full, text, edits)


def _by_tree(renames: list[Rename], targets: Targets) -> Iterator[tuple[Tree, _Moves]]:
    by_root: dict[str, tuple[Tree, list[tuple[str, str]]]] = {}
    for rename in renames:
        old, new = targets.index.place(rename.old), targets.index.place(rename.new)
        if old is not None and new is not None and old[1] and new[1] and old[0] is new[0]:
            by_root.setdefault(old[0].root, (old[0], []))[1].append((old[1], new[1]))
    for tree, pairs in by_root.values():
        yield tree, _Moves(tuple(sorted(pairs, key=lambda pair: len(pair[0]), reverse=True)))


def _text_on_disk(tree: Tree, path: str) -> str | None:
    """Return the text of a file in UTF-8, as an editor shows it; None for others."""
    data = tree.read(path, _LARGEST)
    if data is None or is_binary(data):
        return None
    decoded = decode(data)
    return decoded.text if decoded.encoding == "utf-8" and decoded.whole else None


def _edits(document: DocumentLocation, text: str, kind: str | None, moves: _Moves) -> Iterator[tuple[int, int, str]]:
    kind = kind or identify(document.path, text[:1024])
    for segment in read_text(text, kind=kind):
        if segment.base:
            continue
        for match in find_in_document(segment, FindOptions(relative=True)):
            occurrence = match
            if occurrence.scheme or occurrence.style != "markup" or occurrence.template:
                continue
            reference = read_reference(occurrence.url)
            if reference is None or not reference.path:
                continue
            new = _new_path(document, reference, moves)
            if new is not None and new != reference.raw_path:
                yield from _written(segment, occurrence, reference, new)


def _written(segment: Document, occurrence: Match, reference: Reference, new: str) -> Iterator[tuple[int, int, str]]:
    """Yield the edits that write another path in a reference, in the syntax of the document."""
    start, end = in_text(occurrence, 0, len(reference.raw_path))
    if end - start == len(reference.raw_path):
        yield from segment.edits(start, end, new, start) or ()


def _new_path(document: DocumentLocation, reference: Reference, moves: _Moves) -> str | None:
    """Return the path to write in a reference; None if it still leads to its target, or led nowhere."""
    root = ""
    if reference.path.startswith("/"):
        directories = (*document.settings.root_dirs, *document.settings.static_dirs)
        relative = (document.tree.relative(directory) for directory in directories)
        roots = [directory for directory in relative if directory is not None]
        roots = [
            directory for directory in roots if _leads(document, normalized(directory, reference.path.lstrip("/")))
        ]
        if not roots:
            return None
        root = roots[0]
        old_target = normalized(root, reference.path.lstrip("/"))
    else:
        old_target = normalized(document.directory, reference.path)
    if old_target is None or not _leads(document, old_target):
        return None
    target = _moved_target(document, old_target, moves)
    directory = dirname(moves.moved(document.path))
    if reference.path.startswith("/"):
        new = "/" + relpath(target or ".", root or ".")
        is_same = target == old_target
    else:
        new = relpath(target or ".", directory or ".")
        is_same = normalized(directory, reference.path) == target
    if is_same:
        return None
    if reference.path.endswith("/"):
        new += "/"
    if reference.raw_path.startswith("./") and not new.startswith("."):
        new = "./" + new
    return encoded(new, reference.raw_path)


def _leads(document: DocumentLocation, path: str | None) -> bool:
    return path is not None and find(document, path).state in ("file", "directory")


def _moved_target(document: DocumentLocation, path: str, moves: _Moves) -> str:
    """Return the new path of a target; one that is written without the extension of its file keeps that form."""
    file = find(document, path).path
    new = moves.moved(file)
    if new == file or file == path:
        return moves.moved(path)
    # "guide" for "guide.md", "guide.html" for "guide.md": both share the stem.
    stem, new_stem = file.rpartition(".")[0], new.rpartition(".")[0]
    if path.startswith(stem) and "/" not in path[len(stem) :]:
        return new_stem + path[len(stem) :]
    return moves.moved(path)
