"""Restore the defanged URLs of a segment or a chunk, so that they are found like any others."""

import bisect
import itertools
from collections.abc import Iterator
from functools import partial

from urlscan.core.chunk import Chunk
from urlscan.core.lazy import lazy
from urlscan.core.records import Match
from urlscan.core.refanged import DefangedHost, RefangedSegment
from urlscan.core.segment import MARKUP, Segment
from urlscan.core.spans import Regions, ReplacedSpans, Spans
from urlscan.finder.bare import bare_end
from urlscan.finder.defanged import Defanged, Edit, defanged

# Kinds of texts and data. Other kinds are programs, in which a host in brackets counts in comments only: a string that
# contains one is a regular expression.
_TEXTS = frozenset(
    "plain mail html xml markdown rst ipynb csv tsv ics vcf asciidoc latex org texinfo json jsonl yaml toml ini".split()
)
# RFC 4632 section 3.1: "192.0.2.0/24" is a network.
_NETWORK = lazy(r"/[0-9]{1,2}(?![\w/])")


class _Shifts:
    """Maps offsets of a text to offsets of the same text with edits."""

    def __init__(self, edits: list[Edit]) -> None:
        self._ends = [end for _, end, _ in edits]
        sizes = (len(shown) - (end - start) for start, end, shown in edits)
        self._shifts = [0, *itertools.accumulate(sizes)]

    def __call__(self, offset: int) -> int:
        """Return the offset with all edits before it applied; it must not be inside an edit."""
        return offset + self._shifts[bisect.bisect_right(self._ends, offset)]


def refanged(segment: Segment) -> Segment:
    """Return the segment with its defanged URLs restored; the same one if there are none."""
    found = [one for one in map(partial(_visible, segment), defanged(segment.text)) if one is not None]
    if not found:
        return segment
    edits = [edit for one in found for edit in one.edits]
    moved = _Shifts(edits)
    size = 2 * len(segment.text)  # edits may lengthen the text
    spans, links, regions = ReplacedSpans(size), Spans(size), Regions(size)
    for start, end, shown in edits:
        spans.add(moved(end) - len(shown), moved(end), start, end)
    for start, end in segment.links:
        links.append(moved(start), moved(end))
    for (start, end), role in zip(segment.regions, segment.regions.roles, strict=True):
        regions.add(moved(start), moved(end), segment.regions.names[role])
    text = _applied(segment.text, edits)
    prose = text
    if segment.prose is not segment.text:
        hidden = ((start, end, _hidden(segment, start, end, shown)) for start, end, shown in edits)
        prose = _applied(segment.prose, list(hidden))
    hosts = tuple(
        DefangedHost(moved(one.start), moved(one.end), one.style == "email") for one in found if one.style != "bare"
    )
    return RefangedSegment(segment, text, prose, spans, links=links, regions=regions, hosts=hosts)


def _visible(segment: Segment, one: Defanged) -> Defanged | None:
    """Return a defanged URL with its visible edits; None if it is in markup, or if a program explains its notation."""
    start, end = one.start, one.end
    if segment.prose[start:end] != segment.text[start:end]:
        link = segment.links.index(start)
        if one.style != "bare" or link < 0 or segment.links[link][1] < end:
            return None
        last = segment.links[link][1]
        return one._replace(edits=tuple(edit for edit in one.edits if edit[1] <= last))
    if not one.is_certain and segment.kind not in _TEXTS and segment.context(start, end) not in ("comment", "prose"):
        return None
    kept = tuple(edit for edit in one.edits if segment.prose[edit[0] : edit[1]] == segment.text[edit[0] : edit[1]])
    return one._replace(edits=kept)


def _hidden(segment: Segment, start: int, end: int, shown: str) -> str:
    """Return what the prose contains in place of an edit."""
    return shown if segment.prose[start:end] == segment.text[start:end] else MARKUP * len(shown)


def _applied(text: str, edits: list[Edit]) -> str:
    pieces, done = list[str](), 0
    for start, end, shown in edits:
        pieces += text[done:start], shown
        done = end
    return "".join([*pieces, text[done:]])


def refang(text: str) -> str:
    """Return a text with its defanged URLs restored."""
    return refanged(Segment(text)).text


def refanged_chunk(chunk: Chunk) -> Chunk:
    """Return the chunk with its defanged URLs restored."""
    segment = refanged(chunk.segment)
    if not isinstance(segment, RefangedSegment):
        return chunk
    start, stop = (segment.from_written(place) for place in (chunk.start, chunk.stop))
    restored = Chunk(segment, start, stop)
    restored.floor = segment.from_written(chunk.floor)
    return restored


def hosts(segment: Segment, start: int, stop: int, floor: int) -> Iterator[Match]:
    """Yield the defanged hosts and addresses that begin in text[start:stop], and not before `floor`."""
    text, found = segment.text, segment.hosts if isinstance(segment, RefangedSegment) else ()
    first = bisect.bisect_left(found, (max(start, floor),))
    for begin, end, is_address in itertools.islice(found, first, None):
        if begin >= stop:
            return
        if begin < floor:
            continue  # in the query of the last one
        if not is_address and text[end : end + 1] in ("/", "?", "#") and _NETWORK.match(text, end) is None:
            end = max(bare_end(text, begin, end), end)
        url = text[begin:end]
        scheme = "mailto:" if is_address else "ftp://" if url[:4].lower() == "ftp." else "http://"
        assumed = scheme + (url.replace("%", "%25") if is_address else url)
        floor = end
        yield Match(url, url, begin, end, begin, end, "", "email" if is_address else "schemeless", assumed=assumed)
