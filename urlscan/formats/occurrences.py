"""Convert occurrences to records, which `extract` writes as JSON and as tables."""

import functools

from urlscan.core.document import Document, readable
from urlscan.core.records import SCHEMA_VERSION, Alternative, Located, MailLocation, Match
from urlscan.core.secrets import Spans, mask, redact
from urlscan.formats.mask import mask_alternative, masked_written, occurrence_secrets
from urlscan.formats.records import Record, encoder, escape_json

_NO_MAIL = MailLocation(None, None, None)
# The fields that every record has.
_TEMPLATE = (
    f'{{"schema_version": {SCHEMA_VERSION}, "url": %s, "raw": %s, "path": %s, "line": %d, "column": %d,'
    ' "end_line": %d, "end_column": %d, "start": %d, "end": %d, "outer_start": %d, "outer_end": %d, "scheme": "%s",'
    ' "style": "%s", "context": "%s", "breaks": %s, "alternatives": %s, "joined": "%s"'
)


def located(occurrence: Match, document: Document, path: str) -> Located:
    """Return the record of an occurrence for the library, whose fields are those of the JSON record."""
    location = document.locate(occurrence.start, occurrence.end)
    mail = _NO_MAIL
    if document.origin is not None:
        mail = document.origin.mail(location.start)
    written = document.as_written(occurrence)
    return Located(
        readable(occurrence.url),
        readable(written.raw),
        path,
        *location,
        *document.to_source(occurrence.outer_start, occurrence.outer_end),
        occurrence.scheme,
        occurrence.style,
        document.context(occurrence.start, occurrence.end),
        written.breaks,
        tuple(reading._replace(url=readable(reading.url)) for reading in occurrence.alternatives),
        occurrence.joined,
        document.member,
        _is_relative(occurrence),
        occurrence.template,
        readable(occurrence.assumed),
        mail.message_id,
        mail.date,
        mail.part,
        readable(written.original),
    )


def _is_relative(occurrence: Match) -> bool:
    """Return whether an occurrence is a relative reference, even if it was resolved."""
    scheme = occurrence.scheme
    return occurrence.style == "markup" and not (scheme and occurrence.raw.lower().startswith(f"{scheme}:"))


def occurrence_line(occurrence: Match, document: Document, path: str, show_secrets: bool) -> str:
    """Return the JSON record of an occurrence as one line, without its end; fields that do not apply are omitted.

    A template composes the line, because a dictionary and its encoder take longer than finding the URL.
    """
    encode = encoder().encode
    secrets = [] if show_secrets else occurrence_secrets(occurrence, document)
    url, _, start, end, outer_start, outer_end, scheme, style, _, readings, joined, template, _, assumed, *_ = (
        occurrence
    )
    location = document.locate(start, end)
    outer = document.to_source(outer_start, outer_end) if outer_end - outer_start > end - start else location[-2:]
    written = document.as_written(occurrence)
    raw, original, breaks, alternatives = written.raw, written.original, "[]", "[]"
    is_masked = bool(secrets)
    if secrets or (original and not show_secrets):
        raw, original = masked_written(occurrence, written, document, secrets)
        is_masked = is_masked or original != written.original
    if written.breaks:
        breaks = encode([gap._asdict() for gap in written.breaks])
    if readings:
        records = [_alternative(reading, url, secrets, show_secrets) for reading in readings]
        alternatives = encode([record for record, _ in records])
        is_masked = is_masked or any(was_masked for _, was_masked in records)
    shown_url = encode(readable(mask(url, secrets)))
    shown_raw = shown_url if raw is url else encode(readable(raw))
    context = document.context(start, end)
    values = (*location, *outer, scheme, style, context, breaks, alternatives, joined)
    fields = [_TEMPLATE % (shown_url, shown_raw, encode(path), *values)]
    if document.member:
        fields.append(f'"member": {encode(document.member)}')
    if style == "markup" and _is_relative(occurrence):
        fields.append('"relative": true')
    if template:
        fields.append('"template": true')
    if assumed:
        fields.append(f'"assumed": {encode(readable(mask(assumed, _assumed_spans(occurrence, secrets))))}')
    if written.original:
        fields.append(f'"original": {encode(readable(original))}')
    if document.origin is not None:
        mail = document.origin.mail(location.start)
        for name, value in (("message_id", mail.message_id), ("date", mail.date), ("part", mail.part)):
            field, was_masked = _mail_field(name, value, show_secrets)
            fields.append(field)
            is_masked = is_masked or was_masked
    if is_masked:
        fields.append('"redacted": true')
    return escape_json(", ".join(fields) + "}")


@functools.lru_cache(maxsize=1024)
def _mail_field(name: str, value: str | None, show_secrets: bool) -> tuple[str, bool]:
    """Return a field about the message, and whether secrets in it are masked; most URLs share it with others."""
    masked = value if show_secrets or value is None else redact(value)
    return f'"{name}": {encoder().encode(masked)}', masked != value


def _assumed_spans(occurrence: Match, spans: Spans) -> Spans:
    """Return the spans in `assumed` of spans in `url`; one span that covers all of them if it is escaped there."""
    assumed, url = occurrence.assumed, occurrence.url
    shift = assumed.find(url)
    if shift >= 0 or not spans:
        return [(start + shift, end + shift) for start, end in spans]
    rest = url[spans[-1][1] :]
    return [(assumed.find(":") + 1, len(assumed.removesuffix(rest)))]


def _alternative(reading: Alternative, url: str, secrets: Spans, show_secrets: bool) -> tuple[Record, bool]:
    """Return the record of an alternative of `url`, and whether secrets in it are masked."""
    masked = reading.url if show_secrets else mask_alternative(reading.url, url, secrets)
    return {**reading._asdict(), "url": readable(masked)}, masked != reading.url
