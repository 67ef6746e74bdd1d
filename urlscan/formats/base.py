"""What every format is given."""

from collections.abc import Iterator
from typing import NamedTuple

from urlscan.formats.masking import Secrets, mask_finding
from urlscan.model import Finding
from urlscan.text import Segment, readable


class Result(NamedTuple):
    """The findings of one segment.

    Attributes:
        path: the name of its source.
        segment: the text that they speak of.
        findings: in order of position.
        secrets: where they stand in the text.
        fixed: what was fixed before.
    """

    path: str
    segment: Segment
    findings: list[Finding]
    secrets: Secrets
    fixed: list[Finding]


class RenderOptions(NamedTuple):
    """How the output is to look.

    Attributes:
        color: whether a terminal's colours are used.
        show_secrets: whether secrets are shown as they are.
        quiet: whether the findings stand alone, without a summary.
    """

    color: bool = False
    show_secrets: bool = False
    quiet: bool = False


def masked_findings(result: Result, options: RenderOptions) -> Iterator[tuple[Finding, bool]]:
    """Yield each finding as it may be shown, and whether something in it was masked."""
    for finding in result.findings:
        masked, changed = (finding, False) if options.show_secrets else mask_finding(finding, result.secrets)
        yield masked._replace(url=readable(masked.url)), changed
