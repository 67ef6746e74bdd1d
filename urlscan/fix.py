"""Apply the edits of findings to the bytes that they were found in, and write files so that none is ever half there."""

import bisect
import contextlib
import errno
import os
import stat
from typing import NamedTuple

from urlscan.errors import SourceError
from urlscan.model import Finding
from urlscan.text import Segment


class _Change(NamedTuple):
    start: int
    end: int
    data: bytes


def apply(
    data: bytes, findings: list[Finding], segment: Segment, *, unsafe: bool = False
) -> tuple[bytes, list[Finding]]:
    """Return `data` with the fixes of `findings` applied, and the findings that were fixed.

    A fix is applied whole or not at all.  Of two that touch, the first in the text wins; the other is
    found again when the result is checked again.

    Args:
        data: the bytes of the source, which the edits' offsets count.
        findings: of one segment of the source.
        segment: knows how the source writes a text.
        unsafe: whether fixes are applied that may change the meaning.
    """
    fixed: list[Finding] = []
    changes: list[_Change] = []
    for finding in sorted(findings, key=lambda finding: (finding.start, finding.end)):
        if finding.fix is None or not (unsafe or finding.fix.applicability == "safe"):
            continue
        new = _changes(finding, segment, data)
        if new and all(_is_free(changes, change) for change in new):
            for change in new:
                bisect.insort(changes, change)
            fixed.append(finding)
    return _replaced(data, changes), fixed


def _changes(finding: Finding, segment: Segment, data: bytes) -> list[_Change]:
    """Return the finding's edits in bytes; none when the source cannot write one of them, or nothing would change."""
    found = []
    for edit in finding.fix.edits if finding.fix is not None else ():
        written = segment.map.encode(edit.start, edit.end, edit.text)
        if written is None or not 0 <= edit.start <= edit.end <= len(data):
            return []
        found.append(_Change(edit.start, edit.end, written))
    return found if any(data[change.start : change.end] != change.data for change in found) else []


def _is_free(changes: list[_Change], new: _Change) -> bool:
    """Return whether `new` overlaps none of the changes, which are in order, nor inserts where one begins or ends."""
    at = bisect.bisect_left(changes, new)
    return not any(_touch(other, new) for other in changes[max(at - 1, 0) : at + 1])


def _touch(one: _Change, other: _Change) -> bool:
    if one.start == one.end or other.start == other.end:
        return one.start <= other.end and other.start <= one.end
    return one.start < other.end and other.start < one.end


def _replaced(data: bytes, changes: list[_Change]) -> bytes:
    parts, done = [], 0
    for change in changes:
        parts += [data[done : change.start], change.data]
        done = change.end
    return b"".join([*parts, data[done:]])


def write(path: str, data: bytes, what: str = "fixed", *, new: bool = False) -> None:
    """Replace a file's contents, whole or not at all; SourceError when that fails.

    Written is a new file in the same directory, which then takes the name: with the mode of the old
    one, and its owner where we may.  A symbolic link stays one; the file that it names is replaced.

    Args:
        path: the file.
        data: what it is to hold.
        what: what cannot be done to it, if it cannot.
        new: whether it may be one that is not there yet.
    """
    try:
        target = os.path.realpath(path)
        old = os.stat(target) if not new or os.path.lexists(target) else None
        if old is not None and not stat.S_ISREG(old.st_mode):
            raise SourceError(path, f"cannot be {what}: it is not a regular file")
        # A new file could take the name of one that must not be written.
        if old is not None and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        _replace(target, data, old)
    except (OSError, ValueError) as error:
        why = (isinstance(error, OSError) and error.strerror) or str(error)
        raise SourceError(path, f"cannot be {what}: {why}") from None


def _replace(target: str, data: bytes, old: os.stat_result | None) -> None:
    directory = os.path.dirname(target)
    # The name says nothing of the old one, which may be as long as names can be.
    new = os.path.join(directory, f".urlscan-{os.getpid()}-{os.urandom(6).hex()}")
    mode = 0o666 if old is None else 0o600  # what is in it may be for the old one's readers only
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            if old is not None:
                _like(file.fileno(), old)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, target)
    except BaseException:
        os.unlink(new)
        raise


def _like(descriptor: int, old: os.stat_result) -> None:
    if hasattr(os, "fchown"):
        mine = os.fstat(descriptor)
        if (mine.st_uid, mine.st_gid) != (old.st_uid, old.st_gid):
            with contextlib.suppress(OSError):  # only the superuser gives files away
                os.fchown(descriptor, old.st_uid, old.st_gid)
        # Afterwards: a change of owner clears the set-user-id bit.
        os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
