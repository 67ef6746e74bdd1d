"""Find and replace the Parquet files of a directory of tables."""

import contextlib
import os
from collections.abc import Iterator
from typing import Self

from urlscan.core.errors import SourceError


def tables_in(path: str, names: list[str]) -> dict[str, list[str]] | None:
    """Return the Parquet files of each table in a directory: `NAME.parquet`, or the parts in a directory `NAME`.

    Returns:
        The files by table; None if the path is no directory.
    """
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

    Raises:
        SourceError: it cannot be created.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._written: list[tuple[str, str]] = []
        with self._explained():
            os.makedirs(path, exist_ok=True)

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
        return os.path.join(self.path, "urlscan.duckdb.partial")

    def temporary(self, table: str) -> str:
        """Return the path that a table is written to."""
        path = os.path.join(self.path, f"{table}.parquet")
        self._written.append((f"{path}.partial", path))
        return f"{path}.partial"

    def keep(self) -> None:
        """Replace the tables by those that were written.

        Raises:
            SourceError: a file cannot be replaced.
        """
        with self._explained():
            for temporary, path in self._written:
                os.replace(temporary, path)

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise SourceError(self.path, error.strerror or str(error)) from None
