"""Test that nothing remains after a run: no child process, no temporary file, no traceback."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.command import clean_environment

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="processes are counted in /proc")

# The limit is one second; allow more on a busy machine.
SOON = 5.0
COMMAND = [sys.executable, "-m", "urlscan"]
ENDS = [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP]
# Each of the two tasks takes minutes.
BUSY = {
    "in a pattern that matches for years": "re.match('(a+)+$', 'a' * 60 + 'b')",
    "in a Python loop": "sum(1 for _ in iter(int, 1))",
    "sleeping": "time.sleep(600)",
    "writing a result that is not read": "b'x' * 50_000_000",
}
SCRIPT = """
import os, re, sys, time
from urlscan.pipeline import processes

if {threads}:  # simulate a system without O_ASYNC
    del os.O_ASYNC

def busy():
    return {busy}

results = processes.in_order(lambda: [busy] * 4, 2)
next(results) if {reads} else None
time.sleep(600)
"""


def group_of(leader: int) -> list[int]:
    """Return the running processes of a process group."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdecimal():
            continue
        try:
            status = Path(f"/proc/{name}/stat").read_text(errors="replace")
        except OSError:
            continue
        state, _, group = status.rpartition(")")[2].split()[:3]
        if int(group) == leader and state not in "ZX":
            found.append(int(name))
    return found


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture
def start_command(tmp_path: Path) -> Iterator[Callable[[list[str]], "subprocess.Popen[bytes]"]]:
    """Return a function that starts a command as a group leader and waits until it has two child processes."""
    running: list[subprocess.Popen[bytes]] = []

    def start(command: list[str]) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            command,
            cwd=tmp_path,
            env=clean_environment(PYTHONPATH=str(Path(__file__).parents[2])),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        running.append(process)
        assert wait_until(lambda: len(group_of(process.pid)) == 3 or process.poll() is not None, 60)
        assert process.poll() is None, "the process ended too early"
        return process

    yield start
    for process in running:
        for child in group_of(process.pid):
            os.kill(child, signal.SIGKILL)
        process.wait()
        assert process.stderr is not None
        process.stderr.close()


def end(process: "subprocess.Popen[bytes]", number: signal.Signals) -> bytes:
    """Send a signal to the parent only; return its standard error after all child processes have ended."""
    process.send_signal(number)
    assert process.wait(timeout=SOON) == -number
    assert wait_until(lambda: not group_of(process.pid), SOON), "a child process is still running"
    assert process.stderr is not None
    return process.stderr.read()


@pytest.mark.parametrize("number", ENDS, ids=lambda number: number.name)
@pytest.mark.parametrize("busy", BUSY.values(), ids=BUSY)
def test_child_processes_end_with_their_parent(
    start_command: Callable[[list[str]], "subprocess.Popen[bytes]"], number: signal.Signals, busy: str
) -> None:
    # The first result starts the processes; a large one fills the pipe.
    script = SCRIPT.format(busy=busy, threads=False, reads=True)
    process = start_command([sys.executable, "-c", script])
    time.sleep(0.3)  # the child processes are running
    assert end(process, number) == b""


@pytest.mark.parametrize("busy", [BUSY["sleeping"], BUSY["in a Python loop"]])
def test_child_processes_end_without_a_signal_from_the_system(
    start_command: Callable[[list[str]], "subprocess.Popen[bytes]"], busy: str
) -> None:
    """Simulate macOS, where a thread waits for the end of the parent."""
    process = start_command([sys.executable, "-c", SCRIPT.format(busy=busy, threads=True, reads=True)])
    assert end(process, signal.SIGKILL) == b""


@pytest.mark.parametrize("number", ENDS, ids=lambda number: number.name)
@pytest.mark.parametrize("arguments", ["extract -j 2 .", "check -j 2 --output-file out ."])
def test_killed_run_leaves_no_process_and_no_file(
    start_command: Callable[[list[str]], "subprocess.Popen[bytes]"],
    tmp_path: Path,
    number: signal.Signals,
    arguments: str,
) -> None:
    # One file for each child process, each of which takes seconds.
    lines = "".join(f"<URL:http://h{n}.example/a|b{n}>,<ftp://h{n}.example/%zz{n}> " for n in range(20_000))
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(f"{lines}\n" * 4)
    process = start_command([*COMMAND, *arguments.split()])
    assert end(process, number) == b""
    assert sorted(os.listdir(tmp_path)) == ["a.txt", "b.txt"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_named_temporary_file_is_removed(tmp_path: Path, number: signal.Signals) -> None:
    """Simulate macOS, where every file has a name."""
    os.mkfifo(tmp_path / "pipe")
    script = "import os, sys\nos.O_TMPFILE = 0\nfrom urlscan.cli import main\nsys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", script, "check", "--output-file", "out", "-"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env=clean_environment(PYTHONPATH=str(Path(__file__).parents[2])),
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert wait_until(lambda: any(name.startswith(".urlscan-") for name in os.listdir(tmp_path)), 30)
        process.send_signal(number)
        assert process.wait(timeout=SOON) == -number
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert os.listdir(tmp_path) == ["pipe"]


# --- closed standard output, and a report in a file

BAD = "<URL:http://h.example/a|b>\n"


@pytest.mark.parametrize("closing", [">&-", "| true", "| head -c 1"])
@pytest.mark.parametrize("formats", ["", "--format full --format json"])
@pytest.mark.parametrize(("text", "status"), [(BAD * 1_000, 1), ("nothing\n", 0)], ids=["findings", "no findings"])
@pytest.mark.slow
def test_report_file_is_complete_if_standard_output_is_closed(
    tmp_path: Path, closing: str, formats: str, text: str, status: int
) -> None:
    (tmp_path / "a.txt").write_text(text)
    options = [*formats.split(), "--output-file"]
    expected = subprocess.run(
        [*COMMAND, "check", *options, "expected", "a.txt"],
        cwd=tmp_path,
        env=clean_environment(),
        stdout=subprocess.DEVNULL,
        check=False,
    )
    assert expected.returncode == status
    inner = '("$@"; echo $? >status) ' if closing.startswith("|") else '"$@" '
    after = "" if closing.startswith("|") else "; echo $? >status"
    done = subprocess.run(
        ["sh", "-c", inner + closing + after, "sh", *COMMAND, "check", *options, "out", "a.txt"],
        cwd=tmp_path,
        env=clean_environment(),
        stderr=subprocess.PIPE,
        check=False,
    )
    assert done.stderr == b""
    assert (tmp_path / "status").read_text() == f"{status}\n"
    assert (tmp_path / "out").read_bytes() == (tmp_path / "expected").read_bytes()


def test_unwritable_report_is_an_error_if_standard_output_is_closed(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(BAD)
    done = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *COMMAND, "check", "--output-file", "no/out", "a.txt"],
        cwd=tmp_path,
        env=clean_environment(),
        stderr=subprocess.PIPE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (2, b"urlscan: no/out: cannot be written: No such file or directory\n")
