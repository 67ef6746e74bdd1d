"""Examine and hash the files that are read, and replace those that hold tables."""

import contextlib
import os
import re
import stat
import zlib
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple, Self

from urlscan import ConfigError, SourceError, readable

STDIN = "-"
_CHUNK_SIZE = 1 << 20
_SHARD = re.compile(r"([1-9][0-9]{0,5})/([1-9][0-9]{0,5})")


class FileStat(NamedTuple):
    """The size of a file and the time of its last change.

    Attributes:
        size: in bytes.
        mtime: in microseconds since 1970.
    """

    size: int
    mtime: int


def stat_of(path: str) -> FileStat | None:
    """Return size and time of a regular file; None for other files and for those that cannot be examined."""
    if path == STDIN:
        return None
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode):
        return None
    return FileStat(status.st_size, status.st_mtime_ns // 1000)


def hashes_of(path: str, sizes: Iterable[int]) -> list[str] | None:
    """Return the SHA-256 of each beginning of a file, shortest first; None if it cannot be read or is shorter."""
    hashed, read, hashes = sha256(), 0, list[str]()
    try:
        with open(path, "rb") as file:
            for size in sizes:
                while read < size:
                    data = file.read(min(_CHUNK_SIZE, size - read))
                    if not data:
                        return None
                    hashed.update(data)
                    read += len(data)
                hashes.append(hashed.hexdigest())
    except (OSError, ValueError):
        return None
    return hashes


def absolute(path: str) -> str:
    """Return the absolute path of a file, without following links; "-" is standard input."""
    return path if path == STDIN else os.path.abspath(path)


def is_gone(path: str) -> bool:
    """Return whether a file of the table `source` does not exist; standard input and one that cannot be examined do."""
    if path == STDIN:
        return False
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return path.isascii() or not _has_undecodable_name(path)
    except (OSError, ValueError):
        pass
    return False


def _has_undecodable_name(path: str) -> bool:
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


# --- tables


class Shard(NamedTuple):
    """One of several parts of a set of files, each of which a machine of its own reads.

    Attributes:
        number: from 1.
        total: the number of shards.
    """

    number: int
    total: int

    def has(self, path: str) -> bool:
        """Return whether a file belongs to the shard, which its absolute path determines."""
        return zlib.crc32(os.fsencode(path)) % self.total == self.number - 1

    @property
    def name(self) -> str:
        """The name of its files without the ending; names of shards sort by number."""
        return f"shard-{self.number:0{len(str(self.total))}}-of-{self.total}"


def parse_shard(text: str) -> Shard:
    """Return the shard that `I/N` names.

    Raises:
        ConfigError: the text has another form, or I is greater than N.
    """
    match = _SHARD.fullmatch(text)
    if match is None or int(match[1]) > int(match[2]):
        raise ConfigError(f"invalid shard {text[:40]!r}", hint="write I/N, such as 1/8 to 8/8")
    return Shard(int(match[1]), int(match[2]))


def tables_in(path: str, names: list[str]) -> dict[str, list[str]] | None:
    """Return the Parquet files of each table in a directory: `NAME.parquet`, or the parts in a directory `NAME`.

    Returns:
        The files by table; None if the path is no directory, nor a pattern below one, such as `DIRECTORY/**`.
    """
    if not os.path.isdir(path):
        path = path.partition("/*")[0]
    if not os.path.isdir(path):
        return None
    files_by_table = {}
    for name in names:
        single, folder = os.path.join(path, f"{name}.parquet"), os.path.join(path, name)
        parts = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        files = [os.path.join(folder, part) for part in parts if part.endswith(".parquet") and part[0] not in "._"]
        files_by_table[name] = [single] if os.path.isfile(single) else files
    return files_by_table


@contextlib.contextmanager
def new_database(path: str) -> Iterator[str]:
    """Yield the path to write a new database to, which gets its name when it is complete.

    Raises:
        SourceError: the file exists or cannot be written.
    """
    if any(map(os.path.lexists, (path, f"{path}.wal"))):
        raise SourceError(path, "the file exists", hint="name a new database")
    temporary = f"{path}.partial"
    try:
        _remove_database(temporary)  # of a run that was killed
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        raise SourceError(path, error.strerror or str(error)) from None
    finally:
        _remove_database(temporary)


def _remove_database(path: str) -> None:
    for file in (path, f"{path}.wal"):
        with contextlib.suppress(FileNotFoundError):
            os.remove(file)


class TableDirectory:
    """A directory whose tables are replaced when all of them are written. Use it as a context manager.

    If a file cannot be written, nothing of it is left. After an interruption the database is left, so that the next run
    continues.

    Args:
        path: the directory, which is created if it is missing; also an attribute.
        shard: the shard whose files are written, each to a directory of its table; None for one file for each table.

    Raises:
        SourceError: it cannot be created.
        ConfigError: it contains tables that are not those of other shards.
    """

    def __init__(self, path: str, shard: Shard | None = None) -> None:
        self.path = path
        self._shard = shard
        self._written: list[tuple[str, str]] = []
        with self._as_source_error():
            os.makedirs(path, exist_ok=True)

    def check_shards(self, tables: list[str]) -> None:
        """Raise ConfigError if the files of the tables in the directory are not shards of the same division.

        They would be read together with those that are written.
        """
        for files in (tables_in(self.path, tables) or {}).values():
            for file in files:
                ending = f"-of-{self._shard.total}.parquet" if self._shard is not None else ".parquet"
                is_single = os.path.dirname(file) == os.path.normpath(self.path)
                if is_single != (self._shard is None) or not file.endswith(ending):
                    raise ConfigError(f"{self.path} contains the file {file}", hint="write to another directory")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *details: object) -> None:
        for temporary, _ in self._written:
            with contextlib.suppress(FileNotFoundError):
                os.remove(temporary)
        if kind is None or issubclass(kind, SourceError):
            _remove_database(self.database)

    @property
    def database(self) -> str:
        """The path of a database in the directory, for the time until the tables are written."""
        name = self._shard.name if self._shard is not None else "urlscan"
        return os.path.join(self.path, f"{name}.duckdb.partial")

    def temporary(self, table: str) -> str:
        """Return the path that a table is written to."""
        path = os.path.join(self.path, f"{table}.parquet")
        if self._shard is not None:
            path = os.path.join(self.path, table, f"{self._shard.name}.parquet")
            with self._as_source_error():
                os.makedirs(os.path.dirname(path), exist_ok=True)
        self._written.append((f"{path}.partial", path))
        return f"{path}.partial"

    def keep(self) -> None:
        """Replace the tables by those that were written.

        Raises:
            SourceError: a file cannot be replaced.
        """
        with self._as_source_error():
            for temporary, path in self._written:
                os.replace(temporary, path)

    @contextlib.contextmanager
    def _as_source_error(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise SourceError(self.path, error.strerror or str(error)) from None
