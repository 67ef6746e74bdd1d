"""Decide whether a bare URL continues on the next line, and join it or add the joined URL as an alternative.

RFC 3986 appendix C knows delimiters only, so this is a guess by the criteria of a careful reader.  It serves
`rejoin="guess"`, the rule broken-bare-url, and the alternative `joined`.

A URL can continue if the line ends directly after it and the first word of the next line could be its rest.  It does
if the joined URL occurs unbroken elsewhere in the text, whatever its last character is.  Without that evidence the
next line must have the same quotation prefix, comment leader and indentation (or a hanging one), and

- the URL ends as no URL does: in a hyphen, in an incomplete host, in "=", "&", "?" or "%"; or
- the word is more than a word ("960920.transcript", "s/1996/Jul.96"), is alone on its line, and would have made
  the line longer than lines are here; or
- both halves form a file extension or a version: "censorship." and "html", "fix.pa" and "tch", "v2." and "6/patches".
"""

import re
from collections.abc import Callable

from urlscan.core.choices import BreakKind, Joined
from urlscan.core.document import Document, readable
from urlscan.core.lazy import lazy, match_end
from urlscan.core.record import NamedTuple
from urlscan.core.records import Alternative, Break, Match, TextFault
from urlscan.core.settings import FindOptions
from urlscan.finder.anchors import ANOTHER, EXTENSIONS, TYPESET_HYPHENS
from urlscan.finder.bare import bare_end
from urlscan.finder.line_prefixes import LinePrefix, line_prefix, line_start
from urlscan.finder.rejoin import MOST_ALTERNATIVES, Evidence
from urlscan.uri.grammar.domains import RESERVED, top_level_domains

# A line end after a URL, with punctuation that may belong to the URL or the hyphen of a typesetter, and one blank.
_LINE_END = lazy(r"(?:(?P<hyphen>[\u2010\u00ad])|(?P<mark>[.?]?))[ \t]?(?:\r\n?|\n)")
_INDENT = re.compile(r"[ \t]*")
_END_OF_LINE = lazy(r"[^\S\n]*(?:\n|\Z)")
_WORD = lazy(r"[^\s<>\"`\\]+")
# Characters that may close a sentence after its last word.
_CLOSING = ".,;:!?)]}>'*_"
# The start of text that continues no URL: rules, brackets, quotations and bullets, numbers of lists, hosts, other URLs,
# and the requirements of pip, one on each line ("Requirements File Format").
_RULE = r"[-*+=#>|~_]{2}"
_BULLET = r"[-*+>|(\[{'•·]"
_NUMBER = r"\(?(?:[0-9]{1,3}|[A-Za-z])[.)\]](?:\s|\Z)"
_REQUIREMENT = r"[A-Za-z][\w.-]{0,80}+(?:\[[\w,]{1,80}\])?[ ]?[~=!<>]=[ ]?[0-9]"
# Matches: `--`, `*`, `12. `, `a) `, `www.`, `http://`, `mill==1`, `mill[oak]>=2`
# Does not match: `index`, `a.html`, `1234. `, `%20`, `a=1`, `a==`
_NO_WORD = lazy(rf"{_RULE}|{_BULLET}|{_NUMBER}|(?i:www\.)|{_REQUIREMENT}|{ANOTHER}")
_OPEN_END = ("-", "=", "&", "%", "_", "+", "~")
# More than a word of prose: characters that are common in URLs.
_SIGN = lazy(r"[A-Za-z0-9_~%-]*(?:/|[A-Za-z0-9]\.[A-Za-z0-9]|[=&%~_#]|\d)")
# Words that only hyphens join, as in an address.
# Matches: `should-be-used`
# Does not match: `well-known`, `should`
_SLUG = lazy(r"[a-z]+(?:-[a-z]+){2,}")
# A number, a date, a time or a version, as in lists and signatures.
_NUMBER_TOKEN = lazy(r"[0-9][0-9.,:/-]*")
_PLAIN = lazy(r"[A-Z]?[a-z]+|[A-Z]+")
_EXTENSION = lazy(r"\.([A-Za-z0-9]{0,6})\Z")
# "6/patches" and "2.tar.gz" after "2.": the rest of a version, unlike "3/4" and "2nd".
_VERSION = lazy(rf"\d+(?:[._-]\d+)*(?:/[A-Za-z]|[\w.-]*\.(?i:{'|'.join(sorted(EXTENSIONS))})\Z)")
# Two lines of one word each.
_LONE_WORDS = lazy(r"[ \t>|]*([^\s>|]\S*)[ \t\r]*(?:\n|\Z)[ \t>|]*([^\s>|]\S*)[ \t\r]*(?:\n|\Z)")
# Function words, which follow a URL more often than they continue it.
_FUNCTION_WORDS = frozenset(
    "a about after all also an and are as at be been before but by can did do does for from had has have he her his"
    " how i if in into is it its may more most my new no not now of on one or our out over she should so some such than"
    " that the their them then there these they this to too up was we were what when where which while who why will"
    " with would you your".split()
)
# The prefix of a line: quote marks, comment leaders, indentation.
_LEAD = lazy(r"[ \t>|#*;/%]*")
# How many characters of the surrounding lines are read, and the width of lines if none of them shows it.
_AROUND = 600
_WIDTH = 72
_NARROWEST = 40
# No word of prose is as long.
_LONG = 16
# The maximum number of lines of a URL.
_MOST_LINES = 6


