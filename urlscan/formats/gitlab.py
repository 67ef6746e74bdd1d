"""Render GitLab's Code Quality report, which merge requests show next to the lines."""

from collections.abc import Iterable, Iterator

from urlscan.core.records import Finding, Severity
from urlscan.files.repository import repository_path
from urlscan.formats.base import CheckResult, RenderOptions, masked_findings
from urlscan.formats.fingerprint import Fingerprints
from urlscan.formats.headline import advice
from urlscan.formats.location import repository_place
from urlscan.formats.records import array, dumps

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def render(results: Iterable[CheckResult], options: RenderOptions) -> Iterator[str]:
    """Yield the array, one record per line."""
    fingerprints = Fingerprints()
    records = (
        {
            "description": _description(finding),
            "check_name": finding.name,
            "fingerprint": fingerprints.of(finding),
            "severity": _SEVERITIES[finding.severity],
            "location": {"path": repository_path(finding.path), "lines": _lines(finding)},
        }
        for result in results
        for finding, _ in masked_findings(result, options)
    )
    yield from array(dumps(record) for record in records)


def _description(finding: Finding) -> str:
    text = f"{finding.code} {advice(finding)}"
    return f"{repository_place(finding)}:{finding.line}:{finding.column}: {text}" if finding.member else text


def _lines(finding: Finding) -> dict[str, int]:
    # An archive has no lines, but a report requires some.
    return {"begin": 1, "end": 1} if finding.member else {"begin": finding.line, "end": finding.end_line}
