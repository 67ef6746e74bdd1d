"""GitLab's Code Quality report: an array that merge requests show beside the lines."""

from collections.abc import Iterable, Iterator

from urlscan.formats.base import Look, Result, shown
from urlscan.formats.fingerprint import Fingerprints
from urlscan.formats.records import array, dumps
from urlscan.model import Severity
from urlscan.text import readable

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def render(results: Iterable[Result], look: Look) -> Iterator[str]:
    """Yield the array, a record a line."""
    fingerprints = Fingerprints()
    records = (
        {
            "description": f"{finding.code} {readable(finding.message)}",
            "check_name": finding.name,
            "fingerprint": fingerprints.of(finding),
            "severity": _SEVERITIES[finding.severity],
            "location": {"path": finding.path, "lines": {"begin": finding.line, "end": finding.end_line}},
        }
        for result in results
        for finding, _ in shown(result, look)
    )
    yield from array(dumps(record) for record in records)
