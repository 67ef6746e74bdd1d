"""Write marks that silence what is found: on its line, on the line above, or around what it stands in.

Nothing is believed: the marked text is checked again, and written only if what was to be silenced is, and the same
URLs are found in it as before.  Where they are not, the next way is tried, and at last the file is left alone.
"""

import bisect
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from urlscan import suppress
from urlscan.errors import SourceError
from urlscan.files.atomic_write import write
from urlscan.finder import end_of, record, start_of
from urlscan.finder.wanted import Wanted, found_in
from urlscan.fix import apply
from urlscan.model import Edit, Finding, Fix
from urlscan.run import Checked, Passed, check_source
from urlscan.run.reading import Large, Note, Reading, Skipped, Source, hand_on, named, sources
from urlscan.settings import Settings
from urlscan.sources.comments import Ground, end_for, ground_of, roles_of, starts_paragraph, style_of
from urlscan.text import Segment

_OTHERWISE = "--baseline or per-file-ignores can silence it"
# Marks that silence nothing cannot be silenced by a mark.
_ABOUT_MARKS = frozenset({"U901"})
_CODE = re.compile(r"U[0-9]{3}")
_NEWLINE = re.compile("\r\n?|\n")
_ALL = Wanted(relative=True, look_alikes=True)


class Marking(NamedTuple):
    """That findings are to be marked.

    Attributes:
        stdout: takes the marked bytes of standard input.
        unknown: returns the results of a source without what need not be marked.
    """

    stdout: Callable[[bytes], object]
    unknown: Callable[[list[Checked]], list[Checked]]


class Way(NamedTuple):
    """Which places for a mark are tried, behind on the line and on the line above; else it goes around."""

    behind: bool
    above: bool


_WAYS = (Way(behind=True, above=True), Way(behind=False, above=True), Way(behind=False, above=False))


def marked(paths: Iterable[str], settings: Settings, reading: Reading, marking: Marking) -> Iterator[Checked | Passed]:
    """Check every source, write marks for what is found, and yield what remains."""
    for source in sources(named(paths, reading), reading, editing=True):
        if isinstance(source, Source):
            yield from _marked(source, settings, reading, marking)
            continue
        if isinstance(source, Large):  # a mailbox: nothing else is read piece by piece here
            hand_on(source, marking.stdout)
            source.file.__exit__()
            yield Note(source.path, f"not marked: marks are not obeyed in mail; {_OTHERWISE}")
        if isinstance(source, Skipped):
            hand_on(source, marking.stdout)
        if isinstance(source, Skipped | Note | SourceError):
            yield source


def _marked(source: Source, settings: Settings, reading: Reading, marking: Marking) -> Iterator[Checked | Passed]:
    def check(data: bytes) -> tuple[list[Checked], list[Finding]]:
        results = list(check_source(source._replace(data=data, kind=""), settings, reading))
        some = [finding for checked in marking.unknown(results) for finding in checked.findings]
        return results, [finding for finding in some if finding.code not in _ABOUT_MARKS]

    results, wanted = check(source.data)
    data, after = source.data, results
    if wanted:
        try:
            made = _with_marks(source, results, wanted, check)
            data, after = made.data, made.after
            if not source.is_stdin:
                write(source.path, data, "marked", original=source.original())
            yield Note(source.path, f"{made.marks} {'mark' if made.marks == 1 else 'marks'} written")
        except _RefusedError as why:
            yield Note(source.path, f"not marked: {why}; {_OTHERWISE}")
        except SourceError as error:
            yield error
            data, after = source.data, results
    if source.is_stdin:
        marking.stdout(data)
    yield from after


class _RefusedError(Exception):
    """No mark can be written into a source, and why."""


class _Try(NamedTuple):
    """A source with marks in it.

    Attributes:
        data: its bytes.
        after: what is found in it then.
        left: of that, what marks can silence.
        needless: the rules for which a mark has nothing to silence, as the marks have changed the text around.
        marks: how many there are.
    """

    data: bytes
    after: list[Checked]
    left: list[Finding]
    needless: frozenset[str]
    marks: int


def _no_comment(kind: str) -> str:
    """Return why no comment can be written into a source of a kind."""
    if kind == "plain":
        return "by its name it may be a program, whose comments are not known"
    return f"no comment can be written into {kind}, or it cannot be told where"


