"""Ask a database for what a report shows."""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from posixpath import commonprefix
from typing import TYPE_CHECKING, Any, NamedTuple

from urlscan import SourceError
from urlscan.archive.database import first_line
from urlscan.archive.queries import queries, values_of
from urlscan.archive.schema import import_package

if TYPE_CHECKING:
    import duckdb

# Bars of a chart, schemes with a color of their own, domains with a timeline.
_BARS = 15
_SCHEMES = 5
_DOMAINS = 12
_FEW_YEARS = 3  # of which months are shown
_MONTHS = 12
_WITH_MESSAGE = "message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start"
# The questions of `urlscan query` that are charts: the columns with the name and the two numbers.
_QUESTIONS = {
    "domains": "registered_domain, unquoted, messages",
    "senders": "sender, unquoted, messages",
    "breaks": "kind, breaks, after_hyphen",
    "dead-hosts": "host, dead, checked",
}
# The other charts. Each row has a name and one or two numbers.
_CHARTS = {
    "hosts": """
        SELECT host, count(*), count(DISTINCT url_id) FROM occurrence JOIN url USING (url_id)
        WHERE host <> '' GROUP BY host ORDER BY 2 DESC, 1
        """,
    "schemes": """
        SELECT coalesce(scheme, 'none'), count(*), count(DISTINCT url_id) FROM occurrence JOIN url USING (url_id)
        GROUP BY ALL ORDER BY 2 DESC, 1
        """,
    "rules": "SELECT code, count(*), count(DISTINCT source_id) FROM finding GROUP BY 1 ORDER BY 2 DESC, 1",
    "joined": """
        SELECT CASE joined WHEN 'none' THEN 'not broken' WHEN 'delimited' THEN 'rejoined, with delimiters'
        ELSE 'rejoined, without delimiters' END, count(*)
        FROM occurrence GROUP BY joined ORDER BY 2 DESC, joined
        """,
    "dead years": f"""
        SELECT year(date)::VARCHAR, count(DISTINCT url_id) FILTER (dead), count(DISTINCT url_id)
        FROM occurrence JOIN status USING (url_id) JOIN {_WITH_MESSAGE}
        WHERE date IS NOT NULL GROUP BY 1 HAVING count(*) FILTER (dead) > 0 ORDER BY 1 DESC
        """,  # noqa: S608 - constants
}

# The occurrences that meet a condition, in the order of the sources.
_LISTED = """
WITH judged AS (
    SELECT occurrence.source_id, occurrence.start, list_sort(list_distinct(list(code))) AS codes
    FROM occurrence JOIN finding
    ON finding.source_id = occurrence.source_id AND finding.url_id = occurrence.url_id
    AND finding.start BETWEEN occurrence.outer_start AND occurrence.outer_end
    GROUP BY 1, 2
), chosen AS (
    SELECT source_id, start, url_id, line, "column", message_start, joined, codes
    FROM occurrence LEFT JOIN judged USING (source_id, start)
    WHERE {condition} ORDER BY source_id, start LIMIT $limit
)
SELECT source.path, source.member, chosen.start, url.url, coalesce(host, ''), coalesce(scheme, ''), line, "column",
       epoch(message.date)::BIGINT, coalesce(subject, ''), coalesce(sender, ''), joined, coalesce(codes, [])
FROM chosen JOIN url USING (url_id) JOIN source USING (source_id)
LEFT JOIN message ON message.source_id = chosen.source_id AND message.start = chosen.message_start
"""


class Bar(NamedTuple):
    """A row of a chart.

    Attributes:
        name: what is counted, such as a host.
        total: how often it occurs.
        more: a second number, such as that of the distinct URLs; None without one.
    """

    name: str
    total: int
    more: int | None = None


class Totals(NamedTuple):
    """The numbers at the top of a report; `messages` counts distinct Message-IDs."""

    sources: int
    messages: int
    occurrences: int
    urls: int
    hosts: int
    findings: int


