"""Define the tables: one schema for the database, for Parquet files, and for Spark.

The types are those of Apache Arrow. pyarrow is imported by the functions that need it, so that the names, the SQL and
the documentation of the tables are available without it.
"""

import functools
import importlib
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from urlscan import ConfigError
from urlscan.api.batches import install_command

if TYPE_CHECKING:
    import pyarrow

# The version of the tables. Increase it with every change: databases of another version are refused.
SCHEMA_VERSION = 2
_SURROGATE = re.compile("[\ud800-\udfff]")
# The key of the metadata of an Arrow schema and of a Parquet file that holds the version.
VERSION_KEY = "urlscan.schema_version"

# The type of a column in SQL, by its name in this module. Timestamps are in UTC and have no zone, since a type with
# a zone is displayed in that of the reader.
SQL_TYPES = {
    "string": "VARCHAR",
    "integer": "BIGINT",
    "boolean": "BOOLEAN",
    "timestamp": "TIMESTAMP",
    "strings": "VARCHAR[]",
    "breaks": 'STRUCT(kind VARCHAR, "offset" BIGINT, length BIGINT, hyphen BOOLEAN)[]',
    "alternatives": "STRUCT(url VARCHAR, why VARCHAR, evidence BIGINT)[]",
}


class Column(NamedTuple):
    """A column of a table.

    Attributes:
        type: a key of SQL_TYPES.
        description: one sentence for the documentation and for the comment in the database.
        nullable: whether a value may be missing.
    """

    name: str
    type: str
    description: str
    nullable: bool = False


class Table(NamedTuple):
    """A table.

    Attributes:
        key: the columns that identify a row.
        description: what a row is.
    """

    name: str
    key: tuple[str, ...]
    description: str
    columns: tuple[Column, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self.columns)


_SOURCE_ID = Column("source_id", "string", "the source: a row of `source`")
_URL_ID = "the URL: a row of `url`"

