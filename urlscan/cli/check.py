"""Implement `urlscan check`: report the problems of URLs in texts, and fix them."""

import os
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from itertools import chain

from urlscan.cli import output
from urlscan.cli.journal import Journal
from urlscan.cli.options import list_paths, load_configuration, make_read_options, options_without_parser
from urlscan.cli.reports import Report, make_reports, write_all
from urlscan.config import name_of
from urlscan.core.document import Document
from urlscan.core.records import Severity
from urlscan.core.settings import PROFILES
from urlscan.core.typing import TYPE_CHECKING
from urlscan.files.walk import STDIN
from urlscan.formats import COMMANDS, STATISTICS, SUMMARIZED
from urlscan.formats.base import RenderOptions, number, renderer
from urlscan.formats.escape import escape
from urlscan.linter.judge import rule_set_for
from urlscan.pipeline import check, read
from urlscan.pipeline.targets import Targets

if TYPE_CHECKING:  # loaded only for options, or for a baseline
    from argparse import Namespace

    from urlscan.cli.parser import Parser
    from urlscan.pipeline.baseline import Baseline, BaselineEntry

# The defaults of the options that only this command has.
_DEFAULTS: dict[str, object] = {
    "select": None, "extend_select": None, "ignore": None, "statuses": None, "profile": None, "with_referrers": False,
    "reports": None, "max_findings": None, "statistics": False, "fail_on": None, "exit_zero": False, "baseline": None,
    "write_baseline": None, "fix": False, "fix_only": False, "diff": False, "unsafe_fixes": False, "show_fixes": False,
    "add_ignore": False, "explain": None, "unpack_else": "named",
}  # fmt: skip
# Options that exclude others, and why.
_CONFLICTS = (
    ("explain", "paths files_from fix fix_only diff add_ignore write_baseline", "it explains one line of a file"),
    ("explain", "reports statistics max_findings with_referrers", "it explains one line of a file"),
    ("add_ignore", "fix fix_only diff write_baseline with_referrers", "run them one after the other"),
    ("diff", "reports statistics max_findings fail_on write_baseline with_referrers", "it reports no findings"),
    ("write_baseline", "baseline", "it records all findings"),
)
# Limit on stale entries of a baseline in the summary; -v lists all.
_NAMED = 5
# Formats for people, which say that there are no findings.
_FOR_PEOPLE = (*SUMMARIZED, STATISTICS["full"])
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


def create_parser() -> "Parser":
    """Return the parser of the arguments."""
    from urlscan.cli.parser import Parser, add_reports, add_shared

    parser = Parser("check", "Report problems of the URLs in texts, with location and suggestion.", _EXAMPLES)
    parser.conflicts = _CONFLICTS
    add = parser.add_argument_group("rules").add_argument
    rules = "codes, prefixes of codes, names or ALL"
    add("--select", metavar="RULES", action="append", help=f"enable only these rules ({rules}; comma-separated)")
    add("--extend-select", metavar="RULES", action="append", help="enable these rules in addition")
    add("--ignore", metavar="RULES", action="append", help="disable these rules; takes precedence over --select")
    add(
        "--statuses", metavar="FILE",
        help="report the URLs that a link checker reported as dead (U951): JSON of lychee, CSV of LinkChecker, or CSV"
        " with the columns url, status and time",
    )  # fmt: skip
    add("--profile", choices=PROFILES, help="specification by which URLs are judged (default: rfc3986)")
    add(
        "--with-referrers", action="store_true",
        help="also report references to the given files in other documents of the same repository (U911 to U914); a"
        " given file may have been deleted",
    )  # fmt: skip
    reporting = parser.add_argument_group("reporting")
    add = reporting.add_argument
    add_reports(reporting)
    add(
        "--explain", metavar="FILE:LINE",
        help="explain what is reported about the URLs of a line, and why something is not",
    )  # fmt: skip
    add(
        "--fail-on", choices=[severity.label for severity in sorted(Severity, reverse=True)],
        help="lowest severity that makes the exit status 1 (default: warning)",
    )  # fmt: skip
    add("--exit-zero", action="store_true", help="exit with 0 even if there are findings; errors still exit with 2")
    add("--baseline", metavar="FILE", help="report only findings that FILE does not contain")
    add("--write-baseline", metavar="FILE", help="record all findings in FILE, remove stale ones, and report nothing")
    group = parser.add_argument_group("fixing")
    add = group.add_argument
    add("--fix", action="store_true", help="apply safe fixes, and report the remaining findings")
    add("--fix-only", action="store_true", help="apply safe fixes, without reporting the remaining findings")
    add("--diff", action="store_true", help="show the changes of --fix without writing them")
    add("--unsafe-fixes", action="store_true", help="also apply fixes that may change the meaning")
    add("--show-fixes", action="store_true", help="list the fixes by file and rule")
    add("--add-ignore", action="store_true", help="add suppression comments for all findings, and report the rest")
    add_shared(parser, unpack="named")  # archives in directories are not source files
    return parser


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    options = options_without_parser(arguments, **_DEFAULTS) or create_parser().read(arguments)
    writes = (options.fix, options.fix_only, options.add_ignore, options.write_baseline)
    with ExitStack() as stack:
        if any(writes) or any(report.file is not None for report in options.reports or []):
            from urlscan.cli.signals import unwound  # needed only for writing files

            stack.enter_context(unwound())
        run = _CheckRun(options)
        if options.explain is not None:
            return run.explain()
        progress: AbstractContextManager[read.ReadOptions] = nullcontext(run.read_options)
        if output.is_terminal(to_stderr=True):
            from urlscan.cli.progress import shown

            progress = shown(options, run.paths, run.read_options)
        with progress as read_options:
            results = run.results(read_options)
            if options.diff:
                deque(results, maxlen=0)  # the diff is written by a callback
            elif len(run.reports) > 1 or run.reports[0].file is not None:
                write_all(results, run.reports, run.render_options, run.paths, to_stderr=run.to_stderr)
            else:
                format = run.reports[0].format
                for piece in renderer(format)(results, run.render_options):
                    output.write(piece, to_stderr=run.to_stderr, commands=format in COMMANDS)
        return run.finish()


