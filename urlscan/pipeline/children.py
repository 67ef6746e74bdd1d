"""Start child processes, send them work, and receive their results.

A child is forked, so that it shares a large text with its parent. The parent tells each child which task to run next,
so that all of them are busy until the end, and reads whatever they send while it waits for one result, so that none of
them waits for another. Both are limited, so that no child is far ahead. Without `fork`, or if no process can be
started, the parent does the work.

`concurrent.futures.ProcessPoolExecutor` in place of this module (measured on CPython 3.11) leaves its children running
if the parent ends by SIGTERM or SIGKILL, and takes 13 % more processor time and 2 to 4 MB more memory, both for 100 MB
of mail and for 8,000 small files.

Each child holds the reading end of another pipe, the lifeline, whose writing end only the parent holds. However the
parent ends, the system closes that end, and the child exits: see `_end_with_parent`.
"""

import _thread
import contextlib
import os
import pickle
import select
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from urlscan.core.errors import UrlscanError
from urlscan.core.typing import Any, BinaryIO, Generic, T
from urlscan.files.walk import ElsewhereError

if sys.platform == "linux" and hasattr(os, "fork"):  # without processes nothing needs it
    import fcntl

Tasks = Callable[[], Iterable[Callable[[], object]]]

# F_SETPIPE_SZ of fcntl on Linux: room for results that the parent has not read yet.
_SET_PIPE_SIZE = 1031
_PIPE = 1 << 20
# How many tasks are assigned to a child at a time: the one that it runs, and the next one.
_ASSIGNED = 2
# Limits on the results that are not consumed yet: how many tasks per process, and bytes per process.
_AHEAD = 8
_MOST_BYTES = 1 << 24
# The numbers of tasks, and the lengths of results, are sent as eight bytes each.
_NUMBER = 8


class Undone:
    """The class itself is the result of a task that is left to the parent."""


class _Missing:
    """The class itself is the result for a number that no task has."""


