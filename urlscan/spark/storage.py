"""List and open files: local ones as the command line does, others through the file systems of pyarrow.

A location is a path, or a URI: `s3://bucket/lists/*.mbox.gz`. Names in a URI are taken literally, without
percent-decoding, as in Hadoop. `*`, `?`, `[...]` and `{a,b}` match within a name, and `**` any number of directories.
"""

import fnmatch
import functools
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from urlscan import ConfigError, SourceError, mask
from urlscan.api.batches import OpenFile, Reader, Source, read_or_open
from urlscan.archive.files import absolute, stat_of

if TYPE_CHECKING:
    from pyarrow.fs import FileInfo, FileSystem, NativeFile

_URI = re.compile("([A-Za-z][A-Za-z0-9+.-]*)://([^/]*)(.*)", re.DOTALL)
# Names of Hadoop for file systems that pyarrow knows under another one.
_SCHEMES = {"s3a": "s3", "s3n": "s3", "gcs": "gs", "abfss": "abfs", "wasb": "abfs", "wasbs": "abfs"}
_LOCAL = ("", "file")
_PASSWORD = re.compile(":[^@/]*@")
_GLOB = re.compile(r"[*?\[{]")
_BRACES = re.compile(r"\{([^{}]*)\}")
# A pattern with more alternatives in braces is refused.
_MOST_PATTERNS = 1000
_SHORTER = "shorter than when it was listed"
_READ_AHEAD = 1 << 22  # bytes of a request to a file system that is not local


class StoredFile(NamedTuple):
    """A file in the order of reading.

    Attributes:
        base: the file system, as a URI without a path; "" for local files.
        path: the path in it.
        name: its name in the tables: the absolute path, or the URI without secrets.
        size: in bytes.
        mtime: the time of its last change in microseconds since 1970, or None.
        root: the local directory in which it was found, or None if it was named.
    """

    base: str
    path: str
    name: str
    size: int
    mtime: int | None
    root: str | None = None


def find_files(locations: Iterable[str]) -> list[StoredFile]:
    """Return the files that the locations name, each once.

    Raises:
        ConfigError: a location names no file, or its file system cannot be used.
    """
    files: dict[tuple[str, str], StoredFile] = {}
    for location in locations:
        matches = list(_files_of(location))
        for file in matches:
            files.setdefault((file.base, file.path), file)
        if not matches:
            raise ConfigError(f'no files match "{shown(location)}"')
    return list(files.values())


def shown(location: str) -> str:
    """Return a location without its secrets: passwords, and the options of its file system."""
    match = _URI.fullmatch(location)
    if match is None:
        return location
    rest = _without_options(match[3])[0]
    authority = match[2].partition("?")[0]
    return f"{match[1]}://{_PASSWORD.sub(':***@', authority)}{mask(rest)}"


def _without_options(rest: str) -> tuple[str, str]:
    """Return the path of a URI and the options of its file system, `?region=...`; other "?" belong to a pattern."""
    path, mark, options = rest.rpartition("?")
    name, sign, _ = options.partition("=")
    if not mark or not sign or "/" in name:
        return rest, ""
    return path, mark + options


def _files_of(location: str) -> Iterator[StoredFile]:
    match = _URI.fullmatch(location)
    scheme = match[1].lower() if match is not None else ""
    if scheme in _LOCAL:
        yield from _local_files(location if match is None else match[3])
        return
    assert match is not None  # noqa: S101 - only a URI has a scheme
    path, options = _without_options(match[3])
    base = f"{_SCHEMES.get(scheme, scheme)}://{match[2]}{options}"
    file_system, root = file_system_of(base)
    prefix = shown(f"{match[1]}://{match[2]}")
    for entry in _expanded(file_system, root, path):
        for info in _in_directories(file_system, entry):
            relative = info.path.removeprefix(root).lstrip("/")
            mtime = info.mtime_ns and info.mtime_ns // 1000
            yield StoredFile(base, info.path, f"{prefix}/{mask(relative)}", info.size or 0, mtime)


def _local_files(location: str) -> Iterator[StoredFile]:
    """Yield local files, those in directories as the command line does: links are not followed."""
    import pyarrow.fs

    path = absolute(location)
    if (exact := stat_of(path)) is not None:
        yield StoredFile("", path, path, exact.size, exact.mtime)
        return
    reader = Reader()
    for info in _expanded(pyarrow.fs.LocalFileSystem(), "/", path):
        for item in reader.files([info.path]):
            if isinstance(item, SourceError):
                yield StoredFile("", item.path, item.path, 0, None)
                continue
            size, mtime = stat_of(item.path) or (0, None)
            yield StoredFile("", item.path, item.path, size, mtime, item.root)


# --- patterns


def _expanded(file_system: "FileSystem", root: str, path: str) -> "Iterator[FileInfo]":
    """Yield the files and directories that a path names, which may be a pattern."""
    (info,) = _infos(file_system, [_joined(root, path)])
    if info.type.name != "NotFound":
        yield info
        return
    if not _GLOB.search(path):
        return
    (directory,) = _infos(file_system, [root or "/"])
    for pattern in _alternatives(path):
        yield from _matches(file_system, directory, pattern.strip("/").split("/"))


def _joined(directory: str, name: str) -> str:
    name = name.strip("/")
    if directory and name:
        return f"{directory.rstrip('/')}/{name}"
    return directory or name


