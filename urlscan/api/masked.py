"""Return URLs, findings and messages as records that may be stored or sent: secrets are masked.

Undecodable bytes are shown as Windows-1252 in all texts.
"""

import functools
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from urlscan.core.choices import Context, Joined, Profile, Style
from urlscan.core.document import Document, readable
from urlscan.core.records import Alternative, Break, Finding, Match, WebRecord
from urlscan.core.secrets import may_hold_secret, redact
from urlscan.core.settings import FindOptions
from urlscan.documents import read_text
from urlscan.documents.mail.envelope import Message
from urlscan.documents.mail.mailbox import MessageBatch
from urlscan.finder import find_in_document, is_quoted
from urlscan.formats.mask import (
    mask_alternative,
    mask_finding,
    mask_problem,
    masked_url,
    masked_written,
    occurrence_secrets,
    secrets_by_url,
)
from urlscan.formats.mask_urls import mask_result, secrets_of
from urlscan.formats.occurrences import occurrence_line
from urlscan.formats.records import problem_record
from urlscan.linter import judge
from urlscan.uri.transform.idn import host_names
from urlscan.uri.transform.normal import as_requested as as_requested
from urlscan.uri.transform.normal import normalize
from urlscan.uri.unwrap import unwrap
from urlscan.uri.url import split

_LONGEST_TAG = 500  # characters of a tag before and after its URL
_ANCHOR = re.compile(r"<[Aa]\s")
# The end of the start tag of a link, tags and white space, and the user and the host of a URL.
# Matches: `">http://h.example`, `' class="a"><b> www.h.example`, `">http://jo@bücher.example`
# Does not match: `">h.example`, `"></a> http://h.example`
_LINK_TEXT = re.compile(
    r"""
    [^<>]{0,500} >
    (?: \s | &nbsp; | < (?! /[Aa]\b ) [^<>]{0,300} > ){0,20}
    (?: [Hh][Tt]{2}[Pp][Ss]?:// | (?= [Ww]{3}\. ) )
    (?: [^\s<>/?\#@]{0,100} @ )?
    ( [^\W_] [\w.-]{2,252} )
    """,
    re.VERBOSE,
)
# The kinds of mail in which a line that begins with ">" is quoted; in markup it may be the end of a tag.
_QUOTING = ("mail", "plain")


_Details = tuple[Joined, tuple[Break, ...], tuple[Alternative, ...], bool, str]
_NO_DETAILS: _Details = ("none", (), (), False, "")


class MaskedOccurrence(NamedTuple):
    """One URL of a document.

    Attributes:
        url: the URL, rejoined.
        start, end: the smallest span of its source, in bytes, that holds every byte of it.
        outer_start, outer_end: the span with the delimiters.
        line, column: of `start`, from 1; columns count code points.
        message_start: the start of its message in the source; None outside mail.
        part: the part of the message (`urlscan.MailLocation`); None outside mail, or if it is unknown.
        quoted: whether its line in a plain body of mail begins with a quote mark.
        style, context, joined, breaks, alternatives, template, original: as in `urlscan.Occurrence`.
        text_host: the host of the URL that the text of an HTML link begins with, as in the DNS; None without one.
    """

    url: str
    start: int
    end: int
    outer_start: int
    outer_end: int
    line: int
    column: int
    message_start: int | None
    part: str | None
    quoted: bool
    style: "Style"
    context: "Context"
    joined: "Joined"
    breaks: tuple[Break, ...]
    alternatives: tuple[Alternative, ...]
    template: bool
    original: str
    text_host: str | None


class MaskedFinding(NamedTuple):
    """One finding in a document.

    Attributes:
        message_start, part: as in MaskedOccurrence.
        finding: the finding.
    """

    message_start: int | None
    part: str | None
    finding: Finding


def masked_occurrences(
    document: Document, matches: list[Match], message_start: int | None, *, show_secrets: bool
) -> Iterator[MaskedOccurrence]:
    """Yield the matches in a document as they may be stored; `message_start` is for a record of a web archive."""
    is_written = type(document) is Document  # without restored URLs, whose text is another than the source
    to_decoded, to_source = document.to_decoded, document.map.to_source
    decoded_spans = [to_decoded(match.start, match.end) for match in matches]
    spans = [to_source(start, end) for start, end in decoded_spans]
    places: Iterator[tuple[int, int, int | None, str | None]]
    if isinstance(document.origin, MessageBatch):
        places = document.origin.places([start for start, _ in spans])
    else:
        places = ((*document.lines.position(start), message_start, None) for start, _ in decoded_spans)
    decoded, may_quote = document.decoded, document.origin is not None and document.kind in _QUOTING
    for match, decoded_span, (start, end), (line, column, message, part) in zip(
        matches, decoded_spans, spans, places, strict=True
    ):
        url, _, first, last, outer_first, outer_last, _, style, breaks, alternatives, _, template, _, _, _, original = (
            match
        )
        outer_start, outer_end = start, end
        if outer_first != first or outer_last != last:
            outer_start, outer_end = to_source(*to_decoded(outer_first, outer_last))
        quoted = False
        if part is not None:
            part = readable(part) if show_secrets else _masked_part(part)
        if may_quote and not (part is not None and "header" in part):
            quoted = is_quoted(decoded, decoded_span[0])
        context: Context = "link"
        text_host = None
        if style != "markup":
            context = document.context(first, last)
        elif document.kind == "html":
            text_host = _text_host(decoded, *decoded_span)
        is_open = show_secrets or not document.is_sensitive(match)
        url = readable(url) if is_open else masked_url(match, document)
        placed = (url, start, end, outer_start, outer_end, line, column, message, part, quoted, style, context)
        details = _NO_DETAILS
        if breaks or alternatives or template or original or not is_written:
            details = _details(match, document, show_secrets=show_secrets)
        yield tuple.__new__(MaskedOccurrence, (*placed, *details, text_host))  # the class takes three times as long


