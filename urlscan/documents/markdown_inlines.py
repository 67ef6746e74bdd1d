"""Read the inline structure of Markdown: links, images, autolinks, code spans, raw HTML.

CommonMark 0.31, section 6. The brackets of link texts are counted only where a destination may follow.
"""

import heapq
import re
from collections.abc import Iterable, Iterator
from functools import partial

from urlscan.core.lazy import lazy, match_end
from urlscan.documents.escapes import ESCAPED, Replacement, collect, entity_replacements, verbatim
from urlscan.documents.regions import TICKS, BacktickRuns, NextMatch, Region
from urlscan.documents.vocabularies import RAW_TEXT
from urlscan.uri.grammar.templates import expression_end

# CommonMark 6.3: a destination in angle brackets holds angle brackets only if they are escaped.
IN_BRACKETS = r"<(?:[^<>\r\n\\]|\\.)*>"
# CommonMark 4.3, 4.1: the underline of a heading, and a thematic break.
_UNDERLINE = r"=+[ \t]*(?:\r?\n|\Z)"
_THEMATIC_BREAK = r"(?:[-*_][ \t]*){3,}\r?\n"
# The end of a paragraph and of a code span in it (CommonMark 3, 4.8): a blank line, list item, heading, thematic break,
# block quote or table row.
# Matches: `\n\n`, `\n- `, `\n# `, `\n---\n`, `\n==\n`, `\n|`, `\n>`
# Does not match: `\na`, `\n-a`, `a`
_BLOCK_STARTS = lazy(
    rf"""
    \n [ \t>]*
    (?: \r?\n | (?: [-+*] | [0-9]{{1,9}}[.)] ) [ \t] | \#{{1,6}} [ \t] | {_THEMATIC_BREAK} | {_UNDERLINE}
      | \| | (?<=\n) >
    )
    """,
    re.VERBOSE,
)
_HEADING = lazy(r"[ \t>]*#{1,6}[ \t]")
# CommonMark 6.3: the closing bracket of the text, an opening parenthesis, a destination.
_INLINE = lazy(r"\]\([ \t]*(?:\r?\n(?![ \t]*\r?\n)[ \t]*)?")
# CommonMark 6.3: an optional title and the closing parenthesis.
# Matches: `)`, ` "a")`, ` 'a' )`, `\n(a) )`
# Does not match: `a)`, ` "a`, ` "a" b)`
_TITLE = lazy(
    r"""
    [ \t]* (?: \r?\n [ \t]* )?
    (?: (?: " (?: [^"\\] | \\. )* " | ' (?: [^'\\] | \\. )* ' | \( (?: [^()\\] | \\. )* \) )
        [ \t]* (?: \r?\n [ \t]* )?
    )?
    \)
    """,
    re.DOTALL | re.VERBOSE,
)
# The next inline that is not text. The most frequent forms match as a whole: links and code spans on one line, tags
# without attributes. CODE is the contents and the end of a code span that is skipped.
_TEXT = r"[^\[\]`\\<\n]*+"
_DESTINATION = r"[^\x00-\x20\x7f\s()<>\\&{$]{1,3000}+"
_TOKEN_FORMS = rf"""
    \[ {_TEXT} (?: (?: \n(?=[A-Za-z]) | `CODE ) {_TEXT} ){{0,8}}  # a line end that does not end a paragraph
      \]\( (?P<link> {_DESTINATION} (?: \( {_DESTINATION} \) )? ) \)
  | \]\(
  | ` (?: CODE (?P<inert>) | [^`\n]++ `(?!`) (?P<code>) )?
  | \\[\[\]`<\\$]
  | \$
  | < (?: (?: / | (?! (?i:{"|".join(sorted(RAW_TEXT))}) [\s/>] ) ) [A-Za-z][A-Za-z0-9-]*+ > (?P<tag>) | [A-Za-z/!] )
"""
# Matches: `[a](b)`, `[a\nb](c(d))`, `](`, `` `a` ``, `` ` ``, `\[`, `<a`, `<a>`, `</a>`, `<!`
# Does not match: `[a]`, `\a`, `<1`, `\n`, `[a](b c)`
_TOKEN = lazy(_TOKEN_FORMS.replace("CODE", r"(?!)"), re.VERBOSE)
# The skipped code spans are those of single backticks on one line in which no URL and no label is searched.
# Matches: `` [`a`](b) ``, `` `a` ``, `` `http://h.example/` ``
# Does not match: `` [`a:b`](c) ``, `a`
_TOKEN_OR_INERT = lazy(_TOKEN_FORMS.replace("CODE", r"(?![^`\n]*//)[^`\n:\[\]]++`(?!`)"), re.VERBOSE)
# The roles of the forms that match as a whole, other than links.
_ROLES = {"code": "code", "tag": "markup"}
# A bracket, or a line end if the next line ends the paragraph.
# Matches: `[`, `]`
# Does not match: `a`, `\na`
_BRACKET = lazy(
    rf"""
    [\[\]\n]
    (?: (?<!\n)
      | (?= [ \t>]* (?: \r?\n | (?: [-+*] | 1[.)] ) [ \t]+ \S | \#{{1,6}} [ \t] | {_THEMATIC_BREAK} | {_UNDERLINE} ) )
    )
    """,
    re.VERBOSE,
)
# CommonMark 6.5: an absolute URI with a scheme of 2 to 32 characters; "URL:" is no scheme (RFC 3986 appendix C).
# Matches: `<made-up:foo,bar>`, `<a+b+c:d>`
# Does not match: `<a:b>`, `<made-up:foo bar>`, `<URL:http://h.example/>`, `<jo@h.example>`
_AUTOLINK = lazy(r"<(?!(?i:url):)[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>\x00-\x1f]*>")
# GitHub and pandoc: mathematics between dollar signs, without blanks inside them and over two lines at most, or between
# two pairs.
# Matches: `$[u^k](\sigma)$`, `$$[u](v)$$`, `$a =\n[u][v]$`
# Does not match: `$5 and [b](c) $6`, `$5 [b](c)$6`, `$a\n[u]\n[v]$`, `$a\n\n[u]$`
_MATHEMATICS = lazy(
    r"""
    (?<![\\\w$]) \$
    (?: \$ (?: [^$\n] | \n(?![ \t>]*\n) ){1,2000} \$\$
      | (?![\s$]) [^$\n]{1,1000}+ (?: \n(?![ \t>]*\n) [^$\n]{1,1000}+ )? (?<![\s\\]) \$ )
    (?![\w$])
    """,
    re.VERBOSE,
)
_ENCLOSED = lazy(IN_BRACKETS)
# The maximum length of a destination, and of a line before a code span, in characters.
_LONGEST = 4096
# The greatest depth of parentheses in a destination; CommonMark requires at least three levels.
_MAX_DEPTH = 32
# The indentation of a line that ends a paragraph, in characters.
_LONGEST_INDENT = 100
# The number of spans that wait for their brackets to be counted.
_MOST_UNCOUNTED = 1000


