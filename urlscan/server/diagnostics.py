"""Diagnostics of the protocol for findings."""

from collections.abc import Iterator

from lsprotocol import types

from urlscan import Alternative, Finding, Severity
from urlscan.api.buffers import Analysis, Url, line_end
from urlscan.api.pages import rule_page
from urlscan.server.text import Text

SOURCE = "urlscan"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFO: types.DiagnosticSeverity.Information,
}
# Findings about comments that have no effect; editors fade them out.
_UNNECESSARY = frozenset(("U901",))
_REASONS = {
    "hyphen-dropped": "without the hyphen at the line break",
    "hyphen-kept": "with the hyphen at the line break",
    "blank-escaped": "with the space escaped",
    "unjoined": "only up to the line break",
    "joined": "continued on the next line",
    "shorter": "ending earlier",
    "longer": "ending later",
}


def range_of(text: Text, start: int, end: int) -> types.Range:
    """Return the range of the protocol for a span of a text."""
    return types.Range(types.Position(*text.position(start)), types.Position(*text.position(end)))


def diagnostics_of(analysis: Analysis, text: Text, uri: str, *, related: bool = True) -> list[types.Diagnostic]:
    """Return the diagnostics of a document, with `related` information if the editor shows that."""
    diagnostics = []
    for finding in analysis.findings:
        readings = related and list(_related(finding, analysis, text, uri))
        diagnostics.append(diagnostic_of(finding, text, readings or None))
    if analysis.left_out and diagnostics:
        message = f"{analysis.left_out} more findings after this one; `urlscan check` shows them"
        severity = types.DiagnosticSeverity.Information
        diagnostics.append(types.Diagnostic(diagnostics[-1].range, message, severity=severity, source=SOURCE))
    return diagnostics


def diagnostic_of(
    finding: Finding, text: Text, related: "list[types.DiagnosticRelatedInformation] | None" = None
) -> types.Diagnostic:
    """Return the diagnostic of a finding."""
    return types.Diagnostic(
        range=range_of(text, finding.start, finding.end),
        message=message_of(finding),
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(rule_page(finding.code)),
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if finding.code in _UNNECESSARY else None,
        related_information=related,
        data={"name": finding.name, "fix": finding.fix and finding.fix.applicability},
    )


def message_of(finding: Finding) -> str:
    """Return the message of a finding, with its suggestion and section."""
    text = finding.message
    if finding.suggestion and finding.suggestion not in text:
        text += f"; write {finding.suggestion}"
    if finding.section:
        text += f" ({finding.section})"
    return text


def _related(
    finding: Finding, analysis: Analysis, text: Text, uri: str
) -> Iterator[types.DiagnosticRelatedInformation]:
    """Yield the other readings of the URL of a finding."""
    url = analysis.url_at(finding.start, finding.end)
    if url is None or url.occurrence.url != finding.url:
        return
    for alternative in url.occurrence.alternatives:
        span = range_of(text, *_extent(url, alternative, text.source))
        message = f"other reading, {reading_of(alternative, url)}"
        yield types.DiagnosticRelatedInformation(types.Location(uri, span), message)


def reading_of(alternative: Alternative, url: Url) -> str:
    """Return a description of another reading, with its secrets masked."""
    description = f"{_REASONS[alternative.why]}: {url.reading(alternative)}"
    if alternative.evidence:
        times = {1: "once"}.get(alternative.evidence, f"{alternative.evidence} times")
        description += f", which occurs {times} elsewhere in this document"
    return description


def _extent(url: Url, alternative: Alternative, text: str) -> tuple[int, int]:
    """Return the span of the text that another reading covers, as far as it is known."""
    start, end = url.occurrence.start, url.occurrence.end
    if alternative.why in ("unjoined", "shorter"):
        return start, min(end, start + len(alternative.url))
    if alternative.why == "joined":
        return start, line_end(text, line_end(text, end) + 1)
    return start, end
