"""The only reader of directories and files.

A file that cannot be read is a value, not an exception: the caller reports it and continues.  Names
are strings as `os.fsdecode` makes them; bytes that are not UTF-8 survive in them as surrogates.  They
are no `pathlib.Path`s, which take longer to import than a small file takes to check.
"""

import contextlib
import errno
import io
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, NamedTuple, cast

from urlscan.core.errors import SourceError
from urlscan.files.safe_open import open_found

STDIN = "-"
_PIECE = 1 << 18  # bytes of standard input that are read at a time
# Whether a path, found below a directory or named, is excluded; a directory's may end with "/".
Excludes = Callable[[str, str | None], bool]
# Their contents belong to a version control system, not to the text that it keeps.
_REPOSITORIES = {".git", ".hg", ".svn", ".bzr", ".jj"}


class Input(NamedTuple):
    """A source to read.

    Attributes:
        path: its name, or "-".
        was_named: whether it was named, and not found in a directory.
        root: the named directory in which it was found; None if it was named itself.
        content: its bytes, if they are given and not to be read from `path`.
    """

    path: str
    was_named: bool = True
    root: str | None = None
    content: "bytes | OpenFile | None" = None

    def relative(self) -> str:
        """Return the path from the root to what was found."""
        is_here = self.root is None or self.root == os.curdir
        return self.path if is_here else self.path.removeprefix(os.path.join(self.root or "", ""))


class ElsewhereError(Exception):
    """A source is too large for a worker to unpack; the parent process reads it."""


def read(path: str) -> bytes:
    """Return the bytes of a file, a special file, or standard input for `-`; SourceError when that fails."""
    try:
        if path == STDIN:
            return standard_input().read()
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError) as error:
        raise _trouble(path, error) from None


class OpenFile:
    """A source whose bytes can be read anywhere, in any process.

    Attributes:
        size: how many there are.
    """

    def __init__(self, file: BinaryIO, path: str) -> None:
        self._file = file
        self._path = path
        self.size = os.fstat(file.fileno()).st_size

    def read(self, start: int, stop: int) -> bytes:
        """Return the bytes from `start` to `stop`, or to the end; SourceError when that fails."""
        start, stop = max(start, 0), min(stop, self.size)
        try:
            if hasattr(os, "pread"):  # forked processes share the file position
                parts = []
                while start < stop and (data := os.pread(self._file.fileno(), stop - start, start)):
                    parts.append(data)
                    start += len(data)
                return b"".join(parts)
            self._file.seek(start)
            return self._file.read(max(stop - start, 0))
        except OSError as error:
            raise _trouble(self._path, error) from None

    def __enter__(self) -> "OpenFile":
        """Return the source itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self._file.close()


class OpenBytes(OpenFile):
    """Bytes in memory that are read like a large file."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.size = len(data)

    def read(self, start: int, stop: int) -> bytes:
        """Return the bytes from `start` to `stop`, or to the end."""
        return self._data[max(start, 0) : stop]

    def __exit__(self, *_: object) -> None:
        """Do nothing: there is no file."""


def content_of(file: BinaryIO, most: int, name: str) -> bytes | OpenFile:
    """Return the bytes of a file that the caller has opened, from its position to its end; the file stays open.

    Args:
        file: any object that `read(size)` returns bytes of.
        most: how many bytes are returned at most. More are copied to a temporary file, unless `file` is a regular file
            at its beginning, which is read in place.
        name: the name of the source.

    Raises:
        SourceError: it cannot be read, or not copied.
    """
    try:
        # Not every object with `fileno` has the bytes of that file: a GzipFile does not.
        if type(file) is io.BufferedReader and type(file.raw) is io.FileIO and file.tell() == 0:
            status = os.fstat(file.fileno())
            if stat.S_ISREG(status.st_mode) and status.st_size > most:
                return OpenFile(open(os.dup(file.fileno()), "rb"), name)
        return spooled(_pieces(file), most, name)
    except (OSError, ValueError) as error:
        raise _trouble(name, error) from None


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(_PIECE):
        if not isinstance(piece, bytes):
            raise TypeError(f"read() of the file returned {type(piece).__name__}, not bytes; open it in binary mode")
        yield piece


