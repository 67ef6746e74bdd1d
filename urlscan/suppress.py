"""Marks in a text that say which findings its author does not want to hear of.

`urlscan: ignore[U201]`, `urlscan: ignore[bad-escape, U101]`: on the line of the finding, or any
between its first and its last, in any comment syntax or in none.  Codes or names are compulsory: a
bare `urlscan: ignore` suppresses nothing, for it would suppress what nobody has seen yet.
"""

import bisect
import re
from typing import NamedTuple

from urlscan.model import Finding
from urlscan.text import LineIndex

_WORD = "urlscan:"


class Mark(NamedTuple):
    """One mark.

    Attributes:
        line: where it stands, from 1.
        rules: the codes and names in its brackets.
    """

    line: int
    rules: frozenset[str]


def marks(text: str, lines: LineIndex | None = None) -> list[Mark]:
    """Return the marks of a text, in order, by its own lines or those that are given."""
    if _WORD not in text:
        return []
    lines, found = lines if lines is not None else LineIndex(text), []
    for match in re.finditer(r"urlscan:[ \t]*ignore\[([^\[\]\r\n]{1,1000})\]", text):
        rules = frozenset(match[1].replace(",", " ").split())
        found.append(Mark(lines.position(match.start())[0], rules))
    return found


def apply(text: str, findings: list[Finding], lines: LineIndex | None = None) -> list[Finding]:
    """Return the findings of `text` that no mark suppresses."""
    found = marks(text, lines) if findings else []
    if not found:
        return findings
    at = [mark.line for mark in found]
    return [finding for finding in findings if not _is_suppressed(finding, found, at)]


def _is_suppressed(finding: Finding, found: list[Mark], at: list[int]) -> bool:
    first = bisect.bisect_left(at, finding.line)
    last = bisect.bisect_right(at, finding.end_line)
    return any(finding.code in mark.rules or finding.name in mark.rules for mark in found[first:last])
