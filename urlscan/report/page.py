"""Write the report: one HTML page that needs no network, in which nothing from the database is live.

The text of URLs, subjects and names is escaped or part of a JSON document that the script shows as text; URLs are not
links. The content security policy is that of the report of `urlscan check`.
"""

import json
import time
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from urlscan import __version__
from urlscan.core.document import readable
from urlscan.core.project import INDEX_PAGE, rule_page
from urlscan.formats.escape import escape
from urlscan.formats.html_page import asset, document_head, link, number, text_of
from urlscan.report.charts import bar_table, year_columns
from urlscan.report.queries import Bar, Database, Row, Totals
from urlscan.rules import entry_of, load


class Options(NamedTuple):
    """The options of a report.

    Attributes:
        title: the heading.
        rows: limit on the rows of the table.
        written: the time to show, in seconds since 1970.
    """

    title: str
    rows: int
    written: int


def render(database: Database, options: Options) -> Iterator[str]:
    """Yield the page."""
    totals = database.totals()
    style, script = asset("html.css") + asset("report.css", "urlscan.report"), asset("report.js", "urlscan.report")
    yield document_head(text_of(options.title), style, script)
    yield '<body id="top">\n<a class="skip" href="#urls">Skip to the table of URLs</a>\n<main class="wrap">\n'
    yield from _summary(database, totals, options)
    if totals.occurrences:
        yield from _charts(database)
    yield from _failures(database)
    if totals.occurrences:
        yield from _table(database, totals, options)
    yield f'</main>\n<footer class="wrap">Written by {link(INDEX_PAGE, f"urlscan {__version__}")}.</footer>\n'
    yield f"<script>{script}</script>\n</body>\n</html>\n"


def _summary(database: Database, totals: Totals, options: Options) -> Iterator[str]:
    written = time.gmtime(options.written)
    machine = time.strftime("%Y-%m-%dT%H:%M:%SZ", written)
    facts = [f'<time datetime="{machine}">{time.strftime("%Y-%m-%d %H:%M UTC", written)}</time>']
    if database.directory:
        facts.append(f"sources below <code>{text_of(database.directory)}</code>")
    yield f'<section>\n<h1>{text_of(options.title)}</h1>\n<p class="facts">{" · ".join(facts)}</p>\n'
    yield '<ul class="tiles">\n'
    tiles = (
        ("source", totals.sources), ("message", totals.messages), ("URL found", totals.occurrences),
        ("distinct URL", totals.urls), ("host", totals.hosts), ("finding", totals.findings),
    )  # fmt: skip
    for noun, count in tiles:
        plural = noun if count == 1 else {"URL found": "URLs found"}.get(noun, f"{noun}s")
        yield f'<li class="files"><b>{count:,}</b><span>{plural}</span></li>\n'
    yield "</ul>\n</section>\n"
    if not totals.occurrences:
        yield '<section class="none"><h2>No URLs</h2></section>\n'


def _charts(database: Database) -> Iterator[str]:
    years = database.years()
    if years.counts:
        yield from _section("URLs by year", year_columns(years))
    yield '<div class="indexes">\n'
    yield from _section("Hosts", bar_table(database.hosts(), "Host", ("URLs", "Distinct"), "host"))
    yield from _section("Schemes", bar_table(database.schemes(), "Scheme", ("URLs", "Distinct"), "scheme"))
    if rules := database.rules():
        links = [_rule(bar) for bar in rules]
        table = bar_table(rules, "Rule", ("Findings", "Sources"), "rule", links)
        yield from _section("Findings by rule", table)
    yield from _section("Broken and rejoined", bar_table(database.joined(), "URLs", ("Count",)))
    if breaks := database.breaks():
        yield from _section("Kinds of break", bar_table(breaks, "Break", ("Breaks", "After a hyphen")))
    yield "</div>\n"


def _section(title: str, content: Iterable[str]) -> Iterator[str]:
    yield f"<section>\n<h2>{title}</h2>\n"
    yield from content
    yield "</section>\n"


