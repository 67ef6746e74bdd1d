"""Determine which configuration applies to a file: the closest configuration file and the command line.

This module searches for files; `files.py` reads them, `keys.py` defines their keys, `layers.py` merges them.
"""

import functools
import os
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from urlscan.config.layers import Layer, Pattern, ResolvedConfig, resolve_config
from urlscan.config.read import contents
from urlscan.config.relaxed import RELAXED_PATHS, RELAXED_TEXTS, documents_directory, is_below
from urlscan.core.errors import ConfigFileError
from urlscan.core.lazy import lazy
from urlscan.core.settings import FileSettings

if TYPE_CHECKING:
    from urlscan.files.exclude import Excluder


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

# Limit on cached directories; an archive may hold any number.
_MOST = 1 << 16


class Scope:
    """The configuration of a directory, applied to paths of files.

    Attributes:
        resolved: the merged configuration.
        excluders: matchers of the excluded paths.
        defaults: the settings of a file that no pattern matches.
        has_patterns: whether some files may have other settings.
    """

    def __init__(self, resolved: ResolvedConfig) -> None:
        self.resolved = resolved
        self.excluders = _excluders(resolved.exclude) if resolved.exclude else []
        self.defaults = FileSettings(resolved.settings, frozenset(), None, resolved.encoding, resolved.targets)
        self.has_patterns = bool(resolved.kinds or resolved.ignored_codes)
        self._some = _excluders((*resolved.kinds, *resolved.ignored_codes)) if self.has_patterns else []
        self._one: dict[Pattern, Excluder] = {}
        self._terms: dict[tuple[frozenset[str], str | None], FileSettings] = {}

    def file_settings(self, path: str) -> FileSettings:
        """Return the settings of a file."""
        if not any(excluder.excludes(path) for excluder in self._some):
            return self.defaults
        kinds = [pattern.value for pattern in self.resolved.kinds if self._matches(pattern, path)]
        ignored_codes = self.ignored_codes(path)
        key = (ignored_codes, kinds[-1] if kinds else None)
        if key not in self._terms:
            self._terms[key] = self.defaults._replace(ignored_codes=ignored_codes, kind=key[1])
        return self._terms[key]

    def ignored_codes(self, path: str) -> frozenset[str]:
        """Return the codes of the rules that are ignored in a file."""
        from urlscan.linter.judge import resolve_selector

        rules = {
            rule for pattern in self.resolved.ignored_codes if self._matches(pattern, path) for rule in pattern.value
        }
        return frozenset(code for rule in rules for code in resolve_selector(rule))

    def _matches(self, pattern: Pattern, path: str) -> bool:
        if pattern not in self._one:
            from urlscan.files.exclude import Excluder

            self._one[pattern] = Excluder((pattern.glob.removeprefix("!"),), pattern.base)
        return self._one[pattern].excludes(path) != pattern.glob.startswith("!")


