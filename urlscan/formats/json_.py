"""Render one JSON array of all records."""

from collections.abc import Iterable, Iterator

from urlscan.formats.base import CheckResult, RenderOptions, masked_findings
from urlscan.formats.records import array, dumps, finding_record


def render(results: Iterable[CheckResult], options: RenderOptions) -> Iterator[str]:
    """Yield the array, one record per line."""
    records = (dumps(finding_record(*one)) for result in results for one in masked_findings(result, options))
    yield from array(records)
