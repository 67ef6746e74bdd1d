"""Convert occurrences to records, which `extract` writes as JSON and as tables."""

from collections.abc import Iterator

from urlscan.core.document import Document, MailLocation, readable
from urlscan.core.records import SCHEMA_VERSION, Located, Match
from urlscan.formats.records import Record
from urlscan.masking.show import mask_alternative, mask_mail
from urlscan.masking.track import occurrence_secrets
from urlscan.secrets import Spans, mask

_NO_MAIL = MailLocation(None, None, None)


def located(occurrence: Match, document: Document, path: str) -> Located:
    """Return the record of an occurrence for the library, whose fields are those of the JSON record."""
    location = document.locate(occurrence.start, occurrence.end)
    mail = _NO_MAIL
    if document.origin is not None:
        mail = document.origin.mail(location.start)
    written = as_written(occurrence, document)
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


def as_written(occurrence: Match, document: Document) -> Match:
    """Return an occurrence with the text as written in `raw` and `original`, if it was defanged."""
    if type(document) is Document:
        return occurrence
    from urlscan.core.refanged import RefangedDocument

    return document.as_written(occurrence) if isinstance(document, RefangedDocument) else occurrence


def _is_relative(occurrence: Match) -> bool:
    """Return whether an occurrence is a relative reference, even if it was resolved."""
    scheme = occurrence.scheme
    return occurrence.style == "markup" and not (scheme and occurrence.raw.lower().startswith(f"{scheme}:"))


def occurrence_record(occurrence: Match, document: Document, path: str, show_secrets: bool) -> Record:
    """Return the JSON record of an occurrence; optional fields are omitted if they do not apply."""
    secrets = [] if show_secrets else occurrence_secrets(occurrence, document)
    location = document.locate(occurrence.start, occurrence.end)
    outer_start, outer_end = document.to_source(occurrence.outer_start, occurrence.outer_end)
    alternatives = list(_alternatives(occurrence, secrets, show_secrets))
    written = as_written(occurrence, document)
    raw, original = written.raw, written.original
    if secrets or (original and not show_secrets):
        from urlscan.masking.written import masked_written

        raw, original = masked_written(occurrence, written, document, secrets)
    record: Record = {
        "schema_version": SCHEMA_VERSION,
        "url": readable(mask(occurrence.url, secrets)),
        "raw": readable(raw),
        "path": path,
        **location._asdict(),
        "outer_start": outer_start,
        "outer_end": outer_end,
        "scheme": occurrence.scheme,
        "style": occurrence.style,
        "context": document.context(occurrence.start, occurrence.end),
        "breaks": [gap._asdict() for gap in written.breaks],
        "alternatives": [record for record, _ in alternatives],
        "joined": occurrence.joined,
    }
    if document.member:
        record["member"] = document.member
    if _is_relative(occurrence):
        record["relative"] = True
    if occurrence.template:
        record["template"] = True
    if occurrence.assumed:
        record["assumed"] = readable(mask(occurrence.assumed, _assumed_spans(occurrence, secrets)))
    if written.original:
        record["original"] = readable(original)
    is_masked = bool(secrets) or original != written.original or any(was_masked for _, was_masked in alternatives)
    if document.origin is not None:
        mail = document.origin.mail(location.start)
        masked_mail = mail if show_secrets else mask_mail(mail)
        record.update(masked_mail._asdict())
        is_masked = is_masked or masked_mail != mail
    if is_masked:
        record["redacted"] = True
    return record


def _assumed_spans(occurrence: Match, spans: Spans) -> Spans:
    """Return the spans in `assumed` of spans in `url`; one span that covers all of them if it is escaped there."""
    assumed, url = occurrence.assumed, occurrence.url
    shift = assumed.find(url)
    if shift >= 0 or not spans:
        return [(start + shift, end + shift) for start, end in spans]
    rest = url[spans[-1][1] :]
    return [(assumed.find(":") + 1, len(assumed) - len(rest) * assumed.endswith(rest))]


def _alternatives(occurrence: Match, secrets: Spans, show_secrets: bool) -> Iterator[tuple[Record, bool]]:
    for reading in occurrence.alternatives:
        url = reading.url if show_secrets else mask_alternative(reading.url, occurrence.url, secrets)
        yield {**reading._asdict(), "url": readable(url)}, url != reading.url
