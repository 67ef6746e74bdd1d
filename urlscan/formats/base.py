"""Define what every format receives."""

from collections.abc import Iterator
from typing import NamedTuple

from urlscan.core.records import Finding
from urlscan.core.segment import Segment, readable
from urlscan.masking.show import mask_finding
from urlscan.masking.track import Secrets


class Result(NamedTuple):
    """The findings of one segment.

    Attributes:
        path: the name of its source.
        segment: the text of the findings.
        findings: in order of position.
        secrets: the secrets in the text.
        fixed: the findings that were fixed.
    """

    path: str
    segment: Segment
    findings: list[Finding]
    secrets: Secrets
    fixed: list[Finding]


class RenderOptions(NamedTuple):
    """How findings are rendered.

    Attributes:
        color: whether to use terminal colors.
        show_secrets: whether secrets are shown unmasked.
        quiet: whether to omit the summary.
    """

    color: bool = False
    show_secrets: bool = False
    quiet: bool = False


def masked_findings(result: Result, options: RenderOptions) -> Iterator[tuple[Finding, bool]]:
    """Yield each finding with its secrets masked, and whether something was masked."""
    for finding in result.findings:
        masked, changed = (finding, False) if options.show_secrets else mask_finding(finding, result.secrets)
        yield masked._replace(url=readable(masked.url)), changed
