"""Render JUnit XML, which most CI servers read: a failed test case per finding."""

from collections.abc import Iterable, Iterator

from urlscan.core.records import Finding, Severity
from urlscan.formats.base import CheckResult, RenderOptions, masked_findings
from urlscan.formats.escape import escape
from urlscan.formats.headline import advice


def render(results: Iterable[CheckResult], options: RenderOptions) -> Iterator[str]:
    """Yield the document, without counts, which are not known until the end."""
    from xml.sax.saxutils import quoteattr

    def attribute(text: str) -> str:
        # Characters that XML 1.0 cannot represent are escaped like those that act on a terminal.
        return quoteattr(escape(text))

    def case(finding: Finding) -> str:
        where = f"{finding.where}:{finding.line}:{finding.column}"
        failure = "failure" if finding.severity > Severity.INFO else "skipped"
        message = attribute(f"{where}: {finding.code} {advice(finding)}")
        kind = f" type={attribute(finding.severity.label)}" if failure == "failure" else ""
        return (
            f"    <testcase classname={attribute(finding.where)} name={attribute(f'{finding.code} {finding.name}')}"
            f' file={attribute(finding.path)} line="{finding.line}">\n'
            f"      <{failure} message={message}{kind}/>\n"
            "    </testcase>\n"
        )

    yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="urlscan">\n  <testsuite name="urlscan">\n'
    for result in results:
        for finding, _ in masked_findings(result, options):
            yield case(finding)
    yield "  </testsuite>\n</testsuites>\n"
