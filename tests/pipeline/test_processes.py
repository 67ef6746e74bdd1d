"""Test work in processes: results are in order and complete, and failed tasks are repeated in the parent process."""

import os
import time

import pytest

from urlscan.pipeline.children import Conversation
from urlscan.pipeline.processes import in_order, processors


def test_results_are_in_order_and_from_other_processes():
    tasks = [lambda n=n: (n, os.getpid()) for n in range(7)]
    found = list(in_order(lambda: tasks, 3))
    assert [n for n, _ in found] == list(range(7))
    assert len({pid for _, pid in found} - {os.getpid()}) == 3


def test_single_task_runs_in_the_parent_process():
    assert list(in_order(lambda: [os.getpid], 4)) == [os.getpid()]
    assert list(in_order(lambda: [os.getpid] * 3, 1)) == [os.getpid()] * 3
    assert list(in_order(list, 4)) == []


def test_failed_task_is_repeated_in_the_parent_process():
    parent = os.getpid()

    def task():
        if os.getpid() != parent:
            os._exit(3)
        return "done by the parent"

    assert list(in_order(lambda: [lambda: 1, task, lambda: 2, lambda: 3], 2)) == [1, "done by the parent", 2, 3]


def test_exception_in_a_process_is_raised_in_the_parent():
    def task():
        raise ValueError("x")

    with pytest.raises(ValueError, match="x"):
        list(in_order(lambda: [lambda: 1, task], 2))


def test_tasks_run_in_the_parent_process_without_fork(monkeypatch):
    monkeypatch.delattr(os, "fork")
    assert list(in_order(lambda: [os.getpid, os.getpid], 2)) == [os.getpid()] * 2


def test_too_few_open_files_start_fewer_processes():
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.dup(0)
    os.close(free)

    def task():
        with open(os.devnull, "rb"), open(os.devnull, "rb"), open(os.devnull, "rb"):
            return os.getpid()

    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (free + 20, hard))
        results = in_order(lambda: [task] * 40, 30)
        found = {next(results)}
        assert task() == os.getpid()
        found.update(results)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert len(found - {os.getpid()}) > 2


@pytest.mark.parametrize("function", ["fork", "pipe"])
def test_conversation_without_a_process_runs_in_this_one(monkeypatch, function):
    def fail():
        raise BlockingIOError(11, "no more")

    monkeypatch.setattr(os, function, fail)
    conversation = Conversation(lambda answer: iter([os.getpid()]))
    assert list(conversation.items()) == [os.getpid()]
    conversation.close()
    assert list(in_order(lambda: [os.getpid, os.getpid], 2)) == [os.getpid()] * 2


def test_closing_the_results_ends_the_processes(tmp_path):
    def large() -> bytes:
        (tmp_path / "pid").write_text(str(os.getpid()))
        return b"x" * 10_000_000

    results = in_order(lambda: [os.getpid, large], 2)
    first = next(results)
    while not (tmp_path / "pid").exists() or not (second := (tmp_path / "pid").read_text()):
        time.sleep(0.01)
    results.close()
    for number in (first, int(second)):
        assert number != os.getpid()
        with pytest.raises(ChildProcessError):
            os.waitpid(number, os.WNOHANG)


def test_processes_do_not_wait_for_one_with_a_long_task(tmp_path):
    """Others take over the tasks after it, even if their results are larger than a pipe."""

    def long() -> bool:
        deadline = time.monotonic() + 30
        while not (tmp_path / "done").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        return (tmp_path / "done").exists()

    def last() -> bytes:
        (tmp_path / "done").touch()
        return b"last"

    large = [b"x" * 3_000_000] * 4
    tasks = [long, *(lambda data=data: data for data in large), last]
    assert list(in_order(lambda: tasks, 2)) == [True, *large, b"last"]


def test_process_is_not_far_ahead_of_the_results(tmp_path):
    def task(number: int) -> int:
        (tmp_path / str(number)).touch()
        return number

    tasks = [lambda number=number: task(number) for number in range(200)]
    results = in_order(lambda: tasks, 2)
    assert next(results) == 0
    time.sleep(0.05)
    assert len(list(tmp_path.iterdir())) < 40
    assert list(results) == list(range(1, 200))


def test_number_of_processors_is_positive():
    assert processors() >= 1