def inline_regions(text: str, start: int, limit: int, candidates: NextMatch | None = None) -> Iterator[Region]:
    """Yield the regions of text[start:limit], which is outside code blocks and definitions, that are not prose.

    Links and URLs may be at the candidates, and anywhere if these are None; paragraphs without any are prose.
    """
    search = (_TOKEN if candidates is None else _TOKEN_OR_INERT).search
    skipped: list[tuple[int, int]] = []
    reader: _InlineReader | None = None  # most paragraphs hold only forms that match as a whole
    new = tuple.__new__  # calling the class takes three times as long
    position = start
    while position < limit:
        last = limit
        if candidates is not None:
            candidate = candidates.after(position)
            if candidate >= limit:
                return
            position = max(text.rfind("\n\n", position, candidate), position)
            last = text.find("\n\n", candidate, limit) + 1 or limit  # the end of the paragraph
        skipped.clear()
        paragraph_start = position
        if reader is not None:
            reader.begin(paragraph_start)
        while position < last and (match := search(text, position, last)) is not None:
            token_start, position = match.span()
            form = match.lastgroup
            if form == "inert":
                continue
            if form == "link":
                first, end = match.span("link")
                yield new(Region, ("link", first, end, (), "", _IN_DESTINATION, ()))
                skipped.append((token_start, end))
            elif form is not None:
                yield new(Region, (_ROLES[form], token_start, position, (), "", (), ()))
                skipped.append((token_start, position))
            else:
                reader = reader or _InlineReader(text, start, limit, skipped, paragraph_start)
                regions, position = reader.read(token_start, position)
                if regions:
                    yield from regions
                    skipped.append((token_start, position))
            if len(skipped) >= _MOST_UNCOUNTED:
                reader = reader or _InlineReader(text, start, limit, skipped, paragraph_start)
                reader.count(token_start)
            if position > last:  # a comment extends over blank lines; its last paragraph continues the first one
                last = text.find("\n\n", position, limit) + 1 or limit
        position = max(position, last)


