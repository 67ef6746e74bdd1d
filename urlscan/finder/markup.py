"""The URLs that markup names as such, beside those that are found in its prose."""

import heapq
import re
from collections.abc import Iterator

from urlscan.finder.local import Local
from urlscan.grammar.placeholders import placeholder_spans
from urlscan.model import Fault, Occurrence
from urlscan.text import Link, Segment, readable

# RFC 3986 section 3.1:  scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
# Delimiters inside of delimiters: href="<URL:http://h.example/>".
_WRAPPER = re.compile(r"<\s*(?:url:)?\s*([^<>\s]+)\s*>", re.IGNORECASE)
# What everybody takes for a host, and a browser for a file.
_HOST = re.compile(r"www\.[\w-]+\.[\w.-]+(?:[/?#:]|\Z)", re.IGNORECASE)
# A reference longer than this is data.
_LONGEST = 65536


def links(segment: Segment, start: int, stop: int, *, relative: bool) -> Iterator[tuple[int, Occurrence]]:
    """Yield the links of segment.text[start:stop] as `finder.scan` yields its URLs.

    Args:
        segment: what is scanned.
        start: where the first may begin.
        stop: where none begins any more.
        relative: whether references without a scheme count.
    """
    for link in segment.links:
        if start <= link.start < stop and link.end - link.start <= _LONGEST:
            occurrence = _occurrence(segment.text, link)
            if occurrence.scheme or relative:
                yield link.start, occurrence


def _occurrence(text: str, link: Link) -> Occurrence:
    start, end = link.start, link.end
    faults: tuple[Fault, ...] = ()
    wrapper = _WRAPPER.fullmatch(text, start, end)
    if wrapper is not None:
        faults = (Fault("needless-wrapper", start, end),)
        start, end = wrapper.span(1)
    raw = readable(text[start:end])
    scheme = _SCHEME.match(raw)
    if _HOST.match(raw):
        faults = (*faults, Fault("missing-scheme", start, end))
    return Occurrence(
        raw,
        raw,
        start,
        end,
        link.outer_start,
        link.outer_end,
        scheme[1].lower() if scheme else "",
        "markup",
        template=bool(placeholder_spans(raw)),
        faults=faults,
    )


def merged(
    found: Iterator[tuple[int, Local | Occurrence]], named: Iterator[tuple[int, Occurrence]]
) -> Iterator[tuple[int, Local | Occurrence]]:
    """Yield both in order of position."""
    return heapq.merge(found, named, key=_place)


def _place(one: tuple[int, Local | Occurrence]) -> int:
    colon, found = one
    return colon + found.start if isinstance(found, Local) else found.start
