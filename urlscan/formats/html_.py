"""Render a self-contained HTML page with filters and indexes, in which nothing from the sources is live.

Untrusted text is escaped. URLs are not links, since a click may be what their author wants; links lead to the
documentation of rules and to sections of specifications. Without scripts the page has no filters and is otherwise the
same.
"""

import codecs
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator

from urlscan.core.document import Document
from urlscan.core.project import rule_page
from urlscan.core.records import Finding, Severity
from urlscan.core.secrets import redact
from urlscan.formats.base import RenderOptions, RunInfo, masked_findings, number, report_time, suggested
from urlscan.formats.excerpt import ExcerptLine, excerpt_of, secrets_shown
from urlscan.formats.page import failures, frame, link, rule_cell, section, summary, table, text_of
from urlscan.formats.specifications import section_url
from urlscan.rules import ENTRIES

_LEVEL = 1  # of compression: the fastest
# Findings in one element that browsers do not lay out until it is scrolled to. One by one they would take longer.
_IN_GROUP = 25
_END_OF_FILE = "</div>\n</section>\n"
_SEVERITIES = sorted(Severity, reverse=True)


class _Totals:
    """The numbers of a report.

    Attributes:
        files: those with findings, in order: the name, and the number of findings by severity.
        rules: the number of findings by code.
        severities: the number of findings by severity.
        highest: the highest severity by code.
        fixed: the number of fixed findings.
        fixable: the number of findings with a fix.
    """

    def __init__(self) -> None:
        self.files: list[tuple[str, Counter[Severity]]] = []
        self.rules: Counter[str] = Counter()
        self.severities: Counter[Severity] = Counter()
        self.highest: dict[str, Severity] = {}
        self.fixed = 0
        self.fixable = 0

    def add(self, finding: Finding) -> None:
        """Count a finding of the last file."""
        code, severity = finding.code, finding.severity
        self.files[-1][1][severity] += 1
        self.rules[code] += 1
        self.severities[severity] += 1
        self.highest[code] = max(severity, self.highest.get(code, severity))
        self.fixable += finding.fix is not None


def render(documents: Iterable[Document], options: RenderOptions) -> Iterator[str]:
    """Yield the page. Its findings wait in a buffer, because the summary and the indexes come first.

    An empty string is yielded for each result, so that several formats can be written in step.
    """
    totals = _Totals()
    buffer = _Buffer()
    for document in documents:
        totals.fixed += len(document.fixed)
        if document.findings:
            for text in _findings(document, options, totals):
                buffer.write(text)
        yield ""
    title = f"urlscan: {number(totals.severities.total(), 'finding')}"
    main = _main(totals, options.run or RunInfo(), buffer)
    yield from frame(title, main, ("findings", "findings"), _bar(totals))


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


def _findings(document: Document, options: RenderOptions, totals: _Totals) -> Iterator[str]:
    """Yield the findings of a result, with a heading before those of each file, and count them."""
    secrets = secrets_shown(document, options)
    for finding, _ in masked_findings(document, options):
        if not totals.files or totals.files[-1][0] != finding.where:
            if totals.files:
                yield _END_OF_FILE
            totals.files.append((finding.where, Counter()))
            number = len(totals.files)
            yield (
                f'<section class="file" id="f{number}" aria-labelledby="h{number}"><h3 id="h{number}">'
                f"<span>{text_of(finding.where)}</span> <small></small></h3>\n<div>\n"
            )
        elif totals.files[-1][1].total() % _IN_GROUP == 0:
            yield "</div>\n<div>\n"
        totals.add(finding)
        yield _article(finding, excerpt_of(finding, document, secrets), totals.severities.total())


def _article(finding: Finding, rows: list[ExcerptLine], number: int) -> str:
    severity = finding.severity.label
    notes, fix = list[str](), ""
    if finding.section:
        address, note = section_url(finding.section), text_of(finding.section)
        if address:
            note = link(address, note)
        notes.append(note)
    suggestion = suggested(finding)
    if suggestion and suggestion not in finding.message:
        notes.append(f"write <code>{text_of(suggestion)}</code>")
    if finding.fix is not None:
        fix = " data-fix"
        notes.append(f"{finding.fix.applicability} fix")
    below = ""
    if notes:
        below = f'<p class="notes">{" · ".join(notes)}</p>'
    return (
        f'<article class="{severity}" id="n{number}" data-rule="{finding.code}"{fix}>'
        f'<p class="head"><a class="at" href="#n{number}">{finding.line}:{finding.column}</a> <b>{severity}</b>'
        f" <span>{link(rule_page(finding.code), finding.code)} {finding.name}</span></p>"
        f'<p class="message">{text_of(finding.message)}</p><pre>{"".join(map(_row, rows))}</pre>'
        f"{below}</article>\n"
    )


