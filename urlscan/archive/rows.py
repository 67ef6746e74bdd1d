"""Turn what a scan finds in a source into the rows of the tables.

No database is needed: the rows are tuples in the order of the columns, and `schema.record_batch` makes them an Arrow
record batch. Secrets are masked here, before anything is stored.
"""

import functools
import pickle
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import repeat
from typing import Any, NamedTuple

from urlscan import Finding, __version__
from urlscan.archive.domains import domain_of
from urlscan.archive.schema import EXTRACTED, FINDING, MESSAGE, OCCURRENCE, OF_SCAN, URL, Table
from urlscan.core.document import Document, readable
from urlscan.core.records import Match
from urlscan.core.web_record import WebRecord
from urlscan.documents.mail.envelope import MessageHeader
from urlscan.finder import is_quoted
from urlscan.formats.mask import Secrets, mask_alternative, mask_finding, masked_url, masked_written, occurrence_secrets
from urlscan.formats.occurrences import as_written
from urlscan.secrets import may_hold_secret, redact
from urlscan.uri.grammar.simple import is_simple
from urlscan.uri.schemes import accepts, name_of
from urlscan.uri.transform.idn import host_names
from urlscan.uri.url import split

Row = tuple[object, ...]
# The values of a table by column.
Columns = tuple[tuple[object, ...], ...]
_HASH_BYTES = 16
_PORT = re.compile("[0-9]{1,5}")
_LARGEST_PORT = 65535
_EPOCH = datetime(1970, 1, 1)  # in UTC
_LONGEST_TAG = 500  # characters of a tag before and after its URL
_ANCHOR = re.compile(r"<[Aa]\s")
# The end of the start tag of a link, tags and white space, and the host of a URL.
# Matches: `">http://h.example`, `' class="a"><b> www.h.example`
# Does not match: `">h.example`, `"></a> http://h.example`
_LINK_TEXT = re.compile(
    r"""
    [^<>]{0,500} >
    (?: \s | &nbsp; | < (?! /[Aa]\b ) [^<>]{0,300} > ){0,20}
    (?: [Hh][Tt]{2}[Pp][Ss]?:// | (?= [Ww]{3}\. ) )
    ( [A-Za-z0-9][A-Za-z0-9.-]{2,252} )
    """,
    re.VERBOSE,
)
# The kinds of mail in which a line that begins with ">" is quoted; in markup it may be the end of a tag.
_QUOTING = ("mail", "plain")
# Values of fields that a record omits.
_MISSING = {"member": "", "relative": False, "template": False, "redacted": False}


class SourceFacts(NamedTuple):
    """The state of a source, as the columns of `source` describe it.

    Attributes:
        status: ok, partial, skipped or error.
        error: the reason, or a remark on how the source was read.
        bytes_read: bytes that were read, after unpacking.
        kind, encoding: how it was read; None if it was not.
        size: bytes of the file; None if that is unknown.
        mtime: time of its last change, in microseconds since 1970.
        content_hash: SHA-256 of the file.
    """

    status: str
    error: str | None = None
    bytes_read: int = 0
    kind: str | None = None
    encoding: str | None = None
    size: int | None = None
    mtime: int | None = None
    content_hash: str | None = None


