"""Summarize a run below its findings, in the formats for people."""

from collections import Counter
from collections.abc import Iterable, Iterator

from urlscan.core.records import Finding, Severity
from urlscan.formats.base import CheckResult, RenderOptions, number
from urlscan.formats.escape import escape


class Fixes:
    """Counts fixes by file and rule."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str]] = {}

    def add(self, fixed: Iterable[Finding]) -> None:
        """Count the findings that were fixed."""
        for finding in fixed:
            self._counts.setdefault(finding.where, Counter())[f"{finding.code} ({finding.name})"] += 1

    @property
    def number(self) -> int:
        """Return how many findings were fixed."""
        return sum(rules.total() for rules in self._counts.values())

    def headline(self, verb: str) -> str:
        """Return how many findings were fixed, after a verb such as "Fixed"."""
        return f"{verb} {number(self.number, 'finding')}"

    def lines(self, verb: str) -> Iterator[str]:
        """Yield the headline, and below it the number of fixes by file and rule; nothing without fixes."""
        if not self._counts:
            return
        yield f"{self.headline(verb)}:"
        for where, rules in self._counts.items():
            yield f"- {escape(where)}:"
            width = max(len(str(count)) for count in rules.values())
            for rule, count in sorted(rules.items(), key=lambda item: (-item[1], item[0])):
                yield f"    {count:>{width}} × {rule}"


class Summary:
    """Counts the findings and the fixes of a run."""

    def __init__(self) -> None:
        self._severities: Counter[Severity] = Counter()
        self._fixable: Counter[str] = Counter()
        self._fixed = Fixes()
        self._hidden = 0

    def add(self, result: CheckResult) -> None:
        """Count the findings of a document."""
        self._fixed.add(result.fixed)
        self._hidden += len(result.hidden)
        for finding in (*result.findings, *result.hidden):
            self._severities[finding.severity] += 1
            if finding.fix is not None:
                self._fixable[finding.fix.applicability] += 1

    def lines(self, options: RenderOptions) -> Iterator[str]:
        """Yield the lines of the summary; none for a run without findings and fixes, or if `options.quiet`."""
        if options.quiet:
            return
        if options.show_fixes:
            yield from (f"{line}\n" for line in self._fixed.lines("Fixed"))
        elif self._fixed.number:
            yield f"{self._fixed.headline('Fixed')}.\n"
        severities = sorted(self._severities.items(), reverse=True)
        if not severities:
            return
        rest = ""
        if self._hidden:
            rest = f"; {self._severities.total() - self._hidden} shown (--max-findings)"
        yield f"Found {', '.join(number(count, severity.label) for severity, count in severities)}{rest}.\n"
        if safe := self._fixable["safe"]:
            yield f"{number(safe, 'fix')} available with --fix.\n"
        if unsafe := self._fixable["unsafe"]:
            yield f"{number(unsafe, 'fix')} available with --fix --unsafe-fixes.\n"
