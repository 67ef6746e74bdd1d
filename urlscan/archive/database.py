"""Create and open the DuckDB database that holds the tables."""

import contextlib
import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from urlscan import ConfigError, SourceError
from urlscan.archive.files import TableDirectory
from urlscan.archive.schema import SCHEMA_VERSION, STORED, VERSION_KEY, create_statements, import_package, literal

if TYPE_CHECKING:
    import duckdb

# The table with facts about the database: `schema_version`, and the options that its rows depend on.
_PROPERTIES = "CREATE TABLE property (name VARCHAR NOT NULL, value VARCHAR)"
# Where each source that is a mailbox or a large text is read further; see `pipeline.divide.Position`.
_POSITIONS = """
CREATE TABLE position (
    source_id VARCHAR NOT NULL, batches BIGINT NOT NULL, "offset" BIGINT NOT NULL, floor BIGINT NOT NULL
)
"""

_INNER_MESSAGE = re.compile(r'"exception_message":"((?:[^"\\]|\\.)*)"')

# One thread writes while others read sources; each thread has memory of its own.
_WRITING = (
    "SET memory_limit = '128MB'",
    "SET threads = 1",
    "SET preserve_insertion_order = false",
    "SET enable_progress_bar = false",
)
_EXPORTING = ("SET memory_limit = '1GB'", "RESET threads")


def open_database(path: str, *, read_only: bool = False) -> "duckdb.DuckDBPyConnection":
    """Return a connection to a database that exists or that is created empty.

    Extensions are neither fetched nor loaded from elsewhere.

    Args:
        path: the file.
        read_only: whether the database must exist and is not changed.

    Raises:
        ConfigError: duckdb is not installed, or the tables have another version.
        SourceError: the file cannot be opened, or is no database of urlscan.
    """
    module = import_package("duckdb")
    check_name(path)
    settings = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
    try:
        connection: duckdb.DuckDBPyConnection = module.connect(path, read_only=read_only, config=settings)
    except module.Error as error:
        raise SourceError(path, first_line(error)) from None
    try:
        with storage_errors(path):
            _check_or_create(connection, path, read_only=read_only)
    except BaseException:
        connection.close()
        raise
    return connection


def check_name(path: str) -> None:
    """Raise SourceError if DuckDB cannot open a file because of its name."""
    if not path or path.startswith(":memory:"):
        raise SourceError(path, "DuckDB would keep it only in memory", hint="write ./ before the name of a file")
    try:
        path.encode()
    except UnicodeEncodeError:
        raise SourceError(path, "its name must be UTF-8") from None


@contextlib.contextmanager
def storage_errors(path: str) -> Iterator[None]:
    """Raise SourceError where the file of a database cannot be read or written: it is damaged, or the disk is full."""
    module = import_package("duckdb")
    try:
        yield
    except (module.OperationalError, module.InternalError, module.FatalException) as error:
        raise SourceError(path, first_line(error)) from None


def open_for_options(path: str, options: dict[str, Any]) -> "duckdb.DuckDBPyConnection":
    """Return a connection to a database whose rows were written with the same options; raise as `open_database`.

    Raises:
        ConfigError: they were written with other options.
    """
    connection = open_database(path)
    try:
        for setting in _WRITING:
            connection.execute(setting)
        if get_property(connection, "options") is None:
            connection.execute("INSERT INTO property VALUES ('options', ?)", [json.dumps(options, sort_keys=True)])
        check_options(connection, path, options)
    except BaseException:
        connection.close()
        raise
    return connection


def check_options(connection: "duckdb.DuckDBPyConnection", path: str, options: dict[str, Any]) -> None:
    """Raise ConfigError if the rows of a database were written with other options."""
    stored = json.loads(get_property(connection, "options") or "{}")
    if stored != options:
        names = [name for name, value in stored.items() if options.get(name) != value]
        different = ", ".join("--" + {"kind": "as"}.get(name, name).replace("_", "-") for name in names)
        raise ConfigError(
            f"{path}: its rows were written with another {different}", hint="use the same, or another database"
        )


def sort_on_disk(connection: "duckdb.DuckDBPyConnection") -> None:
    """Allow a connection more memory and threads than while sources are read; larger tables are sorted on disk."""
    for setting in _EXPORTING:
        connection.execute(setting)


def export(connection: "duckdb.DuckDBPyConnection", directory: TableDirectory) -> None:
    """Write every table as a Parquet file, ordered by its key; all of them are replaced at the end.

    Raises:
        SourceError: a file cannot be written.
    """
    error_class = import_package("duckdb").Error
    sort_on_disk(connection)
    check_name(directory.path)
    for table in STORED:
        path = directory.temporary(table.name)
        rows = f"SELECT * FROM {table.name} ORDER BY {', '.join(table.key)}"  # noqa: S608 - constants
        try:
            connection.execute(
                f"COPY ({rows}) TO {literal(path)} (FORMAT parquet, COMPRESSION zstd,"
                f" KV_METADATA {{'{VERSION_KEY}': '{SCHEMA_VERSION}'}})"
            )
        except error_class as error:
            raise SourceError(path, first_line(error)) from None
    directory.keep()


def first_line(error: Exception) -> str:
    """Return the first line of a message of DuckDB, of an error inside of it if the message is JSON."""
    line = str(error).partition("\n")[0]
    inner = _INNER_MESSAGE.search(line)
    if inner is None:
        return line
    return inner[1].replace('\\"', '"')


def _check_or_create(connection: "duckdb.DuckDBPyConnection", path: str, *, read_only: bool) -> None:
    """Create the tables in an empty database; raise if those of another one have another version."""
    tables = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    if not tables and not read_only:
        connection.begin()
        for statement in (*create_statements(), _PROPERTIES, _POSITIONS):
            connection.execute(statement)
        connection.execute("INSERT INTO property VALUES ('schema_version', ?)", [str(SCHEMA_VERSION)])
        connection.commit()
        return
    version = get_property(connection, "schema_version") if "property" in tables else None
    if version is None or not (version.isascii() and version.isdigit()):
        raise SourceError(path, "not a database of urlscan archive")
    if int(version) != SCHEMA_VERSION:
        hint = "upgrade urlscan" if int(version) > SCHEMA_VERSION else "archive the sources into a new database"
        message = f"{path}: its tables have version {version}, this urlscan reads version {SCHEMA_VERSION}"
        raise ConfigError(message, hint=hint)


def get_property(connection: "duckdb.DuckDBPyConnection", name: str) -> str | None:
    """Return a property of the database; None if it is not set."""
    row = connection.execute("SELECT value FROM property WHERE name = ?", [name]).fetchone()
    if row is None:
        return None
    return str(row[0])
