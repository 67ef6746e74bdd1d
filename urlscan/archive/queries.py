"""Ask questions: the SQL files of the package, and statements of the user, on a connection that can only read.

A file begins with comments: what it answers, one line for each parameter with its default, and which URLs it counts,
unless these are those in bodies.
"""

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from urlscan import ConfigError, SourceError
from urlscan.api.inputs import check_choice
from urlscan.archive.database import check_name, first_line, open_database
from urlscan.archive.files import tables_in
from urlscan.archive.schema import (
    FINDING,
    OCCURRENCE,
    SCHEMA_VERSION,
    STATUS,
    STORED,
    TABLES,
    URL,
    create_statement,
    import_package,
    literal,
)

if TYPE_CHECKING:
    import duckdb
    import pyarrow

_PARAMETER = re.compile(r"-- (\w+) \(([^()]*)\): (.+)")
_SHARD = re.compile(r"/shard-[0-9]+-of-([0-9]+)\.parquet$")  # as `files.Shard` names it
_WHERE = "-- where: "
# Conditions for the rows of `occurrence` and `finding` that statements see; outside mail, everything is body.
WHERE = {"body": "part IS NULL OR NOT contains(part, 'header')", "headers": "contains(part, 'header')", "all": None}
_BATCH = 4096  # rows that are fetched at a time
_ZONED = "TIMESTAMP WITH TIME ZONE"
# Statements cannot read files or variables of this process, fetch extensions, or change these settings.
_CONFINED = (
    "SET memory_limit = '1GB'",
    "SET enable_progress_bar = false",
    "SET python_enable_replacements = false",
    "SET TimeZone = 'UTC'",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)


class Parameter(NamedTuple):
    """A parameter of a question, with its value if none is given."""

    name: str
    default: str
    description: str


class Query(NamedTuple):
    """A question.

    Attributes:
        where: the URLs that it counts by default: body, headers or all.
        sql: the statement.
    """

    name: str
    description: str
    parameters: tuple[Parameter, ...]
    where: str
    sql: str


class Answer(NamedTuple):
    """The result of a statement: the names of its columns, and its rows."""

    columns: Sequence[str]
    rows: Iterator[Sequence[object]]


@functools.cache
def queries() -> Mapping[str, Query]:
    """Return the questions of the package by name."""
    by_name = {}
    for file in (resources.files("urlscan.archive") / "sql").iterdir():
        lines = file.read_text("utf-8").splitlines()
        head = [line for line in lines if line.startswith("--")]
        parameters = tuple(Parameter(*match.groups()) for line in head if (match := _PARAMETER.fullmatch(line)))
        where = next((line.removeprefix(_WHERE) for line in head if line.startswith(_WHERE)), "body")
        name, sql = file.name.removesuffix(".sql"), "\n".join(lines[len(head) :])
        by_name[name] = Query(name, head[0].removeprefix("-- "), parameters, where, sql)
    return dict(sorted(by_name.items()))


def query_of(name: str) -> Query:
    """Return the question of this name.

    Raises:
        ConfigError: there is none.
    """
    check_choice("question", name, tuple(queries()))
    return queries()[name]


def open_confined(path: str, where: str = "all") -> "duckdb.DuckDBPyConnection":
    """Return a connection to a database, or to a directory of Parquet files, that can only read it.

    It contains the URLs and findings of `where`, a key of WHERE.

    Raises:
        ConfigError: as for `open_database`.
        SourceError: as for `open_database`, or the directory does not have the tables.
    """
    tables = tables_in(path, [table.name for table in STORED])
    connection = open_database(path, read_only=True) if tables is None else _views(path, tables)
    condition = WHERE[where]
    if condition is not None:
        (catalog,) = connection.execute("SELECT current_database()").fetchone() or ("",)
        for table in (OCCURRENCE.name, FINDING.name):  # a temporary view hides the table of its name
            view = f"CREATE TEMP VIEW {table} AS FROM {_quoted(catalog)}.main.{table} WHERE {condition}"
            connection.execute(view)
    for setting in _CONFINED:
        connection.execute(setting)
    return connection


