"""Implement the options `--fix`, `--fix-only`, `--unsafe-fixes` and `--diff` of `urlscan check`."""

import argparse
from collections.abc import Iterator
from typing import TypeVar

from urlscan.cli import output
from urlscan.core.errors import ConfigError
from urlscan.formats.base import RenderOptions
from urlscan.pipeline.results import CheckResult, FixOptions

T = TypeVar("T")


def add_options(group: argparse._ArgumentGroup) -> None:
    """Add the options to an argument group."""
    add = group.add_argument
    add("--fix", action="store_true", help="apply safe fixes, and report the remaining findings")
    add("--fix-only", action="store_true", help="apply safe fixes, without reporting the remaining findings")
    add("--diff", action="store_true", help="show the changes of --fix without writing them")
    add("--unsafe-fixes", action="store_true", help="also apply fixes that may change the meaning")


def fix_report_of(options: argparse.Namespace) -> "FixReport | None":
    """Return how to fix, or None; raise ConfigError if options contradict each other."""
    is_fixing = options.fix or options.fix_only or options.diff
    if options.unsafe_fixes and not is_fixing:
        raise ConfigError("--unsafe-fixes requires --fix, --fix-only or --diff")
    if options.diff:
        for name in ("reports", "statistics", "write_baseline"):
            if getattr(options, name):
                option = {"reports": "--format and --output-file"}.get(name, "--" + name.replace("_", "-"))
                raise ConfigError(f"--diff reports no findings and cannot be used with {option}")
    if not is_fixing:
        return None
    return FixReport(unsafe=options.unsafe_fixes, diff=options.diff, fix_only=options.fix_only or options.diff)


class FixReport:
    """Counts and reports fixes.

    Args:
        unsafe: whether to apply fixes that may change the meaning.
        diff: whether to show the fixes without applying them.
        fix_only: whether to report no remaining findings.
    """

    def __init__(self, *, unsafe: bool, diff: bool, fix_only: bool) -> None:
        self._unsafe = unsafe
        self._diff = diff
        self._fix_only = fix_only
        self._changed = False
        self._fixed = 0

    def fixing(self, render_options: RenderOptions) -> FixOptions:
        """Return the options for the run."""

        def show(old: CheckResult, new: CheckResult) -> None:
            from urlscan.formats.diff import render

            self._changed = True
            secrets = old.secrets, new.secrets
            for piece in render(old.path, old.segment.document, new.segment.document, secrets, render_options):
                output.write(piece)

        return FixOptions(self._unsafe, output.write, show if self._diff else None)

    def track(self, results: Iterator[CheckResult | T]) -> Iterator[CheckResult | T]:
        """Yield the results, without remaining findings if those are not reported."""
        for result in results:
            if isinstance(result, CheckResult):
                self._fixed += len(result.fixed)
                result = result._replace(findings=[]) if self._fix_only else result
            yield result

    def summarize(self) -> None:
        """Report how many findings were fixed, for formats that do not."""
        if self._fixed:
            output.complain(f"fixed {self._fixed} finding{'' if self._fixed == 1 else 's'}")

    def finish(self, *, quiet: bool) -> bool:
        """Report how many findings would be fixed, and return whether a file would change."""
        if self._changed and not quiet:
            output.flush()  # write the diff first
            output.complain(f"would fix {self._fixed} finding{'' if self._fixed == 1 else 's'}")
        return self._changed
