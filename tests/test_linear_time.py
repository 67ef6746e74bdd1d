"""Test that `tests/linear_time.py` tells linear from quadratic work, and ends what does not end."""

import itertools
import time

import pytest

from tests.linear_time import TooSlowError, aborted_after, assert_linear


def test_linear_work_passes_however_long_it_takes():
    assert_linear(lambda size: sum(range(size)), 2_000_000, within=0)


def test_quadratic_work_fails():
    with pytest.raises(AssertionError, match="not linear"):
        assert_linear(lambda size: [sum(range(size)) for _ in range(size)], 1_200, within=0)


def test_fast_work_runs_once():
    sizes = []
    assert_linear(sizes.append, 1_000)
    assert sizes == [1_000]


def test_time_without_processor_does_not_count():
    assert_linear(lambda size: time.sleep(0.1), 1, within=0.05)


def test_endless_work_is_aborted():
    with pytest.raises(TooSlowError), aborted_after(0.01):
        all(True for _ in itertools.repeat(1))
