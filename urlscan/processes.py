"""Run functions in processes of their own; their results come in order.

A process is forked, so that a large text is shared and not sent; what it returns comes back through a
pipe.  Where there is no `fork`, or no process to be had, the work is done here, one after the other.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO, TypeVar

T = TypeVar("T")


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_order(tasks: Sequence[Callable[[], T]]) -> Iterator[T]:
    """Yield what the tasks return, in their order; the first is done here, each other in a process."""
    children = [_start(task) for task in tasks[1:]]
    try:
        if tasks:
            yield tasks[0]()
        for task, child in zip(tasks[1:], children, strict=True):
            yield _result(task, child)
    finally:
        for child in children:
            if child is not None and not child[1].closed:  # nobody waits for it any more
                import signal

                child[1].close()
                os.kill(child[0], signal.SIGKILL)
                os.waitpid(child[0], 0)


def _start(task: Callable[[], object]) -> tuple[int, BinaryIO] | None:
    """Fork a process that writes the pickled result into a pipe; None if there can be none."""
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
        return pid, open(reader, "rb")
    status = 1
    try:  # the child: whatever happens, it must not return into the caller's code
        import pickle

        os.close(reader)
        with open(writer, "wb") as pipe:
            pickle.dump(task(), pipe, pickle.HIGHEST_PROTOCOL)
        status = 0
    finally:
        os._exit(status)


def _result(task: Callable[[], T], child: tuple[int, BinaryIO] | None) -> T:
    """Return what the child found, or do the task here if it came to grief."""
    if child is None:
        return task()
    import pickle

    pid, pipe = child
    with pipe:
        data = pipe.read()
    _, status = os.waitpid(pid, 0)
    if status:
        return task()
    result: T = pickle.loads(data)  # noqa: S301 - written by ourselves a moment ago
    return result
