"""Define the results of checking and the options for fixing."""

from collections.abc import Callable
from typing import NamedTuple

from urlscan.core.records import Finding
from urlscan.core.segment import Segment
from urlscan.masking.track import Secrets


class CheckResult(NamedTuple):
    """The findings of one segment, or of a chunk of one.

    Attributes:
        path: the name of its source.
        segment: the text of the findings, after fixing.
        findings: the remaining findings, in order of position.
        secrets: the secrets in the segment.
        fixed: the fixed findings.
        left_out: how many findings are not reported because the source is test data (`relaxed-paths`).
    """

    path: str
    segment: Segment
    findings: list[Finding]
    secrets: Secrets
    fixed: list[Finding]
    left_out: int = 0


class FixOptions(NamedTuple):
    """How to fix findings.

    Attributes:
        unsafe: whether to apply fixes that may change the meaning.
        stdout: receives the fixed bytes of standard input.
        diff: called with the old and the new result of each changed segment; nothing is written then.
    """

    unsafe: bool
    stdout: Callable[[bytes], object]
    diff: Callable[[CheckResult, CheckResult], object] | None = None
