"""Filters that the reader applies select the rows that Spark would."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")
from pyspark.sql import datasource

from urlscan.spark.source import FilteringReader, UrlscanReader, UrlscanSource

if not hasattr(datasource, "Filter"):
    pytest.skip("this pyspark has no filters", allow_module_level=True)
from pyspark.sql.datasource import (
    EqualTo,
    GreaterThanOrEqual,
    In,
    IsNotNull,
    IsNull,
    LessThan,
    Not,
    StringContains,
    StringStartsWith,
)

MAIL = "From jo@h.example Thu Aug 22 12:26:25 2002\nMessage-ID: <{0}@h.example>\n{1}\nSee {2}\n\n"


@pytest.fixture(scope="module")
def mbox(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("filters") / "a.mbox"
    urls = ["http://h.example/1", "ftp://k.example/2", "mailto:jo@h.example", "https://h.example/3"]
    dates = [f"Date: Thu, 22 Aug {2000 + number} 12:26:25 +0000\n" for number in range(3)]
    path.write_text("".join(MAIL.format(n, d, u) for n, (d, u) in enumerate(zip([*dates, ""], urls, strict=True))))
    return path


def read(path: Path, table: str, *filters: Any) -> tuple[list[dict[str, Any]], list[Any]]:
    """Return the rows that a reader yields with filters, and the filters that are left to Spark."""
    source = UrlscanSource({"path": str(path), "table": table, "pushdown": "true"})
    reader = source.reader(source.schema())
    assert isinstance(reader, FilteringReader)
    left = list(reader.pushFilters(list(filters)))
    return [row for part in reader.partitions() for batch in reader.read(part) for row in batch.to_pylist()], left


@pytest.mark.parametrize(
    ("filter", "found"),
    [
        (EqualTo(("scheme",), "ftp"), {2}),
        (In(("scheme",), ("http", "https")), {1, 3}),
        (Not(In(("scheme",), ("http", "https"))), {2, None}),
        (EqualTo(("host",), "h.example"), {1, 3}),
        (Not(EqualTo(("host",), "h.example")), {2}),  # a missing host is neither equal nor different
        (Not(In(("host",), ("h.example",))), {2}),
        (IsNull(("host",)), {None}),
        (Not(IsNull(("host",))), {1, 2, 3}),
        (IsNotNull(("host",)), {1, 2, 3}),
        (StringStartsWith(("url",), "http"), {1, 3}),
        (StringContains(("host",), "k."), {2}),
    ],
)
def test_filter_of_urls(mbox: Path, filter: Any, found: set[int | None]) -> None:
    rows, left = read(mbox, "url", filter)
    assert not left
    assert {int(row["url_path"][1:]) if row["url_path"].startswith("/") else None for row in rows} == found


def test_filter_of_dates(mbox: Path) -> None:
    rows, left = read(
        mbox,
        "message",
        GreaterThanOrEqual(("date",), datetime(2001, 1, 1)),
        LessThan(("date",), datetime(2002, 8, 22, 12, 26, 25)),
    )
    assert [row["message_id"] for row in rows] == ["1@h.example"]
    assert not left


def test_filters_that_are_not_understood_are_left_to_spark(mbox: Path) -> None:
    filters = [
        EqualTo(("breaks",), []),
        EqualTo(("start",), "1"),
        EqualTo(("breaks", "kind"), "x"),
        In(("line",), (None,)),
    ]
    rows, left = read(mbox, "occurrence", *filters)
    assert left == filters
    assert len(rows) == 4


def test_reader_has_no_filters_by_default() -> None:
    """Spark refuses a reader that has them, unless a setting allows it."""
    source = UrlscanSource({"path": "."})
    assert type(source.reader(source.schema())) is UrlscanReader
    assert UrlscanReader.pushFilters is datasource.DataSourceReader.pushFilters


@pytest.mark.slow
def test_spark_returns_the_same_rows_with_pushdown(spark: Any, mbox: Path) -> None:
    def found() -> list[Any]:
        value = spark.conf.get("spark.sql.python.filterPushdown.enabled")
        read = spark.read.format("urlscan").option("pushdown", value)
        urls = read.option("table", "url").load(str(mbox)).where("scheme IN ('http', 'https') AND host = 'h.example'")
        messages = read.option("table", "message").load(str(mbox)).where("date >= '2001-01-01' AND date < '2002-08-22'")
        return [urls.orderBy("url").collect(), messages.orderBy("start").collect()]

    expected = found()
    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    try:
        assert found() == expected
    finally:
        spark.conf.unset("spark.sql.python.filterPushdown.enabled")
    assert [len(rows) for rows in expected] == [2, 1]
