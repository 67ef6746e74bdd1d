"""Render findings for people: in full, in one line each, or below the name of their file."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from urlscan.core.document import Document, readable
from urlscan.core.records import Finding, Severity
from urlscan.formats.base import (
    BLUE,
    SEVERITY,
    RenderOptions,
    headline,
    masked_findings,
    number,
    paint,
    rule_code,
    source_name,
    suggested,
)
from urlscan.formats.escape import escape

_FIXABLE = {"safe": "fixable with --fix", "unsafe": "fixable with --fix --unsafe-fixes"}

# --- Render findings for people: headline, source line with the span underlined, section, suggestion
#
# notes.txt:3:12: U201 bad-escape error: "%zz" in the path: ...
#   |
# 3 | See http://h.example/%zz
#   |                      ^^^
#   = note: RFC 3986 section 2.1
#   = help: write %25


def _full(document: Document, options: RenderOptions) -> Iterator[str]:
    from urlscan.formats.excerpt import excerpt_of, secrets_shown

    secrets = secrets_shown(document, options)
    bar, equals = paint("|", BLUE, options), paint("=", BLUE, options)
    for finding, _ in masked_findings(document, options):
        margin = " " * len(str(finding.end_line))
        lines = [headline(finding, options), f"{margin} {bar}"]
        for line_number, text, carets, _ in excerpt_of(finding, document, secrets):
            if line_number == 0:
                lines.append(paint(text, BLUE, options))
                continue
            marks = carets.lstrip(" ")
            indent = " " * (len(carets) - len(marks))
            lines.append(f"{paint(f'{line_number:>{len(margin)}}', BLUE, options)} {bar} {text}".rstrip())
            lines.append(f"{margin} {bar} {indent}{paint(marks, SEVERITY[finding.severity], options)}")
        if finding.section:
            lines.append(f"{margin} {equals} note: {escape(finding.section)}")
        text, how = suggested(finding), finding.fix and _FIXABLE[finding.fix.applicability]
        if text and how:
            lines.append(f"{margin} {equals} help: write {escape(text)} ({how})")
        elif text:
            lines.append(f"{margin} {equals} help: write {escape(text)}")
        elif how:
            lines.append(f"{margin} {equals} help: {how}")
        yield "\n".join([*lines, "\n"])


# --- Render one line per finding: `path:line:column: CODE name severity: message`


def _concise(document: Document, options: RenderOptions) -> Iterator[str]:
    for finding, _ in masked_findings(document, options):
        yield headline(finding, options) + "\n"


# --- Render the findings of each file below its name


def render_grouped(documents: Iterable[Document], options: RenderOptions) -> Iterator[str]:
    """Yield the name of each file, and a line for each of its findings, then a summary."""
    last = ""

    def grouped(document: Document, options: RenderOptions) -> Iterator[str]:
        nonlocal last
        for finding, _ in masked_findings(document, options):
            if finding.where != last:
                if last:
                    yield "\n"
                yield f"{source_name(finding, options)}:\n"
                last = finding.where
            style = SEVERITY[finding.severity]
            code, severity = rule_code(finding.code, style, options), paint(finding.severity.label, style, options)
            where = f"  {finding.line}:{finding.column}: "
            yield f"{where}{code} {finding.name} {severity}: {escape(readable(finding.message))}\n"

    return _with_summary(documents, options, grouped, "\n")


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


def _with_summary(
    documents: Iterable[Document],
    options: RenderOptions,
    render: Callable[[Document, RenderOptions], Iterator[str]],
    separator: str = "",
) -> Iterator[str]:
    """Yield what `render` yields for each result with findings, then the summary of the run, if there is one."""
    severities, fixable, hidden = Counter[Severity](), Counter[str](), 0
    fixes: Fixes | None = None
    has_findings = False
    for document in documents:
        if document.fixed:
            fixes = fixes or Fixes()
            fixes.add(document.fixed)
        hidden += len(document.hidden)
        findings = (*document.findings, *document.hidden)
        severities.update(finding.severity for finding in findings)
        fixable.update(finding.fix.applicability for finding in findings if finding.fix is not None)
        if document.findings:
            has_findings = True
            yield from render(document, options)
    if options.quiet:
        return
    lines = list[str]()
    if fixes is not None:
        lines += fixes.lines("Fixed") if options.show_fixes else [f"{fixes.headline('Fixed')}."]
    if severities:
        counts = [number(count, severity.label) for severity, count in sorted(severities.items(), reverse=True)]
        totals = f"Found {', '.join(counts)}"
        if hidden:
            totals += f"; {severities.total() - hidden} shown (--max-findings)"
        lines.append(f"{totals}.")
    for applicability, option in (("safe", "--fix"), ("unsafe", "--fix --unsafe-fixes")):
        if count := fixable[applicability]:
            lines.append(f"{number(count, 'fix')} available with {option}.")
    if has_findings and lines:
        yield separator
    for line in lines:
        yield f"{line}\n"


render_full = partial(_with_summary, render=_full)
render_concise = partial(_with_summary, render=_concise)