def _details(match: Match, document: Document, *, show_secrets: bool) -> _Details:
    """Return the fields from `joined` to `original`, which are empty for most URLs."""
    written = document.as_written(match)
    alternatives, original = match.alternatives, written.original
    if not show_secrets and (alternatives or original):
        secrets = occurrence_secrets(match, document)
        alternatives = tuple(
            other._replace(url=mask_alternative(other.url, match.url, secrets)) for other in alternatives
        )
        if original:
            original = masked_written(match, written, document, secrets)[1]
    alternatives = tuple(other._replace(url=readable(other.url)) for other in alternatives)
    return match.joined, written.breaks, alternatives, match.template, readable(original)


@functools.lru_cache(maxsize=1 << 10)  # the parts of most messages have the same names
def _masked_part(part: str) -> str:
    return readable(redact(part))


def _text_host(text: str, start: int, end: int) -> str | None:
    """Return the host of the URL that the text of a link begins with; `start` and `end` are those of its target."""
    tag = text.rfind("<", max(start - _LONGEST_TAG, 0), start)
    if tag < 0 or _ANCHOR.match(text, tag) is None:
        return None
    match = _LINK_TEXT.match(text, end)
    if match is None:
        return None
    host, ascii_host = host_names(match[1].rstrip("."))
    return ascii_host or host


def masked_findings(document: Document, message_start: int | None, *, show_secrets: bool) -> Iterator[MaskedFinding]:
    """Yield the findings in a document as they may be stored; `message_start` is that of `masked_occurrences`."""
    if not document.findings:
        return
    secrets = secrets_by_url(document)
    for finding in document.findings:
        message = message_start
        if isinstance(document.origin, MessageBatch):
            message = document.origin.message_start(finding.start)
        if not show_secrets:
            finding, _ = mask_finding(finding, secrets)
        part = None
        if finding.mail is not None:
            part = finding.mail.part and readable(finding.mail.part)
        finding = finding._replace(
            url=readable(finding.url), message=readable(finding.message), suggestion=readable(finding.suggestion)
        )
        yield MaskedFinding(message, part, finding)


def masked_message(message: Message) -> Message:
    """Return the header of a message with the secrets in its fields masked."""
    texts = [value for value in message if isinstance(value, str)]
    if not may_hold_secret("\n".join([*texts, *message.newsgroups])):
        return message
    masked: dict[str, Any] = {
        name: readable(redact(value)) for name, value in message._asdict().items() if isinstance(value, str)
    }
    return message._replace(**masked, newsgroups=tuple(readable(redact(name)) for name in message.newsgroups))


def message_of_record(record: WebRecord, size: int) -> Message:
    """Return a record of a web archive, whose content has `size` bytes, as a message."""
    source = None if record.date is None else "warc"
    identity, uri = record.record_id or None, record.target_uri or None
    return Message(0, size, identity, record.date, source, target_uri=uri, record_type=record.record_type)


# --- the values of columns


def text_records(text: str, kind: str = "plain") -> Iterator[dict[str, Any]]:
    """Yield the URLs of a text as `urlscan extract --format jsonl` does; offsets count characters of the text."""
    options = FindOptions(continuations=True)
    for document in read_text(text, kind=kind, find_options=options):
        for match in find_in_document(document, options):
            yield json.loads(occurrence_line(match, document, "", show_secrets=False))


def url_problems(url: str, profile: Profile = "rfc3986") -> list[dict[str, Any]]:
    """Return the problems of a URL as records of plain values; spans are those in `url`, delimiters included."""
    what = unwrap(url, profile)
    problems = judge.diagnosis(what.url, profile, "uri-reference")
    secrets = secrets_of(what.url) if problems else []
    records = []
    for problem in problems:
        masked = mask_problem(problem, what.url, secrets)
        start, end = what.span_in_input(problem.start, problem.end)
        record = problem_record(masked._replace(start=start, end=end))
        record |= {name: None for name in ("component", "section", "suggestion") if not record[name]}
        records.append(record)
    return records


def normal_form(url: str, profile: Profile = "rfc3986") -> str:
    """Return the normal form of a URL, as `urlscan.normalize` does."""

    def normalized(given: str) -> str:
        return normalize(unwrap(given, profile).url, "scheme", profile)

    return readable(mask_result(normalized(url), normalized, [url])[0])


def host_of(url: str, profile: Profile = "rfc3986") -> str | None:
    """Return the host of a URL in lower case and Unicode, without escapes; None without one."""
    host = split(unwrap(url, profile).url, profile).host or ""
    return readable(host_names(host)[0]) or None
