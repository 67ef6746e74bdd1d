"""Run tasks in child processes and yield their results in order; the processes are those of `children`."""

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

T = TypeVar("T")


def process_id() -> int:
    """Return the number of this process, which differs from its parent's."""
    return os.getpid()


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_order(tasks: Callable[[], Iterable[Callable[[], T]]], jobs: int) -> Iterator[T]:
    """Yield the results of the tasks, in the order of the tasks.

    Args:
        tasks: returns the same tasks on every call; each process runs some of them.
        jobs: the number of processes. With 1, or with a single task, the work is done in this process.
    """
    if jobs == 1 or len(list(islice(tasks(), 2))) < 2:
        for task in tasks():
            yield task()
        return
    from urlscan.pipeline.children import FAILED, Children

    children = Children()
    try:
        children.start(tasks, jobs)
        for number, task in enumerate(tasks()):
            result: Any = children.result(number)
            yield task() if result is FAILED else result
    finally:
        children.end()
