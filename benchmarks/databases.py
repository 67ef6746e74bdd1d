"""Measure `urlscan archive` on a large mailbox: time, memory and size, and then every question of `urlscan query`.

usage: python -m benchmarks.databases MAILBOX [--size MB] [--jobs N] [--directory DIR]

The mailbox is repeated with other message ids and hosts until it has the size (100 MB by default). Memory is sampled
from /proc: that of the process that writes the database, and the largest of the processes that read. `extract` reads
the same mailbox before and after. Times are processor times of all processes. Run on Linux.
"""

import argparse
import itertools
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_MESSAGE_ID = re.compile(rb"(?<=\n)[Mm]essage-[Ii][Dd]:[^\n<]*<")
_HOST = re.compile(rb"(https?://)(?=[A-Za-z])")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_COMMAND = [sys.executable, "-m", "urlscan"]


class Run(NamedTuple):
    """A run of a command.

    Attributes:
        seconds: its processor time, with that of its child processes.
        writer: samples of the memory of its main process, in MB.
        readers: samples of the largest memory of a child process, in MB.
    """

    seconds: float
    writer: list[int]
    readers: list[int]


def repeat(source: Path, target: Path, size: int) -> None:
    """Write the messages of a mailbox again and again until there are `size` bytes.

    Message ids and hosts differ each time: a URL that is repeated is read and judged only once.
    """
    data = source.read_bytes()
    if not data.endswith(b"\n\n"):
        data += b"\n\n"
    places = [0, *(match.end() for match in _MESSAGE_ID.finditer(data)), len(data)]
    pieces = [data[start:end] for start, end in itertools.pairwise(places)]
    with target.open("wb") as file:
        for number in itertools.count():
            if file.tell() >= size:
                break
            copy = (b"copy%d." % number).join(pieces) if number else data
            file.write(_HOST.sub(rb"\1copy%d." % number, copy) if number else copy)


def measured(arguments: Sequence[str]) -> Run:
    """Run urlscan; return its time and samples of its memory."""
    before = _children_time()
    writer, readers = list[int](), list[int]()
    with subprocess.Popen([*_COMMAND, *arguments], stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            writer.append(_memory(process.pid))
            readers.append(max(map(_memory, _descendants(process.pid)), default=0))
            time.sleep(0.2)
    if process.returncode:
        raise SystemExit(f"urlscan {arguments[0]}: status {process.returncode}")
    return Run(_children_time() - before, writer, readers)


def _children_time() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _memory(pid: int) -> int:
    """Return the resident memory of a process in MB; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text("ascii").split()[1]) * _PAGE >> 20
    except (OSError, IndexError):
        return 0


def _descendants(pid: int) -> list[int]:
    """Return the processes that a process has started, directly or not."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    except OSError:
        return []
    return [one for child in map(int, children) for one in (child, *_descendants(child))]


def _summary(samples: list[int]) -> str:
    """Return the median memory in each quarter of a run, and the largest."""
    parts = [samples[len(samples) * at // 4 : len(samples) * (at + 1) // 4] or [0] for at in range(4)]
    return f"{' '.join(f'{statistics.median(part):.0f}' for part in parts)}, at most {max(samples, default=0)} MB"


def ask(database: str) -> list[tuple[float, float, str]]:
    """Return wall and processor time in milliseconds of each question with its defaults, slowest first."""
    from urlscan.archive.queries import open_confined, queries

    taken = []
    with open_confined(database) as connection:
        for query in queries().values():
            values = {parameter.name: parameter.default for parameter in query.parameters}
            wall, processor = time.perf_counter(), time.process_time()
            connection.execute(query.sql, values or None).fetchall()
            wall, processor = time.perf_counter() - wall, time.process_time() - processor
            taken.append((wall * 1000, processor * 1000, query.name))
    return sorted(taken, reverse=True)


def measure(mailbox: Path, database: Path, jobs: int) -> None:
    """Archive a mailbox, and print what that took."""
    common = ["-q", "--isolated", f"-j{jobs}"]
    size = mailbox.stat().st_size
    before = measured(["extract", *common, str(mailbox)])
    run = measured(["archive", *common, "--db", str(database), str(mailbox)])
    after = measured(["extract", *common, str(mailbox)])
    extract = min(before.seconds, after.seconds)
    print(f"mailbox {size / 1e6:,.0f} MB, database {database.stat().st_size / 1e6:,.1f} MB")
    print(f"archive {run.seconds:.1f} s, {size / 1e6 / run.seconds:.1f} MB/s; extract {extract:.1f} s")
    print(f"rate of archive by that of extract: {extract / run.seconds:.2f}")
    print(f"memory of the writer by quarter: {_summary(run.writer)}")
    print(f"memory of the largest reader by quarter: {_summary(run.readers)}")


def main() -> None:
    """Create the mailbox, measure, and print."""
    parser = argparse.ArgumentParser(description="Measure archives.")
    parser.add_argument("mailbox", type=Path)
    parser.add_argument("--size", type=int, default=100, help="MB")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--directory", type=Path, help="where the mailbox and the database are kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        directory = options.directory or Path(temporary)
        mailbox, database = directory / "large.mbox", directory / "large.duckdb"
        repeat(options.mailbox, mailbox, options.size * 1_000_000)
        database.unlink(missing_ok=True)
        measure(mailbox, database, options.jobs)
        print("\nquestion            wall ms  processor ms")
        for wall, processor, name in ask(str(database)):
            print(f"{name:18} {wall:8.0f} {processor:13.0f}")


if __name__ == "__main__":
    main()
