"""Compare the output of two versions of urlscan byte for byte.

usage: python benchmarks/golden.py [-j N] [--only RUN]... OLD NEW PATH...

OLD and NEW are interpreters in which urlscan is installed, or source trees, which this interpreter runs. PATH is a
file or a directory. JSON Lines whose records have a "text" (and "suffix", "file", "header", "before", "after"), and
TOML with a "case" for each text (corpus/), are read as one file for each text as well.

Each run of RUNS is made once for each version: extract and check with the defaults and with all options, as JSON Lines
and SARIF, and the edits of --fix and --unsafe-fixes as a diff, so that no file changes. Messages and exit status count
as output; times do not.

Prints one line for each group of differences: the run, what differs, how often, and the first difference. A record that
both versions have at the same offset with the same code is "changed" in the fields that are named; others are "lost"
or "new". The exit status is 1 if anything differs.

    golden.py /src/urlscan-0.1 . corpus README.md docs
    check all: changed message (3): docs/a.md:7 U101: '"|" must be' -> '"|" (U+007C) must be'
"""

import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from typing import Any

EXTRACT = ("extract", "--isolated", "--format", "jsonl")
CHECK = ("check", "--isolated", "--format")
RUNS: dict[str, tuple[str, ...]] = {
    "extract": EXTRACT,
    "extract all": (
        *EXTRACT, "--relative", "--schemeless", "--emails", "--defanged", "--unwrap", "--rejoin", "guess",
    ),
    "check": (*CHECK, "jsonl"),
    "check all": (*CHECK, "jsonl", "--select", "ALL"),
    "sarif": (*CHECK, "sarif"),
    "sarif all": (*CHECK, "sarif", "--select", "ALL"),
    "fix": ("check", "--isolated", "--fix", "--diff"),
    "unsafe fix": ("check", "--isolated", "--fix", "--unsafe-fixes", "--diff"),
}  # fmt: skip
# A record of any format, and what identifies it: path, position and code.
Record = dict[str, Any]
Key = tuple[str, str, str]
_LONGEST = 60
_TIME = re.compile(rb'"(?:start|end)TimeUtc": "[^"]*"')


