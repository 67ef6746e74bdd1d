"""Decide whether a hyphen at the end of a line belongs to the URL.

RFC 1738 appendix: "because some typesetters and printers may erroneously introduce a hyphen at the
end of line when breaking a line, the interpreter of a URL containing a line break immediately after
a hyphen should ignore all unencoded whitespace around the line break, and should be aware that the
hyphen may or may not actually be part of the URL."

In real text, 448 of 449 such breaks whose URL also occurs unbroken keep the hyphen.  It is kept, unless only the URL
without it occurs unbroken in the same text.
"""

import bisect
from collections import Counter

from urlscan.core.document import MARKUP, Document
from urlscan.core.lazy import lazy
from urlscan.core.records import Alternative
from urlscan.finder.breaks import BreakSpan
from urlscan.finder.rejoin import DelimitedUrl

MOST_ALTERNATIVES = 8
_BODY = lazy(rf"://([^\s<>\"{MARKUP}]{{1,2048}})")

# Texts that may follow an unbroken URL: punctuation and closing delimiters.
_AFTER = ("", ".", ",", ")", ").", "),", ";", ":", "'", "!", "?", "]", "].")
_WHOLE = lazy(r"[.,:;!?)\]}']{0,2}(?:[\s<>\"\x1a]|\Z)")
# Searching for one URL takes a fifth of the time of listing the beginnings of all, and a fiftieth of counting them.
_FEWEST, _FEW = 4, 64
# How many characters of each URL are listed.
_HEAD = 96


class Evidence:
    """Counts how often a URL occurs unbroken in the prose of a document; the index is created when it is first needed.

    A URL occurs unbroken if all the text from its "://" to white space or a delimiter belongs to it.
    """

    __slots__ = ("_asked", "_counts", "_heads", "_text")

    def __init__(self, document: Document) -> None:
        self._text = document.prose
        self._asked = 0
        self._heads: list[str] | None = None
        self._counts: Counter[str] | None = None

    def count(self, url: str) -> int:
        """Return how often `url`, with any scheme, occurs unbroken."""
        body = url.partition("://")[2]
        if not body or (self._asked >= _FEWEST and not self._may_occur(body)):
            return 0
        self._asked += 1
        if self._asked <= _FEW:
            return self._looked_for("://" + body)
        if self._counts is None:
            self._counts = Counter(match[1] for match in _BODY.finditer(self._text))
        counts = self._counts
        return sum([counts[body + after] for after in _AFTER])

    def may_occur(self, start: str) -> bool:
        """Return whether `count` may find a URL, with any scheme, that begins with `start`. This is a fast check."""
        body = start.partition("://")[2]
        return body != "" and self._may_occur(body)

    def _may_occur(self, body: str) -> bool:
        """Return whether the text contains "://" and the beginning of `body`, which most joined URLs do not."""
        if self._heads is None:
            self._heads = sorted({rest[:_HEAD] for rest in self._text.split("://")})
        head = body.partition("://")[0][:_HEAD]
        at = bisect.bisect_left(self._heads, head)
        return at < len(self._heads) and self._heads[at].startswith(head)

    def _looked_for(self, words: str) -> int:
        count, at = 0, self._text.find(words)
        while at >= 0:
            count += _WHOLE.match(self._text, at + len(words)) is not None
            at = self._text.find(words, at + len(words))
        return count


def hyphen_breaks(text: str, reading: DelimitedUrl) -> list[int]:
    """Return the indexes of the breaks at a line end after a hyphen."""
    return [
        number
        for number, brk in enumerate(reading.breaks)
        if brk.kind != "blank" and brk.start > reading.spans[number][0] and text[brk.start - 1] == "-"
    ]


def weigh_hyphens(text: str, reading: DelimitedUrl, evidence: Evidence) -> tuple[DelimitedUrl, list[Alternative]]:
    """Return the URL without the hyphens that the evidence excludes, and its alternatives."""
    alternatives: list[Alternative] = []
    for number in hyphen_breaks(text, reading)[:MOST_ALTERNATIVES]:
        kept, without = reading.text(text), _without_hyphen(reading, number)
        dropped = without.text(text)
        for_dropped = evidence.count(dropped)
        if for_dropped and not evidence.count(kept):
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
