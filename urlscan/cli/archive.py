"""Implement `urlscan archive`: write the URLs of sources into a database."""

import argparse
from collections.abc import Callable, Iterator
from contextlib import ExitStack

from urlscan.api.batches import Reader
from urlscan.archive.database import export, open_for_options, storage_errors
from urlscan.archive.files import Shard, TableDirectory, parse_shard
from urlscan.archive.ingest import Ingest
from urlscan.archive.merge import merge
from urlscan.archive.reader import ArchiveOptions, Event, KnownFile, read_paths
from urlscan.archive.schema import STORED, import_package
from urlscan.archive.upkeep import add_statuses
from urlscan.cli import output, progress
from urlscan.cli.journal import Journal
from urlscan.cli.options import list_paths, load_configuration, make_find_options, make_read_options
from urlscan.cli.parser import Parser, add_find_options, add_shared
from urlscan.config.statuses import Status, read_statuses
from urlscan.core.errors import ConfigError
from urlscan.formats.base import number
from urlscan.linter.judge import rule_set_for
from urlscan.pipeline.children import Conversation
from urlscan.pipeline.targets import Targets

_EXAMPLES = """\
examples:
  urlscan archive mail --db urls.duckdb     read a directory into a database
  urlscan archive mail --db urls.duckdb     again: read only what has changed
  urlscan query urls.duckdb hosts           ask a question
  urlscan archive --merge a.duckdb b.duckdb -o all.duckdb

A run can be interrupted at any time; the next one continues. Passwords are
stored as ***.

exit status: 0 success, 2 a file could not be read, 130 interrupted
"""
# The options that the rows depend on, which are the same for every run.
_ROW_OPTIONS = (
    "schemeless", "emails", "relative", "unwrap", "defanged", "kind", "encoding", "parts", "rejoin", "show_secrets",
)  # fmt: skip


def create_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser("archive", "Write the URLs, messages and findings of files into a database.", _EXAMPLES)
    group = parser.add_argument_group("database")
    add = group.add_argument
    add("--db", metavar="FILE", help="DuckDB database to create or to update")
    add(
        "--format", choices=("duckdb", "parquet"), default="duckdb", metavar="FORMAT",
        help="duckdb (default) or parquet: write each table to a file of the directory -o; with --db, update the"
        " database first",
    )  # fmt: skip
    add("-o", "--output", metavar="PATH", help="directory for --format parquet, or new database for --merge")
    add(
        "--shard", metavar="I/N",
        help="with --format parquet: write shard I of N of the files, 1/N to N/N, which other processes or machines"
        " write to the same directory",
    )  # fmt: skip
    add("--merge", action="store_true", help="write the rows of databases, named in place of files, into a new one")
    add("--prune", action="store_true", help="remove the rows of files at or below PATH that no longer exist")
    add(
        "--statuses", dest="checked", metavar="FILE",
        help="store what a link checker reported of the URLs: JSON of lychee, CSV of LinkChecker, or CSV with the"
        " columns url, status and time; without PATH, read no files",
    )  # fmt: skip
    add("--verify", action="store_true", help="compare the content of all files, not only their size and time")
    add_find_options(group, "store")
    add_shared(parser, unpack="always")
    return parser


def run(arguments: list[str]) -> int:
    """Run the command and return its exit status."""
    options = create_parser().read(arguments)
    if options.merge:
        return _merge(options)
    shard = statuses = None
    if options.shard is not None:
        shard = parse_shard(options.shard)
    tables = _tables_of(options, shard)
    configuration = load_configuration(options)
    settings = configuration.resolve().settings
    rule_set_for(settings)
    if options.checked is not None:
        statuses = read_statuses(options.checked)
    has_paths = options.paths or options.files_from is not None
    paths = configuration.walked = list[str]()
    if has_paths or statuses is None:
        paths = configuration.walked = list_paths(options)
    journal = Journal(quiet=options.quiet, verbose=options.verbose)
    read_options = make_read_options(options, configuration)._replace(
        targets=Targets(configuration.project_root), skipped=journal.skip
    )
    find_options = make_find_options(options, continuations=True)

    def events(answer: Callable[[], dict[str, KnownFile]]) -> Iterator[tuple[Event | None, bool]]:
        """Yield the events and, at the end, whether a file could not be read; in a process of its own."""
        with progress.shown(options, paths, read_options) as tracked:
            reader = Reader(find_options, settings, tracked, show_secrets=options.show_secrets)
            archive_options = ArchiveOptions(reader, jobs=options.jobs, verify=options.verify, shard=shard)
            results = read_paths(paths, archive_options, answer)
            read: Iterator[Event] = journal.filter(results)
            for event in read:
                yield event, False
        yield None, journal.failed

    # The process that reads files forks others. It is started first, since the database runs threads.
    conversation = Conversation(events)
    try:
        failed, lines = _store(conversation, options, tables, paths, statuses)
    finally:
        conversation.close()
    if not options.quiet:
        output.write("".join(f"{line}\n" for line in lines))
    if failed:
        return 2
    return 0


