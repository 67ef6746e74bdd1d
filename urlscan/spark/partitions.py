"""Divide files into partitions, each some seconds of work for one executor."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from urlscan.spark.storage import StoredFile

# Opening a file takes about as long as reading so many bytes.
_OPENING = 1 << 16


class Item(NamedTuple):
    """A file, or a range of one, that a partition reads.

    Attributes:
        file: the file.
    """

    file: StoredFile


def plan(files: Iterable[StoredFile], split_bytes: int) -> list[tuple[Item, ...]]:
    """Return the items of each partition, in the order of the files.

    Args:
        files: the files.
        split_bytes: the size that a partition of several files does not exceed.
    """
    return list(_bundles((Item(file) for file in files), split_bytes))


def _bundles(items: Iterable[Item], split_bytes: int) -> Iterator[tuple[Item, ...]]:
    bundle: list[Item] = []
    size = 0
    for item in items:
        cost = item.file.size + _OPENING
        if bundle and size + cost > split_bytes:
            yield tuple(bundle)
            bundle, size = [], 0
        bundle.append(item)
        size += cost
    if bundle:
        yield tuple(bundle)
