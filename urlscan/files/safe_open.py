"""Opening of files that may be anything: nothing is waited for, and no link leads out of a tree.

A repository can hold a FIFO, and a file can be replaced between listing and opening.  The
type of the file is therefore checked by the descriptor that is read from.
"""

import errno
import os
import stat

# O_NONBLOCK: opening a FIFO does not wait for a writer.  O_NOCTTY: no terminal becomes the controlling one.
_SAFE = os.O_RDONLY
for _flag in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY", "O_NOINHERIT"):
    _SAFE |= getattr(os, _flag, 0)
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
# A directory that may be searched but not listed can be opened with O_PATH (Linux).
_DIRECTORY = getattr(os, "O_PATH", os.O_RDONLY) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_HAS_DIR_FD = bool(_NO_FOLLOW) and os.open in os.supports_dir_fd


class NotRegularError(OSError):
    """The file is a FIFO, a socket, a device or a directory."""


class TooLargeError(OSError):
    """The file has more bytes than the reader accepts."""


def relative_to_here(path: str) -> str:
    """Return a path as it is shown: relative to the current directory if it is below it."""
    try:
        relative = os.path.relpath(path)
    except (OSError, ValueError):
        return path
    return path if relative.startswith(os.pardir) else relative


def open_regular(path: str, *, follow: bool = True) -> int:
    """Return a descriptor of a regular file, without waiting for anything.

    Devices are not even opened, which can have effects.

    Args:
        follow: whether the file itself may be a symbolic link.

    Raises:
        NotRegularError: it is something else.
        OSError: it cannot be opened.
        ValueError: the name holds a NUL.
    """
    _check_regular(os.stat(path, follow_symlinks=follow))
    return _checked(os.open(path, _SAFE | (0 if follow else _NO_FOLLOW)))


def open_found(root: str, relative: str) -> int:
    """Return a descriptor of a regular file below a directory, following no symbolic link below `root`.

    `root` itself, which the user named, may lead over links.  Where the system cannot open relative to a directory
    (Windows), the names are checked before the file is opened.

    Args:
        root: the directory that was walked.
        relative: the name of the file from there, without `..`.

    Raises:
        NotRegularError: it is something else.
        OSError: it cannot be opened, or a symbolic link leads to it (ELOOP or ENOTDIR).
        ValueError: the name holds a NUL.
    """
    *directories, name = _parts_of(relative)
    if not _HAS_DIR_FD:
        return _open_found_by_name(root, [*directories, name])
    above = _open_directory(root, directories)
    try:
        return _open_in(above, name)
    finally:
        os.close(above)


class FoundFiles:
    """Opens many files below a directory as `open_found` does.

    The directory of the last file stays open; most calls of `open_found` for the files of a tree open it again.

    Args:
        root: the directory that was walked.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._directory: list[str] | None = None
        self._descriptor = -1

    def open(self, relative: str) -> int:
        """Return a descriptor of a file; see `open_found`."""
        *directories, name = _parts_of(relative)
        if not _HAS_DIR_FD:
            return _open_found_by_name(self._root, [*directories, name])
        if directories != self._directory:
            self.close()
            self._descriptor = _open_directory(self._root, directories)
            self._directory = directories
        return _open_in(self._descriptor, name)

    def close(self) -> None:
        """Close the directory of the last file."""
        if self._directory is not None:
            self._directory = None
            os.close(self._descriptor)


def read_regular(path: str, max_size: int, *, follow: bool = True) -> bytes:
    """Return the bytes of a regular file; raise as `open_regular`, and TooLargeError for more than `max_size`."""
    with open(open_regular(path, follow=follow), "rb") as file:
        data = file.read(max_size + 1)
    if len(data) > max_size:
        raise TooLargeError(errno.EFBIG, f"larger than {max_size} bytes")
    return data


def _parts_of(relative: str) -> list[str]:
    """Return the names in a relative path; raise ValueError for one with `..`."""
    parts = [part for part in relative.replace(os.sep, "/").split("/") if part not in ("", os.curdir)]
    if os.pardir in parts:
        raise ValueError("the name leads out of the directory")
    return parts


def _open_directory(root: str, directories: list[str]) -> int:
    above = os.open(root or os.curdir, _DIRECTORY)
    for directory in directories:
        try:
            below = os.open(directory, _DIRECTORY | _NO_FOLLOW, dir_fd=above)
        finally:
            os.close(above)
        above = below
    return above


def _open_in(directory: int, name: str) -> int:
    # Unlike a named file, it was regular when it was listed; opening it first saves a call for each.
    return _checked(os.open(name, _SAFE | _NO_FOLLOW, dir_fd=directory))


def _open_found_by_name(root: str, names: list[str]) -> int:
    path = root
    for name in names:
        path = os.path.join(path, name)
        if os.path.islink(path):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return open_regular(path, follow=False)


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
