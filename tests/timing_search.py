"""Search for texts that take more than linear time to read.

usage: python -m tests.timing_search [--minutes 60] [--seed N] [--kind KIND] [--repeat UNIT ...]

Each candidate is a document of one kind: a prefix, one to three tokens repeated, and a suffix with a fixable URL. A
command reads the candidate at two sizes. If the time grows faster than the size, the candidate is measured again,
larger and with the minimum of several runs, before it is reported. The guarantee, for every kind, command and format:
`time(4n) / time(n)` is less than 6 and a byte takes at most 20 microseconds, from 50 KB to 1 MB.

`tests/test_timing.py` contains the candidates that were found; this search runs nightly and looks for new ones.
"""

import argparse
import contextlib
import io
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.linear_time import TooSlowError, processor_seconds
from tests.timing_units import PREFIXES, SUFFIXES, tokens_of
from urlscan.cli import main
from urlscan.documents import KINDS
from urlscan.formats import FORMATS

RATIO = 6.0  # limit on the growth of the time when the size grows four times
MICROSECONDS_A_BYTE = 20.0
SMALL = 8_000  # bytes of the first measurement
_LIMIT = 20  # seconds after which a run is aborted

_DIRECTORY = "DIRECTORY/"  # replaced by the temporary directory in COMMANDS
_ALL_FORMATS = [argument for name in FORMATS for argument in ("--format", name, "--output-file", f"{_DIRECTORY}{name}")]
_FIND_OPTIONS = ["--rejoin", "guess", "--jobs", "1", "--isolated"]
# Commands that measure a candidate.
COMMANDS: dict[str, list[str]] = {
    "extract": ["extract", "--jobs", "1", "--isolated"],
    "extract-all": ["extract", "--format", "jsonl", "--schemeless", "--emails", "--relative", *_FIND_OPTIONS],
    "extract-count": ["extract", "--count", "--resolve", "--base", "http://h.example/", *_FIND_OPTIONS],
    "extract-csv": ["extract", "--format", "csv", "--with-filename", "--jobs", "1", "--isolated"],
    "check": ["check", "--jobs", "1", "--isolated", *_ALL_FORMATS],
    **{f"check-{name}": ["check", "--select", "ALL", "--format", name, *_FIND_OPTIONS] for name in FORMATS},
    **{
        f"check-{name}": ["check", "--select", "ALL", "--profile", name, *_FIND_OPTIONS]
        for name in ("rfc1738", "rfc3987")
    },
    "check-statistics": ["check", "--statistics", "--jobs", "1", "--isolated"],
    "fix": ["check", "--fix", "--jobs", "1", "--isolated", "--format", "jsonl"],
    "fix-all": ["check", "--fix", "--unsafe-fixes", "--select", "ALL", *_FIND_OPTIONS],
    "diff": ["check", "--diff", "--jobs", "1", "--isolated"],
    "diff-all": ["check", "--diff", "--unsafe-fixes", "--select", "ALL", *_FIND_OPTIONS],
    "add-ignore": ["check", "--add-ignore", "--jobs", "1", "--isolated"],
}


