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

from urlscan.core.errors import SourceError, reason
from urlscan.core.record import NamedTuple
from urlscan.core.records import WebRecord, place_name
from urlscan.core.typing import TYPE_CHECKING, BinaryIO, cast
from urlscan.files.random_access import OpenFile
from urlscan.files.safe_open import FileState, NotRegularError, open_found

if TYPE_CHECKING:
    from urlscan.files.work_tree import WorkTree

STDIN = "-"
_HEAD = 1 << 14
_PIECE = 1 << 18  # number of bytes read from standard input at a time
# Called with a path that is skipped, and the reason; a directory ends with "/".
Skip = Callable[[str, str], object]
# Returns whether a path is excluded, given the directory in which it was found, or None; directories may end with "/".
Excludes = Callable[[str, str | None], bool]
# Those of version control systems.
REPOSITORIES = (".git", ".hg", ".svn", ".bzr", ".jj")
# Why an entry of a kind is not read.
_NOT_READ = {"l": "symbolic link", "?": "not a regular file"}


class ElsewhereError(Exception):
    """A source is too large for a worker to unpack; the parent process reads it."""


class Source(NamedTuple):
    """Bytes with a name: a file, standard input, or a member of an archive.

    Attributes:
        path: its name.
        content: its bytes; None before they are read. A file has too many to be read as a whole: text is UTF-8 then.
        was_named: whether it was named, as opposed to found in a directory.
        root: the named directory in which it was found, or None if it was named itself.
        is_stdin: whether it is standard input.
        member: its name in an archive, or "".
        packed_as: if it was compressed or a member, the name from which its kind is detected; else "".
        kind: one of `documents.KINDS`; "" if it is not detected yet.
        record: the record of a web archive, else None.
        state: the state of the file before it was read, if it is to be replaced.
    """

    path: str
    content: bytes | OpenFile | None = None
    was_named: bool = True
    root: str | None = None
    is_stdin: bool = False
    member: str = ""
    packed_as: str = ""
    kind: str = ""
    record: WebRecord | None = None
    state: FileState | None = None

    @property
    def where(self) -> str:
        """The name to show: its path, with the member of an archive."""
        return place_name(self.path, self.member)

    @property
    def data(self) -> bytes:
        """Its bytes; none if they are not in memory."""
        if isinstance(self.content, bytes):
            return self.content
        return b""

    @property
    def head(self) -> bytes:
        """The bytes from which its kind is detected, if they are not in memory; else all of them."""
        if isinstance(self.content, OpenFile):
            return self.content.read(0, _HEAD)
        return self.content or b""

    @property
    def size(self) -> int:
        """The number of its bytes."""
        if isinstance(self.content, OpenFile):
            return self.content.size
        return len(self.content or b"")

    def relative(self) -> str:
        """Return the path relative to the root."""
        return self.path.removeprefix(os.path.join(self.root or "", ""))

    def close(self) -> None:
        """Close the file of a large source."""
        if isinstance(self.content, OpenFile):
            self.content.__exit__()


SourceResult = Source | SourceError  # what a walk yields