SOURCE = Table(
    "source",
    ("source_id",),
    "One file, or one member of an archive. An archive that has members has a row of its own as well.",
    (
        Column("source_id", "string", "hash of `path` and `member`, 32 hexadecimal digits"),
        Column("path", "string", "absolute path of the file, or its URL in a distributed file system"),
        Column("member", "string", 'name of the member in the archive, nested names joined by ":"; "" for a file'),
        Column("kind", "string", "kind that it was read as, such as mbox or html; missing if it was not read", True),
        Column("encoding", "string", "encoding of its first text, such as utf-8", True),
        Column("size", "integer", "bytes of the file, compressed if it is; missing for standard input", True),
        Column("mtime", "timestamp", "time of the last change of the file, UTC", True),
        Column("content_hash", "string", "SHA-256 of the file, hexadecimal; that of the archive for a member", True),
        Column("bytes_read", "integer", "bytes of the source that were read, after unpacking"),
        Column(
            "status",
            "string",
            "ok; partial: interrupted, the next run continues; skipped: a binary or excluded file;"
            " error: it could not be read, or not to its end",
        ),
        Column("error", "string", "reason for the status, or a remark on how it was read", True),
        Column("urlscan_version", "string", "version of urlscan that read it"),
        Column("ingested_at", "timestamp", "time at which its last rows were written, UTC"),
    ),
)
MESSAGE = Table(
    "message",
    ("source_id", "start"),
    "One message of a mail or mailbox, with or without URLs, or one record of a web archive (WARC)."
    " Secrets in its fields are masked.",
    (
        _SOURCE_ID,
        Column("start", "integer", "first byte in the source, from 0, the envelope line of a mailbox included"),
        Column("end", "integer", "byte after the last one"),
        Column("message_id", "string", "Message-ID without its brackets; of WARC, the WARC-Record-ID", True),
        Column(
            "date", "timestamp", "date of the message or record, UTC, chosen by `date_source`; may be missing", True
        ),
        Column("date_source", "string", "what `date` was taken from: date, received, envelope or warc", True),
        Column("date_raw", "string", "field Date as written", True),
        Column("date_field", "timestamp", "field Date, UTC", True),
        Column("date_received", "timestamp", "date of the first field Received, that of the last relay, UTC", True),
        Column("date_envelope", "timestamp", "date of the `From ` line of a mailbox, UTC unless it has a zone", True),
        Column("sender", "string", "field From, decoded", True),
        Column("subject", "string", "field Subject, decoded", True),
        Column("list_id", "string", "identifier of the mailing list (RFC 2919), without brackets", True),
        Column("newsgroups", "strings", "newsgroups (RFC 5536)", True),
        Column("in_reply_to", "string", "Message-ID of the message that this one answers", True),
        Column("thread_id", "string", "first Message-ID of References, else that of In-Reply-To; else its own", True),
        Column("mailer", "string", "program that wrote it: User-Agent, X-Mailer or X-Newsreader", True),
        Column("target_uri", "string", "WARC-Target-URI", True),
        Column("record_type", "string", "WARC-Type: response, resource, conversion, ...", True),
    ),
)
URL = Table(
    "url",
    ("url_id",),
    "One distinct URL of an occurrence or finding. Secrets are masked, and all columns follow from `url`.",
    (
        Column("url_id", "string", "hash of `url`, 32 hexadecimal digits"),
        Column("url", "string", "the URL, rejoined, secrets masked"),
        Column("scheme", "string", "scheme in lower case; missing for relative references, hosts and addresses", True),
        Column("userinfo", "string", "user and password, secrets masked", True),
        Column("host", "string", "host in lower case and Unicode, without escapes", True),
        Column("host_ascii", "string", "host as in the DNS (A-labels); missing if IDNA does not allow it", True),
        Column("port", "integer", "port if it is a number up to 65535", True),
        Column("url_path", "string", 'path, as in the URL; "" if it is empty'),
        Column("query", "string", 'query without "?"', True),
        Column("fragment", "string", 'fragment without "#"', True),
        Column("registered_domain", "string", "registered domain of the host by the Public Suffix List, ASCII", True),
        Column("public_suffix", "string", "public suffix of the host, ASCII; missing for addresses", True),
        Column("valid_rfc3986", "boolean", "whether the URL is valid by RFC 3986 and the document of its scheme"),
        Column("valid_rfc1738", "boolean", "whether the URL is valid by RFC 1738"),
    ),
)
OCCURRENCE = Table(
    "occurrence",
    ("source_id", "start"),
    "One URL in a source. Two URLs in one encoded word of a header (RFC 2047) have the same `start`.",
    (
        _SOURCE_ID,
        Column("start", "integer", "first byte of the URL in the source, from 0"),
        Column("end", "integer", "byte after the last one; `start` to `end` hold every byte of the URL"),
        Column("outer_start", "integer", "first byte with the delimiters, such as `<URL:`"),
        Column("outer_end", "integer", "byte after the closing delimiter"),
        Column("line", "integer", "line of `start`, from 1"),
        Column("column", "integer", "column of `start` in characters, from 1"),
        Column("url_id", "string", _URL_ID),
        Column("message_start", "integer", "the message: `message.start`; missing outside mail", True),
        Column("part", "string", "part of the message: an IMAP part number, `TEXT`, or `header:Name`", True),
        Column("quoted", "boolean", "whether its line in a plain body of mail begins with a quote mark (`> `)"),
        Column("style", "string", "how the text delimits the URL: wrapper, angle, quotes, prefix, markup, bare, ..."),
        Column("context", "string", "where the URL is: link, prose, comment, string, fragment or code"),
        Column("joined", "string", "none; delimited: rejoined, delimiters confirm it; guess: nothing confirms it"),
        Column("breaks", "breaks", "what interrupted the URL: kind, offset, length, hyphen"),
        Column("alternatives", "alternatives", "other readings: url, why, evidence"),
        Column("template", "boolean", "whether the URL contains a placeholder such as `{id}`"),
        Column("original", "string", "the text before unwrapping or refanging, secrets masked", True),
        Column("text_host", "string", "host of the URL that the text of an HTML link begins with, as in the DNS", True),
    ),
)
FINDING = Table(
    "finding",
    ("source_id", "start", "code"),
    "One problem that `urlscan check` reports.",
    (
        _SOURCE_ID,
        Column("start", "integer", "first byte of the finding in the source, from 0"),
        Column("end", "integer", "byte after the last one"),
        Column("line", "integer", "line of `start`, from 1"),
        Column("column", "integer", "column of `start` in characters, from 1"),
        Column("message_start", "integer", "the message: `message.start`; missing outside mail", True),
        Column("part", "string", "part of the message: an IMAP part number, `TEXT`, or `header:Name`", True),
        Column("code", "string", "code of the rule, such as U201"),
        Column("name", "string", "name of the rule, such as bad-escape"),
        Column("severity", "string", "info, warning or error"),
        Column("component", "string", "component of the URL: host, path, ...; missing for the whole URL", True),
        Column("message", "string", "what is wrong, secrets masked"),
        Column("section", "string", "section of the specification, such as RFC 3986 section 2.1", True),
        Column("suggestion", "string", "what to write, secrets masked", True),
        Column("context", "string", "where the URL is in its document; missing without a URL", True),
        Column("url_id", "string", _URL_ID + "; missing for a finding without a URL", True),
    ),
)

