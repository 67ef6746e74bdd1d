"""Test that `tests/linear_time.py` tells linear from quadratic work, and ends what does not end."""

import itertools
import time

import pytest

from tests.linear_time import TooSlowError, aborted_after, assert_linear


def test_linear_work_passes_however_long_it_takes():
    assert_linear(lambda size: sum(range(size)), 2_000_000, within=0)


@pytest.mark.parametrize("noise", [1, 1.5])
def test_quadratic_work_fails(monkeypatch, noise):
    """The clock is simulated; a busy machine slows down one of the sizes."""
    clock = [0.0]
    monkeypatch.setattr(time, "process_time", lambda: clock[0])

    def work(size):
        clock[0] += size**2 * (noise if size < 1_200 else 1)

    with pytest.raises(AssertionError, match="not linear"):
        assert_linear(work, 1_200, within=0)


def test_fast_work_runs_once():
    sizes = []
    assert_linear(sizes.append, 1_000)
    assert sizes == [1_000]


def test_time_without_processor_does_not_count():
    assert_linear(lambda size: time.sleep(0.1), 1, within=0.05)


def test_endless_work_is_aborted():
    with pytest.raises(TooSlowError), aborted_after(0.01):
        all(True for _ in itertools.repeat(1))
