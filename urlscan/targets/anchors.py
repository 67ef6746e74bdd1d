"""Collect the anchors of a document: the fragments with which it can be referred to.

Each kind of document is read by one file in `kinds/`; `slugs/` computes the anchors of headings.
"""

import re
from collections.abc import Callable

from urlscan.targets.kinds import asciidoc, html, ipynb, markdown, org, rst
from urlscan.targets.kinds.base import Anchors, Collector
from urlscan.targets.slugs import presets_for

__all__ = ["READERS", "Anchors", "always_present", "anchors_of"]

# The readers by kind: each adds the anchors of a text to a collector.
READERS: dict[str, Callable[[str, Collector], None]] = {
    "html": html.collect,
    "xml": html.collect,
    "markdown": markdown.collect,
    "ipynb": ipynb.collect,
    "rst": rst.collect,
    "asciidoc": asciidoc.collect,
    "org": org.collect,
}
# Fragments that a browser or a host resolves without an anchor in the document: its top, the README of a directory, and
# lines of a file ("L10", "L10-L20", "L10C3-L12C1"; Bitbucket: "lines-10:20"). A text fragment is never judged.
_ALWAYS = re.compile(
    r"(?:top|readme|L[0-9]+(?:C[0-9]+)?(?:-L?[0-9]+(?:C[0-9]+)?)?|lines-[0-9]+(?::[0-9]+)?|:~:.*|.*:~:text=.*)?\Z",
    re.DOTALL | re.IGNORECASE,
)


def anchors_of(text: str, kind: str, preset: str = "auto") -> Anchors:
    """Return the anchors of a document.

    Args:
        text: the document.
        kind: its kind, one of READERS; a document of another kind has no anchors.
        preset: the slug algorithm, a name in `slugs.FAMILIES` or `slugs.PRESETS`, or "auto" for all of them.
    """
    reader = READERS.get(kind)
    collector = Collector(presets_for(kind, preset), is_auto=preset == "auto")
    if reader is not None:
        reader(text, collector)
    return collector.anchors()


def always_present(fragment: str) -> bool:
    """Return whether a decoded fragment needs no anchor: "", "top", "readme", lines of a file, text fragments."""
    return _ALWAYS.match(fragment) is not None
