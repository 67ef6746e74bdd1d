"""Decide whether a hyphen at the end of a line belongs to the URL.

RFC 1738 appendix: "because some typesetters and printers may erroneously introduce a hyphen at the
end of line when breaking a line, the interpreter of a URL containing a line break immediately after
a hyphen should ignore all unencoded whitespace around the line break, and should be aware that the
hyphen may or may not actually be part of the URL."

In real text, 448 of 449 such breaks whose URL also occurs unbroken keep the hyphen.  It is kept, unless only the URL
without it occurs unbroken in the same text.
"""

import bisect
from collections.abc import Callable, Sequence

from urlscan.core.chunk import REACH, NearbyUrls
from urlscan.core.lazy import lazy
from urlscan.core.records import Alternative
from urlscan.core.segment import MARKUP
from urlscan.finder.breaks import HYPHENS, BreakSpan
from urlscan.finder.rejoin import DelimitedUrl

MOST_ALTERNATIVES = 8
_BODY = lazy(rf"://([^\s<>\"{MARKUP}]{{1,2048}})")

# Texts that may follow an unbroken URL: punctuation and closing delimiters.
_AFTER = ("", ".", ",", ")", ").", "),", ";", ":", "'", "!", "?", "]", "].")
_WHOLE = lazy(r"[.,:;!?)\]}']{0,2}(?:[\s<>\"\x1a]|\Z)")
# Searching for one URL takes a fifth of the time of listing the beginnings of all, and a fiftieth of indexing them.  In
# a large source, which is read again, it takes a twelfth of the time of listing.
_FEWEST, _FEWEST_IN_SOURCE, _FEW = 4, 12, 64
# How many characters of each URL are listed.
_HEAD = 96


class Evidence:
    """Counts how often a URL occurs unbroken near an offset; the index is created when it is first needed.

    A URL occurs unbroken if all the text from its "://" to white space or a delimiter belongs to it.

    Args:
        text: the text to search.
        around: returns the text with its context in the source, up to REACH, and the offset of the text there; None if
            the text has no context.
        nearby: returns the URLs in the text with its context, which takes less time than reading it; None if they are
            unknown.
    """

    __slots__ = ("_around", "_asked", "_base", "_heads", "_make_nearby", "_nearby", "_places", "_text")

    def __init__(
        self,
        text: str,
        around: Callable[[], tuple[str, int]] | None = None,
        nearby: Callable[[], NearbyUrls] | None = None,
    ) -> None:
        self._text = text
        self._base = 0
        self._around = around
        self._make_nearby = nearby
        self._nearby: NearbyUrls | None = None
        self._asked = 0
        self._heads: list[str] | None = None
        self._places: dict[str, list[int]] | None = None

    def count(self, url: str, at: int) -> int:
        """Return how often `url`, with any scheme, occurs unbroken near text[at]."""
        body = url.partition("://")[2]
        fewest = _FEWEST if self._make_nearby is None else _FEWEST_IN_SOURCE
        if not body or (self._asked >= fewest and not self._may_occur(body)):
            return 0
        self._asked += 1
        nearby = self._nearby_urls()
        if nearby is not None and self._asked <= _FEW:
            return sum(_WHOLE.match(after) is not None for after in nearby.after(body, at))
        self._read_context()
        at += self._base
        first, last = max(at - REACH, 0), at + REACH
        if self._asked <= _FEW:
            return self._looked_for("://" + body, first, last)
        if self._places is None:
            self._places = {}
            for match in _BODY.finditer(self._text):
                self._places.setdefault(match[1], []).append(match.start())
        return sum(_between(self._places.get(body + after, ()), first, last) for after in _AFTER)

    def _read_context(self) -> None:
        if self._around is not None:
            self._text, self._base = self._around()
            self._around = None

    def _nearby_urls(self) -> NearbyUrls | None:
        if self._nearby is None and self._make_nearby is not None:
            self._nearby = self._make_nearby()
        return self._nearby

    def may_occur(self, start: str) -> bool:
        """Return whether `count` may find a URL, with any scheme, that begins with `start`. This is a fast check."""
        body = start.partition("://")[2]
        return body != "" and self._may_occur(body)

    def _may_occur(self, body: str) -> bool:
        """Return whether the text contains "://" and the beginning of `body`, which most joined URLs do not."""
        if (nearby := self._nearby_urls()) is not None:
            return nearby.may_begin(body)
        self._read_context()
        if self._heads is None:
            self._heads = sorted({rest[:_HEAD] for rest in self._text.split("://")})
        head = body.partition("://")[0][:_HEAD]
        at = bisect.bisect_left(self._heads, head)
        return at < len(self._heads) and self._heads[at].startswith(head)

    def _looked_for(self, words: str, first: int, last: int) -> int:
        count, at = 0, self._text.find(words, first, last + len(words))
        while 0 <= at < last:
            count += _WHOLE.match(self._text, at + len(words)) is not None
            at = self._text.find(words, at + len(words), last + len(words))
        return count


def _between(places: Sequence[int], first: int, last: int) -> int:
    return bisect.bisect_left(places, last) - bisect.bisect_left(places, first)


def hyphen_breaks(text: str, reading: DelimitedUrl) -> list[int]:
    """Return the indexes of the breaks at a line end after a hyphen."""
    return [
        number
        for number, brk in enumerate(reading.breaks)
        if brk.kind != "blank" and brk.start > reading.spans[number][0] and text[brk.start - 1] in HYPHENS
    ]


def weigh_hyphens(text: str, reading: DelimitedUrl, evidence: Evidence) -> tuple[DelimitedUrl, list[Alternative]]:
    """Return the URL without the hyphens that the evidence excludes, and its alternatives."""
    alternatives: list[Alternative] = []
    for number in hyphen_breaks(text, reading)[:MOST_ALTERNATIVES]:
        kept, without = reading.text(text), _without_hyphen(reading, number)
        dropped = without.text(text)
        at = reading.spans[0][0]
        for_dropped = evidence.count(dropped, at)
        if for_dropped and not evidence.count(kept, at):
            reading = without
            alternatives.append(Alternative(kept, "hyphen-kept"))
        else:
            alternatives.append(Alternative(dropped, "hyphen-dropped", for_dropped))
    return reading, alternatives


def _without_hyphen(reading: DelimitedUrl, number: int) -> DelimitedUrl:
    spans, breaks = list(reading.spans), list(reading.breaks)
    start, end = spans[number]
    spans[number] = (start, end - 1)
    breaks[number] = BreakSpan(end - 1, breaks[number].end, breaks[number].kind)
    return DelimitedUrl(tuple(spans), tuple(breaks), reading.outer_end, reading.prose)
