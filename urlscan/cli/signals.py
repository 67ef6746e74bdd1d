"""Remove temporary files on SIGTERM and SIGHUP."""

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

_NAMES = ("SIGTERM", "SIGHUP")


class _Terminated(BaseException):
    """Raised by the handler of a terminating signal."""


@contextlib.contextmanager
def unwound() -> Iterator[None]:
    """Remove temporary files and end child processes on SIGTERM or SIGHUP, then end by that signal.

    Signals that are ignored (`nohup`) or have another handler are not changed. Outside the main thread nothing is done,
    because handlers cannot be set there.
    """
    received: list[int] = []
    numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    numbers = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]

    def handle(number: int, _frame: FrameType | None) -> None:
        for signal_number in numbers:  # a second signal must not interrupt the cleanup
            signal.signal(signal_number, signal.SIG_IGN)
        received.append(number)
        raise _Terminated

    try:
        for number in numbers:
            signal.signal(number, handle)
    except ValueError:
        numbers = []
    # Generators clean up when the traceback is released, which is before the signal is raised again.
    with contextlib.suppress(_Terminated):
        try:
            yield
        finally:
            if not received:
                _reset(numbers)
    if received:
        _reset(numbers)
        signal.raise_signal(received[0])


def _reset(numbers: list[int]) -> None:
    for number in numbers:
        signal.signal(number, signal.SIG_DFL)