class _InlineReader:
    """Reads the inlines that do not match as a whole, and counts the brackets that may enclose the text of a link.

    Counting begins at `paragraph_start`, without the brackets in the spans `skipped`, which are in order.
    """

    __slots__ = ("_counted", "_limit", "_opened", "_runs", "_skipped", "_start", "_text", "_unclosed")

    def __init__(self, text: str, start: int, limit: int, skipped: list[tuple[int, int]], paragraph_start: int) -> None:
        self._text, self._start, self._limit, self._skipped = text, start, limit, skipped
        self._runs: BacktickRuns | None = None
        self._unclosed: set[str] = set()
        self._counted, self._opened = paragraph_start, 0

    def begin(self, paragraph_start: int) -> None:
        """Begin to count at text[paragraph_start]."""
        self._counted, self._opened = paragraph_start, 0

    def read(self, start: int, end: int) -> tuple[list[Region], int]:
        """Return the regions of the inline that begins with text[start:end], and where to continue."""
        text, limit = self._text, self._limit
        what = text[start]
        if what == "]":
            self.count(start)
            self._counted = start + 1
            if not self._opened:
                return [], end
            self._opened -= 1
            return _link(text, start, limit)
        if what == "`":
            if self._runs is None:
                self._runs = BacktickRuns(text, self._start, limit)
            return _code(text, start, limit, self._runs)
        if what == "\\":
            self._skipped.append((start, end))
            if text[end - 1] == "<":  # an escaped bracket is text, and opens no delimiter of a URL
                return [Region("markup", start, end)], end
            return [], end
        if what == "$":
            mathematics = _MATHEMATICS.match(text, start, limit)
            if mathematics is None:
                return [], end
            return [Region("code", *mathematics.span())], mathematics.end()
        if (autolink := _AUTOLINK.match(text, start, limit)) is not None:
            last = autolink.end()
            return [Region("markup", start, last, encode=IN_PROSE, links=((start + 1, last - 1),))], last
        from urlscan.documents.html import tag_regions  # most documents hold no HTML

        return tag_regions(text, start, limit, self._unclosed)

    def count(self, limit: int) -> None:
        """Count the brackets before text[limit] and those before and between the skipped spans."""
        opened, spans, start, end = self._opened, iter([*self._skipped, (limit, len(self._text))]), -1, -1
        for match in _BRACKET.finditer(self._text, self._counted, min(limit + _LONGEST_INDENT, self._limit)):
            position = match.start()
            while end <= position:
                start, end = next(spans)
            if position >= limit:
                break
            if position < start:  # no link extends over a blank line, a list item, a heading or a thematic break
                opened = {"\n": 0, "[": opened + 1, "]": max(opened - 1, 0)}[match[0]]
        self._opened, self._counted = opened, max([self._counted, limit, *(end for _, end in self._skipped)])
        self._skipped.clear()


