"""Count how far a run is, for a user who waits."""

import mmap
from collections.abc import Callable, Iterable, Iterator

from urlscan.core.document import Document
from urlscan.core.errors import SourceError
from urlscan.core.records import Match
from urlscan.files.random_access import OpenFile
from urlscan.files.walk import Source, SourceResult, file_size

# A counter has three numbers: files, their bytes, and the bytes of the file that is being read.
_NUMBERS = 3
_BYTES = 8 * _NUMBERS
# How many URLs are found before the position of one is recorded.
_INTERVAL = 64


class Progress:
    """How many files and bytes were read, and of how many.

    Child processes count the files of a batch in a counter that they share with their parent.

    Attributes:
        all_files: how many files there are; complete when `expect` returns.
        all_size: how many bytes they have; None if that is not known.
        notify: called when a source was read; None for no one.
    """

    def __init__(self) -> None:
        self.notify: Callable[[], object] | None = None
        self.all_files = 0
        self.all_size: int | None = 0
        self._earlier = (0, 0)  # the files and bytes of counters that were replaced
        self._counters = memoryview(bytearray(_BYTES)).cast("Q")  # for files outside of batches, and for each batch
        self._counter = 0
        self._open: OpenFile | None = None

    @property
    def files(self) -> int:
        """Return how many files were read."""
        return self._earlier[0] + sum(self._counters[0::_NUMBERS])

    @property
    def size(self) -> int:
        """Return how many bytes were read."""
        position = self._open.position if self._open is not None else 0
        return self._earlier[1] + sum(self._counters[1::_NUMBERS]) + sum(self._counters[2::_NUMBERS]) + position

    def expect(self, items: Iterable[SourceResult]) -> list[SourceResult]:
        """Return the sources of the run, and count them as they are listed."""
        expected = []
        for item in items:
            expected.append(item)
            if isinstance(item, SourceError):
                continue
            self.all_files += 1
            if item.is_stdin:
                self.all_size = None
            elif self.all_size is not None:
                self.all_size += _size_of(item)
        return expected

    def divide(self, batches: int) -> None:
        """Create a counter for each batch of files, before processes are forked."""
        self._earlier = (self.files, self.size)
        self._counters = memoryview(mmap.mmap(-1, _BYTES * (batches + 1))).cast("Q")

    def begin_batch(self, number: int) -> None:
        """Count the next files of this process as those of a batch, by its number from 0; -1 for none."""
        self._counter = _NUMBERS * (number + 1)
        if number >= 0:
            for index in range(self._counter, self._counter + _NUMBERS):
                self._counters[index] = 0  # another process may have begun it

    def follow(self, file: OpenFile) -> None:
        """Record that a large file is read from its beginning to its end, so that its position shows the progress."""
        self._open = file

    def track(self, matches: Iterable[Match], document: Document) -> Iterator[Match]:
        """Yield the matches in a file, and record their positions as if each character had one byte."""
        if self._open is not None or document.packed:
            yield from matches
            return
        begin, _ = document.to_source(0, 0)
        for number, match in enumerate(matches):
            if not number % _INTERVAL:
                self._counters[self._counter + 2] = begin + match.start
            yield match

    def finish(self, item: SourceResult) -> None:
        """Record that a source was read."""
        self._open = None
        self._counters[self._counter + 2] = 0
        if not isinstance(item, SourceError):
            self._counters[self._counter] += 1
            self._counters[self._counter + 1] += _size_of(item)
        if self.notify is not None:
            self.notify()


def _size_of(item: Source) -> int:
    if item.is_stdin or item.content is not None:
        return 0
    return file_size(item)
