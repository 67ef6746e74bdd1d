"""Plain text: the whole source is one segment."""

from collections.abc import Iterator

from urlscan.sources.decode import decode
from urlscan.text import Segment


def segments(data: bytes, encoding: str | None) -> Iterator[Segment]:
    """Yield the decoded source."""
    decoded = decode(data, encoding)
    yield Segment(decoded.text, decoded.map, kind="plain")
