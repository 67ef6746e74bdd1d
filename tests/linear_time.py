"""Assert that work takes linear time, on a loaded machine too.

Only processor time is measured, but even that doubles or triples when processes compete for caches. So that a limit in
seconds never decides alone: work that exceeds it is measured again at a fourth of the size, and fails only if the time
grows like a square in each of several attempts.
"""

import gc
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

FACTOR = 4  # between the two sizes
GROWTH = 10.0  # limit on the growth of the time: linear is 4, quadratic is 16
_ATTEMPTS = 5
_ABORT = 120  # seconds of processor time after which a run counts as endless


class TooSlowError(BaseException):
    """A run exceeded its limit.

    Not an Exception, which a command would report as an internal error.
    """


@contextmanager
def aborted_after(seconds: float) -> Iterator[None]:
    """Raise TooSlowError in the block after some seconds of processor time."""

    def stop(*_: object) -> None:
        raise TooSlowError

    old = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, old)


def processor_seconds(work: Callable[[], object], limit: float = _ABORT) -> float:
    """Return the processor time of one call, without garbage collection.

    Raises TooSlowError if it takes more than `limit` seconds.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        with aborted_after(limit):
            before = time.process_time()
            work()
            return time.process_time() - before
    finally:
        if enabled:
            gc.enable()


def assert_linear(work: Callable[[int], object], size: int, *, within: float = 1.0) -> None:
    """Assert that `work(size)` takes linear time.

    Less than `within` seconds of processor time pass at once; choose `size` so that quadratic work takes far longer.
    """
    large = small = float("inf")
    try:
        for _ in range(_ATTEMPTS):
            large = min(large, processor_seconds(lambda: work(size)))
            if large < within:
                return
            small = min(small, processor_seconds(lambda: work(size // FACTOR)))
            if large < GROWTH * small:
                return
    except TooSlowError:
        large = _ABORT
    raise AssertionError(f"not linear: {small:.2f} s at {size // FACTOR}, {large:.2f} s at {size}")
