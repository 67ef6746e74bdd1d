"""Measure what each reason does for which `urlscan check` does not report a broken reference, or only as information.

    python benchmarks/ablation.py TREE...

Each tree is checked once, with all entries of `urlscan.targets` off, and each broken reference is recorded with
the entries that hold for it. The table lists, by entry, how many references it holds for, in how many trees, and for
how many it decides: without it they would be reported (as errors, warnings, information), or with a higher severity.
Faults with one cause are counted one by one. `--show N` prints the first N references that an entry decides.
"""

import argparse
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from urlscan.core.faults import Excuse
from urlscan.core.records import Match, Severity
from urlscan.core.settings import Settings
from urlscan.pipeline import check
from urlscan.pipeline.read import ReadOptions
from urlscan.pipeline.targets import Targets
from urlscan.targets import checker, excuses
from urlscan.targets.advice import ADVICE, UNEDITED
from urlscan.targets.anchor_excuses import ALL, ANCHOR_ADVICE

_DOUBTS = frozenset(excuse.name for excuse in excuses.DOUBTS)
_ADVICE = frozenset(excuse.name for excuse in (*ADVICE, *UNEDITED, *ANCHOR_ADVICE))
_FAULTS = {"fragment-case": Severity.INFO, "incomplete-link": Severity.WARNING}


class Broken(NamedTuple):
    """A broken reference, the rule about it, and the names of all entries that hold for it."""

    path: str
    line: int
    url: str
    rule: str
    holding: frozenset[str]

    def severity(self, disabled: str = "") -> Severity | None:
        """Return the severity without an entry; None if the reference is not reported."""
        holding = self.holding - {disabled}
        doubts = holding & _DOUBTS
        if holding - _DOUBTS - _ADVICE or len(doubts) > 1:
            return None
        usual = Severity.WARNING if doubts else _FAULTS.get(self.rule, Severity.ERROR)
        return Severity.INFO if holding & _ADVICE else usual


def broken_references(tree: Path) -> list[Broken]:
    """Return the broken references of a tree."""
    references: list[Broken] = []
    holding: set[str] = set()
    check_reference = checker.DocumentChecker.check_reference

    def record(entries: tuple[Excuse, ...], broken: excuses.BrokenReference) -> str:
        """Record which entries hold, and return that none does."""
        holding.update(excuse.name for excuse in entries if excuse.applies(broken))
        return ""

    def record_reference(self: checker.DocumentChecker, occurrence: Match) -> None:
        holding.clear()
        count = len(self.broken)
        check_reference(self, occurrence)
        for target in self.broken[count:]:
            line = self.document.locate(occurrence.start, occurrence.end).line
            broken = Broken(self.document.path, line, occurrence.url, target.fault.name, frozenset(holding))
            references.append(broken)

    usual = checker.first_excuse
    checker.first_excuse = record
    checker.DocumentChecker.check_reference = record_reference  # type: ignore[method-assign]
    try:
        for _ in check.check([str(tree)], Settings(select=("U91", "U92")), ReadOptions(targets=Targets())):
            pass
    finally:
        checker.first_excuse = usual
        checker.DocumentChecker.check_reference = check_reference  # type: ignore[method-assign]
    return references


def decided(references: Iterable[Broken], name: str) -> list[tuple[Broken, Severity]]:
    """Return the references whose severity an entry decides, with their severity without it."""
    without = [(broken, broken.severity(name)) for broken in references if name in broken.holding]
    return [(broken, severity) for broken, severity in without if severity not in (None, broken.severity())]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", metavar="TREE", nargs="+", type=Path)
    parser.add_argument("--show", metavar="N", type=int, default=0, help="print the first N references of each entry")
    options = parser.parse_args()
    by_tree = [broken_references(tree) for tree in options.trees]
    print("| entry | trees | holds | trees | decides: errors, warnings, information | higher severity |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for excuse in ALL:
        holding = [sum(excuse.name in broken.holding for broken in references) for references in by_tree]
        changes = [decided(references, excuse.name) for references in by_tree]
        appearing = Counter(level for each in changes for broken, level in each if broken.severity() is None)
        rising = sum(broken.severity() is not None for each in changes for broken, _ in each)
        levels = ", ".join(str(appearing[level]) for level in (Severity.ERROR, Severity.WARNING, Severity.INFO))
        trees = sum(map(bool, holding)), sum(map(bool, changes))
        print(f"| {excuse.name} | {trees[0]} | {sum(holding)} | {trees[1]} | {levels} | {rising} |")
        for broken, level in [change for each in changes for change in each][: options.show]:
            print(f"  {broken.path}:{broken.line}: {broken.rule} {broken.url} ({level.label})")


if __name__ == "__main__":
    main()