class ContinuationLine(NamedTuple):
    """One line on which a URL continues.

    Attributes:
        start, end: the URL's characters on it.
        extra: 1 if the punctuation before the line end belongs to the URL, -1 if the "-" there does not, else 0.
    """

    start: int
    end: int
    extra: int


def continuation(text: str, start: int, end: int, count: Callable[[str], int]) -> list[ContinuationLine]:
    """Return the lines on which the bare URL text[start:end] continues; an empty list if it does not.

    `count` returns how often a URL occurs unbroken in the text.
    """
    lines: list[ContinuationLine] = []
    url = text[start:end]
    first, last = start, end
    while len(lines) < _MOST_LINES:
        line_end = _break_at(text, first, last, url)
        if line_end is None or line_end.label:
            break
        more = _proved(text, line_end, last, url, count) or _guessed(text, line_end, first)
        if not more:
            break
        for line in more:
            url = _joined(text, url, last, line)
            first, last = line.start, line.end
        lines += more
    return lines


def typeset_continuation(text: str, start: int, end: int) -> list[ContinuationLine]:
    """Return the lines on which the bare URL text[start:end] certainly continues, each after a typesetter's hyphen.

    No URL contains such a hyphen.  The next line must have the same prefix and indentation, or a hanging one.
    """
    lines: list[ContinuationLine] = []
    while text.startswith(TYPESET_HYPHENS, end) and len(lines) < _MOST_LINES:
        line_end = _break_at(text, start, end, text[start:end])
        if line_end is None or not line_end.same or _indent(text, start, line_end.offset):
            break
        start, end = line_end.offset, line_end.end
        lines.append(ContinuationLine(start, end, 0))
    return lines


def _joined(text: str, url: str, last: int, line: ContinuationLine) -> str:
    """Return the URL that ends at text[last], joined with the next line."""
    if line.extra < 0:
        return url[:-1] + text[line.start : line.end]
    return url + text[last : last + line.extra] + text[line.start : line.end]


class _LineEnd(NamedTuple):
    """A line end after which a URL may continue.

    Attributes:
        line: the line up to the URL's end.
        url: the URL up to there.
        typeset: whether the hyphen of a typesetter ends the line.
        mark: the punctuation before the line end.
        token: the first word of the next line, without closing punctuation.
        offset, end: the span of the possible rest of the URL on the next line.
        alone: whether nothing follows the word on its line.
        same: whether both lines have the same quotation prefix or comment leader.
        closed: whether the text after the word closes an opener before the URL.
        label: whether a colon after the word makes it a label.
    """

    line: str
    url: str
    typeset: bool
    mark: str
    token: str
    offset: int
    end: int
    alone: bool
    same: bool
    closed: bool
    label: bool

    @property
    def sign(self) -> bool:
        """Return whether the word contains characters that are common in URLs and not in prose."""
        return _SIGN.match(self.token) is not None