def content_of(file: BinaryIO, max_in_memory: int, name: str) -> bytes | OpenFile:
    """Return the bytes of a file that the caller has opened, from its position to its end; the file stays open.

    It is any object with a method `read(size)` that returns bytes. More than `max_in_memory` bytes are copied to a
    temporary file, unless it is a regular file at its beginning, which is read in place.

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
        raise SourceError(name, reason(error)) from None


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(_PIECE):
        if not isinstance(piece, bytes):
            raise TypeError(f"read() of the file returned {type(piece).__name__}, not bytes; open it in binary mode")
        yield piece


def read_or_open(source: Source, max_in_memory: int) -> bytes | OpenFile:
    """Return the bytes of a source, or an open file if it is larger than `max_in_memory`; a pipe is copied to one.

    A file from a directory must still be a regular file without symbolic links in its path below the directory,
    because it may have been replaced since.

    Raises:
        SourceError: it cannot be read.
    """
    path, root = source.path, source.root
    try:
        if source.is_stdin:
            return spooled(_pieces_of_stream(standard_input()), max_in_memory, STDIN)
        opened: int | str = path
        if root is not None:
            opened = open_found(root, source.relative())
        file = open(opened, "rb")  # noqa: SIM115 - the reader of a large file closes it
        status = os.fstat(file.fileno())
        is_regular, size = stat.S_ISREG(status.st_mode), status.st_size
        if is_regular and size > max_in_memory:
            return OpenFile(file, path)
        with file:
            if not is_regular:  # a FIFO, a process substitution
                if stat.S_ISCHR(status.st_mode) and status.st_rdev != os.stat(os.devnull).st_rdev:
                    raise NotRegularError(errno.EINVAL, "is a device")  # /dev/zero has no end
                return spooled(_pieces_of_stream(file), max_in_memory, path)
            # One call reads the file, unless its size changes or is unknown.
            data = os.read(file.fileno(), size + 1)
            if len(data) == size > 0:
                return data
            return data + file.read()
    except (OSError, ValueError) as error:
        raise SourceError(path, reason(error)) from None


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
    parts, size, file = list[bytes](), 0, None
    try:
        for piece in pieces:
            parts.append(piece)
            size += len(piece)
            if size > max_in_memory:
                file = _append(file, parts, path)
        if file is None:
            return b"".join(parts)
        _append(file, [], path)
        return OpenFile(file, path)
    except BaseException:
        if file is not None:
            with contextlib.suppress(OSError):  # buffered bytes may not fit on the disk
                file.close()
        raise


def _append(file: BinaryIO | None, parts: list[bytes], path: str) -> BinaryIO:
    """Move bytes to a temporary file, which is created if there is none, and return it; without bytes, flush it."""
    try:
        if file is None:
            import tempfile

            file = cast("BinaryIO", tempfile.TemporaryFile())  # noqa: SIM115 - closed by the reader
        file.writelines(parts)
        if not parts:
            file.flush()
    except OSError as error:
        raise SourceError(path, f"cannot write a temporary file: {reason(error)}") from None
    parts.clear()
    return file


def file_size(item: SourceResult) -> int:
    """Return the size of the file of a source in bytes, or 0 if it has none."""
    if isinstance(item, SourceError):
        return 0
    try:
        return os.stat(item.path).st_size
    except (OSError, ValueError):
        return 0


def walk(
    paths: Iterable[str | Source], excludes: Excludes | None = None, skip: Skip | None = None
) -> Iterator[SourceResult]:
    """Yield each file of files and directories once, in the order of `paths`; `-` and sources are passed on."""
    seen = set()
    for path in paths:
        if isinstance(path, Source):
            yield path
            continue
        items: Iterable[str | SourceError] = [path]
        root, name = None, path
        if path != STDIN and os.path.isdir(path):
            items, root, name = files_below(path, excludes, skip), path, os.path.join(path, "")
        if path != STDIN and excludes is not None and excludes(name, None):
            if skip is not None:
                skip(path, "excluded")
            continue
        for item in items:
            if isinstance(item, SourceError):
                yield item
            elif (key := os.path.normpath(item)) not in seen:
                seen.add(key)
                yield Source(item, was_named=root is None, root=root, is_stdin=item == STDIN)


def read_names(path: str, *, zero: bool) -> list[str]:
    """Return the nonempty file names in a file (or in standard input for `-`), one per line or terminated by NUL."""
    data = cast("bytes", read_or_open(Source(path, is_stdin=path == STDIN), sys.maxsize))
    separator = b"\n"
    if zero:
        separator = b"\0"
    return [file_path(os.fsdecode(name)) for name in data.split(separator) if name]


def file_path(name: str) -> str:
    """Return the path of a file, by which a file named `-` is not confused with standard input."""
    if name == STDIN:
        return os.path.join(os.curdir, name)
    return name


def has_piped_input() -> bool:
    """Return whether standard input is a file, a pipe or a socket: not a terminal, not /dev/null."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError, AttributeError):  # closed, or replaced in a test
        return False
    return stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def files_below(
    root: str,
    excludes: Excludes | None = None,
    skip: Skip | None = None,
    around: "tuple[WorkTree | None, str] | None" = None,
) -> Iterator[str | SourceError]:
    """Yield the paths of the files of a directory as git sorts them, without those that git ignores in a work tree.

    `around` is the work tree that holds the directory and its path from the top, which are looked up by default.
    """
    from urlscan.files.work_tree import work_tree_around

    waiting = [("" if root == os.curdir else os.path.join(root, ""), *(around or work_tree_around(root)))]
    while waiting:
        path, work_tree, base = waiting.pop()
        if path and not path.endswith(os.sep):
            yield path
            continue
        try:
            with os.scandir(path or os.curdir) as entries:
                kinds = {entry.name: entry_kind(entry) for entry in entries}
        except OSError as error:
            yield SourceError(path or os.curdir, reason(error))
            continue
        if work_tree is None and base and ".git" in kinds:
            work_tree, base = work_tree_around(path)
        below, reasons = [], dict[str, str]()
        if work_tree is not None:
            reasons = work_tree.skip_reasons(base, kinds)
        # Git sorts by bytes, with "/" after the name of a directory.
        for name in sorted(kinds, key=lambda name: os.fsencode(f"{name}/" if kinds[name] == "d" else name)):
            is_directory = kinds[name] == "d"
            if name == ".git" or (is_directory and work_tree is None and name in REPOSITORIES):
                continue
            why = _NOT_READ.get(kinds[name], "") or reasons.get(name, "")
            end = os.sep if is_directory else ""
            file = file_path(path + name) + end
            if not why and excludes is not None and excludes(file, root):
                why = "excluded"
            if not why:
                below.append((file, work_tree, f"{base}{name}/"))
            elif skip is not None:
                skip(file, why)
        waiting.extend(reversed(below))
        while work_tree is not None and work_tree.errors:
            yield work_tree.errors.pop(0)


def entry_kind(entry: os.DirEntry[str]) -> str:
    """Return "d" for a directory, "f" for a file, "l" for a symbolic link, and "?" for anything else."""
    try:
        if entry.is_symlink():
            return "l"
        if entry.is_dir(follow_symlinks=False):
            return "d"
        if entry.is_file(follow_symlinks=False):
            return "f"
        return "?"
    except OSError:
        return "f"  # reading it will report the error
