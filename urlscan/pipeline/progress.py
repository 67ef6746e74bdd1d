"""Count how far a run is, for a user who waits."""

from collections.abc import Callable, Iterable, Iterator
from time import monotonic

from urlscan.core.errors import SourceError
from urlscan.files.walk import STDIN, Input, OpenFile, file_size

# Seconds that are spent at a time on counting the files of a run, while files are read.
_SLICE = 0.02

Item = Input | SourceError


class Progress:
    """How many files and bytes were read, and of how many.

    Attributes:
        files: how many files were read.
        all_files: how many files there are; None while they are not counted.
        all_size: how many bytes they have; None if that is not known.
        notify: called when a source was read, or a large one is about to be; None for no one.

    Args:
        paths: the given paths.
        walk: returns the sources of the run once more, to count them.
    """

    def __init__(self, paths: list[str], walk: Callable[[], Iterable[Item]]) -> None:
        self.files = 0
        self.all_files: int | None = None
        self.all_size: int | None = None
        self.notify: Callable[[], object] | None = None
        self._size = 0
        self._open: OpenFile | None = None
        self._has_stdin = STDIN in paths
        self._walk = walk
        self._uncounted: Iterator[Item] | None = None
        self._counted = (0, 0)
        self._is_shown = False

    @property
    def size(self) -> int:
        """Return how many bytes were read."""
        return self._size + (self._open.position if self._open is not None else 0)

    @property
    def is_new(self) -> bool:
        """Return whether nothing was read yet."""
        return not self.files and self._uncounted is None

    def show(self) -> None:
        """Begin to count the files of the run, since the progress is shown from now on."""
        self._is_shown = True

    def expect(self, items: Iterable[Item]) -> None:
        """Record the sources of the run, if they are known."""
        self._uncounted = iter(items)
        self._count(begins=True)

    def begin_large(self) -> None:
        """Record that a large file is about to be read, for which there is time to count the others."""
        self._count(begins=True)

    def follow(self, file: OpenFile) -> None:
        """Record that a large file is read from its beginning to its end, so that its position shows the progress."""
        self._open = file

    def finished(self, item: Item) -> None:
        """Record that a source was read."""
        self._open = None
        if not isinstance(item, SourceError):
            self.files += 1
            self._size += _size_of(item)
        self._count()

    def _count(self, *, begins: bool = False) -> None:
        """Count the files of the run for a moment, so that reading them is hardly delayed.

        Args:
            begins: whether to begin even if the progress is not shown yet, since a large file takes long.
        """
        if self.notify is not None:
            self.notify()
        if self.all_files is not None or not (begins or self._is_shown):
            return
        if self._uncounted is None:
            self._uncounted = iter(self._walk())
        files, size = self._counted
        end = monotonic() + _SLICE
        for item in self._uncounted:
            if not isinstance(item, SourceError):
                files, size = files + 1, size + _size_of(item)
            if monotonic() > end:
                self._counted = (files, size)
                return
        self.all_files = files
        self.all_size = None if self._has_stdin else size


def _size_of(item: Input) -> int:
    return 0 if item.path == STDIN or item.content is not None else file_size(item.path)
