"""Count the findings of each default rule per 1,000 URLs in real texts, and record them.

usage: python benchmarks/triggers.py [--write] NAME=PATH...

Each PATH is a file or a folder, and NAME is its column in the README's table of rules. With --write, the figures and
the date are written to benchmarks/triggers.json, from which `python -m tests.pages` generates the table.
"""

import argparse
import collections
import datetime
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FIGURES = HERE / "triggers.json"


def lines_of(*arguments: str) -> list[str]:
    """Return the lines of output of an urlscan command."""
    command = [sys.executable, "-m", "urlscan", *arguments]
    return subprocess.run(command, capture_output=True, check=False).stdout.decode("utf-8", "replace").split("\n")[:-1]


def rates(path: str) -> tuple[int, dict[str, float]]:
    """Return the number of URLs below a path, including relative ones, and the findings of each rule per 1,000 URLs."""
    urls = len(lines_of("extract", "--isolated", "--relative", path))
    records = map(json.loads, lines_of("check", "--isolated", "--format", "jsonl", path))
    counts = collections.Counter(record["code"] for record in records)
    return urls, {code: round(1000 * count / max(urls, 1), 3) for code, count in sorted(counts.items())}


def main() -> None:
    """Print the rates, and write them with --write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("corpora", nargs="+", metavar="NAME=PATH")
    options = parser.parse_args()
    found = {}
    for corpus in options.corpora:
        name, _, path = corpus.partition("=")
        urls, by_rule = rates(path)
        found[name] = {"urls": urls, "per_thousand": by_rule}
        print(f"{name}: {urls} URLs", *(f"  {code} {rate}" for code, rate in by_rule.items()), sep="\n")
    if options.write:
        record = {"date": datetime.datetime.now(datetime.UTC).date().isoformat(), "corpora": found}
        FIGURES.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