class _CheckRun:
    """One run of the command.

    Attributes:
        reports: the formats and files to write.
        render_options: how findings are rendered.
        to_stderr: whether findings go to standard error, because the fixed text of standard input is written to
            standard output.
        paths: the paths to check.
        read_options: how they are read.
    """

    def __init__(self, options: "Namespace") -> None:
        self._options = options
        self._fix_report = None
        if options.fix or options.fix_only or options.diff or options.unsafe_fixes or options.show_fixes:
            from urlscan.cli.fixing import FixReport

            self._fix_report = FixReport(options)
        self._configuration = load_configuration(options)
        self._here = local = self._configuration.resolve()
        rule_set_for(local.settings)  # report unknown rules even if there are no files
        if options.baseline is None and local.baseline is not None:
            options.baseline = name_of(local.baseline)
        self.paths = self._configuration.walked = list_paths(options)
        self.to_stderr = (self._fix_report is not None or options.add_ignore) and STDIN in self.paths
        verbose = options.verbose or options.explain is not None
        self._journal = Journal(quiet=options.quiet, verbose=verbose, count_left_out=options.statistics)
        color, links = output.use_styles(options.color, to_stderr=self.to_stderr)
        self.render_options = RenderOptions(
            color, options.show_secrets, options.quiet, self._journal.run, links, options.show_fixes
        )
        self.reports = [Report(local.output_format or "full", None)]
        if options.reports or options.statistics:
            self.reports = make_reports(options, self.reports[0])
        self._report_files = {os.path.normpath(report.file) for report in self.reports if report.file is not None}
        self._severity, self._shown, self._hidden = 0, 0, 0
        self._baseline = None
        if options.write_baseline is not None or options.baseline is not None:
            from urlscan.pipeline.baseline import read as read_baseline

            self._baseline = read_baseline(
                options.write_baseline or options.baseline, missing=options.write_baseline is not None
            )
        self._targets = Targets(self._configuration.project_root)
        self.read_options = make_read_options(options, self._configuration)._replace(
            targets=self._targets, skipped=self._journal.skip
        )

    def results(self, read_options: read.ReadOptions) -> Iterator[Document]:
        """Yield the findings to report, up to `--max-findings`, and record everything else."""
        checked, most = self._checked(read_options), self._options.max_findings
        if self._baseline is not None:
            record_all = self._options.write_baseline is not None
            checked = self._baseline.filter(checked, record_all=record_all)
        if self._fix_report is not None:
            checked = self._fix_report.track(checked)
        for result in checked:
            self._journal.record(result)
            if not isinstance(result, Document):
                continue
            if self._report_files and os.path.normpath(result.path) in self._report_files:
                continue
            self._severity = max([self._severity, *(finding.severity for finding in result.findings)])
            if most is not None:
                rest = most - self._shown
                result.findings, result.hidden = result.findings[:rest], result.findings[rest:]
                self._shown += len(result.findings)
                self._hidden += len(result.hidden)
            yield result
        self._journal.report_counts()

    def _checked(self, read_options: read.ReadOptions) -> Iterator[Document | read.Notice]:
        paths, settings = self.paths, self._here.settings
        if self._options.add_ignore:
            from urlscan.pipeline.add_ignore import add_suppressions

            return add_suppressions(paths, settings, read_options, output.write, self._baseline)
        referrers: Iterator[Document | read.Notice] = iter(())
        if self._options.with_referrers:
            from urlscan.pipeline.referrers import check_referrers, existing_paths

            referrers = check_referrers(paths, settings, read_options, self._targets, self._options.jobs)
            paths = existing_paths(paths)
        if self._fix_report is None:
            return chain(check.check(paths, settings, read_options, self._options.jobs), referrers)
        from urlscan.pipeline.fix import fix_files

        fixing = self._fix_report.fixing(self.render_options)
        return chain(fix_files(paths, settings, read_options, fixing), referrers)

    def explain(self) -> int:
        """Explain the findings of `--explain`, and return the exit status."""
        from urlscan.cli.explaining import explain_line

        fail_on = Severity[(self._here.fail_on or "warning").upper()]
        position, settings = self._options.explain, self._here.settings
        explain_line(position, settings, self.read_options, self._baseline, fail_on, self._journal)
        return 2 if self._journal.failed else 0

    def finish(self) -> int:
        """Write the baseline, and what the formats do not report; return the exit status."""
        if not self._journal.has_read:
            self._journal.finish(self.paths, self.read_options, "checked")
        if self._baseline is not None:
            _finish_baseline(self._baseline, self._options, self._configuration.codes, self.paths)
        if not (self._options.quiet or self._options.diff):
            has_summary = any(report.format in SUMMARIZED for report in self.reports)
            if not has_summary and self._fix_report is not None:
                self._fix_report.summarize()
            if not has_summary and self._hidden and not self._options.statistics:
                more = number(self._hidden, "more finding")
                output.complain(f"{more} not reported (--max-findings {self._options.max_findings})")
            if self._journal.has_read and not (self._journal.failed or self._severity):
                self._report_success()
        if self._journal.failed:
            return 2
        fails = self._severity >= Severity[(self._here.fail_on or "warning").upper()]
        if self._fix_report is not None and self._options.diff:
            fails = self._fix_report.finish(quiet=self._options.quiet)
        return int(fails and not self._options.exit_zero)

    def _report_success(self) -> None:
        """Say that there are no findings: to people, if findings would have been reported."""
        shows_findings = self._fix_report is None or self._fix_report.reports_findings
        for_people = any(report.file is None and report.format in _FOR_PEOPLE for report in self.reports)
        if not (shows_findings and for_people) or self._options.write_baseline is not None:
            return
        totals = self._journal.totals()
        if self._baseline is not None and (hidden := self._baseline.known & self._baseline.found):
            totals += f"; {number(hidden.total(), 'finding')} in the baseline"
        output.write(f"All checks passed: {totals}.\n", to_stderr=self.to_stderr)


