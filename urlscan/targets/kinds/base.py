"""Collect anchors while a document is read."""

import functools
import re
from collections.abc import Callable, Mapping, Sequence

from urlscan.core.lazy import lazy
from urlscan.targets.similar import SimilarNames
from urlscan.targets.slugs import MARKDOWN, Heading, Preset

# A heading to which all algorithms for Markdown give the same slug.
_SIMPLE = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[ -][A-Za-z0-9]+)*\Z")

# GitHub and GitLab write this before every id, and resolve a fragment with and without it.
_USER_CONTENT = "user-content-"
# A longer anchor is not stored: no reference needs it, and a hostile document may consist of one.
_LONGEST = 2048
# The most anchors that are stored and headings that are read; the anchors of a larger document are incomplete.
_MOST = 200_000
_MOST_HEADINGS = 20_000
_NO_HEADING = Heading("", ())


# Fragments that need no anchor in the document: its top, the README of a directory, lines of a file ("L10", "L10-L20",
# "L10C3-L12C1"; Bitbucket: "lines-10:20"), and entries of the contents of docutils. A text fragment is never judged.
_ALWAYS = lazy(
    r"(?:top|readme|toc-entry-\d+|L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?|lines-\d+(?::\d+)?|:~:.*|.*:~:text=.*)?\Z",
    re.DOTALL | re.IGNORECASE,
)


class Anchors:
    """The anchors of a document.

    Attributes:
        lines: the line, from 1, of the first element with an anchor, by the exact name of the anchor.
        labels: the same for names that only the markup itself can refer to: labels of reStructuredText, normalized, and
            titles of AsciiDoc.
        is_complete: whether no further anchors can exist except those of included documents. A document has further
            ones if a program computes ids from a template or from source code, or if it has too many to be stored.
        inclusions: the paths of the documents that a document includes, as they are written; "" for one that is not
            known. The inclusions of other markups than Markdown and reStructuredText make the anchors incomplete.
    """

    def __init__(
        self, lines: Mapping[str, int], labels: Mapping[str, int], *, is_complete: bool, inclusions: Sequence[str] = ()
    ) -> None:
        self.lines, self.labels, self.is_complete, self.inclusions = lines, labels, is_complete, inclusions

    @functools.cached_property
    def names(self) -> SimilarNames:
        """The anchors, to find similar ones."""
        return SimilarNames(self.lines)

    @functools.cached_property
    def label_names(self) -> SimilarNames:
        """The labels, to find similar ones."""
        return SimilarNames(self.labels)

    def line_of(self, fragment: str) -> int | None:
        """Return the line of the anchor that a decoded fragment refers to, or None if there is none."""
        return self.lines.get(fragment, self.lines.get(fragment.removeprefix(_USER_CONTENT)))

    def has_place(self, fragment: str) -> bool:
        """Return whether a decoded fragment leads to a place in the document, or need not."""
        return self.line_of(fragment) is not None or _ALWAYS.match(fragment) is not None


class Collector:
    """Receives headings and ids in document order, and computes the anchors.

    Attributes:
        is_complete, inclusions: as in `Anchors`.
        line_numbers: the line in the source of each line of the text that is read, if they differ.
    """

    def __init__(self, presets: tuple[Preset, ...], *, is_auto: bool) -> None:
        self.is_complete = True
        self.inclusions: list[str] = []
        self.line_numbers: list[int] | None = None
        self._presets = presets
        self._is_auto = is_auto
        self._are_alike = bool(presets) and all(preset.kinds == MARKDOWN for preset in presets)
        self._lines: dict[str, int] = {}
        self._labels: dict[str, int] = {}
        self._headings = 0
        self._used: list[dict[str, int]] = [{} for _ in presets]

    def add(self, anchor: str, line: int) -> None:
        """Add an explicit anchor."""
        if len(self._lines) >= _MOST:
            self.is_complete = False
        elif len(anchor) <= _LONGEST:
            if self.line_numbers is not None:
                line = self.line_numbers[line - 1]
            self._lines.setdefault(anchor, line)

    def reserve(self, anchor: str, line: int) -> None:
        """Add an explicit anchor that no slug of a heading may repeat."""
        self.add(anchor, line)
        for used in self._used:
            used.setdefault(anchor, 0)

    def add_label(self, label: str, line: int) -> None:
        """Add a name that only the markup of the document can refer to."""
        if len(label) <= _LONGEST and len(self._labels) < _MOST:
            self._labels.setdefault(label, line)

    def use(self, preset: Preset) -> None:
        """Apply a preset with the settings of the document: instead of that of the same name, or in addition."""
        if self._is_auto or preset.name not in [used.name for used in self._presets]:
            self._presets = (*self._presets, preset)
            self._used.append({})
        else:
            self._presets = tuple(preset if used.name == preset.name else used for used in self._presets)

    def add_heading(
        self, heading: Heading, line: int, *, id: str = "", whole: Heading = _NO_HEADING, tight: bool = False
    ) -> None:
        """Add the anchors of a heading, whose source has no attribute list; the list is text for other generators.

        Args:
            id: the explicit id of the heading, which replaces the slug for generators that know attribute lists.
            whole: the heading with its attribute list, if it has one.
            tight: whether a space is missing after "#".
        """
        if id:
            self.add(id, line)
        if whole.source and not all(preset.attributes for preset in self._presets):
            self._add_slugs(whole, line, [preset.attributes for preset in self._presets])
        skipped = [
            (tight and not preset.tight)
            or (id != "" and preset.attributes and not self._is_auto)
            or (whole.source != "" and not preset.attributes and not self._is_auto)
            for preset in self._presets
        ]
        self._add_slugs(heading, line, skipped)

    def _add_slugs(self, heading: Heading, line: int, skipped: list[bool]) -> None:
        """Add the slugs of a heading by each preset that is not skipped."""
        self._headings += 1
        if self._headings > _MOST_HEADINGS:
            self.is_complete = False
            return
        shared = ""
        if self._are_alike and _SIMPLE.match(heading.source) is not None:
            shared = heading.source.lower().replace(" ", "-")  # the slug by all presets
        slugs: dict[tuple[Callable[[str], str], str], str] = {}
        last = None  # most presets give the same anchor as the one before
        for preset, used, is_skipped in zip(self._presets, self._used, skipped, strict=True):
            if is_skipped:
                continue
            text = shared or preset.text(heading)
            slug = shared or slugs.get((preset.slug, text))
            if slug is None:
                slug = slugs[preset.slug, text] = preset.slug(text)
            anchor = preset.unique(slug, used)
            if anchor != last:
                self.add(anchor, line)
                last = anchor

    def anchors(self) -> Anchors:
        """Return the anchors added so far."""
        return Anchors(self._lines, self._labels, is_complete=self.is_complete, inclusions=self.inclusions)
