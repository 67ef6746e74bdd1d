"""Interpret the options that commands share.

`argparse` takes longer to load than a small file takes to check. So a command line of paths and switches is not parsed:
its other options are the defaults, which a test compares with those of the parser.
"""

import os
from types import SimpleNamespace

from urlscan.config import Configuration
from urlscan.core.errors import ConfigError
from urlscan.core.settings import FindOptions
from urlscan.core.typing import TYPE_CHECKING, cast
from urlscan.files.walk import STDIN, has_piped_input, read_names
from urlscan.pipeline.processes import processors
from urlscan.pipeline.read import ReadOptions

if TYPE_CHECKING:
    from argparse import Namespace

# The shared options without a value.
_SWITCHES = {
    "--isolated": "isolated", "--show-secrets": "show_secrets", "--no-progress": "no_progress",
    "-q": "quiet", "--quiet": "quiet", "-v": "verbose", "--verbose": "verbose",
}  # fmt: skip


def options_without_parser(arguments: list[str], **defaults: object) -> "Namespace | None":
    """Return the options of a command line that consists of paths and switches; None if the parser must read it.

    `defaults` are those of the options that only this command has.
    """
    paths = [argument for argument in arguments if argument not in _SWITCHES]
    if any(path[:1] in ("", "-") and path != STDIN for path in paths):
        return None
    switched_on = {_SWITCHES.get(argument) for argument in arguments}
    shared = {
        "paths": paths, "kind": None, "encoding": None, "parts": "all", "exclude": None,
        "extend_exclude": None, "files_from": None, "zero": False, "stdin_filename": STDIN, "unpack": None,
        "max_unpacked": None, "max_ratio": None, "max_depth": None, "rejoin": None, "jobs": processors(),
        "config": [], "color": "auto", **{name: name in switched_on for name in _SWITCHES.values()},
    }  # fmt: skip
    return cast("Namespace", SimpleNamespace(**shared, **defaults))


def load_configuration(options: "Namespace") -> Configuration:
    """Return the configuration; options of the command line take precedence over files.

    Raises:
        ConfigError: an option has an invalid value, or as for `Configuration`.
    """
    given: dict[str, object] = {}
    for key in ("select", "extend-select", "ignore", "profile", "rejoin", "fail-on"):
        value = getattr(options, key.replace("-", "_"), None)
        if isinstance(value, list):
            value = listed(value)
        if value is not None:
            given[key] = value
    if (statuses := getattr(options, "statuses", None)) is not None:
        from urlscan.config.statuses import dead_links, read_statuses

        given["statuses"] = dead_links(read_statuses(statuses))
        given["extend-select"] = (*listed(getattr(options, "extend_select", None)), "U951")
    if options.exclude is not None:
        given["exclude"] = ()  # given in the ReadOptions, which know where a file was found
    return Configuration(given, options.config, isolated=options.isolated)


def make_find_options(options: "Namespace", *, continuations: bool) -> FindOptions:
    """Return what is found."""
    names = ("relative", "schemeless", "emails", "defanged", "unwrap")
    return FindOptions(**{name: getattr(options, name) for name in names}, continuations=continuations)


def make_read_options(options: "Namespace", configuration: Configuration) -> ReadOptions:
    """Return how sources are read."""
    patterns = (*(options.exclude or ()), *(options.extend_exclude or ()))
    exclude = limits = None
    if patterns:
        from urlscan.files.patterns import Excluder

        exclude = Excluder(patterns)
    given = {"size": options.max_unpacked, "ratio": options.max_ratio, "depth": options.max_depth}
    if any(given.values()):
        from urlscan.files.archives.unpack import Limits

        limits = Limits()._replace(**{name: value for name, value in given.items() if value})
    name, unpack = options.stdin_filename, options.unpack
    if unpack is None:
        unpack = {None: options.unpack_else, True: "always", False: "never"}[configuration.resolve().decompress]
    return ReadOptions(options.kind, options.encoding, exclude, name, configuration, unpack, limits, options.parts)


def list_paths(options: "Namespace") -> list[str]:
    """Return the given paths, followed by those of `--files-from`.

    Raises:
        ConfigError: standard input is used twice.
        SourceError: the list cannot be read.
    """
    paths: list[str] = list(options.paths)
    if options.files_from is None:
        if options.zero:
            raise ConfigError("-0 requires --files-from")
        if not paths and has_piped_input():
            return [STDIN]
        return paths or [os.curdir]
    if options.files_from == STDIN and STDIN in paths:
        raise ConfigError("standard input cannot be both the list of --files-from and a text")
    return paths + read_names(options.files_from, zero=options.zero)


def listed(values: list[str] | None) -> tuple[str, ...]:
    """Return the items of a repeatable option with comma-separated values."""
    return tuple(item.strip() for value in values or [] for item in value.split(",") if item.strip())