class Timeline(NamedTuple):
    """How many URLs the messages of each year, or of each month of a few years, contain.

    Attributes:
        unit: year or month.
        names: what is counted: the most frequent schemes, and "other" if there are more; or domains.
        counts: for each period from the first to the last (1998, 1998-08), the numbers in the order of `names`.
        outside: the number of URLs before the first period and after the last one.
    """

    unit: str
    names: tuple[str, ...]
    counts: dict[str, tuple[int, ...]]
    outside: int


class Row(NamedTuple):
    """A row of the table: one occurrence.

    Attributes:
        url, host, scheme: of the URL; "" where it has none.
        source: the path below the common directory of all sources, with the member of an archive.
        line, column: in the source, from 1.
        date: of the message, in seconds since 1970; None without one.
        subject, sender: of the message; "" without one.
        joined: whether breaks were removed: none, delimited or guess.
        codes: codes of the findings in the URL, sorted.
    """

    url: str
    host: str
    scheme: str
    source: str
    line: int
    column: int
    date: int | None
    subject: str
    sender: str
    joined: str
    codes: tuple[str, ...]


class Database:
    """The questions of a report.

    Args:
        path: its name in messages.

    Attributes:
        directory: the common directory of all sources, which names in the report leave out; "" for none.
    """

    def __init__(self, connection: "duckdb.DuckDBPyConnection", path: str) -> None:
        self._connection = connection
        self._path = path
        self._failure: type[Exception] = import_package("duckdb").Error
        paths = [path for (path,) in self._rows("SELECT DISTINCT path FROM source")]
        common = commonprefix([path.split("/")[:-1] for path in paths])
        self.directory = "/".join([*common, ""]) if any(common) else ""

    def totals(self) -> Totals:
        """Return the numbers at the top."""
        (numbers,) = self._rows(
            """
            SELECT (SELECT count(*) FROM source WHERE status IN ('ok', 'partial')),
                   (SELECT count(DISTINCT coalesce(message_id, source_id || start)) FROM message),
                   (SELECT count(*) FROM occurrence),
                   (SELECT count(DISTINCT url_id) FROM occurrence),
                   (SELECT count(DISTINCT host) FROM url JOIN (SELECT DISTINCT url_id FROM occurrence) USING (url_id)),
                   (SELECT count(*) FROM finding)
            """
        )
        return Totals(*numbers)

    def timeline(self) -> Timeline:
        """Return the URLs by scheme and year, or month if there are few years.

        Wrong clocks put a few messages decades away. The first and the last half percent of the URLs are left out, in
        complete periods.
        """
        rows = self._rows(
            f"""
            SELECT {_MONTHS} * year(message.date) + month(message.date) - 1, coalesce(url.scheme, 'none'), count(*)
            FROM occurrence JOIN {_WITH_MESSAGE} JOIN url USING (url_id)
            WHERE message.date IS NOT NULL
            GROUP BY ALL
            """  # noqa: S608 - constants
        )
        totals: Counter[str] = Counter()
        for _, scheme, count in rows:
            totals[scheme] += count
        schemes = sorted(totals, key=lambda scheme: (-totals[scheme], scheme))[:_SCHEMES]
        names = (*schemes, "other") if len(totals) > len(schemes) else tuple(schemes)
        return _timeline(names, ((month, name if name in schemes else "other", count) for month, name, count in rows))

    def domain_timelines(self, timeline: Timeline) -> Timeline:
        """Return the URLs outside quotations of the most frequent domains, in the periods of another timeline."""
        names = [bar.name for bar in self.bars("domains")[:_DOMAINS]]
        rows = self._rows(
            f"""
            SELECT strftime(message.date, $format), registered_domain, count(*) FILTER (NOT quoted)
            FROM occurrence JOIN {_WITH_MESSAGE} JOIN url USING (url_id)
            WHERE message.date IS NOT NULL AND list_contains($names, registered_domain)
            GROUP BY ALL
            """,  # noqa: S608 - constants
            {"format": "%Y" if timeline.unit == "year" else "%Y-%m", "names": names},
        )
        counts = {period: [0] * len(names) for period in timeline.counts}
        for period, name, count in rows:
            if period in counts:
                counts[period][names.index(name)] = count
        return Timeline(timeline.unit, tuple(names), {period: tuple(row) for period, row in counts.items()}, 0)

    def bars(self, chart: str) -> list[Bar]:
        """Return the first rows of a chart, a name in _QUESTIONS or _CHARTS."""
        if chart not in _QUESTIONS:
            return [Bar(*row) for row in self._rows(f"{_CHARTS[chart]} LIMIT {_BARS}")]
        query = queries()[chart]
        sql = f"SELECT {_QUESTIONS[chart]} FROM ({query.sql}) ORDER BY 2 DESC, 1 LIMIT {_BARS}"  # noqa: S608 - constants
        return [Bar(*row) for row in self._rows(sql, values_of(query, ()))]

    def failures(self) -> list[str]:
        """Return the names of the sources that could not be read to their end, each with the reason."""
        rows = self._rows(
            "SELECT path, member, status, coalesce(error, '') FROM source WHERE status IN ('error', 'partial')"
            " ORDER BY ALL"
        )
        return [f"{self._name(path, member)}: {error or status}" for path, member, status, error in rows]

    def rows(self, limit: int) -> Iterator[Row]:
        """Yield up to `limit` occurrences by source and place; the first ones to stay have findings or breaks."""
        rows = self._rows(_LISTED.format(condition="codes IS NOT NULL OR joined <> 'none'"), {"limit": limit})
        if len(rows) < limit:  # all others are sorted only if they are shown: that needs most of the memory
            remaining = _LISTED.format(condition="codes IS NULL AND joined = 'none'")
            rows += self._rows(remaining, {"limit": limit - len(rows)})
        for path, member, _, url, host, scheme, line, column, date, subject, sender, joined, codes in sorted(
            rows, key=lambda row: row[:4]
        ):
            name = self._name(path, member)
            yield Row(url, host, scheme, name, line, column, date, subject, sender, joined, tuple(codes))

    def _name(self, path: str, member: str) -> str:
        name = path.removeprefix(self.directory) or path
        return f"{name}:{member}" if member else name

    def _rows(self, query: str, parameters: object = None) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(query, parameters).fetchall()
        except self._failure as error:  # such as a damaged part of a table
            raise SourceError(self._path, first_line(error)) from None


