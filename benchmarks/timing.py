"""Measure processes in turn, and print the figures as a Markdown table that says on which machine."""

import datetime
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
BIN = pathlib.Path(sys.executable).parent
Command = Sequence[str]
# Installed programs have compiled modules: those of a source tree are compiled in the first run, which is not counted.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class Usage(NamedTuple):
    """The processor time and wall time of a run in seconds, and the memory of its largest process in MB.

    `spread` is how much longer the slowest of several runs took than the fastest, as a part of its processor time.
    """

    processor: float
    wall: float
    memory: float = 0.0
    spread: float = 0.0


def tool(name: str) -> str | None:
    """Return the path of a command, next to this Python or on the PATH."""
    beside = BIN / name
    return str(beside) if beside.exists() else shutil.which(name)


def usage(command: Command, folder: pathlib.Path | None = None) -> Usage:
    """Run a command with its output in a file, and return what it and its child processes took.

    `grep` stops at the first match if its output is discarded.
    """
    environment = {**ENVIRONMENT, "LC_ALL": "C.UTF-8"}
    begin = time.perf_counter()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, cwd=folder, stdout=output, stderr=subprocess.DEVNULL, env=environment)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1, 2, 65):  # 65: codespell counts misspelled words
        raise SystemExit(f"{command[0]} ended with {process.returncode}")
    return Usage(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3))


def in_turn(runs: int, measured: dict[str, Callable[[], Usage]]) -> dict[str, Usage]:
    """Return the minima of each figure, and the spread; a round, in which each is run once, is not counted.

    All are run in each round, so that changes in the speed of the machine affect all of them.
    """
    found: dict[str, list[Usage]] = {name: [] for name in measured}
    for number in range(runs + 1):
        for name, measure in measured.items():
            one = measure()
            if number:
                found[name].append(one)
    minima = {name: Usage(*map(min, zip(*values, strict=True))) for name, values in found.items()}
    slowest = {name: max(one.processor for one in values) for name, values in found.items()}
    return {name: one._replace(spread=slowest[name] / max(one.processor, 1e-3) - 1) for name, one in minima.items()}


def print_table(title: str, found: dict[str, Usage], base: str) -> None:
    """Print processor time and wall time, the spread of the former, and the ratios to the times of `base`."""
    print(f"\n| {title} | processor s | spread | wall s | MB | processor, x {base} | wall, x {base} |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    other = found.get(base)
    for name, one in found.items():
        ratios = ["", ""]
        if other is not None:
            ratios = [f"{one.processor / other.processor:.2f}", f"{one.wall / other.wall:.2f}"]
        memory = f"{one.memory:.0f}" if one.memory else ""
        figures = (f"{one.processor:.3f}", f"{one.spread:.0%}", f"{one.wall:.3f}", memory, *ratios)
        print(f"| {name} | {' | '.join(figures)} |", flush=True)


def machine() -> str:
    """Return the date, the processors, the system and the version of Python, for the heading of the figures."""
    model = platform.processor() or platform.machine()
    information = pathlib.Path("/proc/cpuinfo")
    if information.exists():
        names = [
            line.partition(":")[2].strip() for line in information.read_text().splitlines() if "model name" in line
        ]
        model = names[0] if names else model
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return (
        f"{today}, {os.cpu_count()} processors ({model}), {platform.system()} {platform.machine()},"
        f" {platform.python_implementation()} {platform.python_version()}"
    )


def missing(names: Sequence[str]) -> None:
    """Print which tools are not installed."""
    absent = [name for name in names if tool(name) is None]
    if absent:
        print(f"\nnot installed: {', '.join(absent)}")
