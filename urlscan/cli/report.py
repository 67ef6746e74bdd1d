"""Implement `urlscan report`: write an HTML page about a database of `urlscan archive`."""

import os
import time

from urlscan.archive.queries import WHERE, open_confined
from urlscan.cli import output
from urlscan.cli.parser import Parser, positive
from urlscan.core.errors import ConfigError
from urlscan.files.atomic_write import AtomicFile
from urlscan.formats.base import report_time
from urlscan.report.page import Options, render
from urlscan.report.queries import Database

_MOST_ROWS = 1_000_000
_ROWS = 20_000
_EXAMPLES = """\
examples:
  urlscan archive lists.mbox --db urls.duckdb
  urlscan report urls.duckdb -o report.html
  urlscan report urls.duckdb --title "The archive of 2002" --rows 5000 > report.html

The database can also be a directory of Parquet files.  The page needs no
network.  Its charts count everything; its table has up to --rows URLs, those
with findings or breaks first.

exit status: 0 success, 2 error
"""


def create_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser("report", "Write an HTML page about a database of `urlscan archive`.", _EXAMPLES, "[OPTION]... DB")
    add = parser.add_argument
    add("-o", "--output", metavar="FILE", help="write the page to FILE (default: standard output)")
    add("--where", choices=tuple(WHERE), default="body", help="count the URLs of body (default), headers or all")
    add("--title", metavar="TEXT", help='heading of the page (default: "URLs in DB")')
    add("--rows", metavar="N", type=positive, default=_ROWS, help=f"limit on the URLs in the table (default: {_ROWS})")
    add("paths", metavar="DB", nargs="*", default=[], help="database, or directory of Parquet files")
    return parser


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    options = create_parser().read(arguments)
    if len(options.paths) != 1:
        raise ConfigError("one database is required", hint="such as urlscan report urls.duckdb -o report.html")
    (path,) = options.paths
    title = options.title or f"URLs in {os.path.basename(os.path.normpath(path))}"
    rows = min(options.rows, _MOST_ROWS)
    with open_confined(path, options.where) as connection:
        page = render(Database(connection, path), Options(title, rows, int(report_time(time.time())), options.where))
        if options.output is None:
            for part in page:
                output.write(part)
            return 0
        with AtomicFile(options.output, "written", new=True, inputs=[path]) as file:
            for part in page:
                file.write(part.encode("utf-8", "replace"))
            file.keep()
    return 0
