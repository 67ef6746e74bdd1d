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

from urlscan.files.walk import STDIN
from urlscan.server.actions import CheckedDocument
from urlscan.server.analysis import Analysis, Checker
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

    def uris(self) -> Iterator[str]:
        """Yield the addresses of the open documents."""
        yield from list(self._states)

    def text_of(self, path: str) -> tuple[str, int | None, Text] | None:
        """Return address, version and text of an open document by its absolute path; None if it is not open."""
        state = self._by_path.get(path)
        return (state.uri, state.version, state.text) if state is not None else None

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

    def end(self) -> None:
        """End all checks."""
        for uri in self.uris():
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
        return CheckedDocument(state.uri, state.version, state.text, analysis, state.check, self._checker(state))

    def _checker(self, state: _State) -> Checker:
        project = self.projects.of(state.path)
        targets = project.targets if state.path != STDIN else None
        return Checker(state.path, state.language, project.configuration, targets)

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
            checker = self._checker(state)
            if not state.is_large:
                return await self.run(checker.check, text)
            if checker.targets is not None:
                checker = checker._replace(targets=self.projects.separate_targets(state.path))
            return await asyncio.get_running_loop().run_in_executor(self._large_pool, checker.check, text)
        except Exception as error:
            return Analysis(text, error=internal_error(error))


def internal_error(error: Exception) -> str:
    """Return a message about an unexpected exception, without its own message, which may quote a document."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {frames[-1].name}:{frames[-1].lineno}" if frames else ""
    return f"internal error: {type(error).__name__}{place}; this is a bug in urlscan: please report it"
