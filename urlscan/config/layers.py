"""Read and merge the layers of a configuration.

A layer is a configuration file, one `--config KEY=VALUE`, or all other options of the command line. The closer layer
wins: single values, `exclude` and `relaxed-paths` are replaced, tables are merged by entry, lists of exemptions are
concatenated. Rules are selected as in ruff: a layer with `select` starts over, other layers add and remove.
"""

import os
from collections.abc import Iterable

from urlscan.config.relaxed import is_below
from urlscan.core.errors import ConfigFileError, reason
from urlscan.core.record import NamedTuple
from urlscan.core.settings import NO_STATUSES, Settings, TargetSettings
from urlscan.core.typing import TYPE_CHECKING, Any
from urlscan.files.safe_open import TooLargeError, read_regular
from urlscan.files.safe_open import relative_to_here as name_of

if TYPE_CHECKING:  # loaded with the first layer
    from urlscan.files.patterns import Excluder
else:
    Excluder = object

# The largest size of a configuration file, in bytes.
_LARGEST = 1 << 20


class Layer(NamedTuple):
    """One source of settings.

    Attributes:
        where: its name.
        base: the directory that its patterns are relative to.
        values: its values by key, converted by `keys.py`.
        is_file: whether it is a configuration file.
    """

    where: str
    base: str
    values: dict[str, Any]
    is_file: bool = False


class PathValue(NamedTuple):
    """A value for the paths that a pattern matches, or for all others if it is negated."""

    excluder: Excluder
    is_negated: bool
    value: Any


class ResolvedConfig(NamedTuple):
    """The merged configuration of a directory and everything below it.

    Attributes:
        layers: its layers, the closest last.
        settings: how sources are judged.
        encoding: their declared encoding, or None.
        excluders: matchers of the excluded paths, one for each directory that patterns are relative to.
        kinds, ignored_codes: the kinds of files and the codes of rules that are ignored in them, by pattern.
        relaxed: `relaxed-paths` and the directory that its patterns are relative to; None for the default.
        output_format: the format of findings, or None.
        fail_on: the lowest severity that makes `check` fail, or None.
        decompress: whether compressed files are opened, or None.
        baseline: the absolute path of the baseline, or None.
        targets: how the targets of relative references are found.
    """

    layers: tuple[Layer, ...] = ()
    settings: Settings = Settings()
    encoding: str | None = None
    excluders: tuple[Excluder, ...] = ()
    kinds: tuple[PathValue, ...] = ()
    ignored_codes: tuple[PathValue, ...] = ()
    relaxed: tuple[str, tuple[str, ...]] | None = None
    output_format: str | None = None
    fail_on: str | None = None
    decompress: bool | None = None
    baseline: str | None = None
    targets: TargetSettings = TargetSettings()


# Keys whose lists are added up over the layers.
ADDED = ("schemes", "allowed-hosts", "placeholders", "insecure-hosts", "exclude-urls")


def resolve_config(layers: tuple[Layer, ...], home: str) -> ResolvedConfig:
    """Return the configuration of everything below `home`, merged from layers, the closest last."""
    last: dict[str, Any] = {}
    added: dict[str, list[Any]] = {name: [] for name in ADDED}
    tables: dict[str, dict[Any, Any]] = {"severity": {}, "per-file-kinds": {}, "per-file-ignores": {}}
    baseline: str | None = None
    relaxed: tuple[str, tuple[str, ...]] | None = None
    exclude: list[tuple[str, str]] = []
    extended: list[tuple[str, str]] = []
    for layer in layers:
        last.update(layer.values)
        for name, several in added.items():
            several += layer.values.get(name, ())
        base = home  # that its patterns are relative to, unless it belongs to a directory above
        if is_below(home, layer.base):
            base = layer.base
        for name, table in tables.items():
            for entry, value in layer.values.get(name, {}).items():
                key = entry if name == "severity" else (base, entry)
                table.pop(key, None)  # move to the end, so that the order is that of the last mention
                table[key] = value
        if "baseline" in layer.values:
            baseline = _absolute(layer, layer.values["baseline"])
        if "relaxed-paths" in layer.values:
            relaxed = base, layer.values["relaxed-paths"]
        if "exclude" in layer.values:
            exclude = [(base, glob) for glob in layer.values["exclude"]]
        extended += [(base, glob) for glob in layer.values.get("extend-exclude", ())]
    excluded = dict[str, list[str]]()
    for base, glob in [*exclude, *extended]:
        excluded.setdefault(base, []).append(glob)
    select, extend_select, ignore = selection(layers)
    ignores = [(key, _codes_of(rules)) for key, rules in tables["per-file-ignores"].items()]
    settings = Settings(
        profile=last.get("profile", Settings().profile),
        select=select,
        extend_select=extend_select,
        ignore=ignore,
        rejoin=last.get("rejoin", Settings().rejoin),
        severity=tuple(tables["severity"].items()),
        schemes=frozenset(added["schemes"]),
        allowed_hosts=frozenset(added["allowed-hosts"]),
        placeholders=frozenset(added["placeholders"]),
        insecure_hosts=frozenset(added["insecure-hosts"]),
        statuses=last.get("statuses", NO_STATUSES),  # of the command line
        exclude_urls=tuple(dict.fromkeys(added["exclude-urls"])),
    )
    return ResolvedConfig(
        layers,
        settings,
        last.get("encoding"),
        tuple(excluder_of(base, globs) for base, globs in excluded.items()),
        _path_values(tables["per-file-kinds"].items()),
        _path_values(ignores),
        relaxed,
        last.get("output-format"),
        last.get("fail-on"),
        last.get("decompress"),
        baseline,
        _target_settings(layers, last),
    )


