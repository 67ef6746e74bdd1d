"""Run the urlscan command, in this process or in a process of its own."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest import mock

_REMOVED_PREFIXES = ("GIT_", "NO_COLOR", "FORCE_COLOR", "PYTHON")


class Result(NamedTuple):
    """The result of a run: exit status, standard output and standard error."""

    status: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode()

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()


def clean_environment(**more: str) -> dict[str, str]:
    """Return the environment without variables that change the behavior of urlscan or git."""
    ours = (name for name in os.environ if not name.startswith(_REMOVED_PREFIXES) or name == "PYTHONPATH")
    kept = {name: os.environ[name] for name in ours}
    return {
        **kept,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "SOURCE_DATE_EPOCH": "784111777",
        **more,
    }


def urlscan(*arguments: str | bytes, stdin: bytes | None = b"", cwd: Path | None = None, **env: str) -> Result:
    """Run `urlscan ARGUMENTS` in this process and return its result.

    If `stdin` is None, standard input is /dev/null, otherwise a pipe. As in a separate process, the standard streams
    have file descriptors.
    """
    from urlscan.cli import main

    status: int | str | None
    with contextlib.ExitStack() as stack:
        opened = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(2)]
        out, err = (io.TextIOWrapper(one, "utf-8", errors="surrogateescape", write_through=True) for one in opened)
        stack.enter_context(
            mock.patch.multiple(sys, stdin=stack.enter_context(_standard_input(stdin)), stdout=out, stderr=err)
        )
        stack.enter_context(mock.patch.dict(os.environ, clean_environment(**env), clear=True))
        stack.enter_context(contextlib.chdir(cwd or Path.cwd()))
        try:
            status = main([os.fsdecode(argument) for argument in arguments])
        except SystemExit as ended:
            status = ended.code
        texts = []
        for stream, file in ((out, opened[0]), (err, opened[1])):
            stream.flush()
            file.seek(0)
            texts.append(file.read())
    assert b"Traceback" not in texts[1], texts[1].decode()
    assert status is None or isinstance(status, int)
    return Result(status or 0, texts[0], texts[1].decode("utf-8", "surrogateescape"))


@contextlib.contextmanager
def _standard_input(data: bytes | None) -> Iterator[io.TextIOWrapper]:
    """Yield /dev/null, or the read end of a pipe that contains `data`."""
    if data is None:
        with open(os.devnull, encoding="utf-8") as nothing:
            yield nothing
        return
    reading, writing = os.pipe()

    def write() -> None:
        with contextlib.suppress(BrokenPipeError), open(writing, "wb") as end:
            end.write(data)

    writer = threading.Thread(target=write)
    if len(data) <= 4096:  # fits into the pipe; child processes of -j must not inherit a thread
        write()
    else:
        writer.start()
    with open(reading, encoding="utf-8", errors="surrogateescape") as stream:
        yield stream
    if writer.ident is not None:
        writer.join()


def urlscan_process(*arguments: str | bytes, stdin: bytes | None = b"", cwd: Path | None = None, **env: str) -> Result:
    """Run `urlscan ARGUMENTS` in a separate process, otherwise like `urlscan`."""
    command = [sys.executable, "-m", "urlscan", *arguments]
    source = {"stdin": subprocess.DEVNULL} if stdin is None else {"input": stdin}
    done = subprocess.run(command, cwd=cwd, env=clean_environment(**env), capture_output=True, timeout=60, **source)
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return Result(done.returncode, done.stdout, done.stderr.decode("utf-8", "surrogateescape"))


def git(directory: Path, *arguments: str) -> None:
    """Run git in a test repository."""
    identity = ["-c", "user.name=tester", "-c", "user.email=tester@h.example", "-c", "init.defaultBranch=main"]
    subprocess.run(
        ["git", *identity, "-C", str(directory), *arguments], env=clean_environment(), check=True, capture_output=True
    )
