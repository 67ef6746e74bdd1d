"""Measure what each reason does for which `urlscan check` does not report a broken reference: switch off one at a time.

    python benchmarks/ablation.py TREE...

Each tree is checked as it is, and again without each entry of `urlscan.targets.excuses` that excused a reference. The
table lists, by entry, the references that it excused, the findings that appear without it (errors, warnings,
information) and those whose severity rises. `--show N` prints the first N of them.
"""

import argparse
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from urlscan.core.records import Finding
from urlscan.core.settings import Settings
from urlscan.formats.base import CheckResult
from urlscan.pipeline import check
from urlscan.pipeline.read import ReadOptions
from urlscan.pipeline.targets import Targets
from urlscan.targets import anchor_excuses, excuses

Key = tuple[str, int, int, str]


class Checked(NamedTuple):
    """The findings of a tree by path, span and code, and how many references were excused, by reason."""

    findings: Mapping[Key, Finding]
    excused: Counter[str]


class Effect(NamedTuple):
    """The effect of one entry: the references that it excuses, the findings without it, and the higher severities."""

    name: str
    excused: int
    appearing: list[Finding]
    rising: list[Finding]


def check_tree(tree: Path, disabled: Iterable[str] = ()) -> Checked:
    """Check the relative references of a tree without some entries."""
    checked = Checked({}, Counter())
    findings: dict[Key, Finding] = {}
    excuses.disabled.update(disabled)
    try:
        for result in check.check([str(tree)], Settings(select=("U91",)), ReadOptions(targets=Targets())):
            if isinstance(result, CheckResult):
                findings.update({(one.path, one.start, one.end, one.code): one for one in result.findings})
                checked.excused.update(dict(result.excused))
    finally:
        excuses.disabled.clear()
    return checked._replace(findings=findings)


def effects(tree: Path) -> list[Effect]:
    """Return what each entry that excuses a reference of a tree does; a doubt counts with the others."""
    usual = check_tree(tree)
    names = [one.name for one in anchor_excuses.ALL if one.name in usual.excused or one in excuses.DOUBTS]
    found = []
    for name in names:
        without = check_tree(tree, [name]).findings
        appearing = [one for key, one in without.items() if key not in usual.findings]
        rising = [
            one for key, one in without.items() if key in usual.findings and one.severity > usual.findings[key].severity
        ]
        found.append(Effect(name, usual.excused[name], appearing, rising))
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", metavar="TREE", nargs="+", type=Path)
    parser.add_argument("--show", metavar="N", type=int, default=0, help="print the first N findings of each entry")
    options = parser.parse_args()
    by_name: dict[str, list[Effect]] = {}
    for tree in options.trees:
        for effect in effects(tree):
            by_name.setdefault(effect.name, []).append(effect)
    print("| entry | trees | excused | errors, warnings, information without it | severity rises |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, each in by_name.items():
        appearing = [one for effect in each for one in effect.appearing]
        counts = Counter(one.severity.name for one in appearing)
        severities = ", ".join(str(counts[level]) for level in ("ERROR", "WARNING", "INFO"))
        rising = sum(len(effect.rising) for effect in each)
        print(f"| {name} | {len(each)} | {sum(effect.excused for effect in each)} | {severities} | {rising} |")
        for one in appearing[: options.show]:
            print(f"  {os.path.relpath(one.path)}:{one.line}:{one.column}: {one.code} {one.message}")


if __name__ == "__main__":
    main()
