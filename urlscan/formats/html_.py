"""Render a self-contained HTML page with filters and indexes, in which nothing from the sources is live.

Untrusted text is escaped. URLs are not links, since a click may be what their author wants; links lead to the
documentation of rules and to sections of specifications. Without scripts the page has no filters and is otherwise the
same.
"""

import codecs
import unicodedata
import zlib
from collections.abc import Iterable, Iterator

from urlscan.core.project import rule_page
from urlscan.core.records import Finding
from urlscan.formats.base import CheckResult, RenderOptions, RunInfo, masked_findings
from urlscan.formats.excerpt import ExcerptLine, excerpt_of
from urlscan.formats.headline import suggested
from urlscan.formats.html_page import FileCounts, Totals, head, link, tail, text_of
from urlscan.formats.specifications import section_url
from urlscan.secrets import merge_spans

_LEVEL = 1  # of compression: the fastest
# Findings in one element that browsers do not lay out until it is scrolled to. One by one they would take longer.
_IN_GROUP = 25
_END_OF_FILE = "</div>\n</section>\n"


def render(results: Iterable[CheckResult], options: RenderOptions) -> Iterator[str]:
    """Yield the page. Its findings wait in a buffer, because the summary and the indexes come first.

    An empty string is yielded for each result, so that several formats can be written in step.
    """
    totals = Totals()
    run = options.run or RunInfo()
    buffer = _Buffer()
    for result in results:
        totals.fixed += len(result.fixed)
        for text in _findings(result, options, totals) if result.findings else ():
            buffer.write(text)
        yield ""
    yield from head(totals, run)
    yield from buffer.read()
    if totals.files:
        yield _END_OF_FILE
    yield from tail(totals)


class _Buffer:
    """Holds text compressed, which takes a tenth of the memory or less.

    A temporary file could fail or remain, and would hold the secrets of `--show-secrets`.
    """

    def __init__(self) -> None:
        self._compressor = zlib.compressobj(_LEVEL)
        self._chunks: list[bytes] = []

    def write(self, text: str) -> None:
        """Append text."""
        if chunk := self._compressor.compress(text.encode()):
            self._chunks.append(chunk)

    def read(self) -> Iterator[str]:
        """Yield all of the text."""
        self._chunks.append(self._compressor.flush())
        decompressor = zlib.decompressobj()
        decoder = codecs.getincrementaldecoder("utf-8")()
        for chunk in self._chunks:
            yield decoder.decode(decompressor.decompress(chunk))


def _findings(result: CheckResult, options: RenderOptions, totals: Totals) -> Iterator[str]:
    """Yield the findings of a result, with a heading before those of each file, and count them."""
    hidden = None if options.show_secrets else merge_spans(result.secrets.places)
    for finding, _ in masked_findings(result, options):
        if not totals.files or totals.files[-1].name != finding.where:
            yield _END_OF_FILE if totals.files else ""
            totals.files.append(FileCounts.of(finding.where))
            number = len(totals.files)
            yield (
                f'<section class="file" id="f{number}" aria-labelledby="h{number}"><h3 id="h{number}">'
                f"<span>{text_of(finding.where)}</span> <small></small></h3>\n<div>\n"
            )
        elif totals.files[-1].found.total() % _IN_GROUP == 0:
            yield "</div>\n<div>\n"
        totals.add(finding.code, finding.severity, has_fix=finding.fix is not None)
        yield _article(finding, excerpt_of(finding, result.document, hidden), totals.severities.total())


def _article(finding: Finding, rows: list[ExcerptLine], number: int) -> str:
    severity = finding.severity.label
    fix = " data-fix" if finding.fix is not None else ""
    notes = list(_notes(finding))
    return (
        f'<article class="{severity}" id="n{number}" data-rule="{finding.code}"{fix}>'
        f'<p class="head"><a class="at" href="#n{number}">{finding.line}:{finding.column}</a> <b>{severity}</b>'
        f" <span>{link(rule_page(finding.code), finding.code)} {finding.name}</span></p>"
        f'<p class="message">{text_of(finding.message)}</p><pre>{"".join(map(_row, rows))}</pre>'
        + (f'<p class="notes">{" · ".join(notes)}</p>' if notes else "")
        + "</article>\n"
    )


def _notes(finding: Finding) -> Iterator[str]:
    """Yield notes as HTML: the section, the suggestion and the kind of fix."""
    if finding.section:
        address = section_url(finding.section)
        yield link(address, text_of(finding.section)) if address else text_of(finding.section)
    suggestion = suggested(finding)
    if suggestion and suggestion not in finding.message:
        yield f"write <code>{text_of(suggestion)}</code>"
    if finding.fix is not None:
        yield f"{finding.fix.applicability} fix"


def _row(row: ExcerptLine) -> str:
    """Return a line of the excerpt, with the text above the carets highlighted."""
    if not row.number:
        return f"<code>{text_of(row.shown)}</code>"
    runs: list[tuple[bool, str]] = []
    start = column = 0
    is_marked = False
    shown = row.shown.ljust(len(row.carets)) if row.shown.isascii() else row.shown
    for at, character in enumerate(shown):
        width = 1
        if not character.isascii():
            width = 0 if unicodedata.category(character) in {"Mn", "Me"} else 1
            width += width and unicodedata.east_asian_width(character) in "WF"
        marked = row.carets[column : column + 1] == "^" if width else is_marked
        if marked != is_marked:
            runs.append((is_marked, shown[start:at]))
            start, is_marked = at, marked
        column += width
    runs.append((is_marked, shown[start:]))
    text = "".join(f"<mark>{text_of(run)}</mark>" if marked else text_of(run) for marked, run in runs if run)
    return f'<code data-n="{row.number}">{text}</code>'
