"""Tell whether a file has changed: its size, the time of its last change, and the hash of its content."""

import os
import stat
from hashlib import sha256
from typing import NamedTuple

from urlscan.core.document import readable
from urlscan.files.walk import STDIN

_PIECE = 1 << 20


class FileStat(NamedTuple):
    """The size of a file and the time of its last change.

    Attributes:
        size: in bytes.
        mtime: in microseconds since 1970.
    """

    size: int
    mtime: int


class Hashes(NamedTuple):
    """The SHA-256 of a file and of its beginning, hexadecimal.

    Attributes:
        whole: that of the bytes up to the given size.
        prefix: that of a shorter beginning; "" if none was asked for.
    """

    whole: str
    prefix: str


def stat_of(path: str) -> FileStat | None:
    """Return size and time of a regular file; None for other files and for those that cannot be examined."""
    if path == STDIN:
        return None
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return FileStat(status.st_size, status.st_mtime_ns // 1000) if stat.S_ISREG(status.st_mode) else None


def hashes_of(path: str, size: int, prefix: int = 0) -> Hashes | None:
    """Return the hashes of the first `size` bytes of a file and of the first `prefix` of them.

    Returns:
        The hashes; None if the file cannot be read or is shorter.
    """
    whole, shorter = sha256(), ""
    try:
        with open(path, "rb") as file:
            read = 0
            while read < size:
                limit = prefix if read < prefix else size
                data = file.read(min(_PIECE, limit - read))
                if not data:
                    return None
                whole.update(data)
                read += len(data)
                if read == prefix:
                    shorter = whole.hexdigest()
    except (OSError, ValueError):
        return None
    return Hashes(whole.hexdigest(), shorter)


def absolute(path: str) -> str:
    """Return the absolute path of a file, without following links; "-" is standard input."""
    return path if path == STDIN else os.path.abspath(path)


def is_gone(path: str) -> bool:
    """Return whether a file of the table `source` does not exist; one that cannot be examined does."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return path.isascii() or not _written_otherwise(path)
    except (OSError, ValueError):
        pass
    return False


def _written_otherwise(path: str) -> bool:
    """Return whether a file has a name that is not UTF-8, which the tables show as this path."""
    directories = [os.sep]
    for part in path.strip(os.sep).split(os.sep):
        try:
            directories = [
                os.path.join(directory, name)
                for directory in directories
                for name in os.listdir(directory)
                if readable(name) == part
            ]
        except NotADirectoryError:
            return False
        except OSError:
            return True
    return bool(directories)
