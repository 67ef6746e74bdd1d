"""Determine which configuration applies to a file: the closest configuration file and the command line.

This module searches for files; `files.py` reads them, `keys.py` defines their keys, `layers.py` merges them.
"""

import functools
import os
import re
from collections.abc import Mapping, Sequence

from urlscan.config.layers import Layer, PathValue, ResolvedConfig, contents, excluder_of, resolve_config
from urlscan.config.relaxed import RELAXED_PATHS, RELAXED_TEXTS, is_below, telling_path
from urlscan.core.errors import ConfigFileError
from urlscan.core.lazy import lazy
from urlscan.core.settings import FileSettings
from urlscan.core.typing import Any
from urlscan.files.repository import closest

# In each directory the first of these is used, as in ruff.
NAMES = (".urlscan.toml", "urlscan.toml", "pyproject.toml")
# The notations of the table `tool.urlscan` in TOML; a file that contains none of them is not parsed.
# Matches: `tool.urlscan`, `tool" . 'urlscan`, `[ tool ]`, `tool =`
# Does not match: `tool`, `urlscan`, `[tools]`
_TABLE_HEADER = lazy(
    rb"""
    tool["']? [ \t]*\.[ \t]* ["']?urlscan
  | ^[ \t]* (?: \[[ \t]* ["']?tool["']? [ \t]*\] | ["']?tool["']? [ \t]*= )
    """,
    re.MULTILINE | re.VERBOSE,
)

# The patterns of a project are compiled once; an archive may hold any number of projects.
_relaxed_excluder = functools.lru_cache(maxsize=1 << 10)(excluder_of)


def values_for(path: str, values: tuple[PathValue, ...]) -> list[Any]:
    """Return the values of the patterns that match a file."""
    absolute = os.path.abspath(path)
    return [value for excluder, is_negated, value in values if excluder.excludes(absolute) != is_negated]


