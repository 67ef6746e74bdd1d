"""End by SIGTERM and SIGHUP with temporary files removed."""

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

_NAMES = ("SIGTERM", "SIGHUP")


class _Terminated(BaseException):
    """A signal came that ends the process."""


@contextlib.contextmanager
def unwound() -> Iterator[None]:
    """Remove temporary files and end child processes when SIGTERM or SIGHUP come, then end by that signal.

    What is ignored (`nohup`), or handled by somebody else, is left as it is; so is everything outside of the main
    thread, where handlers cannot be set.
    """
    received: list[int] = []
    numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    numbers = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]

    def handle(number: int, _frame: FrameType | None) -> None:
        for one in numbers:  # a second one must not interrupt cleaning up
            signal.signal(one, signal.SIG_IGN)
        received.append(number)
        raise _Terminated

    try:
        for number in numbers:
            signal.signal(number, handle)
    except ValueError:
        numbers = []
    # Generators clean up when the traceback is gone, which is before the signal is raised again.
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
