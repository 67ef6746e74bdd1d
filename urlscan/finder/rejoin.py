"""Read a URL between delimiters, and join it over blanks, line ends, quote marks and page breaks.

RFC 1738 appendix: "In the case where a fragment/anchor identifier is associated with a URL [...]
extra whitespace (spaces, linebreaks, tabs, etc.) may need to be added to break long URLs across
lines.  The whitespace should be ignored when extracting the URL."  RFC 3986 appendix C adds line breaks and quote
marks; real text adds comment leaders, page breaks and the backslash of a folded line.
"""

import functools
import re
from collections import Counter

from urlscan.core.document import MARKUP, Document, readable
from urlscan.core.lazy import lazy, match_end, repeat
from urlscan.core.record import NamedTuple
from urlscan.core.records import Alternative, Break, Match, TextFault
from urlscan.core.typing import BreakKind
from urlscan.finder.anchors import LONGEST, TYPESET_HYPHENS
from urlscan.finder.delimiters import BRACKETS, Opening
from urlscan.finder.line_prefixes import NAME, is_quotation, line_prefix

_BLANK = lazy(r"[^\S\r\n]+")
_LINE_BREAK = lazy(r"[^\S\r\n]*(?:\r\n?|\n)[^\S\r\n]*")
_NAME = lazy(rf"({NAME})>(?=[>|\s])")
# A ">" before any "<" on the same line, except in an arrow.
_SECOND = lazy(r"[^<>\r\n]{1,400}(?<![-=])>")
# The first character of a quote mark or a comment leader: a fast check, since most lines begin with neither.
_MARKED = lazy(rf"[>|/#;*%!\"\-:}}\])+=$&@~^]|{NAME}>|(?i:dnl|rem)\b")
_EMPTY = r"[^\S\r\n]*(?:\r\n?|\n)"
# A page break of the RFC series: at most three blank lines, one footer, a form feed or "[Page n]", one header, at most
# three blank lines.
_BLANK_LINES = rf"{_EMPTY}(?:{_EMPTY}){{0,3}}"
_NUMBERED_FOOTER = (
    rf"[^\r\n\f]{{0,200}}\[Page[^\S\r\n]+\w{{1,9}}\]{_EMPTY}(?:[^\S\r\n\f]*(?:\r\n?|\n))?\f?(?:{_EMPTY})?"
)
_FORM_FEED = rf"(?:[^\r\n\f]{{1,200}}(?:\r\n?|\n))?\f(?:{_EMPTY})?"
_HEADER = r"[^\r\n\f]{1,200}"
# Matches: `\n\nSmith [Page 3]\nRFC 1 Title\n\n`, `\n  [Page 3]\n\nTitle\n  `
# Does not match: `\n\nSmith 3\nRFC 1 Title\n\n`, `Smith [Page 3]\nTitle\n`, `\n`
_PAGE = lazy(rf"{_BLANK_LINES}(?:{_NUMBERED_FOOTER}|{_FORM_FEED}){_HEADER}{_BLANK_LINES}[^\S\r\n]*(?=\S)")


class BreakSpan(NamedTuple):
    """A break in a URL: the characters of the text between two of its spans."""

    start: int
    end: int
    kind: BreakKind


def break_at(text: str, offset: int, opened: int) -> BreakSpan | None:
    """Return the break that begins at the white space text[offset], or None if no URL continues after it.

    Only a page break includes a blank line.  A quote mark or a comment leader belongs to the break if the line of
    text[opened], on which the URL was opened, begins with it too.
    """
    line = _LINE_BREAK.match(text, offset)
    if line is None:
        blank = match_end(_BLANK, text, offset)
        if blank == offset:
            return None
        return BreakSpan(offset, blank, "blank")
    end = line.end()
    kind: BreakKind = "newline"
    if _MARKED.match(text, end):
        prefix = line_prefix(text, opened)
        if prefix is not None and (marks := prefix.pattern.match(text, end)):
            end, kind = marks.end(), prefix.kind
        elif (name := _NAME.match(text, end)) and is_quote_mark(text, name.start(), name[1]):
            return None  # a quotation from another author
    if end == len(text) or text[end] in "\r\n\f":
        page = match_end(_PAGE, text, offset)
        if page == offset:
            return None
        return BreakSpan(offset, page, "page-break")
    return BreakSpan(offset, end, kind)


