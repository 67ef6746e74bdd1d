"""Judge the URLs of sources, chunk by chunk."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from operator import attrgetter

from urlscan.core.document import Document
from urlscan.core.records import Match
from urlscan.core.settings import FileSettings, FindOptions, Settings
from urlscan.files.walk import Source
from urlscan.finder import find_in_document
from urlscan.formats.base import CheckResult
from urlscan.formats.mask import Secrets, track_secrets
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
) -> Iterator[CheckResult | Notice]:
    """Judge the URLs of every source; the arguments are those of `map_sources`.

    `settings` apply to sources for which `read_options` have no provider of settings, here and in all that follows.
    """

    def work_for(path: str) -> tuple[FindOptions, Callable[[Iterator[Document]], list[CheckResult]]]:
        file_settings = read_options.file_settings(path, settings)
        find_options = locate.find_options_for("", file_settings.settings)
        return find_options, partial(_lint_documents, file_settings, read_options)

    return map_sources(paths, read_options, jobs, work_for)


def _lint_documents(
    file_settings: FileSettings, read_options: ReadOptions, documents: Iterator[Document]
) -> list[CheckResult]:
    """Judge the documents of a batch; what is counted of one without findings is added to the result before it."""
    results: list[CheckResult] = []
    for document in documents:
        result = lint_document(document, file_settings, read_options)
        if not results or result.findings or result.note:
            results.append(result)
            continue
        previous = results[-1]
        results[-1] = previous._replace(
            urls=previous.urls + result.urls,
            links=previous.links + result.links,
            left_out=previous.left_out + result.left_out,
            excused=Counter(previous.excused) + Counter(result.excused),
        )
    return results


def check_source(source: Source, settings: Settings, read_options: ReadOptions) -> list[CheckResult]:
    """Judge the URLs of a source in memory, document by document; the arguments are those of `check`."""
    file_settings = read_options.file_settings(source.path, settings)
    documents = documents_of(source, read_options, locate.find_options_for("", file_settings.settings))
    return [lint_document(document, file_settings, read_options) for document in documents]


def lint_document(
    document: Document,
    file_settings: FileSettings,
    read_options: ReadOptions,
    matches: Iterable[Match] | None = None,
    *,
    merges: bool = True,
) -> CheckResult:
    """Find and judge the URLs of a document, or of a chunk of one. No other function runs rules on a text.

    Unused suppression comments are reported only for a whole text: a chunk does not contain the findings of the others.

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
    secrets, schemes, references = Secrets([], {}), Counter[str](), list[Match]()
    tracked = track_secrets(matches, document, secrets, schemes)
    most = max(read_options.max_findings, len(document.text) // _BYTES_PER_FINDING)
    findings = list(islice(locate.findings_of(document, tracked, settings, references), most + 1))
    if len(findings) > most:
        deque(tracked, maxlen=0)  # collect the secrets after the last finding as well: an excerpt may show them
    is_whole = document.start == 0 and document.stop == len(document.prose)
    targets = None
    if read_options.targets is not None:
        targets = read_options.targets.check(document, references, file_settings)
    if targets is not None:
        about_targets = locate.target_findings(document, targets.faults, settings)
        first, last = (document.to_source(offset, offset)[0] for offset in (document.start, document.stop))
        findings += [finding for finding in about_targets if is_whole or first <= finding.start < last]
    findings.sort(key=_POSITION)
    suppressed = suppressions.apply_suppressions(document, findings)
    findings = suppressed.findings
    if is_whole and merges and len(findings) > locate.MANY:
        findings = locate.merge_repeated(findings, settings)
    if is_whole and suppressed.unused:
        findings = findings + locate.unused_suppressions(document, suppressed.unused[: most + 1], settings)
        findings.sort(key=_POSITION)
    # Removed after suppression: a comment that suppresses one of them counts as used.
    reported = [finding for finding in findings if finding.code not in file_settings.ignored_codes]
    left_out = 0
    if reported and read_options.provider is not None and read_options.provider.is_relaxed(document.path):
        left_out = len(reported)
        reported = [finding for finding in reported if finding.code in codes_for_test_data()]
        left_out -= len(reported)
    urls = schemes.total() - schemes[""]
    result = CheckResult(document, reported, secrets, urls=urls, left_out=left_out, note=document.note)
    if targets is not None:
        result = result._replace(links=targets.links, excused=targets.excused)
    return truncated(result, read_options)


def truncated(result: CheckResult, read_options: ReadOptions) -> CheckResult:
    """Return the result with at most as many findings as are reported of its text, and a note if there are more."""
    most = max(read_options.max_findings, len(result.document.text) // _BYTES_PER_FINDING)
    if len(result.findings) <= most:
        return result
    note = f"more than {most} findings; the rest is not reported"
    return result._replace(findings=result.findings[:most], note=note)
