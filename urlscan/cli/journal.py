"""What is said beside the results."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from urlscan.cli import output
from urlscan.errors import SourceError
from urlscan.run import Skipped

T = TypeVar("T")


class Journal:
    """Says which sources could not be read, and which were passed over.

    Attributes:
        failed: whether a source could not be read.
    """

    def __init__(self, *, quiet: bool, verbose: bool) -> None:
        self.failed = False
        self._quiet = quiet
        self._verbose = verbose
        self._unnamed = 0

    def hear(self, results: Iterable[T | Skipped | SourceError]) -> Iterator[T]:
        """Pass the results on, and say the rest as it comes."""
        for result in results:
            if isinstance(result, SourceError):
                self.failed = True
                output.complain(str(result))
            elif isinstance(result, Skipped):
                self._skipped(result)
            else:
                yield result
        if self._unnamed and not self._quiet:
            files = "1 binary file" if self._unnamed == 1 else f"{self._unnamed} binary files"
            output.complain(f"{files} skipped (-v names them)")

    def _skipped(self, source: Skipped) -> None:
        if self._quiet:
            return
        # In a directory there are always some; who names a file wants to know.
        if source.was_named or self._verbose:
            output.complain(f"{source.path}: {source.why}, skipped")
        else:
            self._unnamed += 1
