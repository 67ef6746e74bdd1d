"""Divide a large file among machines that know nothing of each other.

A mailbox is divided between batches of messages. A text is divided between chunks: a URL that crosses the start of a
chunk would need the end of the URL before it, and so a range begins at a chunk that no URL crosses, wherever a search
begins. Both neighbors find that place on their own.
"""

from collections.abc import Sequence
from typing import NamedTuple

from urlscan.core.document import Document
from urlscan.core.find_options import FindOptions
from urlscan.documents.mail import split
from urlscan.files import chunks
from urlscan.files.random_access import Counted, Positions
from urlscan.files.walk import OpenFile
from urlscan.finder import find_in_document
from urlscan.finder.refang import refanged
from urlscan.pipeline.read import ReadOptions, divided_kind

# Characters of an occurrence, delimiters included, and of the text before its first one that reading it inspects.
_LONGEST = (1 << 16) + 1024

# The reader of a range counts the lines before it, half of the file on average: with so many ranges, at most
# a quarter of the time for searching. In files with more ranges, lines are counted when the file is divided.
_MOST_UNCOUNTED = 16


class Range(NamedTuple):
    """A part of a large file.

    Attributes:
        kind: plain, or that of a mailbox.
        start: the offset of the first batch of a mailbox; in a text, the number of the chunk from which to search for
            the first chunk of the range.
        stop: the same for the end; None for that of the file.
        counted: an offset before the range whose position is known; None: its reader counts lines from the start.
    """

    kind: str
    start: int
    stop: int | None
    counted: Counted | None = None


def ranges(path: str, file: OpenFile, read_options: ReadOptions, size: int) -> list[Range]:
    """Return the ranges of a file, none if it must be read as a whole.

    Args:
        size: the size of a range in bytes; chunks and batches are not divided.
    """
    kind = divided_kind(path, file, read_options)
    if not kind:
        return []
    if kind == "plain":
        starts = [place // chunks.SIZE for place in _places(file.size, size, chunks.SIZE)]
    else:
        places = split.batch_starts(file, kind, _places(file.size, size, split.SIZE))
        starts = sorted(set(places) - {file.size})
    found = [Range(kind, start, stop) for start, stop in zip(starts, [*starts[1:], None], strict=True)]
    return found if len(found) <= _MOST_UNCOUNTED else _counted(found, file, read_options)


def _counted(found: list[Range], file: OpenFile, read_options: ReadOptions) -> list[Range]:
    """Return ranges with the positions of their starts; reads the file."""
    encoding = read_options.encoding
    is_text = found[0].kind == "plain"
    positions = chunks.text_positions(file, encoding) if is_text else Positions(file)
    counted = []
    for one in found:
        offset = chunks.chunk_start(file, encoding, one.start) if is_text else one.start
        counted.append(one._replace(counted=Counted(offset, *positions.of(offset))))
    return counted


def _places(total: int, size: int, unit: int) -> list[int]:
    """Return multiples of a unit that divide a number of bytes into parts of about a size, from 0."""
    number = max(-(-total // size), 1)
    places = {-(-total * part // number // unit) * unit for part in range(number)}
    return sorted(place for place in places if place < total or not place)


def first_chunk(file: OpenFile, read_options: ReadOptions, searches: Sequence[FindOptions], number: int) -> int:
    """Return the number of the first chunk, from a number on, that no URL crosses; that after the last one if none is.

    Args:
        searches: the URLs that are found in it.
        number: the number of a chunk, from 0.
    """
    if number:
        for make in chunks.file_chunks(file, read_options.encoding, first=number - 1):
            chunk = make()
            if not any(_crosses(chunk, options) for options in searches):
                break
            number += 1
    return number


def _crosses(document: Document, options: FindOptions) -> bool:
    """Return whether a search that begins anywhere in a chunk may find a URL that ends after the chunk."""
    if options.defanged:
        document = refanged(document)
    text, stop = document.prose, document.stop
    at = max(stop - _LONGEST, 0)
    while at < stop < len(text):
        rest = document.chunk(at, stop)
        match = next(iter(find_in_document(rest, options)), None)
        if match is None:
            return False
        end = match.outer_end
        if end > stop:
            return True
        # The next search begins after the colon of this match.
        at = max(at, text.find(":", max(at, match.outer_start), end)) + 1
    return False
