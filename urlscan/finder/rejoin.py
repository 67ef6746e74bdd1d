"""How a URL goes on inside its delimiters, over blanks, line ends, quote marks and page breaks.

RFC 1738 appendix: "In the case where a fragment/anchor identifier is associated with a URL [...]
extra whitespace (spaces, linebreaks, tabs, etc.) may need to be added to break long URLs across
lines.  The whitespace should be ignored when extracting the URL."
"""

import functools
import re
from typing import NamedTuple

from urlscan.core.lazy import lazy
from urlscan.core.segment import MARKUP
from urlscan.finder.breaks import SOFT_HYPHEN, BreakSpan, break_at, is_quote_mark
from urlscan.finder.delimiters import BRACKETS

# An occurrence, delimiter to delimiter, is never longer; a longer one is read as if it were unclosed.
LONGEST = 65536
# More gaps than any URL has: what has them is prose.
_MOST_BREAKS = 96
# More lines than a URL in a quotation or a bracket goes over.
_MOST_LINES = 8

_ANGLE_PIECE = lazy(rf"[^\s<>\\{MARKUP}]*")
_SECOND_SCHEME = lazy(r"[A-Za-z][A-Za-z0-9+.-]{1,15}://")
# A lone word of these between blanks is prose and no part of a name (RFC 1855: "horses.ps or horses.ascii").
_PROSE = frozenset("and at for from in or see to".split())
_WORD = lazy(r"[(\"']?[A-Za-z][a-z'’]*[.,;:!?)\"']*")
# So many plain words in a row, divided by blanks, are a sentence.
_SENTENCE = 5


_WRAPPER = lazy(r"<\s*(?i:url)\s*:")


class DelimitedUrl(NamedTuple):
    """A delimited URL as it was read.

    Attributes:
        pieces: start and end of each piece, in characters of the text.
        gaps: what lies between them; one fewer than the pieces.
        outer_end: the offset after the closer.
        prose: where prose begins inside the delimiters, or -1.
    """

    spans: tuple[tuple[int, int], ...]
    breaks: tuple[BreakSpan, ...]
    outer_end: int
    prose: int = -1

    def text(self, text: str) -> str:
        """Return the URL, rejoined."""
        return "".join([text[start:end] for start, end in self.spans])

    def until(self, count: int, prose: int) -> "DelimitedUrl":
        """Return the reading that stops after `count` pieces, before prose."""
        return DelimitedUrl(self.spans[:count], self.breaks[: count - 1], self.outer_end, prose)


def read_angle(text: str, start: int, colon: int, opened: int) -> DelimitedUrl | None:
    """Read the URL of text[start:colon], opened at `opened`, up to its ">"; None if it is not closed.

    The closer is the next "<" or ">".  A ">" at the beginning of a line is the closer only where no
    quote mark is to be expected: the prefix of the URL's own line has been taken away by then.
    """
    spans: list[tuple[int, int]] = []
    breaks: list[BreakSpan] = []
    at, limit = start, min(len(text), start + LONGEST)
    begin = start
    while len(breaks) < _MOST_BREAKS:
        match = _ANGLE_PIECE.match(text, at, limit)
        end = match.end() if match else at
        if end >= limit:
            return None
        char = text[end]
        if char == "\\" and not text[end + 1 : end + 2].isspace():
            at = end + 1
            continue
        if char == ">":
            if breaks and end == breaks[-1].end and _is_quote_mark(text, breaks[-1], end):
                return None
            if begin < end:
                spans.append((begin, end))
            elif breaks:
                breaks.pop()  # white space before the closer
            if not spans:
                return None
            wrapper = _WRAPPER.match(text, opened) is not None
            return _without_prose(text, colon, DelimitedUrl(tuple(spans), tuple(breaks), end + 1), wrapper=wrapper)
        if char == "<":
            return None
        # RFC 8576 and others: a backslash before the white space is the typesetter's.
        brk = break_at(text, end + (char == "\\"), opened)
        if brk is None or brk.end >= limit:
            return None
        if begin == end:  # a blank, a backslash and a blank are one gap
            last = breaks.pop()
            breaks.append(BreakSpan(last.start, brk.end, brk.kind if last.kind == "blank" else last.kind))
        else:
            spans.append((begin, end))
            breaks.append(BreakSpan(end, brk.end, brk.kind))
        at = begin = brk.end
    return None


