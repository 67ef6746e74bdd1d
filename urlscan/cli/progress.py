"""Show the progress of a run that takes longer than two seconds, in the last line of the terminal.

A timer draws the line, so that it moves while a large file is read. It is drawn on standard error, only if that is a
terminal, and never while something else is written: `output` removes it before and draws it after.
"""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from time import monotonic

from urlscan.cli import output
from urlscan.core.typing import TYPE_CHECKING
from urlscan.formats.base import number
from urlscan.pipeline.processes import process_id
from urlscan.pipeline.read import ReadOptions

if TYPE_CHECKING:  # loaded only for options, or for a terminal
    from argparse import Namespace

    from urlscan.pipeline.progress import Progress

# Seconds before the line appears, and between two drawings.
DELAY = 2.0
_INTERVAL = 0.1
_REMOVE = b"\r\x1b[K"


@contextlib.contextmanager
def shown(options: "Namespace", paths: list[str], read_options: ReadOptions) -> Iterator[ReadOptions]:
    """Show the progress of the run in this context; yield the options to read with."""
    if not _is_wanted(options, paths):
        yield read_options
        return
    from urlscan.pipeline.progress import Progress

    progress = Progress()
    line = _Line(progress)
    output.set_status(line)
    try:
        with _timer(line, progress):
            yield read_options._replace(progress=progress)
    finally:
        line.hide()
        output.set_status(None)


def _is_wanted(options: "Namespace", paths: list[str]) -> bool:
    """Return whether there is a terminal to draw on, on which the user does not type."""
    if options.no_progress or options.quiet or os.environ.get("TERM") == "dumb":
        return False
    if not output.is_terminal(to_stderr=True):
        return False
    if "-" in paths and (sys.stdin is None or sys.stdin.isatty()):
        return False
    # A pipe leads to a pager or another program that writes to the same terminal.
    return sys.stdout is not None and (sys.stdout.isatty() or sys.stdout.seekable())


class _Line:
    """The line that shows the progress."""

    def __init__(self, progress: "Progress") -> None:
        self._progress = progress
        self._started = self._drawn = monotonic()
        self._process = process_id()
        self._is_drawn = False
        self._is_held = False

    def hold(self) -> None:
        """Remove the line and do not draw it until it is released, because something else is written."""
        self._is_held = True
        self.hide()

    def release(self) -> None:
        """Allow the line to be drawn."""
        self._is_held = False

    def hide(self) -> None:
        """Remove the line."""
        if self._is_drawn:
            self._is_drawn = False
            output.draw(_REMOVE)

    def draw(self) -> None:
        """Draw the line, unless it is too early or something else is being written."""
        # A forked process can receive a signal of its parent's timer.
        now = monotonic()
        is_due = now - self._started >= DELAY and now - self._drawn >= _INTERVAL / 2
        if self._is_held or not is_due or process_id() != self._process:
            return
        self._drawn = now
        self._is_held = True  # the timer may go off again, while tqdm is imported
        with contextlib.suppress(Exception):  # a fault here must not end the run
            text = _text(self._progress, now - self._started, output.columns() - 1)
            self._is_drawn = True
            output.draw(_REMOVE + text.encode("utf-8", "replace"))
        self._is_held = False


def _text(progress: "Progress", elapsed: float, columns: int) -> str:
    """Return the line: a bar if tqdm is installed, else the same numbers in words."""
    files = f"{progress.files:,}/{number(progress.all_files, 'file')}"
    size, all_size = progress.size, progress.all_size or None
    try:
        from tqdm import tqdm
    except Exception:  # not installed, or imported while the run imports a module that it needs
        return _words(files, size, all_size, elapsed)[:columns]
    ascii = (sys.stderr.encoding or "").lower().replace("-", "") != "utf8"
    return str(
        tqdm.format_meter(size, all_size, elapsed, ncols=columns, ascii=ascii, prefix=files, unit="B", unit_scale=True)
    )


def _words(files: str, size: int, all_size: int | None, elapsed: float) -> str:
    rate = size / elapsed if elapsed > 0 else 0
    read = f"{size / 1e6:.1f}" + (f"/{all_size / 1e6:.1f}" if all_size else "")
    remaining = f", {max(all_size - size, 0) / rate:.0f} s left" if all_size and rate else ""
    return f"{files}, {read} MB, {rate / 1e6:.1f} MB/s{remaining}"


@contextlib.contextmanager
def _timer(line: _Line, progress: "Progress") -> Iterator[None]:
    """Draw the line at intervals, or between files where there is no timer: on Windows, outside the main thread."""
    has_timer = hasattr(signal, "setitimer") and signal.getsignal(signal.SIGALRM) in (signal.SIG_DFL, None)
    try:
        if has_timer:
            signal.signal(signal.SIGALRM, lambda _number, _frame: line.draw())
    except ValueError:  # not in the main thread
        has_timer = False
    if not has_timer:
        progress.notify = line.draw
        yield
        return
    try:
        signal.setitimer(signal.ITIMER_REAL, DELAY, _INTERVAL)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
