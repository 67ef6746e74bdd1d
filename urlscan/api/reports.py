"""The public functions that show findings and mask secrets, and the findings with their texts."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Generic, TypeVar, get_args

from urlscan.core.choices import Format
from urlscan.core.document import Document
from urlscan.core.document import readable as readable_text
from urlscan.core.records import Finding, Skipped
from urlscan.core.secrets import redact
from urlscan.core.settings import check_choice, check_text
from urlscan.formats.base import RenderOptions, renderer

if TYPE_CHECKING:
    from urlscan.config.statuses import Status as Status


def render(
    findings: Iterable[Finding | Skipped],
    format: Format = "full",
    *,
    color: bool = False,
    show_secrets: bool = False,
    summary: bool = True,
) -> Iterator[str]:
    """Return a report in a format of `urlscan check`, in pieces, while the findings arrive.

    Args:
        findings: what a lint function returned. The texts come with it; findings from another iterable are shown
            without excerpts, and without the positions of fixes. A `Skipped` is not shown.
        color: whether to use terminal colors.
        show_secrets: whether passwords and other secrets are shown unmasked.
        summary: whether the formats for people end with the number of findings.

    `"".join` makes a string of the pieces. An unknown format raises ConfigError.

    >>> import urlscan
    >>> print("".join(render(urlscan.lint("See <http://h.example/a|b>."), "concise")), end="")
    -:1:24: U101 unsafe-character error: "|" (U+007C) must be escaped in the path
    Found 1 error.
    1 fix available with --fix --unsafe-fixes.
    """
    check_choice("format", format, get_args(Format))
    return renderer(format)(_results_of(findings), RenderOptions(color, show_secrets, quiet=not summary))


def mask(text: str) -> str:
    """Return `text` with passwords and other secrets in its URLs replaced by `***`.

    Masked are passwords, the values of parameters that carry secrets, and tokens of known services, as in all output
    of the command (see the page on secrets). It errs towards masking too much.

    >>> mask("ftp://jo:x1y2z3@h.example/ and http://h.example/?access_token=abcdefgh12345678")
    'ftp://jo:***@h.example/ and http://h.example/?access_token=***'
    """
    check_text("mask", text)
    return redact(text)


def readable(text: str) -> str:
    r"""Return `text` with its undecodable bytes, the surrogates of `os.fsdecode`, shown as Windows-1252.

    >>> import os
    >>> readable(os.fsdecode(b"caf\xe9"))
    'café'
    """
    check_text("readable", text)
    return readable_text(text)


# --- findings with the texts that reports show

T = TypeVar("T", Finding, Finding | Skipped)


class FindingIterator(Iterator[T], Generic[T]):
    """An iterator over the findings of documents, from which `render` also takes the texts."""

    def __init__(self, results: Iterator[Document | Skipped]) -> None:
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
    """The findings of a text in order, from which `render` also takes the text. It is pickled and copied as a list."""

    def __init__(self, results: list[Document]) -> None:
        findings = [finding for result in results for finding in result.findings]
        super().__init__(sorted(findings, key=lambda finding: (finding.start, finding.end)))
        self._results = results

    def __reduce__(self) -> tuple[type, tuple[list[Finding]]]:
        return list, (list(self),)

    def results(self) -> Iterator[Document]:
        """Yield the findings that are still in the list, by document."""
        remaining = set(self)
        for result in self._results:
            yield result.with_findings([finding for finding in result.findings if finding in remaining])


def _results_of(findings: Iterable[Finding | Skipped]) -> Iterator[Document]:
    """Return the findings by document, with their texts if they come from a lint function, and else without."""
    if isinstance(findings, FindingIterator):
        return (result for result in findings.results if isinstance(result, Document))
    if isinstance(findings, FindingList):
        return findings.results()
    return (
        Document("", path=path).with_findings(list(group))
        for path, group in groupby(_only_findings(findings), key=lambda finding: finding.path)
    )


def _only_findings(findings: Iterable[Finding | Skipped]) -> Iterator[Finding]:
    """Yield the findings; raise TypeError for anything else that is not a `Skipped`."""
    for finding in findings:
        if isinstance(finding, Finding):
            yield finding
        elif not isinstance(finding, Skipped):
            raise TypeError(f"urlscan.render takes findings, not {type(finding).__name__}")
