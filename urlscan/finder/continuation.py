"""Whether a bare URL goes on in the next line.

Nothing vouches for it, and RFC 3986 appendix C knows delimiters alone: so it is a guess, by what a careful reader
goes by.  It feeds `rejoin="guess"`, the rule broken-bare-url, and the alternative `joined`.

A URL goes on if the line ends right behind it, the next one begins as its line does (quote marks, comment leader,
indentation), that line's first word could be the rest of a URL, and

- the URL ends as no URL does: in a hyphen, in a host that is not complete, in "=", "&", "?" or "%"; or
- the word is more than a word ("960920.transcript", "s/1996/Jul.96"), is alone on its line, and would have made
  the line longer than lines are here; or
- the two complete the extension of a file's name: "censorship." and "html", "fix.pa" and "tch"; or
- the joined URL stands unbroken elsewhere in the text.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from urlscan.finder import Scanned
from urlscan.finder.bare import ANOTHER, bare_end
from urlscan.finder.delimiters import line_prefix, line_start
from urlscan.finder.evidence import MOST_ALTERNATIVES, Evidence
from urlscan.finder.gaps import HYPHENS, Gap
from urlscan.finder.local import Local
from urlscan.model import Alternative, Break, Fault, Occurrence
from urlscan.patterns import lazy
from urlscan.text import readable

# The line's end behind a URL and what may stand before it: punctuation that is perhaps the URL's, one blank.
_LINE_END = lazy(r"(?P<mark>[.?:,;!]?)(?:[ \t]?)(?:\r\n?|\n)")
_MAY_GO_ON = re.compile(r"[.?]?[ \t]?(?:\r\n?|\n)[ \t>|#*;/%]*(?!(?i:https?:|ftp:|www\.))[A-Za-z0-9_~%&?=.]")
_INDENT = re.compile(r"[ \t]*")
_WORD = lazy(r"[^\s<>\"`\\]+")
# What closes the sentence behind the last word.
_CLOSING = ".,;:!?)]}>'*_"
# No word of a URL begins like this: lists, rules, brackets, quotations, other URLs and hosts.
_NO_WORD = lazy(rf"[-*+=#>|~_]{{2}}|[-*+>|(\[{{'•·]|\(?(?:[0-9]{{1,3}}|[A-Za-z])[.)\]](?:\s|\Z)|(?i:www\.)|{ANOTHER}")
_OPEN_END = ("-", "=", "&", "%", "_", "+", "~")
# More than a word of the language: what stands in URLs and not in prose.
_SIGN = lazy(r"[A-Za-z0-9_~%-]*(?:/|[A-Za-z0-9]\.[A-Za-z0-9]|[=&%~_#]|\d)")
_PLAIN = lazy(r"[A-Z]?[a-z]+|[A-Z]+")
_EXTENSIONS = frozenset(
    "asp aspx bz2 cfm cgi css doc docx exe gif gz htm html jar java jpeg jpg js jsp json jspx md mov mp3 mp4 mpeg mpg"
    " patch pdf php pl png ppt ps py rar rpm rtf sh shtml sig svg swf tar tgz tif tiff txt wav xhtml xls xml xsl"
    " xz z zip".split()
)
_EXTENSION = lazy(r"\.([A-Za-z0-9]{0,6})\Z")
# What stands before the text of a line: quote marks, leaders, indentation.
_LEAD = lazy(r"[ \t>|#*;/%]*")
# Lines are looked at as far as this, and taken for as wide as this where nothing shows it.
_AROUND = 600
_WIDTH = 72
_NARROWEST = 40
_FULL = 70
# A scheme and what stands before it are no longer than this.
_REACH = 256
# More lines than any URL goes over.
_MOST_LINES = 6


class Line(NamedTuple):
    """One line on which a URL goes on.

    Attributes:
        start, end: the URL's characters on it.
        mark: whether a full stop or its like before the line end is the URL's, too.
    """

    start: int
    end: int
    mark: bool


def continuation(text: str, start: int, end: int, count: Callable[[str], int]) -> list[Line]:
    """Return the lines on which the bare URL text[start:end] goes on; nothing if it does not.

    Args:
        text: what is scanned.
        start: where the URL begins.
        end: where it ends by itself.
        count: how often a URL stands unbroken in the text.
    """
    lines: list[Line] = []
    url = text[start:end]
    first, last = start, end
    while len(lines) < _MOST_LINES:
        line = _next(text, first, last, url, count)
        if line is None:
            break
        url += (text[last] if line.mark else "") + text[line.start : line.end]
        lines.append(line)
        first, last = line.start, line.end
    return lines


def _next(text: str, start: int, end: int, url: str, count: Callable[[str], int]) -> Line | None:
    """Return the next line of the URL whose last piece is text[start:end]."""
    match = _LINE_END.match(text, end)
    if match is None:
        return None
    begin = line_start(text, start)
    if begin < 0:
        return None
    same, at = _after_prefix(text, start, match.end())
    indent = _INDENT.match(text, at)
    at = indent.end() if indent is not None else at
    word = _WORD.match(text, at, at + 2048)
    if word is None or _NO_WORD.match(text, at):
        return None
    token = word[0].rstrip(_CLOSING)
    stop = text.find("\n", at)
    stop = stop if stop >= 0 else len(text)
    rest = text[word.end() : stop].strip()
    if not token or token[0] == "=" or "@" in token:
        return None
    closed = _closes(text, begin, start, word.start() + len(token))
    alone = not rest or closed
    line = _Break(text[begin:end], url, match["mark"], token, alone, same, closed)
    if same and not closed and not _is_aligned(text, begin, start, at):
        return None
    joins, mark = _joins(line, lambda: _width(text, begin, stop), count)
    if not joins:
        return None
    last = bare_end(text, at, at, glued=True)
    return Line(at, max(min(last, word.end()), at + 1), mark)


class _Break(NamedTuple):
    """A line end that a URL may go over.

    Attributes:
        line: the line up to the URL's end.
        url: the URL up to there.
        mark: the punctuation before the line end.
        token: the first word of the next line, without closing punctuation.
        alone: whether nothing follows the word on its line.
        same: whether the two lines have the same quote marks or comment leader.
        closed: whether what follows the word closes what stands before the URL.
    """

    line: str
    url: str
    mark: str
    token: str
    alone: bool
    same: bool
    closed: bool

    @property
    def sign(self) -> bool:
        """Whether the word is more than one of the language."""
        return _SIGN.match(self.token) is not None


def _joins(here: _Break, widest: Callable[[], int], count: Callable[[str], int]) -> tuple[bool, bool]:
    """Return whether the URL goes on, and whether the mark before the line end is part of it."""
    rest = here.url.partition("://")[2]
    host, _, path = rest.partition("/")
    in_path = bool(path) or here.url.endswith("/")
    if here.mark:
        joins = _over_a_mark(here, host, in_path)
        return joins, joins
    if not in_path:
        half = host.endswith("-") or ("." not in host and host.lower().startswith("www"))
        return half and "." in here.token and here.sign, False
    if not here.same:  # who wrapped the line did not know of quote marks
        return here.url.endswith("-") and "/" in here.token and here.alone, False
    if here.url.endswith("-"):
        word = here.alone and here.token.islower() and len(here.token) > 3
        return (here.sign or word) and not _is_number(here.token), False
    if here.url.endswith(_OPEN_END):
        return here.sign or here.alone, False
    if not here.alone or _is_number(here.token):
        return False, False
    width = widest()
    if len(here.line) + len(here.token) <= width:
        return False, False
    if here.url.endswith("/"):
        long = here.closed or (len(here.token) >= 16 and not _PLAIN.fullmatch(here.token))
        return len(path) > 1 and (long or (here.sign and not _is_host(here.token))), False
    return len(here.line) >= min(_FULL, width - 2) and _in_a_word(here, path, count), False


def _over_a_mark(here: _Break, host: str, in_path: bool) -> bool:
    """Whether the URL goes on although the line ends in a full stop or a question mark."""
    if here.mark == "." and in_path:
        return here.alone and here.token.lower() in _EXTENSIONS  # "censorship." and "html"
    if here.mark == ".":
        return "." not in host and "/" in here.token  # "http://www." and "h.example/a"
    return here.mark == "?" and in_path and "=" in here.token


def _in_a_word(here: _Break, path: str, count: Callable[[str], int]) -> bool:
    """Whether a line that is full breaks a URL in the middle of a word."""
    extension = _EXTENSION.search(path.rpartition("/")[2])
    known = extension is not None and extension[1].lower() in _EXTENSIONS
    if extension is not None and not known and f"{extension[1]}{here.token}".lower() in _EXTENSIONS:
        return True  # "fix.pa" and "tch"
    if count(here.url + here.token):
        return True
    return here.sign and not known and not _is_host(here.token) and not here.token[0].isupper()


def _is_number(token: str) -> bool:
    """Whether it is a number, a date, a time, a version: what stands in lists and signatures."""
    return re.fullmatch(r"[0-9][0-9.,:/-]*", token) is not None


def _is_host(token: str) -> bool:
    """Whether it is rather the name of a host."""
    if re.fullmatch(r"(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}", token) is None:
        return False
    from urlscan.data.tlds import TLDS

    return token.rpartition(".")[2].lower() in TLDS


def _closes(text: str, begin: int, start: int, end: int) -> bool:
    """Whether text[end] closes a bracket, or the element, that stands before the URL."""
    if text.startswith(">", start - 1) and text.startswith("</", end):
        return True
    return text.startswith(")", end) and text.count("(", begin, start) > text.count(")", begin, start)


def _after_prefix(text: str, start: int, at: int) -> tuple[bool, int]:
    """Return whether the line that begins at `at` has the prefix of the line of `start`, and where it ends."""
    prefix = line_prefix(text, start)
    if prefix is None:
        return text[at : at + 1] not in (">", "|"), at
    match = prefix.pattern.match(text, at)
    return (True, match.end()) if match is not None else (False, at)


def _is_aligned(text: str, begin: int, start: int, at: int) -> bool:
    """Whether the word at `at` stands where the URL does, where its paragraph begins, or hangs under the URL."""
    line = line_start(text, at)
    slack = 1 if text[begin : begin + 1] in (">", "|") else 0  # "> a" and ">b"
    if abs(at - line - (start - begin)) <= slack:
        return True
    here = _text_column(text, begin)
    there = _text_column(text, line)
    if here == start - begin:  # nothing stands before the URL that it could hang under
        return False
    if here == there:
        return True
    # A hanging indent: "[3]  Cerf, V., ..." and the lines below it, which the line above shows, or the next.
    before = line_start(text, max(begin - 1, 0))
    if before >= 0 and begin and _text_column(text, before) == there and there > 0:
        return True
    return here < there <= here + 12 and start - begin > here


def _text_column(text: str, begin: int) -> int:
    """Return the column of the first character of a line that is no quote mark and no leader."""
    match = _LEAD.match(text, begin)
    return match.end() - begin if match is not None else 0


def _width(text: str, begin: int, stop: int) -> int:
    """Return how long the lines around are, those with URLs aside; what no line shows is 72."""
    first = max(0, begin - _AROUND)
    above, below = text[first:begin].split("\n"), text[stop : stop + _AROUND].split("\n")
    around = above[1 if first else 0 :] + below[: -1 if stop + _AROUND < len(text) else None]
    longest = max((len(line.rstrip()) for line in around if "://" not in line), default=0)
    return longest if longest >= _NARROWEST else _WIDTH


def with_continuations(
    found: Iterator[Scanned], text: str, rejoin: str, evidence: Evidence, ends: list[int]
) -> Iterator[Scanned]:
    """Yield what was found, each bare URL with what it goes on with.

    Args:
        found: what the finder yields of the text.
        text: what is scanned.
        rejoin: whether to join ("guess"), or to say how it could be.
        evidence: that of the text.
        ends: takes, when everything has been yielded, where the last URL ends.
    """
    done = 0  # where the last one ends that was joined
    for scanned in found:
        colon, one = scanned
        if done > colon - _REACH:
            record = one.occurrence(colon) if isinstance(one, Local) else one
            if record.start < done:
                continue  # it is part of one that was joined
            if record.outer_start < done:  # and so is what would delimit it
                one = record._replace(outer_start=record.start, outer_end=record.end, style="bare")
                scanned = colon, one
        if one.style == "bare":
            end = colon + one.end if isinstance(one, Local) else one.end
            if _MAY_GO_ON.match(text, end) and not _is_short(text, end, one.url):
                whole = continued(text, one.occurrence(colon) if isinstance(one, Local) else one, rejoin, evidence)
                done = whole.outer_end
                scanned = colon, whole
        yield scanned
    ends.append(done)


def _is_short(text: str, end: int, url: str) -> bool:
    """Whether the line is too short to break a URL in a word, and no sign says that it goes on: a quick look."""
    if not text[end - 1].isalnum() or text[end] in ".?" or url.count("/") < 3:
        return False
    # A line that is full has 38 characters at least.
    return text.rfind("\n", max(end - _NARROWEST + 2, 0), end) >= 0


def continued(text: str, occurrence: Occurrence, rejoin: str, evidence: Evidence) -> Occurrence:
    """Return the occurrence of a bare URL joined with what it goes on with, or with that as an alternative."""
    start, end = occurrence.start, occurrence.end
    lines = continuation(text, start, end, lambda url: evidence.count(url, start))
    if not lines:
        return occurrence
    pieces, gaps = [(start, end)], list[Gap]()
    encoded = _is_quoted_printable(text, start, lines)
    for line in lines:
        first, last = pieces[-1]
        last += line.mark
        if encoded and text[last - 1] == "=":  # RFC 2045 section 6.7 (5): a soft line break
            last -= 1
        pieces[-1] = (first, last)
        gaps.append(Gap(last, line.start, _kind(text, last, line.start)))
        pieces.append((line.start, line.end))
    url = readable("".join([text[first:last] for first, last in pieces]))
    if rejoin != "guess":
        reading = Alternative(url, "joined", evidence.count(url, start))
        # That the text was not decoded is another matter.
        faults = () if encoded else (Fault("goes-on", end, lines[-1].end),)
        return occurrence._replace(
            alternatives=(reading, *occurrence.alternatives)[:MOST_ALTERNATIVES], faults=(*occurrence.faults, *faults)
        )
    breaks = tuple(
        Break(gap.kind, gap.start - start, gap.end - gap.start, text[gap.start - 1] in HYPHENS) for gap in gaps
    )
    return occurrence._replace(
        url=url,
        raw=readable(text[start : lines[-1].end]),
        end=lines[-1].end,
        outer_end=lines[-1].end,
        breaks=breaks,
        alternatives=(Alternative(occurrence.url, "unjoined"),),
        joined="guess",
        faults=(),
    )


def _is_quoted_printable(text: str, start: int, lines: list[Line]) -> bool:
    """Whether the lines around show that the text is quoted-printable, and was not decoded."""
    around = text[max(0, start - _AROUND) : lines[-1].end + _AROUND]
    return "=3D" in around or around.count("=\n") + around.count("=\r\n") > 1


def _kind(text: str, start: int, end: int) -> str:
    """Return what kind of gap text[start:end] is."""
    gap = text[start:end].strip()
    if gap[:1] == "=":
        return "soft-break"
    return "quote-mark" if gap[:1] in (">", "|") else "comment-leader" if gap else "newline"
