"""Register the functions of columns with Spark."""

from typing import TYPE_CHECKING

from urlscan import ConfigError, Profile, TextKind
from urlscan.archive.functions import FUNCTIONS, FunctionOptions, check_options, column_function
from urlscan.archive.schema import import_package

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def register_functions(spark: "SparkSession", *, kind: TextKind = "plain", profile: Profile = "rfc3986") -> None:
    """Register all functions of columns with a session, for SQL and `pyspark.sql.functions.expr`.

    Args:
        kind: the kind of the texts: plain, html, markdown, ...
        profile: the specification by which URLs are judged and normalized.

    Raises:
        ConfigError: an option has an unknown value, or Spark is older than 4.1.
    """
    options = FunctionOptions(kind, profile)
    check_options(options)
    arrow_udf = getattr(import_package("pyspark.sql.functions", "spark"), "arrow_udf", None)
    if arrow_udf is None:
        raise ConfigError("functions of columns need Spark 4.1 or newer")
    from_arrow_type = import_package("pyspark.sql.pandas.types", "spark").from_arrow_type
    for function in FUNCTIONS:
        result = from_arrow_type(function.arrow_type())
        spark.udf.register(function.name, arrow_udf(column_function(function, options), returnType=result))
