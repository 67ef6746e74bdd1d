"""The options `--fix`, `--fix-only`, `--unsafe-fixes` and `--diff` of `urlscan check`."""

import argparse
from collections.abc import Iterator
from typing import TypeVar

from urlscan.cli import output
from urlscan.errors import ConfigError
from urlscan.formats.base import RenderOptions
from urlscan.run import CheckResult, FixOptions

T = TypeVar("T")


def add_options(group: argparse._ArgumentGroup) -> None:
    """Add the options."""
    add = group.add_argument
    add("--fix", action="store_true", help="apply the fixes that keep the meaning, and report what remains")
    add("--fix-only", action="store_true", help="apply them, and report nothing of what remains")
    add("--diff", action="store_true", help="show what --fix would change, and write nothing")
    add("--unsafe-fixes", action="store_true", help="with one of these, also the fixes that may change the meaning")


def fix_report_of(options: argparse.Namespace) -> "FixReport | None":
    """Return what is to be mended, and how; ConfigError for options that contradict each other."""
    mends = options.fix or options.fix_only or options.diff
    if options.unsafe_fixes and not mends:
        raise ConfigError("--unsafe-fixes goes with --fix, --fix-only or --diff")
    if options.diff:
        for name in ("reports", "statistics", "write_baseline"):
            if getattr(options, name):
                option = {"reports": "--format and --output-file"}.get(name, "--" + name.replace("_", "-"))
                raise ConfigError(f"--diff reports no findings, and does not go with {option}")
    if not mends:
        return None
    return FixReport(unsafe=options.unsafe_fixes, diff=options.diff, silent=options.fix_only or options.diff)


class FixReport:
    """How fixes are applied, and what comes of it.

    Args:
        unsafe: whether those are applied that may change the meaning.
        diff: whether they are only shown.
        silent: whether nothing is said of what remains.
    """

    def __init__(self, *, unsafe: bool, diff: bool, silent: bool) -> None:
        self._unsafe = unsafe
        self._diff = diff
        self._silent = silent
        self._changed = False
        self._fixed = 0

    def fixing(self, render_options: RenderOptions) -> FixOptions:
        """Return what the run is told."""

        def show(old: CheckResult, new: CheckResult) -> None:
            from urlscan.formats.diff import render

            self._changed = True
            secrets = old.secrets, new.secrets
            for piece in render(old.path, old.segment.document, new.segment.document, secrets, render_options):
                output.write(piece)

        return FixOptions(self._unsafe, output.write, show if self._diff else None)

    def track(self, results: Iterator[CheckResult | T]) -> Iterator[CheckResult | T]:
        """Pass results on, without what remains if nothing is to be said of that."""
        for result in results:
            if isinstance(result, CheckResult):
                self._fixed += len(result.fixed)
                result = result._replace(findings=[]) if self._silent else result
            yield result

    def summarize(self) -> None:
        """Say how much was fixed, where no report does."""
        if self._fixed:
            output.complain(f"fixed {self._fixed} finding{'' if self._fixed == 1 else 's'}")

    def finish(self, *, quiet: bool) -> bool:
        """Say how much would be fixed, and return whether something would change."""
        if self._changed and not quiet:
            output.flush()  # it comes behind the diff
            output.complain(f"would fix {self._fixed} finding{'' if self._fixed == 1 else 's'}")
        return self._changed