def excluder_of(base: str, globs: Iterable[str]) -> Excluder:
    """Return a matcher for patterns and the directory that they are relative to."""
    from urlscan.files.patterns import Excluder

    return Excluder(tuple(globs), base)


def _path_values(entries: Iterable[tuple[tuple[str, str], Any]]) -> tuple[PathValue, ...]:
    """Return the values of the patterns, in order."""
    return tuple(
        PathValue(excluder_of(base, [glob.removeprefix("!")]), glob.startswith("!"), value)
        for (base, glob), value in entries
    )


def _target_settings(layers: tuple[Layer, ...], last: dict[str, Any]) -> TargetSettings:
    """Return how targets are found; directories are relative to the file that names them, and tables are merged."""
    defaults = TargetSettings()
    directories: dict[str, tuple[str, ...]] = {"root-dir": (), "static-dir": ()}
    prefixes: dict[str, str] = {}
    generated: list[tuple[str, str]] = []
    redirects: dict[str, str] = {}
    for layer in layers:
        for key in directories.keys() & layer.values.keys():
            directories[key] = tuple(_absolute(layer, name) for name in layer.values[key])
        prefixes |= {prefix: _absolute(layer, name) for prefix, name in layer.values.get("prefix-map", {}).items()}
        if "generated" in layer.values:
            generated = [(layer.base, glob) for glob in layer.values["generated"]]
        redirects |= layer.values.get("redirects", {})
    return TargetSettings(
        directories["root-dir"],
        directories["static-dir"],
        last.get("fallback-extensions", defaults.fallback_extensions),
        last.get("index-files", defaults.index_files),
        last.get("anchors", defaults.anchors),
        tuple(sorted(prefixes.items(), key=lambda pair: -len(pair[0]))),
        tuple(generated),
        tuple(redirects.items()),
    )


def _absolute(layer: Layer, directory: str) -> str:
    return os.path.normpath(os.path.join(layer.base, directory))


def _codes_of(selectors: Iterable[str]) -> dict[str, None]:
    """Return the codes of the rules that are selected, in order."""
    from urlscan.linter.judge import resolve_selector

    return dict.fromkeys(code for selector in selectors for code in resolve_selector(selector))


def selection(layers: Iterable[Layer]) -> tuple[tuple[str, ...] | None, tuple[str, ...], tuple[str, ...]]:
    """Return `select`, `extend-select` and `ignore` merged from all layers."""
    select: tuple[str, ...] | None = None
    extend: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    for layer in layers:
        if "select" in layer.values:
            select, extend, ignore = layer.values["select"], (), ()
        more = layer.values.get("extend-select", ())
        if more and ignore:  # a rule that is enabled again is no longer ignored
            again = _codes_of(more)
            ignore = tuple(code for code in _codes_of(ignore) if code not in again)
        extend = (*extend, *more)
        ignore = (*ignore, *layer.values.get("ignore", ()))
    return select, extend, ignore


def contents(path: str) -> bytes:
    """Return the bytes of a configuration file; raise ConfigFileError if it is too large or not a regular file."""
    try:
        return read_regular(path, _LARGEST)
    except TooLargeError:
        raise ConfigFileError(name_of(path), "larger than 1 MiB") from None
    except (OSError, ValueError) as error:
        raise ConfigFileError(name_of(path), f"cannot read the configuration: {reason(error)}") from None


def inside(path: str) -> str:
    """Return a path with "/" after it if it is a directory."""
    if os.path.isdir(path):
        return os.path.join(path, "")
    return path
