"""Render findings for CI servers: GitHub, GitLab, and JUnit XML, which most others read."""

from collections.abc import Iterable, Iterator

from urlscan.core.document import Document
from urlscan.core.records import Finding, Severity
from urlscan.files.repository import repository_path
from urlscan.formats.base import RenderOptions, advice, masked_findings
from urlscan.formats.escape import escape
from urlscan.formats.location import Fingerprints, repository_place
from urlscan.formats.records import Record, array, dumps

# --- Render workflow commands of GitHub Actions, which are shown as annotations
#
# `::error file=a.txt,line=1,col=5,endLine=1,endColumn=9,title=...::message`

_COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render_github(documents: Iterable[Document], options: RenderOptions) -> Iterator[str]:
    """Yield a command for each finding."""
    for document in documents:
        for finding, _ in masked_findings(document, options):
            yield _command(finding)


def _command(finding: Finding) -> str:
    file = f"file={_property(repository_path(finding.path))}"
    location = f"{file},line={finding.line}"
    if finding.member:  # the file has no such line
        location = file
    elif finding.line == finding.end_line:
        location += f",col={finding.column},endLine={finding.end_line},endColumn={finding.end_column}"
    else:  # multi-line annotations have no columns
        location += f",endLine={finding.end_line}"
    title = _property(f"{finding.code} {finding.name}")
    where = f"{repository_place(finding)}:{finding.line}:{finding.column}"
    message = _data(f"{where}: {finding.code} {advice(finding)}")
    return f"::{_COMMAND[finding.severity]} {location},title={title}::{message}\n"


def _data(text: str) -> str:
    """Return `text` with the three characters escaped that the runner unescapes, and unsafe characters escaped."""
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return escape(text)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


# --- Render GitLab's Code Quality report, which merge requests show next to the lines

_GITLAB_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def render_gitlab(documents: Iterable[Document], options: RenderOptions) -> Iterator[str]:
    """Yield the array, one record per line."""
    fingerprints = Fingerprints()
    yield from array(
        dumps(_quality_record(finding, fingerprints.of(finding)))
        for document in documents
        for finding, _ in masked_findings(document, options)
    )


def _quality_record(finding: Finding, fingerprint: str) -> Record:
    description, lines = f"{finding.code} {advice(finding)}", {"begin": finding.line, "end": finding.end_line}
    if finding.member:  # an archive has no lines, but a report requires some
        description = f"{repository_place(finding)}:{finding.line}:{finding.column}: {description}"
        lines = {"begin": 1, "end": 1}
    return {
        "description": description,
        "check_name": finding.name,
        "fingerprint": fingerprint,
        "severity": _GITLAB_SEVERITIES[finding.severity],
        "location": {"path": repository_path(finding.path), "lines": lines},
    }


# --- Render JUnit XML, which most CI servers read: a failed test case per finding


def render_junit(documents: Iterable[Document], options: RenderOptions) -> Iterator[str]:
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
    for document in documents:
        for finding, _ in masked_findings(document, options):
            yield case(finding)
    yield "  </testsuite>\n</testsuites>\n"
