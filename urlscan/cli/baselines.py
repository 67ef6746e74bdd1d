"""Implement the options `--baseline` and `--write-baseline` of `urlscan check`."""

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from urlscan.cli import output
from urlscan.formats.base import number

if TYPE_CHECKING:  # loaded only for options, or for a baseline
    from argparse import Namespace, _ArgumentGroup

    from urlscan.pipeline.baseline import Baseline, BaselineEntry

# Limit on stale entries in the summary; -v lists all.
_NAMED = 5


def add_options(group: "_ArgumentGroup") -> None:
    """Add the options to an argument group."""
    group.add_argument("--baseline", metavar="FILE", help="report only findings that FILE does not contain")
    group.add_argument(
        "--write-baseline", metavar="FILE",
        help="record all findings in FILE, remove stale ones, and report nothing",
    )  # fmt: skip


def baseline_of(options: "Namespace") -> "Baseline | None":
    """Return the requested baseline, or None; raise UrlscanError if it cannot be read."""
    if options.write_baseline is None and options.baseline is None:
        return None
    from urlscan.pipeline.baseline import read

    if options.write_baseline is not None:
        return read(options.write_baseline, missing=True)
    return read(options.baseline)


def finish(
    baseline: "Baseline", options: "Namespace", codes: Callable[[str], frozenset[str]], paths: list[str]
) -> None:
    """Write the baseline, or report its stale entries; raise SourceError if it cannot be written.

    Args:
        options: the options of the command line.
        codes: returns the codes of the rules that are enabled for a file.
        paths: the paths given to the run.
    """
    if options.write_baseline is None:
        stale = baseline.stale(codes, paths)
        if stale and not options.quiet:
            _name(baseline.file, stale, verbose=options.verbose)
        return
    renewed, stale = baseline.update(codes, paths)
    if not options.quiet:
        gone = f", {stale.total()} removed" if stale else ""
        files = len({entry.path for entry in renewed})
        output.complain(f"{baseline.file}: {number(renewed.total(), 'finding')} in {number(files, 'file')}{gone}")


def _name(file: str, stale: "Counter[BaselineEntry]", *, verbose: bool) -> None:
    """Report stale entries in one line, or, if `verbose`, one per line."""
    alike = Counter[tuple[str, str]]()  # the hash of the URL is of no use to a reader
    for entry, count in stale.items():
        alike[entry.path, entry.code] += count
    lines = [f"{p}: {code}" + (f" ({count} times)" if count > 1 else "") for (p, code), count in sorted(alike.items())]
    hint = f"remove them with --write-baseline {file}"
    what = f"{number(stale.total(), 'finding')} of the baseline no longer found"
    if verbose:
        for line in lines:
            output.complain(f"{file}: no longer found: {line}")
        lines = []
    from urlscan.formats.escape import escape

    more = [f"{len(lines) - _NAMED} more"] if len(lines) > _NAMED else []
    named = ": " + "; ".join([*map(escape, lines[:_NAMED]), *more]) if lines else ""
    output.complain(f"{file}: {what} ({hint}){named}")
