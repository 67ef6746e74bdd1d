"""Whether a hyphen at the end of a line belongs to the URL.

RFC 1738 appendix: "because some typesetters and printers may erroneously introduce a hyphen at the
end of line when breaking a line, the interpreter of a URL containing a line break immediately after
a hyphen should ignore all unencoded whitespace around the line break, and should be aware that the
hyphen may or may not actually be part of the URL."

Of 449 such breaks in real text whose URL stands unbroken elsewhere, 448 keep the hyphen: it is kept,
unless exactly the other reading stands unbroken in the same text.
"""

import re
from collections import Counter

from urlscan.finder.gaps import HYPHENS, Gap
from urlscan.finder.rejoin import Reading
from urlscan.model import Alternative

MOST_ALTERNATIVES = 8
_BODY = re.compile(r"://([^\s<>\"]{1,2048})")


# What stands after a URL that is whole: the punctuation of the sentence and closers.
_AFTER = ("", ".", ",", ")", ").", "),", ";", ":", "'", "!", "?", "]", "].")
_WHOLE = re.compile(r"[.,:;!?)\]}']{0,2}(?:[\s<>\"]|\Z)")
# Looking for one URL costs a fifth of counting them all.
_FEW = 8


class Evidence:
    """How often each URL stands unbroken in the text; counted when it is first asked for.

    A URL stands unbroken where everything from its "://" to white space or a delimiter is its own.
    """

    __slots__ = ("_asked", "_counts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._asked = 0
        self._counts: Counter[str] | None = None

    def count(self, url: str) -> int:
        """Return how often `url`, whatever its scheme is, stands unbroken."""
        body = url.partition("://")[2]
        if self._asked < _FEW:
            self._asked += 1
            return self._looked_for("://" + body) if body else 0
        if self._counts is None:
            self._counts = Counter(_BODY.findall(self._text))
        return sum(self._counts[body + after] for after in _AFTER)

    def _looked_for(self, words: str) -> int:
        count, at = 0, self._text.find(words)
        while at >= 0:
            count += _WHOLE.match(self._text, at + len(words)) is not None
            at = self._text.find(words, at + len(words))
        return count


def hyphen_breaks(text: str, reading: Reading) -> list[int]:
    """Return the numbers of the gaps that a hyphen stands before, at a line's end."""
    return [
        number
        for number, gap in enumerate(reading.gaps)
        if gap.kind != "blank" and gap.start > reading.pieces[number][0] and text[gap.start - 1] in HYPHENS
    ]


def weigh_hyphens(text: str, reading: Reading, evidence: Evidence) -> tuple[Reading, list[Alternative]]:
    """Drop the hyphens that the evidence says to drop; return the reading and the other readings."""
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


def _without_hyphen(reading: Reading, number: int) -> Reading:
    pieces, gaps = list(reading.pieces), list(reading.gaps)
    start, end = pieces[number]
    pieces[number] = (start, end - 1)
    gaps[number] = Gap(end - 1, gaps[number].end, gaps[number].kind)
    return Reading(tuple(pieces), tuple(gaps), reading.outer_end, reading.prose)
