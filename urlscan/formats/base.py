"""Define what every format receives."""

import os
import time
from collections.abc import Iterator, Mapping, Sequence

from urlscan.core.document import Document, readable
from urlscan.core.record import NamedTuple
from urlscan.core.records import Finding
from urlscan.formats.mask import Secrets, mask_finding

# Limit on the failures that a report names.
_MOST_FAILURES = 1_000


class CheckResult(NamedTuple):
    """The findings of one document, or of a chunk of one.

    Attributes:
        document: the text of the findings, after fixing.
        findings: the remaining findings, in order of position.
        secrets: the secrets in the document.
        fixed: the fixed findings.
        hidden: the findings that are counted, but not shown (`--max-findings`).
        urls: how many URLs were checked.
        links: how many references to files and anchors were looked up, excused ones included.
        left_out: how many findings are not reported because the source is test data (`relaxed-paths`).
        note: a remark for the user about how the document was read or checked, or "".
        excused: how many relative references that may be broken were not reported, by the reason.
    """

    document: Document
    findings: list[Finding]
    secrets: Secrets
    fixed: Sequence[Finding] = ()
    hidden: Sequence[Finding] = ()
    urls: int = 0
    links: int = 0
    left_out: int = 0
    note: str = ""
    excused: Mapping[str, int] = {}

    @property
    def path(self) -> str:
        """The name of the source."""
        return self.document.path


class RunInfo:
    """Facts about a run, for reports. They are complete when the results end.

    Attributes:
        started: when the run began, in seconds since the epoch.
        files: how many files were read.
        urls, links: the sums of the results.
        failures: why files could not be read, at most 1,000 of them.
    """

    def __init__(self) -> None:
        self.started = time.time()
        self.files, self.urls, self.links = 0, 0, 0
        self.failures: list[str] = []

    def fail(self, message: str) -> None:
        """Record why a file could not be read."""
        if len(self.failures) < _MOST_FAILURES:
            self.failures.append(message)


def report_time(started: float) -> float:
    """Return the time of a report, or that of SOURCE_DATE_EPOCH, which makes reports reproducible."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    if fixed.isascii() and fixed.isdigit() and len(fixed) < 12:
        return float(fixed)
    return started


class RenderOptions(NamedTuple):
    """How findings are rendered.

    Attributes:
        color: whether to use terminal colors.
        show_secrets: whether secrets are shown unmasked.
        quiet: whether to omit the summary.
        run: the run that the results come from; None if they come from the library.
        links: whether the terminal shows links to files and the pages of rules.
        show_fixes: whether the summary lists the fixes.
    """

    color: bool = False
    show_secrets: bool = False
    quiet: bool = False
    run: RunInfo | None = None
    links: bool = False
    show_fixes: bool = False


def number(count: int, noun: str) -> str:
    """Return a count with its noun, such as "1,024 files"."""
    plural = f"{noun}es" if noun.endswith("x") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def masked_findings(result: CheckResult, options: RenderOptions) -> Iterator[tuple[Finding, bool]]:
    """Yield each finding with its secrets masked, and whether something was masked."""
    for finding in result.findings:
        is_masked = False
        if not options.show_secrets:
            finding, is_masked = mask_finding(finding, result.secrets)
        yield finding._replace(url=readable(finding.url)), is_masked
