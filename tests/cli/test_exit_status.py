"""Exit status 1 is for findings alone: an internal error is one line and 2, whatever raised it and wherever."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import urlscan.pipeline.check_source
import urlscan.pipeline.extract
from tests.command import clean_environment
from urlscan.cli import main

SECRET = "s3cret"
BAD = "http://h.example/%zz/a\n"
COMMAND = [sys.executable, "-m", "urlscan"]


class UnforeseenError(Exception):
    """Nothing of ours catches it by name."""


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A directory with two files, so that two processes share the work."""
    for number in range(2):
        (tmp_path / f"{number}.txt").write_text(BAD * 40_000)
    return tmp_path


def broken(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Make the reading of every source raise `error`."""

    def fail(*_: object, **__: object) -> None:
        raise error

    for module in (urlscan.pipeline.check_source, urlscan.pipeline.extract):
        monkeypatch.setattr(module, "segments_of", fail)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("arguments", [["check"], ["check", "--fix"], ["check", "--format", "html"], ["extract"]])
@pytest.mark.parametrize(
    "error", [UnforeseenError(SECRET), RecursionError(), MemoryError(), IndexError("http://a:b@h")]
)
def test_an_internal_error_is_one_line_and_status_2(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], many: Path, jobs: str,
    arguments: list[str], error: Exception,
) -> None:  # fmt: skip
    broken(monkeypatch, error)
    assert main([*arguments, "--isolated", "--jobs", jobs, str(many)]) == 2
    said = capfd.readouterr().err
    assert said.startswith("urlscan: internal error: ")
    assert said.count("\n") == 1
    assert SECRET not in said
    assert "a:b@" not in said
    assert ("out of memory" if isinstance(error, MemoryError) else type(error).__name__) in said


@pytest.mark.parametrize("command", ["parse", "normalize", "rules", "config"])
def test_so_it_is_in_the_other_commands(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    module = importlib.import_module(f"urlscan.cli.{command}")
    monkeypatch.setattr(module, "run", lambda _: 1 / 0)
    assert main([command, "http://h.example/"]) == 2
    said = capfd.readouterr().err
    assert said.startswith("urlscan: internal error: ZeroDivisionError ")
    assert said.count("\n") == 1


@pytest.mark.parametrize("verbose", ["-v", "--verbose"])
def test_the_traceback_is_shown_on_request_without_what_was_read(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], many: Path, verbose: str
) -> None:
    broken(monkeypatch, UnforeseenError(SECRET))
    assert main(["check", "--isolated", verbose, str(many)]) == 2
    said = capfd.readouterr().err
    assert "in check" in said
    assert "segments_of(source" in said
    assert said.splitlines()[-1].startswith("urlscan: internal error: UnforeseenError in ")
    assert SECRET not in said


def test_an_interrupt_is_still_130(monkeypatch: pytest.MonkeyPatch, many: Path) -> None:
    broken(monkeypatch, KeyboardInterrupt())
    assert main(["check", "--isolated", "--jobs", "1", str(many)]) == 130


def closed(which: str, *arguments: str, cwd: Path, text: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    """Run the command with one of its three streams closed."""
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {which}', "sh", *COMMAND, *arguments], cwd=cwd, input=text, env=clean_environment(),
        capture_output=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    ["check -", "check --fix -", "check --add-ignore -", "check --files-from -", "extract -", "parse -",
     "resolve http://h.example/ -", "normalize -"],
)  # fmt: skip
def test_a_closed_standard_input_is_trouble(tmp_path: Path, arguments: str) -> None:
    done = closed("<&-", *arguments.split(), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"urlscan: -: standard input is closed\n"


@pytest.mark.parametrize("command", ["check", "extract"])
def test_closed_outputs_do_not_change_what_is_trouble(tmp_path: Path, command: str) -> None:
    done = closed(">&-", command, "-", cwd=tmp_path, text=BAD.encode())
    assert (done.returncode, done.stderr) == (2, b"urlscan: standard output: Bad file descriptor\n")
    done = closed("2>&-", command, "-", cwd=tmp_path, text=BAD.encode())
    assert done.returncode == (1 if command == "check" else 0)
    assert b"http://h.example/%zz" in done.stdout
    assert closed(">&- 2>&-", command, "missing", cwd=tmp_path).returncode == 2
    assert closed("<&- >&- 2>&-", command, "-", cwd=tmp_path).returncode == 2