STATUS = Table(
    "status",
    ("url_id",),
    "The last report of a link checker about a URL: a file of `urlscan archive --statuses`.",
    (
        Column("url_id", "string", _URL_ID),
        Column("dead", "boolean", "whether the checker reported it as broken"),
        Column("code", "integer", "status code of HTTP; missing without a response", True),
        Column("reason", "string", "words of the checker, secrets masked"),
        Column("checked_at", "timestamp", "time of the check, UTC; that of the file if it has none"),
    ),
)

# The records of `urlscan extract`, for its formats parquet and arrow.
EXTRACTED = Table(
    "extracted",
    ("path", "member", "start"),
    "One URL that `urlscan extract` lists, with the fields of its JSON record.",
    (
        Column("url", "string", "the URL, rejoined, secrets masked"),
        Column("raw", "string", "the text of the URL with its breaks, secrets masked"),
        Column("path", "string", "name of the source"),
        Column("member", "string", 'name of the member in the archive; "" for a file'),
        *(Column(name, "integer", "as in the JSON record") for name in (
            "line", "column", "end_line", "end_column", "start", "end", "outer_start", "outer_end",
        )),
        *(Column(name, "string", "as in the JSON record") for name in ("scheme", "style", "context", "joined")),
        Column("breaks", "breaks", "what interrupted the URL"),
        Column("alternatives", "alternatives", "other readings"),
        Column("relative", "boolean", "whether it is a relative reference"),
        Column("template", "boolean", "whether it contains a placeholder"),
        Column("assumed", "string", "the full URL of a host or an address", True),
        Column("original", "string", "the text before unwrapping or refanging", True),
        Column("message_id", "string", "Message-ID of the mail", True),
        Column("date", "timestamp", "date of the mail, UTC", True),
        Column("part", "string", "part of the mail", True),
        Column("redacted", "boolean", "whether a secret was masked"),
    ),
)  # fmt: skip

# The tables that sources fill, and all.
TABLES = (SOURCE, MESSAGE, URL, OCCURRENCE, FINDING)
STORED = (*TABLES, STATUS)
BY_NAME: Mapping[str, Table] = {table.name: table for table in TABLES}
# The tables whose rows belong to one source.
OF_SOURCE = (MESSAGE, OCCURRENCE, FINDING)
# The names of the tables that `scan` fills.
OF_SCAN = frozenset(table.name for table in (MESSAGE, URL, OCCURRENCE, FINDING))