# What may follow a closer that is first on its line: nothing, or the punctuation of the sentence.
_AFTER_CLOSER = ("", "\r", "\n", *".,;:!?)]}'\"")


def _is_quote_mark(text: str, brk: BreakSpan, at: int) -> bool:
    """Return whether the ">" at text[at], first on its line after `gap`, marks a quotation and closes nothing.

    A closer alone on its line is followed by punctuation at most.  One before text needs the evidence of other lines.
    """
    if brk.kind == "blank" or brk.kind == "quote-mark":
        return False
    if text[at + 1 : at + 80].lstrip(" \t")[:1] in _AFTER_CLOSER:
        return False
    return is_quote_mark(text, at, "")


# Words that do not go on like a URL, up to the closer: "<https://h.example/ A Label>", as Haddock and Slack have it.
_LABEL_WORD = r"(?:[^\s<>/.?=&#%@:_]|\.(?![a-z]{2,5}\b))+"
_LABEL = lazy(rf"{_LABEL_WORD}(?:[^\S\r\n]+{_LABEL_WORD})*[.!]?[^\S\r\n]*>")
_LONGEST_LABEL = 200
# A placeholder for a URL: "<git:// url>".
_HOLE = lazy(r"[A-Za-z][A-Za-z0-9+.-]*://\s+[A-Za-z]+>")
# What a URL ends with that a blank cut in two.
_CUT = "-_=&?+%,~"


# A piece after white space that begins with a delimiter of components continues the URL: "old/  mill \t ?a=1".
_CONTINUED = lazy(r"\A[/?#&][\w%]|\s[/?&][\w%]")


def _is_label(text: str, at: int, before: int, reading: DelimitedUrl) -> bool:
    """Return whether what begins at text[at], after a blank, labels the URL that ends at `before`."""
    if text[before - 1] in _CUT:
        return False
    label = text[at : min(reading.outer_end, at + _LONGEST_LABEL)]
    if at - before > 1 and text[before:at].isspace():
        return label[0].isupper() or _CONTINUED.search(label) is None
    if _LABEL.fullmatch(label) is None:
        return False
    # "ftp://h.example/pub/ gopher" lacks a piece; "https://h.example/ Project" names what it leads to.
    return text[before - 1] != "/" or label[0].isupper() or " " in label.rstrip("> ")


# "jo at h.example": what follows the "@" that an archive masks.
_MASKED_HOST = lazy(r"[\w.-]+/[^\s/]")


def _is_masked(text: str, reading: DelimitedUrl, number: int) -> bool:
    """Return whether the word "at", piece `number` of the reading, stands for an "@".

    `<http://h.example/list/jo at h.example/msg1>` is masked; after "/" no address ends, and "at" is prose.
    """
    if text[reading.spans[number - 1][1] - 1] == "/" or number + 1 == len(reading.spans):
        return False
    return _MASKED_HOST.match(text, *reading.spans[number + 1]) is not None


def _without_prose(text: str, colon: int, reading: DelimitedUrl, *, wrapper: bool) -> DelimitedUrl | None:
    """Stop the reading where prose begins, or a label; None where the whole is a mask ("joe at h.example").

    RFC 1855 has `<URL: ftp://ftp.intel.com/pub/papers/horses.ps or` newline `horses.ascii>`.
    """
    breaks = reading.breaks
    words = 0
    for number, (start, end) in enumerate(reading.spans):
        if not number:
            continue
        piece = text[start:end]
        blank = breaks[number - 1].kind == "blank"
        if blank and not wrapper and _HOLE.match(text, reading.spans[0][0], reading.outer_end):
            return None
        if blank and not wrapper and _is_label(text, start, reading.spans[number - 1][1], reading):
            return reading.until(number, -1)
        lone = blank or (number < len(breaks) and breaks[number].kind == "blank")
        if blank and piece[0] in "([":
            return reading.until(number, start)
        if lone and piece.lower() in _PROSE:
            if piece == "at" and text[reading.spans[0][0] :][:7].lower() == "mailto:":
                return None
            if piece == "at" and _is_masked(text, reading, number):
                return reading.until(number, -1)
            return reading.until(number, start)
        # "web.archive.org/web/2010/" newline "http://x" is one URL; after a blank or a whole one comes another.
        second = start > colon and _SECOND_SCHEME.match(text, start, end)
        if second and (blank or text[reading.spans[number - 1][1] - 1] not in "/=?&:"):
            return reading.until(number, start)
        words = words + 1 if blank and _WORD.fullmatch(piece) else 0
        if words == _SENTENCE:
            first = number - words + 1
            return reading.until(first, reading.spans[first][0])
    return reading