def _with_marks(
    source: Source,
    results: list[Checked],
    wanted: list[Finding],
    check: Callable[[bytes], tuple[list[Checked], list[Finding]]],
) -> _Try:
    """Return the source with its marks.

    Raises:
        _RefusedError: it takes none.
    """
    segment = results[0].segment
    theirs = segment.origin is not None or not suppress.are_obeyed(segment.kind, packed=segment.packed)
    if len(results) != 1 or theirs:
        raise _RefusedError("no mark is obeyed where strangers write")
    style = style_of(segment.kind, source.path, segment.document)
    if style is None:
        raise _RefusedError(_no_comment(segment.kind))
    urls = _urls(segment)
    ground = ground_of(segment, style, [place for place, _ in urls], roles_of(segment.document, segment.kind))
    before = _needless(results)

    def tried(way: Way, some: list[Finding]) -> _Try | None:
        plan = _Plan(segment, ground, way)
        allowed = Counter(_alike(finding) for finding in some if not plan.place(finding))
        allowed.update(Counter(map(_alike, wanted)) - Counter(map(_alike, some)))
        edits = plan.edits()
        data, done = apply(source.data, [wanted[0]._replace(fix=Fix("safe", tuple(edits)))], segment)
        if not done:
            return None
        after, left = check(data)
        if len(after) != 1 or Counter(map(_alike, left)) - allowed:
            return None
        if [url for _, url in _urls(after[0].segment)] != [url for _, url in urls]:
            return None
        return _Try(data, after, left, frozenset(_needless(after) - before), len(edits))

    best: _Try | None = None
    for way in _WAYS:
        one = tried(way, wanted)
        if one is not None and one.needless:
            # A mark behind a bare URL shows that it does not go on in the next line.
            fewer = [finding for finding in wanted if finding.code not in one.needless]
            without = tried(way, fewer)
            still = set(map(_alike, without.left)) if without is not None else set()
            one = tried(way, [f for f in wanted if f.code not in one.needless or _alike(f) in still]) or one
        if one is not None and (best is None or len(one.needless) < len(best.needless)):
            best = one
        if best is not None and not best.needless:
            return best
    if best is None:
        raise _RefusedError("wherever a mark stood, it would change a URL or silence nothing")
    return best


def _needless(results: list[Checked]) -> "Counter[str]":
    """Return the rules that marks name for nothing, and how often."""
    said = [f.message for checked in results for f in checked.findings if f.code in _ABOUT_MARKS]
    return Counter(code for message in said for code in _CODE.findall(message))


def _alike(finding: Finding) -> tuple[str, str]:
    return finding.code, finding.url


def _urls(segment: Segment) -> list[tuple[tuple[int, int], tuple[str, str, str]]]:
    """Return the URLs of a segment: where each stands in the document with its delimiters, and what it is."""
    found = []
    for scanned in found_in(segment, _ALL):
        one = record(scanned)
        place = segment.to_document(start_of(scanned), end_of(scanned))
        found.append((place, (one.url, one.raw, one.style)))
    return found


class _Around(NamedTuple):
    """Lines, from 0, that a pair of marks goes around, and the codes in it."""

    first: int
    last: int
    codes: set[str]


def _first(one: _Around) -> int:
    return one.first


