"""Count how often each rule is right in judged findings, and add the counts to those in the package.

usage: python benchmarks/records.py VERDICTS.jsonl RESULTS [VERDICTS.jsonl RESULTS]...

A line is a record with "repo", "path", "line", "code" and "verdict" (useful, pedantic or false). RESULTS is a
directory with the output of `urlscan check --isolated --format jsonl` for each repository, `owner+name.jsonl`. A
finding counts if it is reported today as an error or a warning, outside test data. Only the counts are kept:
no text of the judged sources enters the package. Name each set once, since its counts are added.
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path

from urlscan.data.records import RECORDS

TARGET = Path(__file__).parents[1] / "urlscan/data/records.py"
NAMES = ("useful", "pedantic", "false")
_TESTS = re.compile(r"(^|/)(test|tests|t|spec|specs|fixtures|testdata|test-data|__tests__|testing)(/|$)")


def _read(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _count(verdicts: Path, results: Path, counts: dict[str, Counter[str]]) -> None:
    """Add the verdicts of one set by code."""
    reported: dict[str, set[tuple[str, str, str]]] = {}
    for verdict in _read(verdicts):
        name = verdict["repo"].replace("/", "+")
        if name not in reported:
            findings = _read(results / f"{name}.jsonl")
            keys = ((f["path"].removeprefix("./"), f["line"], f["code"]) for f in findings if f["severity"] != "info")
            reported[name] = set(keys)
        place = verdict["path"], verdict["line"], verdict["code"]
        if place in reported[name] and _TESTS.search(verdict["path"]) is None:
            counts.setdefault(verdict["code"], Counter())[verdict["verdict"]] += 1


def main() -> int:
    """Add the sets that are named to the table."""
    names = sys.argv[1:]
    if not names or len(names) % 2:
        print(__doc__, file=sys.stderr)
        return 2
    counts = {code: Counter(dict(zip(NAMES, row, strict=True))) for code, row in RECORDS.items()}
    for verdicts, results in zip(names[::2], names[1::2], strict=True):
        _count(Path(verdicts), Path(results), counts)
    rows = [f'    "{code}": ({", ".join(str(counts[code][v]) for v in NAMES)}),\n' for code in sorted(counts)]
    TARGET.write_text(
        '"""The useful, pedantic and false findings of each rule; `benchmarks/records.py` writes them."""\n\n'
        f"RECORDS: dict[str, tuple[int, int, int]] = {{\n{''.join(rows)}}}\n",
        encoding="utf-8",
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