def _break_at(text: str, start: int, end: int, url: str) -> _LineEnd | None:
    """Return the line end after the last span text[start:end] of a URL; None if no URL continues there."""
    match = _LINE_END.match(text, end)
    begin = line_start(text, start)
    if match is None or begin < 0:
        return None
    mark = match["mark"] or ""
    prefix = line_prefix(text, start)
    offset = match.end()
    same = text[offset : offset + 1] not in (">", "|")
    if prefix is not None:
        marks = prefix.pattern.match(text, offset)
        same, offset = marks is not None, (marks or match).end()
    offset = match_end(_INDENT, text, offset)
    word = _WORD.match(text, offset, offset + 2048)
    if word is None or _NO_WORD.match(text, offset):
        return None
    token = word[0].rstrip(_CLOSING)
    typeset = match["hyphen"] is not None
    if not token or (not typeset and (token[0] == "=" or "@" in token)):
        return None
    closed = _closes(text, begin, start, word.start() + len(token))
    alone = closed or _END_OF_LINE.match(text, word.end()) is not None
    if not (typeset or alone) and _is_prose(token):
        return None
    last = max(min(bare_end(text, offset, offset, glued=True), word.end()), offset + 1)
    label = word[0].endswith(":")
    return _LineEnd(text[begin:end], url, typeset, mark, token, offset, last, alone, same, closed, label)


def _is_prose(word: str) -> bool:
    """Return whether the word continues no URL if others follow it on its line."""
    return _PLAIN.fullmatch(word) is not None and (not word.islower() or word in _FUNCTION_WORDS)


def _proved(text: str, first: _LineEnd, end: int, url: str, count: Callable[[str], int]) -> list[ContinuationLine]:
    """Return the lines with which the URL occurs unbroken elsewhere in the text; an empty list if there are none."""
    lines, proved = list[ContinuationLine](), 0
    line_end: _LineEnd | None = first
    while line_end is not None and not line_end.label and len(lines) < _MOST_LINES:
        line = ContinuationLine(line_end.offset, line_end.end, len(line_end.mark))
        whole = _joined(text, url, end, line)
        piece = text[line_end.offset : line_end.end]
        if line_end.alone or not _is_prose(piece):
            if count(whole):
                proved = len(lines) + 1
            elif url[-1] == "-" and count(url[:-1] + piece):
                line = line._replace(extra=-1)
                whole = _joined(text, url, end, line)
                proved = len(lines) + 1
        lines.append(line)
        if not line_end.alone:
            break
        url, end = whole, line_end.end
        line_end = _break_at(text, line_end.offset, end, url)
    return lines[:proved]


def _guessed(text: str, line_end: _LineEnd, start: int) -> list[ContinuationLine]:
    """Return the next line of the URL whose last span begins at text[start], or none, by the form of both lines.

    The rest of a URL on its own line may be indented deeper; a simple wrap loses the indentation.
    """
    if not line_end.typeset:
        if not _continues(text, line_end, start):
            return []
        simple = line_end.same and not line_end.closed and not line_end.url.endswith(_OPEN_END)
        if simple and not 0 <= _indent(text, start, line_end.offset) <= _DEEPEST:
            return []
    return [ContinuationLine(line_end.offset, line_end.end, len(line_end.mark))]


