"""The links of a document: URLs as a whole, even over line breaks, and files that relative references lead to."""

import os
from typing import NamedTuple

from urlscan.core.records import Match
from urlscan.core.settings import TargetSettings
from urlscan.files.tree import Tree
from urlscan.files.walk import STDIN
from urlscan.pipeline.targets import Targets
from urlscan.secrets import redact
from urlscan.server.analysis import FoundUrl
from urlscan.targets.references import Reference, decoded, read_reference
from urlscan.targets.resolve import DocumentLocation, find, index_of, starts

# Schemes that are opened without harm; an editor may execute what others name ("command:", "javascript:").
_SCHEMES = frozenset(("http", "https", "ftp", "mailto"))


class Destination(NamedTuple):
    """Where a relative reference leads to.

    Attributes:
        path: the absolute path of the file or directory.
        name: its path from the root of the tree, with the fragment.
        line: the line of the anchor, from 1; 0 without one.
        is_missing: whether there is no such file.
    """

    path: str
    name: str
    line: int = 0
    is_missing: bool = False


class Resolver:
    """Resolves the relative references of one document.

    Args:
        path: the absolute path of the document; "-" for one that has never been saved.
        targets: the index of the trees.
        settings: how targets are found.
    """

    def __init__(self, path: str, targets: Targets, settings: TargetSettings) -> None:
        self._settings = settings
        self._index = targets.index
        self._document: DocumentLocation | None = None
        if path != STDIN and (location := self._index.place(path)) is not None and location[1]:
            self._document = DocumentLocation(*location, settings)

    def destination(self, occurrence: Match) -> Destination | None:
        """Return where a reference leads to; None for a URL with a scheme, or a reference that is doubtful."""
        if occurrence.scheme or occurrence.template or occurrence.assumed or self._document is None:
            return None
        reference = read_reference(occurrence.url)
        if reference is None:
            return None
        document = self._document
        if not reference.path:
            return self._at(document.tree, document.path, reference) if reference.fragment else None
        paths = [path for path in starts(document, reference) if path is not None]
        for path in paths:
            match = find(document, path)
            if match.state == "file":
                return self._at(document.tree, match.path, reference)
            if match.state == "directory":
                return self._at(document.tree, index_of(document, match.path) or match.path, reference)
        return self._missing(document.tree, paths[0]) if paths else None

    def _missing(self, tree: Tree, path: str) -> Destination:
        return Destination(os.path.join(tree.root, path), f"{path} (no such file)", is_missing=True)

    def _at(self, tree: Tree, path: str, reference: Reference) -> Destination:
        """Return the destination in a file, with the line of the anchor."""
        line, name = 0, path or "."
        if reference.fragment and (anchor := decoded(reference.fragment)):
            name += f"#{anchor}"
            anchors = self._index.anchors(tree, path, self._settings.anchors)
            if anchors is not None:
                line = anchors.line_of(anchor) or 0
        return Destination(os.path.join(tree.root, path), name, line)


def target_of(found_url: FoundUrl) -> str | None:
    """Return the URL that an editor opens; None if it must not open it, or it would show a secret."""
    occurrence = found_url.occurrence
    url = occurrence.assumed or occurrence.url
    if occurrence.template or not occurrence.scheme or occurrence.scheme not in _SCHEMES:
        return None
    if redact(url) != url or any(not character.isprintable() for character in url):
        return None
    return url
