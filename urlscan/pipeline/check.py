"""Judge the URLs of sources, chunk by chunk."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from operator import attrgetter

from urlscan.core.document import Document
from urlscan.core.records import Match
from urlscan.core.settings import FileSettings, FindOptions, Settings
from urlscan.files.walk import Source
from urlscan.finder import find_in_document
from urlscan.linter import locate, suppressions
from urlscan.linter.judge import codes_for_test_data
from urlscan.pipeline.divide import map_sources
from urlscan.pipeline.read import Notice, ReadOptions, documents_of

# Limit on the findings of a large chunk: one for this many characters. A finding takes about 1 KB, and a URL with
# several of them may have only 13 bytes.
_BYTES_PER_FINDING = 80
_POSITION = attrgetter("start", "end")


def check(
    paths: Iterable[str | Source], settings: Settings, read_options: ReadOptions, jobs: int = 1
) -> Iterator[Document | Notice]:
    """Judge the URLs of every source; the arguments are those of `map_sources`.

    `settings` apply to sources for which `read_options` have no provider of settings, here and in all that follows.
    """

    def work_for(path: str) -> tuple[FindOptions, Callable[[Iterator[Document]], list[Document]]]:
        file_settings = read_options.file_settings(path, settings)
        find_options = locate.find_options_for("", file_settings.settings)
        return find_options, partial(_lint_documents, file_settings, read_options)

    return map_sources(paths, read_options, jobs, work_for)


def _lint_documents(
    file_settings: FileSettings, read_options: ReadOptions, documents: Iterator[Document]
) -> list[Document]:
    """Judge the documents of a batch; what is counted of one without findings is added to the document before it."""
    results: list[Document] = []
    for document in documents:
        lint_document(document, file_settings, read_options)
        if not results or document.findings or document.note:
            results.append(document)
            continue
        previous = results[-1]
        previous.checked_urls += document.checked_urls
        previous.checked_links += document.checked_links
        previous.left_out += document.left_out
        previous.excused = Counter(previous.excused) + Counter(document.excused)
    # The text of a document is sent to the parent process only for an excerpt.
    return [document if document.findings else document.without_text() for document in results]


def check_source(source: Source, settings: Settings, read_options: ReadOptions) -> list[Document]:
    """Judge the URLs of a source in memory, document by document; the arguments are those of `check`."""
    file_settings = read_options.file_settings(source.path, settings)
    documents = list(documents_of(source, read_options, locate.find_options_for("", file_settings.settings)))
    for document in documents:
        lint_document(document, file_settings, read_options)
    return documents


def lint_document(
    document: Document,
    file_settings: FileSettings,
    read_options: ReadOptions,
    matches: Iterable[Match] | None = None,
    *,
    merges: bool = True,
) -> None:
    """Find and judge the URLs of a document, or of a chunk of one, and record its findings in it.

    No other function runs rules on a text. Unused suppression comments are reported only for a whole text: a chunk does
    not contain the findings of the others.

    Args:
        matches: its matches, as the linter needs them, if the document was searched before.
        merges: whether a fault that the document repeats often is reported once; a table keeps each finding as it is,
            however a source is divided.
    """
    settings = file_settings.settings
    if matches is None:
        matches = find_in_document(document, locate.find_options_for(document.kind, settings))
    if read_options.progress is not None:
        matches = read_options.progress.track(matches, document)
    matches = list(matches)
    references, most = list[Match](), max(read_options.max_findings, len(document.text) // _BYTES_PER_FINDING)
    findings = locate.findings_of(document, matches, settings, references, most + 1)
    is_whole = document.start == 0 and document.stop == len(document.prose)
    targets = None
    if read_options.targets is not None:
        targets = read_options.targets.check(document, references, file_settings)
    if targets is not None:
        document.checked_links, document.excused = targets.links, targets.excused
        about_targets = locate.target_findings(document, targets.faults, settings)
        first, last = (document.to_source(offset, offset)[0] for offset in (document.start, document.stop))
        findings += [finding for finding in about_targets if is_whole or first <= finding.start < last]
    findings.sort(key=_POSITION)
    findings, unused = suppressions.apply_suppressions(document, findings)
    if is_whole and merges and len(findings) > locate.MANY:
        findings = locate.merge_repeated(findings, settings)
    if is_whole and unused:
        findings = findings + locate.unused_suppressions(document, unused[: most + 1], settings)
        findings.sort(key=_POSITION)
    # Removed after suppression: a comment that suppresses one of them counts as used.
    findings = [finding for finding in findings if finding.code not in file_settings.ignored_codes]
    if findings and read_options.provider is not None and read_options.provider.is_relaxed(document.path):
        document.left_out = len(findings)
        findings = [finding for finding in findings if finding.code in codes_for_test_data()]
        document.left_out -= len(findings)
    document.findings = findings
    if findings:  # an excerpt may show any match
        document.sensitive = list(filter(document.is_sensitive, matches))
    if len(findings) > most:
        limit_findings(document, most)


def limit_findings(document: Document, most: int) -> None:
    """Leave `most` findings in a document, or more if it is large, and a note if there were others."""
    most = max(most, len(document.text) // _BYTES_PER_FINDING)
    if len(document.findings) > most:
        document.findings = document.findings[:most]
        document.note = f"more than {most} findings; the rest is not reported"
