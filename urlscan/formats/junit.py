"""JUnit's XML, which most build servers read: a test case a finding, failed."""

from collections.abc import Iterable, Iterator

from urlscan.formats.base import RenderOptions, Result, masked_findings
from urlscan.formats.headline import advice
from urlscan.formats.masking import escape
from urlscan.model import Finding, Severity


def render(results: Iterable[Result], options: RenderOptions) -> Iterator[str]:
    """Yield the document; how many there are is not known before the end, and is not said."""
    from xml.sax.saxutils import quoteattr

    def attribute(text: str) -> str:
        # What XML 1.0 cannot hold is escaped like everything that acts on a terminal.
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