class _Plan:
    """The marks that are to be written into a segment."""

    def __init__(self, segment: Segment, ground: Ground, way: Way) -> None:
        self._segment = segment
        self._text = segment.document
        self._ground = ground
        self._way = way
        self._starts = _line_starts(self._text)
        match = _NEWLINE.search(self._text)
        self._newline = match[0] if match is not None else "\n"
        self._there = {
            (mark.line + (mark.what == "ignore-next-line")): mark
            for mark in suppress.marks(self._text)
            if mark.what in ("ignore", "ignore-next-line")
        }
        self._merged: dict[int, set[str]] = {}  # at the end of the codes of a mark that is there
        self._behind: dict[int, set[str]] = {}  # by line, from 0
        self._above: dict[int, set[str]] = {}
        self._around: list[_Around] = []  # in order, apart from each other

    def place(self, finding: Finding) -> bool:
        """Find a place for the mark of a finding, and return whether there is one."""
        lines = range(finding.line, finding.end_line + 1)
        for line in lines:
            if (mark := self._there.get(line)) is not None:
                self._merged.setdefault(mark.end, set()).add(finding.code)
                return True
        style = self._ground.style
        for line in lines:
            if self._way.behind and style.behind and self._ground.is_free(self._end(line - 1)):
                self._behind.setdefault(line - 1, set()).add(finding.code)
                return True
        first = finding.line - 1
        start = self._starts[first]
        whole = style.paragraphs and start >= self._ground.front and not starts_paragraph(self._text, start)
        if self._way.above and style.above and not whole and self._ground.is_free(start):
            self._above.setdefault(first, set()).add(finding.code)
            return True
        return self._surround(first, finding.end_line - 1, finding.code)

    def _surround(self, first: int, last: int, code: str) -> bool:
        at = bisect.bisect_right(self._around, first, key=_first) - 1
        if at >= 0 and self._around[at].last >= last:
            self._around[at].codes.add(code)
            return True
        while True:
            before = first, last
            if (whole := self._ground.around(self._starts[first])) is not None:
                if whole[0] < 0:  # nothing may stand before it
                    return False
                first = self._line_of(whole[0])
            if last + 1 < len(self._starts) and (whole := self._ground.around(self._starts[last + 1])) is not None:
                last = bisect.bisect_left(self._starts, whole[1]) - 1
            if self._ground.style.paragraphs and self._starts[first] >= self._ground.front:
                first, last = self._paragraph(first, last)
            if (first, last) == before:
                break
        self._enter(first, last, {code})
        return True

    def _enter(self, first: int, last: int, codes: set[str]) -> None:
        """Put a pair of marks around lines; one around all that overlap, or have nothing but a blank line between."""
        near = 2 if self._ground.style.apart else 0
        at = bisect.bisect_right(self._around, first, key=_first)
        while at > 0 and self._around[at - 1].last + near >= first:
            at -= 1
            other = self._around.pop(at)
            first, last, codes = min(first, other.first), max(last, other.last), codes | other.codes
        while at < len(self._around) and self._around[at].first <= last + near:
            other = self._around.pop(at)
            last, codes = max(last, other.last), codes | other.codes
        self._around.insert(at, _Around(first, last, codes))

    def _paragraph(self, first: int, last: int) -> tuple[int, int]:
        while first > 0 and self._line(first - 1).strip():
            first -= 1
        while last + 1 < len(self._starts) and self._line(last + 1).strip():
            last += 1
        if self._ground.style.apart and self._line(last).rstrip().endswith("::"):  # what follows belongs to it
            depth = self._depth(first)
            while last + 1 < len(self._starts) and (not self._line(last + 1).strip() or self._depth(last + 1) > depth):
                last += 1
            while not self._line(last).strip():
                last -= 1
        return first, last

    def edits(self) -> list[Edit]:
        """Return the edits that write the marks, in order, in units of the source."""
        found: list[tuple[int, str]] = []
        for first, last, codes in self._around:
            found += self._pair(first, last, codes)
        for at, codes in self._merged.items():
            found.append((at, ", " + ", ".join(sorted(codes))))
        for line, codes in self._behind.items():
            at = self._end(line)
            found.append((at, f"{self._gap(at)}{self._mark('ignore', codes, at)}"))
        for line, codes in self._above.items():
            at = self._starts[line]
            found.append((at, f"{self._indent(line)}{self._mark('ignore-next-line', codes, at)}{self._newline}"))
        texts: dict[int, str] = {}
        for at, text in found:
            texts[at] = texts.get(at, "") + text
        return [Edit(*self._segment.map.to_source(at, at), texts[at]) for at in sorted(texts)]

    def _pair(self, first: int, last: int, codes: set[str]) -> list[tuple[int, str]]:
        start, indent, newline = self._starts[first], self._indent(first), self._newline
        apart = newline if self._ground.style.apart else ""
        begin = f"{indent}{self._mark('disable', codes, start)}{newline}{apart}"
        if last + 1 == len(self._starts) and not self._ground.is_free(len(self._text)):
            return [(start, begin)]
        at = self._starts[last + 1] if last + 1 < len(self._starts) else len(self._text)
        ended = at < len(self._text) or self._text.endswith(("\n", "\r"))
        mark = indent + self._mark("enable", codes, at)
        return [(start, begin), (at, f"{apart}{mark}{newline}" if ended else f"{newline}{apart}{mark}")]

    def _mark(self, what: str, codes: set[str], at: int) -> str:
        return self._ground.written(f"urlscan: {what}[{', '.join(sorted(codes))}]", at)

    def _gap(self, at: int) -> str:
        return "  " if self._ground.style.before.startswith("#") else " " if at > 0 else ""

    def _indent(self, line: int) -> str:
        text = self._line(line)
        return text[: len(text) - len(text.lstrip(" \t"))] if self._ground.style.indented else ""

    def _depth(self, line: int) -> int:
        text = self._line(line)
        return len(text) - len(text.lstrip())

    def _line(self, line: int) -> str:
        start = self._starts[line]
        return self._text[start : self._starts[line + 1] if line + 1 < len(self._starts) else len(self._text)]

    def _end(self, line: int) -> int:
        return end_for(self._text, self._starts[line], self._segment.kind)

    def _line_of(self, at: int) -> int:
        return bisect.bisect_right(self._starts, at) - 1


def _line_starts(text: str) -> list[int]:
    """Return where the lines begin, by the line ends that findings count."""
    starts = [0, *(match.end() for match in _NEWLINE.finditer(text))]
    return starts[:-1] if len(starts) > 1 and starts[-1] == len(text) else starts
