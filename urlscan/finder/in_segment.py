"""Find the URLs of a segment: those in its prose, the links of its markup, hosts and addresses."""

from collections.abc import Iterator

from urlscan.core.segment import Segment
from urlscan.finder.evidence import Evidence
from urlscan.finder.fast_path import UrlMatch
from urlscan.finder.markup import with_links
from urlscan.finder.options import FindOptions
from urlscan.finder.scan import scan, with_hosts

# Kinds whose text is prose.
_RUNNING = ("plain", "mail")


def find_in_segment(
    segment: Segment,
    wanted: FindOptions,
    start: int = 0,
    stop: int | None = None,
    *,
    floor: int = 0,
    evidence: Evidence | None = None,
    ends: list[int] | None = None,
) -> Iterator[UrlMatch]:
    """Return an iterator over the matches in a segment, or in a slice of it, in order of position.

    Args:
        segment: the segment to search.
        wanted: what to find.
        start: as for `scan`, in characters of segment.prose.
        stop: as for `scan`.
        floor: as for `scan`.
        evidence: as for `scan`.
        ends: as for `scan`.
    """
    text = segment.prose
    no_slashes = not wanted.look_alikes or "//" not in text
    if ":" not in text and no_slashes and not (wanted.schemeless or wanted.emails):  # only links
        if ends is not None:
            ends.append(floor)
        return with_links(iter(()), segment, start, stop, relative=wanted.relative)
    found = scan(
        text,
        rejoin=wanted.rejoin,
        look_alikes=wanted.look_alikes,
        start=start,
        stop=stop,
        floor=floor,
        evidence=evidence,
        ends=ends,
        continuations=wanted.continuations,
        schemes=wanted.schemes,
    )
    if wanted.schemeless or wanted.emails:
        found = with_hosts(
            found,
            text,
            schemeless=wanted.schemeless,
            emails=wanted.emails,
            start=start,
            stop=stop,
            floor=floor,
            ends=ends,
        )
    if segment.kind not in _RUNNING:
        from urlscan.finder.syntax import with_syntax_ends

        found = with_syntax_ends(found, segment)
    if segment.soft:
        from urlscan.finder.flowed import with_soft_breaks

        found = with_soft_breaks(found, text, delsp=segment.soft == "delsp" and wanted.rejoin != "never")
    return with_links(found, segment, start, stop, relative=wanted.relative)