def _rule(bar: Bar) -> str:
    """Return the code of a rule as a link, with its name and summary."""
    entry = entry_of(bar.name)
    if entry is None:
        return text_of(bar.name)
    return f"{link(rule_page(entry.code), entry.code)} {entry.name}<small>{text_of(load(entry).summary)}</small>"


def _failures(database: Database) -> Iterator[str]:
    failures = database.failures()
    if failures:
        yield '<section>\n<h2>Sources that were not read to their end</h2>\n<ul class="failed">\n'
        for failure in failures:
            yield f"<li>{text_of(failure.source)}: {text_of(failure.error or failure.status)}</li>\n"
        yield "</ul>\n</section>\n"


# --- the table, which the script fills

_COLUMNS = (("date", "Date"), ("url", "URL"), ("", "Findings"), ("source", "Source"))


def _table(database: Database, totals: Totals, options: Options) -> Iterator[str]:
    shown = min(options.rows, totals.occurrences)
    yield '<section aria-labelledby="urls">\n<h2 id="urls" tabindex="-1">All URLs</h2>\n'
    if shown < totals.occurrences:
        yield (
            f'<p class="facts">{number(shown, "row")} of {totals.occurrences:,}: those with findings or breaks first.'
            " The charts count all.</p>\n"
        )
    yield '<noscript><p class="none">The table needs JavaScript. The charts do not.</p></noscript>\n'
    yield (
        '<form id="filters" class="filters" role="search" aria-label="Filter URLs" autocomplete="off" hidden>\n'
        '<input type="search" name="text" aria-label="Search URLs, sources, subjects and senders"'
        ' placeholder="Search">\n'
    )
    for name, label in (("scheme", "schemes"), ("year", "years"), ("rule", "findings"), ("joined", "breaks")):
        yield f'<select name="{name}" aria-label="{name.title()}"><option value="">All {label}</option></select>\n'
    yield '<button type="reset" id="clear">Reset</button>\n</form>\n'
    yield '<p class="shown" id="shown" role="status"></p>\n'
    yield '<div class="index grid" tabindex="0" role="region" aria-labelledby="urls" id="grid" hidden>'
    yield '<table><thead><tr id="headings">'
    for name, label in _COLUMNS:
        yield (
            f'<th aria-sort="none"><button type="button" data-sort="{name}">{label}</button></th>'
            if name
            else f"<th>{label}</th>"
        )
    yield '</tr></thead>\n<tbody id="rows"></tbody></table></div>\n'
    yield (
        '<nav class="pages" id="pages" aria-label="Pages" hidden><button type="button" data-page="-1">Previous</button>'
        '<span id="page"></span><button type="button" data-page="1">Next</button></nav>\n</section>\n'
    )
    yield '<script type="application/json" id="data">'
    yield _json(_columns(database.rows(options.rows)))
    yield "</script>\n"


class _Words:
    """Distinct values and their numbers."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}

    def number(self, value: object) -> int:
        return self.numbers.setdefault(value, len(self.numbers))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.numbers)


def _columns(rows: Iterable[Row]) -> dict[str, Any]:
    """Return the rows by column; texts that recur are listed once, and rows have their numbers."""
    urls, sources, messages, joined, codes = (_Words() for _ in range(5))
    columns: dict[str, list[Any]] = {
        name: [] for name in ("url", "source", "line", "column", "message", "joined", "codes")
    }
    for row in rows:
        columns["url"].append(urls.number((_safe(row.url), _safe(row.host), _safe(row.scheme))))
        columns["source"].append(sources.number(_safe(row.source)))
        columns["line"].append(row.line)
        columns["column"].append(row.column)
        columns["message"].append(messages.number((row.date, _safe(row.subject), _safe(row.sender))))
        columns["joined"].append(joined.number(row.joined))
        columns["codes"].append(codes.number(row.codes))
    words = {"urls": urls, "sources": sources, "messages": messages, "joins": joined, "findings": codes}
    return {"rows": columns, **{name: list(values) for name, values in words.items()}}


def _safe(text: str) -> str:
    """Return a text without characters that could change how the page is read, such as bidirectional controls."""
    return escape(readable(text))


def _json(value: object) -> str:
    """Return a value as JSON that cannot end the element that contains it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
