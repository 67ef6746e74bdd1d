"""Runs the command as its users do, in a process of its own."""

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

_NOT_OURS = ("GIT_", "NO_COLOR", "FORCE_COLOR", "PYTHON")


class Done(NamedTuple):
    """How a run ended: exit status, and what it wrote."""

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
    """The environment without what would change how we, or git, behave."""
    ours = (name for name in os.environ if not name.startswith(_NOT_OURS) or name == "PYTHONPATH")
    kept = {name: os.environ[name] for name in ours}
    return {**kept, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **more}


def urlscan(*arguments: str | bytes, stdin: bytes | None = b"", cwd: Path | None = None, **env: str) -> Done:
    """Run `urlscan ARGUMENTS`; `stdin=None` is /dev/null, else a pipe."""
    command = [sys.executable, "-m", "urlscan", *arguments]
    source = {"stdin": subprocess.DEVNULL} if stdin is None else {"input": stdin}
    done = subprocess.run(command, cwd=cwd, env=clean_environment(**env), capture_output=True, timeout=60, **source)
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return Done(done.returncode, done.stdout, done.stderr.decode("utf-8", "surrogateescape"))


def git(directory: Path, *arguments: str) -> None:
    """Run git in a repository of a test's own."""
    identity = ["-c", "user.name=tester", "-c", "user.email=tester@h.example", "-c", "init.defaultBranch=main"]
    subprocess.run(
        ["git", *identity, "-C", str(directory), *arguments], env=clean_environment(), check=True, capture_output=True
    )


def run_in_process(*arguments: str, stdin: bytes = b"") -> Done:
    """Run `urlscan ARGUMENTS` in this process, a hundred times faster than in one of its own."""
    from urlscan.cli import main

    streams = {
        "stdin": io.TextIOWrapper(io.BytesIO(stdin), "utf-8"),
        "stdout": io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True),
        "stderr": io.TextIOWrapper(io.BytesIO(), "utf-8", errors="surrogateescape", write_through=True),
    }
    kept = {name: getattr(sys, name) for name in streams}
    try:
        for name, stream in streams.items():
            setattr(sys, name, stream)
        try:
            status = main(list(arguments))
        except SystemExit as ended:
            status = ended.code
    finally:
        for name, stream in kept.items():
            setattr(sys, name, stream)
    out, err = (streams[name].buffer.getvalue() for name in ("stdout", "stderr"))  # type: ignore[attr-defined]
    return Done(int(status or 0), out, err.decode("utf-8", "surrogateescape"))