# --- baselines


def _finish_baseline(
    baseline: "Baseline", options: "Namespace", codes: Callable[[str], frozenset[str]], paths: list[str]
) -> None:
    """Write the baseline, or report its stale entries; `codes` returns the rules that are enabled for a file."""
    if options.write_baseline is None:
        stale = baseline.stale(codes, paths)
        if stale and not options.quiet:
            _name_stale(baseline.file, stale, verbose=options.verbose)
        return
    renewed, stale = baseline.update(codes, paths)
    if not options.quiet:
        files = len({entry.path for entry in renewed})
        summary = f"{baseline.file}: {number(renewed.total(), 'finding')} in {number(files, 'file')}"
        if stale:
            summary += f", {stale.total()} removed"
        output.complain(summary)


def _name_stale(file: str, stale: "Counter[BaselineEntry]", *, verbose: bool) -> None:
    """Report stale entries in one line, or, if `verbose`, one per line."""
    alike = Counter[tuple[str, str]]()  # the hash of the URL is of no use to a reader
    for entry, count in stale.items():
        alike[entry.path, entry.code] += count
    lines = []
    for (path, code), count in sorted(alike.items()):
        line = f"{path}: {code}"
        if count > 1:
            line += f" ({count} times)"
        lines.append(line)
    hint = f"remove them with --write-baseline {file}"
    what = f"{number(stale.total(), 'finding')} of the baseline no longer found"
    if verbose:
        for line in lines:
            output.complain(f"{file}: no longer found: {line}")
        lines = []
    named = [*map(escape, lines[:_NAMED])]
    if len(lines) > _NAMED:
        named.append(f"{len(lines) - _NAMED} more")
    output.complain(": ".join(filter(None, [f"{file}: {what} ({hint})", "; ".join(named)])))
