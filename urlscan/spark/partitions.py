"""Divide files into partitions, each some seconds of work for one executor."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from urlscan import SourceError
from urlscan.api.batches import OpenFile, Range
from urlscan.spark.options import SourceOptions
from urlscan.spark.storage import StoredFile, open_file

# Opening a file takes about as long as reading so many bytes.
_OPENING = 1 << 16


class Item(NamedTuple):
    """A file, or a range of one, that a partition reads.

    Attributes:
        file: the file.
        range: the range; None for the whole file.
    """

    file: StoredFile
    range: Range | None = None


def plan(files: Iterable[StoredFile], options: SourceOptions) -> list[tuple[Item, ...]]:
    """Return the items of each partition, in the order of the files.

    A file that is larger than a partition is divided into ranges, if it can be; smaller ones are read together. Files
    are not divided for the table `source`, which has one row for each.
    """
    return list(_partitions(files, options))


def _partitions(files: Iterable[StoredFile], options: SourceOptions) -> Iterator[tuple[Item, ...]]:
    bundle: list[Item] = []
    size = 0
    for file in files:
        cost = file.size + _OPENING
        if bundle and size + cost > options.split_bytes:
            yield tuple(bundle)
            bundle, size = [], 0
        if file.size > options.split_bytes and (divided := _ranges(file, options)):
            for range in divided:
                yield (Item(file, range),)
        else:
            bundle.append(Item(file))
            size += cost
    if bundle:
        yield tuple(bundle)


def _ranges(file: StoredFile, options: SourceOptions) -> list[Range]:
    """Return the ranges of a file; none if it is read as a whole, as one is that cannot be read."""
    if not options.reading.tables:
        return []
    try:
        opened = open_file(file, 0)
        if not isinstance(opened, OpenFile):
            return []
        with opened:
            return options.reading.reader.ranges(file.name, opened, options.split_bytes)
    except SourceError:
        return []
