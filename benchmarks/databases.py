"""Measure `urlscan archive` on a large mailbox: time, memory and size, and then every question of `urlscan query`.

usage: python -m benchmarks.databases MAILBOX [--size MB] [--jobs N] [--directory DIR]
       python -m benchmarks.databases --warc DIRECTORY [--size MB] [--directory DIR]

The messages of the mailbox are repeated in another order, with other message ids and hosts, until there are so many MB
(100 by default). Memory is sampled from /proc: that of the process that writes the database, and the largest of the
processes that read. `extract` reads the same mailbox before and after. Times are processor times of all processes.

The second form writes a compressed web archive with a record for each file of a directory, again and again with other
addresses and hosts, and archives it with one process and with two. Run on Linux.
"""

import argparse
import gzip
import itertools
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ENVELOPE = re.compile(rb"(?m)^(?=From [^\n]*[0-9]{4}\r?$)")
_MESSAGE_ID = re.compile(rb"(?im)^(?:message-id|in-reply-to|references):[^\n<]*<")
_HOST = re.compile(rb"(?i)(https?://)([a-z0-9.-]+)\.([a-z]{2,})")
_TYPES = {".html": "text/html", ".md": "text/markdown", ".rst": "text/x-rst", ".txt": "text/plain"}
_PAGE = os.sysconf("SC_PAGE_SIZE")
COMMAND = [sys.executable, "-m", "urlscan"]


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


def vary(source: Path, target: Path, size: int) -> None:
    """Write the messages of a mailbox until there are `size` bytes, each time in another order.

    Message ids differ in each copy, and so do half of the hosts: a URL that is repeated is read and judged only once.
    """
    messages = [message for message in ENVELOPE.split(source.read_bytes()) if message]
    with target.open("wb") as file:
        for number in itertools.count():
            random.Random(number).shuffle(messages)
            for message in messages:
                file.write(_varied(message, b"c%d" % number) if number else message)
                if file.tell() >= size:
                    return


def _varied(data: bytes, copy: bytes) -> bytes:
    """Return a text whose message ids and hosts are those of a copy: a subdomain, another domain, or the same host."""

    def host(match: re.Match[bytes]) -> bytes:
        kind = zlib.crc32(match[2] + copy) % 4
        names = (b"%s.%s" % (copy, match[2]), b"%s-%s" % (match[2], copy))
        return b"%s%s.%s" % (match[1], names[kind] if kind < 2 else match[2], match[3])

    return _HOST.sub(host, _MESSAGE_ID.sub(rb"\g<0>" + copy + b".", data))


def web_archive(directory: Path, target: Path, size: int) -> None:
    """Write a web archive with `size` bytes before compression; each record is compressed on its own."""
    files = sorted(path for path in directory.rglob("*") if path.suffix in _TYPES and path.is_file())
    written = 0
    with target.open("wb") as file:
        for number in itertools.count():
            for path in files:
                head = f"HTTP/1.1 200 OK\r\nContent-Type: {_TYPES[path.suffix]}; charset=utf-8\r\n\r\n"
                content = head.encode() + _varied(path.read_bytes(), b"c%d" % number)
                record = (
                    f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}-{written}>\r\n"
                    "WARC-Date: 2020-01-02T03:04:05Z\r\nContent-Type: application/http; msgtype=response\r\n"
                    f"WARC-Target-URI: https://c{number}.h.example/{path.relative_to(directory)}\r\n"
                    f"Content-Length: {len(content)}\r\n\r\n"
                ).encode()
                file.write(gzip.compress(record + content + b"\r\n\r\n", 6))
                written += len(content)
                if written >= size:
                    return


def measured(arguments: Sequence[str]) -> Run:
    """Run urlscan; return its time and samples of its memory."""
    before = _children_time()
    writer, readers = list[int](), list[int]()
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            writer.append(_memory(process.pid))
            readers.append(max(map(_memory, descendants(process.pid)), default=0))
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


def descendants(pid: int) -> list[int]:
    """Return the processes that a process has started, directly or not."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    except OSError:
        return []
    return [one for child in map(int, children) for one in (child, *descendants(child))]


def summary(samples: list[int]) -> str:
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
    print(f"memory of the writer by quarter: {summary(run.writer)}")
    print(f"memory of the largest reader by quarter: {summary(run.readers)}")


def measure_web_archive(directory: Path, target: Path, size: int) -> None:
    """Archive a web archive with one process and with two, and print wall and processor times."""
    web_archive(directory, target, size)
    print(f"web archive of {size / 1e6:,.0f} MB, compressed {target.stat().st_size / 1e6:,.0f} MB")
    for jobs in (1, 2, 2, 1):
        database = target.with_suffix(f".j{jobs}.duckdb")
        database.unlink(missing_ok=True)
        start = time.perf_counter()
        run = measured(["archive", "-q", "--isolated", f"-j{jobs}", "--db", str(database), str(target)])
        print(f"-j{jobs}: wall {time.perf_counter() - start:.1f} s, processor {run.seconds:.1f} s")


def main() -> None:
    """Create the sources, measure, and print."""
    parser = argparse.ArgumentParser(description="Measure archives.")
    parser.add_argument("mailbox", type=Path, nargs="?")
    parser.add_argument("--warc", type=Path, help="directory with documents")
    parser.add_argument("--size", type=int, default=100, help="MB")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--directory", type=Path, help="where the mailbox and the database are kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        directory = options.directory or Path(temporary)
        size = options.size * 1_000_000
        if options.warc is not None:
            measure_web_archive(options.warc, directory / "large.warc.gz", size)
            return
        mailbox, database = directory / "large.mbox", directory / "large.duckdb"
        vary(options.mailbox, mailbox, size)
        database.unlink(missing_ok=True)
        measure(mailbox, database, options.jobs)
        print("\nquestion            wall ms  processor ms")
        for wall, processor, name in ask(str(database)):
            print(f"{name:18} {wall:8.0f} {processor:13.0f}")


if __name__ == "__main__":
    main()
