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


class Evidence:
    """How often each URL stands unbroken in the text; counted when it is first asked for.

    Counting goes over the text once more, in C and without deciding anything: a URL stands unbroken
    where everything from its "://" to white space or a delimiter is its own.
    """

    __slots__ = ("_counts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._counts: Counter[str] | None = None

    def count(self, url: str) -> int:
        """Return how often `url`, whatever its scheme is, stands unbroken."""
        if self._counts is None:
            self._counts = Counter(_BODY.findall(self._text))
        body = url.partition("://")[2]
        return sum(self._counts[body + after] for after in _AFTER)


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
        for_kept, for_dropped = evidence.count(kept), evidence.count(dropped)
        if for_dropped and not for_kept:
            reading = without
            alternatives.append(Alternative(kept, "hyphen-kept", for_kept))
        else:
            alternatives.append(Alternative(dropped, "hyphen-dropped", for_dropped))
    return reading, alternatives


def _without_hyphen(reading: Reading, number: int) -> Reading:
    pieces, gaps = list(reading.pieces), list(reading.gaps)
    start, end = pieces[number]
    pieces[number] = (start, end - 1)
    gaps[number] = Gap(end - 1, gaps[number].end, gaps[number].kind)
    return Reading(tuple(pieces), tuple(gaps), reading.outer_end, reading.prose)
