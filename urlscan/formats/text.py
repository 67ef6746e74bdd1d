"""Render findings for people: in full, in one line each, or below the name of their file."""

from collections.abc import Iterable, Iterator

from urlscan.core.document import readable
from urlscan.core.records import Finding
from urlscan.formats.base import CheckResult, RenderOptions, masked_findings
from urlscan.formats.escape import escape
from urlscan.formats.headline import BLUE, SEVERITY, headline, paint, rule_code, source_name, suggested
from urlscan.formats.summary import Summary

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
            rows = excerpt_of(finding, result.document, hidden)
            margin = " " * len(str(finding.end_line))
            yield "\n".join(
                [
                    headline(finding, options),
                    f"{margin} {paint('|', BLUE, options)}",
                    *(
                        line
                        for number, text, carets in rows
                        for line in _lines(number, text, carets, margin, finding, options)
                    ),
                    *(f"{margin} {paint('=', BLUE, options)} {note}" for note in _notes(finding)),
                    "\n",
                ]
            )
    yield from summary.lines(options)


def _lines(number: int, text: str, carets: str, margin: str, finding: Finding, options: RenderOptions) -> Iterator[str]:
    if number == 0:
        yield paint(text, BLUE, options)
        return
    bar = paint("|", BLUE, options)
    yield f"{paint(f'{number:>{len(margin)}}', BLUE, options)} {bar} {text}".rstrip()
    marks = carets.lstrip(" ")
    indent = " " * (len(carets) - len(marks))
    yield f"{margin} {bar} {indent}{paint(marks, SEVERITY[finding.severity], options)}"


def _notes(finding: Finding) -> Iterator[str]:
    if finding.section:
        yield f"note: {escape(finding.section)}"
    by = {"safe": "fixable with --fix", "unsafe": "fixable with --fix --unsafe-fixes"}
    how = by[finding.fix.applicability] if finding.fix else ""
    if suggestion := suggested(finding):
        yield f"help: write {escape(suggestion)}" + (how and f" ({how})")
    elif how:
        yield f"help: {how}"


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
    for number, line in enumerate(summary.lines(options)):
        yield ("\n" if last is not None and not number else "") + line
