"""Convert findings and problems to JSON records, as described by the schemas in `urlscan/data/`."""

import functools
from collections.abc import Iterable, Iterator

from urlscan.core.document import readable
from urlscan.core.records import SCHEMA_VERSION, Finding, Problem
from urlscan.core.typing import TYPE_CHECKING
from urlscan.formats.escape import COMMAND, unsafe

if TYPE_CHECKING:
    from json import JSONEncoder

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


def problem_record(problem: Problem) -> Record:
    """Return the JSON record of a problem."""
    record: Record = {
        **problem._asdict(),
        "severity": problem.severity.label,
        "message": readable(problem.message),
        "suggestion": readable(problem.suggestion),
    }
    del record["fix"]  # the suggestion is the fixed URL
    return record


@functools.cache
def encoder(*, ascii_only: bool = False) -> "JSONEncoder":
    """Return the encoder of records; most runs write no JSON and do not load it."""
    import json

    return json.JSONEncoder(ensure_ascii=ascii_only)


def dumps(record: object) -> str:
    """Return one line of JSON with characters escaped that act on a terminal or a CI runner."""
    return escape_json(encoder().encode(record))


def escape_json(line: str) -> str:
    """Return one line of JSON with characters escaped that act on a terminal or a CI runner."""
    if "##" in line:  # outside strings JSON is printable ASCII without "#"
        line = COMMAND.sub(r"\\u0023", line)
    if line.isascii() and "\x7f" not in line:  # JSON has no other control character
        return line
    return unsafe().sub(lambda match: encoder(ascii_only=True).encode(match[0])[1:-1], line)


def array(records: Iterable[str]) -> Iterator[str]:
    """Yield a JSON array of serialized records, one per line."""
    before = "[\n"
    for record in records:
        yield before + record
        before = ",\n"
    yield {"[\n": "[]\n"}.get(before, "\n]\n")
