"""Walk directories and read files; no other module does.

A file that cannot be read is returned as an error, not raised: the caller reports it and continues. Names are strings
as returned by `os.fsdecode`, in which invalid bytes are surrogates. `pathlib` is not used because importing it takes
longer than checking a small file.
"""

import contextlib
import errno
import io
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, cast

from urlscan.core.errors import SourceError
from urlscan.core.record import NamedTuple
from urlscan.files.random_access import OpenFile, source_error
from urlscan.files.safe_open import open_found

STDIN = "-"
_PIECE = 1 << 18  # number of bytes read from standard input at a time
# Returns whether a path is excluded, given the directory in which it was found, or None; directories may end with "/".
# Called with a path that is skipped, and the reason.
Skip = Callable[[str, str], object]
Excludes = Callable[[str, str | None], bool]
# Those of version control systems.
_SKIPPED_DIRECTORIES = {".git", ".hg", ".svn", ".bzr", ".jj"}


class ElsewhereError(Exception):
    """A source is too large for a worker to unpack; the parent process reads it."""


class Input(NamedTuple):
    """A source to read.

    Attributes:
        path: its name, or "-".
        was_named: whether it was named, as opposed to found in a directory.
        root: the named directory in which it was found, or None if it was named itself.
        content: its bytes, if they are not read from `path`.
    """

    path: str
    was_named: bool = True
    root: str | None = None
    content: bytes | OpenFile | None = None

    def relative(self) -> str:
        """Return the path relative to the root."""
        return self.path.removeprefix(os.path.join(self.root or "", ""))


def content_of(file: BinaryIO, max_in_memory: int, name: str) -> bytes | OpenFile:
    """Return the bytes of a file that the caller has opened, from its position to its end; the file stays open.

    Args:
        file: any object with a method `read(size)` that returns bytes.
        max_in_memory: the maximum number of bytes to return. More are copied to a temporary file, unless `file` is a
            regular file at its beginning, which is read in place.

    Raises:
        SourceError: it cannot be read or copied.
    """
    try:
        # Not every object with `fileno` has the bytes of that file: a GzipFile does not.
        if type(file) is io.BufferedReader and type(file.raw) is io.FileIO and file.tell() == 0:
            status = os.fstat(file.fileno())
            if stat.S_ISREG(status.st_mode) and status.st_size > max_in_memory:
                return OpenFile(open(os.dup(file.fileno()), "rb"), name)
        return spooled(_pieces(file), max_in_memory, name)
    except (OSError, ValueError) as error:
        raise source_error(name, error) from None


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(_PIECE):
        if not isinstance(piece, bytes):
            raise TypeError(f"read() of the file returned {type(piece).__name__}, not bytes; open it in binary mode")
        yield piece


def read_or_open(path: str, max_in_memory: int, found: Input | None = None) -> bytes | OpenFile:
    """Return the bytes of a source, or an open file if it is larger than `max_in_memory`; a pipe is copied to one.

    Args:
        found: the same source, if it was found by a walk. It must still be a regular file without symbolic links in
            its path below the root of the walk, because it may have been replaced since.

    Raises:
        SourceError: it cannot be read.
    """
    try:
        if path == STDIN:
            return spooled(_pieces_of_stream(standard_input()), max_in_memory, STDIN)
        opened: int | str = path
        if found is not None and found.root is not None:
            opened = open_found(found.root, found.relative())
        file = open(opened, "rb")  # noqa: SIM115 - the reader of a large file closes it
        status = os.fstat(file.fileno())
        is_regular, size = stat.S_ISREG(status.st_mode), status.st_size
        if is_regular and size > max_in_memory:
            return OpenFile(file, path)
        with file:
            if not is_regular:  # a FIFO, a process substitution
                return spooled(_pieces_of_stream(file), max_in_memory, path)
            # One call reads the file, unless its size changes or is unknown.
            data = os.read(file.fileno(), size + 1)
            return data if len(data) == size > 0 else data + file.read()
    except (OSError, ValueError) as error:
        raise source_error(path, error) from None


def _pieces_of_stream(file: BinaryIO) -> Iterator[bytes]:
    """Yield the bytes of a buffered stream; a piece of less than the usual size is the last one.

    Reading again after it would wait for a second end of file from a terminal.
    """
    while data := file.read(_PIECE):
        yield data
        if len(data) < _PIECE:
            return


def standard_input() -> BinaryIO:
    """Return standard input; OSError if it is closed."""
    if sys.stdin is None:
        raise OSError(errno.EBADF, "standard input is closed")
    return sys.stdin.buffer


def spooled(pieces: Iterable[bytes], max_in_memory: int, path: str) -> bytes | OpenFile:
    """Return the bytes, or a temporary file with them if there are more than `max_in_memory`.

    The file has no name, so that it disappears no matter how the process ends.

    Raises:
        SourceError: the file cannot be written; `path` is the name of the source.
    """
    copy = _Spool(max_in_memory, path)
    try:
        for piece in pieces:
            copy.write(piece)
        return copy.finish()
    except BaseException:
        copy.close()
        raise


