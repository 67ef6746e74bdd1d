"""Divide a large file among machines that know nothing of each other.

A mailbox is divided between batches of messages. A text is divided between chunks: a URL that crosses the start of a
chunk would need the end of the URL before it, and so a range begins at a chunk that no URL crosses, wherever a search
begins. Both neighbors find that place on their own.
"""

from collections.abc import Sequence

from urlscan.core.document import Document
from urlscan.core.record import NamedTuple
from urlscan.core.settings import FindOptions
from urlscan.documents.mail import split
from urlscan.files import chunks
from urlscan.files.random_access import Counted, OpenFile, Positions
from urlscan.finder import find_in_document, restored
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
    """Return the ranges of a file of about `size` bytes, in whole chunks; none if it must be read as a whole."""
    kind = divided_kind(path, file, read_options)
    if not kind:
        return []
    if kind == "plain":
        starts = [offset // chunks.SIZE for offset in _places(file.size, size, chunks.SIZE)]
    else:
        places = split.batch_starts(file, kind, _places(file.size, size, split.SIZE))
        starts = sorted(set(places) - {file.size})
    divided = [Range(kind, start, end) for start, end in zip(starts, [*starts[1:], None], strict=True)]
    if len(divided) <= _MOST_UNCOUNTED:
        return divided
    if kind == "plain":
        counted = chunks.counted_starts(file, read_options.encoding, starts)
    else:
        positions = Positions(file, is_mail=True)
        counted = (Counted(offset, *positions.of(offset)) for offset in starts)
    return [part._replace(counted=start) for part, start in zip(divided, counted, strict=True)]


def _places(total: int, size: int, unit: int) -> list[int]:
    """Return multiples of a unit that divide a number of bytes into parts of about a size, from 0."""
    number = max(-(-total // size), 1)
    places = {-(-total * part // number // unit) * unit for part in range(number)}
    return sorted(offset for offset in places if offset < total or not offset)


def first_chunk(file: OpenFile, read_options: ReadOptions, searches: Sequence[FindOptions], number: int) -> int:
    """Return the number of the first chunk, from a number on, that no URL crosses; without one, that after the last."""
    if number:
        for make in chunks.file_chunks(file, read_options.encoding, first=number - 1):
            chunk = make()
            if not any(_crosses(chunk, options) for options in searches):
                break
            number += 1
    return number


def _crosses(document: Document, options: FindOptions) -> bool:
    """Return whether a search that begins anywhere in a chunk may find a URL that ends after the chunk."""
    document = restored(document, options)
    text, end = document.prose, document.stop
    position = max(end - _LONGEST, 0)
    while position < end < len(text):
        rest = document.chunk(position, end)
        match = next(iter(find_in_document(rest, options)), None)
        if match is None:
            return False
        if match.outer_end > end:
            return True
        # The next search begins after the colon of this match.
        position = max(position, text.find(":", max(position, match.outer_start), match.outer_end)) + 1
    return False
