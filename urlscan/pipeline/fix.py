"""Fix a source until no fix is left; reject fixes that do not read back as intended.

A fix is accepted only if the new source, read like the old one, shows the intended text, the intended URL at its place,
and every other URL unchanged.
"""

import bisect
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, zip_longest

from urlscan.core.document import Document
from urlscan.core.errors import SourceError
from urlscan.core.offsets import replaced
from urlscan.core.record import NamedTuple
from urlscan.core.records import Edit, Finding, Match
from urlscan.core.settings import Settings
from urlscan.documents import MAIL
from urlscan.files.atomic_write import Original, write
from urlscan.files.walk import Source
from urlscan.finder import find_in_document
from urlscan.linter.edits import apply
from urlscan.linter.locate import find_options_for
from urlscan.pipeline.check import check, check_source, limit_findings
from urlscan.pipeline.read import Notice, ReadOptions, SkippedSource, kind_of, pass_through, read_sources, walk_sources

# How many times as many findings are fixed at once as are reported: otherwise a source with more of them would be read
# again for each 10,000.
_AT_ONCE = 10
# A fix may reveal another fault; after this many rounds it is assumed that there will always be one.
_ROUNDS = 10
# Limits on how often a source is read again to isolate bad fixes: the number falls with its size, so that the total
# time stays linear.
_MOST_TRIES, _FEWEST_TRIES = 200, 3
_BYTES_TRIED = 100_000

Judge = Callable[[bytes], list[Document]]
Find = Callable[[Document], list[Match]]


class FixOptions(NamedTuple):
    """How to fix findings.

    Attributes:
        unsafe: whether to apply fixes that may change the meaning.
        stdout: receives the fixed bytes of standard input.
        diff: called with the old and the new result of each changed document; nothing is written then.
    """

    unsafe: bool
    stdout: Callable[[bytes], object]
    diff: Callable[[Document, Document], object] | None = None


class FixResult(NamedTuple):
    """A fixed source.

    Attributes:
        data: its bytes.
        results: the remaining findings of each document, without the fixes that were rejected.
        fixed: the fixed findings.
    """

    data: bytes
    results: list[Document]
    fixed: list[Finding]


