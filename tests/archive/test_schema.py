"""The tables: the same in Arrow, in DuckDB and in the documentation."""

import duckdb
import pyarrow
import pytest

from urlscan.archive import database, schema
from urlscan.core.errors import ConfigError, SourceError


@pytest.fixture
def empty(tmp_path):
    connection = database.open_database(str(tmp_path / "urls.duckdb"))
    yield connection
    connection.close()


@pytest.mark.parametrize("table", schema.STORED, ids=lambda table: table.name)
def test_database_has_the_columns_of_the_schema(empty: duckdb.DuckDBPyConnection, table: schema.Table) -> None:
    rows = empty.execute(
        "SELECT column_name, is_nullable, comment FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index",
        [table.name],
    ).fetchall()
    assert rows == [(column.name, column.nullable, column.description) for column in table.columns]


@pytest.mark.parametrize("table", schema.STORED, ids=lambda table: table.name)
def test_arrow_schema_and_database_have_the_same_types(empty: duckdb.DuckDBPyConnection, table: schema.Table) -> None:
    result = empty.sql(f"SELECT * FROM {table.name}").to_arrow_table().schema
    expected = schema.arrow_schema(table)
    assert [(field.name, field.type) for field in result] == [(field.name, field.type) for field in expected]
    assert expected.metadata == {b"urlscan.schema_version": str(schema.SCHEMA_VERSION).encode()}


@pytest.mark.parametrize("table", schema.STORED, ids=lambda table: table.name)
def test_key_consists_of_columns_that_are_never_missing(table: schema.Table) -> None:
    assert set(table.key) <= {column.name for column in table.columns if not column.nullable}
    assert len(set(table.names)) == len(table.names)


def test_batch_of_rows_without_rows_has_the_schema() -> None:
    batch = schema.record_batch(schema.OCCURRENCE, [])
    assert batch.num_rows == 0
    assert batch.schema == schema.arrow_schema(schema.OCCURRENCE)


def test_lone_surrogates_are_stored_as_replacement_characters() -> None:
    row = ("id", "http://h.example/\ud800", *(None,) * 5, "", *(None,) * 4, True, True)
    batch = schema.record_batch(schema.URL, [row, row])
    assert batch.column("url").to_pylist() == ["http://h.example/\ufffd"] * 2


def test_database_of_another_version_is_refused_with_what_to_do(tmp_path) -> None:
    path = str(tmp_path / "urls.duckdb")
    with database.open_database(path) as connection:
        connection.execute("UPDATE property SET value = '99' WHERE name = 'schema_version'")
    with pytest.raises(ConfigError, match=r"version 99.*upgrade urlscan"):
        database.open_database(path)


@pytest.mark.parametrize(("difference", "hint"), [(1, "into a new database"), (-1, "upgrade urlscan")])
def test_database_of_another_version_is_refused(tmp_path, monkeypatch, difference: int, hint: str) -> None:
    path = str(tmp_path / "urls.duckdb")
    database.open_database(path).close()
    monkeypatch.setattr(database, "SCHEMA_VERSION", schema.SCHEMA_VERSION + difference)
    for read_only in (False, True):
        with pytest.raises(ConfigError, match=hint):
            database.open_database(path, read_only=read_only)


def test_other_files_are_refused(tmp_path) -> None:
    other = tmp_path / "other.duckdb"
    with duckdb.connect(str(other)) as connection:
        connection.execute("CREATE TABLE t (a INTEGER)")
    with pytest.raises(SourceError, match=r"other\.duckdb: not a database of urlscan"):
        database.open_database(str(other))
    text = tmp_path / "notes.txt"
    text.write_text("See http://h.example/\n" * 1000)
    with pytest.raises(SourceError, match=r"notes\.txt"):
        database.open_database(str(text))
    assert text.read_text().startswith("See")


def test_missing_database_is_not_created_for_reading(tmp_path) -> None:
    with pytest.raises(SourceError):
        database.open_database(str(tmp_path / "none.duckdb"), read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_reopened_database_keeps_its_rows(tmp_path) -> None:
    path = str(tmp_path / "urls.duckdb")
    with database.open_database(path) as connection:
        batch = schema.record_batch(
            schema.MESSAGE, [("s", 0, 9, "id", 1_000_000, *(None,) * 8, ["a.b", "c"], *(None,) * 5)]
        )
        connection.register("batch", pyarrow.Table.from_batches([batch]))
        connection.execute("INSERT INTO message SELECT * FROM batch")
    with database.open_database(path, read_only=True) as connection:
        (row,) = connection.execute("SELECT start, strftime(date, '%c'), newsgroups FROM message").fetchall()
    assert row[0] == 0
    assert "1970" in row[1]
    assert row[2] == ["a.b", "c"]