def is_quote_mark(text: str, offset: int, name: str) -> bool:
    """Return whether ">" or "name>" at text[offset], first on its line, is a quote mark although a "<" is open.

    The evidence is in other lines of the paragraph, or a second ">" that closes the bracket: "Al> mill>, near".
    """
    return _SECOND.match(text, offset + len(name) + 1) is not None or is_quotation(text, offset, name)


# Characters that may follow a closer at the start of a line: the line end or punctuation.
_AFTER_CLOSER = ("", "\r", "\n", *".,;:!?)]}'\"")
# The maximum number of breaks in a URL; text with more is prose.
_MOST_BREAKS = 96
# The maximum number of lines of a URL in a quotation or a bracket.
_MOST_LINES = 8

# Up to the next "<", ">", white space, or backslash before white space.
_ANGLE_SPAN = lazy(repeat(rf"[^\s<>\\{MARKUP}]++|\\(?!\s)"))
_SECOND_SCHEME = lazy(r"[A-Za-z][A-Za-z0-9+.-]{1,15}://")
# These words between blanks are prose and not part of a name (RFC 1855: "horses.ps or horses.ascii").
_PROSE = frozenset("and at for from in or see to".split())
_WORD = lazy(r"[(\"']?[A-Za-z][a-z'’]*[.,;:!?)\"']*")
# This many consecutive words, separated by blanks, are a sentence.
_SENTENCE = 5
# Two words in lower case after two blanks begin one, too.
_CLAUSE = lazy(r"(?<=[^\S\r\n]{2})[a-z]{2,} [a-z]+[ ,.>]")
_WRAPPER = lazy(r"<\s*(?i:url)\s*:")


class DelimitedUrl(NamedTuple):
    """A URL between delimiters.

    Attributes:
        spans: the spans of the URL, in characters of the text.
        breaks: the breaks between them, one fewer than the spans.
        outer_end: the offset after the closer.
        prose: the offset of prose inside the delimiters, or -1.
    """

    spans: tuple[tuple[int, int], ...]
    breaks: tuple[BreakSpan, ...]
    outer_end: int
    prose: int = -1

    def text(self, text: str) -> str:
        """Return the joined URL."""
        return "".join([text[start:end] for start, end in self.spans])

    def match(self, text: str, opener: Opening, scheme: str, faults: tuple[TextFault, ...] = ()) -> Match:
        """Return the match of the URL after its opener."""
        start, end = self.spans[0][0], self.spans[-1][1]
        breaks = tuple(
            [
                Break(kind, first - start, last - first, "-" in text[first - 1 : first + 1])
                for first, last, kind in self.breaks
            ]
        )
        return Match(
            readable(self.text(text)),
            readable(text[start:end]),
            start,
            end,
            opener.start,
            self.outer_end,
            scheme,
            "bare" if opener.style == "bracket" else opener.style,
            breaks,
            joined="delimited" if breaks else "none",
            faults=faults,
        )

    def until(self, count: int, prose: int) -> "DelimitedUrl":
        """Return the URL up to its first `count` spans, before prose."""
        return DelimitedUrl(self.spans[:count], self.breaks[: count - 1], self.outer_end, prose)


def read_angle(text: str, start: int, colon: int, opened: int) -> DelimitedUrl | None:
    """Read the URL of text[start:colon], opened at `opened`, up to its ">"; return None if it is not closed.

    The closer is the next "<" or ">".  A ">" at the start of a line is the closer only if it is not a quote mark: the
    prefix of the line of the URL is part of the break.
    """
    spans: list[tuple[int, int]] = []
    breaks: list[BreakSpan] = []
    offset, limit = start, min(len(text), start + LONGEST)
    while len(breaks) < _MOST_BREAKS:
        end = match_end(_ANGLE_SPAN, text, offset, limit)
        if end >= limit or text[end] == "<":
            return None
        if text[end] == ">":
            delimited = _closed(text, spans, breaks, offset, end)
            if delimited is None:
                return None
            is_wrapper = _WRAPPER.match(text, opened) is not None
            if not is_wrapper:
                delimited = _without_bar_label(text, delimited)
            return _without_prose(text, colon, delimited, wrapper=is_wrapper)
        # RFC 8576 and others: a backslash before the white space belongs to the break.
        brk = break_at(text, end + (text[end] == "\\"), opened)
        if brk is None or brk.end >= limit:
            return None
        if offset == end:  # a blank, a backslash and a blank are one break
            last = breaks.pop()
            if last.kind != "blank":
                brk = brk._replace(kind=last.kind)
            breaks.append(brk._replace(start=last.start))
        else:
            spans.append((offset, end))
            breaks.append(BreakSpan(end, brk.end, brk.kind))
        offset = brk.end
    return None


