"""Work in processes: in order, complete, and done here where a process fails."""

import os

import pytest

from urlscan import processes
from urlscan.processes import in_order, processors


def test_results_come_in_order_and_from_other_processes():
    tasks = [lambda n=n: (n, os.getpid()) for n in range(4)]
    found = list(in_order(tasks))
    assert [n for n, _ in found] == [0, 1, 2, 3]
    assert found[0][1] == os.getpid()
    assert len({pid for _, pid in found}) == 4


def test_what_a_process_cannot_do_is_done_here():
    here = os.getpid()

    def task():
        if os.getpid() != here:
            os._exit(3)
        return "done here"

    assert list(in_order([lambda: 1, task])) == [1, "done here"]


def test_without_fork_everything_is_done_here(monkeypatch):
    monkeypatch.delattr(os, "fork")
    assert list(in_order([os.getpid, os.getpid])) == [os.getpid()] * 2


def test_no_process_is_left_when_nobody_waits_any_more():
    results = in_order([lambda: 1, lambda: b"x" * 10_000_000])
    assert next(results) == 1
    results.close()
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_there_is_a_processor():
    assert processors() >= 1
    assert processes.__doc__
