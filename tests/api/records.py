"""Compare the records of the library with those of the command.

`python -m tests.api.records PATH...` compares all files below the paths.
"""

import dataclasses
import json
import os
import sys
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import urlscan
from tests.command import urlscan as command

_DEFAULTS = {
    field.name: field.default
    for field in dataclasses.fields(urlscan.Located)
    if field.default is not dataclasses.MISSING
}


def of_command(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of `urlscan extract --format jsonl`."""
    done = command("extract", "--isolated", "--show-secrets", "--format", "jsonl", "-j1", str(path))
    for line in done.out.splitlines():
        record = json.loads(line)
        del record["schema_version"]
        yield {**_DEFAULTS, **record}


def of_library(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of `scan_file`, with lists in place of tuples."""
    for found in urlscan.scan_file(path):
        record = dataclasses.asdict(found)
        yield {**record, "breaks": list(record["breaks"]), "alternatives": list(record["alternatives"])}


def differences(path: Path) -> list[tuple[Any, Any]]:
    """Return the pairs of records that differ; an unreadable archive ends both."""
    return [pair for pair in zip_longest(of_command(path), _until_error(of_library(path))) if pair[0] != pair[1]]


def _until_error(records: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    try:
        yield from records
    except urlscan.SourceError as error:
        print(error, file=sys.stderr)


def count(path: str) -> int:
    """Return the number of URLs in a file; for another process."""
    return sum(1 for _ in urlscan.scan_file(path))


def main() -> int:
    """Compare all files below the given paths."""
    files = failed = 0
    for top in map(Path, sys.argv[1:]):
        for path in [top] if top.is_file() else sorted(top.rglob("*")):
            if path.is_file() and os.access(path, os.R_OK):
                files += 1
                if wrong := differences(path):
                    failed += 1
                    print(path, len(wrong), wrong[0], flush=True)
    print(f"{files} files, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
