"""Divide files into partitions, each some seconds of work for one executor."""

from collections.abc import Iterable
from typing import NamedTuple

from urlscan import SourceError
from urlscan.api.batches import OpenFile, Range
from urlscan.archive.schema import OF_SCAN, SOURCE
from urlscan.spark.options import SourceOptions
from urlscan.spark.storage import StoredFile, open_file

# Opening a small file takes about as long as reading so many bytes (measured on 10,000 files).
_OPENING = 1 << 14
# The size of a partition, unless it is given: there are at least so many, of these sizes.
_PARTITIONS = 16
_SMALLEST, _LARGEST = 1 << 22, 1 << 26


class Item(NamedTuple):
    """A file, or a range of one, that a partition reads.

    Attributes:
        file: the file.
        tables: the names of the tables that it fills.
        range: the range; None for the whole file.
    """

    file: StoredFile
    tables: frozenset[str]
    range: Range | None = None


def plan(files: Iterable[StoredFile], options: SourceOptions) -> list[tuple[Item, ...]]:
    """Return the items of each partition, in the order of the files.

    A file that is larger than a partition is divided into ranges, if it can be; smaller ones are read together. The
    table `source` has one row for each file: a partition of its own reads a divided file for it, without a search.
    """
    listed = list(files)
    size = options.split_bytes
    if size is None:
        total = sum(file.size + _OPENING for file in listed)
        size = min(max(total // _PARTITIONS, _SMALLEST), _LARGEST)
    tables = frozenset(options.tables)
    partitions: list[tuple[Item, ...]] = []
    bundle: list[Item] = []
    bundled = 0
    for file in listed:
        cost = file.size + _OPENING
        if bundle and bundled + cost > size:
            partitions.append(tuple(bundle))
            bundle, bundled = [], 0
        if file.size > size and tables & OF_SCAN and (divided := _ranges(file, options, size)):
            if SOURCE.name in tables:
                partitions.append((Item(file, frozenset({SOURCE.name})),))
            partitions += [(Item(file, tables & OF_SCAN, range),) for range in divided]
        else:
            bundle.append(Item(file, tables))
            bundled += cost
    if bundle:
        partitions.append(tuple(bundle))
    return partitions


def _ranges(file: StoredFile, options: SourceOptions, split_bytes: int) -> list[Range]:
    """Return the ranges of a file; none if it is read as a whole, as one is that cannot be read."""
    try:
        opened = open_file(file, 0)
        if not isinstance(opened, OpenFile):
            return []
        with opened:
            return options.archive_options.reader.ranges(file.name, opened, split_bytes)
    except SourceError:
        return []
