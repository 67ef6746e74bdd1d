"""Test what all commands share: exit status, one-line errors, pipes, file names, standard input."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.command import git, urlscan
from urlscan import __version__
from urlscan.cli import COMMANDS, main

GOOD = "See http://h.example/ok\n"
BAD = "See http://h.example/%zz\n"
COMMAND = [sys.executable, "-m", "urlscan"]
HOSTILE = [b"new\nline", b"\x1b[31mred", b"not utf-8 \xff", b"-option", b" blank ", b"a:b,c%", "ü\u202e".encode()]


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "good.txt").write_text(GOOD)
    (tmp_path / "bad.txt").write_text(BAD)
    return tmp_path


# --- help


def test_version() -> None:
    assert urlscan("--version") == (0, f"urlscan {__version__}\n".encode(), "")


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], *([name, "--help"] for name in COMMANDS)])
def test_help_has_examples_and_fits_a_terminal(arguments: list[str]) -> None:
    done = urlscan(*arguments)
    assert (done.status, done.err) == (0, "")
    assert done.text.startswith("usage: urlscan")
    assert "examples:" in done.text
    assert max(map(len, done.lines)) <= 90


def test_help_lists_every_command() -> None:
    text = urlscan("--help").text
    for name, (_, summary) in COMMANDS.items():
        assert f"  {name} " in text
        assert summary in text


def test_missing_command_shows_the_help_with_status_2() -> None:
    done = urlscan()
    assert done.status == 2
    assert done.text == urlscan("--help").text


# --- usage


USAGE_ERRORS = """
frobnicate|--frobnicate|\x1b[31m|check --frobnicate|check --form json|check --format \x1b[31m|check --encoding klingon
check --select U999|check --select \x1b[31m|check --ignore no-such-rule|check --extend-select X|check --fail-on never
check --unsafe-fixes|check -0|check ""|check --files-from - -|extract --format full|extract --encoding klingon nowhere
extract --rejoin always|extract --count --with-filename|rules U999|rules --format xml
"""


@pytest.mark.parametrize(
    "arguments", [shlex.split(line) for line in re.split(r"[|\n]", USAGE_ERRORS.strip())], ids=ascii
)
def test_usage_error_is_one_line_with_status_2(arguments: list[str]) -> None:
    done = urlscan(*arguments, stdin=GOOD.encode())
    assert done.status == 2
    assert done.out == b""
    (line,) = done.err.splitlines()
    assert line.startswith("urlscan: ")
    assert line.isprintable()


def test_usage_error_lists_the_possible_values() -> None:
    assert "choose one of plain" in urlscan("extract", "--as", "fax").err
    assert "extract, check, init" in urlscan("lint").err
    assert "(choose one of never, wrapped, guess)" in urlscan("extract", "--rejoin", "x").err


def test_usage_errors_are_reported_before_files_are_read() -> None:
    assert urlscan("check", "--select", "U999", "missing.txt").err.count("\n") == 1


# --- input


def test_options_and_paths_may_be_mixed(here: Path) -> None:
    expected = urlscan("check", "--format", "concise", "bad.txt", "good.txt", cwd=here)
    assert urlscan("check", "bad.txt", "--format", "concise", "good.txt", cwd=here) == expected
    assert urlscan("check", "bad.txt", "--format=concise", "--", "good.txt", cwd=here) == expected


def test_arguments_after_two_hyphens_are_paths(here: Path) -> None:
    (here / "--format").write_text(BAD)
    done = urlscan("check", "--format", "concise", "--", "--format", cwd=here)
    assert (done.status, done.text[:16]) == (1, "--format:1:22: U")


def test_results_are_in_the_order_of_the_paths(here: Path) -> None:
    done = urlscan("extract", "--with-filename", "good.txt", "-", "bad.txt", stdin=b"ftp://h.example/", cwd=here)
    assert done.lines == [
        "good.txt:http://h.example/ok",
        "-:ftp://h.example/",
        "bad.txt:http://h.example/%zz",
    ]


def test_default_input_is_a_redirected_standard_input_or_the_directory(here: Path) -> None:
    assert urlscan("extract", stdin=b"ftp://h.example/", cwd=here).lines == ["ftp://h.example/"]
    with (here / "bad.txt").open("rb") as file:
        done = subprocess.run([*COMMAND, "extract"], stdin=file, cwd=here, capture_output=True, check=True)
    assert done.stdout == b"http://h.example/%zz\n"
    assert urlscan("extract", stdin=None, cwd=here).lines == ["http://h.example/%zz", "http://h.example/ok"]


def test_closed_standard_input_is_not_the_default_input(here: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *COMMAND, "extract"], cwd=here, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout.count(b"\n"), done.stderr) == (0, 2, b"")


def test_ignored_files_are_skipped_unless_named(here: Path) -> None:
    git(here, "init")
    (here / ".gitignore").write_text("bad.txt\n")
    assert urlscan("check", ".", cwd=here).status == 0
    assert urlscan("check", "bad.txt", cwd=here).status == 1


def test_files_from_reads_a_list_of_files(here: Path) -> None:
    (here / "list").write_text("bad.txt\n\ngood.txt\n")
    urls = ["http://h.example/%zz", "http://h.example/ok"]
    assert urlscan("extract", "--files-from", "list", cwd=here).lines == urls
    assert urlscan("extract", "--files-from", "-", stdin=b"bad.txt\ngood.txt", cwd=here).lines == urls
    assert urlscan("extract", "--files-from", "-", "-0", stdin=b"bad.txt\0good.txt\0", cwd=here).lines == urls
    assert urlscan("extract", "good.txt", "--files-from", "list", cwd=here).lines == urls[::-1]
    done = urlscan("extract", "--files-from", "-", stdin=b"", cwd=here)
    assert done == (0, b"", "urlscan: warning: no files were read\n"), (
        "an empty list does not mean the current directory"
    )
    done = urlscan("extract", "--files-from", "nowhere", cwd=here)
    assert (done.status, done.err) == (2, "urlscan: nowhere: No such file or directory\n")


def test_stdin_filename_names_standard_input() -> None:
    done = urlscan("check", "--stdin-filename", "docs/a.txt", "--format", "concise", stdin=BAD.encode())
    assert done.text.startswith("docs/a.txt:1:22: U201")


def test_encoding_applies_to_every_file(here: Path) -> None:
    (here / "latin.txt").write_bytes(b"http://h.example/caf\xe9/x end")
    assert urlscan("extract", "--encoding", "latin-1", "latin.txt", cwd=here).lines == ["http://h.example/café/x"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_mark_determines_the_encoding(here: Path, encoding: str) -> None:
    (here / "marked.txt").write_bytes("ü http://h.example/ü/x".encode(encoding))
    assert urlscan("extract", "marked.txt", cwd=here).lines == ["http://h.example/ü/x"]


@pytest.mark.parametrize("data", [b"", b"\n", b"\r", b"\xef\xbb\xbf", b"\xff\xfe", b"\xff" * 50, b"://", b"http://"])
@pytest.mark.parametrize("command", ["extract", "check"])
def test_unusual_content_is_accepted(command: str, data: bytes) -> None:
    message = "urlscan: invalid bytes in 1 file (-v lists the files)\n" if data == b"\xff" * 50 else ""
    done = urlscan(command, stdin=data)
    assert (done.status, done.err) == (0, message)
    assert done.text == ("All checks passed: 1 file, 0 URLs, 0 links.\n" if command == "check" else "")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"http://h.example/\xe9", "-: read as utf-8; invalid bytes are shown as Windows-1252"),
        ("ü http://h.example/".encode("utf-16"), "-: read as utf-16-le"),
        (b"\xff\xfea\x00b", "-: read as utf-16-le; invalid bytes are shown as Windows-1252"),
        (b"# coding: latin-1\n# \xe9", "-: read as iso8859-1"),
        (b"http://h.example/", ""),
    ],
)
def test_verbose_reports_the_encoding_unless_it_is_utf_8(data: bytes, message: str) -> None:
    done = urlscan("extract", "-v", stdin=data)
    assert done.err == (f"urlscan: {message}\n" if message else "")


# --- errors


@pytest.mark.parametrize("command", ["extract", "check"])
def test_unreadable_files_are_one_line_each_and_the_others_are_processed(here: Path, command: str) -> None:
    done = urlscan(command, "missing", "bad.txt", "miss\x1b[31m\ning", "good.txt", cwd=here)
    assert done.status == 2
    assert "http://h.example/%zz" in done.text
    assert done.err.splitlines() == [
        "urlscan: missing: No such file or directory",
        r"urlscan: miss\x1b[31m\x0aing: No such file or directory",
    ]


def test_exit_zero_does_not_hide_errors(here: Path) -> None:
    assert urlscan("check", "--exit-zero", "bad.txt", cwd=here).status == 0
    assert urlscan("check", "--exit-zero", "bad.txt", "missing", cwd=here).status == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_denied_permission_is_one_line(here: Path) -> None:
    (here / "bad.txt").chmod(0)
    (here / "closed").mkdir(mode=0)
    done = urlscan("check", ".", cwd=here)
    assert done.status == 2
    assert done.err.splitlines() == [
        "urlscan: bad.txt: Permission denied",
        "urlscan: closed/: Permission denied",
    ]


def test_binary_files_are_reported_if_named_or_with_verbose(here: Path) -> None:
    (here / "image").write_bytes(b"\x89PNG\0 http://h.example/%zz")
    note = "urlscan: image: binary file, skipped\n"
    assert urlscan("check", "image", cwd=here) == (0, b"", note + "urlscan: warning: no files were checked\n")
    assert urlscan("check", "-q", "image", cwd=here) == (0, b"", "")
    assert urlscan("extract", "good.txt", ".", cwd=here).err == ""
    assert urlscan("extract", "-v", ".", cwd=here).err == note
    assert urlscan("extract", "-q", ".", cwd=here).err == ""


# --- names


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
@pytest.mark.parametrize(
    "options", [("extract", "--with-filename"), ("check",), ("check", "--format", "github")], ids=str
)
def test_hostile_names_are_printed_safely(tmp_path: Path, options: tuple[str, ...], name: bytes) -> None:
    (tmp_path / os.fsdecode(name)).write_text(BAD)
    for paths in (["."], [b"./" + name]):
        done = urlscan(*options, *paths, cwd=tmp_path)
        assert done.status == (options[0] == "check")
        assert done.err == ""
        assert all(line.isprintable() for line in done.lines)


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
@pytest.mark.parametrize("command", ["extract", "check"])
def test_json_preserves_hostile_names(tmp_path: Path, command: str, name: bytes) -> None:
    (tmp_path / os.fsdecode(name)).write_text(BAD)
    done = urlscan(command, "--format", "jsonl", ".", cwd=tmp_path)
    assert done.out.isascii() or name == HOSTILE[-1]
    assert os.fsencode(json.loads(done.out)["path"]) == name


def test_messages_print_hostile_names_safely(tmp_path: Path) -> None:
    for name in HOSTILE:
        done = urlscan("check", b"./missing/" + name, cwd=tmp_path)
        (line,) = done.err.splitlines()
        assert line.isprintable()


# --- pipes and signals


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("arguments", [["extract"], ["check"], ["--version"], ["rules"]])
def test_full_disk_is_one_line_with_status_2(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, *arguments], input=BAD.encode(), stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (2, b"urlscan: standard output: No space left on device\n")


def test_interrupt_ends_with_status_130(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    process = subprocess.Popen(
        [*COMMAND, "extract", "pipe"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        # a background job ignores the signal
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    with (tmp_path / "pipe").open("wb"):  # returns when the command opens it for reading
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert (process.returncode, errors) == (130, b"")


EVERY = "extract|extract --format json|check|check --format=jsonl|parse|resolve http://h.example/|normalize".split("|")


@pytest.mark.parametrize("arguments", EVERY)
def test_broken_pipe_ends_silently_with_status_0(tmp_path: Path, arguments: str) -> None:
    # Problems of single URLs are on standard error; `check` writes nothing about a URL without one.
    url = "http://h.example/%zz\n" if arguments.startswith("check") else "http://h.example/ok\n"
    (tmp_path / "many.txt").write_text(url * 9_000)
    with (tmp_path / "many.txt").open("rb") as many, subprocess.Popen(
        [*COMMAND, *arguments.split(), "-"], stdin=many, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize("arguments", EVERY)
def test_output_is_utf_8_in_any_locale(arguments: str) -> None:
    locale = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    assert "日本" in urlscan(*arguments.split(), stdin="http://h.example/日本/%zz\n".encode(), **locale).text


def test_main_returns_the_exit_status(capfd: pytest.CaptureFixture[str], here: Path) -> None:
    assert main(["check", str(here / "good.txt")]) == 0
    assert main(["check", str(here / "bad.txt")]) == 1
    assert main(["check", "--nonsense"]) == 2
    assert main(["check", "--help"]) == 0
    capfd.readouterr()
