"""Marks in a text that say which findings its author does not want to hear of.

    urlscan: ignore[U201]             on the line of the finding, or any between its first and its last
    urlscan: ignore-next-line[U201]   on the line before
    urlscan: disable[U201]            from here on, to the end or to
    urlscan: enable[U201]
    urlscan: ignore-file[U201]        anywhere, for all of the text

In any comment syntax or in none, with codes or names, as many as one likes.  They are compulsory: a bare
`urlscan: ignore` suppresses nothing, for it would suppress what nobody has seen yet; that is said.  Where strangers
write, nothing is obeyed.
"""

import bisect
import sys
from typing import NamedTuple

from urlscan.model import Finding
from urlscan.patterns import lazy
from urlscan.text import LineIndex, Segment

# What strangers write: a mark in it would silence what its readers are to be told.  The names are those of kinds, and
# of what a source was taken out of; what is unpacked comes from somewhere else, too.
STRANGERS = frozenset("mail mbox mmdf babyl rnews maildir mh news spool pipermail warc wet arc".split())
_WORD = "urlscan:"
_MARK = lazy(
    r"urlscan:[ \t]*(?P<what>ignore-next-line|ignore-file|ignore|disable|enable)\[(?P<rules>[^\[\]\r\n]{1,1000})\]"
)
# What was meant for a mark: one that names no rule and ends its line or its comment (in the middle of a sentence it is
# spoken of), that has no brackets around a code, or whose word is none although rules stand behind it.
_WORDS = ("ignore", "ignore-next-line", "ignore-file", "disable", "enable")
_SLIP = lazy(
    r"(?m)urlscan:[ \t]*(?:(?P<bare>ignore-next-line|ignore-file|ignore|disable|enable)"
    r"(?:[ \t]*\[[ \t,]*\]|[ \t\r]*(?=$|\*/|-->|[*#%-]\}|[ \t:=(]{1,3}U[0-9]{3}\b))"
    r"|(?P<word>[A-Za-z][A-Za-z_-]{0,30})\[(?:[ \t]*(?:U[0-9]{1,3}|[a-z]+(?:-[a-z0-9]+)+)[ \t]*[,\]]))",
)
_LAST = 1 << 62


class SuppressionComment(NamedTuple):
    """One mark.

    Attributes:
        what: ignore, ignore-next-line, disable, enable or ignore-file.
        line: where it stands, from 1.
        rules: the codes and names in its brackets, in order.
        start, end: the brackets' contents, in characters of the text.
    """

    what: str
    line: int
    rules: tuple[str, ...]
    start: int
    end: int


class Suppression(NamedTuple):
    """The lines for which a mark silences a rule.

    Attributes:
        first, last: lines, from 1.
        rule: a code or a name.
        mark: which mark says so, by its number.
    """

    first: int
    last: int
    rule: str
    mark: int


class MalformedSuppression(NamedTuple):
    """What was meant for a mark and is none.

    Attributes:
        start, end: where it stands, in characters of the text.
        why: what is wrong with it.
    """

    start: int
    end: int
    why: str


class SuppressionResult(NamedTuple):
    """What is left of the findings.

    Attributes:
        findings: those that no mark silences.
        unused: the marks, and the rules in them, that silence nothing.
        slips: what was meant for a mark and is none.
    """

    findings: list[Finding]
    unused: list[tuple[SuppressionComment, str]]
    malformed_suppressions: tuple["MalformedSuppression", ...] = ()

    def places(self) -> list[tuple[tuple[int, int], str, str]]:
        """Return where what silences nothing stands, in characters of the text, which rule it names, or why none."""
        unused = [((mark.start, mark.end), rule, "") for mark, rule in self.unused]
        return [*unused, *(((slip.start, slip.end), "", slip.why) for slip in self.malformed_suppressions)]


def suppression_comments(text: str, lines: LineIndex | None = None) -> list[SuppressionComment]:
    """Return the marks of a text, in order, by its own lines or those that are given."""
    if _WORD not in text:
        return []
    lines, found = lines if lines is not None else LineIndex(text), []
    for match in _MARK.finditer(text):
        rules = tuple(dict.fromkeys(match["rules"].replace(",", " ").split()))
        found.append(SuppressionComment(match["what"], lines.position(match.start())[0], rules, *match.span("rules")))
    return found