def _timeline(names: tuple[str, ...], rows: Iterable[tuple[int, str, int]]) -> Timeline:
    """Return the timeline of counts by month, since the year 0, and name."""
    months = list(rows)
    totals = Counter[int]()
    for month, _, count in months:
        totals[month] += count
    first, last = _trimmed(totals)
    unit, length = "month", 1
    if last // _MONTHS - first // _MONTHS >= _FEW_YEARS:
        unit, length = "year", _MONTHS
    periods = range(first // length, last // length + 1)
    counts = {period: [0] * len(names) for period in periods}
    outside = 0
    for month, name, count in months:
        if month // length in periods:
            counts[month // length][names.index(name)] += count
        else:
            outside += count
    labels = {period: f"{period // _MONTHS}-{period % _MONTHS + 1:02}" for period in periods}
    if unit == "year":
        labels = {period: str(period) for period in periods}
    return Timeline(unit, names, {labels[period]: tuple(row) for period, row in counts.items()}, outside)


def _trimmed(counts: Counter[int]) -> tuple[int, int]:
    """Return the first and the last month to show; an empty range for no months."""
    if not counts:
        return 0, -1
    rare = counts.total() / 200

    def first_of(months: list[int]) -> int:
        passed = itertools.accumulate(counts[month] for month in months)
        return next(month for month, total in zip(months, passed, strict=True) if total > rare)

    months = sorted(counts)
    return first_of(months), first_of(months[::-1])