def _views(path: str, tables: dict[str, list[str]]) -> "duckdb.DuckDBPyConnection":
    """Return a connection with a view of each table in a directory; `tables` are its files by table."""
    missing = [table.name for table in TABLES if not tables.get(table.name)]
    if missing:
        raise SourceError(path, f"no Parquet files of the table {missing[0]}")
    module = import_package("duckdb")
    check_name(path)
    connection: duckdb.DuckDBPyConnection = module.connect(":memory:")
    try:
        if not tables[STATUS.name]:  # as written by Spark
            del tables[STATUS.name]
            connection.execute(create_statement(STATUS))
        lists = {name: ", ".join(map(literal, files)) for name, files in tables.items()}
        for name, files in tables.items():
            shard = _SHARD.search(files[0])  # the writer refuses other divisions
            if shard is not None and len(files) < int(shard[1]):
                raise SourceError(path, f"the table {name} has {len(files)} of {shard[1]} shards")
            version = connection.execute(
                "SELECT decode(value) FROM parquet_kv_metadata(?) WHERE decode(key) = 'urlscan.schema_version'", [files]
            ).fetchall()
            if version and {value for (value,) in version} != {str(SCHEMA_VERSION)}:
                raise ConfigError(
                    f"{path}: its tables have another version than {SCHEMA_VERSION}", hint="write them again"
                )
            # Shards have URLs in common, and no sources.
            distinct = "DISTINCT ON (url_id)" if name in (URL.name, STATUS.name) and len(files) > 1 else ""
            connection.execute(f"CREATE VIEW {name} AS SELECT {distinct} * FROM read_parquet([{lists[name]}])")  # noqa: S608 - quoted
        connection.execute(f"SET allowed_paths = [{', '.join(filter(None, lists.values()))}]")
    except module.Error as error:
        connection.close()
        raise SourceError(path, first_line(error)) from None
    except BaseException:
        connection.close()
        raise
    return connection


def ask(connection: "duckdb.DuckDBPyConnection", sql: str, values: Mapping[str, str] | None = None) -> Answer:
    """Return the answer to a statement; `values` are those of its parameters.

    Raises:
        ConfigError: the statement is invalid, or tries what it may not do.
    """
    duckdb = import_package("duckdb")
    try:
        sql = _with_zones_as_text(connection, sql, values)
        cursor = connection.execute(sql, dict(values) if values else None)
        columns = [column[0] for column in cursor.description or ()]
    except duckdb.Error as error:
        raise ConfigError(first_line(error)) from None
    return Answer(columns, _rows(cursor, duckdb.Error))


def _with_zones_as_text(connection: "duckdb.DuckDBPyConnection", sql: str, values: Mapping[str, str] | None) -> str:
    """Return a statement whose timestamps with a time zone are texts: their Python values need the package pytz."""
    statements = connection.extract_statements(sql)
    if not statements:
        raise ConfigError("the statement is empty")
    if len(statements) > 1 or statements[0].type.name != "SELECT":
        return sql
    relation = connection.sql(sql, params=dict(values) if values else None)
    types = [str(type) for type in relation.types]
    if not any(_ZONED in type for type in types):
        return sql
    numbered = [f"column{number}" for number in range(len(types))]
    texts = (
        f"CAST({column} AS {type.replace(_ZONED, 'VARCHAR')}) AS {_quoted(name)}"
        for column, type, name in zip(numbered, types, relation.columns, strict=True)
    )
    # The line end ends a comment of the statement.
    return f"SELECT {', '.join(texts)} FROM ({sql.rstrip('; ')}\n) AS answer({', '.join(numbered)})"  # noqa: S608


def _quoted(name: str) -> str:
    """Return the name of a column as SQL."""
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def arrow_answer(
    connection: "duckdb.DuckDBPyConnection", sql: str, values: Mapping[str, str]
) -> "tuple[pyarrow.Schema, Iterator[pyarrow.RecordBatch]]":
    """Return the answer to a statement as Arrow record batches; the arguments and errors are those of `ask`."""
    pa, duckdb = import_package("pyarrow"), import_package("duckdb")
    try:
        relation = connection.sql(sql, params=dict(values) or None)
        if relation is None:
            raise ConfigError("the statement returns no rows")
        reader = pa.RecordBatchReader.from_stream(relation)
    except duckdb.Error as error:
        raise ConfigError(first_line(error)) from None
    return reader.schema, iter(reader)


def _rows(cursor: "duckdb.DuckDBPyConnection", failure: type[Exception]) -> Iterator[Sequence[object]]:
    try:
        while rows := cursor.fetchmany(_BATCH):
            yield from rows
    except failure as error:
        raise ConfigError(first_line(error)) from None


def values_of(query: Query, given: Sequence[str]) -> dict[str, str]:
    """Return the values of the parameters of a question; `given` are strings such as `limit=5`.

    Raises:
        ConfigError: a string has another form or names no parameter.
    """
    values = {parameter.name: parameter.default for parameter in query.parameters}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or name not in values:
            parameters = ", ".join(f"{name}=..." for name in values) or "none"
            raise ConfigError(f"unknown parameter {text!r} of {query.name}", hint=f"parameters: {parameters}")
        values[name] = value
    return values