def _code(text: str, start: int, limit: int, runs: BacktickRuns) -> tuple[list[Region], int]:
    """Return the code span that begins with the backtick at `start`, or no region, and where to continue."""
    end = match_end(TICKS, text, start, limit)
    closing = runs.after(end, end - start)
    if closing < 0 or _BLOCK_STARTS.search(text, end, closing) is not None:
        return [], end
    if text.find("\n", start, closing) >= 0:
        line = text.rfind("\n", max(start - _LONGEST, 0), start) + 1
        if _HEADING.match(text, line) is not None:  # a heading is one line (CommonMark 4.2)
            return [], end
    last = closing + end - start
    return [Region("code", start, last)], last


def _link(text: str, start: int, limit: int) -> tuple[list[Region], int]:
    """Return the regions of the destination in "](destination)" with an optional title, and where to continue."""
    opening = _INLINE.match(text, start, limit)
    if opening is None:
        return [], start + 1
    first = opening.end()
    if text.startswith("<", first) and not text.startswith("<%", first):
        last = match_end(_ENCLOSED, text, first, min(limit, first + _LONGEST))  # or "<", which begins no title
    else:
        last = _balanced(text, first, limit)
    if last < 0 or _TITLE.match(text, last, limit) is None:
        return [], start + 1
    return list(destination_regions(text, first, last)), last


def _balanced(text: str, start: int, text_end: int) -> int:
    """Return the end of a destination with balanced parentheses; -1 if it holds a control character or has no end."""
    depth, position, limit = 0, start, min(text_end, start + _LONGEST)
    while position < limit:
        character = text[position]
        if character == "\\" and position + 1 < limit and text[position + 1] > " ":
            position += 1
        elif character == "(":
            depth += 1
            if depth > _MAX_DEPTH:
                return -1
        elif character == ")":
            if depth == 0:
                return position
            depth -= 1
        elif character in "{<$" and (end := expression_end(text, position, limit)) > position:
            position = end
            continue
        elif character <= " " or character == "\x7f":
            return position if depth == 0 else -1
        position += 1
    return -1


def destination_regions(text: str, start: int, end: int) -> Iterator[Region]:
    """Yield a destination as a link, without its angle brackets and with its escapes undone."""
    enclosed = text.startswith("<", start) and text.endswith(">", start, end) and not text.startswith("<%", start)
    first, last = start + enclosed, end - enclosed
    if first == last:
        yield Region("markup", start, end)
        return
    if enclosed:
        yield Region("markup", start, first)
    # A backslash escapes the "&" of an entity, which then begins inside the escape.
    replacements = entity_replacements(text, first, last)
    if text.find("\\", first, last) >= 0:
        escapes = ((match.start(), match.end(), match[1]) for match in ESCAPED.finditer(text, first, last))
        replacements = collect(_drop_overlapping(heapq.merge(escapes, replacements)))
    yield Region("link", first, last, replacements, encode=_IN_DESTINATION)
    if enclosed:
        yield Region("markup", last, end)


def _drop_overlapping(replacements: Iterable[Replacement]) -> Iterator[Replacement]:
    """Yield the replacements that do not begin inside the previous one."""
    last_end = 0
    for replacement in replacements:
        if replacement[0] >= last_end:
            yield replacement
            last_end = replacement[1]


def _escaped(text: str) -> str | None:
    """Return a text as written in a destination (CommonMark 2.4, 2.5, 6.3); None if that is impossible."""
    if any(character <= " " or character == "\x7f" for character in text):
        return None
    return _SPECIAL.sub(r"\\\g<0>", text).replace("&", "&amp;")


_SPECIAL = lazy(r"[\\()<>]")
_IN_DESTINATION = (_escaped,)
# A bare URL and an autolink have no escapes; "|" separates table cells.
IN_PROSE = (partial(verbatim, refused="<>`[]\\|\r\n"),)
