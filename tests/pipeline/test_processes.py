"""Work in processes: in order, complete, and done here where a process fails."""

import os

import pytest

from urlscan.pipeline import processes
from urlscan.pipeline.processes import in_order, processors


def test_results_come_in_order_and_from_other_processes():
    tasks = [lambda n=n: (n, os.getpid()) for n in range(7)]
    found = list(in_order(lambda: tasks, 3))
    assert [n for n, _ in found] == list(range(7))
    assert len({pid for _, pid in found} - {os.getpid()}) == 3


def test_one_task_or_one_process_is_done_here():
    assert list(in_order(lambda: [os.getpid], 4)) == [os.getpid()]
    assert list(in_order(lambda: [os.getpid] * 3, 1)) == [os.getpid()] * 3
    assert list(in_order(list, 4)) == []


def test_what_a_process_cannot_do_is_done_here():
    here = os.getpid()

    def task():
        if os.getpid() != here:
            os._exit(3)
        return "done here"

    assert list(in_order(lambda: [lambda: 1, task, lambda: 2, lambda: 3], 2)) == [1, "done here", 2, 3]


def test_what_a_process_raises_is_raised_here():
    def task():
        raise ValueError("x")

    with pytest.raises(ValueError, match="x"):
        list(in_order(lambda: [lambda: 1, task], 2))


def test_without_fork_everything_is_done_here(monkeypatch):
    monkeypatch.delattr(os, "fork")
    assert list(in_order(lambda: [os.getpid, os.getpid], 2)) == [os.getpid()] * 2


def test_no_process_is_left_when_nobody_waits_any_more():
    results = in_order(lambda: [lambda: 1, lambda: b"x" * 10_000_000], 2)
    assert next(results) == 1
    results.close()
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_there_is_a_processor():
    assert processors() >= 1
    assert processes.__doc__
