"""Read text with Apache Spark: a data source whose tables are those of `urlscan archive`.

`pyspark` is imported only when a name that needs it is used.
"""

from typing import TYPE_CHECKING, Any

from urlscan.archive.schema import import_package

if TYPE_CHECKING:
    from urlscan.spark.source import UrlscanSource

__all__ = ["UrlscanSource"]


def __getattr__(name: str) -> Any:
    """Return a name of the package; raise ConfigError if it needs a package that is not installed."""
    if name != "UrlscanSource":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    for package in ("pyspark", "pyarrow"):
        import_package(package, "spark")
    from urlscan.spark.source import UrlscanSource

    return UrlscanSource
