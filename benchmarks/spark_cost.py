"""Compute what a job of Spark costs from measured rates, or measure the rates.

usage: python benchmarks/spark_cost.py
       python benchmarks/spark_cost.py --measure [--copies N] MAILBOX

The first prints the table of docs/research/databases.md. The second runs `urlscan extract`, `urlscan archive` and
`python -m urlscan.spark` on copies of a mailbox and prints the processor time of each, children included.
"""

import argparse
import ctypes
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

# A process with this attribute (prctl, Linux) reaps the orphans of its children, whose time is counted then.
_SUBREAPER = 36
_MEGA = 1_000_000


class Rate(NamedTuple):
    """How fast one executor core reads a kind of source.

    Attributes:
        read: MB of unpacked data per second of processor time, all tables.
        packed: size of the compressed data as a fraction of the unpacked.
    """

    read: float
    packed: float


class Collection(NamedTuple):
    """Data to read.

    Attributes:
        name: its name.
        terabytes: its unpacked size.
        rate: how fast it is read.
        files: how many files it has.
    """

    name: str
    terabytes: float
    rate: Rate
    files: int


class Prices(NamedTuple):
    """Assumptions about a cluster.

    Attributes:
        core_hour: price of a core for an hour, in US dollars.
        busy: fraction of the time of the cores that is spent on tasks.
        start: seconds until all executors run.
    """

    core_hour: float = 0.05
    busy: float = 0.8
    start: float = 180.0


# Rounded down from the rates of 2026-11-22 in docs/research/databases.md, to leave time for Java. Sizes are guessed.
MAIL = Rate(read=1.5, packed=0.3)
WEB = Rate(read=1.4, packed=0.21)
COLLECTIONS = (
    Collection("1 TB of mail, mbox", 1.0, MAIL, 1_000),
    Collection("Usenet, text groups, 10 TB", 10.0, MAIL, 30_000),
    Collection("one Common Crawl, WARC, 400 TB", 400.0, WEB, 90_000),
)


class Cost(NamedTuple):
    """The cost of a job.

    Attributes:
        core_hours: hours of a core, waiting included.
        hours: wall time.
        dollars: price.
    """

    core_hours: float
    hours: float
    dollars: float


def cost(collection: Collection, cores: int, prices: Prices = Prices()) -> Cost:  # noqa: B008
    """Return the cost of a job.

    A file that is compressed is one task, so that no more cores are busy than there are files; the last tasks end at
    different times.
    """
    seconds = collection.terabytes * 1e6 / collection.rate.read
    used = min(cores, collection.files)
    last = seconds / collection.files  # one task more, while the other cores wait
    wall = seconds / used / prices.busy + last + prices.start
    core_hours = wall * cores / 3600
    return Cost(core_hours, wall / 3600, core_hours * prices.core_hour)


def table(cores: tuple[int, ...] = (8, 100, 1000)) -> str:
    """Return the table of docs/research/databases.md."""
    lines = ["| data | cores | hours | core-hours | US dollars |", "| --- | --- | --- | --- | --- |"]
    for collection in COLLECTIONS:
        for count in cores:
            found = cost(collection, count)
            numbers = (
                f"{number:,.1f}" if number < 100 else f"{number:,.0f}" for number in (found.hours, found.core_hours)
            )
            lines.append(f"| {collection.name} | {count:,} | {' | '.join(numbers)} | {found.dollars:,.0f} |")
    return "\n".join(lines) + "\n"


def processor_time(*command: object, cwd: str) -> tuple[float, float]:
    """Run a command; return its processor time, with that of all descendants, and its wall time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    done = subprocess.run(list(map(str, command)), cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wall = time.monotonic() - began
    if done.returncode:
        raise SystemExit(done.stderr.decode()[-2000:])
    while True:  # orphans
        try:
            os.wait()
        except ChildProcessError:
            break
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def measure(mailbox: Path, copies: int) -> None:
    """Print the rates of the commands on copies of a mailbox."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory() as directory:
        mail, tiny = Path(directory, "mail"), Path(directory, "tiny")
        mail.mkdir()
        tiny.mkdir()
        (tiny / "a.txt").write_text("http://h.example/\n")
        for number in range(copies):
            shutil.copy(mailbox, mail / f"{number}.mbox")
        size = sum(path.stat().st_size for path in mail.iterdir())
        command = [sys.executable, "-m", "urlscan"]
        spark = [sys.executable, "-m", "urlscan.spark", "-q", "--overwrite"]
        runs = {
            "extract -j1": [*command, "extract", "-q", "-j1", mail],
            "extract -j2": [*command, "extract", "-q", "-j2", mail],
            "archive -j1": [*command, "archive", "-q", "-j1", "--db", f"{directory}/a.duckdb", mail],
            "archive -j2": [*command, "archive", "-q", "-j2", "--db", f"{directory}/b.duckdb", mail],
            "spark, start alone, local[1]": [*spark, "--master", "local[1]", tiny, f"{directory}/o0"],
            "spark, occurrence, local[1]": [
                *spark, "--master", "local[1]", "--tables", "occurrence", mail, f"{directory}/o1",
            ],
            "spark, all tables, local[1]": [*spark, "--master", "local[1]", mail, f"{directory}/o2"],
            "spark, all tables, local[2]": [*spark, "--master", "local[2]", mail, f"{directory}/o3"],
        }  # fmt: skip
        print("| run | processor s | MB/s of processor time | wall s |\n| --- | --- | --- | --- |")
        for name, run in runs.items():
            seconds, wall = processor_time(*run, cwd=directory)
            print(f"| {name} | {seconds:.1f} | {size / _MEGA / seconds:.1f} | {wall:.1f} |", flush=True)


def main() -> None:
    """Print the table, or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", metavar="MAILBOX", type=Path)
    parser.add_argument("--copies", type=int, default=15)
    options = parser.parse_args()
    if options.measure is None:
        print(table(), end="")
    else:
        measure(options.measure, options.copies)


if __name__ == "__main__":
    main()
