"""Track the findings of a run: the highest severity, and how many are shown."""

import os
from collections.abc import Iterator

from urlscan.core.records import Finding
from urlscan.formats.base import Result
from urlscan.pipeline.results import CheckResult


class Tally:
    """Tracks the findings of a run, except those in its own report files.

    Attributes:
        severity: the highest severity; 0 without findings.
        hidden: how many findings are not shown.

    Args:
        reports: the names of the report files.
        max_shown: how many findings are shown; None for all of them.
    """

    def __init__(self, reports: set[str], max_shown: int | None) -> None:
        self.severity = 0
        self.hidden = 0
        self._reports = reports
        self._max_shown = max_shown
        self._shown = 0

    def track(self, results: Iterator[CheckResult]) -> Iterator[Result]:
        """Yield the results; findings after the first `max_shown` are hidden."""
        for result in results:
            if self._reports and os.path.normpath(result.path) in self._reports:
                continue
            findings = result.findings
            self.severity = max([self.severity, *(finding.severity for finding in findings)])
            hidden: list[Finding] = []
            if self._max_shown is not None:
                remaining = self._max_shown - self._shown
                findings, hidden = findings[:remaining], findings[remaining:]
                self._shown += len(findings)
                self.hidden += len(hidden)
            yield Result(result.path, result.document, findings, result.secrets, result.fixed, hidden)
