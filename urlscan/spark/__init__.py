"""Read text with Apache Spark: a data source whose tables are those of `urlscan archive`.

`pyspark` is imported only when a name that needs it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from urlscan.archive.schema import import_package

if TYPE_CHECKING:
    from urlscan.spark.functions import register_functions
    from urlscan.spark.source import UrlscanSource

__all__ = ["UrlscanSource", "register_functions"]
_MODULES = {"UrlscanSource": "urlscan.spark.source", "register_functions": "urlscan.spark.functions"}


def __getattr__(name: str) -> Any:
    """Return a name of the package; raise ConfigError if it needs a package that is not installed."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    for package in ("pyspark", "pyarrow"):
        import_package(package, "spark")
    return getattr(import_module(_MODULES[name]), name)
