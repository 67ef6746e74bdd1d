"""Check the open documents when they change: soon, in the background, and never an outdated version.

A document is checked as a whole, once no edit has followed for a moment. One thread checks documents one after the
other, so that the index of targets needs no locks. Large documents are checked when they are saved, by another thread.
"""

import asyncio
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from typing import TypeVar

from urlscan.api.buffers import UNSAVED, Analysis, Buffer
from urlscan.server.actions import CheckedDocument
from urlscan.server.projects import Projects
from urlscan.server.text import Text

# Documents with more characters are checked only when they are saved.
_LARGE = 1 << 21
# Seconds without another edit before a document is checked.
_PAUSE = 0.15

T = TypeVar("T")


@dataclass(slots=True)
class _State:
    """The state of an open document.

    Attributes:
        uri, path, language: its address, its absolute path or "-", and the name of its kind in the editor.
        version, text: its newest version.
        analysis: the analysis of the newest version; None until there is one.
        check: the number of the check that it comes from.
        task: the check that is waiting or running.
    """

    uri: str
    path: str
    language: str
    version: int | None
    text: Text
    analysis: Analysis | None = None
    check: int = 0
    task: "asyncio.Task[None] | None" = None

    @property
    def is_large(self) -> bool:
        """Whether the document is checked only when it is saved."""
        return len(self.text.source) > _LARGE


class Session:
    """The open documents.

    Args:
        publish: called when there is a new analysis of a document.
    """

    def __init__(self, publish: Callable[[CheckedDocument], None]) -> None:
        self._publish = publish
        self._states: dict[str, _State] = {}
        self._by_path: dict[str, _State] = {}
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="check")
        self._large_pool = ThreadPoolExecutor(1, thread_name_prefix="large")
        self._numbers = count(1)
        self.projects = Projects(self._text_at)

    def _text_at(self, path: str) -> str | None:
        opened = self.open_text(path)
        return opened and opened[1].source

    def open(self, uri: str, path: str, language: str, version: int | None, text: Text) -> None:
        """Add a document."""
        self.close(uri)
        state = self._states[uri] = _State(uri, path, language, version, text)
        if path != UNSAVED:
            self._by_path[path] = state
        self._schedule(state, 0)

    def change(self, uri: str, version: int | None, text: Text) -> None:
        """Set the newest version of a document."""
        state = self._states.get(uri)
        if state is not None:
            state.version, state.text = version, text
            self._schedule(state, _PAUSE)

    def save(self, uri: str) -> None:
        """Check a large document, which was saved."""
        state = self._states.get(uri)
        if state is not None and state.is_large:
            self._schedule(state, 0, saved=True)

    def close(self, uri: str) -> None:
        """Remove a document."""
        state = self._states.pop(uri, None)
        if state is None:
            return
        if self._by_path.get(state.path) is state:
            del self._by_path[state.path]
        if state.task is not None:
            state.task.cancel()

    def check_again(self) -> None:
        """Check every document again, because the configuration or other files have changed."""
        for state in self._states.values():
            if not state.is_large:
                self._schedule(state, _PAUSE)

    def open_text(self, path: str) -> tuple[str, Text] | None:
        """Return address and text of an open document by its absolute path; None if it is not open."""
        state = self._by_path.get(path)
        if state is None:
            return None
        return state.uri, state.text

    def buffer(self, uri: str) -> tuple[Buffer, Text] | None:
        """Return an open document that has a file and is not large, with its newest text, checked or not; else None."""
        state = self._states.get(uri)
        if state is None or state.is_large or state.path == UNSAVED:
            return None
        return self._buffer(state), state.text

    async def document(self, uri: str) -> CheckedDocument | None:
        """Return a document with the analysis of its newest version.

        Returns:
            The document; None if it is not open, or large and edited since it was saved.
        """
        while (state := self._states.get(uri)) is not None:
            if state.analysis is not None:
                return self._document(state, state.analysis)
            if state.task is None or state.task.done():
                if state.is_large:
                    return None
                self._schedule(state, 0)
            if state.task is not None:
                await asyncio.wait([state.task])
        return None

    async def run(self, function: Callable[..., T], *arguments: object) -> T:
        """Return the result of a function that takes some time, called by the thread that checks documents.

        It is not called if the request is canceled before its turn.
        """
        return await asyncio.get_running_loop().run_in_executor(self._pool, function, *arguments)

    async def run_each(self, items: Iterator[T | None]) -> list[T]:
        """Return the items of an iterator but None; each is computed as by `run`, and other documents in between."""
        results: list[T] = []
        end = object()
        while (item := await self.run(next, items, end)) is not end:
            if item is not None:
                results.append(item)
        return results

    def end(self) -> None:
        """End all checks."""
        for uri in list(self._states):
            self.close(uri)
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._large_pool.shutdown(wait=False, cancel_futures=True)

    def _schedule(self, state: _State, pause: float, *, saved: bool = False) -> None:
        """Check a document after a pause, in place of a check that is waiting or running."""
        state.analysis = None
        if state.task is not None:
            state.task.cancel()
            state.task = None
        if saved or not state.is_large:
            state.task = asyncio.get_running_loop().create_task(self._check(state, pause))

    def _document(self, state: _State, analysis: Analysis) -> CheckedDocument:
        return CheckedDocument(state.uri, state.version, state.text, analysis, state.check, self._buffer(state))

    def _buffer(self, state: _State) -> Buffer:
        project = self.projects.of(state.path)
        targets = project.targets if state.path != UNSAVED else None
        return Buffer(state.path, state.language, project.configuration, targets)

    async def _check(self, state: _State, pause: float) -> None:
        """Check the newest version of a document after a pause; an edit or a new configuration cancels this."""
        await asyncio.sleep(pause)
        state.analysis, state.check = await self._analysis(state, state.text.source), next(self._numbers)
        self._publish(self._document(state, state.analysis))

    async def _analysis(self, state: _State, text: str) -> Analysis:
        """Return the analysis of a text. An unexpected exception is its error, so that requests are answered."""
        try:
            if not self.projects.settings_of(state.path).enable:
                return Analysis(text)
            buffer = self._buffer(state)
            if not state.is_large:
                return await self.run(buffer.check, text)
            if buffer.targets is not None:  # the index of the project has no locks
                buffer = buffer._replace(targets=buffer.targets.emptied())
            return await asyncio.get_running_loop().run_in_executor(self._large_pool, buffer.check, text)
        except Exception as error:
            return Analysis(text, error=internal_error(error))


def internal_error(error: Exception) -> str:
    """Return a message about an unexpected exception, without its own message, which may quote a document."""
    frames = traceback.extract_tb(error.__traceback__)
    origin = ""
    if frames:
        origin = f" at {frames[-1].name}:{frames[-1].lineno}"
    return f"internal error: {type(error).__name__}{origin}; this is a bug in urlscan: please report it"
