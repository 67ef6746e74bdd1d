"""What is wrong in a segment, and whether that is to be fixed."""

from collections.abc import Callable
from typing import NamedTuple

from urlscan.formats.masking import Secrets
from urlscan.model import Finding
from urlscan.text import Segment


class CheckResult(NamedTuple):
    """What is wrong in one segment, or stretch of one.

    Attributes:
        path: the name of its source.
        segment: the text that the findings speak of, after fixing.
        findings: what remains, in order of position.
        secrets: where they stand in it.
        fixed: what was fixed.
        left_out: how many findings are not reported because the source is test data (`relaxed-paths`).
    """

    path: str
    segment: Segment
    findings: list[Finding]
    secrets: Secrets
    fixed: list[Finding]
    left_out: int = 0


class FixOptions(NamedTuple):
    """That findings are to be fixed.

    Attributes:
        unsafe: whether fixes are applied that may change the meaning.
        stdout: takes the fixed bytes of standard input.
        diff: is given what was and what would be, of each segment that would change; nothing is written then.
    """

    unsafe: bool
    stdout: Callable[[bytes], object]
    diff: Callable[[CheckResult, CheckResult], object] | None = None
