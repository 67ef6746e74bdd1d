"""Paths to results, in input order: reading, decoding, finding, judging, suppressing, fixing.

Everything is a generator, and nothing is printed: what went wrong with one path is a value among the
results, and the others are still done.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import NamedTuple, TypeVar

from urlscan import linter, suppress
from urlscan.errors import SourceError
from urlscan.finder import Scanned, cuts, scan, with_hosts
from urlscan.finder.evidence import Evidence
from urlscan.finder.markup import judged, with_links
from urlscan.formats.masking import Secrets, watched
from urlscan.model import Finding
from urlscan.processes import in_order
from urlscan.settings import Settings
from urlscan.sources import check_kind, segments
from urlscan.sources.decode import codec_name, head_of, is_binary
from urlscan.sources.identify import identify
from urlscan.sources.walk import STDIN, excludes, read, walk
from urlscan.text import Segment

# A fix may bring to light what it stood before; what is not settled then never will be.
_ROUNDS = 10
# A text of so many characters is worth a second process; a process has so many parts at a time.
_LARGE = 1 << 22
_PART = 1 << 22
_TURNS = 4

T = TypeVar("T")


class Reading(NamedTuple):
    """How sources are read.

    Attributes:
        kind: one of `sources.KINDS`, of every source; None: what its name says.
        encoding: the declared encoding of every source, or None.
        exclude: patterns of `.gitignore`'s kind.
        stdin_name: what standard input is called.
    """

    kind: str | None = None
    encoding: str | None = None
    exclude: tuple[str, ...] = ()
    stdin_name: str = STDIN


class Source(NamedTuple):
    """A source that was read.

    Attributes:
        path: its name as it is shown.
        data: its bytes.
        is_stdin: whether it was read from standard input.
    """

    path: str
    data: bytes
    is_stdin: bool


class Skipped(NamedTuple):
    """A source that was passed over.

    Attributes:
        path, data, is_stdin: as of a Source.
        was_named: whether it was asked for by name, and not found in a directory.
        why: what to say of it.
    """

    path: str
    data: bytes
    is_stdin: bool
    was_named: bool
    why: str


class Wanted(NamedTuple):
    """What counts besides URLs with a scheme.

    Attributes:
        relative: relative references of markup.
        schemeless: hosts without a scheme.
        emails: addresses.
    """

    relative: bool = False
    schemeless: bool = False
    emails: bool = False


URLS = Wanted()


class Found(NamedTuple):
    """One segment of a source, whose URLs are found when they are asked for.

    Attributes:
        path: the name of the source.
        segment: the text.
        rejoin: as of `find`.
        wanted: what counts.
    """

    path: str
    segment: Segment
    rejoin: str
    wanted: Wanted = URLS

    def scanned(self) -> Iterator[Scanned]:
        """Yield the URLs in order."""
        found = scan(self.segment.prose, rejoin=self.rejoin)
        return _all_of(found, self.segment, self.wanted)


def _all_of(
    found: Iterator[Scanned],
    segment: Segment,
    wanted: Wanted,
    start: int = 0,
    stop: int | None = None,
    floor: int = 0,
) -> Iterator[Scanned]:
    """Yield, of a part of a segment, the URLs of its prose and whatever else counts."""
    if wanted.schemeless or wanted.emails:
        found = with_hosts(
            found,
            segment.prose,
            schemeless=wanted.schemeless,
            emails=wanted.emails,
            start=start,
            stop=stop,
            floor=floor,
        )
    return with_links(found, segment, start, stop, relative=wanted.relative)


class Checked(NamedTuple):
    """What is wrong in one segment.

    Attributes:
        path: the name of its source.
        segment: the text that the findings speak of, after fixing.
        findings: what remains, in order of position.
        secrets: where they stand in it.
        fixed: what was fixed.
    """

    path: str
    segment: Segment
    findings: list[Finding]
    secrets: Secrets
    fixed: list[Finding]


class Fixing(NamedTuple):
    """That findings are to be fixed.

    Attributes:
        unsafe: whether fixes are applied that may change the meaning.
        stdout: takes the fixed bytes of standard input.
    """

    unsafe: bool
    stdout: Callable[[bytes], object]


def sources(paths: Iterable[str], reading: Reading) -> Iterator[Source | Skipped | SourceError]:
    """Read what the paths name: files, the files of directories, standard input for `-`.

    Raises:
        ConfigError: the kind or the encoding is not known.
    """
    if reading.kind is not None:
        check_kind(reading.kind)
    if reading.encoding is not None:
        codec_name(reading.encoding)
    for item in walk(paths, reading.exclude):
        if isinstance(item, SourceError):
            yield item
            continue
        name, was_named = item
        is_stdin = name == STDIN
        try:
            data = read(name)
        except SourceError as error:
            yield error
            continue
        path = reading.stdin_name if is_stdin else name
        if is_stdin and path != STDIN and excludes(path, reading.exclude):
            yield Skipped(path, data, is_stdin, was_named, "excluded")
        elif is_binary(data, reading.encoding):
            yield Skipped(path, data, is_stdin, was_named, "a binary file")
        else:
            yield Source(path, data, is_stdin)


def extract(
    paths: Iterable[str], settings: Settings, reading: Reading, wanted: Wanted = URLS
) -> Iterator[Found | Skipped | SourceError]:
    """Find the URLs of every source."""
    for source in sources(paths, reading):
        if not isinstance(source, Source):
            yield source
            continue
        for segment in _segments(source, reading):
            yield Found(source.path, segment, settings.rejoin, wanted)


def _segments(source: Source, reading: Reading) -> Iterator[Segment]:
    kind = reading.kind if reading.kind is not None else identify(source.path, head_of(source.data))
    return segments(source.data, kind=kind, encoding=reading.encoding)


def in_parts(
    segment: Segment,
    rejoin: str,
    jobs: int,
    work: Callable[[Iterator[Scanned]], T],
    *,
    look_alikes: bool = False,
    continuations: bool = False,
    wanted: Wanted = URLS,
) -> Iterator[T]:
    """Yield what `work` makes of the URLs of each part of a segment, in order.

    A large text is divided, so that no more of its records are there at a time than a part has, and
    `jobs` processes share the parts; what `work` returns must be picklable then.
    """
    text = segment.prose
    parts = _parts(text, jobs)
    evidence = Evidence(text)

    def part(start: int, stop: int, floor: int) -> tuple[int, T]:
        ends: list[int] = []
        found = scan(
            text,
            rejoin=rejoin,
            look_alikes=look_alikes,
            continuations=continuations,
            start=start,
            stop=stop,
            floor=floor,
            evidence=evidence,
            ends=ends,
        )
        result = work(_all_of(found, segment, wanted, start, stop, floor))
        return max(ends, default=floor), result

    floor = 0
    for at in range(0, len(parts), jobs * _TURNS):
        group = parts[at : at + jobs * _TURNS]
        # Each process takes every `jobs`-th part, since URLs come in heaps.
        shares = [partial(_each, part, group[number::jobs]) for number in range(min(jobs, len(group)))]
        done = list(in_order(shares))
        for number, (start, stop) in enumerate(group):
            end, result = done[number % jobs][number // jobs]
            if floor > start:  # a URL of the part before goes on into this one, over a page break
                end, result = part(start, stop, floor)
            floor = max(floor, end)
            yield result


def _parts(text: str, jobs: int) -> list[tuple[int, int]]:
    many = jobs * -(-len(text) // (jobs * _PART)) if len(text) >= _LARGE else 1
    return list(pairwise([0, *cuts(text, many), len(text)]))


def _each(part: Callable[[int, int, int], T], places: list[tuple[int, int]]) -> list[T]:
    return [part(start, stop, 0) for start, stop in places]


def check(
    paths: Iterable[str], settings: Settings, reading: Reading, fix: Fixing | None = None, jobs: int = 1
) -> Iterator[Checked | Skipped | SourceError]:
    """Judge the URLs of every source, and fix them if that is asked for."""
    for source in sources(paths, reading):
        if isinstance(source, Source):
            if fix is None:
                yield from _checked(source, settings, reading, jobs)
            else:
                yield from _fixed(source, settings, reading, fix)
            continue
        if fix is not None and isinstance(source, Skipped) and source.is_stdin:
            fix.stdout(source.data)
        yield source


def _checked(source: Source, settings: Settings, reading: Reading, jobs: int = 1) -> Iterator[Checked]:
    for segment in _segments(source, reading):

        def judge(scanned: Iterator[Scanned], segment: Segment = segment) -> tuple[list[Finding], Secrets]:
            secrets = Secrets([], {})
            seen = judged(watched(scanned, segment.text, secrets), segment)
            found = list(linter.findings_of(segment, seen, settings, source.path))
            secrets.places[:] = [segment.to_document(*place) for place in secrets.places]
            return found, secrets

        findings, secrets = list[Finding](), Secrets([], {})
        parts = in_parts(
            segment,
            settings.rejoin,
            jobs,
            judge,
            look_alikes=True,
            continuations=linter.wants_continuations(segment, settings),
            wanted=Wanted(relative=True),
        )
        for some, theirs in parts:
            findings += some
            secrets.add(theirs)
        yield Checked(source.path, segment, suppress.apply(segment.document, findings), secrets, [])


def _fixed(source: Source, settings: Settings, reading: Reading, fix: Fixing) -> Iterator[Checked | SourceError]:
    """Fix until nothing is left to fix; what cannot be written is reported as it stands."""
    from urlscan.fix import write

    before = after = list(_checked(source, settings, reading))
    data, fixed = source.data, list[Finding]()
    for _ in range(_ROUNDS):
        new, now = _apply(data, after, fix.unsafe)
        if not now:
            break
        data, fixed = new, fixed + now
        after = list(_checked(source._replace(data=data), settings, reading))
    if source.is_stdin:
        fix.stdout(data)
    elif data != source.data:
        try:
            write(source.path, data)
        except SourceError as error:
            yield error
            after, fixed = before, []
    for number, checked in enumerate(after):
        yield checked._replace(fixed=fixed if number == 0 else [])


def _apply(data: bytes, results: list[Checked], unsafe: bool) -> tuple[bytes, list[Finding]]:
    """Fix the first segment in which something can be: the edits of the next count the bytes before."""
    from urlscan.fix import apply

    for checked in results:
        new, fixed = apply(data, checked.findings, checked.segment, unsafe=unsafe)
        if fixed:
            return new, fixed
    return data, []
