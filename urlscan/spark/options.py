"""Interpret the options of the data source."""

import json
import re
from collections.abc import Mapping
from typing import NamedTuple, cast, get_args

from urlscan import ConfigError, FindOptions, Profile, Rejoin, Settings
from urlscan.api.batches import Reader
from urlscan.api.inputs import check_choice, options_of
from urlscan.archive.reader import Reading
from urlscan.archive.schema import BY_NAME, SOURCE, Table

# The names of the options, as the documentation writes them. Spark passes them in lower case.
NAMES = (
    "table", "kind", "encoding", "parts", "rejoin", "profile", "splitBytes", "unwrap", "defanged", "pushdown",
)  # fmt: skip
# How Spark passes the argument of `load`.
_PATHS = ("path", "paths")
_BOOLEANS = {"true": True, "false": False}
_SIZE = re.compile("([0-9]{1,15})([kmg]?)b?", re.IGNORECASE)
_UNITS = {"": 0, "k": 10, "m": 20, "g": 30}
# The size of a partition: some seconds of work.
SPLIT_BYTES = 1 << 26


class SourceOptions(NamedTuple):
    """The files to read, and the table to return.

    It is sent to other processes, and so holds the name of the table: tables are compared by identity.

    Attributes:
        paths: files, directories, patterns and URIs.
        table_name: the name of the table.
        reading: how the sources are read.
        split_bytes: the size of a partition in bytes.
        pushdown: whether filters of a query are applied by the reader.
    """

    paths: tuple[str, ...]
    table_name: str
    reading: Reading
    split_bytes: int
    pushdown: bool

    @property
    def table(self) -> Table:
        """The table."""
        return BY_NAME[self.table_name]


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
    check_choice("table", table, tuple(BY_NAME))
    rejoin, profile = given.get("rejoin", "wrapped"), given.get("profile", "rfc3986")
    check_choice("value of rejoin", rejoin, get_args(Rejoin))
    check_choice("profile", profile, get_args(Profile))
    read_options = options_of(given.get("kind"), given.get("encoding"), given.get("parts", "all"))
    find_options = FindOptions(
        continuations=True, unwrap=_boolean(given, "unwrap"), defanged=_boolean(given, "defanged")
    )
    settings = Settings(rejoin=cast(Rejoin, rejoin), profile=cast(Profile, profile))
    reading = Reading(Reader(find_options.for_settings(settings), settings, read_options))
    reading = reading.for_tables(frozenset({table} - {SOURCE.name}))
    return SourceOptions(_paths(given), table, reading, _split_bytes(given), _boolean(given, "pushdown"))


def _boolean(given: Mapping[str, str], name: str) -> bool:
    value = given.get(name, "false").lower()
    check_choice(f"value of {name}", value, tuple(_BOOLEANS))
    return _BOOLEANS[value]


def _split_bytes(given: Mapping[str, str]) -> int:
    if (value := given.get("splitbytes")) is None:
        return SPLIT_BYTES
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
