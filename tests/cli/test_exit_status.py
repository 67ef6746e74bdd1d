"""Exit status 1 means findings only: an internal error is one line with status 2, wherever it occurs."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import urlscan.api.batches
import urlscan.pipeline.check
import urlscan.pipeline.divide
from tests.command import clean_environment
from urlscan.cli import main

SECRET = "s3cret"
BAD = "http://h.example/%zz/a\n"
COMMAND = [sys.executable, "-m", "urlscan"]


class UnforeseenError(Exception):
    """An exception that no code catches by name."""


@pytest.fixture
def large_directory(tmp_path: Path) -> Path:
    """Return a directory with two files, so that two processes share the work."""
    for number in range(2):
        (tmp_path / f"{number}.txt").write_text(BAD * 40_000)
    return tmp_path


def break_reading(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Make reading any source raise `error`."""

    def fail(*_: object, **__: object) -> None:
        raise error

    for module in (urlscan.api.batches, urlscan.pipeline.check, urlscan.pipeline.divide):
        monkeypatch.setattr(module, "documents_of", fail)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("arguments", [["check"], ["check", "--fix"], ["check", "--format", "html"], ["extract"]])
@pytest.mark.parametrize(
    "error", [UnforeseenError(SECRET), RecursionError(), MemoryError(), IndexError("http://a:b@h")]
)
def test_internal_error_is_one_line_with_status_2(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], large_directory: Path, jobs: str,
    arguments: list[str], error: Exception,
) -> None:  # fmt: skip
    break_reading(monkeypatch, error)
    assert main([*arguments, "--isolated", "--jobs", jobs, str(large_directory)]) == 2
    message = capfd.readouterr().err
    assert message.startswith("urlscan: internal error: ")
    assert message.count("\n") == 1
    assert SECRET not in message
    assert "a:b@" not in message
    assert ("out of memory" if isinstance(error, MemoryError) else type(error).__name__) in message


@pytest.mark.parametrize("command", ["parse", "normalize", "rules", "config"])
def test_internal_error_in_other_commands_is_one_line_with_status_2(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    module = importlib.import_module(f"urlscan.cli.{command}")
    monkeypatch.setattr(module, "run", lambda _: 1 / 0)
    assert main([command, "http://h.example/"]) == 2
    message = capfd.readouterr().err
    assert message.startswith("urlscan: internal error: ZeroDivisionError ")
    assert message.count("\n") == 1


@pytest.mark.parametrize("verbose", ["-v", "--verbose"])
def test_verbose_shows_the_traceback_without_the_text_read(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], large_directory: Path, verbose: str
) -> None:
    break_reading(monkeypatch, UnforeseenError(SECRET))
    assert main(["check", "--isolated", verbose, str(large_directory)]) == 2
    message = capfd.readouterr().err
    assert "in main" in message
    assert "documents_of(source" in message
    assert message.splitlines()[-1].startswith("urlscan: internal error: UnforeseenError in ")
    assert SECRET not in message


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_error_in_the_process_that_reads_an_archive_names_its_place(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], large_directory: Path
) -> None:
    pytest.importorskip("duckdb")
    break_reading(monkeypatch, AttributeError(SECRET))
    database = str(large_directory.parent / "u.duckdb")
    assert main(["archive", "--isolated", "-v", "--db", database, str(large_directory)]) == 2
    message = capfd.readouterr().err
    last = message.splitlines()[-1]
    assert last.startswith("urlscan: internal error: AttributeError in ")
    assert "children.py" not in last
    assert SECRET not in message


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps the current directory of a process")
def test_missing_current_directory_is_one_line_with_status_2(tmp_path: Path) -> None:
    removed = tmp_path / "removed"
    removed.mkdir()
    done = subprocess.run(
        ["sh", "-c", 'rmdir "$PWD"; exec "$@"', "sh", *COMMAND, "check", "-"], cwd=removed, input=b"",
        env=clean_environment(), capture_output=True, check=False, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"urlscan: the current directory does not exist\n"


def test_interrupt_has_status_130(monkeypatch: pytest.MonkeyPatch, large_directory: Path) -> None:
    break_reading(monkeypatch, KeyboardInterrupt())
    assert main(["check", "--isolated", "--jobs", "1", str(large_directory)]) == 130


def run_with_closed(which: str, *arguments: str, cwd: Path, text: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    """Run the command with some of its three streams closed."""
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {which}', "sh", *COMMAND, *arguments], cwd=cwd, input=text, env=clean_environment(),
        capture_output=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    ["check -", "check --fix -", "check --add-ignore -", "check --files-from -", "extract -", "parse -",
     "resolve http://h.example/ -", "normalize -"],
)  # fmt: skip
def test_reading_closed_standard_input_is_an_error(tmp_path: Path, arguments: str) -> None:
    done = run_with_closed("<&-", *arguments.split(), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"urlscan: -: standard input is closed\n"


@pytest.mark.parametrize("command", ["check", "extract"])
def test_closed_outputs_keep_the_exit_status(tmp_path: Path, command: str) -> None:
    done = run_with_closed(">&-", command, "-", cwd=tmp_path, text=BAD.encode())
    assert (done.returncode, done.stderr) == (2, b"urlscan: standard output: Bad file descriptor\n")
    done = run_with_closed("2>&-", command, "-", cwd=tmp_path, text=BAD.encode())
    assert done.returncode == (1 if command == "check" else 0)
    assert b"http://h.example/%zz" in done.stdout
    assert run_with_closed(">&- 2>&-", command, "missing", cwd=tmp_path).returncode == 2
    assert run_with_closed("<&- >&- 2>&-", command, "-", cwd=tmp_path).returncode == 2