def import_package(name: str, extra: str = "archive") -> Any:
    """Return an optional package; raise ConfigError, which names the extra that installs it, if it is missing."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise ConfigError(f"the package {name} is not installed", hint=install_command(extra)) from None


# --- Arrow


@functools.cache
def arrow_schema(table: Table) -> "pyarrow.Schema":
    """Return the Arrow schema of a table, with the version in its metadata."""
    pa = import_package("pyarrow")
    schema: pyarrow.Schema = pa.schema(arrow_fields(table.columns), {VERSION_KEY: str(SCHEMA_VERSION)})
    return schema


def arrow_fields(columns: Iterable[Column]) -> "list[pyarrow.Field]":
    """Return the Arrow fields of columns."""
    pa = import_package("pyarrow")
    types = {
        "string": pa.string(),
        "integer": pa.int64(),
        "boolean": pa.bool_(),
        "timestamp": pa.timestamp("us"),
        "strings": pa.list_(pa.string()),
        "breaks": pa.list_(
            pa.struct([("kind", pa.string()), ("offset", pa.int64()), ("length", pa.int64()), ("hyphen", pa.bool_())])
        ),
        "alternatives": pa.list_(pa.struct([("url", pa.string()), ("why", pa.string()), ("evidence", pa.int64())])),
    }
    return [pa.field(column.name, types[column.type], column.nullable) for column in columns]


def record_batch(table: Table, rows: "Iterable[Sequence[Any]]") -> "pyarrow.RecordBatch":
    """Return rows as an Arrow record batch; the values of each row are in the order of the columns.

    Timestamps are in UTC without a zone or microseconds since 1970; breaks and alternatives are lists of mappings.
    """
    return column_batch(table, list(zip(*rows, strict=True)) or [()] * len(table.columns))


def column_batch(table: Table, columns: "Iterable[Sequence[Any]]") -> "pyarrow.RecordBatch":
    """Return columns, in the order of the table, as an Arrow record batch."""
    pa = import_package("pyarrow")
    schema = arrow_schema(table)
    arrays = [encodable_array(pa, values, field.type) for values, field in zip(columns, schema, strict=True)]
    batch: pyarrow.RecordBatch = pa.RecordBatch.from_arrays(arrays, schema=schema)
    return batch


def joined_batch(table: Table, batches: "Iterable[Sequence[Sequence[Any]]]") -> "pyarrow.RecordBatch":
    """Return the rows of several batches, each by column, as one Arrow record batch."""
    return column_batch(table, [list(chain.from_iterable(values)) for values in zip(*batches, strict=True)])


def encodable_array(pa: Any, values: "Sequence[Any]", type: Any) -> Any:
    """Return values as an Arrow array, with replacement characters for what UTF-8 cannot encode."""
    try:
        return pa.array(values, type)
    except UnicodeEncodeError:
        return pa.array([_encodable(value) for value in values], type)


def _encodable(value: Any) -> Any:
    """Return a value with lone surrogates, which UTF-8 cannot encode, as replacement characters."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {name: _encodable(item) for name, item in value.items()}
    return [_encodable(item) for item in value] if isinstance(value, list) else value


# --- SQL


def create_statements() -> list[str]:
    """Return the SQL statements that create the tables in DuckDB, with their descriptions as comments."""
    statements = [create_statement(table) for table in STORED]
    for table in STORED:
        statements.append(f"COMMENT ON TABLE {table.name} IS {literal(table.description)}")
        statements += (
            f'COMMENT ON COLUMN {table.name}."{column.name}" IS {literal(column.description)}'
            for column in table.columns
        )
    return statements


def create_statement(table: Table) -> str:
    """Return the SQL statement that creates a table in DuckDB."""
    columns = ", ".join(
        f'"{column.name}" {SQL_TYPES[column.type]}{"" if column.nullable else " NOT NULL"}' for column in table.columns
    )
    return f"CREATE TABLE {table.name} ({columns})"


def literal(text: str) -> str:
    """Return a text as SQL."""
    return "'" + text.replace("'", "''") + "'"