def _closed(
    text: str, spans: list[tuple[int, int]], breaks: list[BreakSpan], begin: int, end: int
) -> DelimitedUrl | None:
    """Return the URL whose last span text[begin:end] is followed by ">"; None if that is a quote mark."""
    # Before a line end or punctuation, a ">" first on its line is a closer; before text, other lines decide.
    is_first = breaks and end == breaks[-1].end and breaks[-1].kind != "blank"
    is_before_text = text[end + 1 : end + 80].lstrip(" \t")[:1] not in _AFTER_CLOSER
    if is_first and is_before_text and is_quote_mark(text, end, ""):
        return None
    if begin < end:
        spans.append((begin, end))
    elif breaks:
        breaks.pop()  # white space before the closer
    if not spans:
        return None
    return DelimitedUrl(tuple(spans), tuple(breaks), end + 1)


_LABEL_CHARACTER = r"(?:[^\s<>/.?=&#%@:_]|\.(?![a-z]{2,5}\b))"
# A label after a blank, as in Haddock: "<https://h.example/mill The Mill>".
# Matches: `Mill>`, `the old mill.>`, `Mill 3 >`
# Does not match: `mill-3>`, `REC2002>`, `mill/b>`, `mill.html>`
_LABEL = lazy(
    rf"(?:{_LABEL_CHARACTER}+(?:[^\S\r\n]+{_LABEL_CHARACTER}+)+|(?:(?![\d-]){_LABEL_CHARACTER})+)[.!]?[^\S\r\n]*>"
)
# A label after a bar, as in Slack: "<https://h.example/mill|The mill, #3>".
# Matches: `the old mill>`, `The mill, #3>`
# Does not match: `mill>`, `a mill/b>`, `a b|c>`
_BAR_LABEL = lazy(r"[^\s<>|/=&]+(?:[^\S\r\n]+[^\s<>|/=&]+)+>")
_LONGEST_LABEL = 200
# The last character before a blank that interrupts a URL.
_CUT = "/-_=&?+%,~"


def _is_label(text: str, delimited: DelimitedUrl, number: int) -> bool:
    """Return whether span `number`, after a blank, begins a label.

    A text that repeats a part of the URL is a label: "<https://h.example/#old_mill old_mill>". After a blank that
    begins no label, every blank is data: "<gopher://h.example/00/The Old Mill/Old Mill>".
    """
    end, start = delimited.spans[number - 1][1], delimited.spans[number][0]
    if text[end - 1] in _CUT or any(brk.kind == "blank" for brk in delimited.breaks[: number - 1]):
        return False
    label = text[start : min(delimited.outer_end, start + _LONGEST_LABEL)]
    return _LABEL.match(label) is not None or label[:-1].rstrip() in text[delimited.spans[0][0] : end]


def _without_bar_label(text: str, delimited: DelimitedUrl) -> DelimitedUrl:
    """Return the URL up to a bar that begins a label: several words, or the URL again, "<https://h.example|h.example>"."""
    bar = text.find("|", delimited.spans[0][0], delimited.outer_end)
    for number, (start, end) in enumerate(delimited.spans, 1):
        if start < bar < end:
            url = delimited.until(number, -1)._replace(spans=(*delimited.spans[: number - 1], (start, bar)))
            whole, label = url.text(text), text[bar + 1 : min(delimited.outer_end, bar + _LONGEST_LABEL)]
            if label[:-1] in (whole, whole.partition(":")[2].lstrip("/")) or _BAR_LABEL.fullmatch(label):
                return url
    return delimited