class Rows:
    """Rows of all tables, from one source or a batch of one. Each URL has one row, however often it occurs.

    It is pickled as columns, which stay pickled until they are needed: the process that reads a source passes the rows
    of its workers on to the one that writes the database.

    Args:
        tables: the names of the tables whose rows are kept, besides `source`.
        show_secrets: whether to leave secrets unmasked.
        is_record: whether the source is a record of a web archive, which is one message.
    """

    def __init__(
        self, tables: frozenset[str] = OF_SCAN, *, show_secrets: bool = False, is_record: bool = False
    ) -> None:
        self._tables = tables
        self._message = 0 if is_record else None
        self._show_secrets = show_secrets
        self._urls: dict[str, Row] = {}
        self._rows: dict[str, list[Row]] = {table.name: [] for table in (MESSAGE, OCCURRENCE, FINDING)}
        self._columns: dict[str, Columns] | None = None
        self._pickled = b""

    def columns(self, table: Table) -> Columns:
        """Return the rows of a table by column, in the order in which they were added; () if there are none."""
        if self._columns is None:
            self._columns = pickle.loads(self._pickled) if self._pickled else self._transposed()  # noqa: S301 - our own
        return self._columns.get(table.name, ())

    def _transposed(self) -> dict[str, Columns]:
        rows: dict[str, Iterable[Row]] = {**self._rows, URL.name: self._urls.values()}
        return {name: tuple(zip(*rows[name], strict=True)) for name in self._tables if rows[name]}

    def __getstate__(self) -> bytes:
        """Return the columns for another process."""
        return self._pickled or pickle.dumps(self._transposed(), pickle.HIGHEST_PROTOCOL)

    def __setstate__(self, pickled: bytes) -> None:
        """Keep the columns of another process, to which nothing can be added."""
        self._columns, self._pickled = None, pickled

    def add_messages(self, source: str, headers: Iterable[MessageHeader]) -> None:
        """Add the rows of the messages of a source; `source` is its id, here and below."""
        rows = self._rows[MESSAGE.name]
        for header in headers:
            start, end, identity, dates, *fields, groups, parent, thread, mailer = header
            texts = (identity, dates.raw, *fields, parent, thread, mailer, *groups)
            if self._show_secrets or may_hold_secret("\n".join(filter(None, texts))):  # a check for all saves seven
                texts = tuple(map(self._show, texts))
            identity, raw, sender, subject, list_id, parent, thread, mailer, *names = texts
            date, date_source = dates.choose()
            rows.append(
                (
                    source, start, end, identity, microseconds(date), date_source, raw, microseconds(dates.field),
                    microseconds(dates.received), microseconds(dates.envelope), sender, subject, list_id, names,
                    parent, thread, mailer, None, None,
                )
            )  # fmt: skip

    def add_record(self, source: str, record: WebRecord, size: int) -> None:
        """Add the row of a record of a web archive; `size` is that of its content in bytes."""
        show = self._show
        # The other dates, sender, subject, list_id; newsgroups; in_reply_to, thread_id, mailer.
        unused: Row = (None, None, None, None, None, None, None, [], None, None, None)
        date_source = "warc" if record.date is not None else None
        head = (source, 0, size, show(record.record_id or None), microseconds(record.date), date_source)
        self._rows[MESSAGE.name].append((*head, *unused, show(record.target_uri or None), show(record.record_type)))

    def _show(self, text: str | None) -> str | None:
        """Return a field of a message or a record as the tables show it."""
        return text and readable(text if self._show_secrets else redact(text))

    def add_occurrences(self, source: str, matches: list[Match], document: Document) -> None:
        """Add the rows of the URLs of a document, or of a chunk of one."""
        urls = [readable(match.url) if self._show_secrets else masked_url(match, document) for match in matches]
        if OCCURRENCE.name not in self._tables:
            for url in urls:
                self._url_id(url)
            return
        rows = self._rows[OCCURRENCE.name]
        is_written = type(document) is Document  # without restored URLs, whose text is another than the source
        is_prose = is_written and not document.links and not document.regions
        to_source = document.map.to_source if is_written and not document.replacements else document.to_source
        spans = [to_source(match.start, match.end) for match in matches]
        if document.origin is None:
            places = _places_on_lines(document, matches, self._message)
        else:
            places = document.origin.places(start for start, _ in spans)
        decoded, may_quote = document.decoded, document.origin is not None and document.kind in _QUOTING
        for match, url, (start, end), (line, column, message, part) in zip(matches, urls, spans, places, strict=True):
            first, last, style = match.start, match.end, match.style
            outer_start, outer_end = start, end
            if match.outer_start != first or match.outer_end != last:
                outer_start, outer_end = to_source(match.outer_start, match.outer_end)
            quoted = False
            if part is not None:
                part = readable(part) if self._show_secrets else _redacted_part(part)
            if may_quote and not (part is not None and "header" in part):
                quoted = is_quoted(decoded, document.to_decoded(first, last)[0])
            context = "prose" if is_prose else document.context(first, last)
            head = (source, start, end, outer_start, outer_end, line, column, self._url_id(url), message, part, quoted)
            text_host = _text_host(document, first, last) if context == "link" and document.kind == "html" else None
            if is_written and not (match.breaks or match.alternatives or match.template or match.original):
                rows.append((*head, style, context, "none", (), (), False, None, text_host))
            else:
                rows.append((*head, style, context, *self._details(match, document), text_host))

    def _details(self, occurrence: Match, document: Document) -> Row:
        """Return the columns of an occurrence from `joined` to `original`, which are empty for most URLs."""
        written = as_written(occurrence, document)
        return (
            occurrence.joined,
            [(gap.kind, gap.offset, gap.length, gap.hyphen) for gap in written.breaks],
            list(self._alternatives(occurrence, document)) if occurrence.alternatives else [],
            occurrence.template,
            self._original(occurrence, written, document) if written.original else None,
        )

    def _original(self, occurrence: Match, written: Match, document: Document) -> str:
        """Return the text before unwrapping or refanging."""
        if self._show_secrets:
            return readable(written.original)
        secrets = occurrence_secrets(occurrence, document)
        return readable(masked_written(occurrence, written, document, secrets)[1])

    def _alternatives(self, occurrence: Match, document: Document) -> Iterator[Row]:
        secrets = [] if self._show_secrets else occurrence_secrets(occurrence, document)
        for reading in occurrence.alternatives:
            url = reading.url if self._show_secrets else mask_alternative(reading.url, occurrence.url, secrets)
            yield readable(url), reading.why, reading.evidence

    def add_findings(self, source: str, findings: list[Finding], secrets: Secrets, document: Document) -> None:
        """Add the rows of the findings of a document; `secrets` are those of its text."""
        rows = self._rows[FINDING.name]
        if not self._show_secrets:
            findings = [mask_finding(finding, secrets)[0] for finding in findings]
        messages: Iterable[tuple[int | None, str | None]] = repeat((self._message, None))
        if document.origin is not None:
            messages = (place[2:] for place in document.origin.places(finding.start for finding in findings))
        for shown, (message, part) in zip(findings, messages, strict=False):
            rows.append(
                (
                    source,
                    shown.start,
                    shown.end,
                    shown.line,
                    shown.column,
                    message,
                    self._show(part),
                    shown.code,
                    shown.name,
                    shown.severity.label,
                    shown.component or None,
                    readable(shown.message),
                    shown.section or None,
                    readable(shown.suggestion) or None,
                    shown.context or None,
                    self._url_id(readable(shown.url)) if shown.url else None,
                )
            )

    def _url_id(self, url: str) -> str:
        if URL.name not in self._tables:
            return _hash_of_url(url)
        row = self._urls.get(url)
        if row is None:
            row = self._urls[url] = url_row(url)
        return str(row[0])


