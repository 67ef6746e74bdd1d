"""Run functions in processes of their own; their results come in order.

A process is forked, so that a large text is shared and not sent; what it makes comes back through a pipe, one after
the other, so that none is far ahead.  Where there is no `fork`, or no process to be had, the work is done here.

Each child holds the reading end of a second pipe, whose writing end only the parent has.  However the parent ends, the
system closes that, and the child ends: see `_end_with_parent`.
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
    """A process.

    Attributes:
        pid: its number.
        pipe: what its results come through.
        lifeline: the writing end of a pipe, which only this process holds, and which ends the other when it is closed.
    """

    pid: int
    pipe: BinaryIO
    lifeline: int


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
    children: list[_Child | None] = []
    try:
        for number in range(jobs):
            children.append(_start(tasks, number, jobs, children))
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


def _start(
    tasks: Callable[[], Iterable[Callable[[], object]]], number: int, jobs: int, others: list[_Child | None]
) -> _Child | None:
    """Fork a process that writes its results into a pipe, pickled; None if there can be none.

    Args:
        tasks: as of `in_order`.
        number: which of the processes it is.
        jobs: as of `in_order`.
        others: the processes started before; the child closes their pipes.
    """
    if not hasattr(os, "fork"):
        return None
    reader, writer = os.pipe()
    lifeline, held = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        for descriptor in (reader, writer, lifeline, held):
            os.close(descriptor)
        return None
    if pid:
        os.close(writer)
        os.close(lifeline)
        return _Child(pid, open(reader, "rb"), held)
    try:  # the child: whatever happens, it must not return into the caller's code
        os.close(reader)
        os.close(held)
        for other in others:
            if other is not None:
                other.pipe.close()
                os.close(other.lifeline)
        _end_with_parent(lifeline)
        _work(tasks, number, jobs, writer)
    finally:
        os._exit(0)


def _end_with_parent(lifeline: int) -> None:
    """Make this process end at once when a signal ends it or when its parent is gone.

    On Linux the system sends SIGIO when the writing end of the pipe is closed, which ends a process in the middle of
    matching an expression or of writing a result.  Elsewhere a thread reads the pipe, which must wait for a match that
    is going on.  The thread is started on Linux, too: it notices a parent that was gone before.

    Args:
        lifeline: the reading end of a pipe, to which nothing is written.
    """
    import _thread
    import signal

    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGIO"):
        # The parent may have handlers of its own.  What it ignores, its children ignore.
        number = getattr(signal, name, None)
        if number is not None and (name == "SIGIO" or signal.getsignal(number) != signal.SIG_IGN):
            signal.signal(number, signal.SIG_DFL)
    if sys.platform == "linux" and hasattr(os, "O_ASYNC"):
        import fcntl

        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGIO})
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
    _thread.start_new_thread(_wait_for_end, (lifeline,))


def _wait_for_end(lifeline: int) -> None:
    try:
        os.read(lifeline, 1)
    finally:
        os._exit(1)


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
    os.close(child.lifeline)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child.pid, signal.SIGKILL)
    os.waitpid(child.pid, 0)