def _merge(options: argparse.Namespace) -> int:
    if options.output is None or not options.paths:
        raise ConfigError("--merge requires databases and -o", hint="such as --merge a.duckdb b.duckdb -o all.duckdb")
    if any((options.db, options.format != "duckdb", options.shard, options.prune, options.checked)):
        raise ConfigError("--merge cannot be used with --db, --format, --shard, --prune or --statuses")
    counts = merge(options.paths, options.output)
    if not options.quiet:
        rows = ", ".join(number(count, name) for name, count in counts.items())
        output.write(f"rows: {rows}\n")
    return 0


def _store(
    conversation: "Conversation[tuple[Event | None, bool]]",
    options: argparse.Namespace,
    tables: TableDirectory | None,
    paths: list[str],
    statuses: list[Status] | None,
) -> tuple[bool, list[str]]:
    """Store the events of a run and the statuses; return whether a file could not be read, and what was done."""
    failed, path = False, options.db
    if path is None and tables is not None:
        path = tables.database
    with ExitStack() as stack:
        if tables is not None:
            stack.enter_context(tables)
        stack.enter_context(storage_errors(path))
        row_options = {name: getattr(options, name) for name in _ROW_OPTIONS}
        connection = stack.enter_context(open_for_options(path, row_options))
        ingest = Ingest(connection)
        try:
            for event, has_failed in conversation.items():
                failed = has_failed
                if event is not None and (known := ingest.handle(event)) is not None:
                    conversation.send(known)
        except KeyboardInterrupt:
            ingest.interrupt()
            output.complain("interrupted; the same command continues")
            raise
        except (RuntimeError, import_package("duckdb").InterruptException) as error:
            if "interrupted" not in str(error).lower():  # Ctrl-C within a statement, which DuckDB rolls back
                raise
            output.complain("interrupted; the same command continues")
            raise KeyboardInterrupt from None
        files = ", ".join(f"{count:,} {name}" for name, count in ingest.files.items() if count) or "none"
        rows = ", ".join(number(count, name) for name, count in ingest.rows.items())
        lines = [f"files: {files}; rows added: {rows}"]
        if options.prune and paths:
            lines.append(f"removed: {number(ingest.prune(paths), 'file')}")
        ingest.finish()
        if statuses is not None:
            checked = add_statuses(connection, statuses)
            lines.append(f"statuses: {checked.reported:,} reported; {checked.stored:,} URLs, {checked.dead:,} dead")
        if tables is not None:
            export(connection, tables)
    return failed, lines


def _tables_of(options: argparse.Namespace, shard: Shard | None) -> TableDirectory | None:
    """Return the directory for Parquet files, or None if they are not requested."""
    if options.format == "duckdb":
        if options.output is not None:
            raise ConfigError("-o requires --format parquet")
        if shard is not None:
            raise ConfigError("--shard requires --format parquet")
        if options.db is None:
            raise ConfigError("--db is required", hint="name the database, such as --db urls.duckdb")
        return None
    if options.output is None:
        raise ConfigError("--format parquet requires -o DIR")
    if shard is not None and options.db is not None:
        raise ConfigError("--shard cannot be used with --db")
    directory = TableDirectory(options.output, shard)
    directory.check_shards([table.name for table in STORED])
    return directory
