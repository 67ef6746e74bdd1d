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
from urlscan.run.checked import CheckResult
from urlscan.text import Segment

# A fix may bring to light what it stood before; what is not settled then never will be.
_ROUNDS = 10
# How often a source is read again to find the fixes that do not read back: as often as this many bytes allow, since
# the time must grow with the size of the source and no faster.
_MOST_TRIES, _FEWEST_TRIES = 200, 3
_BYTES_TRIED = 100_000

Judge = Callable[[bytes], list[CheckResult]]
Find = Callable[[Segment], list[Occurrence]]


class FixResult(NamedTuple):
    """A source that was fixed.

    Attributes:
        data: its bytes.
        results: what remains of each segment; a fix that was refused is none any more.
        fixed: what was fixed.
    """

    data: bytes
    results: list[CheckResult]
    fixed: list[Finding]


def fix_source(data: bytes, results: list[CheckResult], judge: Judge, find: Find, *, unsafe: bool) -> FixResult:
    """Return the source with its fixes applied.

    Args:
        data: its bytes.
        results: what is wrong in them, by segment.
        judge: returns that of other bytes, which are read as the same source.
        find: returns the occurrences of a segment, in order.
        unsafe: whether fixes are applied that may change the meaning.
    """
    fixed: list[Finding] = []
    tries = iter(range(max(_FEWEST_TRIES, min(_MOST_TRIES, _BYTES_TRIED // max(len(data), 1)))))
    seen: dict[bytes, int] = {}  # the digest of each state, and how much had been fixed by then
    best = b""
    for _ in range(_ROUNDS * len(results)):
        state = hashlib.sha256(data).digest()
        if not best and state in seen:
            # Rules that contradict each other lead in a circle, which is left where any other run leaves it.
            best = min(list(seen)[list(seen).index(state) :])
        if state == best:
            return FixResult(data, [_without(one, one.findings) for one in results], fixed[: seen[state]])
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
    return FixResult(data, results, fixed)


def _without(checked: CheckResult, refused: list[Finding]) -> CheckResult:
    """Return the result without the fixes that were refused."""
    if not refused:
        return checked
    without = frozenset(refused)
    return checked._replace(findings=[f._replace(fix=None) if f in without else f for f in checked.findings])


def _step(
    data: bytes,
    results: list[CheckResult],
    number: int,
    judge: Judge,
    find: Find,
    tries: Iterator[int],
    *,
    unsafe: bool,
) -> tuple[bytes, list[CheckResult], list[Finding], list[Finding]]:
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
        now = judge(new)
        if _reads_back(results, now, number, found, both, find):
            taken, after, done = new, now, both
        elif len(group) == 1 or next(tries, None) is None:
            refused += group
        else:
            groups += _divided(group, _suspects(segment, now, number, found, both, find))
    return taken, after, done, refused


def _divided(group: list[Finding], suspects: frozenset[Finding]) -> list[list[Finding]]:
    """Return a group in two, the part that is tried first at the end: those that are no suspects, or the first half."""
    first, second = [one for one in group if one not in suspects], [one for one in group if one in suspects]
    if not first or not second:
        middle = len(group) // 2
        first, second = group[:middle], group[middle:]
    return [second, first]


def _suspects(
    segment: Segment, after: list[CheckResult], number: int, found: list[Occurrence], done: list[Finding], find: Find
) -> frozenset[Finding]:
    """Return the fixes that touch a URL which is not found again as it is meant.

    What is wrong may have another cause, so that a suspect is tried again.

    Args:
        segment: the text before the fixes.
        after: the segments with the fixes.
        number: which of them shows the text.
        found: the occurrences before, in order.
        done: the findings whose fixes were made, in order.
        find: returns the occurrences of a segment, in order.
    """
    fixes = [(finding, finding.fix.meant) for finding in done if finding.fix is not None]
    edits = sorted(edit for _, fix in fixes for edit in fix)
    if number >= len(after) or after[number].segment.text != _edited(segment.text, edits):
        return frozenset()
    moved = _Moved(edits, [fix for _, fix in fixes])
    now: dict[int, Occurrence] = {}
    for one in find(after[number].segment):
        now[one.outer_start] = now[one.start] = one
    wrong = [old for old in found if not any(moved.is_same(old, new) for new in moved.candidates(old, now))]
    ends = [old.outer_end for old in wrong]
    suspects = []
    for finding, fix in fixes:
        at = bisect.bisect_left(ends, fix[0].start)
        if at < len(wrong) and wrong[at].outer_start <= fix[-1].end:
            suspects.append(finding)
    return frozenset(suspects)


def _reads_back(
    before: list[CheckResult],
    after: list[CheckResult],
    number: int,
    found: list[Occurrence],
    done: list[Finding],
    find: Find,
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

    def candidates(self, old: Occurrence, now: dict[int, Occurrence]) -> Iterator[Occurrence]:
        """Yield what may have become of `old`, of occurrences by where they begin."""
        for start in (old.start, old.outer_start):
            if (new := now.get(self._span(start, old.outer_end)[0])) is not None:
                yield new

    def _span(self, start: int, end: int) -> tuple[int, int]:
        """Return where text[start:end] stands now, with what was put at its ends."""
        before = bisect.bisect_right(self._ends, start)
        while before and self._starts[before - 1] == start:  # put there, and no end of what stood before
            before -= 1
        behind = bisect.bisect_left(self._starts, end)
        while behind < len(self._edits) and self._starts[behind] == self._ends[behind] == end:
            behind += 1
        return start + self._by[before], end + self._by[behind]
