"""Find and apply suppression comments.

    urlscan: ignore[U201]             on the line of the finding, or any between its first and its last
    urlscan: ignore-next-line[U201]   on the line before
    urlscan: disable[U201]            from here to the end of the text, or to
    urlscan: enable[U201]
    urlscan: ignore-file[U201]        anywhere, for the whole text

They work in any comment syntax and without one. The brackets hold codes or names of rules and are required: a bare
`urlscan: ignore` would suppress findings that do not exist yet, so it suppresses nothing and is reported. They are not
honored in text written by strangers.
"""

import bisect
import re
import sys
from itertools import accumulate
from operator import itemgetter

from urlscan.core.document import Document
from urlscan.core.errors import did_you_mean
from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple
from urlscan.core.records import Finding

# Kinds of text that strangers write: their comments must not hide findings from the reader. The names are kinds of
# sources and of their containers; unpacked files count as written by strangers too.
UNTRUSTED_KINDS = frozenset("mail mbox mmdf babyl rnews maildir mh news spool pipermail warc wet arc http".split())
# The beginning of all suppression comments.
_PREFIX = "urlscan:"
_DIRECTIVES = ("ignore-next-line", "ignore-file", "ignore", "disable", "enable")
_DIRECTIVE = "|".join(_DIRECTIVES)
# Matches: `urlscan: ignore[U201]`, `urlscan:disable[U1, bad-escape]`
# Does not match: `urlscan: ignore`, `urlscan: ignore[]`, `urlscan: skip[U201]`
_COMMENT = lazy(rf"urlscan:[ \t]*(?P<directive>{_DIRECTIVE})\[(?P<rules>[^\[\]\r\n]{{1,1000}})\]")
# Malformed suppressions: a directive without rules at the end of a line or a comment (elsewhere it is part of a
# sentence), a code without brackets, or an unknown directive followed by rules in brackets.
# Matches: `urlscan: ignore`, `urlscan: ignore[ ]`, `urlscan: skip[U201]`, `urlscan: Ignore[bad-escape,`
# Does not match: `urlscan: skip`, `urlscan: skip[it]`, `urlscan: ignore it`
_MALFORMED = lazy(
    rf"""
    urlscan:[ \t]*
    (?: (?P<bare> {_DIRECTIVE} )
        (?: [ \t]*\[[ \t,]*\] | [ \t\r]*(?= $ | \*/ | --> | [*\#%-]\}} | [ \t:=(]{{1,3}}U[0-9]{{3}}\b ) )
      | (?P<word> [A-Za-z][A-Za-z_-]{{0,30}} ) \[[ \t]*(?: U[0-9]{{1,3}} | [a-z]+(?:-[a-z0-9]+)+ )[ \t]*[,\]]
    )
    """,
    re.MULTILINE | re.VERBOSE,
)
_LAST = 1 << 62


class SuppressionComment(NamedTuple):
    """One suppression comment.

    Attributes:
        directive: ignore, disable, enable or ignore-file.
        line: the line that it ignores, or else its own, from 1.
        rules: the codes and names in its brackets, in order.
        start, end: the span of the brackets' contents, in characters of the text.
    """

    directive: str
    line: int
    rules: tuple[str, ...]
    start: int
    end: int


class Suppression(NamedTuple):
    """The lines on which a comment suppresses a rule.

    Attributes:
        first, last: lines, from 1.
        comment: the index of the comment.
    """

    first: int
    last: int
    comment: int


class UnusedSuppression(NamedTuple):
    """A suppression comment that suppresses nothing, or a rule in it.

    Attributes:
        start, end: the span to report, in characters of the text.
        rule: the code or name that suppresses nothing; "" if the comment is malformed.
        why: what is wrong with a malformed comment, or "".
    """

    start: int
    end: int
    rule: str
    why: str


def suppression_comments(document: Document) -> list[SuppressionComment]:
    """Return the suppression comments of a document, in order."""
    comments = []
    for match in _COMMENT.finditer(document.decoded):
        directive, (line, _) = match["directive"], document.lines.position(match.start())
        if directive == "ignore-next-line":
            directive, line = "ignore", line + 1
        rules = tuple(dict.fromkeys(match["rules"].replace(",", " ").split()))
        comments.append(SuppressionComment(directive, line, rules, *match.span("rules")))
    return comments


