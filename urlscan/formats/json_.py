"""Render findings as JSON: one array, one record per line, or the diagnostics of Reviewdog."""

from collections.abc import Iterable, Iterator

from urlscan.core.document import Document
from urlscan.core.project import rule_page
from urlscan.core.records import Finding
from urlscan.formats.base import RenderOptions, advice, masked_findings
from urlscan.formats.records import Record, array, dumps, finding_record

# --- Render one JSON array of all records


def render_json(documents: Iterable[Document], options: RenderOptions) -> Iterator[str]:
    """Yield the array, one record per line."""
    records = (dumps(finding_record(*item)) for document in documents for item in masked_findings(document, options))
    yield from array(records)


# --- Render one JSON record per line


def render_jsonl(documents: Iterable[Document], options: RenderOptions) -> Iterator[str]:
    """Yield the record of each finding."""
    for document in documents:
        for finding, masked in masked_findings(document, options):
            yield dumps(finding_record(finding, masked)) + "\n"


# --- Render Reviewdog's diagnostic format; its columns count bytes from 1


def render_rdjson(documents: Iterable[Document], options: RenderOptions) -> Iterator[str]:
    """Yield one object, one diagnostic per line."""
    before = '{"source": {"name": "urlscan"}, "diagnostics": [\n'
    for document in documents:
        for finding, _ in masked_findings(document, options):
            yield before + dumps(_diagnostic(finding, document))
            before = ",\n"
    yield {",\n": "\n]}\n"}.get(before, '{"source": {"name": "urlscan"}, "diagnostics": []}\n')


def _diagnostic(finding: Finding, document: Document) -> Record:
    record: Record = {
        "message": advice(finding),
        "location": {"path": finding.path},
        "severity": finding.severity.name,
        "code": {"value": finding.code, "url": rule_page(finding.code)},
    }
    if finding.member:  # the file has no such lines
        return {**record, "message": f"{finding.where}:{finding.line}:{finding.column}: {advice(finding)}"}
    span = {
        "start": _position(document, finding.line, finding.start),
        "end": _position(document, finding.end_line, finding.end),
    }
    record["location"] = {"path": finding.path, "range": span}
    edits = (finding.fix and finding.fix.edits) or ()
    if len(edits) == 1 and (edits[0].start, edits[0].end) == (finding.start, finding.end):
        record["suggestions"] = [{"range": span, "text": edits[0].text}]
    return record


def _position(document: Document, line: int, byte: int) -> dict[str, int]:
    """Return the position of a byte of the file on a line."""
    if document.origin is not None:
        return {"line": line, "column": document.origin.byte_column(byte)}
    if not document.decoded:  # findings that came without their text
        return {"line": line}
    offset = document.lines.offset(line, 1)
    return {"line": line, "column": byte - document.map.to_source(offset, offset)[0] + 1}
