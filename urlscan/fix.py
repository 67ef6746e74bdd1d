"""Apply the edits of findings to the bytes that they were found in, and write files so that none is ever half there."""

import bisect
import contextlib
import errno
import os
import stat
from collections.abc import Iterator
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
    one, and its owner where we may.

    Args:
        path: the file.
        data: what it is to hold.
        what: what cannot be done to it, if it cannot.
        new: whether it may be one that is not there yet.
    """
    file = Replacement(path, what, new=new)
    with file:
        file.write(data)
        file.keep()


class Replacement:
    """A file that is written beside another, and takes its name when it is whole.

    Until then it has no name of its own where the system can do that, so that nothing is left of it, however the
    process ends.

    Args:
        path: the file to replace; a symbolic link stays one, the file that it names is replaced.
        what: what cannot be done to it, if it cannot.
        new: whether it may be one that is not there yet.
        special: whether it may be a pipe or a device, which is written to as it is.

    Raises:
        SourceError: it cannot be; as all methods.
    """

    def __init__(self, path: str, what: str = "fixed", *, new: bool = False, special: bool = False) -> None:
        self._path = path
        self._what = what
        self._name = ""  # of the new file, once it has one
        with self._told():
            # A pipe behind /dev/stdout has no path of its own.
            self._target = path if special and _is_special(path) else os.path.realpath(path)
            old = os.stat(self._target) if not new or os.path.lexists(self._target) else None
            self._is_special = old is not None and not stat.S_ISREG(old.st_mode)
            if self._is_special and not special:
                raise SourceError(path, f"cannot be {what}: it is not a regular file")
            # A new file could take the name of one that must not be written.
            if old is not None and not os.access(self._target, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            # What is in it may be for the old one's readers only.
            self._file = open(self._opened(0o666 if old is None else 0o600), "wb")  # noqa: SIM115 - __exit__ closes it
            try:
                if old is not None and not self._is_special:
                    _like(self._file.fileno(), old)
            except OSError:
                self.__exit__()
                raise

    def __enter__(self) -> "Replacement":
        return self

    def __exit__(self, *_: object) -> None:
        """Drop what was not kept."""
        with contextlib.suppress(OSError):
            self._file.close()
        if self._name:
            with contextlib.suppress(OSError):
                os.unlink(self._name)

    def write(self, data: bytes) -> None:
        """Write what comes next."""
        with self._told():
            self._file.write(data)

    def keep(self) -> None:
        """Take the name of the old file."""
        with self._told():
            self._file.flush()
            if self._is_special:
                return
            os.fsync(self._file.fileno())
            if not self._name:
                name = self._new_name()
                # With a directory for its first argument, the call follows the link to the file without a name.
                os.link(f"/proc/self/fd/{self._file.fileno()}", name, src_dir_fd=self._file.fileno())
                self._name = name
            os.replace(self._name, self._target)
            self._name = ""

    def _opened(self, mode: int) -> int:
        flags = os.O_WRONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        if self._is_special:
            return os.open(self._target, flags)
        unnamed = getattr(os, "O_TMPFILE", 0)
        if unnamed and os.path.isdir("/proc/self/fd"):
            with contextlib.suppress(OSError):  # not every file system can
                return os.open(os.path.dirname(self._target), flags | unnamed, mode)
        name = self._new_name()
        descriptor = os.open(name, flags | os.O_CREAT | os.O_EXCL, mode)
        self._name = name
        return descriptor

    def _new_name(self) -> str:
        # It says nothing of the old one, which may be as long as names can be.
        new = f".urlscan-{os.getpid()}-{os.urandom(6).hex()}"
        return os.path.join(os.path.dirname(self._target), new)

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError) as error:
            why = (isinstance(error, OSError) and error.strerror) or str(error)
            raise SourceError(self._path, f"cannot be {self._what}: {why}") from None


def _is_special(path: str) -> bool:
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def _like(descriptor: int, old: os.stat_result) -> None:
    if hasattr(os, "fchown"):
        mine = os.fstat(descriptor)
        if (mine.st_uid, mine.st_gid) != (old.st_uid, old.st_gid):
            with contextlib.suppress(OSError):  # only the superuser gives files away
                os.fchown(descriptor, old.st_uid, old.st_gid)
        # Afterwards: a change of owner clears the set-user-id bit.
        os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