def malformed_suppressions(text: str) -> list[UnusedSuppression]:
    """Return the malformed suppression comments of a text, in order."""
    malformed = []
    for match in _MALFORMED.finditer(text):
        if match["bare"]:
            why = sys.intern(f"add a rule in brackets: {match['bare']}[U201]")
        elif match["word"] in _DIRECTIVES:
            continue
        else:
            why = f'unknown directive "{match["word"]}" ({did_you_mean(match["word"], _DIRECTIVES)})'
        malformed.append(UnusedSuppression(match.start(), match.start() + len(match[0].rstrip()), "", why))
    return malformed


def suppressions(comments: list[SuppressionComment]) -> dict[str, list[Suppression]]:
    """Return the suppressed lines by rule, in order of the first line."""
    silenced: dict[str, list[Suppression]] = {}
    open_: dict[str, tuple[int, int]] = {}  # rule: the line from which it is disabled, and the index of the comment
    for number, comment in enumerate(comments):
        for rule in comment.rules:
            if comment.directive == "disable":
                open_.setdefault(rule, (comment.line, number))
            elif comment.directive == "enable":
                if rule in open_:
                    first, opened = open_.pop(rule)
                    silenced.setdefault(rule, []).append(Suppression(first, comment.line, opened))
            elif comment.directive == "ignore-file":
                silenced.setdefault(rule, []).append(Suppression(1, _LAST, number))
            else:
                silenced.setdefault(rule, []).append(Suppression(comment.line, comment.line, number))
    for rule, (first, number) in open_.items():
        silenced.setdefault(rule, []).append(Suppression(first, _LAST, number))
    for several in silenced.values():
        several.sort()
    return silenced


def are_honored(document: Document) -> bool:
    """Return whether the suppression comments of a document are honored."""
    return document.origin is None and not document.packed and document.kind not in UNTRUSTED_KINDS


def apply_suppressions(document: Document, findings: list[Finding]) -> tuple[list[Finding], list[UnusedSuppression]]:
    """Return the findings that are not suppressed, and the comments that suppress nothing or are malformed."""
    if _PREFIX not in document.decoded or not are_honored(document):
        return findings, []
    comments = suppression_comments(document)
    silenced = {rule: _Lines(items) for rule, items in suppressions(comments).items()}
    used: set[tuple[int, str]] = set()
    remaining = []
    for finding in findings:
        by = [
            (suppression.comment, name)
            for name in (finding.code, finding.name)
            if name in silenced
            for suppression in silenced[name].over(finding.line, finding.end_line)
        ]
        used.update(by)
        if not by:
            remaining.append(finding)
    unused = [
        UnusedSuppression(comment.start, comment.end, rule, "")
        for number, comment in enumerate(comments)
        for rule in comment.rules
        if comment.directive != "enable" and (number, rule) not in used
    ]
    return remaining, [*unused, *malformed_suppressions(document.decoded)]


class _Lines:
    """The suppressed lines of one rule; single lines are found by bisection."""

    def __init__(self, items: list[Suppression]) -> None:
        self._single = [item for item in items if item.first == item.last]
        self._long = [item for item in items if item.first != item.last]
        # The largest `last` of the ranges up to each.
        self._reach = list(accumulate((item.last for item in self._long), max))

    def over(self, first: int, last: int) -> list[Suppression]:
        """Return the suppressions of single lines from `first` to `last`, and one of the ranges that overlap them."""
        line = itemgetter(0)
        number = bisect.bisect_left(self._single, first, key=line)
        matches = self._single[number : bisect.bisect_right(self._single, last, key=line)]
        number = bisect.bisect_right(self._long, last, key=line) - 1
        if number >= 0 and self._reach[number] >= first:
            while self._long[number].last < self._reach[number]:
                number -= 1
            matches.append(self._long[number])
        return matches
