"""Standard output and standard error: bytes, colours, and what happens when nobody reads them."""

import os
import sys

from urlscan.errors import SourceError


def write(text: str | bytes, *, to_stderr: bool = False, commands: bool = False) -> None:
    """Write to standard output (or standard error) as UTF-8, whatever the locale.

    Args:
        text: whole lines of text; or bytes, which are a fixed document and written as they are.
        to_stderr: whether to write to standard error.
        commands: whether the text is made of workflow commands; otherwise it is written so that none is in it.

    Raises:
        BrokenPipeError: nobody reads it any more.
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
    """Return the bytes to write for lines of output, without workflow commands unless `commands`."""
    if not commands and ("::" in text or "##" in text):
        from urlscan.formats.masking import escape_commands

        text = escape_commands(text)
    return text.encode("utf-8", "backslashreplace")


def flush() -> None:
    """Write out what is buffered; raises as `write` does."""
    write(b"")
    try:
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        abandon()
        raise SourceError("standard output", error.strerror or str(error)) from None


def finish() -> None:
    """Write out what is buffered after a failure; if that fails as well, give up standard output in silence."""
    try:
        flush()
    except (BrokenPipeError, SourceError):
        abandon()


def abandon() -> None:
    """Give up standard output, closed or not, so that nothing written to it from now on fails."""
    try:
        if sys.stdout is None:
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - until the process ends
            return
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):  # there is none
        return


def complain(message: str) -> None:
    """Write one line to standard error."""
    from urlscan.formats.masking import escape
    from urlscan.redact import redact

    try:
        sys.stderr.write(f"urlscan: {escape(redact(message))}\n")  # what was taken for a path may be a URL
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):  # nobody listens
        return


def use_color(when: str, *, to_stderr: bool = False) -> bool:
    """Return whether to use colours: `--color`, then NO_COLOR, FORCE_COLOR, then whether a terminal shows them."""
    if when != "auto":
        return when == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in {"", "0"}:
        return True
    stream = sys.stderr if to_stderr else sys.stdout
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
