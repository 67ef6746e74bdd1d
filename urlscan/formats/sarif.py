"""Render SARIF 2.1.0 (OASIS) for code scanning, with rules, fixes and fingerprints."""

import re
import time
from collections.abc import Iterable, Iterator

from urlscan import __version__
from urlscan.core.document import Document, readable
from urlscan.core.project import INDEX_PAGE, rule_page
from urlscan.core.records import Finding, Fix, Severity
from urlscan.core.secrets import MASK, redact
from urlscan.core.typing import TYPE_CHECKING
from urlscan.files.repository import repository_path
from urlscan.formats.base import RenderOptions, RunInfo, masked_findings, report_time
from urlscan.formats.location import Fingerprints
from urlscan.formats.records import Record, dumps
from urlscan.formats.specifications import cited_section
from urlscan.rules import REGISTRY, load
from urlscan.uri.transform.escapes import quote

if TYPE_CHECKING:  # loaded with the first rule
    from urlscan.rules.base import Rule

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_SHORT = 300  # limit on the characters of an example


def render(documents: Iterable[Document], options: RenderOptions) -> Iterator[str]:
    """Yield the log, one result per line; the list of files and the run come last."""
    numbers = {entry.code: number for number, entry in enumerate(REGISTRY)}
    fingerprints = Fingerprints()
    files: dict[str, tuple[int, dict[str, str]]] = {}  # index and character encoding by path
    yield f'{{"$schema": "{_SCHEMA}", "version": "2.1.0", "runs": [{{"tool": {{"driver": {dumps(_driver())}}},\n'
    yield '"columnKind": "unicodeCodePoints", "results": ['
    before = "\n"
    for document in documents:
        for finding, _ in masked_findings(document, options):
            index, _ = files.setdefault(finding.path, (len(files), _charset(document.encoding)))
            artifact: Record = {"uri": _reference(repository_path(finding.path)), "index": index}
            record = _result(finding, artifact, numbers[finding.code], fingerprints.of(finding))
            if finding.fix is not None and document.decoded:  # else the finding came without its text
                record["fixes"] = [_fix(finding.name, finding.fix, artifact, document)]
            yield before + dumps(record)
            before = ",\n"
    artifacts = (
        {"location": {"uri": _reference(repository_path(path))}, "roles": ["analysisTarget"], **charset}
        for path, (_, charset) in files.items()
    )
    yield '\n], "artifacts": [' + ",".join(f"\n{dumps(artifact)}" for artifact in artifacts)
    yield f'\n], "invocations": [{dumps(_invocation(options.run or RunInfo()))}]'
    if not options.show_secrets:
        yield f', "redactionTokens": ["{MASK}"]'  # section 3.14.28: the text that replaces secrets
    yield "}]}\n"


def _invocation(run: RunInfo) -> Record:
    """Return the description of the run (section 3.20); the command line is left out, since it may hold secrets."""
    record: Record = {
        "executionSuccessful": not run.failures,
        "startTimeUtc": _timestamp(report_time(run.started)),
        "endTimeUtc": _timestamp(report_time(time.time())),
    }
    if run.failures:
        record["toolExecutionNotifications"] = [
            {"level": "error", "message": {"text": readable(redact(failure))}} for failure in run.failures
        ]
    return record


def _timestamp(seconds: float) -> str:
    """Return a time as RFC 3339 writes it, in UTC (section 3.9)."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def _charset(encoding: str) -> dict[str, str]:
    """Return the name of a codec as registered by IANA (section 3.24.9)."""
    name = re.sub(r"\Acp(?=125[0-8]\Z)", "windows-", encoding).removesuffix("-sig")
    name = re.sub(r"\Aiso(?=8859)", "iso-", name)
    if name:
        return {"encoding": name.upper()}
    return {}


def _driver() -> Record:
    return {
        "name": "urlscan",
        "version": __version__,
        "semanticVersion": __version__,
        "informationUri": INDEX_PAGE,
        "rules": [_rule(load(entry.code)) for entry in REGISTRY],
    }


def _rule(rule: "Rule") -> Record:
    """Return the description of a rule (section 3.49)."""
    texts = (example.text for example in rule.bad)
    example = next((text for text in texts if len(text) < _SHORT and text.replace("\n", "").isprintable()), "")
    text = f"{rule.why}\n\nWhen to ignore: {rule.when_to_ignore}"
    if rule.fix_note:
        text += f"\n\nFix: {rule.fix_note}"
    markdown = text
    if example:  # in a fence longer than those it contains
        fence = "`" * max(max(map(len, re.findall("`+", example)), default=0) + 1, 3)
        markdown += f"\n\n{fence}text\n{example.rstrip()}\n{fence}"
    name, address = cited_section(rule.why)
    if address:
        markdown += f"\n\n[{name}]({address})"
    properties: Record = {"tags": ["url", rule.name]}
    if rule.security_severity:  # for GitHub, only results with one are security alerts
        properties = {"tags": ["security", "url", rule.name], "security-severity": f"{rule.security_severity:.1f}"}
    return {
        "id": rule.code,
        "name": "".join(word.title() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.why},
        "helpUri": rule_page(rule.code),
        "help": {"text": text, "markdown": markdown},
        "defaultConfiguration": {"enabled": rule.default, "level": _LEVELS[rule.severity]},
        "properties": properties,
    }


def _result(finding: Finding, artifact: Record, number: int, fingerprint: str) -> Record:
    record: Record = {
        "ruleId": finding.code,
        "ruleIndex": number,
        "level": _LEVELS[finding.severity],
        "message": {"text": readable(finding.message)},
        "locations": [_location(finding, artifact)],
        "partialFingerprints": {"urlscan/v1": fingerprint},
    }
    if finding.section:
        record["properties"] = {"section": finding.section}
    return record


def _fix(name: str, fix: Fix, artifact: Record, document: Document) -> Record:
    """Return a fix (section 3.55); insertions are text, so regions are those of a text file (section 3.57.3)."""
    replacements: list[Record] = []
    for edit in fix.edits:
        places = *document.place_of(edit.start), *document.place_of(edit.end)
        region = _region(*places, edit.start, edit.end)
        replacements.append({"deletedRegion": region, "insertedContent": {"text": edit.text}})
    return {
        "description": {"text": f"{fix.applicability} fix of {name}"},
        "artifactChanges": [{"artifactLocation": artifact, "replacements": replacements}],
    }


def _location(finding: Finding, artifact: Record) -> Record:
    if finding.member:  # a region would refer to the archive
        name = f"{finding.where}:{finding.line}:{finding.column}"
        logical = [{"fullyQualifiedName": name, "kind": "member"}]
        return {"physicalLocation": {"artifactLocation": artifact}, "logicalLocations": logical}
    places = finding.line, finding.column, finding.end_line, finding.end_column
    region = _region(*places, finding.start, finding.end)
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def _region(line: int, column: int, end_line: int, end_column: int, start: int, end: int) -> Record:
    """Return a region of a text file (section 3.30), also in bytes."""
    return {
        "startLine": line,
        "startColumn": column,
        "endLine": end_line,
        "endColumn": end_column,
        "byteOffset": start,
        "byteLength": end - start,
    }


def _reference(path: str) -> str:
    """Return a path as a relative reference: escaped, with "./" if a colon would begin a scheme."""
    escaped = quote(path.encode("utf-8", "surrogateescape"), "path", "rfc3986", raw=True)
    if escaped.startswith("/"):
        return "file://" + escaped
    if ":" in escaped.partition("/")[0]:
        return f"./{escaped}"
    return escaped