class _Spool:
    """Collects bytes in memory, or in a temporary file if there are more than `max_in_memory`."""

    def __init__(self, max_in_memory: int, path: str) -> None:
        self._max_in_memory = max_in_memory
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
            if self._size > self._max_in_memory:
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
        return SourceError(self._path, f"cannot write a temporary file: {error.strerror or error}")


def file_size(path: str) -> int:
    """Return the size of a file in bytes, or 0 if it has none."""
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0


def walk(
    paths: Iterable[str | Input], excludes: Excludes | None = None, skip: Skip | None = None
) -> Iterator[Input | SourceError]:
    """Yield each file once, in the order of `paths`.

    Args:
        paths: files, directories, or `-`, which is passed on, as sources with content are.
        excludes: returns whether a path is excluded, a named one, too; None for no path.
        skip: reports the files and directories that are skipped; a directory ends with "/". None not to report them.
    """
    seen = set()
    for path in paths:
        if isinstance(path, Input):
            yield path
            continue
        items: Iterable[Input | SourceError] = [Input(path)]
        if path != STDIN:
            is_directory = os.path.isdir(path)
            name = os.path.join(path, "") if is_directory else path
            if excludes is not None and excludes(name, None):
                if skip is not None:
                    skip(path, "excluded")
                continue
            if is_directory:
                items = _Walk(path, excludes, skip).files()
        for item in items:
            if isinstance(item, SourceError):
                yield item
            elif (key := os.path.normpath(item.path)) not in seen:
                seen.add(key)
                yield item


def read_names(path: str, *, zero: bool) -> list[str]:
    """Return the nonempty file names in a file (or in standard input for `-`), one per line or terminated by NUL."""
    data = read_or_open(path, sys.maxsize)
    names = data.split(b"\0" if zero else b"\n") if isinstance(data, bytes) else ()
    return [file_path(os.fsdecode(name)) for name in names if name]


def file_path(name: str) -> str:
    """Return the path of a file, by which a file named `-` is not confused with standard input."""
    return os.path.join(os.curdir, name) if name == STDIN else name


def has_piped_input() -> bool:
    """Return whether standard input is a file, a pipe or a socket: not a terminal, not /dev/null."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError, AttributeError):  # closed, or replaced in a test
        return False
    return stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


class _Walk:
    """A walk through a directory; the arguments are those of `walk`."""

    def __init__(self, root: str, excludes: Excludes | None, skip: Skip | None) -> None:
        self._root = root
        self._excludes = excludes
        self._skip = skip

    def files(self) -> Iterator[Input | SourceError]:
        """Yield the files of the directory."""
        return self._found(self._root)

    def _found(self, directory: str) -> Iterator[Input | SourceError]:
        """Yield the files of a directory: those of a work tree that git does not ignore, or else all."""
        from urlscan.files.work_tree import list_files

        def report(name: str, why: str) -> None:
            self._report(_join(directory, name), why)

        listing = list_files(directory, None if self._skip is None else report)
        if listing is None:
            yield from self._scan(directory)
            return
        yield from listing.errors
        for name in listing.names:
            path = _join(directory, name)
            if self._is_kept(path):
                yield Input(path, False, self._root)

    def _scan(self, directory: str) -> Iterator[Input | SourceError]:
        """Walk a directory outside of work trees. A work tree inside it is listed like git."""
        pending = [directory]
        while pending:
            path = pending.pop()
            if not path.endswith(os.sep):
                if path != directory:
                    yield Input(path, False, self._root)
                    continue
            elif path != directory and os.path.lexists(path + ".git"):
                yield from self._found(path.rstrip(os.sep))
                continue
            try:
                with os.scandir(path) as entries:
                    below = [self._name_of(entry, path) for entry in entries]
            except OSError as error:
                yield source_error(path, error)
                continue
            # Sort like git: by bytes, with "/" after the name of a directory.
            names = [name for name in below if name and self._is_kept(name)]
            pending.extend(sorted(names, key=os.fsencode, reverse=True))

    def _name_of(self, entry: os.DirEntry[str], directory: str) -> str:
        """Return the path of a file, or of a directory with "/" after it, or "" for an entry to skip."""
        path = _join(directory, entry.name)
        try:
            if entry.is_dir(follow_symlinks=False):
                return "" if entry.name in _SKIPPED_DIRECTORIES else path + os.sep
            if entry.is_file(follow_symlinks=False):
                return path
            self._report(path, "symbolic link" if entry.is_symlink() else "not a regular file")
        except OSError:
            return path  # reading it will report the error
        return ""

    def _is_kept(self, path: str) -> bool:
        if self._excludes is None or not self._excludes(path, self._root):
            return True
        self._report(path, "excluded")
        return False

    def _report(self, path: str, why: str) -> None:
        if self._skip is not None:
            self._skip(path, why)


def _join(directory: str, name: str) -> str:
    return os.path.join(directory, name) if directory != os.curdir else file_path(name)
