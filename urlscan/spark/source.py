"""The Python data source `urlscan` of Spark.

spark.dataSource.register(UrlscanSource)
spark.read.format("urlscan").option("table", "occurrence").load("lists/*.mbox.gz")
"""

import gc
import traceback
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

from urlscan import ConfigError, UrlscanError
from urlscan.archive.rows import now
from urlscan.archive.schema import BY_NAME
from urlscan.spark.filters import Condition, condition_of, matching
from urlscan.spark.options import SourceOptions, parse_options
from urlscan.spark.partitions import Item, plan
from urlscan.spark.read import read_items
from urlscan.spark.storage import find_files

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql.datasource import Filter


class ItemsPartition(InputPartition):
    """The files, and ranges of files, that one task reads.

    Attributes:
        items: the files and ranges.
        time: the time of the query in microseconds since 1970.
    """

    def __init__(self, items: tuple[Item, ...], time: int) -> None:
        super().__init__(None)
        self.items = items
        self.time = time


class UrlscanSource(DataSource):
    """The data source. Its options are those of `spark.options.NAMES`."""

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return "urlscan"

    def schema(self) -> StructType:
        """Return the columns of the rows: those of a table, or a struct for each of several tables."""
        return row_schema(parse_options(self.options))

    def reader(self, schema: StructType) -> "UrlscanReader":
        """Return the reader; `schema` names some or all of the columns."""
        options = parse_options(self.options)
        return (FilteringReader if options.pushdown else UrlscanReader)(options, schema)


def row_schema(options: SourceOptions) -> StructType:
    """Return the schema of the rows in Spark."""
    return from_arrow_schema(options.arrow_schema(), prefer_timestamp_ntz=True)


class UrlscanReader(DataSourceReader):
    """Reads one table, or several as structs.

    Args:
        options: what is read.
        schema: the columns that are returned.
    """

    def __init__(self, options: SourceOptions, schema: StructType) -> None:
        types = {field.name: field.dataType for field in row_schema(options).fields}
        for field in schema.fields:
            if types.get(field.name) != field.dataType:
                what = "option table" if options.is_combined else f"table {options.tables[0]}"
                raise ConfigError(f'the {what} has no column "{field.simpleString()[:60]}"')
        if options.is_combined:  # only requested tables are computed
            options = options._replace(tables=tuple(name for name in options.tables if name in schema.fieldNames()))
        self._options = options
        self._schema = schema
        self._conditions: list[Condition] = []

    def partitions(self) -> Sequence[InputPartition]:
        """Return the division of the files."""
        time = now()
        files = find_files(self._options.paths)
        return [ItemsPartition(items, time) for items in plan(files, self._options)]

    def read(self, partition: InputPartition) -> "Iterator[pyarrow.RecordBatch]":
        """Yield the rows of a partition.

        Raises:
            UrlscanError: in place of an unexpected exception, whose message may quote the text that is read. Spark
                writes exceptions to its logs.
        """
        gc.set_threshold(100_000)  # as for the command, see `cli.entry`: 8 % of the time of a task
        try:
            if not isinstance(partition, ItemsPartition):  # Spark makes one if there is none
                return
            target = to_arrow_schema(self._schema, timezone="UTC")
            for batch in read_items(partition.items, self._options, partition.time):
                rows = matching(batch, self._conditions)
                if rows.num_rows:
                    yield rows.select(target.names).cast(target)
        except UrlscanError:
            raise
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)[-3:]
            positions = ", ".join(f"{frame.name}:{frame.lineno}" for frame in frames)
            raise UrlscanError(f"internal error: {type(error).__name__} in {positions}") from None


class FilteringReader(UrlscanReader):
    """Reads tables, and applies filters of the query to the only one.

    It is a class of its own because Spark refuses readers with filters unless `spark.sql.python.filterPushdown.enabled`
    is set, which it is not by default. Spark 4.0 calls none of its methods.
    """

    def pushFilters(self, filters: "list[Filter]") -> "Iterator[Filter]":  # noqa: N802 - the name of pyspark
        """Yield the filters that Spark must apply; the others are applied by `read`."""
        table = BY_NAME[self._options.tables[0]]
        for filter in filters:
            condition = None if self._options.is_combined else condition_of(filter, table)
            if condition is None:
                yield filter
            else:
                self._conditions.append(condition)
