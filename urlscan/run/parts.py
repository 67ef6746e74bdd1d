"""The parts of a text, found in by several processes; what they make of them comes in order."""

import bisect
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import NamedTuple, TypeVar

from urlscan.finder import Scanned, cuts, scan, with_hosts
from urlscan.finder.evidence import Evidence
from urlscan.finder.markup import with_links
from urlscan.processes import in_order
from urlscan.text import Segment

# A text of so many characters is worth a second process; a process has so many parts at a time.
LARGE = 1 << 22
PART = 1 << 22

T = TypeVar("T")


class Wanted(NamedTuple):
    """What counts besides URLs with a scheme.

    Attributes:
        relative: relative references of markup.
        schemeless: hosts without a scheme.
        emails: addresses.
        look_alikes: what only looks like a URL, for the linter.
        continuations: whether a bare URL goes on in the next line.
        rejoin: as of `find`.
    """

    relative: bool = False
    schemeless: bool = False
    emails: bool = False
    look_alikes: bool = False
    continuations: bool = False
    rejoin: str = "wrapped"


class Part(NamedTuple):
    """A part of a text.

    Attributes:
        segment: the text, with what lies around the part.
        start, stop: the part, in characters of segment.prose.
        evidence: of the text.
    """

    segment: Segment
    start: int
    stop: int
    evidence: Evidence


def found_in(segment: Segment, wanted: Wanted) -> Iterator[Scanned]:
    """Yield the URLs of a whole segment in order."""
    return _found(Part(segment, 0, len(segment.prose), Evidence(segment.prose)), wanted, 0, [])


def _found(part: Part, wanted: Wanted, floor: int, ends: list[int]) -> Iterator[Scanned]:
    text = part.segment.prose
    found = scan(
        text,
        rejoin=wanted.rejoin,
        look_alikes=wanted.look_alikes,
        start=part.start,
        stop=part.stop,
        floor=floor,
        evidence=part.evidence,
        ends=ends,
        continuations=wanted.continuations,
    )
    if wanted.schemeless or wanted.emails:
        found = with_hosts(
            found,
            text,
            schemeless=wanted.schemeless,
            emails=wanted.emails,
            start=part.start,
            stop=part.stop,
            floor=floor,
            ends=ends,
        )
    return with_links(found, part.segment, part.start, part.stop, relative=wanted.relative)


def parts_of(segment: Segment, jobs: int) -> Callable[[], list[Callable[[], Part]]]:
    """Return what returns the parts of a segment: one, or as many as are worth it."""
    text = segment.prose
    many = jobs * -(-len(text) // (jobs * PART)) if len(text) >= LARGE else 1
    evidence = Evidence(text)
    places = pairwise([0, *cuts(text, many), len(text)])
    parts: list[Callable[[], Part]] = [partial(Part, segment, start, stop, evidence) for start, stop in places]
    return lambda: parts


def in_parts(
    parts: Callable[[], Iterable[Callable[[], Part]]],
    wanted: Wanted,
    jobs: int,
    work: Callable[[Iterator[Scanned], Segment], T],
) -> Iterator[T]:
    """Yield what `work` makes of the URLs of each part, in order.

    Args:
        parts: returns those of one source, in order; each is called for where it is worked on.
        wanted: what counts.
        jobs: how many processes share the parts; what `work` returns must be picklable if there are more than one.
        work: is given the URLs of a part, and the segment that they stand in.
    """
    floor = 0  # where the last URL ends, in units of the source

    if jobs == 1:
        for make in parts():
            _, end, result = _worked(make, wanted, work, floor)
            floor = max(floor, end)
            yield result
        return

    def tasks() -> Iterator[Callable[[], tuple[int, int, T]]]:
        return (partial(_worked, make, wanted, work, 0) for make in parts())

    for make, (begin, end, made) in zip(parts(), in_order(tasks, jobs), strict=True):
        result = made
        if floor > begin:  # a URL of the part before goes on into this one
            _, end, result = _worked(make, wanted, work, floor)
        floor = max(floor, end)
        yield result


def _worked(
    make: Callable[[], Part], wanted: Wanted, work: Callable[[Iterator[Scanned], Segment], T], floor: int
) -> tuple[int, int, T]:
    """Return where the part begins and the last URL ends, in units of the source, and what `work` returns."""
    part = make()
    segment = part.segment
    begin, _ = segment.to_source(part.start, part.start)
    low = 0
    if floor > begin:
        low = bisect.bisect_left(
            range(len(segment.text)), floor, key=lambda offset: segment.to_source(offset, offset)[0]
        )
    ends: list[int] = []
    result = work(_found(part, wanted, low, ends), segment)
    last = max(ends, default=0)
    return begin, segment.to_source(last, last)[0] if last else 0, result
