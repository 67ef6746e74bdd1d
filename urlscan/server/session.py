"""Check the open documents when they change: soon, in the background, and never an outdated version for long.

Small documents are checked by one thread, one after the other; large ones by processes of their own. While a
document is edited that takes long to check, an estimate of its findings is given at once (`window.py`).
"""

import asyncio
import time
import traceback
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TypeVar

from urlscan.files.walk import STDIN
from urlscan.server.actions import Document
from urlscan.server.analysis import Analysis, Checker
from urlscan.server.background import BackgroundCheck, EndedError, Task
from urlscan.server.projects import Projects
from urlscan.server.text import Text
from urlscan.server.window import estimate
from urlscan.sources import MAIL

# Documents with at least this many characters are checked in a process of their own.
_LARGE = 1 << 21
# From this duration of a check, in seconds, an edit is followed by an estimate, unless the document is so small that
# only the start of the server explains the duration, or so large that an estimate takes long as well.
_SLOW = 0.03
_ESTIMATED = range(1 << 15, 1 << 23)
# Seconds to wait for further edits before a document is checked: for a fast check, and at most for a slow one.
_PAUSE, _LONGEST_PAUSE = 0.02, 1.0

T = TypeVar("T")


@dataclass(slots=True)
class _State:
    """The state of an open document.

    Attributes:
        uri, path, language: its address, its absolute path or "-", and the name of its kind in the editor.
        version, text: its newest version.
        exact: the analysis of the last version that was checked.
        current: the analysis of the newest version; None until there is one.
        is_estimate: whether that is an estimate.
        generation: that of the configuration by which `current` was made.
        duration: how many seconds the last check took.
        task: the check that is waiting or running.
    """

    uri: str
    path: str
    language: str
    version: int | None
    text: Text
    exact: Analysis | None = None
    current: Analysis | None = None
    is_estimate: bool = False
    generation: int = 0
    duration: float = 0.0
    task: "asyncio.Task[None] | None" = None