@functools.lru_cache(maxsize=1 << 10)  # the parts of most messages have the same names
def _redacted_part(part: str) -> str:
    return readable(redact(part))


def _text_host(document: Document, start: int, end: int) -> str | None:
    """Return the host of the URL that the text of a link begins with; `start` and `end` are those of its target."""
    first, last = document.to_decoded(start, end)
    text = document.decoded
    tag = text.rfind("<", max(first - _LONGEST_TAG, 0), first)
    if tag < 0 or _ANCHOR.match(text, tag) is None:
        return None
    match = _LINK_TEXT.match(text, last)
    return match[1].lower().rstrip(".") if match is not None else None


def source_row(path: str, member: str, facts: SourceFacts, time: int) -> Row:
    """Return the row of a source whose last rows were written at `time`, in microseconds since 1970."""
    identity, names = source_id(path, member), (readable(path), readable(member))
    read = (facts.kind, facts.encoding, facts.size, facts.mtime, facts.content_hash, facts.bytes_read)
    return (identity, *names, *read, facts.status, facts.error, __version__, time)


def now() -> int:
    """Return the time in microseconds since 1970."""
    return microseconds(datetime.now(UTC).replace(tzinfo=None)) or 0


def source_id(path: str, member: str = "") -> str:
    """Return the id of a source.

    >>> source_id("/mail/inbox.mbox")
    '8bf0190705a86f5339d609c39086b4ed'
    """
    return _hash(f"{path}\0{member}" if member else path)


def _hash(text: str) -> str:
    # 128 bits: with 64, a stranger could find two URLs with equal hashes, one of which would hide the other.
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_HASH_BYTES).hexdigest()


def microseconds(date: datetime | None) -> int | None:
    """Return a date in UTC without a zone as microseconds since 1970."""
    if date is None:
        return None
    passed = date - _EPOCH
    return (passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds


@functools.lru_cache(maxsize=1 << 14)
def _hash_of_url(url: str) -> str:
    return _hash(url)


@functools.lru_cache(maxsize=1 << 14)  # many sources hold the same URLs
def url_row(url: str) -> Row:
    """Return the row of a URL whose secrets are masked.

    >>> url_row("http://WWW.h.example:80/a?b#c")[2:12]
    ('http', None, 'www.h.example', 'www.h.example', 80, '/a', 'b', 'c', 'h.example', 'example')
    """
    parts = split(url)
    host = ascii = None
    if parts.host:
        host, ascii = host_names(parts.host)
    name = host if ascii is None and host is not None and host.isascii() else ascii
    domain = domain_of(name) if name else None
    port = int(parts.port) if parts.port and _PORT.fullmatch(parts.port) else None
    return (
        _hash(url),
        url,
        name_of(url) or None,
        parts.userinfo,
        host,
        ascii,
        port if port is not None and port <= _LARGEST_PORT else None,
        parts.path,
        parts.query,
        parts.fragment,
        domain.registered if domain is not None else None,
        domain.suffix if domain is not None else None,
        is_simple(url, "rfc3986") or accepts(url, "rfc3986", "uri-reference"),
        accepts(url, "rfc1738", "uri-reference"),
    )


def _places_on_lines(
    document: Document, matches: list[Match], message: int | None
) -> Iterator[tuple[int, int, int | None, str | None]]:
    """Yield the places of matches as `Origin.places` does, for a document outside mail."""
    for match in matches:
        yield *document.lines.position(document.to_decoded(match.start, match.end)[0]), message, None


def record_row(record: Mapping[str, Any]) -> Row:
    """Return the JSON record of an occurrence as a row of EXTRACTED."""
    values = []
    for column in EXTRACTED.columns:
        value = record.get(column.name, _MISSING.get(column.name))
        if column.name == "date" and value is not None:
            value = microseconds(datetime.fromisoformat(value).replace(tzinfo=None))
        elif column.type in ("breaks", "alternatives"):
            value = [tuple(item.values()) for item in value]
        elif column.type == "string" and value is not None:
            value = readable(value)
        values.append(value)
    return tuple(values)
