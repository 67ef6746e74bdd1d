"""Implement `urlscan query`: ask a database of `urlscan archive` questions."""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import datetime
from itertools import chain, islice

from urlscan.archive.functions import register_functions
from urlscan.archive.parquet import write_parquet
from urlscan.archive.queries import WHERE, Answer, arrow_answer, ask, open_confined, queries, query_of, values_of
from urlscan.cli import output
from urlscan.cli.parser import Parser, add_format
from urlscan.cli.tables import rows_as_csv
from urlscan.core.errors import ConfigError
from urlscan.files.atomic_write import AtomicFile
from urlscan.formats.escape import escape
from urlscan.formats.records import array, dumps

_FORMATS = ("table", "csv", "tsv", "json", "jsonl", "parquet")
_WIDEST = 60  # characters of a cell of a table
_ROWS = 500  # rows of which a table computes the widths
_EXAMPLES = """\
examples:
  urlscan query --list                               list the questions
  urlscan query urls.duckdb hosts limit=50           ask one
  urlscan query urls.duckdb find text=h.example/a
  urlscan query urls.duckdb urls --format csv -o urls.csv
  urlscan query urls.duckdb --sql 'SELECT count(*) FROM occurrence'

The database can also be a directory of Parquet files. A statement of --sql can
read the database, and no files, settings or network. It has the functions
urlscan_occurrences, urlscan_problems, urlscan_normalize and urlscan_host.

exit status: 0 success, 2 error
"""


def create_parser() -> Parser:
    """Return the parser of the arguments."""
    usage = "[OPTION]... DB [NAME] [PARAMETER=VALUE]..."
    parser = Parser("query", "Ask a database a question.", _EXAMPLES, usage)
    parser.conflicts = (("list", "paths sql show", "it lists the questions"),)
    parser.add_argument(
        "paths", nargs="*", metavar="DB NAME", help="the database, the name of a question, and its parameters"
    )
    add = parser.add_argument
    add("--list", action="store_true", help="list the questions and their parameters")
    add("--sql", metavar="SQL", help="a statement in place of a question")
    add(
        "--where", choices=tuple(WHERE),
        help="count the URLs of body, headers or all (default: body; all for --sql, headers for the question headers)",
    )  # fmt: skip
    add("--show", action="store_true", help="show the SQL of a question and do not run it")
    add_format(parser, _FORMATS, "output format: table (default), csv, tsv, json, jsonl or parquet")
    add("-o", "--output-file", metavar="FILE", help="write to FILE (required for parquet)")
    return parser


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    options = create_parser().read(arguments)
    if options.list:
        output.write(_listing())
        return 0
    sql, values, where = _statement(options)
    if options.show:
        output.write(f"{sql}\n")
        return 0
    if options.format == "parquet" and options.output_file is None:
        raise ConfigError("--format parquet requires -o FILE")
    with open_confined(options.paths[0], options.where or where) as connection, ExitStack() as stack:
        if options.sql is not None and "urlscan_" in sql.lower():
            register_functions(connection)
        write: Callable[[bytes], object] = output.write
        file = None
        if options.output_file is not None:
            file = stack.enter_context(AtomicFile(options.output_file, "written", new=True, inputs=options.paths[:1]))
            write = file.write
        if options.format == "parquet":
            write_parquet(write, *arrow_answer(connection, sql, values))
        else:
            for text in _rendered(ask(connection, sql, values), options):
                write(output.encoded(text))
        if file is not None:
            file.keep()
    return 0


def _statement(options: argparse.Namespace) -> tuple[str, dict[str, str], str]:
    """Return the statement to run, the values of its parameters, and which URLs it counts by default."""
    rest = options.paths[1:]
    if options.show:  # DB may be left out
        rest = rest or options.paths
    elif not options.paths:
        raise ConfigError("DB is missing", hint="name a database of `urlscan archive`")
    if options.sql is not None:
        if rest:
            raise ConfigError("--sql cannot be used with the name of a question")
        return options.sql, {}, "all"
    if not rest:
        raise ConfigError("the name of a question is missing", hint="--list shows all, --sql takes a statement")
    query = query_of(rest[0])
    return query.sql, values_of(query, rest[1:]), query.where


def _listing() -> str:
    """Return the names of the questions, with their descriptions and parameters."""
    lines = []
    for query in queries().values():
        lines.append(f"{query.name:<18} {query.description}")
        for parameter in query.parameters:
            lines.append(f"{'':<20} {parameter.name}={parameter.default}: {parameter.description}")
    return "\n".join(lines) + "\n"


def _rendered(answer: Answer, options: argparse.Namespace) -> Iterator[str]:
    """Yield the text of an answer."""
    columns, rows = answer
    if options.format == "table":
        return _table(columns, rows)
    if options.format in ("csv", "tsv"):
        return rows_as_csv(columns, ([_text(value) for value in row] for row in rows), options.format)
    if options.format == "json":
        return array(_json(columns, rows))
    return (f"{line}\n" for line in _json(columns, rows))


def _json(columns: Sequence[str], rows: Iterator[Sequence[object]]) -> Iterator[str]:
    """Return each row as a JSON object, without line ends."""
    return (dumps({name: _plain(value) for name, value in zip(columns, row, strict=True)}) for row in rows)


def _plain(value: object) -> object:
    """Return a value that JSON can represent."""
    if isinstance(value, datetime):
        return value.isoformat()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, dict):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return str(value)


def _text(value: object) -> object:
    """Return a value of a cell."""
    value = _plain(value)
    if value is None:
        return ""
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return value


def _table(columns: Sequence[str], rows: Iterator[Sequence[object]]) -> Iterator[str]:
    """Yield an aligned table; the widths are those of the first rows."""
    first = list(islice(rows, _ROWS))
    cells = [[_cell(value) for value in row] for row in first]
    widths = [max(map(len, column)) for column in zip(*([list(columns), *cells]), strict=True)]
    alignments = ["<"] * len(columns)
    for number, column in enumerate(zip(*first, strict=True)):
        if all(isinstance(value, int | float | None) for value in column) and set(column) != {None}:
            alignments[number] = ">"

    def line(values: Sequence[str]) -> str:
        padded = (
            f"{value:{alignment}{width}}" for value, width, alignment in zip(values, widths, alignments, strict=True)
        )
        return "  ".join(padded).rstrip() + "\n"

    yield line([escape(name) for name in columns])
    yield line(["-" * width for width in widths])
    for row in chain(cells, ([_cell(value) for value in row] for row in rows)):
        yield line(row)


def _cell(value: object) -> str:
    text = escape(str(_text(value)))
    if len(text) > _WIDEST:
        return text[: _WIDEST - 3] + "..."
    return text
