"""Render the findings of each file below its name."""

from collections.abc import Iterable, Iterator

from urlscan.core.document import readable
from urlscan.formats.base import CheckResult, RenderOptions, masked_findings
from urlscan.formats.escape import escape
from urlscan.formats.headline import SEVERITY, paint, rule_code
from urlscan.formats.summary import Summary


def render(results: Iterable[CheckResult], options: RenderOptions) -> Iterator[str]:
    """Yield the name of each file, and a line for each of its findings, then a summary."""
    last = None
    summary = Summary()
    for result in results:
        summary.add(result)
        for finding, _ in masked_findings(result, options):
            if finding.where != last:
                yield ("" if last is None else "\n") + f"{escape(finding.where)}:\n"
                last = finding.where
            style = SEVERITY[finding.severity]
            code, severity = rule_code(finding.code, style, options), paint(finding.severity.label, style, options)
            where = f"  {finding.line}:{finding.column}: "
            yield f"{where}{code} {finding.name} {severity}: {escape(readable(finding.message))}\n"
    for number, line in enumerate(summary.lines(options)):
        yield ("\n" if last is not None and not number else "") + line
