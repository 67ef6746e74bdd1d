"""Write the report: one HTML page that needs no network, in which nothing from the database is live.

The text of URLs, subjects and names is escaped or part of a JSON document that the script shows as text; URLs are not
links. The content security policy is that of the report of `urlscan check`.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from urlscan import readable
from urlscan.api.pages import escape, failures, frame, number, rule_cell, section, summary, text_of
from urlscan.report.charts import bar_table, columns, small_columns
from urlscan.report.queries import Database, Row, Totals


class Options(NamedTuple):
    """The options of a report.

    Attributes:
        title: the heading.
        rows: limit on the rows of the table.
        written: the time to show, in seconds since 1970.
        where: the URLs that the database shows: body, headers or all.
    """

    title: str
    rows: int
    written: int
    where: str = "body"


def render(database: Database, options: Options) -> Iterator[str]:
    """Yield the page."""
    yield from frame(text_of(options.title), _main(database, options), ("urls", "table of URLs"))


def _main(database: Database, options: Options) -> Iterator[str]:
    totals = database.totals()
    facts = [f"sources below <code>{text_of(database.directory)}</code>"] if database.directory else []
    facts.append({"body": "URLs in bodies", "headers": "URLs in header fields", "all": "all URLs"}[options.where])
    tiles = (
        number(totals.sources, "source"),
        number(totals.messages, "message"),
        f"{number(totals.occurrences, 'URL')} found",
        number(totals.urls, "distinct URL"),
        number(totals.hosts, "host"),
        number(totals.findings, "finding"),
    )
    yield from summary(text_of(options.title), options.written, facts, [("files", tile) for tile in tiles])
    if totals.occurrences:
        yield from _charts(database)
    else:
        yield '<section class="none"><h2>No URLs</h2></section>\n'
    yield from failures("Sources that were not read to their end", database.failures())
    if totals.occurrences:
        yield from _table(database, totals, options)


def _charts(database: Database) -> Iterator[str]:
    timeline = database.timeline()
    if timeline.counts:
        yield from section(f"URLs by {timeline.unit}", columns(timeline))
        domains = database.domain_timelines(timeline)
        if domains.names:
            yield from section(f"Registered domains by {timeline.unit}", small_columns(domains))
    yield '<div class="indexes charts">\n'
    yield from section("Hosts", bar_table(database.bars("hosts"), "Host", ("URLs", "Distinct"), "host"))
    yield from section("Registered domains", bar_table(database.bars("domains"), "Domain", ("Unquoted", "Messages")))
    if senders := database.bars("senders"):
        yield from section("Senders", bar_table(senders, "Sender", ("Unquoted", "Messages")))
    yield from section("Schemes", bar_table(database.bars("schemes"), "Scheme", ("URLs", "Distinct"), "scheme"))
    if rules := database.bars("rules"):
        cells = [rule_cell(bar.name) for bar in rules]
        yield from section("Findings by rule", bar_table(rules, "Rule", ("Findings", "Sources"), "rule", cells))
    yield from section("Broken and rejoined", bar_table(database.bars("joined"), "URLs", ("Count",)))
    if breaks := database.bars("breaks"):
        yield from section("Broken by cause", bar_table(breaks, "Break", ("Breaks", "After a hyphen")))
    if dead := database.bars("dead-hosts"):
        yield from section("Dead links by host", bar_table(dead, "Host", ("Dead", "Checked"), "host"))
    if years := database.bars("dead years"):
        yield from section("Dead links by year", bar_table(years, "Year", ("Dead", "Checked")))
    yield "</div>\n"


# --- the table, which the script fills

_SORTABLE = '<th aria-sort="none"><button type="button" data-sort="{0}">{1}</button></th>'


def _table(database: Database, totals: Totals, options: Options) -> Iterator[str]:
    listed = min(options.rows, totals.occurrences)
    yield '<section aria-labelledby="urls">\n<h2 id="urls" tabindex="-1">All URLs</h2>\n'
    if listed < totals.occurrences:
        yield (
            f'<p class="facts">{number(listed, "row")} of {totals.occurrences:,}: those with findings or breaks first.'
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
    yield '<p class="shown" id="shown" role="status"></p>\n<p class="printed" id="printed"></p>\n'
    yield '<div class="index grid" tabindex="0" role="region" aria-labelledby="urls" id="grid" hidden>'
    yield '<table><thead><tr id="headings">'
    yield _SORTABLE.format("date", "Date") + _SORTABLE.format("url", "URL") + "<th>Findings</th>"
    yield _SORTABLE.format("source", "Source")
    yield '</tr></thead>\n<tbody id="rows"></tbody></table></div>\n'
    yield (
        '<nav class="pages" id="pages" aria-label="Pages" hidden><button type="button" data-page="-1">Previous</button>'
        '<span id="page"></span><button type="button" data-page="1">Next</button></nav>\n</section>\n'
    )
    text = json.dumps(_columns(database.rows(options.rows)), ensure_ascii=False, separators=(",", ":"))
    # The text cannot end the element that contains it.
    text = text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    yield f'<script type="application/json" id="data">{text}</script>\n'


def _columns(rows: Iterable[Row]) -> dict[str, Any]:
    """Return the rows by column; texts that recur are listed once, and rows have their numbers."""
    urls, sources, messages, joined, codes = (dict[Any, int]() for _ in range(5))
    columns: dict[str, list[Any]] = {
        name: [] for name in ("url", "source", "line", "column", "message", "joined", "codes")
    }
    for row in rows:
        columns["url"].append(_number(urls, (_safe(row.url), _safe(row.host), _safe(row.scheme))))
        columns["source"].append(_number(sources, _safe(row.source)))
        columns["line"].append(row.line)
        columns["column"].append(row.column)
        columns["message"].append(_number(messages, (row.date, _safe(row.subject), _safe(row.sender))))
        columns["joined"].append(_number(joined, row.joined))
        columns["codes"].append(_number(codes, row.codes))
    words = {"urls": urls, "sources": sources, "messages": messages, "joins": joined, "findings": codes}
    return {"rows": columns, **{name: list(values) for name, values in words.items()}}


def _number(values: dict[Any, int], value: object) -> int:
    """Return the number of a value among distinct values; a new one is added."""
    return values.setdefault(value, len(values))


def _safe(text: str) -> str:
    """Return a text without characters that could change how the page is read, such as bidirectional controls."""
    return escape(readable(text))