def malformed_suppressions(text: str) -> list[MalformedSuppression]:
    """Return what was meant for marks and is none, in order."""
    found = []
    for match in _SLIP.finditer(text) if _WORD in text else ():
        if match["bare"]:
            why = sys.intern(f"it names no rule in brackets, as {match['bare']}[U201] does")
        elif match["word"] in _WORDS:
            continue
        else:
            import difflib

            near = difflib.get_close_matches(match["word"].lower().replace("_", "-"), _WORDS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"{', '.join(_WORDS[:-1])} or {_WORDS[-1]}"
            why = f'there is no mark "{match["word"]}" ({hint})'
        found.append(MalformedSuppression(match.start(), match.start() + len(match[0].rstrip()), why))
    return found


def suppressions(found: list[SuppressionComment]) -> dict[str, list[Suppression]]:
    """Return what the marks silence, by rule, in order of the first line."""
    silenced: dict[str, list[Suppression]] = {}
    open_: dict[str, tuple[int, int]] = {}  # rule: the line from which on it is disabled, and the mark
    for number, mark in enumerate(found):
        for rule in mark.rules:
            if mark.what == "disable":
                open_.setdefault(rule, (mark.line, number))
            elif mark.what == "enable":
                if rule in open_:
                    first, opened = open_.pop(rule)
                    silenced.setdefault(rule, []).append(Suppression(first, mark.line, rule, opened))
            else:
                first = 1 if mark.what == "ignore-file" else mark.line + (mark.what == "ignore-next-line")
                last = _LAST if mark.what == "ignore-file" else first
                silenced.setdefault(rule, []).append(Suppression(first, last, rule, number))
    for rule, (first, number) in open_.items():
        silenced.setdefault(rule, []).append(Suppression(first, _LAST, rule, number))
    for several in silenced.values():
        several.sort()
    return silenced


def are_honored(*kinds: str, packed: bool = False) -> bool:
    """Return whether marks hold.

    Args:
        kinds: the kind of the source, and of all that it was taken out of: "html", "mail", "mbox".
        packed: whether it was compressed, or stood in an archive.
    """
    return not packed and STRANGERS.isdisjoint(kinds)


def apply_to_segment(segment: Segment, findings: list[Finding], *within: str) -> SuppressionResult:
    """Return the findings of a segment that no mark silences, and the marks that silence nothing.

    Args:
        segment: the text.
        findings: what was found in it.
        within: the kinds of what it was taken out of.
    """
    if segment.origin is not None or not are_honored(segment.kind, *within, packed=segment.packed):
        return SuppressionResult(findings, [])
    # Lines that nobody asked for yet need not be counted for nothing.
    return apply(segment.document, findings, segment.lines if findings else None)


def apply(text: str, findings: list[Finding], lines: LineIndex | None = None) -> SuppressionResult:
    """Return the findings of `text` that no mark silences, and the marks that silence nothing."""
    found, wrong = suppression_comments(text, lines), tuple(malformed_suppressions(text))
    if not found:
        return SuppressionResult(findings, [], wrong)
    silenced = {rule: _Lines(several) for rule, several in suppressions(found).items()}
    used: set[tuple[int, str]] = set()
    left = []
    for finding in findings:
        by = [
            (one.mark, name)
            for name in (finding.code, finding.name)
            if name in silenced
            for one in silenced[name].over(finding.line, finding.end_line)
        ]
        used.update(by)
        if not by:
            left.append(finding)
    unused = [
        (mark, rule)
        for number, mark in enumerate(found)
        for rule in mark.rules
        if mark.what != "enable" and (number, rule) not in used
    ]
    return SuppressionResult(left, unused, wrong)


class _Lines:
    """The suppressions of one rule; a question costs what it finds, and a look at those that are long."""

    def __init__(self, several: list[Suppression]) -> None:
        self._single = [one for one in several if one.first == one.last]
        self._at = [one.first for one in self._single]
        self._long = [one for one in several if one.first != one.last]
        self._reach: list[int] = []  # how far the long ones up to each reach
        for one in self._long:
            self._reach.append(max(one.last, self._reach[-1] if self._reach else 0))
        self._from = [one.first for one in self._long]

    def over(self, first: int, last: int) -> list[Suppression]:
        """Return those that hold on any line from `first` to `last`; of the long ones, one."""
        found = self._single[bisect.bisect_left(self._at, first) : bisect.bisect_right(self._at, last)]
        number = bisect.bisect_right(self._from, last) - 1
        if number >= 0 and self._reach[number] >= first:
            while self._long[number].last < self._reach[number]:
                number -= 1
            found.append(self._long[number])
        return found