# No line that breaks off is longer; a text of one line of openers must not be read again for each.
_LINE = 2048
_UNBROKEN = lazy(rf"[^\s<>\"{MARKUP}]*")


def breaks_off(text: str, start: int) -> bool:
    """Whether the run of characters from `start` reaches its line's end, white space aside."""
    run = _UNBROKEN.match(text, start, start + _LINE)
    end = run.end() if run else start
    return text[end : end + 80].lstrip(" \t")[:1] in ("\r", "\n")


@functools.cache
def _enclosed_piece(closer: str) -> tuple[str, "re.Pattern[str]"]:
    """Return the opener of `closer` if brackets nest, and a run that neither ends."""
    opener = next((o for o, c in BRACKETS.items() if c == closer), "")
    return opener, re.compile(rf"[^\s<>\"\\{re.escape(opener + closer)}{MARKUP}\ud800-\udfff]*")


def read_enclosed(text: str, start: int, closer: str, quoted_printable: bool) -> DelimitedUrl | None:
    """Read a URL that a quotation or a bracket opens right before and closes over line breaks.

    None unless what is enclosed is one URL, broken over lines and nothing else.
    """
    spans: list[tuple[int, int]] = []
    breaks: list[BreakSpan] = []
    opener, piece = _enclosed_piece(closer)
    depth, at, begin, limit = 0, start, start, min(len(text), start + LONGEST)
    while len(breaks) < _MOST_LINES:
        match = piece.match(text, at, limit)
        end = match.end() if match else at
        if end >= limit:
            return None
        char = text[end]
        if char == closer and not depth:
            after = text[end + 1 : end + 2]
            if (after.isascii() and after.isalnum()) or begin == end or not breaks:
                return None
            spans.append((begin, end))
            return DelimitedUrl(tuple(spans), tuple(breaks), end + 1)
        if char in (opener, closer):
            depth, at = depth + (1 if char == opener else -1), end + 1
            continue
        brk = break_at(text, end, start - 1) if char.isspace() and text[end - 1] not in ",|" else None
        if brk is None or brk.kind == "blank" or brk.end >= limit or _SECOND_SCHEME.match(text, brk.end):
            return None
        if quoted_printable and text[end - 1] == "=":
            brk = BreakSpan(end - 1, brk.end, "soft-break")  # RFC 2045 section 6.7 (5)
        spans.append((begin, brk.start))
        breaks.append(brk)
        at = begin = brk.end
    return None


def without_soft_hyphens(text: str, reading: DelimitedUrl) -> DelimitedUrl:
    """Take the soft hyphens at line ends out of the pieces: they stand there only because of the break."""
    if text.isascii() or text.find(SOFT_HYPHEN, reading.spans[0][0], reading.outer_end) < 0:
        return reading
    spans, breaks = list(reading.spans), list(reading.breaks)
    for number, brk in enumerate(breaks):
        start, end = spans[number]
        if brk.kind != "blank" and end > start and text[end - 1] == SOFT_HYPHEN:
            spans[number] = (start, end - 1)
            breaks[number] = BreakSpan(end - 1, brk.end, brk.kind)
    return DelimitedUrl(tuple(spans), tuple(breaks), reading.outer_end, reading.prose)
