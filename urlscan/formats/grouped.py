"""Render the findings of each file below its name."""

from collections.abc import Iterable, Iterator

from urlscan.core.segment import readable
from urlscan.formats.base import RenderOptions, Result, masked_findings
from urlscan.formats.escape import escape
from urlscan.formats.headline import SEVERITY, paint


def render(results: Iterable[Result], options: RenderOptions) -> Iterator[str]:
    """Yield the name of each file, and a line for each of its findings."""
    last = None
    for result in results:
        for finding, _ in masked_findings(result, options):
            if finding.where != last:
                yield ("" if last is None else "\n") + f"{escape(finding.where)}:\n"
                last = finding.where
            style = SEVERITY[finding.severity]
            what = (
                f"{paint(finding.code, style, options)} {finding.name} {paint(finding.severity.label, style, options)}"
            )
            yield f"  {finding.line}:{finding.column}: {what}: {escape(readable(finding.message))}\n"
