"""Hold a directory open, so that its files stay the same ones even if its path is redirected meanwhile.

Where the system has no calls relative to a directory (Windows), the same methods work on paths.
"""

import errno
import os
from collections.abc import Iterable
from typing import Any

_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_DIRECTORY = getattr(os, "O_DIRECTORY", 0)
_CLOSE_ON_EXEC = getattr(os, "O_CLOEXEC", 0)
# A handle that only names the directory needs no permission to list it.
_SEARCH = getattr(os, "O_PATH", os.O_RDONLY)
# Opening a pipe that took the name of a file must not wait for a writer.
_READ = os.O_RDONLY | _NO_FOLLOW | _CLOSE_ON_EXEC | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
HAS_HANDLES = (
    bool(_NO_FOLLOW and _DIRECTORY) and {os.open, os.stat, os.link, os.rename, os.unlink} <= os.supports_dir_fd
)
_EXCHANGE = 2  # RENAME_EXCHANGE of renameat2(2)


class Directory:
    """An open directory; its methods take names of entries and never follow a symbolic link.

    Args:
        path: the directory, "" for the current one. Symbolic links in this path are followed.
        below: names of directories to descend into, where no symbolic link is followed.

    Raises:
        OSError: one of them is not a directory, or cannot be opened.
    """

    def __init__(self, path: str, below: Iterable[str] = ()) -> None:
        self._path = os.path.join(path, *below)
        self._handle: int | None = None
        if not HAS_HANDLES:
            return
        flags = _SEARCH | _DIRECTORY | _CLOSE_ON_EXEC
        self._handle = os.open(path or os.curdir, flags)
        for name in below:
            if name in {"", os.curdir, os.pardir}:
                self.close()
                raise OSError(errno.EINVAL, "not the name of a directory entry")
            upper = self._handle
            try:
                self._handle = os.open(name, flags | _NO_FOLLOW, dir_fd=upper)
            except OSError as error:
                self._handle = None
                if error.errno in {errno.ENOTDIR, errno.ELOOP}:
                    raise OSError(error.errno, "a directory in the path is now a symbolic link or a file") from None
                raise
            finally:
                os.close(upper)

    def close(self) -> None:
        """Close the directory; it may be closed already."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def open(self, name: str, flags: int = _READ, mode: int = 0o600) -> int:
        """Return a descriptor of a file, opened for reading by default."""
        return os.open(self._of(name), flags, mode, **self._at("dir_fd"))

    def stat(self, name: str) -> os.stat_result:
        """Return the status of an entry, without following a symbolic link."""
        return os.stat(self._of(name), follow_symlinks=False, **self._at("dir_fd"))

    def exists(self, name: str) -> bool:
        """Return whether an entry of that name exists, even a dangling symbolic link."""
        try:
            self.stat(name)
        except FileNotFoundError:
            return False
        return True

    def is_writable(self, name: str) -> bool:
        """Return whether this process may write to a file."""
        return os.access(self._of(name), os.W_OK, **self._at("dir_fd"))

    def unlink(self, name: str) -> None:
        """Remove a file."""
        os.unlink(self._of(name), **self._at("dir_fd"))

    def link(self, old: str, new: str) -> None:
        """Give a file a second name; raise FileExistsError if that exists."""
        os.link(self._of(old), self._of(new), **self._at("src_dir_fd", "dst_dir_fd"))

    def link_descriptor(self, descriptor: int, name: str) -> None:
        """Give a name to an open file without one; raise FileExistsError if that exists."""
        # Given a descriptor for the first directory, the call follows the link to the file without a name.
        os.link(f"/proc/self/fd/{descriptor}", self._of(name), src_dir_fd=descriptor, **self._at("dst_dir_fd"))

    def replace(self, old: str, new: str) -> None:
        """Rename a file, replacing the one with the new name."""
        os.replace(self._of(old), self._of(new), **self._at("src_dir_fd", "dst_dir_fd"))

    def exchange(self, name: str, other: str) -> bool:
        """Exchange the names of two files atomically; return whether the system supports that."""
        return self._handle is not None and _exchange(self._handle, os.fsencode(name), os.fsencode(other))

    def _of(self, name: str) -> str:
        return name if self._handle is not None else os.path.join(self._path, name)

    def _at(self, *keywords: str) -> dict[str, Any]:
        return dict.fromkeys(keywords, self._handle) if self._handle is not None else {}


def _exchange(handle: int, name: bytes, other: bytes) -> bool:
    """Call renameat2 of the C library (Linux, glibc 2.28); return whether it exchanged the two names."""
    try:
        import ctypes  # only for writing files: it takes longer to load than a small file takes to check

        rename: Any = ctypes.CDLL(None).renameat2
    except (ImportError, OSError, AttributeError, TypeError):
        return False
    # On every failure nothing was renamed. The caller then renames by other means, which report the reason.
    return int(rename(handle, name, handle, other, _EXCHANGE)) == 0
