"""Render one line per finding: `path:line:column: CODE name severity: message`."""

from collections.abc import Iterable, Iterator

from urlscan.formats.base import CheckResult, RenderOptions, masked_findings
from urlscan.formats.headline import headline
from urlscan.formats.summary import Summary


def render(results: Iterable[CheckResult], options: RenderOptions) -> Iterator[str]:
    """Yield a line for each finding, then a summary."""
    summary = Summary()
    for result in results:
        summary.add(result)
        for finding, _ in masked_findings(result, options):
            yield headline(finding, options) + "\n"
    yield from summary.lines(options)
