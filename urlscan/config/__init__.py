"""Which configuration holds for a file: the nearest one upwards, and what was said on the command line.

Looking for files is all that happens where there are none; reading them is `files.py`'s, what may stand in them
`keys.py`'s, how it is put together `layers.py`'s.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from urlscan.config.layers import Layer, ResolvedConfig, Scope, resolve_config
from urlscan.config.relaxed import RELAXED_PATHS, ProjectRoots, is_below
from urlscan.errors import ConfigFileError
from urlscan.patterns import lazy
from urlscan.settings import FileSettings
from urlscan.sources.opening import TooLargeError, read_regular

if TYPE_CHECKING:  # only files with findings are compared with patterns of test data
    from urlscan.sources.exclude import Excluder

# In a directory the first of these counts, as in ruff.
NAMES = (".urlscan.toml", "urlscan.toml", "pyproject.toml")
# In how many ways TOML writes the table of a tool; what holds none of them need not be read as TOML.
_OURS = lazy(
    rb"(?m)tool[\"']?[ \t]*\.[ \t]*[\"']?urlscan"
    rb"|^[ \t]*(?:\[[ \t]*[\"']?tool[\"']?[ \t]*\]|[\"']?tool[\"']?[ \t]*=)"
)


# How many directories are remembered; an archive may hold any number.
_MOST = 1 << 16


class Configuration:
    """What holds for each file.

    Args:
        given: what the options of the command line say, by key.
        config: the values of `--config`: one file at most, and `KEY=VALUE`.
        isolated: whether no file is looked for.

    Raises:
        ConfigError: a value of `config` is not understood.
        ConfigFileError: nor is its file.
    """

    def __init__(
        self, given: Mapping[str, Any] | None = None, config: Sequence[str] = (), *, isolated: bool = False
    ) -> None:
        self._here = os.getcwd()
        self._isolated = isolated
        self._given = [Layer("command line", self._here, dict(given))] if given else []
        self._chosen: tuple[Layer, ...] | None = None  # a file that was named is for all
        if config:
            from urlscan.config.files import chosen

            self._chosen, inline = chosen(config, isolated=isolated)
            self._given[:0] = inline
        self._scopes: dict[str, Scope | ConfigFileError] = {}
        self._last: tuple[str | None, FileSettings] = None, FileSettings()
        self._nearest: dict[str, str | ConfigFileError | None] = {}
        self._below: dict[str, Scope | ConfigFileError] = {}
        self._passed_over: dict[str, bool] = {}
        self._roots = ProjectRoots(self._closest_file)
        self._relaxed: dict[tuple[tuple[str, ...], str], Excluder] = {}

    def set_walked(self, paths: Iterable[str]) -> None:
        """Set the paths that are searched for files: a directory outside the current one is a project of its own."""
        self._roots.set_walked(paths)

    def of(self, path: str) -> FileSettings:
        """Return what holds for a file; ConfigFileError where that cannot be said."""
        if path != self._last[0]:  # who works on a file asks more than once
            self._last = path, self.scope(os.path.dirname(path)).file_settings(path)
        return self._last[1]

    def codes(self, path: str) -> frozenset[str]:
        """Return the codes of the rules that may speak of a file; none where that cannot be said."""
        from urlscan.rules.selection import enabled_codes

        try:
            file_settings = self.of(path)
        except ConfigFileError:
            return frozenset()
        reported = enabled_codes(file_settings.settings) - file_settings.ignored_codes
        if self.is_relaxed(path):
            from urlscan.rules.selection import codes_for_test_data

            reported &= codes_for_test_data()
        return reported

    def is_relaxed(self, path: str) -> bool:
        """Return whether a file is test data by `relaxed-paths`: only secrets and deception are reported in it."""
        path = os.path.abspath(path) + (os.sep if path.endswith(os.sep) else "")
        directory = os.path.dirname(path)
        try:
            relaxed = self.scope(directory).resolved.relaxed
        except ConfigFileError:
            return False
        base, globs = relaxed or (None, RELAXED_PATHS)
        if base is None or not is_below(directory, base):
            base = self._roots.of(directory)
        if (globs, base) not in self._relaxed:
            from urlscan.sources.exclude import Excluder

            if len(self._relaxed) > _MOST:
                self._relaxed.clear()
            self._relaxed[globs, base] = Excluder(globs, base)
        return self._relaxed[globs, base].excludes(path)

    def excludes(self, path: str, root: str | None = None) -> bool:
        """Return whether a path is passed over, or a directory above it; a directory's ends with "/".

        Each is asked about by what holds where it stands, so that a configuration further down does not take back
        what one above passes over.
        """
        path = os.path.abspath(path) + (os.sep if path.endswith(os.sep) else "")
        above = os.path.dirname(path.rstrip(os.sep))
        return self._is_below(above) or self._excludes(path, above)

    def _is_below(self, directory: str) -> bool:
        """Return whether a directory, or one above it, is passed over."""
        if len(self._passed_over) > _MOST:
            self._passed_over.clear()
        waiting: list[str] = []
        while directory not in self._passed_over and os.path.dirname(directory) != directory:
            waiting.append(directory)
            directory = os.path.dirname(directory)
        below = self._passed_over.setdefault(directory, False)
        for one in reversed(waiting):
            below = self._passed_over[one] = below or self._excludes(os.path.join(one, ""), os.path.dirname(one))
        return below

    def _excludes(self, path: str, directory: str) -> bool:
        try:
            return self.scope(directory).excludes(path)
        except ConfigFileError:  # it is said where the file is read
            return False

    def here(self) -> ResolvedConfig:
        """Return what holds for a run, and not for each file: that of the current directory."""
        return self.scope(self._here).resolved

    def scope(self, directory: str) -> Scope:
        """Return what holds for the files of a directory; ConfigFileError where that cannot be said."""
        scope = self._below.get(directory)
        if scope is None:
            if len(self._below) > _MOST:
                self._below.clear()
                self._nearest.clear()
            scope = self._below[directory] = self._scope(os.path.abspath(directory))
        if isinstance(scope, ConfigFileError):
            raise scope
        return scope

    def _scope(self, directory: str) -> Scope | ConfigFileError:
        found = None
        if self._chosen is None and not self._isolated:
            found = self._discovered(directory)
        if isinstance(found, ConfigFileError):
            return found
        key = found or ""
        if key not in self._scopes:
            try:
                home = self._here if found is None else os.path.dirname(found)
                self._scopes[key] = Scope(self._resolve(found, home))
            except ConfigFileError as error:
                self._scopes[key] = error
        return self._scopes[key]

    def _closest_file(self, directory: str) -> str | None:
        """Return the closest configuration file, upwards, if files are looked for and it can be read."""
        found = None if self._chosen is not None or self._isolated else self._discovered(directory)
        return found if isinstance(found, str) else None

    def _discovered(self, directory: str) -> str | ConfigFileError | None:
        """Return the configuration file that is the nearest upwards, or what is wrong with it."""
        waiting = []
        while directory not in self._nearest:
            try:
                found: str | ConfigFileError | None = _file_in(directory)
            except ConfigFileError as error:
                found = error
            above = os.path.dirname(directory)
            if found is not None or above == directory:
                self._nearest[directory] = found
                break
            waiting.append(directory)
            directory = above
        found = self._nearest[directory]
        self._nearest.update(dict.fromkeys(waiting, found))
        return found

    def _resolve(self, found: str | None, home: str) -> ResolvedConfig:
        layers = self._chosen or ()
        if found is not None:
            from urlscan.config.files import layers_of

            layers = layers_of(found)
        return resolve_config((*layers, *self._given), home)


def _file_in(directory: str) -> str | None:
    """Return the configuration file of a directory, or None; ConfigFileError for one that cannot be read."""
    for name in NAMES:
        path = os.path.join(directory, name)
        if os.path.isfile(path) and (name != NAMES[-1] or _is_ours(path)):
            return path
    return None


def _is_ours(path: str) -> bool:
    """Return whether a pyproject.toml may have a table for us; who reads it as TOML knows."""
    data = contents(path)
    if _OURS.search(data) is None or b"urlscan" not in data:
        return False
    from urlscan.config.files import has_table

    return has_table(path)


# What a configuration file has at most, in bytes.
LARGEST = 1 << 20


def contents(path: str) -> bytes:
    """Return the bytes of a configuration file; ConfigFileError if it is no regular file, or has too many."""
    try:
        return read_regular(path, LARGEST)
    except TooLargeError:
        raise ConfigFileError(name_of(path), "more than 1 MiB is too much for a configuration") from None
    except (OSError, ValueError) as error:
        why = (isinstance(error, OSError) and error.strerror) or str(error)
        raise ConfigFileError(name_of(path), f"the configuration cannot be read: {why}") from None


def inside(path: str) -> str:
    """Return a path as what holds is asked by: that of a directory ends with "/"."""
    return os.path.join(path, "") if os.path.isdir(path) else path


def name_of(path: str) -> str:
    """Return how a path is shown: from the current directory, if it lies in it."""
    try:
        relative = os.path.relpath(path)
    except (OSError, ValueError):
        return path
    return path if relative.startswith(os.pardir) else relative
