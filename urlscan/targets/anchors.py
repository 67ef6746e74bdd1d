"""Collect the anchors of a document: the fragments with which it can be referred to.

Each kind of document is read by one file in `kinds/`; `slugs` computes the anchors of headings.
"""

import importlib
import os
from collections.abc import Callable

from urlscan.documents.identify import identify
from urlscan.files.decode import decode, head_of, is_binary
from urlscan.files.tree import Tree
from urlscan.targets.kinds.base import Anchors, Collector
from urlscan.targets.names import DOCUMENT_KINDS
from urlscan.targets.slugs import presets_for

__all__ = ["READERS", "Anchors", "anchors_of", "read_anchors", "reader_of"]

# The readers by kind, "module:function", imported on first use: each adds the anchors of a text to a collector.
READERS = {
    "html": "html:collect",
    "xml": "html:collect",
    "markdown": "markdown:collect",
    "ipynb": "markdown:collect_notebook",
    "rst": "rst:collect",
    "asciidoc": "asciidoc:collect",
    "org": "org:collect",
}
# Larger documents are not read.
_LARGEST = 1 << 24


def reader_of(kind: str) -> Callable[[str, Collector], None]:
    """Return the reader of a kind in READERS."""
    module, _, function = READERS[kind].partition(":")
    reader: Callable[[str, Collector], None] = getattr(
        importlib.import_module(f"urlscan.targets.kinds.{module}"), function
    )
    return reader


def anchors_of(text: str, kind: str, preset: str = "auto") -> Anchors | None:
    """Return the anchors of a document by a slug algorithm (`slugs.presets_for`); None for a kind without anchors."""
    if kind not in READERS:
        return None
    collector = Collector(presets_for(kind, preset), is_auto=preset == "auto")
    reader_of(kind)(text, collector)
    return collector.anchors()


def read_anchors(tree: Tree, path: str, preset: str) -> tuple[int, Anchors | None]:
    """Return a hash of the text of a file and its anchors; None if it is no document or cannot be read."""
    if tree.find(path).state != "file":
        return 0, None
    data = tree.read(path, _LARGEST)
    if data is None or is_binary(data):
        return 0, None
    kind = identify(os.path.basename(path), head_of(data))
    if kind not in DOCUMENT_KINDS:
        return 0, None
    text = decode(data, None, kind).text
    return hash(text), anchors_of(text, kind, preset)
