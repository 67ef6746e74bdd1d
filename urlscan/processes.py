"""Run functions in processes of their own; their results come in order.

A process is forked, so that a large text is shared and not sent; what it makes comes back through a pipe, one after
the other, so that none is far ahead.  Where there is no `fork`, or no process to be had, the work is done here.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, BinaryIO, NamedTuple, TypeVar

T = TypeVar("T")

# fcntl's F_SETPIPE_SZ on Linux: room for results that nobody has asked for yet.
_SET_PIPE_SIZE = 1031
_PIPE = 1 << 20
_GRIEF = object()


class _Child(NamedTuple):
    """A process, and the pipe that its results come through."""

    pid: int
    pipe: BinaryIO


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_order(tasks: Callable[[], Iterable[Callable[[], T]]], jobs: int) -> Iterator[T]:
    """Yield what the tasks return, in their order.

    Args:
        tasks: returns the tasks, the same whenever it is called: each process takes every `jobs`-th of them.
        jobs: how many processes; one task alone is done here, and so are all if it is 1.
    """
    if jobs == 1 or len(list(islice(tasks(), 2))) < 2:
        for task in tasks():
            yield task()
        return
    children = [_start(tasks, number, jobs) for number in range(jobs)]
    try:
        for number, task in enumerate(tasks()):
            child = children[number % jobs]
            result: Any = _next(child) if child is not None else _GRIEF
            if child is not None and result is _GRIEF:  # what it leaves is done here
                children[number % jobs] = None
                _end(child)
            yield task() if result is _GRIEF else result
    finally:
        for child in children:
            if child is not None:
                _end(child)


def _start(tasks: Callable[[], Iterable[Callable[[], object]]], number: int, jobs: int) -> _Child | None:
    """Fork a process that writes its results into a pipe, pickled; None if there can be none."""
    if not hasattr(os, "fork"):
        return None
    reader, writer = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        os.close(reader)
        os.close(writer)
        return None
    if pid:
        os.close(writer)
        return _Child(pid, open(reader, "rb"))
    try:  # the child: whatever happens, it must not return into the caller's code
        os.close(reader)
        _work(tasks, number, jobs, writer)
    finally:
        os._exit(0)


def _work(tasks: Callable[[], Iterable[Callable[[], object]]], number: int, jobs: int, writer: int) -> None:
    import pickle

    if sys.platform == "linux":
        import contextlib
        import fcntl

        with contextlib.suppress(OSError):
            fcntl.fcntl(writer, _SET_PIPE_SIZE, _PIPE)
    with open(writer, "wb") as pipe:
        for task in islice(tasks(), number, None, jobs):
            # At once: half a result must not be taken for one.
            pipe.write(pickle.dumps(task(), pickle.HIGHEST_PROTOCOL))
            pipe.flush()


def _next(child: _Child) -> Any:
    """Return the next result of a process, or _GRIEF if it has none any more."""
    import pickle

    try:
        return pickle.load(child.pipe)  # noqa: S301 - written by ourselves a moment ago
    except (EOFError, OSError, pickle.UnpicklingError):  # it ended, or was killed while it wrote
        return _GRIEF


def _end(child: _Child) -> None:
    """End a process that nobody waits for any more."""
    import contextlib
    import signal

    child.pipe.close()
    with contextlib.suppress(ProcessLookupError):
        os.kill(child.pid, signal.SIGKILL)
    os.waitpid(child.pid, 0)
