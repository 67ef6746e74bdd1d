"""Find the URLs of a segment: those in its prose, the links of its markup, hosts and addresses."""

from collections.abc import Iterator

from urlscan.core.chunk import Chunk
from urlscan.core.find_options import FindOptions
from urlscan.core.records import Match
from urlscan.core.segment import Segment
from urlscan.finder.scan import scan

# Kinds whose text is prose.
_RUNNING = ("plain", "mail")


def find_in_segment(segment: Segment, options: FindOptions) -> Iterator[Match]:
    """Return an iterator over the matches in a segment, in order of position."""
    return find_in_chunk(Chunk(segment), options)


def find_in_chunk(chunk: Chunk, options: FindOptions) -> Iterator[Match]:
    """Return an iterator over the matches in a chunk, in order of position; the last one sets `chunk.end`.

    Args:
        chunk: the chunk to search.
        options: what to find.
    """
    segment = chunk.segment
    found = scan(chunk, options)
    if segment.kind not in _RUNNING:
        from urlscan.finder.syntax import with_syntax_ends

        found = with_syntax_ends(found, segment)
    if segment.soft:
        from urlscan.finder.flowed import with_soft_breaks

        found = with_soft_breaks(found, segment.prose, delsp=segment.soft == "delsp" and options.rejoin != "never")
    if segment.links:
        from urlscan.finder.markup import with_links

        found = with_links(found, chunk, relative=options.relative)
    if options.unwrap:
        from urlscan.finder.unwrapping import with_originals

        found = with_originals(found)
    return found