def opened(path: str, most: int, found: Input | None = None) -> bytes | OpenFile:
    """Return the bytes of a source, or the source itself if they are more than `most`; of a pipe a copy is made.

    Args:
        path: the name of the source.
        most: how many bytes are returned at most.
        found: the same source, if a walk found it.  It must be a regular file still, and no symbolic link may lead to
            it from the root of the walk: what was listed can have been replaced.

    Raises:
        SourceError: it cannot be read.
    """
    try:
        if path == STDIN:
            return _standard_input(most)
        if found is not None and found.root is not None:
            return _opened_found(found, found.root, most)
        file = open(path, "rb")  # noqa: SIM115 - the reader of a large file closes it
        status = os.fstat(file.fileno())
        if stat.S_ISREG(status.st_mode) and status.st_size > most:
            return OpenFile(file, path)
        with file:
            if stat.S_ISREG(status.st_mode):
                return file.read()
            return spooled(iter(lambda: file.read(_PIECE), b""), most, path)  # a FIFO, a process substitution
    except (OSError, ValueError) as error:
        raise _trouble(path, error) from None


def _opened_found(found: Input, root: str, most: int) -> bytes | OpenFile:
    file = open(open_found(root, found.relative()), "rb")  # noqa: SIM115 - the reader closes it
    if os.fstat(file.fileno()).st_size > most:
        return OpenFile(file, found.path)
    with file:
        return file.read()


def _standard_input(most: int) -> bytes | OpenFile:
    read = standard_input().read
    return spooled(iter(lambda: read(_PIECE), b""), most, STDIN)


def standard_input() -> BinaryIO:
    """Return standard input; OSError if it is closed."""
    if sys.stdin is None:
        raise OSError(errno.EBADF, "standard input is closed")
    return sys.stdin.buffer


def spooled(pieces: Iterable[bytes], most: int, path: str) -> bytes | OpenFile:
    """Return the bytes, or a temporary copy of them if they are more than `most`.

    The copy has no name, so that it disappears however this process ends.

    Raises:
        SourceError: the copy cannot be written; `path` is the name of the source.
    """
    copy = _Spool(most, path)
    try:
        for piece in pieces:
            copy.write(piece)
        return copy.finish()
    except BaseException:
        copy.close()
        raise


class _Spool:
    """Collects bytes in memory, and in a temporary file if they are more than `most`."""

    def __init__(self, most: int, path: str) -> None:
        self._most = most
        self._path = path
        self._size = 0
        self._pieces: list[bytes] = []
        self._file: BinaryIO | None = None

    def write(self, piece: bytes) -> None:
        """Append bytes; raise SourceError if the temporary file cannot be written."""
        self._size += len(piece)
        try:
            if self._file is not None:
                self._file.write(piece)
                return
            self._pieces.append(piece)
            if self._size > self._most:
                import tempfile

                self._file = cast("BinaryIO", tempfile.TemporaryFile())  # noqa: SIM115 - closed by the reader
                self._file.writelines(self._pieces)
                self._pieces.clear()
        except OSError as error:
            raise self._failure(error) from None

    def finish(self) -> bytes | OpenFile:
        """Return the bytes, or the temporary file."""
        if self._file is None:
            return b"".join(self._pieces)
        try:
            self._file.flush()
        except OSError as error:
            raise self._failure(error) from None
        return OpenFile(self._file, self._path)

    def close(self) -> None:
        """Remove the temporary file."""
        if self._file is not None:
            with contextlib.suppress(OSError):  # buffered bytes may not fit on the disk
                self._file.close()

    def _failure(self, error: OSError) -> SourceError:
        return SourceError(self._path, f"no temporary copy can be made: {error.strerror or error}")


def size_of(path: str) -> int:
    """Return the size of a file in bytes; 0 for what has none."""
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0


