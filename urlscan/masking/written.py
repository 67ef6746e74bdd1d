"""Mask the secrets of an occurrence in the text as written."""

import re

from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import Break, Match
from urlscan.core.refanged import RefangedDocument
from urlscan.masking.track import occurrence_secrets
from urlscan.secrets import MASK, Spans, mask, merge_spans

# The scheme and the host of a rewritten link; none of the services writes a userinfo.
_SERVICE = lazy(r"[^/\\?#@]*(?://|\\\\)[^/\\?#@\s]*[/\\]")


def _raw_spans(occurrence: Match, spans: Spans) -> Spans:
    """Return the spans in `raw` of spans in `url`, with breaks; for a resolved URL, of the text that both share."""
    raw, url = occurrence.raw, occurrence.url
    if occurrence.breaks or url == raw:
        return [(occurrence.in_raw(start), occurrence.in_raw(end - 1) + 1) for start, end in spans]
    # The text differs from the URL, which was resolved.
    pieces = {url[start:end] for start, end in spans}
    return merge_spans([match.span() for piece in pieces for match in re.finditer(re.escape(piece), raw)])


def masked_written(occurrence: Match, written: Match, document: Document, secrets: Spans) -> tuple[str, str]:
    """Return `raw` and `original` with their secrets masked.

    Args:
        occurrence: the URL in the text of the document.
        written: the same occurrence in the text as written.
        secrets: the spans of the secrets of `url`.
    """
    if occurrence.original and secrets:  # the secrets are escaped or encoded in the rewritten link
        return _masked_link(written.raw), _masked_link(written.original)
    if occurrence.original:
        occurrence = occurrence._replace(url=occurrence.original, original="", alternatives=())
        secrets = occurrence_secrets(occurrence, document)
    spans = _raw_spans(occurrence, secrets)
    if not written.original:
        return mask(written.raw, spans), ""
    if isinstance(document, RefangedDocument) and written.raw != occurrence.raw:
        first, _ = document.to_written(occurrence.start, occurrence.end)
        written_spans = (document.to_written(occurrence.start + start, occurrence.start + end) for start, end in spans)
        spans = merge_spans([(start - first, end - first) for start, end in written_spans])
    return mask(written.raw, spans), mask(written.original, _without_breaks(spans, written.breaks))


def _masked_link(link: str) -> str:
    """Return a rewritten link with everything after its host masked."""
    service = _SERVICE.match(link)
    return MASK if service is None else service[0] + MASK


def _without_breaks(spans: Spans, breaks: tuple[Break, ...]) -> Spans:
    """Return spans of `raw` as spans of the same text without its breaks."""

    def moved(offset: int) -> int:
        return offset - sum(min(gap.length, offset - gap.offset) for gap in breaks if gap.offset < offset)

    return [(moved(start), moved(end)) for start, end in spans]
