"""Read configuration files, with the files that they extend."""

import os
import re
import tomllib
from collections.abc import Sequence

from urlscan.config.keys import checked
from urlscan.config.layers import Layer, contents
from urlscan.core.errors import ConfigError, ConfigFileError
from urlscan.core.typing import Any
from urlscan.files.safe_open import relative_to_here as name_of

# The memory of `tomllib` grows with the square of the names in a key: "a.a.a.a..." of 400 KB takes many GB.
_NAME = r"(?:(?<![\w-])[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')"
_TOO_DEEP = re.compile(rf"{_NAME}(?:[ \t]*+\.[ \t]*+{_NAME}){{16}}")
_MOST_FILES = 16


def layers_of(path: str, base: str) -> tuple[Layer, ...]:
    """Return the layers of a configuration file, whose patterns are relative to `base`; those that it extends first.

    Raise ConfigFileError if one of them is unreadable or invalid, or extends itself.
    """
    layers: list[Layer] = []
    seen: list[str] = []
    now: str | None = path
    while now is not None:
        real = os.path.realpath(now)
        if real in seen:
            raise ConfigFileError(name_of(path), f'"extend" forms a cycle with {name_of(now)}')
        if len(seen) == _MOST_FILES:
            raise ConfigFileError(name_of(path), f'"extend" names a chain of more than {_MOST_FILES} files')
        seen.append(real)
        directory, table = os.path.dirname(now), table_of(now)
        if table is None:
            raise ConfigFileError(name_of(now), "the table [tool.urlscan] is missing")
        try:
            layers.append(Layer(name_of(now), base if now == path else directory, checked(table), True))
        except ConfigError as error:
            raise ConfigFileError(name_of(now), error.message, hint=error.hint) from None
        extended = layers[-1].values.get("extend")
        if extended is not None:
            extended = os.path.normpath(os.path.join(directory, os.path.expanduser(extended)))
            if not os.path.isfile(extended):
                raise ConfigFileError(name_of(now), f'extend: no such file "{name_of(extended)}"')
        now = extended
    return tuple(reversed(layers))


def table_of(path: str) -> dict[str, Any] | None:
    """Return the table for urlscan, or None without one; raise ConfigFileError if the file is invalid."""
    data = contents(path)
    try:
        table = parsed(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigFileError(name_of(path), f"invalid TOML: not in UTF-8 (line {line})") from None
    except ConfigError as error:
        raise ConfigFileError(name_of(path), error.message, hint=error.hint) from None
    if os.path.basename(path) != "pyproject.toml":
        return table
    tool = table.get("tool")
    ours = tool.get("urlscan") if isinstance(tool, dict) else None
    if ours is not None and not isinstance(ours, dict):
        raise ConfigFileError(name_of(path), "tool.urlscan is not a table", hint="write [tool.urlscan]")
    return ours


def parsed(text: str) -> dict[str, Any]:
    """Return the table of a TOML document; raise ConfigError, with the position, if it is invalid."""
    nested_key = _TOO_DEEP.search(text)
    if nested_key is not None:
        line = text.count("\n", 0, nested_key.start()) + 1
        raise ConfigError(f"invalid TOML: too many dotted names in a key (at line {line})")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        raise ConfigError(f"invalid TOML: {message[:1].lower()}{message[1:]}") from None
    except RecursionError:
        raise ConfigError("invalid TOML: nested too deeply") from None
    except ValueError as error:  # a number with thousands of digits
        raise ConfigError(f"invalid TOML: {str(error).partition(';')[0].lower()}") from None


# --- the option --config


def chosen(values: Sequence[str], *, isolated: bool) -> tuple[tuple[Layer, ...] | None, list[Layer]]:
    """Return the layers of the file that `--config` names, or None, and the layers of its settings.

    Patterns of both are relative to the current directory, as in ruff.

    Raises:
        ConfigError: two files, a file together with `--isolated`, or an invalid value.
        ConfigFileError: as for `layers_of`.
    """
    directory = os.getcwd()
    named: str | None = None
    inline = []
    for value in values:
        if "=" in value and not os.path.exists(value):
            inline.append(Layer(f"--config {value}", directory, _inline_settings(value)))
            continue
        if not os.path.exists(value):
            raise ConfigError(
                f'--config: no such file "{value}"',
                hint="write the name of a file or a setting such as 'profile=\"rfc1738\"'",
            )
        if isolated:
            raise ConfigError("--config FILE cannot be used with --isolated", hint="use --config KEY=VALUE")
        if named is not None:
            raise ConfigError("--config names two files", hint="let one extend the other")
        named = value
    return None if named is None else layers_of(os.path.abspath(named), directory), inline


def _inline_settings(value: str) -> dict[str, Any]:
    try:
        table = parsed(value)
    except ConfigError as error:
        hint = 'values are TOML: profile="rfc1738", ignore=["U601"]'
        raise ConfigError(f"--config {value}: {error.message}", hint=hint) from None
    if "extend" in table:
        raise ConfigError(f"--config {value}: extend is allowed only in files", hint="use --config FILE")
    try:
        return checked(table)
    except ConfigError as error:
        raise ConfigError(f"--config {value}: {error.message}", hint=error.hint) from None