def fix_source(data: bytes, results: list[Document], judge: Judge, find: Find, *, unsafe: bool) -> FixResult:
    """Return the source with its fixes applied; `judge` returns the findings of other bytes, read as this source."""
    fixed: list[Finding] = []
    tries = iter(range(max(_FEWEST_TRIES, min(_MOST_TRIES, _BYTES_TRIED // max(len(data), 1)))))
    seen: dict[bytes, int] = {}  # the digest of each state, and the number of findings fixed by then
    best = b""
    for _ in range(_ROUNDS * len(results)):
        state = hashlib.sha256(data).digest()
        if not best and state in seen:
            # Rules that contradict each other form a cycle; stop at a state that does not depend on where the run
            # began.
            best = min(list(seen)[list(seen).index(state) :])
        if state == best:
            return FixResult(data, [_without(result, result.findings) for result in results], fixed[: seen[state]])
        seen.setdefault(state, len(fixed))
        # Fix one document at a time: edits shift the bytes of the documents after it.
        number = 0
        while number < len(results):
            data, after, applied, refused = _step(data, results, number, judge, find, tries, unsafe=unsafe)
            if applied:
                results, fixed = after, fixed + applied
                break
            results = [*results[:number], _without(results[number], refused), *results[number + 1 :]]
            number += not refused  # else retry with the fixes that were in conflict with the rejected ones
        else:
            break
    return FixResult(data, results, fixed)


def _without(checked: Document, refused: Sequence[Finding]) -> Document:
    """Return the result without the rejected fixes."""
    if not refused:
        return checked
    without = frozenset(refused)
    return checked.with_findings([f._replace(fix=None) if f in without else f for f in checked.findings])


def _step(
    data: bytes, results: list[Document], number: int, judge: Judge, find: Find, tries: Iterator[int], *, unsafe: bool
) -> tuple[bytes, list[Document], list[Finding], list[Finding]]:
    """Apply as many fixes of one document as possible; return data, results, fixed findings and rejected findings."""
    document = results[number]
    _, first = apply(data, results[number].findings, document, unsafe=unsafe)
    groups, applied, refused = [first], list[Finding](), list[Finding]()
    taken, after, exhausted = data, results, False
    matches = list[Match]()
    if first:
        matches = find(document)
    while groups:
        group = groups.pop()
        new, both = apply(data, [*applied, *group], document, unsafe=unsafe)
        if len(both) == len(applied):
            continue
        now = judge(new)
        if _reads_back(results, now, number, matches, both, find):
            taken, after, applied = new, now, both
        elif len(group) == 1 or exhausted:
            refused += group
        else:
            parts = _divided(group, _suspects(document, now, number, matches, both, find))
            if exhausted := next(tries, None) is None:  # the others have one more chance
                refused += parts.pop(0)
            groups += parts
    return taken, after, applied, refused


def _divided(group: list[Finding], suspects: frozenset[Finding]) -> list[list[Finding]]:
    """Return a group in two parts, the one to try first last: findings that are not suspects, or the first half."""
    first = [finding for finding in group if finding not in suspects]
    second = [finding for finding in group if finding in suspects]
    if not first or not second:
        middle = len(group) // 2
        first, second = group[:middle], group[middle:]
    return [second, first]


def _suspects(
    document: Document, after: list[Document], number: int, matches: list[Match], applied: list[Finding], find: Find
) -> frozenset[Finding]:
    """Return the fixes that touch a line or a URL which does not read back as intended; another fix may be the cause.

    `matches` occur in `document`, the text before the fixes; `number` is the index of the document that shows it.
    """
    if number >= len(after):
        return frozenset()
    fixes = [(finding, finding.fix.meant) for finding in applied if finding.fix is not None]
    edits = sorted((edit for _, fix in fixes for edit in fix), key=_position)
    moved = _Moved(edits, [fix for _, fix in fixes])
    intended = replaced(document.text, map(_position, edits)).splitlines(keepends=True)
    actual = after[number].text.splitlines(keepends=True)
    if intended != actual:
        ends = list(accumulate(map(len, intended)))
        wrong = [
            (end - len(line), end) for line, end, new in zip_longest(intended, ends, actual[: len(ends)]) if line != new
        ]
    else:
        now: dict[int, Match] = {}
        for match in find(after[number]):
            now[match.outer_start] = now[match.start] = match
        wrong = [
            moved.span(old.outer_start, old.outer_end)
            for old in matches
            if not any(moved.is_same(old, new) for new in moved.candidates(old, now))
        ]
    wrong_ends = [end for _, end in wrong]
    suspects = []
    for finding, fix in fixes:
        start, end = moved.span(fix[0].start, fix[-1].end)
        index = bisect.bisect_left(wrong_ends, start)
        if index < len(wrong) and wrong[index][0] <= end:
            suspects.append(finding)
    return frozenset(suspects)


def _reads_back(
    before: list[Document], after: list[Document], number: int, matches: list[Match], applied: list[Finding], find: Find
) -> bool:
    """Return whether the new source shows the intended text, and everything else unchanged."""
    if len(before) != len(after):
        return False
    for other, (old, new) in enumerate(zip(before, after, strict=True)):
        if other != number and old.text != new.text:
            return False
    old_segment, new_segment = before[number], after[number]
    fixes = [finding.fix.meant for finding in applied if finding.fix is not None]
    edits = sorted((edit for fix in fixes for edit in fix), key=_position)
    if new_segment.text != replaced(old_segment.text, map(_position, edits)):
        return False
    now = find(new_segment)
    moved = _Moved(edits, fixes)
    return len(now) == len(matches) and all(map(moved.is_same, matches, now))


def _position(edit: Edit) -> tuple[int, int, str]:
    return edit.start, edit.end, edit.text


class _Moved:
    """Maps positions to those after the edits, which are in order and do not overlap."""

    def __init__(self, edits: list[Edit], fixes: list[tuple[Edit, ...]]) -> None:
        self._edits = edits
        self._starts = [edit.start for edit in edits]
        self._ends = [edit.end for edit in edits]
        self._by = [0, *accumulate(len(edit.text) - (edit.end - edit.start) for edit in edits)]
        # The end of each fix that adds delimiters around more than the URL, by its start.
        self._around = {fix[0].start: fix[-1].end for fix in fixes if len(fix) > 1}

    def is_same(self, old: Match, new: Match) -> bool:
        """Return whether `new` is the intended result for `old`."""
        low = bisect.bisect_left(self._ends, old.outer_start)
        high = bisect.bisect_right(self._starts, old.outer_end)
        if low >= high:  # no edit touches it
            return new.url == old.url and (new.start, new.end) == self.span(old.start, old.end)
        if (new.start, new.end) == self.span(old.start, old.end):
            removed = list(zip(self._starts[low:high], self._ends[low:high], strict=True))
            unchanged = [
                gap.length
                for gap in old.breaks
                if not any(
                    start <= old.start + gap.offset and old.start + gap.offset + gap.length <= end
                    for start, end in removed
                )
            ]
            return [gap.length for gap in new.breaks] == unchanged
        # The edits at its ends are its new delimiters.
        around = self._around.get(old.start, old.outer_end)
        spans = self.span(old.outer_start, old.outer_end), self.span(old.start, around)
        return new.style in ("wrapper", "angle") and (new.outer_start, new.outer_end) in spans

    def candidates(self, old: Match, now: dict[int, Match]) -> Iterator[Match]:
        """Yield the occurrences that may be the result for `old`; `now` is indexed by their starts."""
        for start in (old.start, old.outer_start):
            if (new := now.get(self.span(start, old.outer_end)[0])) is not None:
                yield new

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of text[start:end] after the edits, with insertions at its ends."""
        before = bisect.bisect_right(self._ends, start)
        while before and self._starts[before - 1] == start:  # an insertion, not the end of an edit before it
            before -= 1
        after = bisect.bisect_left(self._starts, end)
        while after < len(self._edits) and self._starts[after] == self._ends[after] == end:
            after += 1
        return start + self._by[before], end + self._by[after]


def fix_files(
    paths: Iterable[str | Source], settings: Settings, read_options: ReadOptions, fix: FixOptions
) -> Iterator[Document | Notice]:
    """Judge the URLs of every source as `check` does, and fix each source that can be fixed."""
    for item in walk_sources(paths, read_options):
        for source in read_sources(item, read_options, editing=True):
            if isinstance(source, Source) and kind_of(source, read_options) not in MAIL:
                yield from _fixed(source, settings, read_options, fix)
                continue
            unchanged = source.source if isinstance(source, SkippedSource) else source
            if isinstance(unchanged, Source) and fix.diff is None:
                pass_through(unchanged, fix.stdout)
            if isinstance(source, Source):
                # Mail is checked, not fixed: strangers wrote it, and encoded text cannot be edited in place.
                mail = Source(source.path, source.content)
                yield from check([mail], settings, read_options._replace(progress=None, kind=source.kind))
            else:
                yield source
        if read_options.progress is not None:
            read_options.progress.finish(item)


def fix_in_memory(
    source: Source, settings: Settings, read_options: ReadOptions, *, unsafe: bool, before: list[Document] | None = None
) -> FixResult:
    """Return a source with its fixes applied, without writing it; `before` are its documents, if it was checked."""
    judge, find = _reader(source, settings, read_options)
    fixed = fix_source(source.data, before or judge(source.data), judge, find, unsafe=unsafe)
    for document in fixed.results:
        limit_findings(document, read_options.max_findings)
    return fixed


def fix_one(
    source: Source, settings: Settings, read_options: ReadOptions, is_wanted: Callable[[Finding], bool]
) -> bytes | None:
    """Return a source with the fix of one finding; None if there is none, or it does not read back as intended."""
    judge, find = _reader(source, settings, read_options)
    results = judge(source.data)
    for number, checked in enumerate(results):
        chosen = next((finding for finding in checked.findings if finding.fix is not None and is_wanted(finding)), None)
        if chosen is None:
            continue
        only = [*results[:number], checked.with_findings([chosen]), *results[number + 1 :]]
        data, _, applied, _ = _step(source.data, only, number, judge, find, iter(range(_FEWEST_TRIES)), unsafe=True)
        if applied:
            return data
        break
    return None


def _reader(source: Source, settings: Settings, read_options: ReadOptions) -> tuple[Judge, Find]:
    """Return the functions that judge other bytes as the same source, and find the occurrences of a document."""
    file_settings = read_options.file_settings(source.path, settings).settings

    def occurrences(document: Document) -> list[Match]:
        find_options = find_options_for(document.kind, file_settings)._replace(continuations=False)
        return list(find_in_document(document, find_options))

    def find(document: Document) -> list[Match]:
        return document.computed(occurrences)  # the text after a round is the one before the next

    def judge(data: bytes) -> list[Document]:
        return _judged(source._replace(content=data), settings, read_options)

    return judge, find


def _judged(source: Source, settings: Settings, read_options: ReadOptions) -> list[Document]:
    """Return the findings to fix at once, by document."""
    most = read_options.max_findings * _AT_ONCE
    return check_source(source._replace(kind=""), settings, read_options._replace(max_findings=most))


def _fixed(
    source: Source, settings: Settings, read_options: ReadOptions, fix: FixOptions
) -> Iterator[Document | SourceError]:
    """Fix a source until no fix is left; findings that cannot be fixed are reported."""
    before = _judged(source, settings, read_options)
    data, after, fixed = fix_in_memory(source, settings, read_options, unsafe=fix.unsafe, before=before)
    if fix.diff is not None:
        for old, new in zip(before, after, strict=True):
            if old.decoded != new.decoded:
                fix.diff(old, new)
    elif source.is_stdin:
        fix.stdout(data)
    elif data != source.data:
        try:
            write(source.path, data, original=Original(source.data, source.state, source.root))
        except SourceError as error:
            yield error.as_result()
            after, fixed = before, []
    for checked in after:
        checked.fixed, fixed = fixed, []
        yield checked
