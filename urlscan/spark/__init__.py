"""Read text with Apache Spark: a data source whose tables are those of `urlscan archive`.

`pyspark` is imported only when a name that needs it is used.
"""

from typing import TYPE_CHECKING, Any

from urlscan.archive.schema import import_package

if TYPE_CHECKING:
    from urlscan.spark.functions import register_functions
    from urlscan.spark.source import UrlscanSource

__all__ = ["UrlscanSource", "register_functions"]


def __getattr__(name: str) -> Any:
    """Return a name of the package; raise ConfigError if it needs a package that is not installed."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    for package in ("pyspark", "pyarrow"):
        import_package(package, "spark")
    if name == "register_functions":
        from urlscan.spark.functions import register_functions

        return register_functions
    from urlscan.spark.source import UrlscanSource

    return UrlscanSource
