"""Implement the options `--fix`, `--fix-only`, `--unsafe-fixes` and `--diff` of `urlscan check`."""

from collections.abc import Iterator

from urlscan.cli import output
from urlscan.core.document import Document
from urlscan.core.errors import ConfigError
from urlscan.core.typing import TYPE_CHECKING, T
from urlscan.formats.base import RenderOptions, number
from urlscan.formats.mask import secrets_in
from urlscan.formats.text import Fixes
from urlscan.pipeline.fix import FixOptions

if TYPE_CHECKING:
    from argparse import Namespace


class FixReport:
    """Counts and reports fixes, as the options of the command line require.

    Attributes:
        reports_findings: whether the remaining findings are reported.

    Raises:
        ConfigError: an option needs another one.
    """

    def __init__(self, options: "Namespace") -> None:
        if not (options.fix or options.fix_only or options.diff):
            option = "--show-fixes"
            if options.unsafe_fixes:
                option = "--unsafe-fixes"
            raise ConfigError(f"{option} requires --fix, --fix-only or --diff")
        self.reports_findings = not (options.fix_only or options.diff)
        self._unsafe = options.unsafe_fixes
        self._diff = options.diff
        self._list = options.show_fixes
        self._changed = False
        self._fixed = Fixes()
        self._hidden = 0

    def fixing(self, render_options: RenderOptions) -> FixOptions:
        """Return the options for the run."""

        def show(old: Document, new: Document) -> None:
            from urlscan.formats.diff import render

            self._changed = True
            secrets = []
            if not render_options.show_secrets:
                secrets = [secrets_in(document, [(0, len(document.decoded))]) for document in (old, new)]
            for piece in render(old.path, old.decoded, new.decoded, secrets, render_options):
                output.write(piece)

        return FixOptions(self._unsafe, output.write, show if self._diff else None)

    def track(self, results: Iterator[Document | T]) -> Iterator[Document | T]:
        """Yield the results, without remaining findings if those are not reported."""
        for result in results:
            if isinstance(result, Document):
                self._fixed.add(result.fixed)
                self._hidden += sum(finding.fix is not None for finding in result.findings)
                if not self.reports_findings:
                    result = result.with_findings([])
            yield result

    def summarize(self) -> None:
        """Report how many findings were fixed, for formats that do not."""
        if self._fixed.number:
            self._complain("fixed")

    def finish(self, *, quiet: bool) -> bool:
        """Report how many findings would be fixed, and return whether a file would change."""
        if quiet:
            return self._changed
        output.flush()  # write the diff first
        if self._changed:
            self._complain("would fix")
        if self._hidden and not self._unsafe:
            output.complain(f"{number(self._hidden, 'unsafe fix')} not shown; --diff --unsafe-fixes shows all")
        return self._changed

    def _complain(self, verb: str) -> None:
        """Report on standard error how many findings were fixed, or which ones."""
        if self._list:
            for line in self._fixed.lines(verb):
                output.complain(line)
        else:
            output.complain(self._fixed.headline(verb))
