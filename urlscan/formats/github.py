"""Render workflow commands of GitHub Actions, which are shown as annotations.

`::error file=a.txt,line=1,col=5,endLine=1,endColumn=9,title=...::message`
"""

from collections.abc import Iterable, Iterator

from urlscan.core.records import Finding, Severity
from urlscan.files.repository import repository_path
from urlscan.formats.base import CheckResult, RenderOptions, masked_findings
from urlscan.formats.escape import escape
from urlscan.formats.headline import advice
from urlscan.formats.location import repository_place

_COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(results: Iterable[CheckResult], options: RenderOptions) -> Iterator[str]:
    """Yield a command for each finding."""
    for result in results:
        for finding, _ in masked_findings(result, options):
            yield _command(finding)


def _command(finding: Finding) -> str:
    file = f"file={_property(repository_path(finding.path))}"
    place = f"{file},line={finding.line}"
    if finding.member:  # the file has no such line
        place = file
    elif finding.line == finding.end_line:
        place += f",col={finding.column},endLine={finding.end_line},endColumn={finding.end_column}"
    else:  # multi-line annotations have no columns
        place += f",endLine={finding.end_line}"
    title = _property(f"{finding.code} {finding.name}")
    where = f"{repository_place(finding)}:{finding.line}:{finding.column}"
    message = _data(f"{where}: {finding.code} {advice(finding)}")
    return f"::{_COMMAND[finding.severity]} {place},title={title}::{message}\n"


def _data(text: str) -> str:
    """Return `text` with the three characters escaped that the runner unescapes, and unsafe characters escaped."""
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return escape(text)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
