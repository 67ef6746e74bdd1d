"""Ask a database for what a report shows."""

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from urlscan.archive.database import first_line
from urlscan.archive.schema import import_package
from urlscan.core.errors import SourceError

if TYPE_CHECKING:
    import duckdb

# Bars of a chart, and schemes with a color of their own.
_BARS = 20
_SCHEMES = 5


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
    """The numbers at the top of a report."""

    sources: int
    messages: int
    occurrences: int
    urls: int
    hosts: int
    findings: int


class Years(NamedTuple):
    """How many URLs the messages of each year contain, by scheme.

    Attributes:
        schemes: the most frequent schemes, and "other" if there are more.
        counts: for each year from the first to the last, the number by scheme in the order of `schemes`.
        outside: the number of URLs before the first year and after the last one.
    """

    schemes: tuple[str, ...]
    counts: dict[int, tuple[int, ...]]
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


class Failure(NamedTuple):
    """A source that was not read, or not to its end."""

    source: str
    status: str
    error: str


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
        self.directory = _common_directory([path for (path,) in self._rows("SELECT DISTINCT path FROM source")])

    def totals(self) -> Totals:
        """Return the numbers at the top."""
        ((sources, messages, occurrences, urls, hosts, findings),) = self._rows(
            """
            SELECT (SELECT count(*) FROM source WHERE status IN ('ok', 'partial')),
                   (SELECT count(*) FROM message),
                   (SELECT count(*) FROM occurrence),
                   (SELECT count(DISTINCT url_id) FROM occurrence),
                   (SELECT count(DISTINCT host) FROM url JOIN (SELECT DISTINCT url_id FROM occurrence) USING (url_id)),
                   (SELECT count(*) FROM finding)
            """
        )
        return Totals(sources, messages, occurrences, urls, hosts, findings)

    def years(self) -> Years:
        """Return the URLs by year and scheme.

        Wrong clocks put a few messages decades away. The first and the last half percent of the URLs are left out, in
        complete years.
        """
        rows = self._rows(
            """
            SELECT year(message.date), coalesce(url.scheme, 'none'), count(*)
            FROM occurrence
            JOIN message ON message.source_id = occurrence.source_id AND message.start = occurrence.message_start
            JOIN url USING (url_id)
            WHERE message.date IS NOT NULL
            GROUP BY ALL
            """
        )
        totals: Counter[str] = Counter()
        by_year: Counter[int] = Counter()
        for year, scheme, count in rows:
            totals[scheme] += count
            by_year[year] += count
        first, last = _trimmed(by_year)
        schemes = sorted(totals, key=lambda scheme: (-totals[scheme], scheme))[:_SCHEMES]
        names = (*schemes, "other") if len(totals) > len(schemes) else tuple(schemes)
        counts = {year: [0] * len(names) for year in range(first, last + 1)}
        for year, scheme, count in rows:
            if first <= year <= last:
                counts[year][schemes.index(scheme) if scheme in schemes else -1] += count
        outside = sum(count for year, count in by_year.items() if not first <= year <= last)
        return Years(names, {year: tuple(numbers) for year, numbers in counts.items()}, outside)

    def hosts(self) -> list[Bar]:
        """Return the hosts with the most occurrences, and the number of their distinct URLs."""
        return self._bars(
            """
            SELECT host, count(*), count(DISTINCT url_id) FROM occurrence JOIN url USING (url_id)
            WHERE host <> '' GROUP BY host ORDER BY 2 DESC, 1
            """
        )

    def schemes(self) -> list[Bar]:
        """Return the schemes with the most occurrences, and the number of their distinct URLs."""
        return self._bars(
            """
            SELECT coalesce(scheme, 'none'), count(*), count(DISTINCT url_id) FROM occurrence JOIN url USING (url_id)
            GROUP BY ALL ORDER BY 2 DESC, 1
            """
        )

    def rules(self) -> list[Bar]:
        """Return the codes of the rules with the most findings, and the number of sources that have them."""
        return self._bars("SELECT code, count(*), count(DISTINCT source_id) FROM finding GROUP BY 1 ORDER BY 2 DESC, 1")

    def breaks(self) -> list[Bar]:
        """Return the kinds of break, and how many of each follow a hyphen."""
        return self._bars(
            """
            SELECT broken.kind, count(*), count(*) FILTER (broken.hyphen)
            FROM (SELECT unnest(breaks) AS broken FROM occurrence WHERE len(breaks) > 0)
            GROUP BY 1 ORDER BY 2 DESC, 1
            """
        )

    def joined(self) -> list[Bar]:
        """Return how many URLs are unbroken, and how many were rejoined."""
        names = {
            "none": "not broken",
            "delimited": "rejoined, with delimiters",
            "guess": "rejoined, without delimiters",
        }
        bars = self._bars("SELECT joined, count(*) FROM occurrence GROUP BY 1 ORDER BY 2 DESC, 1")
        return [bar._replace(name=names.get(bar.name, bar.name)) for bar in bars]

    def failures(self) -> list[Failure]:
        """Return the sources that could not be read to their end."""
        rows = self._rows(
            "SELECT path, member, status, coalesce(error, '') FROM source WHERE status IN ('error', 'partial')"
            " ORDER BY ALL"
        )
        return [Failure(self._name(path, member), status, error) for path, member, status, error in rows]

    def rows(self, limit: int) -> Iterator[Row]:
        """Yield up to `limit` occurrences by source and place; the first ones to stay have findings or breaks."""
        rows = self._rows(
            """
            WITH judged AS (
                SELECT occurrence.source_id, occurrence.start, list_sort(list_distinct(list(code))) AS codes
                FROM occurrence JOIN finding
                ON finding.source_id = occurrence.source_id AND finding.url_id = occurrence.url_id
                AND finding.start BETWEEN occurrence.outer_start AND occurrence.outer_end
                GROUP BY 1, 2
            ), chosen AS (
                SELECT occurrence.*, codes FROM occurrence LEFT JOIN judged USING (source_id, start)
                ORDER BY codes IS NULL AND joined = 'none', source_id, start LIMIT $limit
            )
            SELECT url.url, coalesce(host, ''), coalesce(scheme, ''), source.path, source.member, line, "column",
                   epoch(message.date)::BIGINT, coalesce(subject, ''), coalesce(sender, ''), joined, coalesce(codes, [])
            FROM chosen JOIN url USING (url_id) JOIN source USING (source_id)
            LEFT JOIN message ON message.source_id = chosen.source_id AND message.start = chosen.message_start
            ORDER BY source.path, source.member, chosen.start, url.url
            """,
            {"limit": limit},
        )
        for url, host, scheme, path, member, line, column, date, subject, sender, joined, codes in rows:
            name = self._name(path, member)
            yield Row(url, host, scheme, name, line, column, date, subject, sender, joined, tuple(codes))

    def _name(self, path: str, member: str) -> str:
        name = path.removeprefix(self.directory) or path
        return f"{name}:{member}" if member else name

    def _bars(self, query: str) -> list[Bar]:
        return [Bar(*row) for row in self._rows(f"{query} LIMIT {_BARS}")]

    def _rows(self, query: str, parameters: object = None) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(query, parameters).fetchall()
        except self._failure as error:  # such as a damaged part of a table
            raise SourceError(self._path, first_line(error)) from None


def _trimmed(counts: Counter[int]) -> tuple[int, int]:
    """Return the first and the last year to show; an empty range for no years."""
    if not counts:
        return 0, -1
    rare = counts.total() / 200

    def first_of(years: list[int]) -> int:
        passed = itertools.accumulate(counts[year] for year in years)
        return next(year for year, total in zip(years, passed, strict=True) if total > rare)

    years = sorted(counts)
    return first_of(years), first_of(years[::-1])


def _common_directory(paths: list[str]) -> str:
    """Return the directory above all paths with its separator; "" if there is none but the root."""
    if not paths:
        return ""
    directories = [path.split("/")[:-1] for path in paths]
    common = [
        names[0] for names in itertools.takewhile(lambda names: len(set(names)) == 1, zip(*directories, strict=False))
    ]
    return "/".join([*common, ""]) if any(common) else ""
