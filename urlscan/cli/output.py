"""Write to standard output and standard error."""

import os
import sys

from urlscan.core.errors import SourceError


def write(text: str | bytes, *, to_stderr: bool = False, commands: bool = False) -> None:
    """Write to standard output (or standard error) as UTF-8, whatever the locale.

    Args:
        text: complete lines of text; or bytes, which are written unchanged.
        to_stderr: whether to write to standard error.
        commands: whether the text consists of workflow commands; otherwise commands in it are escaped.

    Raises:
        BrokenPipeError: the reader has closed the pipe.
        SourceError: it cannot be written.
    """
    data = encoded(text, commands=commands) if isinstance(text, str) else text
    stream = sys.stderr if to_stderr else sys.stdout
    try:
        if stream is None:
            raise OSError(9, os.strerror(9))
        stream.flush()
        stream.buffer.write(data)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise SourceError("standard error" if to_stderr else "standard output", error.strerror or str(error)) from None


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
        raise SourceError("standard output", error.strerror or str(error)) from None


def finish() -> None:
    """Flush standard output after a failure; if that fails as well, abandon it silently."""
    try:
        flush()
    except (BrokenPipeError, SourceError):
        abandon()


def abandon() -> None:
    """Redirect standard output to the null device, so that later writes do not fail."""
    try:
        if sys.stdout is None:
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - until the process ends
            return
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):  # there is no standard output
        return


def complain(message: str) -> None:
    """Write one line to standard error, with secrets masked."""
    from urlscan.formats.escape import escape
    from urlscan.secrets import redact

    try:
        sys.stderr.write(f"urlscan: {escape(redact(message))}\n")  # an argument read as a path may be a URL
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):  # standard error is closed
        return


def use_color(when: str, *, to_stderr: bool = False) -> bool:
    """Return whether to use colors: `--color`, else NO_COLOR, else FORCE_COLOR, else whether it is a terminal."""
    if when != "auto":
        return when == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in {"", "0"}:
        return True
    stream = sys.stderr if to_stderr else sys.stdout
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
