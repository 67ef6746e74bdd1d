"""Write the tables of sources as Parquet files, with Spark.

Each table is a directory of OUTPUT, committed as a whole by Spark. `urlscan query` and `urlscan report` read OUTPUT if
it has all tables.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from urlscan import ConfigError, UrlscanError, mask
from urlscan.archive.files import STDIN, absolute
from urlscan.archive.schema import BY_NAME, SOURCE, URL, import_package
from urlscan.spark.options import parse_options
from urlscan.spark.partitions import Item, plan
from urlscan.spark.storage import find_files, shown

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# The directory in OUTPUT that holds new tables until they replace the former ones. Spark ignores names with "_".
_STAGING = "_urlscan-new"

_SECONDS = 10.0  # between two reports of the progress

# Settings of Spark, unless the user gives others.
_SETTINGS = {
    # Files of the table `url` have about 64 MB.
    "spark.sql.adaptive.coalescePartitions.parallelismFirst": "false",
    "spark.ui.showConsoleProgress": "false",
}


class Job(NamedTuple):
    """The tables to write.

    Attributes:
        inputs: files, directories, patterns and URIs.
        output: the directory to write, a path or a URI.
        tables: the names of the tables.
        options: the options of the data source.
        overwrite: whether to replace the tables in an existing directory.
    """

    inputs: tuple[str, ...]
    output: str
    tables: tuple[str, ...]
    options: Mapping[str, str]
    overwrite: bool = False


def partitions_of(job: Job) -> list[tuple[Item, ...]]:
    """Return what each task reads.

    Raises:
        ConfigError: an option is invalid, an input names no file, or OUTPUT is inside an input.
    """
    if STDIN in job.inputs:
        raise ConfigError("standard input cannot be read by several processes", hint="name files or directories")
    output = _location(job.output)
    for given in job.inputs:
        if f"{output}/".startswith(f"{_location(given)}/"):
            raise ConfigError(f"{shown(job.output)} is inside the input {shown(given)}", hint="write to another place")
    options = parse_options({**job.options, "table": ",".join(job.tables), "path": job.inputs[0]})
    return plan(find_files(job.inputs), options)


def _location(given: str) -> str:
    """Return a location in a form in which two can be compared."""
    location = given if "://" in given else f"file://{absolute(given)}"
    return location.replace("file:///", "file:/", 1).rstrip("/")


def write_tables(spark: "SparkSession", job: Job, report: Callable[[str], object] = len) -> dict[str, int]:
    """Write the tables; return the number of rows of each. If it fails, what was written is removed.

    Args:
        report: called with a line about the progress, every ten seconds and for each table.

    Raises:
        ConfigError: OUTPUT exists, and is not to be overwritten.
        UrlscanError: Spark failed.
    """
    with explained(), _progress(spark, report) as progress:
        spark.dataSource.register(import_module("urlscan.spark.source").UrlscanSource)
        output = _Directory(spark, job.output)
        exists = output.exists()
        if exists and not job.overwrite:
            raise ConfigError(f"{shown(job.output)} exists", hint="--overwrite replaces its tables")
        target = output.below(_STAGING) if exists else output
        counts = {}
        try:
            target.delete()
            for name, rows in _frames(spark, job).items():
                directory = target.below(name).name
                rows.write.option("compression", "zstd").parquet(directory)
                counts[name] = spark.read.parquet(directory).count()
                progress(f"{name}: {counts[name]:,} rows written")
            if exists:
                output.take_tables(target)
        except BaseException:
            target.delete()
            raise
        return counts


def _frames(spark: "SparkSession", job: Job) -> "dict[str, DataFrame]":
    """Return the rows of each table, those of a partition in the order of the key.

    The sources are read once, with the first table; the rows of the others are kept on the disks of the executors.
    """
    reader = spark.read.format("urlscan").options(**job.options).option("table", ",".join(job.tables))
    rows = reader.load(list(job.inputs))
    frames = {job.tables[0]: rows}
    if len(job.tables) > 1:
        rows = rows.persist(import_package("pyspark", "spark").StorageLevel.DISK_ONLY)
        frames = {name: rows.where(f"{name} IS NOT NULL").select(f"{name}.*") for name in job.tables}
    if URL.name in frames:  # all columns follow from the id
        frames[URL.name] = frames[URL.name].dropDuplicates(list(URL.key))
    if SOURCE.name in frames:  # a row for each file
        frames[SOURCE.name] = frames[SOURCE.name].repartition(1)
    return {name: frame.sortWithinPartitions(*BY_NAME[name].key) for name, frame in frames.items()}


@contextmanager
def _progress(spark: "SparkSession", report: Callable[[str], object]) -> Iterator[Callable[[str], object]]:
    """Report every ten seconds how many tasks are done; yield a function that reports a line with the time."""
    start, ended = monotonic(), Event()
    tracker = spark.sparkContext.statusTracker()

    def report_with_time(line: str) -> None:
        report(f"{line} ({monotonic() - start:,.0f} s)")

    def poll() -> None:
        while not ended.wait(_SECONDS):
            stages = filter(None, map(tracker.getStageInfo, tracker.getActiveStageIds()))
            for stage in stages:
                report_with_time(f"{stage.numCompletedTasks:,} of {stage.numTasks:,} tasks done")

    thread = Thread(target=poll, daemon=True)
    thread.start()
    try:
        yield report_with_time
    finally:
        ended.set()
        thread.join()


class _Directory:
    """A directory in any file system that Spark can write.

    Args:
        name: its path or URI.
    """

    def __init__(self, spark: "SparkSession", name: str) -> None:
        context: Any = spark.sparkContext
        self.name = name
        self._spark = spark
        self._path = context._jvm.org.apache.hadoop.fs.Path(name)
        self._files = self._path.getFileSystem(context._jsc.hadoopConfiguration())

    def below(self, name: str) -> "_Directory":
        """Return a directory in this one."""
        return _Directory(self._spark, f"{self.name.rstrip('/')}/{name}")

    def exists(self) -> bool:
        return bool(self._files.exists(self._path))

    def delete(self) -> None:
        """Remove the directory, if it exists."""
        self._files.delete(self._path, True)

    def take_tables(self, staging: "_Directory") -> None:
        """Replace all tables by those in another directory, which is removed."""
        for name in BY_NAME:
            former, new = self.below(name), staging.below(name)
            former.delete()
            if new.exists() and not self._files.rename(new._path, former._path):
                raise UrlscanError(f"cannot rename {shown(new.name)}")
        staging.delete()


@contextmanager
def explained() -> Iterator[None]:
    """Raise UrlscanError, with one line, in place of the exceptions of Spark and Java."""
    try:
        yield
    except UrlscanError:
        raise
    except Exception as error:
        name = type(error).__module__.partition(".")[0]
        if name not in ("pyspark", "py4j"):
            raise
        message, hint = _reason(error)
        raise UrlscanError(message, hint=hint) from None


def _reason(error: Exception) -> tuple[str, str]:
    """Return a message and a hint about an exception of Spark.

    The text of an exception in a task is not shown: it may quote the text that was read.
    """
    lines = [line.strip() for line in str(error).splitlines() if line.strip() and not line.lstrip().startswith("at ")]
    text = " ".join(lines[:3])
    if "JAVA_GATEWAY_EXITED" in text:
        return "Spark cannot be started", "it needs Java 17 or newer; the lines before this one have the reason"
    if "Job aborted" in text or "Python worker" in text or "Task " in text:
        return "a task failed", "the logs of Spark have the reason; -v shows them"
    first = next((line for line in lines if not line.startswith("An error occurred while calling")), "unknown error")
    return f"Spark: {mask(first.lstrip(': '))[:300]}", "-v shows the logs of Spark"


class Launch(NamedTuple):
    """How a session is started.

    Attributes:
        master: the URL of the cluster; None for that of `spark-submit`, or all processors of this machine.
        configuration: settings of Spark.
        verbose: whether Spark shows its logs.
    """

    master: str | None = None
    configuration: Mapping[str, str] = {}
    verbose: bool = False


@contextmanager
def session(launch: Launch, python: str) -> "Iterator[SparkSession]":
    """Return a session of Spark that is stopped at the end.

    Args:
        launch: how it is started.
        python: the interpreter of the workers, unless PYSPARK_PYTHON or a setting names another.

    Raises:
        UrlscanError: it cannot be started.
    """
    class_: Any = import_package("pyspark.sql", "spark").SparkSession
    if "spark.pyspark.python" not in launch.configuration:
        os.environ.setdefault("PYSPARK_PYTHON", python)
    builder = class_.builder.appName("urlscan")
    if launch.master is not None:
        builder = builder.master(launch.master)
    settings = dict(_SETTINGS)
    if not launch.verbose:
        settings["spark.log.level"] = "OFF"
    for name, value in {**settings, **launch.configuration}.items():
        builder = builder.config(name, value)
    with explained():
        spark = builder.getOrCreate()
    try:
        yield spark
    finally:
        spark.stop()


def describe(partitions: Sequence[Sequence[Item]], job: Job) -> Iterator[str]:
    """Yield lines about what each task reads, and what is written."""
    for number, items in enumerate(partitions):
        for file, tables, range in items:
            where = ""
            if range is not None:
                where = f", {range.kind} {range.start} to {'end' if range.stop is None else range.stop}"
            elif len(tables) < len(job.tables):
                where = f", for {SOURCE.name}"
            yield f"partition {number}: {file.name}, {file.size} bytes{where}"
    yield f"read {len(partitions)} partitions once"
    for name in job.tables:
        table = BY_NAME[name]
        deduplicated = "deduplicate by url_id, " if table is URL else ""
        yield f"{name}: {deduplicated}sort by {', '.join(table.key)}, write {shown(job.output).rstrip('/')}/{name}"
