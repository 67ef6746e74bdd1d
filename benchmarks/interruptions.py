"""Disturb `urlscan archive` by kills, an append, a rename and deletions, and compare the tables with those of one run.

usage: python -m benchmarks.interruptions MAILBOX [--size MB] [--kills N] [--jobs N] [--seed N] [--directory DIR]

The sources are varied mail (as in `benchmarks.databases`): mailboxes, one of them compressed and one in a zip, and
5,000 messages in files of their own. At first one mailbox has another name, two are shorter, one of them in the middle
of a message, and one more exists. `archive` is killed at random moments until there were N kills, and so is the process
that reads; then it completes. The sources change, and a run with `--prune` follows, which is killed twice before. A run
over the final sources in a new database, and two databases of half the sources that `--merge` joins, must have equal
rows. Memory and processor times are those of the one run. Run on Linux.
"""

import argparse
import gzip
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.databases import COMMAND, ENVELOPE, ask, descendants, measured, summary, vary

_BOXES = 6
_MESSAGES = 5_000
_SHORT = 0.6  # the part of a mailbox that an append completes
_TABLES = {
    "source": "* EXCLUDE (ingested_at)", "message": "*", "url": "*", "occurrence": "*", "finding": "*",
}  # fmt: skip


def write_sources(mailbox: Path, directory: Path, size: int) -> None:
    """Write varied mail of `size` bytes as mailboxes, as messages, compressed and in a zip."""
    whole = directory.parent / "whole.mbox"
    vary(mailbox, whole, size)
    data = whole.read_bytes()
    whole.unlink()
    messages = [message for message in ENVELOPE.split(data) if message]
    del data
    (directory / "messages").mkdir(parents=True)
    for number, message in enumerate(messages[:_MESSAGES]):
        folder = directory / "messages" / f"{number % 10}"
        folder.mkdir(exist_ok=True)
        (folder / f"{number}.eml").write_bytes(message.partition(b"\n")[2])
    rest = messages[_MESSAGES:]
    step = len(rest) // (_BOXES + 1) + 1
    for number in range(_BOXES):
        (directory / f"box{number}.mbox").write_bytes(b"".join(rest[number * step : (number + 1) * step]))
    last = rest[_BOXES * step :]
    half = b"".join(last[: len(last) // 2])
    (directory / "box.mbox.gz").write_bytes(gzip.compress(half, 1))
    with zipfile.ZipFile(directory / "boxes.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("inner.mbox", b"".join(last[len(last) // 2 :]))
        for number, message in enumerate(messages[:200]):
            archive.writestr(f"messages/{number}.eml", message.partition(b"\n")[2])


class EarlierSources:
    """The earlier state of the sources: `restore` makes it the final one."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._renamed = (directory / "earlier.mbox", directory / "box0.mbox")
        self._renamed[1].rename(self._renamed[0])
        self._ends: dict[Path, bytes] = {}
        for number, is_between in ((1, True), (2, False)):
            path = directory / f"box{number}.mbox"
            data = path.read_bytes()
            cut = int(len(data) * _SHORT)
            if is_between and (envelope := ENVELOPE.search(data, cut)) is not None:
                cut = envelope.start()
            self._ends[path] = data[cut:]
            os.truncate(path, cut)
        self._gone = directory / "gone.mbox"
        self._gone.write_bytes(self._ends[path][:20_000_000])

    def restore(self) -> None:
        """Rename, append and delete."""
        self._renamed[0].rename(self._renamed[1])
        for path, data in self._ends.items():
            with path.open("ab") as file:
                file.write(data)
        self._gone.unlink()


def kill(arguments: Sequence[str], chance: random.Random, most: float) -> str:
    """Start a run and kill one of its processes after at most so many seconds; return what was killed, "" if it ended.

    Returns when all processes of the run have ended.
    """
    with subprocess.Popen([*COMMAND, *arguments], stderr=subprocess.DEVNULL, start_new_session=True) as process:
        deadline = time.monotonic() + chance.uniform(0.5, most)
        while time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.01)
        if process.poll() is not None:
            return ""
        children = descendants(process.pid)
        target, what = process.pid, "the process that writes"
        if children and chance.random() < 0.4:
            target, what = children[0], "the process that reads"  # whose children may be replaced
        os.kill(target, signal.SIGKILL)
    for _ in range(600):
        if not any(Path(f"/proc/{child}/stat").exists() for child in children):
            return what
        time.sleep(0.1)
    raise SystemExit(f"processes outlive {what}: {children}")


def disturb(arguments: Sequence[str], database: Path, chance: random.Random, kills: int, most: float) -> None:
    """Kill runs until there were so many kills or a run has completed; then let one complete."""
    for number in range(1, kills + 1):
        what = kill(arguments, chance, most)
        print(f"kill {number}: {what or 'completed before'}; {state(database)}", flush=True)
        if not what:
            break
    started = time.perf_counter()
    subprocess.run([*COMMAND, *arguments], check=True)
    print(f"completed in {time.perf_counter() - started:.0f} s: {state(database)}", flush=True)


def state(database: Path) -> str:
    """Return how many sources and occurrences a database has; every one of them must be whole."""
    import duckdb

    if not database.exists():
        return "no database"
    with duckdb.connect(str(database), read_only=False) as connection:
        if not connection.execute("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'source'").fetchone() > (0,):
            return "empty"
        values = connection.execute(
            "SELECT (SELECT count(*) FROM source), (SELECT count(*) FROM source WHERE status = 'partial'),"
            " (SELECT count(*) FROM occurrence),"
            " (SELECT count(*) FROM occurrence ANTI JOIN url USING (url_id)),"
            " (SELECT count(*) FROM occurrence ANTI JOIN source USING (source_id))"
        ).fetchone()
    sources, partial, occurrences, *orphans = values or ()
    if any(orphans):
        raise SystemExit(f"rows without a URL or source: {orphans}")
    return f"{sources:,} sources ({partial} partial), {occurrences:,} occurrences"


def compare(expected: Path, actual: Path) -> None:
    """Print for each table whether two databases have equal rows; exit if they differ."""
    import duckdb

    differ = []
    with duckdb.connect() as connection:
        connection.execute("SET memory_limit = '3GB'")
        connection.execute("SET threads = 1")
        for name, path in (("expected", expected), ("actual", actual)):
            connection.execute(f"ATTACH '{path}' AS {name} (READ_ONLY)")
        for table, columns in _TABLES.items():
            sums = [
                connection.execute(
                    f"SELECT count(*), sum(hash(row)::HUGEINT) FROM (SELECT hash(t) AS row FROM (SELECT {columns} FROM"
                    f" {name}.{table}) AS t)"
                ).fetchone()
                for name in ("expected", "actual")
            ]
            print(f"  {table:10} {sums[0][0]:>10,} rows, {'equal' if sums[0] == sums[1] else 'DIFFERENT'}", flush=True)
            if sums[0] != sums[1]:
                differ.append(table)
    if differ:
        raise SystemExit(f"{actual} differs from {expected}: {', '.join(differ)}")


def main() -> None:
    """Create the sources, disturb, compare, measure, and print."""
    parser = argparse.ArgumentParser(description="Disturb archives.")
    parser.add_argument("mailbox", type=Path)
    parser.add_argument("--size", type=int, default=100, help="MB")
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--directory", type=Path, help="where sources and databases are kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = options.directory or Path(temporary)
        mail = root / "mail"
        write_sources(options.mailbox, mail, options.size * 1_000_000)
        size = sum(path.stat().st_size for path in mail.rglob("*") if path.is_file())
        print(f"{size / 1e6:,.0f} MB in {sum(1 for path in mail.rglob('*') if path.is_file()):,} files", flush=True)
        common = ["-q", "--isolated", f"-j{options.jobs}"]
        databases = {name: root / f"{name}.duckdb" for name in ("killed", "single", "first", "second", "merged")}

        earlier, chance = EarlierSources(mail), random.Random(options.seed)
        arguments = ["archive", *common, "--db", str(databases["killed"]), str(mail)]
        disturb(arguments, databases["killed"], chance, options.kills, options.size / 110 + 3)
        earlier.restore()
        disturb([*arguments, "--prune"], databases["killed"], chance, 2, options.size / 300 + 3)

        extract = measured(["extract", *common, str(mail)])
        run = measured(["archive", *common, "--db", str(databases["single"]), str(mail)])
        print(f"archive {run.seconds:.1f} s of processor time, extract {extract.seconds:.1f} s", end="")
        print(f", rate {extract.seconds / run.seconds:.2f}, {databases['single'].stat().st_size / 1e6:,.0f} MB")
        print(f"memory of the writer by quarter: {summary(run.writer)}")
        print(f"memory of the largest reader by quarter: {summary(run.readers)}")
        print("killed, appended, renamed, pruned:")
        compare(databases["single"], databases["killed"])

        files = sorted(path for path in mail.iterdir())
        for name, paths in (("first", files[::2]), ("second", files[1::2])):
            subprocess.run([*COMMAND, "archive", *common, "--db", databases[name], *paths], check=True)
        halves = [str(databases["first"]), str(databases["second"])]
        merged = measured(["archive", "-q", "--merge", *halves, "-o", str(databases["merged"])])
        print(f"merged in {merged.seconds:.1f} s of processor time, {max(merged.writer)} MB of memory:")
        compare(databases["single"], databases["merged"])

        best: dict[str, float] = {}
        for _ in range(3):
            for _wall, processor, name in ask(str(databases["single"])):
                best[name] = min(best.get(name, processor), processor)
        slowest = sorted(best.items(), key=lambda item: -item[1])
        print(f"{len(best)} questions, {sum(time < 1000 for time in best.values())} in less than a second:", end=" ")
        print(", ".join(f"{name} {processor:.0f} ms" for name, processor in slowest[:6]))


if __name__ == "__main__":
    sys.exit(main())
