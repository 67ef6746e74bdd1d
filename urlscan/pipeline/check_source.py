"""Judge the URLs of one source, segment by segment."""

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from urlscan.core.chunk import Chunk
from urlscan.core.errors import SourceError
from urlscan.core.records import Finding, Match
from urlscan.core.segment import Decoding, Segment
from urlscan.core.settings import FileSettings, Settings
from urlscan.finder import find_in_chunk
from urlscan.linter import locate, suppressions
from urlscan.linter.selection import codes_for_test_data
from urlscan.masking.track import Secrets, segment_secrets, track_secrets
from urlscan.pipeline.divide import chunks_of, mail_kind, map_chunks, map_source, segment_chunks
from urlscan.pipeline.read import Large, ReadOptions, Source, segments_of
from urlscan.pipeline.results import CheckResult

if TYPE_CHECKING:
    from urlscan.core.targets import TargetChecker

# Limit on the findings of a large segment: one for this many characters.
_BYTES_PER_FINDING = 80


def _matches(chunk: Chunk, settings: Settings) -> Iterator[Match]:
    """Return an iterator over the matches of a chunk, look-alikes and continuations included."""
    return find_in_chunk(chunk, locate.find_options_for(chunk.segment.kind, settings))


def without_text(result: CheckResult) -> CheckResult:
    """Return the result without its text if it has no findings, since it is sent between processes."""
    if result.findings:
        return result
    segment = result.segment
    empty = Segment("", decoding=Decoding(segment.encoding, segment.whole))
    empty.member, empty.packed = segment.member, segment.packed
    return result._replace(segment=empty, secrets=Secrets([], {}))


def _judged(
    settings: Settings,
    path: str,
    matches: Iterator[Match],
    segment: Segment,
    max_findings: int | None = None,
    targets: "TargetChecker | None" = None,
) -> CheckResult:
    """Judge the URLs of a chunk; keep at most `max_findings` + 1, so that the caller can tell that there are more."""
    secrets = Secrets([], {})
    seen = track_secrets(matches, segment, secrets)
    found = list(islice(locate.findings_of(segment, seen, settings, path, targets), max_findings and max_findings + 1))
    if max_findings and len(found) > max_findings:
        deque(seen, maxlen=0)  # collect the secrets after the last finding as well: an excerpt may show them
    if found and segment.replacements:
        # Texts that are not URLs (`ftp://jo:pw@%s/`) have secrets too, which escapes and folds hide in the document.
        secrets.places.extend(segment.computed(segment_secrets))
    secrets.places[:] = [segment.to_document(*place) for place in secrets.places]
    excused = dict(targets.excused) if targets is not None else {}
    if targets is not None:
        targets.excused.clear()
    return CheckResult(path, segment, found, secrets, [], excused=excused)


