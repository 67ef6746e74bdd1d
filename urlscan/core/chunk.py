"""Define the chunk: a slice of a segment that is searched independently of the others."""

from collections.abc import Callable, Iterator
from typing import Protocol

from urlscan.core.segment import Segment

# How far from a URL evidence about it is counted, in characters.  The result does not depend on how a large source is
# divided, because each chunk gives access to this much text on either side.
REACH = 1 << 20


class NearbyUrls(Protocol):
    """The URLs in the text that `Chunk.context` returns."""

    def may_begin(self, body: str) -> bool:
        """Return whether a URL may begin with `body` after its "://". This is a fast check."""

    def after(self, body: str, at: int) -> Iterator[str]:
        """Yield the three characters after each "://" and `body` within REACH characters of an offset in the prose."""


class Chunk:
    """A slice of a segment in which URLs are searched for.

    The segment holds as much text around the slice as reading a URL can inspect.

    Attributes:
        segment: the segment, searched in its prose.
        start: the offset of the first colon to check, in characters of the prose.
        stop: the offset after the last colon to check.
        context: returns a text that holds the slice with REACH characters on either side, and the offset in it of the
            first character of the prose, which may be negative; None: the prose itself.
        nearby: returns the URLs in that text, which takes less time than reading it; None if they are unknown.
        floor: the end of the last URL before the slice.
        end: the end of the last URL, delimiters included, after all URLs have been yielded; never less than `floor`.
    """

    __slots__ = ("context", "end", "floor", "nearby", "segment", "start", "stop")

    def __init__(
        self,
        segment: Segment,
        start: int = 0,
        stop: int | None = None,
        context: Callable[[], tuple[str, int]] | None = None,
        nearby: Callable[[], NearbyUrls] | None = None,
    ) -> None:
        self.segment = segment
        self.start = start
        self.stop = len(segment.prose) if stop is None else stop
        self.context = context
        self.nearby = nearby
        self.floor = self.end = 0