def _row(row: ExcerptLine) -> str:
    """Return a line of the excerpt, with the text above the carets highlighted."""
    if not row.number:
        return f"<code>{text_of(row.text)}</code>"
    text = row.text.ljust(row.marked.stop)
    before, marked, after = text[: row.marked.start], text[row.marked], text[row.marked.stop :]
    content = f"{text_of(before)}<mark>{text_of(marked)}</mark>{text_of(after)}"
    return f'<code data-n="{row.number}">{content}</code>'


# --- what surrounds the findings


def _main(totals: _Totals, run: RunInfo, buffer: "_Buffer") -> Iterator[str]:
    facts = (
        (run.files, f"{number(run.files, 'file')} read"),
        (totals.fixed, f"{number(totals.fixed, 'finding')} fixed"),
        (totals.fixable, f"{number(totals.fixable, 'finding')} fixable with <code>--fix</code>"),
    )
    tiles = [(severity.label, number(totals.severities[severity], severity.label)) for severity in _SEVERITIES]
    tiles.append(("files", f"{number(len(totals.files), 'file')} with findings"))
    yield from summary("urlscan report", report_time(run.started), (text for count, text in facts if count), tiles)
    if not totals.files:
        yield '<section class="none"><h2>No findings</h2></section>\n'
    yield from failures("Files that could not be read", map(redact, run.failures))
    if totals.files:
        yield '<div class="indexes">\n'
        yield from section("Rules", _rule_index(totals), "by-rule")
        yield from section("Files", _file_index(totals), "by-file")
        yield "</div>\n"
        yield '<section aria-labelledby="findings">\n<h2 id="findings" tabindex="-1">Findings</h2>\n'
        yield '<p class="none" id="empty" hidden>No finding matches the filters.</p>\n'
    yield from buffer.read()
    if totals.files:
        yield _END_OF_FILE + "</section>\n"


def _bar(totals: _Totals) -> Iterator[str]:
    """Yield the bar with the filters, which only the script shows, if there are findings."""
    if not totals.files:
        return
    yield (
        '<header class="bar" id="bar" hidden><div class="wrap">\n<p class="shown" id="shown" role="status"></p>\n'
        '<form id="filters" role="search" aria-label="Filter findings" autocomplete="off">\n'
        '<input type="search" name="text" aria-label="Search paths, messages and excerpts" placeholder="Search">\n'
        '<button type="button" id="toggle" class="toggle" aria-expanded="false" aria-controls="more">Filters</button>\n'
        '<div id="more" class="more">\n<select name="rule" aria-label="Rule"><option value="">All rules</option>'
    )
    for code, count in sorted(totals.rules.items()):
        name = ENTRIES[code].name if code in ENTRIES else ""
        yield f'<option value="{code}">{code} {name} ({count:,})</option>'
    yield "</select>\n"
    for severity in _SEVERITIES:
        if totals.severities[severity]:
            yield (
                f'<label class="chip"><input type="checkbox" name="severity" value="{severity.label}" checked>'
                f"{severity.label.title()}s</label>\n"
            )
    hidden = " hidden"
    if totals.fixable:
        hidden = ""
    yield (
        f'<label class="chip"{hidden}><input type="checkbox" name="fixable">Fixable</label>\n'
        '<button type="reset" id="clear" hidden>Reset</button>\n</div>\n</form>\n</div></header>\n'
    )


def _rule_index(totals: _Totals) -> Iterator[str]:
    rows = []
    for code, count in sorted(totals.rules.items(), key=lambda item: (-totals.highest[item[0]], -item[1], item[0])):
        severity = totals.highest[code].label
        rows.append(
            f'<td class="number">{count:,}</td><td><span class="dot {severity}" title="{severity}"></span>'
            f'{rule_cell(code)}</td><td class="action"><button type="button" data-rule="{code}" hidden'
            f' aria-label="Show only {code}">Show only</button></td>'
        )
    headings = ("number", "Findings"), ("", "Rule"), ("action", "Filter")
    yield table(headings, rows, attributes=' id="rules"', scroll='aria-labelledby="by-rule"')


def _file_index(totals: _Totals) -> Iterator[str]:
    rows = []
    for position, (name, severities) in enumerate(totals.files, 1):
        row = f'<td><a href="#f{position}">{text_of(name)}</a></td>'
        for severity in _SEVERITIES:
            if severities[severity]:
                row += f'<td class="number">{severities[severity]:,}</td>'
            else:
                row += '<td class="number zero">0</td>'
        rows.append(row)
    headings = ("", "File"), *(("number", f"{severity.label.title()}s") for severity in _SEVERITIES)
    yield table(headings, rows, attributes=' id="files"', scroll='aria-labelledby="by-file"')
