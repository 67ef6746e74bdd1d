"""Apply the edits of findings to the bytes of their source."""

import bisect
from collections.abc import Sequence

from urlscan.core.document import Document
from urlscan.core.record import NamedTuple
from urlscan.core.records import Edit, Finding


class _ByteEdit(NamedTuple):
    start: int
    end: int
    data: bytes


def apply(
    data: bytes, findings: Sequence[Finding], document: Document, *, unsafe: bool = False
) -> tuple[bytes, list[Finding]]:
    """Return the bytes of a source with the fixes of `findings` applied, and the findings that were fixed.

    A fix is applied completely or not at all. If two fixes touch, the first one in the text is applied; the other is
    found again when the result is checked again.
    """
    fixed: list[Finding] = []
    changes: list[_ByteEdit] = []
    for finding in sorted(findings, key=lambda finding: (finding.start, finding.end)):
        if finding.fix is None or not (unsafe or finding.fix.applicability == "safe"):
            continue
        new = _changes(finding.fix.edits, document, data)
        if new and all(_is_free(changes, change) for change in new):
            for change in new:
                bisect.insort(changes, change)
            fixed.append(finding)
    parts, position = [], 0
    for change in changes:
        parts += [data[position : change.start], change.data]
        position = change.end
    return b"".join([*parts, data[position:]]), fixed


def _changes(edits: tuple[Edit, ...], document: Document, data: bytes) -> list[_ByteEdit]:
    """Return the edits in bytes; none if the source cannot represent one of them or nothing would change."""
    changes = []
    for edit in edits:
        written = document.map.encode(edit.start, edit.end, edit.text)
        if written is None or not 0 <= edit.start <= edit.end <= len(data):
            return []
        changes.append(_ByteEdit(edit.start, edit.end, written))
    if all(data[change.start : change.end] == change.data for change in changes):
        return []
    return changes


def _is_free(changes: list[_ByteEdit], new: _ByteEdit) -> bool:
    """Return whether `new` neither overlaps a change nor inserts where one begins or ends; `changes` is sorted."""
    number = bisect.bisect_left(changes, new)
    for change in changes[max(number - 1, 0) : number + 1]:
        if change.start == change.end or new.start == new.end:
            if change.start <= new.end and new.start <= change.end:
                return False
        elif change.start < new.end and new.start < change.end:
            return False
    return True
