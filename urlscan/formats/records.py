"""Convert findings to JSON records, as described by the schemas in `urlscan/data/`."""

from collections.abc import Iterable, Iterator

from urlscan.core.records import SCHEMA_VERSION, Finding
from urlscan.formats.escape import COMMAND, unsafe

Record = dict[str, object]


def finding_record(finding: Finding, masked: bool) -> Record:
    """Return the JSON record of a finding; its fields are named like those of `Finding` and `Fix`."""
    fix = finding.fix and {
        "applicability": finding.fix.applicability,
        "edits": [edit._asdict() for edit in finding.fix.edits],
    }
    record: Record = {
        "schema_version": SCHEMA_VERSION,
        **finding._asdict(),
        "severity": finding.severity.label,
        "fix": fix,
    }
    if not finding.member:
        del record["member"]
    del record["mail"], record["shown"]
    if finding.mail is not None:
        record.update(finding.mail._asdict())
    if masked:
        record["redacted"] = True
    return record


def dumps(record: object) -> str:
    """Return one line of JSON with characters escaped that act on a terminal or a CI runner."""
    import json

    # Outside strings JSON is printable ASCII without "#".
    line = unsafe().sub(lambda match: json.dumps(match[0])[1:-1], json.dumps(record, ensure_ascii=False))
    return COMMAND.sub(r"\\u0023", line) if "##" in line else line


def array(records: Iterable[str]) -> Iterator[str]:
    """Yield a JSON array of serialized records, one per line."""
    before = "[\n"
    for record in records:
        yield before + record
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"