class Version:
    """A version of urlscan: an interpreter in which it is installed, or a source tree."""

    def __init__(self, path: pathlib.Path, jobs: int) -> None:
        is_tree = path.is_dir()
        self._command = [sys.executable if is_tree else str(path), "-m", "urlscan"]
        # The working directory must not hide the version.
        self._environment = {**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": str(path.resolve()) if is_tree else ""}
        self._jobs = ("-j", str(jobs))
        # Version 0.2.0 and earlier remember the files without findings.
        self._no_cache = ("--no-cache",) if b"--no-cache" in self._output(("check", "--help"))[1] else ()

    def _output(self, arguments: Sequence[str]) -> tuple[int, bytes, bytes]:
        process = subprocess.run([*self._command, *arguments], env=self._environment, capture_output=True, check=False)
        return process.returncode, _TIME.sub(b'"": ""', process.stdout), process.stderr

    def output(self, run: str, paths: Sequence[str]) -> tuple[int, bytes, bytes]:
        """Return the exit status, the output and the messages of a run."""
        command, *options = RUNS[run]
        no_cache = self._no_cache if command == "check" else ()
        return self._output((command, *self._jobs, *no_cache, *options, "--", *paths))


def _texts(path: pathlib.Path) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of the snippets in a file; none if it holds no snippets."""
    try:
        data = path.read_text(encoding="utf-8")
        if path.suffix == ".jsonl":
            rows = [json.loads(line) for line in data.split("\n") if line.strip()]
        else:
            rows = tomllib.loads(data).get("case", [])
    except (ValueError, RecursionError):
        return
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and isinstance(row.get("text"), str):
            head, text = str(row.get("header", "")), row["text"].replace("⟦", "").replace("⟧", "")
            suffix = ".eml" if head else row.get("suffix") or pathlib.Path(row.get("file", "")).suffix or ".txt"
            name = pathlib.Path(row.get("path", f"text{suffix}")).name
            yield name, "".join([head, row.get("before", ""), text, row.get("after", "")])


def write_snippets(paths: Sequence[pathlib.Path], folder: pathlib.Path) -> int:
    """Write the snippets of all files as files of their own; return their number."""
    files = (file for path in paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path]))
    count = 0
    for file in files:
        if file.suffix in (".jsonl", ".toml") and file.is_file():
            for number, (name, text) in enumerate(_texts(file)):
                target = folder / f"{file.stem}-{number}" / name
                target.parent.mkdir(exist_ok=True)
                target.write_bytes(text.encode("utf-8", "surrogateescape"))
                count += 1
    return count


def _records(run: str, status: int, output: bytes, messages: bytes) -> Iterator[Record]:
    """Yield what a run has written as records."""
    yield {"path": "exit status", "status": status}
    for line in messages.decode("utf-8", "replace").splitlines():
        yield {"path": "message", "line": line}
    text = output.decode("utf-8", "replace")
    if "fix" in run:
        for section in ("\n" + text).split("\n--- ")[1:]:
            path, *hunks = section.split("\n@@ ")
            for hunk in hunks:
                yield {"path": path.partition("\n")[0], "start": hunk.partition("\n")[0], "hunk": hunk}
    elif run.startswith("sarif"):
        # An artifact is identified by its URI: its index changes if another one is added.
        for log in json.loads(re.sub(r', "index": [0-9]+', "", text))["runs"] if text else ():
            results = log.pop("results", [])
            yield {"path": "SARIF", **log}
            for result in results:
                location = result["locations"][0]["physicalLocation"]
                start = str(location.get("region", {}))
                yield {"path": location["artifactLocation"]["uri"], "code": result["ruleId"], "start": start, **result}
    else:
        yield from (json.loads(line) for line in text.split("\n") if line)


def _key(record: Record) -> Key:
    return f"{record['path']} {record.get('member', '')}", str(record.get("start")), record.get("code", "")


def _title(record: Record) -> str:
    """Return where a record is and what it is about."""
    words = (record.get("code"), record.get("url"), record.get("line") if "code" not in record else "")
    line = f":{record['line']}" if isinstance(record.get("line"), int) else ""
    return f"{record['path']}{line} " + " ".join(str(word) for word in words if word)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def differences(old: list[Record], new: list[Record]) -> dict[str, list[str]]:
    """Return the differences of a run by group."""
    groups: dict[str, list[str]] = collections.defaultdict(list)
    counts = [collections.Counter(json.dumps(record) for record in records) for records in (old, new)]
    lost, added = ([json.loads(line) for line in (a - b).elements()] for a, b in (counts, counts[::-1]))
    waiting: dict[Key, list[Record]] = collections.defaultdict(list)
    for record in lost:
        waiting[_key(record)].append(record)
    for record in added:
        twins = waiting[_key(record)]
        if not twins:
            groups[f"new {record.get('code') or record.get('style', '')}".strip()].append(_title(record))
            continue
        before = twins.pop(0)
        names = sorted(name for name in before.keys() | record.keys() if before.get(name) != record.get(name))
        changes = (f"{_short(before.get(name))} -> {_short(record.get(name))}" for name in names)
        groups[f"changed {', '.join(names)}"].append(f"{_title(record)}: {'; '.join(changes)}")
    for record in (record for twins in waiting.values() for record in twins):
        groups[f"lost {record.get('code') or record.get('style', '')}".strip()].append(_title(record))
    return groups or {"order or format": [""]}


def main(arguments: Sequence[str]) -> int:
    """Compare two versions; return 1 if their output differs, else 0."""
    parser = argparse.ArgumentParser(prog="golden.py", description="Compare the output of two versions of urlscan.")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="number of processes of each run (default: 1)")
    parser.add_argument("--only", action="append", choices=list(RUNS), help="a run to make (default: all)")
    parser.add_argument("old", type=pathlib.Path, help="interpreter or source tree")
    parser.add_argument("new", type=pathlib.Path, help="interpreter or source tree")
    parser.add_argument("paths", type=pathlib.Path, nargs="+", help="files and directories to read")
    options = parser.parse_args(arguments)
    versions = [Version(path, options.jobs) for path in (options.old, options.new)]
    status = 0
    with tempfile.TemporaryDirectory(prefix="golden-") as folder:
        snippets = [folder] if write_snippets(options.paths, pathlib.Path(folder)) else []
        paths = [*map(str, options.paths), *snippets]
        for run in options.only or RUNS:
            old, new = (version.output(run, paths) for version in versions)
            if old == new:
                continue
            status = 1
            groups = differences(list(_records(run, *old)), list(_records(run, *new)))
            for group, cases in sorted(groups.items(), key=lambda pair: -len(pair[1])):
                print(f"{run}: {group} ({len(cases)}): {cases[0].replace(folder, '')}", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
