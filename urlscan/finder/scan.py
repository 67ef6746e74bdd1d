"""Find the URLs of a plain text.

Several searches yield matches: URLs, look-alikes, hosts and addresses, defanged ones.  If two matches overlap,
delimiters included, the one that begins first wins; if both begin at the same place, the URL does.
"""

import bisect
import functools
import re
from array import array
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from urlscan.core.choices import Rejoin
from urlscan.core.document import Document
from urlscan.core.lazy import lazy
from urlscan.core.records import Match
from urlscan.core.settings import FindOptions
from urlscan.finder.anchors import REACH
from urlscan.finder.anchors import anchor as anchor_pattern
from urlscan.finder.fast_path import LEAD, FastMatchCache, match_at
from urlscan.finder.shapes import SLASHES, TYPESET_HYPHENS

if TYPE_CHECKING:  # loaded when a URL needs the general path
    from urlscan.finder.read import TextSearch
    from urlscan.finder.rejoin import Evidence

_fast_matches = FastMatchCache()
# How many characters after a URL may end with the line end at which it may continue: punctuation, a blank, CR LF.
_LINE_END = 4
_BLANK_LINE = lazy(r"\n\r?\n(?=\S)")
# Kinds whose text is prose.
_RUNNING = ("plain", "mail")


def find(
    text: str,
    *,
    rejoin: Rejoin = "wrapped",
    look_alikes: bool = False,
    schemeless: bool = False,
    emails: bool = False,
) -> Iterator[Match]:
    """Return an iterator over the URLs of `text`, in order of position, without overlaps.

    Args:
        text: any string, including lone surrogates and NUL.
        rejoin, look_alikes, schemeless, emails: as in `FindOptions`.
    """
    options = FindOptions(schemeless=schemeless, emails=emails, look_alikes=look_alikes, rejoin=rejoin)
    return scan(Document(text), options)


def scan(document: Document, options: FindOptions) -> Iterator[Match]:
    """Return an iterator over the matches in the prose of a document, without its links."""
    document.end = document.floor
    text = document.prose
    no_slashes = not options.look_alikes or "//" not in text
    if ":" not in text and no_slashes and not (options.schemeless or options.emails or options.defanged):  # only links
        return iter(())
    general = _GeneralPath(document, options)
    # The offsets of the slashes that look-alikes may have: a few in a megabyte of text.
    slashes = array("q")
    if options.look_alikes:
        slashes.extend(match.start() for match in SLASHES.finditer(text, document.start, document.stop))
    matches = _scan(general, document)
    if slashes:
        search = functools.partial(_look_alikes, document)
        matches = _with_others(matches, search, document, functools.partial(_next_place, slashes))
    if options.continuations or options.rejoin == "guess" or _is_typeset(document):
        matches = _with_continuations(matches, document, general)
    if options.schemeless or options.emails:
        from urlscan.finder.schemeless import hosts

        search = functools.partial(hosts, text, schemeless=options.schemeless, emails=options.emails)
        matches = _with_others(matches, search, document)
    if options.defanged:
        from urlscan.finder.refang import hosts as defanged_hosts

        matches = _with_others(matches, functools.partial(defanged_hosts, document), document)
    if document.kind not in _RUNNING:
        from urlscan.finder.notation import with_syntax_ends

        matches = with_syntax_ends(matches, document)
    return matches


class _GeneralPath:
    """Reads URLs on the general path, whose modules are not loaded for a text of common URLs."""

    def __init__(self, document: Document, options: FindOptions) -> None:
        self.options = options
        self._document = document
        self._search: TextSearch | None = None

    @property
    def evidence(self) -> "Evidence":
        """The URLs that occur unbroken in the text."""
        from urlscan.finder.rejoin import Evidence

        return self._document.computed(Evidence)

    def read(self, colon: int, kind: int | None, floor: int) -> Match | None:
        """Return the URL whose scheme ends at text[colon], as `read`."""
        text, options = self._document.prose, self.options
        from urlscan.finder.read import TextSearch, read

        if self._search is None:
            self._search = TextSearch(text, options.rejoin, options.look_alikes, options.schemes, self.evidence)
        return read(self._search, colon, kind, floor)


def _is_typeset(document: Document) -> bool:
    """Return whether a hyphen of a typesetter may break a URL."""
    text, start, limit = document.prose, document.start, document.stop
    return not text.isascii() and any(text.find(hyphen, start, limit) >= 0 for hyphen in TYPESET_HYPHENS)