class _Child:
    """A child process.

    Attributes:
        pid: its process identifier.
        results: the reading end of the pipe for its results.
        orders: the writing end of the pipe for the numbers of its tasks.
        lifeline: the writing end of another pipe; the child exits when it is closed.
        assigned: the numbers of the tasks whose results it has not sent yet.
        received: what it has sent of the next result.
        is_running: whether more results can come.
    """

    __slots__ = ("assigned", "is_running", "lifeline", "orders", "pid", "received", "results")

    def __init__(self, pid: int, results: int, orders: int, lifeline: int) -> None:
        self.pid, self.results, self.orders, self.lifeline = pid, results, orders, lifeline
        self.assigned: deque[int] = deque()
        self.received = bytearray()
        self.is_running = True

    def assign(self, number: int) -> None:
        """Tell the child to run a task."""
        try:
            os.write(self.orders, number.to_bytes(_NUMBER, "little"))
        except BrokenPipeError:  # it has ended
            return
        self.assigned.append(number)

    def receive(self) -> Iterator[tuple[int, bytearray]]:
        """Read from the pipe, and yield each complete result with the number of its task."""
        try:
            data = os.read(self.results, _PIPE)
        except OSError:
            data = b""
        self.is_running = bool(data)
        self.received += data
        while len(self.received) >= _NUMBER:
            end = _NUMBER + int.from_bytes(self.received[:_NUMBER], "little")
            if len(self.received) < end:
                return
            result = self.received[_NUMBER:end]
            del self.received[:end]
            yield self.assigned.popleft(), result

    def close(self) -> None:
        """Close the parent's ends of the pipes."""
        for descriptor in (self.results, self.orders, self.lifeline):
            os.close(descriptor)

    def kill(self) -> None:
        """End the process at once."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


class Children:
    """The child processes of `in_order`, and the results that they have sent."""

    def __init__(self) -> None:
        self._children: list[_Child] = []
        self._waiting: dict[int, bytearray] = {}
        self._bytes = 0
        self._unassigned = 0

    def start(self, tasks: Tasks, jobs: int) -> None:
        """Start the processes, as many as possible, and assign their first tasks."""

        def work(orders: int, writer: int, lifeline: int) -> None:
            for sibling in self._children:
                sibling.close()
            _end_with_parent(lifeline)
            _work(tasks, orders, writer)

        for _ in range(jobs):
            child = _fork(work)
            if child is None:
                self.end(-1)  # the pipes of the last may leave no files for this process to open
                break
            self._children.append(child)
        self._assign(0)

    def result(self, number: int) -> Any:
        """Return the result of a task; Undone if no process delivers it. Raise IndexError if there is no such task."""
        self._assign(number)
        while number not in self._waiting:
            if not any(number in child.assigned for child in self._children if child.is_running):
                self._unassigned = max(self._unassigned, number + 1)
                return Undone
            self._receive(number)
            self._assign(number)
        data = self._waiting.pop(number)
        self._bytes -= len(data)
        result = pickle.loads(data)  # noqa: S301 - written by ourselves a moment ago
        if result is _Missing:
            raise IndexError(number)
        return result

    def _assign(self, number: int) -> None:
        """Assign tasks to the processes that have fewer than two; `number` is the task whose result is needed."""
        last = number + _AHEAD * len(self._children)
        for having in range(_ASSIGNED):
            for child in self._children:
                if not child.is_running or len(child.assigned) > having or self._unassigned >= last:
                    continue
                if self._unassigned == number or self._bytes < _MOST_BYTES * len(self._children):
                    child.assign(self._unassigned)
                    self._unassigned += 1

    def _receive(self, number: int) -> None:
        """Wait until a process sends something, and read it."""
        poll = select.poll()
        by_pipe = {child.results: child for child in self._children if child.is_running}
        for pipe, child in by_pipe.items():
            if number in child.assigned or self._bytes + len(child.received) < _MOST_BYTES * len(self._children):
                poll.register(pipe, select.POLLIN)
        for pipe, _ in poll.poll():
            for finished, data in by_pipe[pipe].receive():
                self._waiting[finished] = data
                self._bytes += len(data)

    def end(self, first: int = 0) -> None:
        """Kill the processes from an index on, and release their pipes."""
        for child in self._children[first:]:
            child.close()
            child.kill()
        del self._children[first:]


def _fork(work: Callable[[int, int, int], object]) -> _Child | None:
    """Fork a process that calls `work` and exits; return None if there is no `fork`, or no process or pipe left.

    The arguments of `work` are ends of pipes: reading the orders, writing the results, and reading the lifeline.
    """
    if not hasattr(os, "fork"):
        return None
    pipes: list[int] = []
    try:
        for _ in range(3):
            pipes += os.pipe()
        pid = os.fork()
    except OSError:
        for descriptor in pipes:
            os.close(descriptor)
        return None
    reader, orders, results, writer, lifeline, held_open = pipes
    child = _Child(pid, results, orders, held_open)
    if pid:
        for descriptor in (reader, writer, lifeline):
            os.close(descriptor)
        return child
    try:  # the child must never return into the caller's code
        child.close()
        work(reader, writer, lifeline)
    finally:
        os._exit(0)


def _end_with_parent(lifeline: int) -> None:
    """Make this process exit at once on a signal or when its parent has ended.

    On Linux the system sends SIGIO when the writing end of the pipe is closed, which ends the process even while it
    matches an expression or writes a result. Elsewhere a thread reads the pipe and must wait until a running match
    returns. Linux needs the thread as well, for a parent that ended before.
    `lifeline` is the reading end of a pipe to which nothing is written.
    """
    _end_by_signal(lifeline)
    _thread.start_new_thread(_wait_for_end, (lifeline,))


def _end_by_signal(lifeline: int) -> None:
    """Make this process exit on a signal, and on Linux when its parent ends."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGIO"):
        # The parent may have installed handlers. Signals that the parent ignores stay ignored.
        number = getattr(signal, name, None)
        if number is not None and (name == "SIGIO" or signal.getsignal(number) != signal.SIG_IGN):
            signal.signal(number, signal.SIG_DFL)
    if sys.platform == "linux" and hasattr(os, "O_ASYNC"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGIO})
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)


