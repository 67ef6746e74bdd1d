"""Compare two versions of a text."""

from collections.abc import Iterator
from typing import NamedTuple


class Change(NamedTuple):
    """A span of an old text and the span of a new one in its place."""

    start: int
    old_end: int
    new_end: int

    @property
    def shift(self) -> int:
        """How far the text after the change has moved."""
        return self.new_end - self.old_end


def change_between(old: str, new: str) -> Change | None:
    """Return the smallest span in which two texts differ; None if they are equal."""
    if old == new:
        return None
    start = _common_prefix(old, new, min(len(old), len(new)))
    end = _common_suffix(old, new, min(len(old), len(new)) - start)
    return Change(start, len(old) - end, len(new) - end)


def _common_prefix(old: str, new: str, limit: int) -> int:
    """Return the length of the common prefix, at most `limit`, by bisection: comparing slices is fast."""
    low = 0
    while low < limit:
        middle = (low + limit + 1) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            limit = middle - 1
    return low


def _common_suffix(old: str, new: str, limit: int) -> int:
    low = 0
    while low < limit:
        middle = (low + limit + 1) // 2
        if old[len(old) - middle : len(old) - low] == new[len(new) - middle : len(new) - low]:
            low = middle
        else:
            limit = middle - 1
    return low


def edits_between(old: str, new: str) -> Iterator[tuple[int, int, str]]:
    """Yield the edits that turn one text into another: start, end, text; by line if no line is added or removed."""
    before, after = old.split("\n"), new.split("\n")
    if len(before) != len(after):
        change = change_between(old, new)
        if change is not None:
            yield change.start, change.old_end, new[change.start : change.new_end]
        return
    at = 0
    for line, other in zip(before, after, strict=True):
        change = change_between(line, other)
        if change is not None:
            yield at + change.start, at + change.old_end, other[change.start : change.new_end]
        at += len(line) + 1
