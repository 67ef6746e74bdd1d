"""Judge the URLs of one source, segment by segment."""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice

from urlscan.core.errors import SourceError
from urlscan.core.records import Finding
from urlscan.core.segment import Decoding, Segment
from urlscan.core.settings import FileSettings, Settings
from urlscan.finder import UrlMatch, find_in_segment
from urlscan.linter import locate, suppressions
from urlscan.linter.selection import codes_for_test_data
from urlscan.masking.track import Secrets, text_secrets, track_secrets
from urlscan.pipeline.divide import chunks_of, map_chunks
from urlscan.pipeline.mailboxes import map_messages
from urlscan.pipeline.read import Large, Note, ReadOptions, Source, segments_of, shown_name
from urlscan.pipeline.results import CheckResult

# Limit on the findings of a segment: this number, or in a large segment one for this many characters.
_FINDINGS = 10_000
_BYTES_PER_FINDING = 80


def without_text(result: CheckResult) -> CheckResult:
    """Return the result without its text if it has no findings, since it is sent between processes."""
    if result.findings:
        return result
    segment = result.segment
    empty = Segment("", decoding=Decoding(segment.encoding, segment.whole))
    empty.member, empty.packed = segment.member, segment.packed
    return result._replace(segment=empty, secrets=Secrets([], {}))


def _judged(
    settings: Settings, path: str, matches: Iterator[UrlMatch], segment: Segment, most: int | None = None
) -> CheckResult:
    """Judge the URLs of a chunk; keep at most `most` + 1 findings, so that the caller can tell that there are more."""
    secrets = Secrets([], {})
    seen = track_secrets(matches, segment.text, secrets)
    found = list(islice(locate.findings_of(segment, seen, settings, path), most and most + 1))
    if most and len(found) > most:
        deque(seen, maxlen=0)  # collect the secrets after the last finding as well: an excerpt may show them
    if found and segment.replacements:
        # Texts that are not URLs (`ftp://jo:pw@%s/`) have secrets too, which escapes and folds hide in the document.
        secrets.places.extend(text_secrets(segment.text))
    secrets.places[:] = [segment.to_document(*place) for place in secrets.places]
    return CheckResult(path, segment, found, secrets, [])


def judge_chunk(
    file_settings: FileSettings, read_options: ReadOptions, path: str, matches: Iterator[UrlMatch], segment: Segment
) -> CheckResult:
    """Judge the URLs of a chunk of a large source."""
    result = _judged(file_settings.settings, path, matches, segment)
    # Unused comments are unknown here: a chunk does not see the findings of the others.
    result = result._replace(findings=suppressions.apply_to_segment(segment, result.findings).findings)
    return without_text(_reported(result, file_settings, read_options))


def _most_findings(segment: Segment) -> int:
    """Return the limit on the findings of a segment.

    A finding takes about 1 KB, and a URL with several of them may have only 13 bytes.
    """
    return max(_FINDINGS, len(segment.text) // _BYTES_PER_FINDING)


def _limited(segment: Segment, findings: list[Finding]) -> list[Finding]:
    """Return the first findings of a segment; add a note to the segment if there are more."""
    most = _most_findings(segment)
    if len(findings) <= most:
        return findings
    segment.note = f"more than {most} findings; the rest is not reported"
    return findings[:most]


def with_notes(source: Source, results: Iterable[CheckResult]) -> Iterator[CheckResult | Note]:
    """Yield the results, each after the note of its segment."""
    for result in results:
        if result.segment.note:
            yield Note(shown_name(source), result.segment.note)
        yield result


def check_source(source: Source, settings: Settings, read_options: ReadOptions, jobs: int = 1) -> Iterator[CheckResult]:
    """Judge the URLs of one source by segment."""
    file_settings = read_options.file_settings(source.path, settings)
    settings = file_settings.settings
    for segment in segments_of(source, read_options):

        def judge(matches: Iterator[UrlMatch], segment: Segment) -> tuple[list[Finding], Secrets]:
            result = _judged(settings, source.path, matches, segment, _most_findings(segment))
            return result.findings, result.secrets

        findings, secrets = list[Finding](), Secrets([], {})
        for some, theirs in map_chunks(chunks_of(segment, jobs), locate.wanted(segment.kind, settings), jobs, judge):
            findings = _limited(segment, findings + some)
            secrets.add(theirs)
        left = suppressions.apply_to_segment(segment, findings)
        places = left.places()[: _most_findings(segment) + 1]
        unused = locate.unused_suppressions(segment, places, settings, source.path)
        findings = _limited(segment, sorted(left.findings + unused, key=_place)) if unused else left.findings
        yield _reported(CheckResult(source.path, segment, findings, secrets, []), file_settings, read_options)


def check_mail(
    source: Source | Large, kind: str, settings: Settings, read_options: ReadOptions, jobs: int
) -> Iterator[CheckResult | Note | SourceError]:
    """Judge the URLs of a mail or a mailbox, message by message."""
    file_settings = read_options.file_settings(source.path, settings)

    def judge(segment: Segment) -> CheckResult:
        matches = find_in_segment(segment, locate.wanted(segment.kind, file_settings.settings))
        result = _judged(file_settings.settings, source.path, matches, segment, _most_findings(segment))
        result = result._replace(findings=_limited(segment, result.findings))
        return without_text(_reported(result, file_settings, read_options))

    return map_messages(source, kind, read_options, jobs, judge, lambda result: bool(result.findings))


def _reported(checked: CheckResult, file_settings: FileSettings, read_options: ReadOptions) -> CheckResult:
    """Return the result without the findings excluded by `per-file-ignores` and `relaxed-paths`.

    They are removed after suppression: a comment that suppresses one of them counts as used.
    """
    findings = checked.findings
    if file_settings.ignored_codes:
        findings = [finding for finding in findings if finding.code not in file_settings.ignored_codes]
    if not findings or read_options.provider is None or not read_options.provider.is_relaxed(checked.path):
        return checked._replace(findings=findings)
    reported = codes_for_test_data()
    left = [finding for finding in findings if finding.code in reported]
    return checked._replace(findings=left, left_out=len(findings) - len(left))


def _place(finding: Finding) -> tuple[int, int]:
    return finding.start, finding.end