def _wait_for_end(lifeline: int) -> None:
    try:
        os.read(lifeline, 1)
    finally:
        os._exit(1)


def _work(tasks: Tasks, orders: int, writer: int) -> None:
    """Run the tasks whose numbers are read from `orders`, in increasing order, and write the results."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            fcntl.fcntl(writer, _SET_PIPE_SIZE, _PIPE)
    remaining, completed = iter(tasks()), 0
    with open(writer, "wb") as pipe:
        while order := os.read(orders, _NUMBER):
            number = int.from_bytes(order, "little")
            task = next(islice(remaining, number - completed, None), None)
            completed = number + 1
            # A number is assigned before it is known whether there are so many tasks.
            try:
                result: Any = _Missing
                if task is not None:
                    result = task()
            except ElsewhereError:
                result = Undone
            data = pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
            pipe.write(len(data).to_bytes(_NUMBER, "little"))
            pipe.write(data)
            pipe.flush()


# --- one process that answers


class Conversation(Generic[T]):
    """A generator that runs in a child process, and to which this process sends answers.

    The child has no part of what this process creates afterwards, such as threads, and may fork others. If no process
    can be started, the generator runs in this one.

    Args:
        generate: returns the generator, given a function that returns the next answer; it must yield an item for each
            answer that it takes, before it takes it. Called in the child process.
    """

    def __init__(self, generate: Callable[[Callable[[], Any]], Iterator[T]]) -> None:
        self._generate = generate
        self._answers: deque[Any] = deque()
        self._items: BinaryIO | None = None
        self._pipe: BinaryIO | None = None
        self._parent = os.getpid()
        self._child = _fork(self._write)
        if self._child is not None:
            self._items = open(self._child.results, "rb")  # noqa: SIM115 - closed by `close`
            self._pipe = open(self._child.orders, "wb")  # noqa: SIM115

    def _write(self, reader: int, writer: int, lifeline: int) -> None:
        """Write the items and an end, or an exception, in the child process."""
        _end_by_signal(lifeline)
        if os.getppid() != self._parent:  # it has ended before
            return
        with open(reader, "rb") as answers, open(writer, "wb") as pipe:

            def answer() -> Any:
                pipe.flush()
                return pickle.load(answers)  # noqa: S301 - written by the parent process

            try:
                for item in self._generate(answer):
                    pickle.dump(("item", item), pipe, pickle.HIGHEST_PROTOCOL)
                pickle.dump(("end", None), pipe)
            except BrokenPipeError:  # the parent has ended
                return
            except Exception as error:
                import traceback  # for an error only

                # A traceback cannot be pickled; its frames tell where the error occurred.
                vars(error)["frames"] = [*traceback.extract_tb(error.__traceback__)]
                pickle.dump(("error", error), pipe)

    def send(self, answer: object) -> None:
        """Send an answer to the generator."""
        if self._pipe is None:
            self._answers.append(answer)
            return

        pickle.dump(answer, self._pipe, pickle.HIGHEST_PROTOCOL)
        self._pipe.flush()

    def items(self) -> Iterator[T]:
        """Yield the items of the generator; raise its exception, or UrlscanError if the process was killed."""
        if self._items is None:
            yield from self._generate(self._answers.popleft)
            return

        while True:
            try:
                kind, item = pickle.load(self._items)  # noqa: S301 - written by ourselves a moment ago
            except (EOFError, OSError, pickle.UnpicklingError):
                message = "the process that reads the files was killed"
                raise UrlscanError(message, hint="the same command continues") from None
            if kind == "error":
                raise item
            if kind == "end":
                return
            yield item

    def close(self) -> None:
        """End the process."""
        if self._child is None or self._items is None or self._pipe is None:
            return

        self._items.close()
        with contextlib.suppress(OSError):
            self._pipe.close()
        self._child.kill()
        os.close(self._child.lifeline)
        self._items = self._pipe = None