def _excluders(patterns: tuple[Pattern, ...]) -> "list[Excluder]":
    """Return matchers for the patterns, one for each directory that patterns are relative to."""
    from urlscan.files.exclude import Excluder

    by_base: dict[str, list[str]] = {}
    for pattern in patterns:
        # "!docs/**" matches everything else.
        by_base.setdefault(pattern.base, []).append("**" if pattern.glob.startswith("!") else pattern.glob)
    return [Excluder(tuple(globs), base) for base, globs in by_base.items()]


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
        self._given = [Layer(*(given_by or ("command line", self._here)), dict(given))] if given else []
        self._chosen: tuple[Layer, ...] | None = () if isolated else None  # layers that apply to all files
        if config:
            from urlscan.config.files import chosen

            layers, inline = chosen(config, isolated=isolated)
            self._chosen = layers or self._chosen
            self._given[:0] = inline
        self._scopes: dict[str | None, Scope | ConfigFileError] = {}
        self._last: tuple[str | None, FileSettings] = None, FileSettings()
        self._nearest: dict[str, str | None] = {}
        self._excluded_directories: dict[str, bool] = {}
        self._repositories: dict[str, str | None] = {}
        self.walked: Sequence[str] = ()
        self._relaxed: dict[tuple[tuple[str, ...], str], Excluder] = {}

    def of(self, path: str) -> FileSettings:
        """Return the settings of a file; raise ConfigFileError if its configuration is invalid."""
        last = self._last
        if path != last[0]:  # called several times per file
            scope = self.scope(os.path.dirname(path))
            last = self._last = path, scope.file_settings(path) if scope.has_patterns else scope.defaults
        return last[1]  # another thread may have replaced `_last`

    def codes(self, path: str) -> frozenset[str]:
        """Return the codes of the rules that are reported for a file; none if its configuration is invalid."""
        from urlscan.linter.judge import enabled_codes

        try:
            file_settings = self.of(path)
        except ConfigFileError:
            return frozenset()
        reported = enabled_codes(file_settings.settings) - file_settings.ignored_codes
        if self.is_relaxed(path):
            from urlscan.linter.judge import codes_for_test_data

            reported &= codes_for_test_data()
        return reported

    def project_root(self, directory: str) -> str:
        """Return the root of the project that a directory, an absolute path, belongs to.

        It is the closest directory, upwards, with a configuration file or a repository; without one the current
        directory if it is above, else the directory that is walked, else the directory itself. A pattern such as
        `tests/` must not match above it: a checkout in `/home/jo/tests/repo` is not test data as a whole.
        """
        config, repository = self._closest(directory), self._repository(directory)
        marked = [os.path.dirname(config)] if config is not None else []
        if repository is not None:
            marked.append(repository)
        if marked:
            return max(marked, key=len)
        return next((path for path in (self._here, *self._longest_walked) if is_below(directory, path)), directory)

    @functools.cached_property
    def _longest_walked(self) -> list[str]:
        return sorted(map(os.path.abspath, self.walked), key=len, reverse=True)

    def _repository(self, directory: str) -> str | None:
        """Return the closest directory, upwards, that holds a `.git`."""
        if len(self._repositories) > _MOST:
            self._repositories.clear()
        unknown, repository = list[str](), None
        while directory not in self._repositories:
            unknown.append(directory)
            above = os.path.dirname(directory)
            if os.path.exists(os.path.join(directory, ".git")):
                repository = directory
                break
            if above == directory:
                break
            directory = above
        else:
            repository = self._repositories[directory]
        self._repositories.update(dict.fromkeys(unknown, repository))
        return repository

    def is_relaxed(self, path: str) -> bool:
        """Return whether a file is test data (`relaxed-paths`), where only secrets and deception are reported."""
        path = os.path.abspath(path) + (os.sep if path.endswith(os.sep) else "")
        directory = os.path.dirname(path)
        try:
            relaxed = self.scope(directory).resolved.relaxed
        except ConfigFileError:
            return False
        folded = path.replace(os.sep, "/").lower() + "/"
        if relaxed is None and not any(text in folded for text in RELAXED_TEXTS):
            return False
        base, globs = relaxed or (None, RELAXED_PATHS)
        if base is None or not is_below(directory, base):
            base = self.project_root(directory)
        if (globs, base) not in self._relaxed:
            from urlscan.files.exclude import Excluder

            if len(self._relaxed) > _MOST:
                self._relaxed.clear()
            self._relaxed[globs, base] = Excluder(globs, base)
        excluder = self._relaxed[globs, base]
        if not excluder.excludes(path):
            return False
        below = documents_directory(path[len(base) :]) if relaxed is None else ""
        return not below or excluder.excludes(base + below)

    def excludes(self, path: str, root: str | None = None) -> bool:
        """Return whether a path, or a directory above it, is excluded; a directory ends with "/".

        Each directory is matched by the configuration that applies to it, so that a nested configuration cannot include
        what an outer one excludes.
        """
        if self._chosen is not None and not self.scope("").excluders:
            return False
        path = os.path.abspath(path) + (os.sep if path.endswith(os.sep) else "")
        above = os.path.dirname(path.rstrip(os.sep))
        if len(self._excluded_directories) > _MOST:
            self._excluded_directories.clear()
        directory, unknown = above, list[str]()
        while directory not in self._excluded_directories and os.path.dirname(directory) != directory:
            unknown.append(directory)
            directory = os.path.dirname(directory)
        is_excluded = self._excluded_directories.setdefault(directory, False)
        for unmatched in reversed(unknown):
            is_excluded = is_excluded or self._excludes(os.path.join(unmatched, ""), os.path.dirname(unmatched))
            self._excluded_directories[unmatched] = is_excluded
        return is_excluded or self._excludes(path, above)

    def _excludes(self, path: str, directory: str) -> bool:
        try:
            return any(excluder.excludes(path) for excluder in self.scope(directory).excluders)
        except ConfigFileError:  # reported when the file is read
            return False

    def here(self) -> ResolvedConfig:
        """Return the configuration of the current directory, for settings of the run as a whole."""
        return self.scope(self._here).resolved

    def scope(self, directory: str) -> Scope:
        """Return the configuration of a directory; raise ConfigFileError if it is invalid."""
        closest = self._closest(os.path.abspath(directory)) if self._chosen is None else None
        if closest not in self._scopes:
            # Without a file, the layers of the run apply to the current directory.
            layers, base = self._chosen or (), self._here
            try:
                if closest is not None:
                    from urlscan.config.files import layers_of

                    layers, base = layers_of(closest), os.path.dirname(closest)
                layers = (*layers, *self._given)
                self._scopes[closest] = Scope(resolve_config(layers, base) if layers else ResolvedConfig(base))
            except ConfigFileError as error:
                self._scopes[closest] = error
        scope = self._scopes[closest]
        if isinstance(scope, ConfigFileError):
            raise scope
        return scope

    def _closest(self, directory: str) -> str | None:
        """Return the closest configuration file, upwards; None if there is none or it is not searched for."""
        if self._chosen is not None:
            return None
        if len(self._nearest) > _MOST:
            self._nearest.clear()
        unknown = []
        closest: str | None = None
        while directory not in self._nearest:
            unknown.append(directory)
            try:
                closest = file_in(directory)
            except ConfigFileError:  # `scope` reports it
                closest = os.path.join(directory, NAMES[-1])
            above = os.path.dirname(directory)
            if closest is not None or above == directory:
                break
            directory = above
        else:
            closest = self._nearest[directory]
        self._nearest.update(dict.fromkeys(unknown, closest))
        return closest


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
    from urlscan.config.files import has_table

    return has_table(path)
