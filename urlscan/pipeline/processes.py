"""Run tasks in child processes and yield their results in order; the processes are those of `children`."""

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, count, islice

from urlscan.core.typing import Any, T


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
        tasks: returns the same tasks on every call; each process runs some of them. This process calls it once,
            and runs only those that raise ElsewhereError in a child, or whose child has ended.
        jobs: the number of processes. With 1, or with a single task, the work is done in this process.
    """
    tasks_here = iter(tasks())
    first = list(islice(tasks_here, min(jobs, 2)))
    if len(first) < 2:
        for task in chain(first, tasks_here):
            yield task()
        return
    from urlscan.pipeline.children import Children, Undone

    children = Children()
    try:
        children.start(tasks, jobs)
        numbered = enumerate(chain(first, tasks_here))
        for number in count():
            try:
                result: Any = children.result(number)
            except IndexError:
                return
            if result is not Undone:
                yield result
                continue
            undone = next((task for task_number, task in numbered if task_number == number), None)
            if undone is None:
                return
            yield undone()
    finally:
        children.end()
