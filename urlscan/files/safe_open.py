"""Open files that may be anything: nothing is waited for, and no link leads out of a tree.

A repository can hold a FIFO, and a file can be replaced between listing and opening. The type of a file is therefore
checked by the descriptor that is read from, and directories are held open, so that their files stay the same ones even
if a path is redirected meanwhile. Where the system has no calls relative to a directory (Windows), the same methods
work on paths, whose names are checked first.
"""

import errno
import os
import stat
from collections.abc import Iterable

from urlscan.core.record import NamedTuple
from urlscan.core.typing import Any

# O_NONBLOCK: opening a FIFO does not wait for a writer.  O_NOCTTY: no terminal becomes the controlling one.
_SAFE = os.O_RDONLY
for _flag in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY", "O_NOINHERIT"):
    _SAFE |= getattr(os, _flag, 0)
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
# A handle that only names a directory needs no permission to list it (Linux).
_DIRECTORY = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
HAS_HANDLES = bool(_NO_FOLLOW) and {os.open, os.stat, os.link, os.rename, os.unlink} <= os.supports_dir_fd
_EXCHANGE = 2  # RENAME_EXCHANGE of renameat2(2)


class NotRegularError(OSError):
    """The file is a FIFO, a socket, a device or a directory."""


class TooLargeError(OSError):
    """The file has more bytes than the reader accepts."""


class FileState(NamedTuple):
    """Identifies one version of a file without reading its content."""

    device: int
    inode: int
    size: int
    mtime_ns: int

    @classmethod
    def of(cls, status: os.stat_result) -> "FileState":
        """Return the state of a file from its status."""
        device = status.st_dev
        if os.name == "nt":  # it differs between calls that take a path and those that take a descriptor
            device = 0
        return cls(device, status.st_ino, status.st_size, status.st_mtime_ns)


def state_of(path: str, *, follow: bool = True) -> FileState | None:
    """Return the state of a file, or of the symbolic link itself unless `follow`; None if it does not exist."""
    try:
        return FileState.of(os.stat(path, follow_symlinks=follow))
    except (OSError, ValueError):
        return None


def relative_to_here(path: str) -> str:
    """Return a path as it is shown: relative to the current directory if it is below it."""
    try:
        relative = os.path.relpath(path)
    except (OSError, ValueError):
        return path
    if relative.startswith(os.pardir):
        return path
    return relative


def open_regular(path: str, *, follow: bool = True) -> int:
    """Return a descriptor of a regular file, without waiting for anything; a symbolic link is refused unless `follow`.

    Raise NotRegularError for anything else: devices are not even opened, which can have effects. Raise OSError if it
    cannot be opened, and ValueError for a name with a NUL.
    """
    _check_regular(os.stat(path, follow_symlinks=follow))
    flags = _SAFE
    if not follow:
        flags |= _NO_FOLLOW
    return _checked(os.open(path, flags))


def open_found(root: str, relative: str) -> int:
    """Return a descriptor of a regular file below a directory, following no symbolic link below `root`.

    `root` itself may lead over links. Raises as `open_regular`, and ValueError for a name with `..`.
    """
    *directories, name = parts_of(relative)
    directory = Directory(root, directories)
    try:
        return directory.open_regular(name)
    finally:
        directory.close()


def read_regular(path: str, max_size: int, *, follow: bool = True) -> bytes:
    """Return the bytes of a regular file; raise as `open_regular`, and TooLargeError for more than `max_size`."""
    return read_descriptor(open_regular(path, follow=follow), max_size)


def read_descriptor(descriptor: int, max_size: int) -> bytes:
    """Return the bytes of an open regular file and close it; raise TooLargeError for more than `max_size`."""
    with open(descriptor, "rb") as file:  # buffered: one call of the system may return a part
        # A buffer of the largest size takes three times as long as the file. A size of 0 is unknown.
        size = os.fstat(descriptor).st_size or max_size
        data = file.read(min(size, max_size) + 1)
    if len(data) > max_size:
        raise TooLargeError(errno.EFBIG, f"larger than {max_size} bytes")
    return data


def parts_of(relative: str) -> list[str]:
    """Return the names in a relative path; raise ValueError for one with `..`."""
    parts = [part for part in relative.replace(os.sep, "/").split("/") if part not in ("", os.curdir)]
    if os.pardir in parts:
        raise ValueError("the name leads out of the directory")
    return parts


def _checked(descriptor: int) -> int:
    try:
        _check_regular(os.fstat(descriptor))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _check_regular(status: os.stat_result) -> None:
    if stat.S_ISLNK(status.st_mode):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if stat.S_ISDIR(status.st_mode):
        raise NotRegularError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise NotRegularError(errno.EINVAL, "not a regular file")


def _check_no_link(path: str) -> None:
    if os.path.islink(path):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


class Directory:
    """An open directory; its methods take names of entries and never follow a symbolic link.

    It is `path`, whose links are followed, or is reached from there by the names in `below`, where none is followed.
    Raise OSError if one of them is no directory, or cannot be opened.
    """

    def __init__(self, path: str, below: Iterable[str] = ()) -> None:
        self._path = path
        self._handle = os.open(path or os.curdir, _DIRECTORY) if HAS_HANDLES else None
        for name in below:
            upper, self._handle = self._handle, None
            if upper is None:
                self._path = os.path.join(self._path, name)
                _check_no_link(self._path)
                continue
            try:
                self._handle = os.open(name, _DIRECTORY | _NO_FOLLOW, dir_fd=upper)
            except OSError as error:
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

    def open(self, name: str, flags: int = _SAFE | _NO_FOLLOW, mode: int = 0o600) -> int:
        """Return a descriptor of a file, opened for reading by default."""
        if self._handle is None:
            _check_no_link(self._of(name))
        return os.open(self._of(name), flags, mode, **self._at("dir_fd"))

    def open_regular(self, name: str) -> int:
        """Return a descriptor of a regular file; raise NotRegularError for something else."""
        if self._handle is None:
            _check_regular(self.stat(name))
        # It was regular when it was listed; opening it first saves a call for each.
        return _checked(self.open(name))

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
        if self._handle is not None:
            return name
        return os.path.join(self._path, name)

    def _at(self, *keywords: str) -> dict[str, Any]:
        if self._handle is not None:
            return dict.fromkeys(keywords, self._handle)
        return {}


def _exchange(handle: int, name: bytes, other: bytes) -> bool:
    """Call renameat2 of the C library (Linux, glibc 2.28); return whether it exchanged the two names."""
    try:
        import ctypes  # only for writing files: it takes longer to load than a small file takes to check

        rename: Any = ctypes.CDLL(None).renameat2
    except (ImportError, OSError, AttributeError, TypeError):
        return False
    # On every failure nothing was renamed. The caller then renames by other means, which report the reason.
    return int(rename(handle, name, handle, other, _EXCHANGE)) == 0
