"""Plain text: the whole source is one segment."""

from collections.abc import Iterator

from urlscan.sources.decode import Decoded
from urlscan.text import Segment


def segments(decoded: Decoded) -> Iterator[Segment]:
    """Yield the decoded source."""
    yield Segment(decoded.text, decoded.map, kind="plain")