def walk(paths: Iterable[str | Input], exclude: tuple[str, ...] | Excludes = ()) -> Iterator[Input | SourceError]:
    """Yield each file once, in the order of `paths`.

    Args:
        paths: files, directories, or `-`, which is passed on, as sources with content are.
        exclude: patterns of `.gitignore`'s kind, or what says what is excluded; that holds for what is named too.
    """
    excluder, seen = exclude if callable(exclude) else excluder_of(exclude), set()
    for path in paths:
        if isinstance(path, Input):
            yield path
            continue
        found: Iterable[Input | SourceError] = [Input(path)]
        if path != STDIN:
            if _is_excluded(path, excluder):
                continue
            if _is_directory(path):
                found = _found(path, path, excluder)
        for item in found:
            if isinstance(item, SourceError):
                yield item
            elif (key := os.path.normpath(item.path)) not in seen:
                seen.add(key)
                yield item


def excluded(paths: Iterable[str], excluder: Excludes) -> list[str]:
    """Return those of the given paths that are excluded although they were named."""
    return [path for path in paths if path != STDIN and _is_excluded(path, excluder)]


def _is_excluded(path: str, excluder: Excludes) -> bool:
    return excluder(os.path.join(path, "") if _is_directory(path) else path, None)


def excluder_of(patterns: tuple[str, ...]) -> Excludes:
    """Return what says whether a path, which need not exist, is excluded by patterns of `.gitignore`'s kind."""
    if not patterns:
        return lambda _path, _root: False
    from urlscan.files.exclude import Excluder

    return Excluder(patterns).excludes


def names(path: str, *, zero: bool) -> list[str]:
    """Return the nonempty file names that a file (or `-`) lists, one per line or ended by NUL."""
    return [os.fsdecode(name) for name in read(path).split(b"\0" if zero else b"\n") if name]


def has_piped_input() -> bool:
    """Return whether standard input is a file, a pipe or a socket: not a terminal, not /dev/null."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError, AttributeError):  # it is closed, or a test's stand-in
        return False
    return stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _trouble(path: str, error: Exception) -> SourceError:
    return SourceError(path, (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__)


def _is_directory(path: str) -> bool:
    try:
        return os.path.isdir(path)
    except ValueError:  # a NUL in the name; reading it reports that
        return False


def _found(directory: str, root: str, excluder: Excludes) -> Iterator[Input | SourceError]:
    """Yield the files of a directory: as git sees them in a work tree, else all of them."""
    from urlscan.files.git import list_files

    listing = list_files(directory)
    if listing is None:
        yield from _scan(directory, root, excluder)
        return
    yield from listing.errors
    for name in listing.names:
        path = os.path.join(directory, name) if directory != os.curdir else name
        if not excluder(path, root):
            yield Input(path, False, root)


def _scan(directory: str, root: str, excluder: Excludes) -> Iterator[Input | SourceError]:
    """Walk a directory that git does not know; a work tree in it is walked as git sees it."""
    waiting = [directory]
    while waiting:
        path = waiting.pop()
        if not path.endswith(os.sep):
            if path != directory:
                yield Input(path, False, root)
                continue
        elif path != directory and os.path.lexists(path + ".git"):
            yield from _found(path.rstrip(os.sep), root, excluder)
            continue
        try:
            with os.scandir(path) as entries:
                below = [_name_of(entry, path) for entry in entries]
        except OSError as error:
            yield _trouble(path, error)
            continue
        # As git sorts: by bytes, a directory as if its name ended in "/".
        kept = [name for name in below if name and not excluder(name, root)]
        waiting.extend(sorted(kept, key=os.fsencode, reverse=True))


def _name_of(entry: os.DirEntry[str], directory: str) -> str:
    """Return the path of a file, of a directory with "/" at its end, or "" for an entry to skip."""
    path = entry.name if directory == os.curdir else os.path.join(directory, entry.name)
    try:
        if entry.is_dir(follow_symlinks=False):
            return "" if entry.name in _REPOSITORIES else path + os.sep
        return path if entry.is_file(follow_symlinks=False) else ""
    except OSError:
        return path  # reading it will say what is wrong