# "jo at h.example": the host after a masked "@".
_MASKED_HOST = lazy(r"[\w.-]+/[^\s/]")


def _without_prose(text: str, colon: int, delimited: DelimitedUrl, *, wrapper: bool) -> DelimitedUrl | None:
    """Return the URL up to prose or a label; None if it is masked ("joe at h.example") or a placeholder.

    RFC 1855 has `<URL: ftp://ftp.intel.com/pub/papers/horses.ps or` newline `horses.ascii>`.
    """
    spans, breaks = delimited.spans, delimited.breaks
    words = 0
    for number in range(1, len(spans)):
        start, end = spans[number]
        blank = breaks[number - 1].kind == "blank"
        if blank and not wrapper and _is_label(text, delimited, number):
            return delimited.until(number, -1)
        if blank and (text[start] in "([" or _CLAUSE.match(text, start)):
            return delimited.until(number, start)
        is_beside_blank = any(brk.kind == "blank" for brk in breaks[number - 1 : number + 1])
        if is_beside_blank and text[start:end].lower() in _PROSE:
            return _until_word(text, delimited, number)
        # "web.archive.org/web/2010/" newline "http://x" is a single URL.
        is_joined = not blank and text[spans[number - 1][1] - 1] in "/=?&:"
        if start > colon and not is_joined and _SECOND_SCHEME.match(text, start, end):
            return delimited.until(number, start)
        words += 1
        if not blank or not _WORD.fullmatch(text, start, end):
            words = 0
        if words == _SENTENCE:
            first = number - words + 1
            return delimited.until(first, spans[first][0])
    return delimited


def _until_word(text: str, delimited: DelimitedUrl, number: int) -> DelimitedUrl | None:
    """Return the URL up to the lone word in a span; None if that masks the "@" of a mailto URL."""
    start, end = delimited.spans[number]
    if text[start:end] == "at":
        first = delimited.spans[0][0]
        if text[first : first + 7].lower() == "mailto:":
            return None
        # "<http://h.example/list/jo at h.example/msg1>" is masked; no local part ends in "/": "at" after it is prose.
        host = delimited.spans[number + 1 : number + 2]
        if host and text[delimited.spans[number - 1][1] - 1] != "/" and _MASKED_HOST.match(text, *host[0]):
            return delimited.until(number, -1)
    return delimited.until(number, start)


# The maximum length of a line that a URL continues after, so that a line of openers takes linear time.
_LINE = 2048
_UNBROKEN = lazy(rf"[^\s<>\"{MARKUP}]*")


def breaks_off(text: str, start: int) -> bool:
    """Return whether the URL characters from `start` reach the end of the line, except for white space."""
    end = match_end(_UNBROKEN, text, start, start + _LINE)
    return text[end : end + 80].lstrip(" \t")[:1] in ("\r", "\n")


@functools.cache
def _enclosed_span(closer: str) -> tuple[str, "re.Pattern[str]"]:
    """Return the opener of `closer` if it is a bracket, or "", and the pattern of text without either."""
    opener = next((o for o, c in BRACKETS.items() if c == closer), "")
    return opener, re.compile(rf"[^\s<>\"\\{re.escape(opener + closer)}{MARKUP}\ud800-\udfff]*")


def read_enclosed(text: str, start: int, closer: str, quoted_printable: bool) -> DelimitedUrl | None:
    """Read a URL over line breaks, from directly after a quotation mark or bracket to its closer.

    Return None unless the delimiters enclose a single URL with line breaks and nothing else.
    """
    spans: list[tuple[int, int]] = []
    breaks: list[BreakSpan] = []
    opener, pattern = _enclosed_span(closer)
    depth, offset, begin, limit = 0, start, start, min(len(text), start + LONGEST)
    while len(breaks) < _MOST_LINES:
        end = match_end(pattern, text, offset, limit)
        if end >= limit:
            return None
        char = text[end]
        if char == closer and not depth:
            after = text[end + 1 : end + 2]
            if (after.isascii() and after.isalnum()) or begin == end or not breaks:
                return None
            return DelimitedUrl((*spans, (begin, end)), tuple(breaks), end + 1)
        if char in (opener, closer):
            depth += (char == opener) - (char == closer)
            offset = end + 1
            continue
        brk = _enclosed_break(text, start, end, quoted_printable)
        if brk is None or brk.end >= limit:
            return None
        spans.append((begin, brk.start))
        breaks.append(brk)
        offset = begin = brk.end
    return None


