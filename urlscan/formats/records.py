"""The records of JSON, as the schemas in `urlscan/data/` describe them."""

from collections.abc import Iterable, Iterator

from urlscan.formats.masking import COMMAND, unsafe
from urlscan.model import SCHEMA_VERSION, Finding

Record = dict[str, object]


def finding_record(finding: Finding, masked: bool) -> Record:
    """Return a finding as JSON has it.  The names of `Fix` and `Finding` are those of the record."""
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
    return {**record, "redacted": True} if masked else record


def dumps(record: object) -> str:
    """Return one line of JSON that is safe to print: characters that act on a terminal or a runner are escaped."""
    import json

    # Outside of strings JSON is printable ASCII without "#", so that all of these are in strings.
    line = unsafe().sub(lambda match: json.dumps(match[0])[1:-1], json.dumps(record, ensure_ascii=False))
    return COMMAND.sub(r"\\u0023", line) if "##" in line else line


def array(records: Iterable[str]) -> Iterator[str]:
    """Yield a JSON array of records that are JSON already, one a line, as they come."""
    before = "[\n"
    for record in records:
        yield before + record
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"