class Candidate(NamedTuple):
    """A document of any size: `unit` repeated between `prefix` and `suffix`, read as `kind` by `command`."""

    kind: str
    command: str
    prefix: str
    unit: str
    suffix: str

    def text(self, size: int) -> bytes:
        """Return the document of about `size` bytes."""
        unit = self.unit.encode("utf-8", "surrogateescape")
        many = max(1, size // max(len(unit), 1))
        return self.prefix.encode() + unit * many + self.suffix.encode()


def read(candidate: Candidate, size: int) -> None:
    """Run the command on the document."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as directory:
        Path(directory, ".git").mkdir()  # the links of a checkout are checked more strictly
        path = Path(directory, "sample.txt")
        path.write_bytes(candidate.text(size))
        arguments = [one.replace(_DIRECTORY, f"{directory}/") for one in COMMANDS[candidate.command]]
        with _captured() as complaints:
            status = main([*arguments, "--as", candidate.kind, str(path)])
    if status not in (0, 1):
        raise AssertionError(f"exit status {status}: {complaints.getvalue()}: {candidate}")


def seconds(candidate: Candidate, size: int, runs: int = 1, limit: int = _LIMIT) -> float:
    """Return the processor time that the command takes for the document, the minimum of several runs."""
    return min(processor_seconds(lambda: read(candidate, size), limit) for _ in range(runs))


@contextlib.contextmanager
def _captured() -> Iterator[io.StringIO]:
    """Discard what is written to standard output; yield what is written to standard error."""
    complaints = io.StringIO()
    with (
        open(os.devnull, "w") as nowhere,
        contextlib.redirect_stdout(nowhere),
        contextlib.redirect_stderr(complaints),
    ):
        yield complaints


def suspicion(candidate: Candidate, small: int = SMALL) -> str:
    """Return why two small measurements make a candidate suspect, or ""."""
    limit = 5
    try:
        first, second = seconds(candidate, small, 1, limit), seconds(candidate, 4 * small, 1, limit)
        if second < 0.03 or (second < 4.8 * first and second * 1e6 < MICROSECONDS_A_BYTE * 4 * small):
            return ""
        first = min(first, seconds(candidate, small, 1, limit))
        second = min(second, seconds(candidate, 4 * small, 1, limit))
    except TooSlowError:
        return f"more than {limit} s at {4 * small // 1000} KB"
    if second > 4.8 * first or second * 1e6 > MICROSECONDS_A_BYTE * 4 * small:
        return f"{second / max(first, 0.001):.1f} times"
    return ""


def offense(candidate: Candidate, largest: int = 800_000) -> str:
    """Return how a candidate violates the guarantee between 50 KB and `largest` bytes, or ""."""
    size = 50_000
    try:
        before = seconds(candidate, size, runs=2)
        if before * 1e6 > MICROSECONDS_A_BYTE * size:
            return f"{before * 1e6 / size:.1f} us a byte at {size // 1000} KB"
        while 4 * size <= largest:
            size *= 4
            now = seconds(candidate, size, runs=2)
            if now > RATIO * before and now > 0.1:
                growth = now / max(before, 0.001)
                return f"time grows {growth:.1f} times from {size // 4000} KB to {size // 1000} KB ({now:.2f} s)"
            if now * 1e6 > MICROSECONDS_A_BYTE * size:
                return f"{now * 1e6 / size:.1f} us a byte at {size // 1000} KB"
            before = now
    except TooSlowError:
        return f"more than {_LIMIT} s at {size // 1000} KB"
    return ""


def candidates(random_: random.Random, kinds: Sequence[str], commands: Sequence[str]) -> Iterator[Candidate]:
    """Yield candidates without end: first each token of each kind alone, then random combinations."""
    alone = [
        Candidate(kind, command, "", token, suffix)
        for kind in kinds
        for token in tokens_of(kind)
        for command, suffix in (("extract", ""), ("fix-all", SUFFIXES[0]))
        if command in commands
    ]
    random_.shuffle(alone)
    yield from alone
    while True:
        kind = random_.choice(kinds)
        tokens = tokens_of(kind)
        unit = "".join(random_.choice(tokens) for _ in range(random_.choice((1, 2, 2, 2, 3, 3))))
        prefix = random_.choice(PREFIXES.get(kind, ("",))) + random_.choice(("", "", "", random_.choice(tokens)))
        suffix = random_.choice(("", random_.choice(tokens))) + random_.choice(SUFFIXES)
        yield Candidate(kind, random_.choice(commands), prefix, unit, suffix)


def search(
    minutes: float, seed: int, kinds: Sequence[str], commands: Sequence[str] = tuple(COMMANDS), skip: int = 0
) -> Counter[str]:
    """Print each candidate that violates the guarantee; return the counts, also by kind."""
    counts: Counter[str] = Counter()
    known: set[tuple[str, str]] = set()
    end = time.monotonic() + 60 * minutes
    for number, candidate in enumerate(candidates(random.Random(seed), kinds, commands)):
        if time.monotonic() > end:
            break
        if number < skip or (candidate.kind, candidate.unit) in known:
            continue
        counts["candidates"] += 1
        counts[candidate.kind] += 1
        if not (why := suspicion(candidate)):
            continue
        counts["suspects"] += 1
        if why.startswith("more") or (why := offense(candidate)):
            counts["offenders"] += 1
            known.add((candidate.kind, candidate.unit))
            print(f"{why}: {candidate!r}", flush=True)
    return counts


def _main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.timing_search")
    parser.add_argument("--minutes", type=float, default=60, help="how long to search (default: 60)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the random choices (default: 0)")
    parser.add_argument("--skip", type=int, default=0, help="skip the first N candidates")
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="search this kind only; repeatable")
    parser.add_argument("--command", action="append", choices=list(COMMANDS), help="run this command only; repeatable")
    options = parser.parse_args(arguments)
    kinds, commands = options.kind or list(KINDS), options.command or list(COMMANDS)
    counts = search(options.minutes, options.seed, kinds, commands, options.skip)
    total, suspects, offenders = counts["candidates"], counts["suspects"], counts["offenders"]
    covered = sum(kind in counts for kind in KINDS)
    print(f"{total} candidates of {covered} kinds with {len(commands)} commands:", end=" ")
    print(f"{suspects} measured again, {offenders} too slow")
    return 1 if offenders else 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