def _max_findings(segment: Segment, read_options: ReadOptions) -> int:
    """Return the limit on the findings of a segment.

    A finding takes about 1 KB, and a URL with several of them may have only 13 bytes.
    """
    return max(read_options.max_findings, len(segment.text) // _BYTES_PER_FINDING)


def limited(result: CheckResult, read_options: ReadOptions) -> CheckResult:
    """Return the result with at most as many findings as are reported, and a note if there are more."""
    max_findings = _max_findings(result.segment, read_options)
    return result._replace(findings=_limited(result.segment, result.findings, max_findings), note=result.segment.note)


def _limited(segment: Segment, findings: list[Finding], max_findings: int) -> list[Finding]:
    """Return the first findings of a segment; add a note to the segment if there are more."""
    if len(findings) <= max_findings:
        return findings
    segment.note = f"more than {max_findings} findings; the rest is not reported"
    return findings[:max_findings]


def check_source(source: Source, settings: Settings, read_options: ReadOptions, jobs: int = 1) -> Iterator[CheckResult]:
    """Judge the URLs of one source by segment."""
    file_settings = read_options.file_settings(source.path, settings)
    find_options = locate.find_options_for("", file_settings.settings)
    for segment in segments_of(source, read_options, find_options):
        yield check_segment(segment, source.path, file_settings, read_options, jobs)


def check_segment(
    segment: Segment,
    path: str,
    file_settings: FileSettings,
    read_options: ReadOptions,
    jobs: int = 1,
    matches: list[Match] | None = None,
) -> CheckResult:
    """Judge the URLs of one segment of the source with this path.

    Args:
        segment: the segment.
        path: the name of its source.
        file_settings: the settings of the source.
        read_options: how it is read.
        jobs: how many processes share the segment.
        matches: the matches in the segment if they are known: all that the rules need, and no others. The result then
            has the secrets of URLs only, and only if it has findings.
    """
    settings, max_findings = file_settings.settings, _max_findings(segment, read_options)
    targets = None
    if read_options.targets is not None:
        targets = read_options.targets.checker(path, segment, file_settings)

    def judge(chunk: Chunk) -> tuple[list[Finding], Secrets, Mapping[str, int]]:
        segment = chunk.segment
        result = _judged(settings, path, _matches(chunk, settings), segment, max_findings, targets)
        return result.findings, result.secrets, result.excused

    findings, secrets, excused = list[Finding](), Secrets([], {}), Counter[str]()
    if matches is None:
        for some, theirs, counts in map_chunks(partial(segment_chunks, segment, jobs), jobs, judge):
            findings = _limited(segment, findings + some, max_findings)
            secrets.add(theirs)
            excused.update(counts)
    else:
        found = locate.findings_of(segment, matches, settings, path, targets)
        findings = _limited(segment, list(islice(found, max_findings + 1)), max_findings)
    if targets is not None and (some := locate.document_findings(segment, settings, path, targets)):
        findings = _limited(segment, sorted(findings + some, key=_place), max_findings)
    left = suppressions.apply_to_segment(segment, findings)
    places = left.places()[: max_findings + 1]
    unused = locate.unused_suppressions(segment, places, settings, path)
    findings = _limited(segment, sorted(left.findings + unused, key=_place), max_findings) if unused else left.findings
    if matches is not None and findings:
        deque(track_secrets(matches, segment, secrets), maxlen=0)
    result = CheckResult(path, segment, findings, secrets, [], note=segment.note, excused=excused)
    return _reported(result, file_settings, read_options)


def check_divided(
    source: Source | Large, settings: Settings, read_options: ReadOptions, jobs: int
) -> Iterator[CheckResult | SourceError]:
    """Judge the URLs of a mail, a mailbox or a large file, chunk by chunk.

    Unused suppression comments are not reported: a chunk does not contain the findings of the others.
    """
    file_settings = read_options.file_settings(source.path, settings)
    is_mail = bool(mail_kind(source, read_options))

    def judge(chunk: Chunk) -> CheckResult:
        return without_text(check_chunk(chunk, source.path, file_settings, read_options, is_mail=is_mail))

    find_options = locate.find_options_for("", file_settings.settings)
    chunks = chunks_of(source, read_options, find_options, jobs)
    return map_source(source, chunks, jobs, judge, lambda result: bool(result.findings or result.note))


def check_chunk(
    chunk: Chunk,
    path: str,
    file_settings: FileSettings,
    read_options: ReadOptions,
    *,
    is_mail: bool,
    matches: list[Match] | None = None,
) -> CheckResult:
    """Judge the URLs of one chunk of a mail, a mailbox or a large file; `matches` is as for `check_segment`."""
    segment = chunk.segment
    max_findings = _max_findings(segment, read_options) if is_mail else None
    if matches is None:
        settings = file_settings.settings
        result = _judged(settings, path, _matches(chunk, settings), segment, max_findings)
    else:
        judged = locate.findings_of(segment, matches, file_settings.settings, path)
        findings = list(islice(judged, max_findings and max_findings + 1))
        secrets = Secrets([], {})
        if findings:
            deque(track_secrets(matches, segment, secrets), maxlen=0)
        result = CheckResult(path, segment, findings, secrets, [])
    if max_findings is not None:
        findings = _limited(segment, result.findings, max_findings)
    else:
        findings = suppressions.apply_to_segment(segment, result.findings).findings
    return _reported(result._replace(findings=findings, note=segment.note), file_settings, read_options)


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
