"""Functions about segments that tests share."""

from urlscan.core.segment import Segment


def is_replaced(segment: Segment, start: int, end: int) -> bool:
    """Return whether a part of text[start:end] is written differently in the document."""
    end = max(end, start + 1)
    return any(first < end and last > start for first, last in segment.replacements)
