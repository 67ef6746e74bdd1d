"""Report errors, skipped sources and notes on standard error."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from urlscan.cli import output
from urlscan.core.document import Document
from urlscan.core.errors import ChangedError, SourceError
from urlscan.core.records import place_name
from urlscan.core.typing import T
from urlscan.formats.base import RunInfo, number
from urlscan.pipeline.extract import ExtractResult
from urlscan.pipeline.read import Note, ReadOptions, SkippedSource, walk_sources

# A path that is a URL by mistake; a drive letter is no scheme.
_URL = "(?i:[a-z][a-z0-9+.-]+://|mailto:|urn:)"
_URL_HINT = " (nothing is fetched; `urlscan parse URL` judges a URL)"


class Journal:
    """Reports which sources could not be read, and which were skipped.

    Attributes:
        failed: whether a source could not be read.
        has_read: whether a source was read.
        run: facts about the run, for reports.
        skip: reports the files that a walk skips; None if they are not reported.
    """

    def __init__(self, *, quiet: bool, verbose: bool, count_left_out: bool = False) -> None:
        self.failed = self.has_read = False
        self.run = RunInfo()
        self.skip: Callable[[str, str], object] | None = None
        if verbose and not quiet:
            self.skip = lambda path, why: output.complain(f"{path}: {why}, skipped")
        self._quiet = quiet
        self._verbose = verbose
        self._count_left_out = verbose or count_left_out
        self._left_out = 0
        self._excused: Counter[str] = Counter()
        self._broken = 0
        self._changed = 0
        self._has_notices = False
        self._counted: str | None = None  # the file counted last; its documents are consecutive
        self._last = ""  # the source reported last; a large one is reported once, not for each chunk

    def filter(self, results: Iterable[T | SkippedSource | Note | SourceError]) -> Iterator[T]:
        """Yield the results, and report everything else as it comes."""
        for result in results:
            self.record(result)
            if not isinstance(result, SourceError | SkippedSource | Note):
                yield result
        self.report_counts()

    def record(self, result: object) -> None:
        """Count what was read, and report a notice about a source."""
        if isinstance(result, Document):
            self.run.files += result.path != self._counted
            self._counted = result.path
            self.run.urls += result.checked_urls
            self.run.links += result.checked_links
            self._left_out += result.left_out
            self._excused.update(result.excused)
            if result.note or not result.whole or result.encoding not in ("", "utf-8"):
                self._report_reading(place_name(result.path, result.member), result.encoding, result.whole, result.note)
        elif isinstance(result, ExtractResult):
            self._report_reading(result.path, result.encoding, result.whole, result.note)
        elif isinstance(result, SourceError):
            self._fail(f"{result}{_URL_HINT if re.match(_URL, result.path) else ''}")
            self._changed += isinstance(result, ChangedError)
        elif isinstance(result, SkippedSource):
            self._report_skipped(result)
        elif isinstance(result, Note) and not self._quiet:
            output.complain(f"{result.path}: {result.message}")
        self._has_notices |= isinstance(result, SourceError | SkippedSource)
        self.has_read |= not isinstance(result, SourceError | SkippedSource | Note)

    def totals(self) -> str:
        """Return how much was checked, in words."""
        counts = {"file": self.run.files, "URL": self.run.urls, "link": self.run.links}
        totals = ", ".join(number(count, noun) for noun, count in counts.items())
        if self._excused:
            totals += f" ({self._excused.total():,} not checked)"
        return totals

    def finish(self, paths: list[str], read_options: ReadOptions, participle: str) -> None:
        """Report if no file was read, with a participle such as "checked"."""
        if not (self.has_read or self._has_notices):
            # A source without results, such as an empty mailbox, was read as well.
            self.has_read = next(walk_sources(paths, read_options._replace(skipped=None)), None) is not None
        if not (self.has_read or self.failed or self._quiet):
            output.complain(f"warning: no files were {participle}")

    def report_counts(self) -> None:
        """Report how many sources were not read or written as they are, and how many findings were left out."""
        if self._quiet:
            return
        if self._changed:
            output.complain(f"{number(self._changed, 'file')} not written: changed by another program")
        if self._broken:
            output.complain(f"invalid bytes in {number(self._broken, 'file')} (-v lists the files)")
        if self._left_out and self._count_left_out:
            output.complain(f"{number(self._left_out, 'finding')} in test data left out (relaxed-paths)")
        if self._excused and self._count_left_out:
            reasons = ", ".join(f"{count} {name}" for name, count in self._excused.most_common())
            output.complain(f"{number(self._excused.total(), 'link')} not checked: {reasons}")

    def _report_reading(self, path: str, encoding: str, whole: bool, note: str) -> None:
        """Report the note about a source, and its encoding if it is not valid UTF-8."""
        if note and not self._quiet:
            output.complain(f"{path}: {note}")
        if (whole and encoding in ("", "utf-8")) or path == self._last:
            return
        self._last = path
        if not self._verbose:
            self._broken += not whole
            return
        if not whole:
            encoding += "; invalid bytes are shown as Windows-1252"
        output.complain(f"{path}: read as {encoding}")

    def _fail(self, message: str) -> None:
        self.failed = True
        self.run.fail(message)
        output.complain(message)

    def _report_skipped(self, skipped: SkippedSource) -> None:
        source = skipped.source
        if skipped.is_error:
            self._fail(f"{source.where}: {skipped.why}")
        # Directories usually contain binary files; a named one is reported.
        elif not self._quiet and (source.was_named or self._verbose):
            output.complain(f"{source.where}: {skipped.why}, skipped")