def _with_continuations(matches: Iterator[Match], document: Document, general: _GeneralPath) -> Iterator[Match]:
    """Yield the matches as `with_continuations` does, which is loaded for the first URL near the end of a line."""
    text = document.prose
    for match in matches:
        end = match.outer_end
        after = text[end : end + _LINE_END]
        if "\n" in after or "\r" in after:
            from urlscan.finder.continuation import with_continuations

            yield from with_continuations(chain((match,), matches), document, general.options, general.evidence)
            return
        yield match


def _scan(general: _GeneralPath, document: Document) -> Iterator[Match]:
    """Yield the matches whose colons are in the document."""
    fast_matches, text, limit = _fast_matches, document.prose, document.stop
    size, floor, new = len(text), document.floor, tuple.__new__
    # The pattern may read up to REACH characters after the last colon.
    for match in anchor_pattern(general.options.look_alikes).finditer(text, document.start, limit + REACH):
        colon, end = match.span()
        if colon >= limit:
            break
        if colon >= floor and colon >= LEAD and end < size:
            fast = fast_matches[text[colon - LEAD : end + 1]]
            if fast is not None and (fast[7] or colon - LEAD <= floor):  # the condition saves a call for most URLs
                fast = match_at(fast, text, colon, floor)
            if fast is not None:  # only punctuation follows it up to `end`
                url, first, last, outer_first, outer_last, scheme, style, _ = fast
                floor = colon + outer_last
                yield new(  # calling the class takes three times as long
                    Match,
                    (
                        url, url, colon + first, colon + last, colon + outer_first, floor, scheme, style,
                        (), (), "none", False, (), "", "prose", "",
                    ),
                )  # fmt: skip
                continue
        for read_match in _matches_in(general, text, match, end, limit, floor):
            yield read_match
            floor = read_match.outer_end
    document.end = max(document.end, floor)


def _matches_in(
    general: _GeneralPath, text: str, anchor: re.Match[str], end: int, limit: int, floor: int
) -> Iterator[Match]:
    """Yield the matches at an anchor and at those after it up to `end`, to which the anchor consumed the text."""
    consumed = floor
    following: re.Match[str] | None = anchor
    while following is not None and (colon := following.start()) < limit and consumed < end:
        if colon >= consumed:
            read_match = general.read(colon, following.lastindex, consumed)
            if read_match is not None:
                consumed = read_match.outer_end
                yield read_match
        following = anchor.re.search(text, max(consumed, colon + 1), end)


def _look_alikes(document: Document, start: int, limit: int, floor: int) -> Iterator[Match]:
    """Return the look-alikes whose slashes are in a slice of the prose of a document."""
    from urlscan.finder.look_alikes import look_alikes

    return look_alikes(document.prose, start, limit, floor)


def _next_place(places: "array[int]", start: int, limit: int) -> int:
    """Return the first of some places, in order, from `start` on; after `limit` for none."""
    number = bisect.bisect_left(places, start)
    return places[number] if number < len(places) else limit + 1


def _with_others(
    matches: Iterator[Match],
    search: Callable[[int, int, int], Iterator[Match]],
    document: Document,
    next_place: Callable[[int, int], int] = lambda start, _: start,
) -> Iterator[Match]:
    """Yield the matches and, between them, those of another search, which takes start, stop and floor.

    Args:
        next_place: returns the first offset between two where `search` may find something; it is called rarely if
            there are few such offsets.
    """
    start, limit, floor = document.start, document.stop, document.floor
    next_offset = -1  # the first offset from `start` on where `search` may find something
    for match in matches:
        begin = match.outer_start
        if next_offset < start:
            next_offset = next_place(start, limit)
        if next_offset < begin:
            for other in search(start, min(begin, limit), floor):
                yield other
                floor = other.outer_end
        if begin >= floor:
            yield match
            floor = match.outer_end
        if start < floor:
            start = floor
    for other in search(start, limit, floor):
        yield other
        floor = other.outer_end
    document.end = max(document.end, floor)


def split_points(text: str, parts: int) -> list[int]:
    """Return the offsets, at blank lines, that divide the text into about `parts` chunks of equal length.

    Only a page break continues a URL over a blank line.  So `scan` finds the same URLs in a chunk whether or not it has
    searched the chunks before, unless `floor` is inside the chunk.
    """
    points: list[int] = []
    for number in range(1, parts):
        match = _BLANK_LINE.search(text, max(len(text) * number // parts, points[-1] if points else 0))
        if match is None:  # no blank line follows
            break
        if match.end() < len(text) and match.end() not in points[-1:]:
            points.append(match.end())
    return points
