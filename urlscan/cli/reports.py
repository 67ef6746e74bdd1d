"""Write the findings: `--format`, each with an optional `--output-file`, and `--statistics`."""

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack

from urlscan.cli import output
from urlscan.core.document import Document
from urlscan.core.errors import ConfigError
from urlscan.core.record import NamedTuple
from urlscan.core.typing import TYPE_CHECKING
from urlscan.formats import COMMANDS, STATISTICS
from urlscan.formats.base import RenderOptions, renderer

if TYPE_CHECKING:
    from argparse import Namespace


class Report(NamedTuple):
    """One format ("" for the default) and its file; None for standard output."""

    format: str
    file: str | None


def make_reports(options: "Namespace", default: Report) -> list[Report]:
    """Return the reports to write; raise ConfigError if two have the same destination."""
    given: list[Report] = options.reports or [default]
    reports = [report if report.format else report._replace(format=default.format) for report in given]
    reports = [report._replace(file=None) if report.file == "-" else report for report in reports]
    if options.statistics:
        for report in reports:
            if report.format not in STATISTICS:
                hint = f"supported: {', '.join(STATISTICS)}"
                raise ConfigError(f"--statistics is not supported by {report.format}", hint=hint)
        reports = [report._replace(format=STATISTICS[report.format]) for report in reports]
    files = [report.file for report in reports]
    if files.count(None) > 1:
        formats = " and ".join(report.format for report in reports if report.file is None)
        raise ConfigError(
            f"{formats} would both be written to standard output", hint="add --output-file after one of them"
        )
    twice = next((file for file in files if files.count(file) > 1), None)
    if twice is not None:
        raise ConfigError(f"two formats for {twice}", hint="each needs a different --output-file")
    return reports


def write_all(
    results: Iterable[Document], reports: list[Report], options: RenderOptions, paths: list[str], *, to_stderr: bool
) -> None:
    """Write the reports while the results arrive; a file gets its name when it is complete.

    Files are completed even if standard output is closed.

    Raises:
        SourceError: a file cannot be written, or is one of the checked `paths`.
        BrokenPipeError: standard output is closed, and there are no files.
    """
    from urlscan.files.atomic_write import AtomicFile  # most runs write no files

    with ExitStack() as stack:
        files: list[AtomicFile | None] = []
        for report in reports:
            new = report.file and stack.enter_context(AtomicFile(report.file, "written", new=True, inputs=paths))
            files.append(new or None)
        is_read = True
        if sys.stdout is None:
            output.abandon()
        plain = options._replace(color=False, links=False)
        options_by_report = [options if report.file is None else plain for report in reports]
        for number, piece in _in_step(results, [renderer(report.format) for report in reports], options_by_report):
            file, commands = files[number], reports[number].format in COMMANDS
            if file is not None:
                file.write(output.encoded(piece, commands=commands))
            elif is_read:
                is_read = _is_read(output.write, piece, to_stderr=to_stderr, commands=commands)
        if is_read:
            _is_read(output.flush)
        for file in files:
            if file is not None:
                file.keep()


def _is_read(write: Callable[..., object], *arguments: object, **options: object) -> bool:
    """Write to standard output and return whether it is still open."""
    try:
        write(*arguments, **options)
    except BrokenPipeError:
        output.abandon()
        return False
    return True


def _in_step(
    results: Iterable[Document],
    renders: list[Callable[[Iterable[Document], RenderOptions], Iterator[str]]],
    options_by_report: list[RenderOptions],
) -> Iterator[tuple[int, str]]:
    """Yield the output of all formats; each consumes a result only after the others have consumed the previous one.

    Results without findings are dropped: otherwise one format could consume all of them for one piece of output, while
    they are kept for the others. `itertools.tee` would keep 57 at a time, each with its text.
    """
    rendered = (result for result in results if result.findings or result.fixed or result.hidden)
    waiting: list[deque[Document]] = [deque() for _ in renders]

    def read_next() -> bool:
        """Let the next result wait for each format, and return whether there is one."""
        result = next(rendered, None)
        if result is None:
            return False
        for documents in waiting:
            documents.append(result)
        return True

    def feed(documents: deque[Document]) -> Iterator[Document]:
        while documents or read_next():
            yield documents.popleft()

    going = {number: render(feed(waiting[number]), options_by_report[number]) for number, render in enumerate(renders)}
    while going:
        number = max(going, key=lambda number: len(waiting[number]))
        piece = next(going[number], None)
        if piece is None:
            del going[number]
        else:
            yield number, piece
