"""Report internal errors in one line on standard error, and the traceback on request.

The message of the exception is not shown: it may quote the text that was read (`invalid literal for int() with base 10:
...`), which may hold secrets.
"""

import traceback

from urlscan.cli import output

_REPORT = "this is a bug in urlscan: please report it with the command and the output of `urlscan --version`"


def report(error: Exception, *, verbose: bool) -> None:
    """Write one line about an unexpected exception to standard error, after its traceback if `verbose`."""
    frames = [*traceback.extract_tb(error.__traceback__), *vars(error).get("frames", ())]  # those of a child process
    error.__traceback__ = error.__context__ = None  # their frames refer to the texts that use the memory
    output.finish()
    if isinstance(error, FileNotFoundError) and error.filename is None:  # of os.getcwd()
        output.complain("the current directory does not exist")
        return
    if isinstance(error, MemoryError):
        summary, advice = "out of memory", "try --jobs 1, or fewer files at a time"
    else:
        summary, advice = type(error).__name__, _REPORT
        if frames:
            summary += f" in {_place(frames[-1])}"
    if verbose:
        for frame in frames:
            output.complain(f"  {_place(frame)} in {frame.name}: {frame.line}")
    else:
        advice += "; -v shows the traceback"
    output.complain(f"internal error: {summary} ({advice})")


def _place(frame: traceback.FrameSummary) -> str:
    _, package, below = frame.filename.replace("\\", "/").rpartition("/urlscan/")
    return f"{package[1:]}{below}:{frame.lineno}"
