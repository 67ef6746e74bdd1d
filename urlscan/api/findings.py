"""The findings that the lint functions return, with the texts that reports show."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Generic, TypeVar

from urlscan.core.document import Document
from urlscan.core.records import Finding, Skipped
from urlscan.formats.base import CheckResult
from urlscan.formats.mask import Secrets

T = TypeVar("T", Finding, Finding | Skipped)


class FindingIterator(Iterator[T], Generic[T]):
    """An iterator over findings, from which `render` also takes the texts.

    Args:
        results: the findings of one document after the other.
    """

    def __init__(self, results: Iterator[CheckResult | Skipped]) -> None:
        self.results = results
        self._items: Iterator[T] = self._each()

    def __next__(self) -> T:
        return next(self._items)

    def _each(self) -> Iterator[T]:
        for result in self.results:
            if isinstance(result, Skipped):
                yield result  # type: ignore[misc]
            else:
                yield from result.findings


class FindingList(list[Finding]):
    """A list of findings, from which `render` also takes the text. It is pickled and copied as a list.

    Args:
        results: the findings of each document of the text.
    """

    def __init__(self, results: list[CheckResult]) -> None:
        findings = [finding for result in results for finding in result.findings]
        super().__init__(sorted(findings, key=lambda finding: (finding.start, finding.end)))
        self._results = results

    def __reduce__(self) -> tuple[type, tuple[list[Finding]]]:
        return list, (list(self),)

    def results(self) -> Iterator[CheckResult]:
        """Yield the findings that are still in the list, by document."""
        remaining = set(self)
        for result in self._results:
            yield result._replace(findings=[finding for finding in result.findings if finding in remaining])


def results_of(findings: Iterable[Finding | Skipped]) -> Iterator[CheckResult]:
    """Return the findings by document, with their texts if they come from a lint function, and else without."""
    if isinstance(findings, FindingIterator):
        return (result for result in findings.results if isinstance(result, CheckResult))
    if isinstance(findings, FindingList):
        return findings.results()
    without_text = (finding for finding in findings if isinstance(finding, Finding))
    return (
        CheckResult(Document("", path=path), list(group), Secrets([], {}))
        for path, group in groupby(without_text, key=lambda finding: finding.path)
    )
