"""Occurrences as records: what `extract` writes as JSON and as tables."""

from collections.abc import Iterator

from urlscan.formats.masking import mask_reading, occurrence_secrets, url_secrets
from urlscan.formats.records import Record
from urlscan.model import SCHEMA_VERSION, Occurrence
from urlscan.redact import Spans, mask
from urlscan.text import Segment, readable


def occurrence_record(occurrence: Occurrence, segment: Segment, path: str, show_secrets: bool) -> Record:
    """Return an occurrence as JSON has it; what is not always there only where it is."""
    secrets = [] if show_secrets else occurrence_secrets(occurrence, segment.text)
    place = segment.locate(occurrence.start, occurrence.end)
    outer_start, outer_end = segment.to_source(occurrence.outer_start, occurrence.outer_end)
    alternatives = list(_alternatives(occurrence, secrets, show_secrets))
    record: Record = {
        "schema_version": SCHEMA_VERSION,
        "url": readable(mask(occurrence.url, secrets)),
        "raw": readable(mask(occurrence.raw, [raw_span(occurrence, span) for span in secrets])),
        "path": path,
        **place._asdict(),
        "outer_start": outer_start,
        "outer_end": outer_end,
        "scheme": occurrence.scheme,
        "style": occurrence.style,
        "breaks": [gap._asdict() for gap in occurrence.breaks],
        "alternatives": [record for record, _ in alternatives],
        "joined": occurrence.joined,
    }
    if segment.member:
        record["member"] = segment.member
    scheme, raw = occurrence.scheme, occurrence.raw.lower()
    if occurrence.style == "markup" and not (scheme and raw.startswith(f"{scheme}:")):
        record["relative"] = True  # also when it has been resolved
    if segment.in_code(occurrence.start):
        record["in_code"] = True
    if occurrence.template:
        record["template"] = True
    if occurrence.assumed:
        record["assumed"] = readable(mask(occurrence.assumed, [] if show_secrets else url_secrets(occurrence.assumed)))
    if segment.origin is not None:
        record.update(segment.origin.mail(place.start)._asdict())
    if secrets or any(was_masked for _, was_masked in alternatives):
        record["redacted"] = True
    return record


def raw_span(occurrence: Occurrence, span: tuple[int, int]) -> tuple[int, int]:
    """Return the place in `raw` of a place in `url`, breaks inside included."""
    start, end = span
    return occurrence.in_raw(start), occurrence.in_raw(end - 1) + 1


def _alternatives(occurrence: Occurrence, secrets: Spans, show_secrets: bool) -> Iterator[tuple[Record, bool]]:
    for reading in occurrence.alternatives:
        url = reading.url if show_secrets else mask_reading(reading.url, occurrence.url, secrets)
        yield {**reading._asdict(), "url": readable(url)}, url != reading.url