def _enclosed_break(text: str, start: int, offset: int, quoted_printable: bool) -> BreakSpan | None:
    """Return the line break at text[offset] in a quotation or a bracket; None if the URL does not continue after it."""
    brk = break_at(text, offset, start - 1)
    if brk is None or brk.kind == "blank" or _SECOND_SCHEME.match(text, brk.end):
        return None
    if quoted_printable and text[offset - 1] == "=":
        return BreakSpan(offset - 1, brk.end, "soft-break")  # RFC 2045 section 6.7 (5)
    return brk


def without_typeset_hyphens(text: str, delimited: DelimitedUrl) -> DelimitedUrl:
    """Return the URL without the hyphens of a typesetter at line ends, which only mark the break."""
    for number, brk in enumerate(delimited.breaks):
        start, end = delimited.spans[number]
        if brk.kind != "blank" and end > start and text[end - 1] in TYPESET_HYPHENS:
            delimited = _without_hyphen(delimited, number)
    return delimited


# --- hyphens at line ends

# RFC 1738 appendix: a hyphen before a line break "may or may not actually be part of the URL".  In real text, 448 of
# 449 such breaks whose URL also occurs unbroken keep the hyphen.  It is kept, unless only the URL without it occurs
# unbroken in the same text.
MOST_ALTERNATIVES = 8
_BODY = lazy(rf"://(?=([!#-;=?-~]{{0,1024}}[^\s<>\"{MARKUP}]{{0,1024}}))")

# Texts that may follow an unbroken URL: punctuation and closing delimiters.
_AFTER = ("", ".", ",", ")", ").", "),", ";", ":", "'", "!", "?", "]", "].")


class Evidence:
    """Counts how often a URL occurs unbroken in the prose of a document.

    A URL occurs unbroken if all the text from its "://" to white space or a delimiter belongs to it.
    """

    def __init__(self, document: Document) -> None:
        self._text = document.prose

    def count(self, url: str) -> int:
        """Return how often `url`, with any scheme, occurs unbroken."""
        body = url.partition("://")[2]
        if not body:
            return 0
        return sum([self._counts.get(body + after, 0) for after in _AFTER])

    @functools.cached_property
    def _counts(self) -> Counter[str]:
        """How often each URL occurs, with the punctuation after it."""
        return Counter(_BODY.findall(self._text))


def weigh_hyphens(text: str, delimited: DelimitedUrl, evidence: Evidence) -> tuple[DelimitedUrl, list[Alternative]]:
    """Return the URL without the hyphens that the evidence excludes, and its alternatives."""
    alternatives: list[Alternative] = []
    after_hyphens = [
        number
        for number, brk in enumerate(delimited.breaks)
        if brk.kind != "blank" and brk.start > delimited.spans[number][0] and text[brk.start - 1] == "-"
    ]
    for number in after_hyphens[:MOST_ALTERNATIVES]:
        with_hyphen, without = delimited.text(text), _without_hyphen(delimited, number)
        dropped = without.text(text)
        for_dropped = evidence.count(dropped)
        if for_dropped and not evidence.count(with_hyphen):
            delimited = without
            alternatives.append(Alternative(with_hyphen, "hyphen-kept"))
        else:
            alternatives.append(Alternative(dropped, "hyphen-dropped", for_dropped))
    return delimited, alternatives


def _without_hyphen(delimited: DelimitedUrl, number: int) -> DelimitedUrl:
    spans, breaks = list(delimited.spans), list(delimited.breaks)
    start, end = spans[number]
    spans[number] = (start, end - 1)
    breaks[number] = breaks[number]._replace(start=end - 1)
    return delimited._replace(spans=tuple(spans), breaks=tuple(breaks))
