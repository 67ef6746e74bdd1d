"""The configuration and the index of targets for each workspace folder.

Both are read again when a configuration file, a document or a setting of the editor changes. Not every editor reports
changed files, so they are also read again when they are older than some seconds.
"""

import os
import time
from collections.abc import Callable
from typing import NamedTuple

from urlscan.config import NAMES, Configuration
from urlscan.core.errors import UrlscanError
from urlscan.pipeline.targets import Targets
from urlscan.server.settings import EditorSettings

# After this many seconds files may have changed without a report.
_MAX_AGE = 10.0


class Project(NamedTuple):
    """The settings and indexes for the documents of a workspace folder.

    Attributes:
        settings: the settings of the editor.
        configuration: the configuration of each file.
        targets: the trees that relative references lead to.
        error: why the settings of the editor could not be applied, or "".
    """

    settings: EditorSettings
    configuration: Configuration
    targets: Targets
    error: str = ""


class Projects:
    """The projects of a session.

    Args:
        read_open: returns the text of an open document by its absolute path, or None.
        clock: returns the time in seconds.

    Attributes:
        generation: a number that increases with every change of a configuration or setting.
    """

    def __init__(self, read_open: Callable[[str], str | None], clock: Callable[[], float] = time.monotonic) -> None:
        self._read_open = read_open
        self._clock = clock
        self._folders: tuple[str, ...] = ()
        self._settings: dict[str, EditorSettings] = {}
        self._projects: dict[str, tuple[float, Project]] = {}
        self.generation = 0

    def set_folders(self, folders: tuple[str, ...]) -> None:
        """Set the workspace folders, as absolute paths."""
        self._folders = tuple(sorted(folders, key=len, reverse=True))
        self.reload()

    def set_settings(self, settings: dict[str, EditorSettings]) -> None:
        """Set the settings by workspace folder; "" is any other place."""
        default = settings.get("", EditorSettings())
        settings = {folder: value for folder, value in settings.items() if not folder or value != default}
        if settings != self._settings:
            self._settings = settings
            self.reload()

    def reload(self) -> None:
        """Discard what was read, because a configuration or a setting has changed."""
        self._projects.clear()
        self.generation += 1

    def forget_files(self) -> None:
        """Discard what is known about the files of the trees, because one was created, changed or deleted."""
        for folder, (_, project) in list(self._projects.items()):
            self._projects[folder] = self._clock(), project._replace(targets=self._targets(project.configuration))

    def folder_of(self, path: str) -> str:
        """Return the innermost workspace folder of a path; "" if it is outside of all."""
        for folder in self._folders:
            if path == folder or path.startswith(folder.rstrip(os.sep) + os.sep):
                return folder
        return ""

    def settings_of(self, path: str) -> EditorSettings:
        """Return the settings of the editor for a path."""
        default = self._settings.get("", EditorSettings())
        return self._settings.get(self.folder_of(path), default)

    def of(self, path: str) -> Project:
        """Return the project of a path."""
        folder = self.folder_of(path)
        since, project = self._projects.get(folder, (0.0, None))
        if project is None or self._clock() - since > _MAX_AGE:
            project = self._load(folder, self.settings_of(path))
            self._projects[folder] = self._clock(), project
        return project

    def separate_targets(self, path: str) -> Targets:
        """Return an index of the trees for another thread, since the one of the project has no locks."""
        return self._targets(self.of(path).configuration)

    def _load(self, folder: str, settings: EditorSettings) -> Project:
        configuration, error = _load_configuration(folder, settings)
        return Project(settings, configuration, self._targets(configuration), error)

    def _targets(self, configuration: Configuration) -> Targets:
        return Targets(configuration.project_root, read_open=self._read_open)


def _load_configuration(folder: str, settings: EditorSettings) -> tuple[Configuration, str]:
    """Return the configuration of a workspace folder, and why the file that the settings name is not used, or ""."""
    given_by = ("settings of the editor", folder or os.getcwd())
    chosen: tuple[str, ...] = ()
    if settings.configuration:
        chosen = (os.path.normpath(os.path.join(folder, os.path.expanduser(settings.configuration))),)
    error = ""
    try:
        configuration = Configuration(settings.given, chosen, given_by=given_by)
    except UrlscanError as failure:
        error = str(failure).replace("--config", "configuration")
        configuration = Configuration(settings.given, given_by=given_by)
    if folder:
        configuration.set_walked([folder])
    return configuration, error


def is_configuration(path: str) -> bool:
    """Return whether a path has the name of a configuration file, or of one that such a file may extend."""
    name = os.path.basename(path)
    return name in NAMES or name.endswith(".toml")
