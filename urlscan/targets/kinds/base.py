"""Collect anchors while a document is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from urlscan.targets.slugs.base import Heading, Preset

# GitHub and GitLab write this before every id, and resolve a fragment with and without it.
_USER_CONTENT = "user-content-"
# A longer anchor is not stored: no reference needs it, and a hostile document may consist of one.
_LONGEST = 2048


@dataclass(frozen=True, slots=True)
class Anchors:
    """The anchors of a document.

    Attributes:
        lines: the line, from 1, of the first element with an anchor, by the exact name of the anchor.
        labels: the same for names that only the markup itself can refer to: labels of reStructuredText, normalized, and
            titles of AsciiDoc.
        is_complete: whether no further anchors can exist. A document has further ones if it includes other files, or if
            a program computes ids from a template or from source code.
    """

    lines: Mapping[str, int]
    labels: Mapping[str, int] = field(default_factory=dict)
    is_complete: bool = True

    def line_of(self, fragment: str) -> int | None:
        """Return the line of the anchor that a decoded fragment refers to, or None if there is none."""
        line = self.lines.get(fragment)
        if line is None and fragment.startswith(_USER_CONTENT):
            line = self.lines.get(fragment.removeprefix(_USER_CONTENT))
        return line


class Collector:
    """Receives headings and ids in document order, and computes the anchors.

    Args:
        presets: the slug algorithms.
        is_auto: whether it is unknown which one applies, so that each name that one of them gives counts.
    """

    def __init__(self, presets: tuple[Preset, ...], *, is_auto: bool) -> None:
        self.presets = presets
        self.is_complete = True
        self._is_auto = is_auto
        self._lines: dict[str, int] = {}
        self._labels: dict[str, int] = {}
        self._used: list[dict[str, int]] = [{} for _ in presets]

    def add(self, anchor: str, line: int) -> None:
        """Add an explicit anchor."""
        if len(anchor) <= _LONGEST:
            self._lines.setdefault(anchor, line)

    def add_label(self, label: str, line: int) -> None:
        """Add a name that only the markup of the document can refer to."""
        if len(label) <= _LONGEST:
            self._labels.setdefault(label, line)

    def add_heading(self, heading: Heading, line: int, *, id: str = "", tight: bool = False) -> None:
        """Add the anchors of a heading.

        Args:
            heading: its text, without `id`.
            line: its line, from 1.
            id: the explicit id of the heading, which replaces the slug for most generators.
            tight: whether a space is missing after "#".
        """
        if id:
            self.add(id, line)
        for preset, used in zip(self.presets, self._used, strict=True):
            if (tight and not preset.tight) or (id and preset.attributes and not self._is_auto):
                continue
            self.add(preset.unique(preset.slug(preset.text(heading)), used), line)

    def anchors(self) -> Anchors:
        """Return the anchors added so far."""
        return Anchors(self._lines, self._labels, self.is_complete)
