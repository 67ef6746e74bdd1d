"""The configuration and the index of targets for each workspace folder.

Both are read again when a configuration file, a document or a setting of the editor changes. Not every editor reports
changed files, so they are also read again when they are older than some seconds.
"""

import os
import time
from collections.abc import Callable

from urlscan.api.buffers import NAMES, Project, load_project
from urlscan.api.references import OpenTree
from urlscan.server.settings import EditorSettings

# After this many seconds files may have changed without a report.
_MAX_AGE = 10.0


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
            self._projects[folder] = self._clock(), project._replace(targets=project.targets.emptied())

    def folder_of(self, path: str) -> str:
        """Return the innermost workspace folder of a path; "" if it is outside of all."""
        above = (folder for folder in self._folders if f"{path}{os.sep}".startswith(folder.rstrip(os.sep) + os.sep))
        return next(above, "")

    def settings_of(self, path: str) -> EditorSettings:
        """Return the settings of the editor for a path."""
        default = self._settings.get("", EditorSettings())
        return self._settings.get(self.folder_of(path), default)

    def of(self, path: str) -> Project:
        """Return the project of a path."""
        folder = self.folder_of(path)
        since, project = self._projects.get(folder, (0.0, None))
        if project is None or self._clock() - since > _MAX_AGE:
            settings = self.settings_of(path)
            project = load_project(folder, settings.given, settings.configuration, self._read_open)
            self._projects[folder] = self._clock(), project
        return project

    def tree_of(self, path: str) -> OpenTree:
        """Return the trees of the project of a path."""
        project = self.of(path)
        return OpenTree(project.targets, project.configuration, self._read_open)


def is_configuration(path: str) -> bool:
    """Return whether a path has the name of a configuration file, or of one that such a file may extend."""
    name = os.path.basename(path)
    return name in NAMES or name.endswith(".toml")
