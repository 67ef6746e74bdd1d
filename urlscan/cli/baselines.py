"""The options `--baseline` and `--write-baseline` of `urlscan check`, and what is said of them."""

import argparse
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from urlscan.cli import output
from urlscan.formats.masking import escape

if TYPE_CHECKING:  # only who has a baseline loads it
    from urlscan.run.baseline import Baseline, BaselineEntry

# So many stale entries are named; -v names all.
_NAMED = 5


def add_options(group: argparse._ArgumentGroup) -> None:
    """Add the options."""
    group.add_argument("--baseline", metavar="FILE", help="report only what FILE does not hold already")
    group.add_argument(
        "--write-baseline", metavar="FILE",
        help="report nothing, but enter what is found into FILE, and take out what is no more",
    )  # fmt: skip


def baseline_of(options: argparse.Namespace) -> "Baseline | None":
    """Return the baseline that is asked for; UrlscanError if it cannot be read."""
    if options.write_baseline is None and options.baseline is None:
        return None
    from urlscan.run.baseline import read

    if options.write_baseline is not None:
        return read(options.write_baseline, missing=True)
    return read(options.baseline)


def finish(
    baseline: "Baseline", options: argparse.Namespace, codes: Callable[[str], frozenset[str]], paths: list[str]
) -> None:
    """Write the baseline, or say what in it is stale; SourceError if it cannot be written.

    Args:
        baseline: the baseline.
        options: those of the command line.
        codes: returns the rules that are on for a file.
        paths: those that the run was given.
    """
    if options.write_baseline is None:
        stale = baseline.stale(codes, paths)
        if stale and not options.quiet:
            _name(baseline.file, stale, verbose=options.verbose)
        return
    renewed, stale = baseline.update(codes, paths)
    if not options.quiet:
        gone = f", {stale.total()} taken out" if stale else ""
        files = len({entry.path for entry in renewed})
        output.complain(f"{baseline.file}: {_many(renewed.total(), 'finding')} in {_many(files, 'file')}{gone}")


def _name(file: str, stale: "Counter[BaselineEntry]", *, verbose: bool) -> None:
    """Say which entries are stale, in one line or, if all are wanted, one a line."""
    alike = Counter[tuple[str, str]]()  # the hash of a URL tells nobody anything
    for entry, count in stale.items():
        alike[entry.path, entry.code] += count
    each = [f"{p}: {code}" + (f" ({count} times)" if count > 1 else "") for (p, code), count in sorted(alike.items())]
    hint = f"--write-baseline {file} takes them out"
    what = f"{_many(stale.total(), 'finding')} of the baseline, no more there"
    if verbose:
        for one in each:
            output.complain(f"{file}: no more there: {one}")
        each = []
    more = [f"{len(each) - _NAMED} more"] if len(each) > _NAMED else []
    named = ": " + "; ".join([*map(escape, each[:_NAMED]), *more]) if each else ""
    output.complain(f"{file}: {what} ({hint}){named}")


def _many(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