def _continues(text: str, line_end: _LineEnd, start: int) -> bool:
    """Return whether the URL continues; punctuation before the line end is part of it then."""
    url, token = line_end.url, line_end.token
    host, _, path = url.partition("://")[2].partition("/")
    in_path = bool(path) or url.endswith("/")
    if line_end.mark == "?":
        return in_path and "=" in token
    if line_end.mark and in_path:
        return _after_full_stop(line_end)
    if line_end.mark:
        return _is_cut_in_host(host, token)
    if not in_path:
        return host.endswith("-") and "." in token
    if not line_end.same:  # the line was wrapped by a program that does not know quote marks
        return url.endswith(_OPEN_END) and line_end.sign and line_end.alone
    if url.endswith(_OPEN_END):
        return line_end.sign or (line_end.alone and (url[-1] != "-" or _SLUG.fullmatch(token) is not None))
    return _is_wrapped(text, line_end, path, start)


def _is_wrapped(text: str, line_end: _LineEnd, path: str, start: int) -> bool:
    """Return whether the line was wrapped inside the path, since the next word does not fit on it."""
    token = line_end.token
    if not line_end.alone or _NUMBER_TOKEN.fullmatch(token):
        return False
    width = _width(text, line_start(text, start), line_end.offset)
    if len(line_end.line) + len(token) <= width:
        return False
    words = _LONE_WORDS.match(text, line_end.offset)
    if words is not None and len(words[1]) + len(words[2]) <= width:  # a list: both words would fit on one line
        return False
    if line_end.url.endswith("/"):
        return line_end.closed or len(token) >= _LONG or (line_end.sign and not _is_host(token))
    extension = _EXTENSION.search(path.rpartition("/")[2])
    if extension is not None and extension[1].lower() in EXTENSIONS:
        return False
    if extension is not None and f"{extension[1]}{token}".lower() in EXTENSIONS:
        return True  # "fix.pa" and "tch"
    return line_end.sign and not _is_host(token) and not token[0].isupper()


def _after_full_stop(line_end: _LineEnd) -> bool:
    """Return whether a path continues after a full stop at the line end."""
    if line_end.url[-1].isdigit() and _VERSION.match(line_end.token):  # "v2." and "6/patches/a.gz"
        return True
    labels = re.split("[?#]", line_end.token, maxsplit=1)[0].lower().split(".")
    return line_end.alone and all(label in EXTENSIONS for label in labels)  # "censorship." and "html"


def _is_cut_in_host(host: str, token: str) -> bool:
    """Return whether the next line completes a host: "www.h." and "example/a", or "www." and "h.example/a"."""
    domains = top_level_domains() | RESERVED
    name, slash, _ = token.partition("/")
    label = name.partition(":")[0].rpartition(".")[2]
    is_one_host = "." not in name or host.lower() == "www"
    return bool(slash) and is_one_host and label in domains and host.rpartition(".")[2].lower() not in domains


def _is_host(token: str) -> bool:
    """Return whether the word is a host rather than a file name."""
    label = token.rpartition(".")[2].lower()
    is_name = re.fullmatch(r"(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}", token) is not None
    return is_name and label not in EXTENSIONS and label in top_level_domains()


def _closes(text: str, begin: int, start: int, end: int) -> bool:
    """Return whether text[end] closes a bracket or an element that is open before the URL."""
    if text.startswith(">", start - 1) and text.startswith("</", end):
        return True
    return text.startswith(")", end) and text.count("(", begin, start) > text.count(")", begin, start)


# The maximum additional indentation of the next line, in columns.
_DEEPEST = 12


def _indent(text: str, start: int, offset: int) -> int:
    """Return how many columns the word at `offset` is further right than the text of the URL's line, prefixes aside.

    Both lines have the same prefix. Return 0 if the word is below the URL at `start` or below its paragraph.
    """
    begin, line, prefix = line_start(text, start), line_start(text, offset), line_prefix(text, start)
    before, below = _marks_end(text, begin, prefix), _marks_end(text, line, prefix)
    slack = before > begin  # "> a" and ">b"
    url, word = start - before, offset - below
    column = max(match_end(_LEAD, text, begin) - before, 0)
    if abs(word - url) <= slack or abs(word - column) <= slack:
        return 0
    if column == url:  # no text before the URL
        return word - column
    if column < word <= column + _DEEPEST and url > column:
        return 0
    return word - column or -1


