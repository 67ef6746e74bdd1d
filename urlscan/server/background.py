"""Check a large document in a process of its own, which can be ended when the document changes.

The process is a new interpreter: the server runs threads, and forking a program with threads is unsafe.
"""

import multiprocessing
import os
import threading
from multiprocessing.connection import Connection, wait
from typing import NamedTuple

from urlscan.files.walk import STDIN
from urlscan.pipeline.targets import Targets
from urlscan.server.analysis import Analysis, Checker
from urlscan.server.projects import load_configuration
from urlscan.server.settings import EditorSettings


class Task(NamedTuple):
    """A document to check.

    Attributes:
        path, language: as for a Checker.
        folder: its workspace folder, or "".
        settings: the settings of the editor.
        text: its text.
    """

    path: str
    language: str
    folder: str
    settings: EditorSettings
    text: str


class EndedError(Exception):
    """The process ended without a result."""


class BackgroundCheck:
    """One check in a process of its own."""

    def __init__(self) -> None:
        # Without this, the new interpreter would import modules of the current directory, which the editor chooses.
        os.environ["PYTHONSAFEPATH"] = "1"
        context = multiprocessing.get_context("spawn")
        self._connection, child = context.Pipe()
        self._process = context.Process(target=_serve, args=(child,), daemon=True)
        self._child = child
        self._is_ended = False

    def run(self, task: Task) -> Analysis:
        """Return the analysis of a document; raise EndedError if the process ends or is ended before."""
        try:
            if self._is_ended:
                raise EndedError
            self._process.start()
            self._child.close()
            self._connection.send(task)
            analysis: Analysis = self._connection.recv()
        except (EOFError, OSError, AssertionError, ValueError):
            raise EndedError from None
        finally:
            self._connection.close()
        return analysis._replace(text=task.text)

    def end(self) -> None:
        """End the process, or do not start it."""
        self._is_ended = True
        if self._process.pid is not None:
            self._process.kill()


def _serve(connection: Connection) -> None:
    """Receive one task and send its analysis, without the text; stop if the server ends."""
    threading.Thread(target=_stop_with_parent, daemon=True).start()
    try:
        _answer(connection)
    except KeyboardInterrupt:
        return


def _stop_with_parent() -> None:
    """End this process once its parent has ended, even if that was killed.

    A KeyboardInterrupt in the main thread would not arrive where SIGINT is ignored, as in the background of a shell.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _answer(connection: Connection) -> None:
    task: Task = connection.recv()
    configuration, _ = load_configuration(task.folder, task.settings)
    targets = Targets(configuration.project_root) if task.path != STDIN else None
    checker = Checker(task.path, task.language, configuration, targets)
    connection.send(checker.check(task.text)._replace(text=""))
