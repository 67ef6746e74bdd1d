"""Write to standard output and standard error."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from urlscan.core.errors import SourceError, reason
from urlscan.core.typing import BinaryIO, Protocol

# Terminals that show links: variables that they set, values of TERM_PROGRAM, and values of TERM.
_LINKS_BY_VARIABLE = ("WT_SESSION", "KONSOLE_VERSION", "DOMTERM", "KITTY_WINDOW_ID")
_LINKS_BY_PROGRAM = ("iTerm.app", "WezTerm", "vscode", "Hyper", "ghostty", "Tabby", "rio", "mintty")
_LINKS_BY_TERM = ("kitty", "ghostty", "alacritty", "foot", "contour", "rio")


class Status(Protocol):
    """A line at the end of the terminal that must not be mixed with other output."""

    def hold(self) -> None:
        """Remove the line until it is released."""

    def release(self) -> None:
        """Show the line again."""


_status: list[Status] = []


def set_status(status: Status | None) -> None:
    """Set or remove the status line that is shown on the terminal."""
    _status.clear()
    if status is not None:
        _status.append(status)


def write(text: str | bytes, *, to_stderr: bool = False, commands: bool = False) -> None:
    """Write lines to standard output (or standard error) as UTF-8, whatever the locale, or bytes unchanged.

    Workflow commands in the text are escaped, unless it consists of `commands`. If the reader has closed the pipe,
    BrokenPipeError is raised; SourceError for any other failure.
    """
    data = encoded(text, commands=commands) if isinstance(text, str) else text
    stream = sys.stderr if to_stderr else sys.stdout
    for status in _status:
        status.hold()
    try:
        if stream is None:
            raise OSError(9, os.strerror(9))
        stream.flush()
        stream.buffer.write(data)
        if _status and stream.isatty():
            stream.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise SourceError("standard error" if to_stderr else "standard output", reason(error)) from None
    for status in _status:
        status.release()


def encoded(text: str, *, commands: bool = False) -> bytes:
    """Return the bytes of lines of output, with workflow commands escaped unless `commands`."""
    if not commands and ("::" in text or "##" in text):
        from urlscan.formats.escape import escape_commands

        text = escape_commands(text)
    return text.encode("utf-8", "backslashreplace")


def flush() -> None:
    """Flush standard output; raise as `write`."""
    write(b"")
    try:
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        abandon()
        raise SourceError("standard output", reason(error)) from None


def finish() -> None:
    """Flush standard output and standard error after a failure; if that fails as well, abandon them silently."""
    try:
        flush()
    except (BrokenPipeError, SourceError):
        abandon()
    with suppress(OSError, ValueError, AttributeError):  # it is closed
        sys.stderr.flush()


def abandon() -> None:
    """Redirect standard output to the null device, so that later writes do not fail."""
    with suppress(OSError, ValueError, AttributeError):  # there is no standard output
        if sys.stdout is None:
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - until the process ends
            return
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def complain(message: str) -> None:
    """Write one line to standard error, with secrets masked."""
    from urlscan.core.secrets import redact
    from urlscan.formats.escape import escape

    for status in _status:
        status.hold()
    try:
        sys.stderr.write(f"urlscan: {escape(redact(message))}\n")  # an argument read as a path may be a URL
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):  # standard error is closed
        return
    for status in _status:
        status.release()


@contextmanager
def protocol_streams() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Provide standard input and output for a protocol; anything else that is written to them goes to standard error.

    Raises:
        SourceError: one of them is closed.
    """
    flush()
    if sys.stdin is None:
        raise SourceError("standard input", os.strerror(9))
    descriptor = os.dup(sys.stdout.fileno())
    try:
        os.dup2(2, sys.stdout.fileno())
    except OSError:  # standard error is closed
        abandon()
    with open(descriptor, "wb") as stdout:
        yield sys.stdin.buffer, stdout


def is_terminal(*, to_stderr: bool) -> bool:
    """Return whether standard output (or standard error) is a terminal."""
    stream = sys.stderr if to_stderr else sys.stdout
    return stream is not None and stream.isatty()


def draw(data: bytes) -> None:
    """Write to the terminal of standard error at once; a signal handler cannot use a buffer, which may be in use."""
    with suppress(OSError):  # it was closed
        os.write(2, data)


def columns() -> int:
    """Return the width of the terminal of standard error."""
    try:
        return os.get_terminal_size(2).columns or 80
    except OSError:
        return 80


def use_styles(when: str, *, to_stderr: bool = False) -> tuple[bool, bool]:
    """Return whether to use colors, and whether to write links (OSC 8).

    Colors: `--color` (`when`), else NO_COLOR, else FORCE_COLOR, else whether it is a terminal. Links: FORCE_HYPERLINK,
    else whether the terminal is known to show them; none with "never".
    """
    forbids = bool(os.environ.get("NO_COLOR"))
    is_capable = is_terminal(to_stderr=to_stderr) and os.environ.get("TERM") != "dumb"
    color = when == "always"
    if when == "auto" and not forbids:
        color = is_capable or os.environ.get("FORCE_COLOR", "0") not in {"", "0"}
    forced = os.environ.get("FORCE_HYPERLINK")
    if when == "never" or forced == "0" or forbids:
        return color, False
    return color, bool(forced) or (is_capable and _terminal_has_links())


def _terminal_has_links() -> bool:
    """Return whether the terminal is one of those that show links, by the variables that they set."""
    program, term = os.environ.get("TERM_PROGRAM", ""), os.environ.get("TERM", "")
    vte = os.environ.get("VTE_VERSION", "")
    return (
        any(name in os.environ for name in _LINKS_BY_VARIABLE)
        or program in _LINKS_BY_PROGRAM
        or term.removeprefix("xterm-").partition("-")[0] in _LINKS_BY_TERM
        or (vte.isdecimal() and int(vte) > 5000)  # 0.50.0 crashed on them
    )
