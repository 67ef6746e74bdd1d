"""Implement `python -m urlscan.spark`: write the tables of sources as Parquet files, with Spark."""

import argparse
import sys
from typing import get_args

from urlscan import ConfigError, Profile, Rejoin
from urlscan.archive.schema import BY_NAME, import_package
from urlscan.cli import main as run_command
from urlscan.cli import output
from urlscan.cli.parser import Parser
from urlscan.formats.base import number
from urlscan.spark import job
from urlscan.spark.job import Job, Launch
from urlscan.spark.options import tables_of

_EXAMPLES = """\
examples:
  python -m urlscan.spark lists/*.mbox.gz tables     on this machine
  python -m urlscan.spark --master spark://h:7077 s3a://b/lists s3a://b/tables
  python -m urlscan.spark --dry-run lists tables     show the partitions
  spark-submit job.py lists tables                   see docs/spark.md

exit status: 0 success, 2 error
"""


def create_parser() -> Parser:
    """Return the parser of the arguments."""
    parser = Parser("spark", "Write the URLs, messages and findings of files as Parquet, with Apache Spark.", _EXAMPLES)
    parser.prog = "python -m urlscan.spark"
    parser.usage = "python -m urlscan.spark [OPTION]... INPUT... OUTPUT"
    add = parser.add_argument
    add("paths", nargs="*", metavar="INPUT", help="files, directories, patterns or URIs; the last one is the output")
    add("--tables", metavar="LIST", default=",".join(BY_NAME), help=f"tables to write (default: {','.join(BY_NAME)})")
    add("--overwrite", action="store_true", help="replace the tables of an existing OUTPUT")
    add("--dry-run", action="store_true", help="show what each task would read and write")
    add("--split-bytes", metavar="SIZE", help="size of a partition, such as 256m (default: 4m to 64m)")
    add("--as", dest="kind", metavar="KIND", help="kind of the texts, overriding detection")
    add("--encoding", metavar="NAME", help="encoding of the texts")
    add("--parts", choices=("all", "plain", "html"), help="which alternatives of a mail to read (default: all)")
    add("--rejoin", choices=get_args(Rejoin), help="which broken URLs to rejoin (default: wrapped)")
    add("--profile", choices=get_args(Profile), help="specification to judge by (default: rfc3986)")
    add("--unwrap", action="store_true", help="store rewritten links as their original URLs")
    add("--defanged", action="store_true", help="also store defanged URLs, restored")
    add("--master", metavar="URL", help="cluster (default: that of spark-submit, or the processors of this machine)")
    add("--conf", metavar="KEY=VALUE", action="append", default=[], help="setting of Spark; may be repeated")
    add("-q", "--quiet", action="store_true", help="omit the summary")
    add("-v", "--verbose", action="store_true", help="show the logs of Spark")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status; `arguments` are those of the process by default."""
    return run_command(arguments, _run)


def _run(arguments: list[str]) -> int:
    """Run the command and return its exit status; raise UrlscanError for a failure."""
    options = create_parser().read(arguments)
    for package in ("pyspark", "pyarrow"):
        import_package(package, "spark")
    task = _job(options)
    launch = Launch(options.master, _configuration(options.conf), options.verbose)
    partitions = job.partitions_of(task)
    files = len({item.file for items in partitions for item in items})
    if options.dry_run:
        output.write("".join(f"{line}\n" for line in job.describe(partitions, task)))
        return 0

    def report(line: str) -> None:
        if not options.quiet:
            output.write(f"{line}\n", to_stderr=True)

    report(f"files: {files:,}; partitions: {len(partitions):,}; starting Spark")
    with job.session(launch, sys.executable) as spark:
        counts = job.write_tables(spark, task, report)
    if not options.quiet:
        rows = ", ".join(number(count, name) for name, count in counts.items())
        output.write(f"files: {files:,}; partitions: {len(partitions):,}; rows written: {rows}\n")
    return 0


def _job(options: argparse.Namespace) -> Job:
    if len(options.paths) < 2:
        raise ConfigError("INPUT and OUTPUT are required", hint="such as python -m urlscan.spark lists tables")
    given = {name: getattr(options, name) for name in ("kind", "encoding", "parts", "rejoin", "profile")}
    given["splitBytes"] = options.split_bytes
    set_options = {name: value for name, value in given.items() if value is not None}
    set_options |= {name: "true" for name in ("unwrap", "defanged") if getattr(options, name)}
    *inputs, target = options.paths
    return Job(tuple(inputs), target, tables_of(options.tables), set_options, options.overwrite)


def _configuration(settings: list[str]) -> dict[str, str]:
    configuration = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not (name and equals):
            raise ConfigError("--conf: expected KEY=VALUE", hint="such as --conf spark.executor.memory=4g")
        configuration[name] = value
    return configuration
