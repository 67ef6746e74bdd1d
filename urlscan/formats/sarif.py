"""SARIF 2.1.0 (OASIS): what code scanning reads, with the rules, the fixes and fingerprints."""

from collections.abc import Iterable, Iterator

from urlscan.formats.base import Look, Result, shown
from urlscan.formats.fingerprint import Fingerprints
from urlscan.formats.records import Record, dumps
from urlscan.model import Finding, Severity
from urlscan.text import readable

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def render(results: Iterable[Result], look: Look) -> Iterator[str]:
    """Yield the log, a result a line."""
    from urlscan import __version__
    from urlscan.rules import REGISTRY, load

    rules = [load(entry) for entry in REGISTRY]
    numbers = {rule.code: number for number, rule in enumerate(rules)}
    driver = {
        "name": "urlscan",
        "version": __version__,
        "rules": [
            {
                "id": rule.code,
                "name": "".join(word.title() for word in rule.name.split("-")),
                "shortDescription": {"text": rule.summary},
                "fullDescription": {"text": rule.why},
                "help": {"text": f"{rule.why}\n\nWhen to ignore: {rule.when_to_ignore}"},
                "defaultConfiguration": {"enabled": rule.default, "level": _LEVELS[rule.severity]},
            }
            for rule in rules
        ],
    }
    fingerprints = Fingerprints()
    yield f'{{"$schema": "{_SCHEMA}", "version": "2.1.0", "runs": [{{"tool": {{"driver": {dumps(driver)}}},\n'
    yield '"columnKind": "unicodeCodePoints", "results": ['
    before = "\n"
    for result in results:
        for finding, _ in shown(result, look):
            yield before + dumps(_result(finding, numbers[finding.code], fingerprints.of(finding)))
            before = ",\n"
    yield "\n]}]}\n"


def _result(finding: Finding, number: int, fingerprint: str) -> Record:
    artifact: Record = {"uri": _reference(finding.path)}
    record: Record = {
        "ruleId": finding.code,
        "ruleIndex": number,
        "level": _LEVELS[finding.severity],
        "message": {"text": readable(finding.message)},
        "locations": [_location(finding, artifact)],
        "partialFingerprints": {"urlscan/v1": fingerprint},
    }
    if finding.fix is not None:
        record["fixes"] = [
            {
                "description": {"text": f"{finding.fix.applicability} fix of {finding.name}"},
                "artifactChanges": [
                    {
                        "artifactLocation": artifact,
                        "replacements": [
                            {
                                "deletedRegion": {"byteOffset": edit.start, "byteLength": edit.end - edit.start},
                                "insertedContent": {"text": edit.text},
                            }
                            for edit in finding.fix.edits
                        ],
                    }
                ],
            }
        ]
    return record


def _location(finding: Finding, artifact: Record) -> Record:
    if finding.member:  # a region would be one of the archive
        name = f"{finding.where}:{finding.line}:{finding.column}"
        logical = [{"fullyQualifiedName": name, "kind": "member"}]
        return {"physicalLocation": {"artifactLocation": artifact}, "logicalLocations": logical}
    region = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endLine": finding.end_line,
        "endColumn": finding.end_column,
        "byteOffset": finding.start,
        "byteLength": finding.end - finding.start,
    }
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def _reference(path: str) -> str:
    """Return a path as a relative reference: what is no pchar escaped, "./" where a colon would begin a scheme."""
    from urlscan.transform.escapes import quote

    escaped = quote(path.encode("utf-8", "surrogateescape"), "path", "rfc3986", raw=True)
    return f"./{escaped}" if ":" in escaped.partition("/")[0] else escaped
