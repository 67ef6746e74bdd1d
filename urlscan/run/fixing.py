"""Fix a source until nothing is left to fix; what does not read back as it is meant is not fixed.

A fix is taken only if the new source, read as the old one was, shows the text that is meant, the URL that is meant
at its place, and every other URL as it was.
"""

import bisect
import hashlib
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import NamedTuple

from urlscan.fix import apply
from urlscan.model import Edit, Finding, Occurrence
from urlscan.run.checked import Checked
from urlscan.text import Segment

# A fix may bring to light what it stood before; what is not settled then never will be.
_ROUNDS = 10
# How often a source is read again to find the fixes that do not read back.
_MOST_TRIES = 200

Judge = Callable[[bytes], list[Checked]]
Find = Callable[[Segment], list[Occurrence]]


class Mended(NamedTuple):
    """A source that was fixed.

    Attributes:
        data: its bytes.
        results: what remains of each segment; a fix that was refused is none any more.
        fixed: what was fixed.
    """

    data: bytes
    results: list[Checked]
    fixed: list[Finding]


def mended(data: bytes, results: list[Checked], judge: Judge, find: Find, *, unsafe: bool) -> Mended:
    """Return the source with its fixes applied.

    Args:
        data: its bytes.
        results: what is wrong in them, by segment.
        judge: returns that of other bytes, which are read as the same source.
        find: returns the occurrences of a segment, in order.
        unsafe: whether fixes are applied that may change the meaning.
    """
    fixed: list[Finding] = []
    tries = iter(range(_MOST_TRIES))
    seen: dict[bytes, int] = {}  # the digest of each state, and how much had been fixed by then
    best = b""
    for _ in range(_ROUNDS * len(results)):
        state = hashlib.sha256(data).digest()
        if not best and state in seen:
            # Rules that contradict each other lead in a circle, which is left where any other run leaves it.
            best = min(list(seen)[list(seen).index(state) :])
        if state == best:
            return Mended(data, [_without(one, one.findings) for one in results], fixed[: seen[state]])
        seen.setdefault(state, len(fixed))
        # The edits of one segment count the bytes before those of another are made.
        number = 0
        while number < len(results):
            data, after, done, refused = _step(data, results, number, judge, find, tries, unsafe=unsafe)
            if done:
                results, fixed = after, fixed + done
                break
            results = [*results[:number], _without(results[number], refused), *results[number + 1 :]]
            number += not refused  # else those that were in conflict with these come next
        else:
            break
    return Mended(data, results, fixed)


def _without(checked: Checked, refused: list[Finding]) -> Checked:
    """Return the result without the fixes that were refused."""
    if not refused:
        return checked
    return checked._replace(findings=[f._replace(fix=None) if f in refused else f for f in checked.findings])


def _step(
    data: bytes, results: list[Checked], number: int, judge: Judge, find: Find, tries: Iterator[int], *, unsafe: bool
) -> tuple[bytes, list[Checked], list[Finding], list[Finding]]:
    """Fix as much of one segment as can be at once: return data, results, what was fixed and what was refused."""
    segment = results[number].segment
    _, first = apply(data, results[number].findings, segment, unsafe=unsafe)
    groups, done, refused = [first], list[Finding](), list[Finding]()
    taken, after = data, results
    found = find(segment) if first else []
    while groups:
        group = groups.pop()
        new, both = apply(data, [*done, *group], segment, unsafe=unsafe)
        if len(both) == len(done):
            continue
        if next(tries, None) is None:
            refused += group
            continue
        now = judge(new)
        if _reads_back(results, now, number, found, both, find):
            taken, after, done = new, now, both
        elif len(group) == 1:
            refused += group
        else:
            middle = len(group) // 2
            groups += [group[middle:], group[:middle]]
    return taken, after, done, refused


def _reads_back(
    before: list[Checked], after: list[Checked], number: int, found: list[Occurrence], done: list[Finding], find: Find
) -> bool:
    """Return whether the new source shows what is meant, and all else as it was."""
    if len(before) != len(after):
        return False
    for other, (old, new) in enumerate(zip(before, after, strict=True)):
        if other != number and old.segment.text != new.segment.text:
            return False
    old_segment, new_segment = before[number].segment, after[number].segment
    fixes = [finding.fix.meant for finding in done if finding.fix is not None]
    edits = sorted(edit for fix in fixes for edit in fix)
    if new_segment.text != _edited(old_segment.text, edits):
        return False
    now = find(new_segment)
    moved = _Moved(edits, fixes)
    return len(now) == len(found) and all(map(moved.is_same, found, now))


def _edited(text: str, edits: list[Edit]) -> str:
    parts, done = [], 0
    for edit in edits:
        parts += [text[done : edit.start], edit.text]
        done = edit.end
    return "".join([*parts, text[done:]])


class _Moved:
    """Where things stand after edits, which are in order and do not overlap."""

    def __init__(self, edits: list[Edit], fixes: list[tuple[Edit, ...]]) -> None:
        self._edits = edits
        self._starts = [edit.start for edit in edits]
        self._ends = [edit.end for edit in edits]
        self._by = [0, *accumulate(len(edit.text) - (edit.end - edit.start) for edit in edits)]
        # Where a fix puts delimiters around more than the URL, and where that ends.
        self._around = {fix[0].start: fix[-1].end for fix in fixes if len(fix) > 1}

    def is_same(self, old: Occurrence, new: Occurrence) -> bool:
        """Return whether `new` is what was meant to become of `old`."""
        low = bisect.bisect_left(self._ends, old.outer_start)
        high = bisect.bisect_right(self._starts, old.outer_end)
        if low >= high:  # nothing touches it
            return new.url == old.url and (new.start, new.end) == self._span(old.start, old.end)
        if (new.start, new.end) == self._span(old.start, old.end):
            return [gap.length for gap in new.breaks] == [gap.length for gap in old.breaks]
        # What was put at its ends delimits it.
        around = self._around.get(old.start, old.outer_end)
        spans = self._span(old.outer_start, old.outer_end), self._span(old.start, around)
        return new.style in ("wrapper", "angle") and (new.outer_start, new.outer_end) in spans

    def _span(self, start: int, end: int) -> tuple[int, int]:
        """Return where text[start:end] stands now, with what was put at its ends."""
        before = bisect.bisect_right(self._ends, start)
        while before and self._starts[before - 1] == start:  # put there, and no end of what stood before
            before -= 1
        behind = bisect.bisect_left(self._starts, end)
        while behind < len(self._edits) and self._starts[behind] == self._ends[behind] == end:
            behind += 1
        return start + self._by[before], end + self._by[behind]
