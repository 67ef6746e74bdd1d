"""Decide whether a hyphen at the end of a line belongs to the URL.

RFC 1738 appendix: "because some typesetters and printers may erroneously introduce a hyphen at the
end of line when breaking a line, the interpreter of a URL containing a line break immediately after
a hyphen should ignore all unencoded whitespace around the line break, and should be aware that the
hyphen may or may not actually be part of the URL."

In real text, 448 of 449 such breaks whose URL also occurs unbroken keep the hyphen.  It is kept, unless only the URL
without it occurs unbroken in the same text.
"""

import functools
from collections import Counter

from urlscan.core.document import MARKUP, Document
from urlscan.core.lazy import lazy
from urlscan.core.records import Alternative
from urlscan.finder.breaks import BreakSpan
from urlscan.finder.rejoin import DelimitedUrl

MOST_ALTERNATIVES = 8
_BODY = lazy(rf"://(?=([^\s<>\"{MARKUP}]{{1,2048}}))")

# Texts that may follow an unbroken URL: punctuation and closing delimiters.
_AFTER = ("", ".", ",", ")", ").", "),", ";", ":", "'", "!", "?", "]", "].")
_WHOLE = lazy(r"(?:\)[.,]|\]\.|[.,);:'!?\]])?(?:[\s<>\"\x1a]|\Z)")
# Searching for one URL takes a fiftieth of the time of counting all.
_FEW = 4


class Evidence:
    """Counts how often a URL occurs unbroken in the prose of a document.

    A URL occurs unbroken if all the text from its "://" to white space or a delimiter belongs to it.
    """

    def __init__(self, document: Document) -> None:
        self._text = document.prose
        self._asked = 0

    def count(self, url: str) -> int:
        """Return how often `url`, with any scheme, occurs unbroken."""
        body = url.partition("://")[2]
        if not body:
            return 0
        self._asked += 1
        if self._asked > _FEW:
            return sum([self._counts[body + after] for after in _AFTER])
        return sum([_WHOLE.match(after) is not None for after in self._text.split("://" + body)[1:]])

    @functools.cached_property
    def _counts(self) -> Counter[str]:
        """How often each URL occurs, with the punctuation after it."""
        return Counter(match[1] for match in _BODY.finditer(self._text))


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
        with_hyphen, without = reading.text(text), _without_hyphen(reading, number)
        dropped = without.text(text)
        for_dropped = evidence.count(dropped)
        if for_dropped and not evidence.count(with_hyphen):
            reading = without
            alternatives.append(Alternative(with_hyphen, "hyphen-kept"))
        else:
            alternatives.append(Alternative(dropped, "hyphen-dropped", for_dropped))
    return reading, alternatives


def _without_hyphen(reading: DelimitedUrl, number: int) -> DelimitedUrl:
    spans, breaks = list(reading.spans), list(reading.breaks)
    start, end = spans[number]
    spans[number] = (start, end - 1)
    breaks[number] = BreakSpan(end - 1, breaks[number].end, breaks[number].kind)
    return DelimitedUrl(tuple(spans), tuple(breaks), reading.outer_end, reading.prose)
