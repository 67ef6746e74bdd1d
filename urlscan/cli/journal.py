"""What is said beside the results."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from urlscan.cli import output
from urlscan.errors import SourceError
from urlscan.run import Checked, Found, Skipped

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
        self._broken = 0

    def hear(self, results: Iterable[T | Skipped | SourceError]) -> Iterator[T]:
        """Pass the results on, and say the rest as it comes."""
        for result in results:
            if isinstance(result, SourceError):
                self.failed = True
                output.complain(str(result))
            elif isinstance(result, Skipped):
                self._skipped(result)
            else:
                if isinstance(result, Found | Checked):
                    self._read(result)
                yield result
        if self._quiet:
            return
        if self._unnamed:
            output.complain(f"{_files(self._unnamed, 'binary ')} skipped (-v names them)")
        if self._broken:
            output.complain(f"{_files(self._broken)} with bytes that are not of the encoding (-v names them)")

    def _read(self, result: Found | Checked) -> None:
        """Say how a source was read that is not in plain UTF-8: nothing is lost in silence."""
        segment = result.segment
        if segment.whole and segment.encoding in ("", "utf-8"):
            return
        if not self._verbose:
            self._broken += not segment.whole
            return
        rest = "" if segment.whole else "; what is not of it is shown as Windows-1252"
        output.complain(f"{result.path}: read as {segment.encoding}{rest}")

    def _skipped(self, source: Skipped) -> None:
        if self._quiet:
            return
        # In a directory there are always some; who names a file wants to know.
        if source.was_named or self._verbose:
            output.complain(f"{source.path}: {source.why}, skipped")
        else:
            self._unnamed += 1


def _files(number: int, what: str = "") -> str:
    return f"1 {what}file" if number == 1 else f"{number} {what}files"
