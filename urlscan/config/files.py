"""Configuration files: TOML to layers, with what they extend."""

import os
import re
import tomllib
from collections.abc import Sequence
from typing import Any

from urlscan.config import contents, name_of
from urlscan.config.keys import checked
from urlscan.config.layers import Layer
from urlscan.errors import ConfigError, ConfigFileError

# `tomllib` needs memory that grows with the square of the names in a key: "a.a.a.a..." of 400 KB takes many GB.
_NAME = r"(?:(?<![\w-])[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')"
_TOO_DEEP = re.compile(rf"{_NAME}(?:[ \t]*+\.[ \t]*+{_NAME}){{16}}")
_MOST_FILES = 16
_PLACE = re.compile(r" \(at (.*)\)\Z")


def layers_of(path: str) -> tuple[Layer, ...]:
    """Return what a configuration file says, behind what it extends.

    Raises:
        ConfigFileError: one of them cannot be read, is not understood, or extends itself.
    """
    return _layers(path, os.path.dirname(path))


def _layers(path: str, base: str) -> tuple[Layer, ...]:
    layers: list[Layer] = []
    seen: list[str] = []
    now: str | None = path
    while now is not None:
        here = os.path.realpath(now)
        if here in seen:
            raise ConfigFileError(name_of(path), f'"extend" leads back to {name_of(now)}')
        if len(seen) == _MOST_FILES:
            raise ConfigFileError(name_of(path), f'"extend" leads over more than {_MOST_FILES} files')
        seen.append(here)
        directory = os.path.dirname(now)
        layers.append(_layer(now, base if now == path else directory))
        extended = layers[-1].values.get("extend")
        if extended is not None:
            extended = os.path.normpath(os.path.join(directory, os.path.expanduser(extended)))
            if not os.path.isfile(extended):
                raise ConfigFileError(name_of(now), f'extend: there is no file "{name_of(extended)}"')
        now = extended
    return tuple(reversed(layers))


def _layer(path: str, base: str) -> Layer:
    table = _table(path)
    if table is None:
        raise ConfigFileError(name_of(path), "there is no table [tool.urlscan] in it")
    try:
        return Layer(name_of(path), base, checked(table), True)
    except ConfigError as error:
        raise ConfigFileError(name_of(path), error.message, hint=error.hint) from None


def has_table(path: str) -> bool:
    """Return whether a pyproject.toml has a table for us; ConfigFileError if it is no TOML."""
    return _table(path) is not None


def _table(path: str) -> dict[str, Any] | None:
    """Return what a file says to us; None if that is nothing."""
    data = contents(path)
    try:
        table = parsed(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigFileError(name_of(path), f"no valid TOML: it is not in UTF-8 (line {line})") from None
    except ConfigError as error:
        raise ConfigFileError(name_of(path), error.message, hint=error.hint) from None
    if os.path.basename(path) != "pyproject.toml":
        return table
    tool = table.get("tool")
    ours = tool.get("urlscan") if isinstance(tool, dict) else None
    if ours is not None and not isinstance(ours, dict):
        raise ConfigFileError(name_of(path), "tool.urlscan is no table", hint="write [tool.urlscan]")
    return ours


def parsed(text: str) -> dict[str, Any]:
    """Return the table that TOML writes; ConfigError, with the place, for what is none."""
    deep = _TOO_DEEP.search(text)
    if deep is not None:
        line = text.count("\n", 0, deep.start()) + 1
        raise ConfigError(f"no valid TOML: a key of too many names (at line {line})")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        said, place = _PLACE.sub("", message), _PLACE.search(message)
        where = f" (at {place[1]})" if place is not None else ""
        raise ConfigError(f"no valid TOML: {said[:1].lower()}{said[1:]}{where}") from None
    except RecursionError:
        raise ConfigError("no valid TOML: it is nested too deep") from None
    except ValueError as error:  # a number of thousands of digits
        raise ConfigError(f"no valid TOML: {str(error).partition(';')[0].lower()}") from None


# --- the option


def chosen(values: Sequence[str], *, isolated: bool) -> tuple[tuple[Layer, ...] | None, list[Layer]]:
    """Return what `--config` says: the layers of a file that holds for everything, if one was named, and the others.

    The patterns of both begin at the current directory, as in ruff.

    Raises:
        ConfigError: there are two files, a file beside `--isolated`, or a value is not understood.
        ConfigFileError: as of `layers_of`.
    """
    here = os.getcwd()
    named: str | None = None
    inline = []
    for value in values:
        if "=" in value and not os.path.exists(value):
            inline.append(Layer(f"--config {value}", here, _said(value)))
            continue
        if not os.path.exists(value):
            raise ConfigError(
                f'--config: there is no file "{value}"', hint="give a file, or a setting such as 'profile=\"rfc1738\"'"
            )
        if isolated:
            raise ConfigError("--config FILE does not go with --isolated", hint="--config KEY=VALUE does")
        if named is not None:
            raise ConfigError("--config names two files", hint="one may extend the other")
        named = value
    return None if named is None else _layers(os.path.abspath(named), here), inline


def _said(value: str) -> dict[str, Any]:
    try:
        table = parsed(value)
    except ConfigError as error:
        hint = 'values are TOML: profile="rfc1738", ignore=["U601"]'
        raise ConfigError(f"--config {value}: {error.message}", hint=hint) from None
    if "extend" in table:
        raise ConfigError(f"--config {value}: extend belongs into a file", hint="--config FILE names one")
    try:
        return checked(table)
    except ConfigError as error:
        raise ConfigError(f"--config {value}: {error.message}", hint=error.hint) from None
