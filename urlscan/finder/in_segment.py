"""Find everything that is wanted in a segment: URLs of its prose, links of its markup, hosts and addresses."""

from collections.abc import Iterator

from urlscan.core.segment import Segment
from urlscan.finder.evidence import Evidence
from urlscan.finder.fast_path import UrlMatch
from urlscan.finder.markup import with_links
from urlscan.finder.options import FindOptions
from urlscan.finder.scan import scan, with_hosts

# Kinds of which all is running text.
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
    """Yield what counts of a segment, or of a part of it, in order of position.

    Args:
        segment: what is scanned.
        wanted: what counts.
        start: as of `finder.scan`, in characters of segment.prose.
        stop: as of `finder.scan`.
        floor: as of `finder.scan`.
        evidence: as of `finder.scan`.
        ends: as of `finder.scan`.
    """
    text = segment.prose
    no_slashes = not wanted.look_alikes or "//" not in text
    if ":" not in text and no_slashes and not (wanted.schemeless or wanted.emails):  # a page with nothing but links
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
