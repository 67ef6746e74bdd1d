"""Run a program in a pseudo-terminal, as a user would."""

import contextlib
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

from tests.command import clean_environment

# Makes the terminal the controlling one, without which an interactive shell complains, and Ctrl-C effective, which is
# ignored in background jobs of a script; then runs the program.
_LAUNCH = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.SIG_DFL)
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
# Variables by which a terminal says what it can do.
_OTHERS = ("TERM", "COLORTERM", "VTE_", "WT_SESSION", "KONSOLE_", "FORCE_HYPERLINK", "DOMTERM", "KITTY_", "COLUMNS")


class Terminal:
    """A program in a terminal of 100 columns.

    Args:
        command: the program and its arguments.
        cwd: its directory.
        stdout: where its standard output goes; None for the terminal.
        environment: variables to add; TERM is xterm-256color unless it is given.
    """

    def __init__(self, *command: str, cwd: Path | None = None, stdout: int | None = None, **environment: str) -> None:
        self._main, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        kept = {name: value for name, value in clean_environment().items() if not name.startswith(_OTHERS)}
        kept |= {"TERM": "xterm-256color", **environment}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _LAUNCH, *command], cwd=cwd, env=kept, start_new_session=True,
            stdin=side, stdout=side if stdout is None else stdout, stderr=side,
        )  # fmt: skip
        os.close(side)
        self._seen = ""

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._main)

    def send(self, keys: str) -> None:
        """Type some keys."""
        os.write(self._main, keys.encode())

    def expect(self, text: str, seconds: float = 60) -> str:
        """Return everything up to a text, which is read from the terminal; fail if it does not come."""
        end = time.monotonic() + seconds
        while text not in self._seen:
            assert time.monotonic() < end, f"no {text!r} in {self._seen!r}"
            assert self._read(0.2), f"no {text!r} in {self._seen!r}"
        before, found, self._seen = self._seen.partition(text)
        return before + found

    def finish(self) -> tuple[int, str]:
        """Return the exit status, and the rest of what the program writes; fail if it does not end."""
        end = time.monotonic() + 120
        while self._read(60):
            assert time.monotonic() < end, f"still running: {self._seen[-1000:]!r}"
        return self._process.wait(60), self._seen

    def _read(self, seconds: float) -> bool:
        """Read what is there; return False at the end."""
        if select.select([self._main], [], [], seconds)[0]:
            data = b""
            with contextlib.suppress(OSError):  # Linux reports an error when the other side is closed
                data = os.read(self._main, 65536)
            self._seen += data.decode("utf-8", "replace")
            return bool(data)
        return self._process.poll() is None


def urlscan_in_terminal(*arguments: str, cwd: Path | None = None, **environment: str) -> tuple[int, str]:
    """Return the exit status of `urlscan ARGUMENTS` in a terminal, and what it writes there."""
    with Terminal(sys.executable, "-m", "urlscan", *arguments, cwd=cwd, **environment) as terminal:
        status, text = terminal.finish()
    return status, text.replace("\r\n", "\n")