def _alternatives(pattern: str) -> list[str]:
    """Return a pattern without braces: "{a,b}.txt" is "a.txt" and "b.txt"."""
    patterns, expanded = [pattern], list[str]()
    while patterns:
        pattern = patterns.pop()
        match = _BRACES.search(pattern)
        if match is None:
            expanded.append(pattern)
        else:
            patterns += [f"{pattern[: match.start()]}{each}{pattern[match.end() :]}" for each in match[1].split(",")]
        if len(patterns) + len(expanded) > _MOST_PATTERNS:
            raise ConfigError("too many alternatives in braces")
    return sorted(set(expanded))


def _matches(file_system: "FileSystem", directory: "FileInfo", names: list[str]) -> "Iterator[FileInfo]":
    """Yield the entries below a directory that match the names of a pattern, one for each level."""
    name, rest = names[0], names[1:]
    if name == "**":
        below = [info for info in _children(file_system, directory.path) if not _is_hidden(info)]
        if rest:
            yield from _matches(file_system, directory, rest)
        else:
            yield from (info for info in below if info.is_file)
        for info in below:
            if info.type.name == "Directory":
                yield from _matches(file_system, info, names)
        return
    if not _GLOB.search(name):
        entries = _infos(file_system, [_joined(directory.path, name)])
    else:
        is_match = re.compile(fnmatch.translate(name)).match
        entries = [
            info
            for info in _children(file_system, directory.path)
            if is_match(info.base_name) and (not _is_hidden(info) or name[0] in "._")
        ]
    for info in entries:
        if not rest and info.type.name in ("File", "Directory"):
            yield info
        elif rest and info.type.name == "Directory":
            yield from _matches(file_system, info, rest)


def _is_hidden(info: "FileInfo") -> bool:
    """Return whether a file is no data by the convention of Hadoop, such as `_SUCCESS`."""
    return bool(info.base_name.startswith((".", "_")))


def _in_directories(file_system: "FileSystem", info: "FileInfo") -> "Iterator[FileInfo]":
    """Yield a file, or the files below a directory."""
    if info.type.name == "File":
        yield info
    elif info.type.name == "Directory":
        for child in _children(file_system, info.path):
            if not _is_hidden(child):
                yield from _in_directories(file_system, child)


def _children(file_system: "FileSystem", path: str) -> "list[FileInfo]":
    import pyarrow.fs

    return sorted(_infos(file_system, pyarrow.fs.FileSelector(path)), key=lambda info: info.path)


def _infos(file_system: "FileSystem", selection: Any) -> "list[FileInfo]":
    try:
        return list(file_system.get_file_info(selection))
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot list files: {_reason(error)}") from None


@functools.lru_cache(maxsize=64)
def file_system_of(base: str) -> "tuple[FileSystem, str]":
    """Return a file system of pyarrow by its URI, and its root.

    Raises:
        ConfigError: there is none, or it cannot be reached.
    """
    import pyarrow.fs

    try:
        file_system, root = pyarrow.fs.FileSystem.from_uri(base)
    except (OSError, ValueError) as error:
        reason = _reason(error).partition(base.partition("://")[0] + "://")[0].rstrip(" :")  # without the URI
        raise ConfigError(f'cannot use the file system "{shown(base)}": {reason}') from None
    return file_system, root


def _reason(error: Exception) -> str:
    """Return the first line of the message of pyarrow, without secrets."""
    return mask((str(error).splitlines() or [type(error).__name__])[0][:300])


# --- reading


def open_file(file: StoredFile, max_in_memory: int) -> bytes | OpenFile:
    """Return the bytes of a file, or an open file if it has more than `max_in_memory` bytes.

    Bytes that were added after it was listed are left out.

    Raises:
        SourceError: it cannot be read, or is shorter than when it was listed.
    """
    if not file.base:
        content = read_or_open(Source(file.path, root=file.root), max_in_memory)
        if (len(content) if isinstance(content, bytes) else content.size) < file.size:
            raise SourceError(file.name, _SHORTER)
        if isinstance(content, bytes):
            return content[: file.size]
        content.size = file.size
        return content
    try:
        file_system, _ = file_system_of(file.base)
        opened = RemoteFile(file_system.open_input_file(file.path), file)
    except (OSError, ValueError) as error:
        raise SourceError(file.name, _reason(error)) from None
    except ConfigError as error:
        raise SourceError(file.name, error.message) from None
    if file.size > max_in_memory:
        return opened
    with opened:
        return opened.read(0, file.size)


class RemoteFile(OpenFile):
    """A file in a file system of pyarrow.

    Args:
        file: the same file, as it was listed.
    """

    def __init__(self, native: "NativeFile", file: StoredFile) -> None:
        self._native = native
        self._name = file.name
        self.size = file.size
        self._start = 0
        self._data = b""

    def read(self, start: int, stop: int) -> bytes:
        """Return the bytes from `start` to `stop`, or to the end. Raise SourceError if that fails."""
        first, end = max(start, 0), min(stop, self.size)
        self.position = end
        if first >= end:
            return b""
        if not self._start <= first <= end <= self._start + len(self._data):
            size = max(end, min(first + _READ_AHEAD, self.size)) - first
            try:
                self._start, self._data = first, bytes(self._native.read_at(size, first))
            except (OSError, ValueError) as error:
                raise SourceError(self._name, _reason(error)) from None
            if len(self._data) < size:
                raise SourceError(self._name, _SHORTER)
        return self._data[first - self._start : end - self._start]

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self._native.close()
