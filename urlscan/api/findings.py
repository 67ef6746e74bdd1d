"""The findings that the lint functions return, with the texts that reports show."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Generic, NamedTuple, TypeVar

from urlscan.core.document import Document
from urlscan.core.records import Finding, Skipped
from urlscan.formats.base import CheckResult
from urlscan.masking.track import Secrets, document_secrets

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


class TextFindings(NamedTuple):
    """The findings of one document of a text.

    Attributes:
        path: the name of the text.
        document: the document.
        findings: in order of position.
    """

    path: str
    document: Document
    findings: list[Finding]


class FindingList(list[Finding]):
    """A list of findings, from which `render` also takes the text. It is pickled and copied as a list.

    Args:
        texts: the findings of each document of the text.
    """

    def __init__(self, texts: list[TextFindings]) -> None:
        found = [finding for text in texts for finding in text.findings]
        super().__init__(sorted(found, key=lambda finding: (finding.start, finding.end)))
        self._texts = texts

    def __reduce__(self) -> tuple[type, tuple[list[Finding]]]:
        return list, (list(self),)

    def results(self) -> Iterator[CheckResult]:
        """Yield the findings that are still in the list, by document."""
        left = set(self)
        for path, document, findings in self._texts:
            places = [document.to_decoded(*place) for place in document.computed(document_secrets)]
            kept = [finding for finding in findings if finding in left]
            yield CheckResult(path, document, kept, Secrets(places, {}), [])


def results_of(findings: Iterable[Finding | Skipped]) -> Iterator[CheckResult]:
    """Return the findings by document, with their texts if they come from a lint function, and else without."""
    if isinstance(findings, FindingIterator):
        return (result for result in findings.results if isinstance(result, CheckResult))
    if isinstance(findings, FindingList):
        return findings.results()
    found = (finding for finding in findings if isinstance(finding, Finding))
    return (
        CheckResult(path, Document(""), list(group), Secrets([], {}), [])
        for path, group in groupby(found, key=lambda finding: finding.path)
    )
