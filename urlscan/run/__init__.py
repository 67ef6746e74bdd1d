"""Process paths to results, in input order: read, decode, find, judge, suppress, fix.

Everything is a generator and nothing is printed. An error with one path is a value among the results; the other paths
are still processed. `reading` reads the sources, `parts` divides a large one among processes, `batches` shares many
small ones.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from urlscan import linter, suppress
from urlscan.errors import SourceError
from urlscan.finder import Scanned, record
from urlscan.finder.evidence import Evidence
from urlscan.finder.wanted import Wanted, found_in
from urlscan.formats.masking import Secrets, text_secrets, track_secrets
from urlscan.model import Finding, Occurrence, place_name
from urlscan.rules.selection import codes_for_test_data
from urlscan.run.batches import map_batches
from urlscan.run.checked import CheckResult, FixOptions
from urlscan.run.mails import mail_kind, map_messages
from urlscan.run.parts import Chunk, chunks_of, map_chunks
from urlscan.run.reading import (
    LARGE,
    Large,
    Named,
    Note,
    ReadOptions,
    Skipped,
    Source,
    named,
    pass_through,
    segments_of,
    set_member,
    shown_name,
    sources,
)
from urlscan.settings import FileSettings, Settings
from urlscan.text import Segment

if TYPE_CHECKING:
    from urlscan.sources.stretches import FileChunk

__all__ = [
    "CheckResult",
    "ExtractResult",
    "FixOptions",
    "Note",
    "ReadOptions",
    "Skipped",
    "Wanted",
    "check",
    "extract",
    "found_in",
]

T = TypeVar("T")

# Limit on the findings of a segment: this number, or in a large segment one for this many characters.
_FINDINGS = 10_000
_BYTES_PER_FINDING = 80


class ExtractResult(NamedTuple, Generic[T]):
    """The result for the URLs of one chunk of a source.

    Attributes:
        path: the path to show, with the member of an archive.
        encoding: the codec with which the chunk was decoded.
        whole: whether all of its bytes are valid in that encoding.
        result: the value returned by `work`.
    """

    path: str
    encoding: str
    whole: bool
    result: T


Notice = Skipped | Note | SourceError


def extract(
    paths: Iterable[str],
    read_options: ReadOptions,
    wanted: Wanted,
    work: Callable[[Iterator[Scanned], Segment, str], T],
    jobs: int = 1,
) -> "Iterator[ExtractResult[T] | Notice]":
    """Find the URLs of every source, and yield the results of `work` for each chunk.

    Args:
        paths: files, directories, `-`.
        read_options: how they are read.
        wanted: what to find, unless the configuration overrides it.
        work: called with the URLs of a chunk, their segment, and the name of the source.
        jobs: how many processes share a large source, or many small ones.
    """

    def wanted_of(path: str) -> Wanted:
        return wanted if read_options.provider is None else wanted.by(read_options.provider.of(path).settings)

    def each(item: Named, jobs: int = 1, most: int | None = None) -> "Iterator[ExtractResult[T] | Notice]":
        for source in sources([item], read_options, most=most):
            if isinstance(source, Source | Large) and (kind := mail_kind(source, read_options)):
                own = wanted_of(source.path)
                work_on = partial(_extracted_mail, source.path, own, work)
                yield from map_messages(source, kind, read_options, jobs, work_on, schemes_only=own.schemes_only)
            elif isinstance(source, Source):
                own = wanted_of(source.path)
                for segment in segments_of(source, read_options, schemes_only=own.schemes_only):
                    yield from _extracted(source.path, chunks_of(segment, jobs), own, work, jobs)
            elif isinstance(source, Large):
                chunks = partial(_file_chunks, source, read_options)
                yield from _to_the_end(source, _extracted(source.path, chunks, wanted_of(source.path), work, jobs))
            else:
                yield source

    items = named(paths, read_options)
    return map_batches(items, jobs, lambda item: _bounded_list(each(item, 1, LARGE)), lambda item: each(item, jobs))


def _extracted(
    path: str,
    chunks: Callable[[], Iterable[Callable[[], Chunk]]],
    wanted: Wanted,
    work: Callable[[Iterator[Scanned], Segment, str], T],
    jobs: int,
) -> "Iterator[ExtractResult[T]]":
    def made(scanned: Iterator[Scanned], segment: Segment) -> "ExtractResult[T]":
        return ExtractResult(
            place_name(path, segment.member), segment.encoding, segment.whole, work(scanned, segment, path)
        )

    return map_chunks(chunks, wanted, jobs, made)


def _extracted_mail(
    path: str, wanted: Wanted, work: Callable[[Iterator[Scanned], Segment, str], T], segment: Segment
) -> "ExtractResult[T]":
    shown = place_name(path, segment.member)
    return ExtractResult(shown, segment.encoding, segment.whole, work(found_in(segment, wanted), segment, path))


def _to_the_end(source: Large, results: Iterator[T]) -> Iterator[T | SourceError]:
    """Yield the results of a large source, and the error if it cannot be read to its end."""
    with source.file:
        try:
            yield from results
        except SourceError as error:
            yield error


def _file_chunks(source: Large, read_options: ReadOptions) -> Iterator[Callable[[], Chunk]]:
    from urlscan.sources.stretches import stretches

    return (partial(_chunk_of, make, source) for make in stretches(source.file, read_options.of(source.path).encoding))


def _chunk_of(make: "Callable[[], FileChunk]", source: Large) -> Chunk:
    chunk = make()
    return Chunk(set_member(chunk.segment, source), chunk.start, chunk.stop, Evidence(chunk.segment.text, chunk.around))


def check(
    paths: Iterable[str], settings: Settings, read_options: ReadOptions, fix: FixOptions | None = None, jobs: int = 1
) -> Iterator[CheckResult | Notice]:
    """Judge the URLs of every source, and fix them on request.

    Args:
        paths: files, directories, `-`.
        settings: how they are judged, unless `read_options.provider` overrides it.
        read_options: how they are read.
        fix: how to fix them; None not to.
        jobs: how many processes share a large source, or many small ones.
    """
    items = named(paths, read_options)
    if fix is not None:
        return _fixed_each(sources(items, read_options, editing=True), settings, read_options, fix)

    def each(item: Named, jobs: int = 1, most: int | None = None) -> Iterator[CheckResult | Notice]:
        for source in sources([item], read_options, most=most):
            if isinstance(source, Source | Large) and (kind := mail_kind(source, read_options)):
                yield from _checked_mail(source, kind, settings, read_options, jobs)
            elif isinstance(source, Source):
                yield from _with_notes(source, check_source(source, settings, read_options, jobs))
            elif isinstance(source, Large):
                file_settings = read_options.file_settings(source.path, settings)
                chunks, work = (
                    partial(_file_chunks, source, read_options),
                    partial(_judged_slim, file_settings, read_options, source.path),
                )
                wanted = linter.wanted("plain", file_settings.settings)
                yield from _to_the_end(source, map_chunks(chunks, wanted, jobs, work))
            else:
                yield source

    def small(item: Named) -> list[CheckResult | Notice] | None:
        results = (_slim(result) if isinstance(result, CheckResult) else result for result in each(item, 1, LARGE))
        return _bounded_list(results)

    return map_batches(items, jobs, small, lambda item: each(item, jobs))


def _bounded_list(results: Iterator[T]) -> list[T] | None:
    """Return the results of a small file; None if it unpacks to more than a worker may return."""
    from urlscan.sources.walk import ElsewhereError

    try:
        return list(results)
    except ElsewhereError:
        return None


def _slim(result: CheckResult) -> CheckResult:
    """Return the result without its text if it has no findings, since it is sent between processes."""
    if result.findings:
        return result
    segment = result.segment
    empty = Segment("", encoding=segment.encoding, whole=segment.whole, member=segment.member, packed=segment.packed)
    return result._replace(segment=empty, secrets=Secrets([], {}))


def _judged(
    settings: Settings, path: str, scanned: Iterator[Scanned], segment: Segment, most: int | None = None
) -> CheckResult:
    """Judge the URLs of a chunk; keep at most `most` + 1 findings, so that the caller can tell that there are more."""
    secrets = Secrets([], {})
    seen = track_secrets(scanned, segment.text, secrets)
    found = list(islice(linter.findings_of(segment, seen, settings, path), most and most + 1))
    if most and len(found) > most:
        deque(seen, maxlen=0)  # collect the secrets after the last finding as well: an excerpt may show them
    if found and segment.replacements:
        # Texts that are not URLs (`ftp://jo:pw@%s/`) have secrets too, which escapes and folds hide in the document.
        secrets.places.extend(text_secrets(segment.text))
    secrets.places[:] = [segment.to_document(*place) for place in secrets.places]
    return CheckResult(path, segment, found, secrets, [])


def _judged_slim(
    file_settings: FileSettings, read_options: ReadOptions, path: str, scanned: Iterator[Scanned], segment: Segment
) -> CheckResult:
    result = _judged(file_settings.settings, path, scanned, segment)
    # Unused comments are unknown here: a chunk does not see the findings of the others.
    result = result._replace(findings=suppress.apply_to_segment(segment, result.findings).findings)
    return _slim(_reported(result, file_settings, read_options))


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


def _with_notes(source: Source, results: Iterable[CheckResult]) -> Iterator[CheckResult | Note]:
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

        def judge(scanned: Iterator[Scanned], segment: Segment) -> tuple[list[Finding], Secrets]:
            result = _judged(settings, source.path, scanned, segment, _most_findings(segment))
            return result.findings, result.secrets

        findings, secrets = list[Finding](), Secrets([], {})
        for some, theirs in map_chunks(chunks_of(segment, jobs), linter.wanted(segment.kind, settings), jobs, judge):
            findings = _limited(segment, findings + some)
            secrets.add(theirs)
        left = suppress.apply_to_segment(segment, findings)
        places = left.places()[: _most_findings(segment) + 1]
        unused = linter.unused_suppressions(segment, places, settings, source.path)
        findings = _limited(segment, sorted(left.findings + unused, key=_place)) if unused else left.findings
        yield _reported(CheckResult(source.path, segment, findings, secrets, []), file_settings, read_options)


def _checked_mail(
    source: Source | Large, kind: str, settings: Settings, read_options: ReadOptions, jobs: int
) -> Iterator[CheckResult | Note | SourceError]:
    file_settings = read_options.file_settings(source.path, settings)

    def judge(segment: Segment) -> CheckResult:
        scanned = found_in(segment, linter.wanted(segment.kind, file_settings.settings))
        result = _judged(file_settings.settings, source.path, scanned, segment, _most_findings(segment))
        result = result._replace(findings=_limited(segment, result.findings))
        return _slim(_reported(result, file_settings, read_options))

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


def _fixed_each(
    read: Iterable[object], settings: Settings, read_options: ReadOptions, fix: FixOptions
) -> Iterator[CheckResult | Notice]:
    for source in read:
        if isinstance(source, Source | Large) and (kind := mail_kind(source, read_options)):
            yield from _unfixed_mail(source, kind, settings, read_options, fix)
            continue
        if isinstance(source, Source):
            yield from _fixed(source, settings, read_options, fix)
            continue
        if isinstance(source, Skipped) and fix.diff is None:
            pass_through(source, fix.stdout)
        if isinstance(source, Skipped | Note | SourceError):
            yield source


def _unfixed_mail(
    source: Source | Large, kind: str, settings: Settings, read_options: ReadOptions, fix: FixOptions
) -> Iterator[CheckResult | Note | SourceError]:
    """Check mail without fixing it: strangers wrote it, and encoded text cannot be edited in place."""
    if fix.diff is None:
        pass_through(source, fix.stdout)
    yield from _checked_mail(source, kind, settings, read_options, 1)


def _fixed(
    source: Source, settings: Settings, read_options: ReadOptions, fix: FixOptions
) -> Iterator[CheckResult | Note | SourceError]:
    """Fix a source until no fix is left; findings that cannot be fixed are reported."""
    from urlscan.run.fixing import fix_source

    own = read_options.file_settings(source.path, settings).settings

    def find(segment: Segment) -> list[Occurrence]:
        wanted = linter.wanted(segment.kind, own)._replace(continuations=False)
        return [record(one) for one in found_in(segment, wanted)]

    def judge(data: bytes) -> list[CheckResult]:
        return list(check_source(source._replace(data=data, kind=""), settings, read_options))

    before = judge(source.data)
    data, after, fixed = fix_source(source.data, before, judge, find, unsafe=fix.unsafe)
    if fix.diff is not None:
        for old, new in zip(before, after, strict=True):
            if old.segment.document != new.segment.document:
                fix.diff(old, new)
    elif source.is_stdin:
        fix.stdout(data)
    elif data != source.data:
        from urlscan.files.atomic_write import write

        try:
            write(source.path, data, original=source.original())
        except SourceError as error:
            yield error
            after, fixed = before, []
    results = (checked._replace(fixed=fixed if number == 0 else []) for number, checked in enumerate(after))
    yield from _with_notes(source, results)
