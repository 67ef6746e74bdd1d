"""Implement `urlscan check`: report the problems of URLs in texts, and fix them."""

import argparse
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from urlscan import run as running
from urlscan.cli import baselines, mending, output, reports
from urlscan.cli.journal import Journal
from urlscan.cli.options import Parser, add_shared, configuration_of, listed, paths_of, read_options_of
from urlscan.config import name_of
from urlscan.errors import ConfigError
from urlscan.formats.base import RenderOptions, Result
from urlscan.model import Severity
from urlscan.rules.selection import check_settings
from urlscan.settings import PROFILES, Settings
from urlscan.sources.walk import STDIN

if TYPE_CHECKING:  # loaded only for a baseline
    from urlscan.run.baseline import Baseline

_EXAMPLES = """\
examples:
  urlscan check                         check the files of this directory
  urlscan check --select ALL README.md  enable every rule
  urlscan check --fix docs              apply safe fixes
  urlscan check --diff docs             show the changes of --fix
  urlscan check --format github .       annotate a GitHub workflow
  urlscan check --format full --format sarif --output-file urlscan.sarif

To suppress a finding, write `urlscan: ignore[U201]` in a comment on its line, or
`urlscan: ignore-next-line[U201]` on the line before.  With --fix, the fixed text
of standard input is written to standard output, and the remaining findings to
standard error.

exit status: 0 no finding at or above --fail-on remains, 1 findings remain (with
--diff: a file would change), 2 error, 130 interrupted
"""


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    parser = _parser()
    options = parser.read(arguments)
    files = any(report.file is not None for report in options.reports or [])
    if not (files or options.fix or options.fix_only or options.add_ignore or options.write_baseline):
        return _run(options)
    from urlscan.cli.signals import unwound  # needed only for writing files

    with unwound():
        return _run(options)


def _run(options: argparse.Namespace) -> int:
    fix_report = mending.fix_report_of(options)
    _check_options(options, is_fixing=fix_report is not None)
    configuration = configuration_of(options)
    here = configuration.here()
    check_settings(here.settings)  # report unknown rules even if there are no files
    if options.baseline is None and here.baseline is not None:
        options.baseline = name_of(here.baseline)
    paths = paths_of(options)
    # The fixed text of standard input takes standard output.
    to_stderr = (fix_report is not None or options.add_ignore) and STDIN in paths
    render_options = RenderOptions(
        output.use_color(options.color, to_stderr=to_stderr), options.show_secrets, options.quiet
    )
    configuration.set_walked(paths)
    journal = Journal(quiet=options.quiet, verbose=options.verbose, count_left_out=options.statistics)
    written = reports.reports_of(options, here.output_format or "full")
    loudest = _HighestSeverity({os.path.normpath(report.file) for report in written if report.file is not None})
    baseline = baselines.baseline_of(options)
    read_options = read_options_of(options, configuration)
    if options.add_ignore:
        checked = _add_suppressions(paths, here.settings, read_options, baseline)
    else:
        fixing = fix_report.fixing(render_options) if fix_report is not None else None
        checked = running.check(paths, here.settings, read_options, fixing, options.jobs)
    if baseline is not None:
        checked = baseline.filter(checked) if options.write_baseline is None else baseline.take(checked)
    if fix_report is not None:
        checked = fix_report.track(checked)
    results = loudest.track(journal.filter(checked))
    if options.diff:
        for _ in results:  # the diff is written by a callback
            pass
    else:
        reports.write_all(results, written, render_options, to_stderr=to_stderr)
    journal.finish(paths, read_options, "checked")
    if baseline is not None:
        baselines.finish(baseline, options, configuration.codes, paths)
    if fix_report is not None and not (options.diff or options.quiet or any(one.format == "full" for one in written)):
        fix_report.summarize()
    if journal.failed:
        return 2
    fails = loudest.severity >= Severity[(here.fail_on or "warning").upper()]
    if fix_report is not None and options.diff:
        fails = fix_report.finish(quiet=options.quiet)
    return 1 if fails and not options.exit_zero else 0


def _check_options(options: argparse.Namespace, *, is_fixing: bool) -> None:
    """Raise ConfigError if options contradict each other or select nothing."""
    if options.select is not None and not listed(options.select):
        raise ConfigError("--select is empty", hint="write codes, names, prefixes of codes or ALL")
    if options.add_ignore and (is_fixing or options.write_baseline is not None):
        raise ConfigError(
            "--add-ignore cannot be used with --fix or --write-baseline", hint="run them one after the other"
        )


def _parser() -> Parser:
    parser = Parser("check", "Report problems of the URLs in texts, with location and suggestion.", _EXAMPLES)
    add = parser.add_argument_group("judging").add_argument
    rules = "codes, prefixes of codes, names or ALL"
    add("--select", metavar="RULES", action="append", help=f"enable only these rules ({rules}; comma-separated)")
    add("--extend-select", metavar="RULES", action="append", help="enable these rules in addition")
    add("--ignore", metavar="RULES", action="append", help="disable these rules; takes precedence over --select")
    add("--profile", choices=PROFILES, help="specification by which URLs are judged (default: rfc3986)")
    reporting = parser.add_argument_group("reporting")
    add = reporting.add_argument
    reports.add_options(reporting)
    add(
        "--fail-on", choices=[severity.label for severity in sorted(Severity, reverse=True)],
        help="lowest severity that makes the exit status 1 (default: warning)",
    )  # fmt: skip
    add("--exit-zero", action="store_true", help="exit with 0 even if there are findings; errors still exit with 2")
    baselines.add_options(reporting)
    group = parser.add_argument_group("mending")
    mending.add_options(group)
    add = group.add_argument
    add("--add-ignore", action="store_true", help="add suppression comments for all findings, and report the rest")
    add_shared(parser, unpack="named")  # archives in directories are not source files
    return parser


def _add_suppressions(
    paths: list[str], settings: Settings, read_options: running.ReadOptions, baseline: "Baseline | None"
) -> Iterator[running.CheckResult | running.Notice]:
    from urlscan.run.marking import AddIgnoreOptions, add_suppressions

    unknown = baseline.unknown if baseline is not None else list[running.CheckResult]
    return add_suppressions(paths, settings, read_options, AddIgnoreOptions(output.write, unknown))


class _HighestSeverity:
    """Tracks the highest severity of all findings, except those in the report files of this run."""

    def __init__(self, reports: set[str]) -> None:
        self.severity = 0
        self._reports = reports

    def track(self, results: Iterator[running.CheckResult]) -> Iterator[Result]:
        for path, segment, findings, secrets, fixed, _ in results:
            if self._reports and os.path.normpath(path) in self._reports:
                continue
            self.severity = max([self.severity, *(finding.severity for finding in findings)])
            yield Result(path, segment, findings, secrets, fixed)
