"""Define the chunk: a slice of a segment that is searched independently of the others."""

from urlscan.core.segment import Segment


class Chunk:
    """A slice of a segment in which URLs are searched for.

    The segment holds as much text around the slice as reading a URL can inspect.

    Attributes:
        segment: the segment, searched in its prose.
        start: the offset of the first colon to check, in characters of the prose.
        stop: the offset after the last colon to check.
        floor: the end of the last URL before the slice.
        end: the end of the last URL, delimiters included, after all URLs have been yielded; never less than `floor`.
    """

    __slots__ = ("end", "floor", "segment", "start", "stop")

    def __init__(self, segment: Segment, start: int = 0, stop: int | None = None) -> None:
        self.segment = segment
        self.start = start
        self.stop = len(segment.prose) if stop is None else stop
        self.floor = self.end = 0
