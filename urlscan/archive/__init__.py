"""Archives: the URLs, messages and findings of many sources as tables.

`schema` defines the tables, `reader` reads what has changed, `rows` makes rows of it, `ingest` writes them to the
DuckDB database of `database`, and `queries` asks it. `batches` is the public function.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from urlscan.archive.arrow import TableBatch, batches

__all__ = ["TableBatch", "batches"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from urlscan.archive import arrow

    return getattr(arrow, name)