class Session:
    """The open documents.

    Args:
        publish: called when there is a new analysis of a document, with whether it replaces an estimate.
        progress: returns a context manager that shows the progress of the check of a large document; it receives a
            function that ends the check.
    """

    def __init__(
        self,
        publish: Callable[[Document, bool], None],
        progress: Callable[[str, Callable[[], None]], AbstractAsyncContextManager[None]],
    ) -> None:
        self._publish = publish
        self._progress = progress
        self._states: dict[str, _State] = {}
        self._by_path: dict[str, _State] = {}
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="check")
        self._large_pool = ThreadPoolExecutor(2, thread_name_prefix="large")
        self.projects = Projects(self._text_at)

    def _text_at(self, path: str) -> str | None:
        state = self._by_path.get(path)
        return state.text.source if state is not None else None

    def open(self, uri: str, path: str, language: str, version: int | None, text: Text) -> None:
        """Add a document."""
        self.close(uri)
        state = self._states[uri] = _State(uri, path, language, version, text)
        if path != STDIN:
            self._by_path[path] = state
        self._schedule(state, 0)

    def change(self, uri: str, version: int | None, text: Text) -> None:
        """Set the newest version of a document."""
        state = self._states.get(uri)
        if state is None:
            return
        state.version, state.text = version, text
        state.current = None
        is_slow = state.duration > _SLOW and len(text.source) >= _ESTIMATED.start
        if is_slow and len(text.source) in _ESTIMATED:
            state.current = self._estimate(state)
            state.is_estimate = True
        if state.current is not None:
            self._publish(self._document(state, state.current), False)
        pause = _PAUSE if not is_slow else min(max(10 * _PAUSE, 2 * state.duration), _LONGEST_PAUSE)
        self._schedule(state, pause)

    def _estimate(self, state: _State) -> Analysis | None:
        if state.exact is None or state.exact.kind in MAIL:
            return None
        try:
            return estimate(state.exact, state.text.source, self._checker(state))
        except Exception:  # the check of the whole document reports it
            return None

    def close(self, uri: str) -> None:
        """Remove a document."""
        state = self._states.pop(uri, None)
        if state is None:
            return
        if self._by_path.get(state.path) is state:
            del self._by_path[state.path]
        if state.task is not None:
            state.task.cancel()

    def check_again(self, *, large: bool) -> None:
        """Check every document again, because the configuration or other files have changed.

        Args:
            large: whether to check large documents as well. That takes long, and they rarely depend on files.
        """
        for state in self._states.values():
            if len(state.text.source) >= _LARGE and not large:
                continue
            state.current = None
            self._schedule(state, _PAUSE)

    def uris(self) -> Iterator[str]:
        """Yield the addresses of the open documents."""
        yield from list(self._states)

    def text_of(self, path: str) -> tuple[str, int | None, Text] | None:
        """Return address, version and text of an open document by its absolute path; None if it is not open."""
        state = self._by_path.get(path)
        return (state.uri, state.version, state.text) if state is not None else None

    async def document(self, uri: str, *, exact: bool = False) -> Document | None:
        """Return a document with an analysis of its newest version; None if it is not open.

        Args:
            uri: its address.
            exact: whether to wait for the check if there is an estimate.
        """
        while (state := self._states.get(uri)) is not None:
            if state.current is not None and not (exact and state.is_estimate):
                return self._document(state, state.current)
            if state.task is None or state.task.done():
                self._schedule(state, 0)
            task = state.task
            if task is not None:
                await asyncio.wait([task])
        return None

    def is_estimate(self, uri: str) -> bool:
        """Return whether what is known about a document is an estimate."""
        state = self._states.get(uri)
        return state is not None and state.is_estimate

    async def run(self, function: Callable[..., T], *arguments: object) -> T:
        """Return the result of a function that takes some time, called by the thread that checks documents."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, function, *arguments)

    def end(self) -> None:
        """End all checks."""
        for uri in self.uris():
            self.close(uri)
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._large_pool.shutdown(wait=False, cancel_futures=True)

    def _schedule(self, state: _State, pause: float) -> None:
        if state.task is not None:
            state.task.cancel()
        state.task = asyncio.get_running_loop().create_task(self._check(state, pause))

    def _document(self, state: _State, analysis: Analysis) -> Document:
        return Document(state.uri, state.version, state.text, analysis, self._checker(state))

    def _checker(self, state: _State) -> Checker:
        project = self.projects.of(state.path)
        targets = project.targets if state.path != STDIN else None
        return Checker(state.path, state.language, project.configuration, targets)

    async def _check(self, state: _State, pause: float) -> None:
        """Check the newest version of a document after a pause; an edit cancels this."""
        await asyncio.sleep(pause)
        version, text, generation = state.version, state.text, self.projects.generation
        began = time.monotonic()
        analysis = await self._analysis(state, text.source)
        if version != state.version or generation != self.projects.generation:
            return
        corrects = state.is_estimate and state.current is not None and state.current.findings != analysis.findings
        state.duration = time.monotonic() - began
        state.exact = state.current = analysis
        state.is_estimate = False
        self._publish(self._document(state, analysis), corrects)

    async def _analysis(self, state: _State, text: str) -> Analysis:
        """Return the analysis of a text. An unexpected exception is its error, so that requests are answered."""
        try:
            if not self.projects.settings_of(state.path).enable:
                return Analysis(text, "plain")
            if len(text) >= _LARGE:
                return await self._check_large(state, text)
            return await self.run(self._checker(state).check, text)
        except Exception as error:
            return Analysis(text, "plain", error=internal_error(error))

    async def _check_large(self, state: _State, text: str) -> Analysis:
        folder = self.projects.folder_of(state.path)
        task = Task(state.path, state.language, folder, self.projects.settings_of(state.path), text)
        check = BackgroundCheck()
        try:
            async with self._progress(state.path, check.end):
                loop = asyncio.get_running_loop()
                result: Awaitable[Analysis] = loop.run_in_executor(self._large_pool, check.run, task)
                return await result
        except EndedError:
            return Analysis(text, "plain", error="the check was ended; edit the document to check it again")
        finally:
            check.end()


def internal_error(error: Exception) -> str:
    """Return a message about an unexpected exception, without its own message, which may quote a document."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {frames[-1].name}:{frames[-1].lineno}" if frames else ""
    return f"internal error: {type(error).__name__}{place}; this is a bug in urlscan: please report it"
