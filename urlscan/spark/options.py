"""Interpret the options of the data source."""

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, cast, get_args

from urlscan import ConfigError, FindOptions, Profile, Rejoin, Settings, mask
from urlscan.api.batches import Reader
from urlscan.api.inputs import check_choice, options_of
from urlscan.archive.reader import ArchiveOptions
from urlscan.archive.schema import BY_NAME, arrow_fields, arrow_schema, import_package

if TYPE_CHECKING:
    import pyarrow

# The names of the options, as the documentation writes them. Spark passes them in lower case.
NAMES = ("table", "kind", "encoding", "parts", "rejoin", "profile", "splitBytes", "unwrap", "defanged", "pushdown")
# How Spark passes the argument of `load`.
_PATHS = ("path", "paths")
_BOOLEANS = {"true": True, "false": False}
_SIZE = re.compile("([0-9]{1,15})([kmg]?)b?", re.IGNORECASE)
_UNITS = {"": 0, "k": 10, "m": 20, "g": 30}
# The names of all tables.
_ALL = "all"


class SourceOptions(NamedTuple):
    """The files to read, and the tables to return.

    It is sent to other processes, and so holds the names of the tables: tables are compared by identity.

    Attributes:
        paths: files, directories, patterns and URIs.
        tables: the names of the tables.
        is_combined: whether a row has a column for each table, a struct; else its columns are those of the only table.
        archive_options: how the sources are read.
        split_bytes: the size of a partition in bytes; None to derive it from that of the files.
        pushdown: whether filters of a query are applied by the reader.
    """

    paths: tuple[str, ...]
    tables: tuple[str, ...]
    is_combined: bool
    archive_options: ArchiveOptions
    split_bytes: int | None
    pushdown: bool

    def arrow_schema(self) -> "pyarrow.Schema":
        """Return the columns of the rows."""
        if not self.is_combined:
            return arrow_schema(BY_NAME[self.tables[0]])
        pa = import_package("pyarrow", "spark")
        fields = {name: arrow_fields(BY_NAME[name].columns) for name in self.tables}
        # A column is null in the rows of another table.
        structs = {name: pa.struct([field.with_nullable(True) for field in fields[name]]) for name in self.tables}
        return pa.schema(list(structs.items()))


def tables_of(names: str) -> tuple[str, ...]:
    """Return the names of tables in a list with commas, or `all`, in the order in which they are written.

    Raises:
        ConfigError: a name is unknown, or there is none.
    """
    given = [name.strip() for name in names.split(",") if name.strip()]
    for name in given:
        if name not in BY_NAME and name != _ALL:
            raise ConfigError(f"unknown table {mask(name)[:60]!r}", hint=f"known: {', '.join(BY_NAME)}, all")
    if not given:
        raise ConfigError("no table is named", hint=f"known: {', '.join(BY_NAME)}, all")
    return tuple(name for name in BY_NAME if name in given or _ALL in given)


def parse_options(options: Mapping[str, str]) -> SourceOptions:
    """Return the options of a data source.

    Raises:
        ConfigError: an option is unknown, or has an invalid value.
    """
    given = {name.lower(): value for name, value in options.items()}
    names = {name.lower() for name in NAMES}
    for name in given:
        if name not in names and name not in _PATHS:
            raise ConfigError(f'unknown option "{name[:60]}"', hint=f"known: {', '.join(NAMES)}")
    table = given.get("table", "occurrence")
    tables = tables_of(table)
    rejoin, profile = given.get("rejoin", "wrapped"), given.get("profile", "rfc3986")
    check_choice("value of rejoin", rejoin, get_args(Rejoin))
    check_choice("profile", profile, get_args(Profile))
    read_options = options_of(given.get("kind"), given.get("encoding"), given.get("parts", "all"))
    find_options = FindOptions(
        continuations=True, unwrap=_boolean(given, "unwrap"), defanged=_boolean(given, "defanged")
    )
    settings = Settings(rejoin=cast(Rejoin, rejoin), profile=cast(Profile, profile))
    archive_options = ArchiveOptions(Reader(find_options.for_settings(settings), settings, read_options))
    is_combined = len(tables) > 1 or table == _ALL
    return SourceOptions(
        _paths(given), tables, is_combined, archive_options, _split_bytes(given), _boolean(given, "pushdown")
    )


def _boolean(given: Mapping[str, str], name: str) -> bool:
    value = given.get(name, "false").lower()
    check_choice(f"value of {name}", value, tuple(_BOOLEANS))
    return _BOOLEANS[value]


def _split_bytes(given: Mapping[str, str]) -> int | None:
    if (value := given.get("splitbytes")) is None:
        return None
    match = _SIZE.fullmatch(value.strip())
    size = int(match[1]) << _UNITS[match[2].lower()] if match is not None else 0
    if not size:
        raise ConfigError(f'invalid splitBytes "{value[:60]}"', hint="write a number of bytes, such as 67108864 or 64m")
    return size


def _paths(given: Mapping[str, str]) -> tuple[str, ...]:
    paths = [given["path"]] if "path" in given else []
    if "paths" in given:  # several arguments of `load`
        paths += json.loads(given["paths"])
    if not paths:
        raise ConfigError("no paths", hint="name files or directories: load(...)")
    return tuple(paths)