class Configuration:
    """The configuration of each file.

    Attributes:
        walked: the paths that are searched for files; a directory outside the current one is a separate project.

    Args:
        given: the options of the command line, by key.
        config: the values of `--config`: at most one file, and `KEY=VALUE`.
        isolated: whether configuration files are ignored.
        given_by: where the options in `given` come from, and the directory that their patterns are relative to.

    Raises:
        ConfigError: a value of `config` is invalid.
        ConfigFileError: its file is unreadable or invalid.
    """

    def __init__(
        self,
        given: Mapping[str, Any] | None = None,
        config: Sequence[str] = (),
        *,
        isolated: bool = False,
        given_by: tuple[str, str] | None = None,
    ) -> None:
        self._here = os.getcwd()
        self._given: list[Layer] = []
        if given:
            self._given.append(Layer(*(given_by or ("command line", self._here)), dict(given)))
        self._chosen: tuple[Layer, ...] | None = None  # layers that apply to all files
        if isolated:
            self._chosen = ()
        if config:
            from urlscan.config.files import chosen

            layers, inline = chosen(config, isolated=isolated)
            self._chosen = layers or self._chosen
            self._given[:0] = inline
        self._resolved: dict[str | None, ResolvedConfig | ConfigFileError] = {}
        self._last: tuple[str | None, FileSettings] = None, FileSettings()
        self._nearest: dict[str, str | None] = {}
        self._excluded_directories: dict[str, str | None] = {}
        self._repositories: dict[str, str | None] = {}
        self.walked: Sequence[str] = ()

    def of(self, path: str) -> FileSettings:
        """Return the settings of a file; raise ConfigFileError if its configuration is invalid."""
        last = self._last
        if path != last[0]:  # called several times per file
            resolved = self.resolve(os.path.dirname(path))
            kind, ignored_codes = None, frozenset[str]()
            if resolved.kinds or resolved.ignored_codes:
                kind = next(reversed(values_for(path, resolved.kinds)), None)
                ignored_codes = frozenset().union(*values_for(path, resolved.ignored_codes))
            last = path, FileSettings(resolved.settings, ignored_codes, kind, resolved.encoding, resolved.targets)
            self._last = last
        return last[1]  # another thread may have replaced `_last`

    def codes(self, path: str) -> frozenset[str]:
        """Return the codes of the rules that are reported for a file; none if its configuration is invalid."""
        from urlscan.linter.judge import codes_for_test_data, enabled_codes

        try:
            file_settings = self.of(path)
        except ConfigFileError:
            return frozenset()
        reported = enabled_codes(file_settings.settings) - file_settings.ignored_codes
        if self.is_relaxed(path):
            reported &= codes_for_test_data()
        return reported

    def project_root(self, directory: str) -> str:
        """Return the root of the project that a directory, an absolute path, belongs to.

        It is the closest directory, upwards, with a configuration file or a repository; without one the current
        directory if it is above, else the directory that is walked, else the directory itself. A pattern such as
        `tests/` must not match above it: a checkout in `/home/jo/tests/repo` is not test data as a whole.
        """
        repository = closest(directory, lambda path: os.path.exists(os.path.join(path, ".git")), self._repositories)
        marked = [path for path in (self._closest(directory), repository) if path]
        if marked:
            return max(marked, key=len)
        return next((path for path in (self._here, *self._longest_walked) if is_below(directory, path)), directory)

    @functools.cached_property
    def _longest_walked(self) -> list[str]:
        return sorted(map(os.path.abspath, self.walked), key=len, reverse=True)

    def is_relaxed(self, path: str) -> bool:
        """Return whether a file is test data (`relaxed-paths`), where only secrets and deception are reported."""
        absolute = os.path.abspath(path)
        if path.endswith(os.sep):
            absolute += os.sep
        directory = os.path.dirname(absolute)
        try:
            relaxed = self.resolve(directory).relaxed
        except ConfigFileError:
            return False
        folded = absolute.replace(os.sep, "/").lower() + "/"
        if relaxed is None and not any(text in folded for text in RELAXED_TEXTS):
            return False
        base, globs = relaxed or (None, RELAXED_PATHS)
        if base is None or not is_below(directory, base):
            base = self.project_root(directory)
        excluder = _relaxed_excluder(base, globs)
        if relaxed is None:
            absolute = base + telling_path(absolute[len(base) :])
        return excluder.excludes(absolute)

    def excludes(self, path: str, root: str | None = None) -> bool:
        """Return whether a path, or a directory above it, is excluded; a directory ends with "/".

        Each directory is matched by the configuration that applies to it, so that a nested configuration cannot include
        what an outer one excludes.
        """
        if self._chosen is not None and not self.resolve().excluders:
            return False
        absolute = os.path.abspath(path)
        above = os.path.dirname(absolute)
        if closest(above, self._excludes_directory, self._excluded_directories) is not None:
            return True
        if path.endswith(os.sep):
            absolute += os.sep
        return self._excludes(absolute, above)

    def _excludes_directory(self, path: str) -> bool:
        above = os.path.dirname(path)
        return above != path and self._excludes(os.path.join(path, ""), above)

    def _excludes(self, path: str, directory: str) -> bool:
        try:
            return any(excluder.excludes(path) for excluder in self.resolve(directory).excluders)
        except ConfigFileError:  # reported when the file is read
            return False

    def resolve(self, directory: str = "") -> ResolvedConfig:
        """Return the configuration of a directory, "" for the current one; raise ConfigFileError if it is invalid."""
        base = None
        if self._chosen is None:
            base = self._closest(os.path.abspath(directory))
        if base not in self._resolved:
            layers = self._chosen or ()
            try:
                if base is not None and (file := _file_at(base)) is not None:
                    from urlscan.config.files import layers_of

                    layers = layers_of(file, base)
                layers = (*layers, *self._given)
                self._resolved[base] = ResolvedConfig()
                if layers:  # without a file, those of the run apply to the current directory
                    self._resolved[base] = resolve_config(layers, base or self._here)
            except ConfigFileError as error:
                self._resolved[base] = error
        resolved = self._resolved[base]
        if isinstance(resolved, ConfigFileError):
            raise resolved
        return resolved

    def _closest(self, directory: str) -> str | None:
        """Return the closest directory, upwards, with a configuration file; None if there is none or none is read."""
        if self._chosen is not None:
            return None
        return closest(directory, lambda path: _file_at(path) is not None, self._nearest)


def _file_at(directory: str) -> str | None:
    try:
        return file_in(directory)
    except ConfigFileError:  # `resolve` reports it
        return os.path.join(directory, NAMES[-1])


def file_in(directory: str) -> str | None:
    """Return the configuration file of a directory, or None; raise ConfigFileError if it cannot be read."""
    for name in NAMES:
        path = os.path.join(directory, name)
        if os.path.isfile(path) and (name != NAMES[-1] or _has_our_table(path)):
            return path
    return None


def _has_our_table(path: str) -> bool:
    """Return whether a pyproject.toml has a table for urlscan."""
    data = contents(path)
    if _TABLE_HEADER.search(data) is None or b"urlscan" not in data:
        return False
    from urlscan.config.files import table_of

    return table_of(path) is not None
