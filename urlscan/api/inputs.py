"""Interpret the arguments that the public functions for bytes and files share."""

import _thread
import os
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, TypeAlias, TypeVar, get_args

from urlscan.config import Configuration
from urlscan.core.choices import Parts
from urlscan.core.errors import ConfigError, SourceError
from urlscan.core.records import Skipped
from urlscan.core.settings import check_choice as check_choice
from urlscan.files.random_access import Memory
from urlscan.files.walk import Source, content_of, file_path
from urlscan.pipeline import read
from urlscan.pipeline.processes import processors
from urlscan.pipeline.read import LARGE, ReadOptions, check_read_options

Path: TypeAlias = str | os.PathLike[str]
Bytes: TypeAlias = bytes | bytearray | memoryview
T = TypeVar("T")


def bytes_input(function: str, data: Bytes, name: str) -> Iterator[Source]:
    """Return the source that has these bytes; raise TypeError, naming the function to call instead, for other data."""
    if not isinstance(data, bytes | bytearray | memoryview):
        other = ""
        if isinstance(data, str):
            other = f"; use urlscan.{function.removesuffix('_bytes')}"
        elif hasattr(data, "read") or hasattr(data, "__fspath__"):
            other = f"; use urlscan.{function.removesuffix('_bytes')}_file"
        raise TypeError(f"urlscan.{function} takes bytes, not {type(data).__name__}{other}")
    if not isinstance(name, str):
        raise TypeError(f"urlscan.{function}: name must be a str, not {type(name).__name__}")
    content = bytes(data)
    return iter((Source(name, content=Memory(content) if len(content) > LARGE else content),))


def file_input(function: str, file: Path | BinaryIO) -> Iterator[Source]:
    """Yield the source that a path or an open file names, which is then read; raise TypeError for anything else."""
    if isinstance(file, str | os.PathLike):
        return iter((Source(path_of(file)),))  # not a string, which could name a directory
    if isinstance(file, bytes | bytearray | memoryview):
        raise TypeError(
            f"urlscan.{function} takes a path or a file; use urlscan.{function.removesuffix('_file')}_bytes"
        )
    if not hasattr(file, "read"):
        raise TypeError(f"urlscan.{function} takes a path or a binary file, not {type(file).__name__}")
    return _open_file(file)


def _open_file(file: BinaryIO) -> Iterator[Source]:
    name: Any = getattr(file, "name", "")
    if not isinstance(name, str | bytes):  # the number of a descriptor
        name = ""
    name = os.fsdecode(name)
    yield Source(name, content=content_of(file, LARGE, name))


def path_of(path: Path) -> str:
    """Return a path as a string; "-" is a file of this name and not standard input."""
    name = os.fsdecode(path)
    if not name:
        raise ConfigError("the path is empty", hint='write "." for the current directory')
    return file_path(name)


def list_paths(function: str, paths: Path | Iterable[Path]) -> list[str]:
    """Return paths as strings; a single one is accepted, too. Raise TypeError for anything else."""
    if isinstance(paths, str | os.PathLike):
        paths = [paths]
    if isinstance(paths, bytes) or not isinstance(paths, Iterable):
        raise TypeError(f"urlscan.{function} takes a path or paths, not {type(paths).__name__}")
    return [path_of(path) for path in paths]


def jobs_of(jobs: int | None) -> int:
    """Return the number of processes; 1 if this process runs other threads, since forking it would be unsafe."""
    if not isinstance(jobs, int | None):
        raise TypeError(f"jobs must be an int, not {type(jobs).__name__}")
    if jobs is not None and jobs < 1:
        raise ConfigError(f"jobs must be a positive integer or None, not {jobs}")
    if _thread._count():
        return 1
    return jobs or processors()


def options_of(kind: str | None, encoding: str | None, parts: str) -> ReadOptions:
    """Return how a source is read; raise ConfigError if the kind, the encoding or the parts are unknown."""
    check_choice("value of parts", parts, get_args(Parts))
    for option, value in (("kind", kind), ("encoding", encoding)):
        if not isinstance(value, str | None):
            raise TypeError(f"{option} must be a str, not {type(value).__name__}")
    options = ReadOptions(kind, encoding, parts=parts)
    check_read_options(options)
    return options


def load_configuration(config: Path | None) -> Configuration:
    """Return the configuration of paths: the closest files, or the given file for all of them."""
    if config is None:
        return Configuration()
    return Configuration(config=[os.fsdecode(config)])


def skipped(notice: read.Notice) -> Skipped:
    """Return the public record of a source that was not read."""
    if isinstance(notice, read.SkippedSource):
        return Skipped(notice.source.where, notice.why, notice.source.was_named, notice.is_error)
    if isinstance(notice, SourceError):
        return Skipped(notice.path, notice.message.removeprefix(f"{notice.path}: "), is_error=True)
    return Skipped(notice.path, notice.message)


def without_notices(results: Iterable[T | read.Notice]) -> Iterator[T]:
    """Yield the results; raise an error that the reader of a source returned as a value, and ignore other notices."""
    for result in results:
        if isinstance(result, SourceError):
            raise result
        if not isinstance(result, read.Notice):
            yield result
