"""Keep digests between runs, in a file of a cache directory that several processes may use at a time."""

import contextlib
import os
import stat
import time
from collections.abc import Iterable

from urlscan.core.errors import SourceError
from urlscan.files.atomic_write import write
from urlscan.files.lock import locked
from urlscan.files.walk import CACHE_DIRECTORY

DIGEST_BYTES = 16
_MAGIC = b"urlscan cache 1\n"
_DAY_BYTES = 4
_ENTRY_BYTES = DIGEST_BYTES + _DAY_BYTES
# Days after which an entry that no run has used is dropped, and after which a use is recorded again.
_KEPT = 30
_REFRESHED = 7
# A million entries; a file that is larger was not written by this program.
_MOST_BYTES = 20_000_000
# Tells backup programs to leave the directory out: https://bford.info/cachedir/
_TAG = b"Signature: 8a477f597d28d172789f06886806bc55\n# This directory is a cache that urlscan creates.\n"


class DigestFile:
    """A set of digests that is read at the beginning of a run and written at its end.

    Nothing is an error: what cannot be read is empty, and what cannot be written is lost.

    Args:
        root: the root of a project; `save` creates the cache directory in it. A symbolic link is not used.
        name: the name of the file in the cache directory.
    """

    def __init__(self, root: str, name: str) -> None:
        self._root = root
        self._directory = os.path.join(root, CACHE_DIRECTORY)
        self._path = os.path.join(self._directory, name)
        self._days = self._read()
        self._used: set[bytes] = set()

    def __contains__(self, digest: bytes) -> bool:
        return digest in self._days

    def relative(self, path: str) -> str:
        """Return the path of a file from the root of the project."""
        return os.path.relpath(os.path.abspath(path), self._root)

    def use(self, digest: bytes) -> None:
        """Add a digest, or record that it is still in use."""
        self._used.add(digest)

    def save(self) -> None:
        """Write the file if a digest is new or its use has to be recorded, merged with what others wrote."""
        today = int(time.time()) // 86400
        if all(today - self._days.get(digest, 0) < _REFRESHED for digest in self._used):
            return
        with contextlib.suppress(OSError, SourceError):
            if not self._create():
                return
            with locked(self._path):
                days = self._read() | dict.fromkeys(self._used, today)
                kept = {digest: day for digest, day in days.items() if today - day < _KEPT}
                write(self._path, _content(kept), "written", new=True)

    def _read(self) -> dict[bytes, int]:
        """Return the last day of use by digest."""
        if not _is_directory(self._directory):
            return {}
        try:
            with open(self._path, "rb") as file:
                data = file.read(_MOST_BYTES + 1)
        except OSError:
            return {}
        size = len(data) - len(_MAGIC)
        if not data.startswith(_MAGIC) or size % _ENTRY_BYTES or len(data) > _MOST_BYTES:
            return {}
        starts = range(len(_MAGIC), len(data), _ENTRY_BYTES)
        return {
            data[at : at + DIGEST_BYTES]: int.from_bytes(data[at + DIGEST_BYTES : at + _ENTRY_BYTES]) for at in starts
        }

    def _create(self) -> bool:
        """Create the directory with the files that keep it out of Git and of backups; return whether it can be used."""
        if not os.path.lexists(self._directory):
            with contextlib.suppress(FileExistsError):  # another process creates it
                os.mkdir(self._directory)
            write(os.path.join(self._directory, ".gitignore"), b"*\n", "written", new=True)
            write(os.path.join(self._directory, "CACHEDIR.TAG"), _TAG, "written", new=True)
        return _is_directory(self._directory)


def remove_digests(root: str) -> str:
    """Remove the cache directory of a project; return its path, or "" if there is none.

    Only files that this program writes are removed.

    Args:
        root: the root of the project.

    Raises:
        SourceError: it cannot be removed, or contains something else.
    """
    directory = os.path.join(root, CACHE_DIRECTORY)
    if not _is_directory(directory):
        return ""
    try:
        with os.scandir(directory) as entries:
            names = [entry.name for entry in entries if _is_own(entry)]
        for name in names:
            os.remove(os.path.join(directory, name))
        os.rmdir(directory)
    except OSError as error:
        raise SourceError(directory, f"cannot be removed: {error.strerror or error}") from None
    return directory


def _is_own(entry: "os.DirEntry[str]") -> bool:
    """Return whether this program wrote a file."""
    return entry.is_file(follow_symlinks=False) and (
        entry.name in (".gitignore", "CACHEDIR.TAG") or entry.name.endswith((".digests", ".digests.lock"))
    )


def _is_directory(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


def _content(days: dict[bytes, int]) -> bytes:
    """Return the content of the file: the digests that were used last come first, up to the limit of its size."""
    most = (_MOST_BYTES - len(_MAGIC)) // _ENTRY_BYTES
    return _MAGIC + b"".join(_entries(sorted(days.items(), key=lambda entry: (-entry[1], entry[0]))[:most]))


def _entries(days: Iterable[tuple[bytes, int]]) -> Iterable[bytes]:
    return (digest + day.to_bytes(_DAY_BYTES) for digest, day in days)