def _marks_end(text: str, begin: int, prefix: LinePrefix | None) -> int:
    """Return the end of the quote marks of a line, without white space; its start if it has none."""
    if prefix is None or prefix.kind != "quote-mark" or (match := prefix.pattern.match(text, begin)) is None:
        return begin
    return begin + len(match[0].rstrip())


def _width(text: str, begin: int, offset: int) -> int:
    """Return the length of the longest line around those of `begin` and `offset` without a URL; 72 if all are short."""
    first, last = max(0, begin - _AROUND), text.find("\n", offset)
    around = text[first:begin].split("\n")
    if first > 0:
        around.pop(0)  # its start was not read
    if last >= 0:
        below = text[last : last + _AROUND].split("\n")
        if last + _AROUND < len(text):
            below.pop()  # its end was not read
        around += below
    longest = max((len(line.rstrip()) for line in around if "://" not in line), default=0)
    if longest < _NARROWEST:
        return _WIDTH
    return longest


def continued(match: Match, document: Document, options: FindOptions) -> Match:
    """Return a match without a closing delimiter with the lines on which it continues.

    A URL that a typesetter hyphenated is joined unless `rejoin` is "never"; another if it is "guess", and otherwise the
    joined URL is an alternative if `continuations` are searched for.
    """
    text, start, end = document.prose, match.start, match.end
    if options.rejoin != "never" and (lines := typeset_continuation(text, start, end)):
        return joined_match(text, match, lines, "delimited")
    if match.style != "bare" or not (options.continuations or options.rejoin == "guess"):
        return match
    evidence = document.computed(Evidence)
    lines = continuation(text, start, end, evidence.count)
    if not lines:
        return match
    whole = joined_match(text, match, lines, "guess")
    if options.rejoin == "guess":
        return whole
    joined = Alternative(whole.url, "joined", evidence.count(whole.url))
    faults = match.faults
    if not _is_quoted_printable(text, start, lines):  # undecoded text is not reported as a broken URL
        faults = (*faults, TextFault("goes-on", end, lines[-1].end))
    return match._replace(alternatives=(joined, *match.alternatives)[:MOST_ALTERNATIVES], faults=faults)


def joined_match(text: str, match: Match, lines: list[ContinuationLine], joined: Joined) -> Match:
    """Return the match of a bare URL joined with `lines`."""
    start, end = match.start, match.end
    spans, breaks = [(start, end)], list[Break]()
    encoded = _is_quoted_printable(text, start, lines)
    for line in lines:
        first, last = spans[-1]
        last += line.extra
        if encoded and text[last - 1] == "=":  # RFC 2045 section 6.7 (5): a soft line break
            last -= 1
        spans[-1] = (first, last)
        separator = text[last : line.start].lstrip("".join(TYPESET_HYPHENS)).strip()
        kind = _KINDS.get(separator[:1], "comment-leader")
        breaks.append(Break(kind, last - start, line.start - last, text[last - 1] == "-"))
        spans.append((line.start, line.end))
    url = readable("".join([text[first:last] for first, last in spans]))
    return match._replace(
        url=url,
        raw=readable(text[start : lines[-1].end]),
        end=lines[-1].end,
        outer_end=lines[-1].end,
        breaks=tuple(breaks),
        alternatives=(Alternative(match.url, "unjoined"),),
        joined=joined,
        faults=(),
    )


def _is_quoted_printable(text: str, start: int, lines: list[ContinuationLine]) -> bool:
    """Return whether the surrounding lines are undecoded quoted-printable text."""
    around = text[max(0, start - _AROUND) : lines[-1].end + _AROUND]
    return "=3D" in around or around.count("=\n") + around.count("=\r\n") > 1


# The kinds of breaks by their first character that is not white space.
_KINDS: dict[str, BreakKind] = {"": "newline", "=": "soft-break", ">": "quote-mark", "|": "quote-mark"}
