"""The tables that the data source returns are those of `urlscan archive`."""

from pathlib import Path
from typing import Any

import pytest

from tests.archive.databases import archive, rows
from tests.spark.reading import names_of, rows_of, structs_of
from urlscan.archive.schema import TABLES
from urlscan.core.errors import ConfigError
from urlscan.spark import UrlscanSource

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "corpus" / "demo"
NAMES = [table.name for table in TABLES]


@pytest.fixture(scope="module")
def archived(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[object, ...]]]:
    database = tmp_path_factory.mktemp("archived") / "a.duckdb"
    archive(database, DEMO)
    return rows(database)


@pytest.mark.parametrize("table", NAMES)
def test_rows_are_those_of_archive(archived: dict[str, list[tuple[object, ...]]], table: str) -> None:
    assert rows_of(DEMO, table=table) == archived[table]


def test_several_tables_are_structs_of_one_scan(archived: dict[str, list[tuple[object, ...]]], tmp_path: Path) -> None:
    assert structs_of(DEMO, table="all") == archived
    large = tmp_path / "a.mbox"
    large.write_bytes((DEMO / "archive.mbox").read_bytes() * 5000)  # divided; one row of `source`
    whole = structs_of(large, table="message,source", splitBytes="1g")
    assert list(whole) == ["source", "message"]
    assert structs_of(large, table="message,source", splitBytes="1m") == whole


def test_only_requested_structs_are_read() -> None:
    source = UrlscanSource({"path": str(DEMO), "table": "all"})
    columns = source.schema()["source"]
    reader = source.reader(type(source.schema())([columns]))
    (item, *_), *_ = (partition.items for partition in reader.partitions())
    assert item.tables == {"source"}


@pytest.mark.slow
def test_spark_returns_the_same_rows(spark: Any, archived: dict[str, list[tuple[object, ...]]]) -> None:
    for table in NAMES:
        frame = spark.read.format("urlscan").option("table", table).load(str(DEMO))
        found = frame.select(*names_of(table)).collect()
        assert sorted((_plain(row) for row in found), key=repr) == archived[table]


def _plain(row: Any) -> tuple[object, ...]:
    """Return a row of Spark as DuckDB returns it: with dictionaries for structures."""
    return tuple(row.asDict(recursive=True).values())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tabel": "url"}, 'unknown option "tabel"'),
        ({"table": "urls"}, "unknown table 'urls'"),
        ({"kind": "mobx"}, "unknown kind 'mobx'"),
        ({"rejoin": "maybe"}, 'unknown value of rejoin "maybe"'),
        ({"splitBytes": "0"}, 'invalid splitBytes "0"'),
        ({"unwrap": "yes"}, 'unknown value of unwrap "yes"'),
    ],
)
def test_an_invalid_option_is_refused_by_name(options: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigError) as error:
        rows_of(DEMO, **options)
    assert error.value.message == message
    assert "\n" not in str(error.value)


def test_a_path_that_matches_nothing_is_an_error() -> None:
    with pytest.raises(ConfigError, match=r'no files match ".*nothing\*"'):
        rows_of(DEMO / "nothing*")


def test_schema_selects_columns() -> None:
    from pyspark.sql.types import LongType, StringType, StructType

    source = UrlscanSource({"path": str(DEMO)})
    reader = source.reader(StructType().add("line", LongType(), nullable=False).add("part", StringType()))
    found = [row for part in reader.partitions() for batch in reader.read(part) for row in batch.to_pylist()]
    names = names_of("occurrence")
    expected = [(row[names.index("line")], row[names.index("part")]) for row in rows_of(DEMO)]
    assert sorted(map(repr, (tuple(row.values()) for row in found))) == sorted(map(repr, expected))
    with pytest.raises(ConfigError, match='the table occurrence has no column "line:string"'):
        source.reader(StructType().add("line", StringType()))
