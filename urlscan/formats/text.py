"""Render findings for people: in full, in one line each, or below the name of their file."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from urlscan.core.document import readable
from urlscan.core.records import Finding, Severity
from urlscan.formats.base import CheckResult, RenderOptions, masked_findings, number
from urlscan.formats.escape import escape
from urlscan.formats.headline import BLUE, SEVERITY, headline, paint, rule_code, source_name, suggested

if TYPE_CHECKING:  # loaded for the first finding
    from urlscan.formats.excerpt import ExcerptLine

_FIXABLE = {"safe": "fixable with --fix", "unsafe": "fixable with --fix --unsafe-fixes"}

# --- Render findings for people: headline, source line with the span underlined, section, suggestion
#
# notes.txt:3:12: U201 bad-escape error: "%zz" in the path: ...
#   |
# 3 | See http://h.example/%zz
#   |                      ^^^
#   = note: RFC 3986 section 2.1
#   = help: write %25


def render_full(results: Iterable[CheckResult], options: RenderOptions) -> Iterator[str]:
    """Yield each finding, then a summary."""
    summary = Summary()
    for result in results:
        summary.add(result)
        if not result.findings:
            continue
        from urlscan.formats.excerpt import excerpt_of

        hidden = [] if options.show_secrets else result.secrets.in_document(result.document)
        for finding, _ in masked_findings(result, options):
            yield _described(finding, excerpt_of(finding, result.document, hidden), options)
    yield from summary.lines(options)


def _described(finding: Finding, rows: "list[ExcerptLine]", options: RenderOptions) -> str:
    """Return the lines about a finding."""
    margin = " " * len(str(finding.end_line))
    bar, note = paint("|", BLUE, options), f"{margin} {paint('=', BLUE, options)}"
    lines = [headline(finding, options), f"{margin} {bar}"]
    for line_number, text, carets in rows:
        if line_number == 0:
            lines.append(paint(text, BLUE, options))
            continue
        marks = carets.lstrip(" ")
        indent = " " * (len(carets) - len(marks))
        lines.append(f"{paint(f'{line_number:>{len(margin)}}', BLUE, options)} {bar} {text}".rstrip())
        lines.append(f"{margin} {bar} {indent}{paint(marks, SEVERITY[finding.severity], options)}")
    if finding.section:
        lines.append(f"{note} note: {escape(finding.section)}")
    how = _FIXABLE[finding.fix.applicability] if finding.fix else ""
    if suggestion := suggested(finding):
        lines.append(f"{note} help: write {escape(suggestion)}" + (how and f" ({how})"))
    elif how:
        lines.append(f"{note} help: {how}")
    return "\n".join([*lines, "\n"])


# --- Render one line per finding: `path:line:column: CODE name severity: message`


def render_concise(results: Iterable[CheckResult], options: RenderOptions) -> Iterator[str]:
    """Yield a line for each finding, then a summary."""
    summary = Summary()
    for result in results:
        summary.add(result)
        for finding, _ in masked_findings(result, options):
            yield headline(finding, options) + "\n"
    yield from summary.lines(options)


# --- Render the findings of each file below its name


def render_grouped(results: Iterable[CheckResult], options: RenderOptions) -> Iterator[str]:
    """Yield the name of each file, and a line for each of its findings, then a summary."""
    last = None
    summary = Summary()
    for result in results:
        summary.add(result)
        for finding, _ in masked_findings(result, options):
            if finding.where != last:
                yield ("" if last is None else "\n") + f"{source_name(finding, options)}:\n"
                last = finding.where
            style = SEVERITY[finding.severity]
            code, severity = rule_code(finding.code, style, options), paint(finding.severity.label, style, options)
            where = f"  {finding.line}:{finding.column}: "
            yield f"{where}{code} {finding.name} {severity}: {escape(readable(finding.message))}\n"
    for index, line in enumerate(summary.lines(options)):
        yield ("\n" if last is not None and not index else "") + line


# --- Summarize a run below its findings


class Fixes:
    """Counts fixes by file and rule."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str]] = {}

    def add(self, fixed: Iterable[Finding]) -> None:
        """Count the findings that were fixed."""
        for finding in fixed:
            self._counts.setdefault(finding.where, Counter())[f"{finding.code} ({finding.name})"] += 1

    @property
    def number(self) -> int:
        """Return how many findings were fixed."""
        return sum(rules.total() for rules in self._counts.values())

    def headline(self, verb: str) -> str:
        """Return how many findings were fixed, after a verb such as "Fixed"."""
        return f"{verb} {number(self.number, 'finding')}"

    def lines(self, verb: str) -> Iterator[str]:
        """Yield the headline, and below it the number of fixes by file and rule; nothing without fixes."""
        if not self._counts:
            return
        yield f"{self.headline(verb)}:"
        for where, rules in self._counts.items():
            yield f"- {escape(where)}:"
            width = max(len(str(count)) for count in rules.values())
            for rule, count in sorted(rules.items(), key=lambda item: (-item[1], item[0])):
                yield f"    {count:>{width}} × {rule}"


class Summary:
    """Counts the findings and the fixes of a run."""

    def __init__(self) -> None:
        self._severities: Counter[Severity] = Counter()
        self._fixable: Counter[str] = Counter()
        self._fixed: Fixes | None = None
        self._hidden = 0

    def add(self, result: CheckResult) -> None:
        """Count the findings of a document."""
        if result.fixed:
            self._fixed = self._fixed or Fixes()
            self._fixed.add(result.fixed)
        self._hidden += len(result.hidden)
        for finding in (*result.findings, *result.hidden):
            self._severities[finding.severity] += 1
            if finding.fix is not None:
                self._fixable[finding.fix.applicability] += 1

    def lines(self, options: RenderOptions) -> Iterator[str]:
        """Yield the lines of the summary; none for a run without findings and fixes, or if `options.quiet`."""
        if options.quiet:
            return
        if self._fixed is not None and options.show_fixes:
            yield from (f"{line}\n" for line in self._fixed.lines("Fixed"))
        elif self._fixed is not None:
            yield f"{self._fixed.headline('Fixed')}.\n"
        severities = sorted(self._severities.items(), reverse=True)
        if not severities:
            return
        rest = ""
        if self._hidden:
            rest = f"; {self._severities.total() - self._hidden} shown (--max-findings)"
        yield f"Found {', '.join(number(count, severity.label) for severity, count in severities)}{rest}.\n"
        if safe := self._fixable["safe"]:
            yield f"{number(safe, 'fix')} available with --fix.\n"
        if unsafe := self._fixable["unsafe"]:
            yield f"{number(unsafe, 'fix')} available with --fix --unsafe-fixes.\n"
