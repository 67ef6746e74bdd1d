"""Render one JSON record per line."""

from collections.abc import Iterable, Iterator

from urlscan.formats.base import CheckResult, RenderOptions, masked_findings
from urlscan.formats.records import dumps, finding_record


def render(results: Iterable[CheckResult], options: RenderOptions) -> Iterator[str]:
    """Yield the record of each finding."""
    for result in results:
        for finding, masked in masked_findings(result, options):
            yield dumps(finding_record(finding, masked)) + "\n"
