"""Read Markdown: destinations of links and images, reference definitions, autolinks, code, raw HTML.

CommonMark 0.31 with GitHub's extensions. A document is divided at its code blocks and spans, destinations and tags;
other structure is ignored. Bare URLs are prose, which the finder searches. Each kind of block is found by a literal
that it contains, and of the other text, only paragraphs are read that can hold something that is searched for.
"""

import functools
import re
from collections.abc import Iterable, Iterator
from itertools import chain

from urlscan.core.lazy import lazy, match_end, repeat
from urlscan.documents.code_elements import with_code_elements
from urlscan.documents.escapes import verbatim
from urlscan.documents.kinds import Scope
from urlscan.documents.markdown_inlines import IN_BRACKETS, IN_PROSE, destination_regions, inline_regions
from urlscan.documents.regions import NextMatch, Region, with_prose
from urlscan.documents.vocabularies import RAW_TEXT

# CommonMark 4.5: at least three backticks or tildes after indentation, list markers and quote markers; the info string
# of a backtick fence holds no backtick.
# Matches: `~~~`, `> ~~~~ text`, `1. ~~~`
# Does not match: `~~`, `a ~~~`
_FENCE = lazy(
    r"""
    ^ [ \t>]*
    (?: (?: [-+*] | [0-9]{1,9}[.)] ) [ \t]+ ){0,9}
    (?P<fence> `{3,} (?= [^`\n]* $ ) | ~{3,} ) [^\n]* $
    """,
    re.MULTILINE | re.VERBOSE,
)
# Chunks of knitr that hold Markdown: "```{block, type='note'}".
_CHUNK = lazy(r"`*[ \t]*\{(?:block2?|asis|comment)[ ,}][^\n]*")
# Front matter, at the beginning of the document: YAML between "---", TOML between "+++".
_FRONT_MATTER = lazy(r"(?s)(?P<mark>---|\+\+\+)[ \t]*\r?\n.{0,65536}?\n(?P=mark)[ \t]*(?:\r?\n|\Z)")
# CommonMark 4.4: at least four columns of indentation, after a blank line or at the beginning of the document.
_INDENTED_LINE = r"(?P<line>(?: {4}| {0,3}\t)[ \t]*+\S[^\n]*)"
_CODE_LINE = lazy(rf"\n[ \t\r]*\n{_INDENTED_LINE}")
_FIRST_CODE_LINE = lazy(rf"(?:[ \t\r]*\n)?{_INDENTED_LINE}")
_LINE = lazy(r"[ \t]*+(?P<text>[^\n]*)\n?")
# CommonMark 5.2: a bullet or a number, and up to four spaces; further ones belong to the contents. The colon of a
# definition is like a bullet. The contents of admonitions, tabs and footnotes are indented by four (Python-Markdown,
# "Admonition", "Footnotes", "Definition Lists"; PyMdown Extensions, "Details", "Tabbed").
# Matches: `- `, `1. `, `!!! n`, `    ??? "`, `=== "`, `[^1]:`, `: `
# Does not match: `-a`, `===`, `a: `, `[a]:`
_MARKER = lazy(
    r"""
    [ \t]*
    (?: (?P<body> (?: !!! | \?\?\?\+? ) [ ] ["\w] | === [!+]? [ ] ["'] | \[\^[^\[\]\n]+\]: )
      | (?: [-+*:] | [0-9]{1,9}[.)] ) (?: [ ]{1,4} (?=\S) | [ \t] (?=[ \t]) | \t )
    )
    """,
    re.VERBOSE,
)
# CommonMark 4.7: "[label]:", a destination and an optional title. A footnote of GitHub, "[^label]:", is text.
# Matches: `[a]: b`, `> [a]: <b c> "d"`, `- [a]:\nb`
# Does not match: `[^a]: b`, `[a] b`, `a [b]: c`
_DEFINITION = lazy(
    r"""
    ^ (?> (?: [ \t>] | (?: [-+*] | [0-9]{1,9}[.)] ) [ \t] ){0,12} )
    \[ (?!\^) (?: [^\[\]\\\n] | \\. ){1,999} \]:
    [ \t]* (?: \r?\n [ \t]* )?
    (?P<destination>
    """
    + IN_BRACKETS
    + r"""
      | (?!<) (?> (?: \{\{[^{}\n]{1,400}\}\} | \{%[^{}\n]{1,400}%\} | \S )+ )
    )
    (?= [ \t\r\n] | \Z )
    (?> [ \t]* )
    (?: (?: (?<=[ \t]) | \r?\n [ \t]* ) (?: "[^"]*" | '[^']*' | \([^()]*\) ) [ \t]* )?
    (?= \r?$ )
    """,
    re.MULTILINE | re.VERBOSE,
)
_LABEL_END = lazy(r"\]:")  # found faster than by `str.find`
# A line that is not a lazy continuation line: a heading, a thematic break, a fence, a block quote.
_NOT_LAZY = lazy(r"[ \t]*(?:#{1,6}(?:\s|\Z)|(?:[-*_][ \t]*){3,}\r?\Z|`{3}|~{3}|>)")
_PARENTHESIS = lazy(r"\\.|[()]", re.DOTALL)

# The end of an element of raw HTML whose text is code.
_CODE_ELEMENT_END = lazy(r"</(?i:pre|code|samp|kbd|tt|var)\b")

_IN_COMMENT = (verbatim,)

# The signs of what is searched, by their first characters: a literal is found ten times faster than a class. Of links:
# also tags, roles of MyST and what may be a URL, misspelled ones included.
_COLON = r"(?<=[A-Za-z0-9+.;\\-]:)[^\s:]|//|\s(?<=(?i:mailto):\s)"
# Matches: `[`, `<a`, `</`, `<!`, `//`, `}`
# Does not match: `]`, `<1`, `: `, `/a`
_LINK_SIGN = lazy(rf"[\[<:/}}](?:(?<=[\[}}])|(?<=<)[A-Za-z/!]|(?<=/)/|(?<=:)(?:{_COLON}))")
# Signs of URLs with a scheme and of links to them: a colon after the name of a scheme, that of "std::a" and "a: b" only
# in a destination; a reference to a colon; and a tag, raw text, or a comment, unless that is short.  In a document with
# elements of code, each tag may begin or end one.  With the signs of all links, `extract` takes 2 to 19 % longer on
# documentation.
_IN_DESTINATION = r"\][(:][ \t]*(?:\r?\n[ \t]*)?<?[A-Za-z][A-Za-z0-9+.\\-]*+:(?:[\s:]|\Z)"
_ENTITY = r"&(?:\#(?:0*58|[xX]0*3[aA]);|colon;)"
_SCHEME_SIGNS = tuple(map(lazy, (rf":(?:{_COLON}|\s{{1,80}}//)", _IN_DESTINATION, _ENTITY)))
_IN_TAG = rf"<(?:[A-Za-z][^<>:]*+:|(?i:{'|'.join(sorted(RAW_TEXT))})\b|!--(?![^:\n]{{0,200}}-->))"
_TAG_SIGN, _ELEMENT_SIGN = lazy(_IN_TAG), lazy(r"<(?:[A-Za-z/]|!--(?![^:\n]{0,200}-->))")
# Found faster than the line of a fence or a comment; most documents have only backticks. The most frequent code blocks,
# between unindented fences and without further ones, match as a whole.
# Matches: `` ``` ``, `` ```a\nb `c`\n``` ``
# Does not match: `` `` ``, `` ```a`\n``` ``
_WHOLE_BLOCK = rf"(?m)```(?:(?<![^\n]```)(?P<fence>(?!`))[^`\n]*\n{repeat('[^`]++|`(?!``)')}(?<=\n)```+[ \t]*(?=\r?$))?"
_BACKTICKS, _BLOCK_MARK = lazy(_WHOLE_BLOCK), lazy(rf"{_WHOLE_BLOCK}|~~~|<!--|\{{/\*")
# Comments of HTML, and of MDX ("Comments"), by their beginnings.
_COMMENT_ENDS = {"<!--": lazy("-->"), "{/*": lazy(r"\*/\}")}


def regions(text: str, _kind: str = "", scope: Scope = "exact") -> Iterator[Region]:
    """Yield the regions of the document, with the escapes in its destinations as replacements.

    Text in which nothing is searched may be a part of the prose, which is twice as fast.
    """
    has_code_elements = _CODE_ELEMENT_END.search(text) is not None
    if scope == "links":
        divided = _regions(text, NextMatch(text, _LINK_SIGN))
    elif scope == "schemes":
        tag_sign = _ELEMENT_SIGN if has_code_elements else _TAG_SIGN
        divided = _regions(text, NextMatch(text, *_SCHEME_SIGNS, tag_sign))
    else:
        divided = with_prose(text, _regions(text, None), IN_PROSE)
    if has_code_elements:
        return with_code_elements(text, divided)
    return divided


def front_matter_end(text: str, start: int = 0) -> int:
    """Return the end of the front matter of a document that begins at text[start]; `start` if there is none."""
    return match_end(_FRONT_MATTER, text, start)


def fence_end(text: str, line_start: int, columns: dict[tuple[int, int], int]) -> int:
    """Return the end of the code block whose fence is on the line at text[line_start]; `line_start` if there is none.

    The dictionary is a cache, empty for a new text.
    """
    if (fence := _FENCE.match(text, line_start)) is None:
        return line_start
    return _closed(text, fence, columns)


def is_indented_too_far(text: str, line_start: int, cached: dict[tuple[int, int], int]) -> bool:
    """Return whether the line at text[line_start] is indented too far to begin a block other than code."""
    columns = _columns(text[line_start : line_start + 100])
    return columns >= 4 and columns >= _contents(text, line_start, cached) + 4


def _regions(text: str, candidates: NextMatch | None) -> Iterator[Region]:
    """Yield the regions of the document that are not prose; without `candidates`, paragraphs and code are prose."""
    position = 0
    if text.startswith(("---", "+++")):
        position = front_matter_end(text)
    # A backslash may escape a colon.
    if position and (candidates is None or candidates.after(0) < position or text.find("\\", 0, position) >= 0):
        yield Region("prose", 0, position, kind={"-": "yaml", "+": "toml"}[text[0]])
    blocks: Iterable[tuple[int, int, re.Match[str] | None]] = ()
    if "```" in text or "~~~" in text or "<!--" in text or "{/*" in text:
        blocks = _blocks(text, position)
    for start, end, fence in chain(blocks, [(len(text), len(text), None)]):
        if candidates is None or candidates.after(position) < start:
            yield from _unfenced(text, position, start, candidates)
        position = end
        if start == end or (candidates is not None and candidates.after(start) >= end):
            continue
        if fence is None:
            yield Region("comment", start, end, encode=_IN_COMMENT)
        elif (chunk := _CHUNK.match(text, fence.end("fence"))) is not None:
            yield from _unfenced(text, chunk.end(), end, candidates)
        else:
            yield Region("code", start, end)


def _blocks(text: str, position: int) -> Iterator[tuple[int, int, re.Match[str] | None]]:
    """Yield the spans of fenced code blocks, with the fence, and of comments (CommonMark 4.5, 4.6)."""
    marks = _BACKTICKS
    if "~~~" in text or "<!--" in text or "{/*" in text:
        marks = _BLOCK_MARK
    contents: dict[tuple[int, int], int] = {}
    ends = {opener: NextMatch(text, pattern) for opener, pattern in _COMMENT_ENDS.items()}
    while (mark := marks.search(text, position)) is not None:
        if mark["fence"] is not None:
            yield mark.start(), (position := mark.end()), mark
            continue
        start, end = mark.start(), -1
        line = _line_start(text, position, start)
        fence = None
        if line >= 0 and (fence := _FENCE.match(text, line)) is not None:
            start, end = line, _closed(text, fence, contents)
        elif line >= 0 and mark[0] in ends and not text[line:start].strip(" \t>"):
            last = ends[mark[0]].after(start + 2) + 3  # "<!-->" is a comment (CommonMark 6.6)
            if last <= len(text) and not is_indented_too_far(text, line, contents):
                end = last
        if end < 0:
            position = text.find("\n", start) + 1 or len(text)
        else:
            yield start, end, fence
            position = end


def _unfenced(text: str, start: int, limit: int, candidates: NextMatch | None) -> Iterator[Region]:
    """Yield the regions of text without fenced code blocks that are not prose."""
    position = start
    has_definitions = _LABEL_END.search(text, start, limit) is not None
    for code_start, code_end in chain(_indented(text, start, limit), [(limit, limit)]):
        if has_definitions:
            for first, last in _definitions(text, position, code_start):
                yield from inline_regions(text, position, first, candidates)
                yield from destination_regions(text, first, last)
                position = last
        yield from inline_regions(text, position, code_start, candidates)
        if code_start < code_end and (candidates is None or candidates.after(code_start) < code_end):
            yield Region("code", code_start, code_end)
        position = code_end


def _indented(text: str, start: int, limit: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of indented code blocks (CommonMark 4.4)."""
    position = start
    columns_by_line: dict[tuple[int, int], int] = {}
    match = None
    if not position:
        match = _FIRST_CODE_LINE.match(text, 0, limit)
    while (match := match or _CODE_LINE.search(text, position, limit)) is not None:
        first = match.start("line")
        columns = _columns(match["line"])
        need = _contents(text, first, columns_by_line) + 4
        position = match.end()
        match = None
        if columns < need:
            continue
        end = position
        while (line := _LINE.match(text, position, limit)) is not None and line.end() > position:
            position = line.end()
            if line["text"].strip():
                if _columns(line[0]) < need:
                    position = line.start()
                    break
                end = position
        yield first, end
        position = max(position - 1, end)  # the preceding line end may begin the next block


def _contents(text: str, line_start: int, cached: dict[tuple[int, int], int]) -> int:
    """Return the column at which the contents of the enclosing list item, admonition or the like begin; else 0.

    The contents of an item begin after the marker. A paragraph further left ends the item; a lazy continuation line
    does not (CommonMark 5.2). `cached` has columns by line and indentation.
    """
    columns = _columns(text[line_start : line_start + 100])
    passed: list[tuple[int, int]] = []
    while (contents := cached.get((line_start, columns))) is None:
        passed.append((line_start, columns))
        contents, line_start, columns = _above(text, line_start, columns)
        if contents is not None:
            break
    cached.update(dict.fromkeys(passed, contents))
    return contents


def _above(text: str, line_start: int, columns: int) -> tuple[int | None, int, int]:
    """Return the column for `_contents` if the line above determines it, else None, and the next line and columns."""
    if not line_start:
        return 0, line_start, columns
    end = line_start - 1
    line_start = text.rfind("\n", 0, end) + 1
    line = text[line_start:end]
    indentation = _columns(line)
    if indentation >= columns or not line.strip():
        return None, line_start, columns
    if (marker := _MARKER.match(line)) is not None:
        begin = indentation + 4
        if marker["body"] is None:
            begin = len(marker[0].expandtabs(4))
        if begin <= columns:
            return begin, line_start, columns
        return None, line_start, indentation
    if (
        not line_start
        or text[text.rfind("\n", 0, line_start - 1) + 1 : line_start].isspace()
        or _NOT_LAZY.match(line) is not None
    ):
        if not indentation:
            return 0, line_start, indentation
        columns = indentation
    return None, line_start, columns


def _columns(line: str) -> int:
    """Return the number of columns of white space at the beginning of a line."""
    line = line.expandtabs(4)
    return len(line) - len(line.lstrip(" "))


def _closed(text: str, fence: re.Match[str], cached: dict[tuple[int, int], int]) -> int:
    """Return where a fenced block ends.

    That is after a fence that is at least as long and indented by at most three columns, at the end of the block quote
    or list item that holds the block (CommonMark 4.5), or at the end of the document.
    """
    prefix = text[fence.start() : fence.start("fence")]
    quotes, need, ends = prefix.count(">"), 0, ""
    if quotes:
        ends = r"|[ \t>]*+"  # of each line
    elif prefix.strip():
        need = len(prefix.expandtabs(4))
    elif prefix:
        need = _contents(text, fence.start(), cached)
    most = max(need, _columns(prefix)) + 3
    if need:  # of a line with text that is indented less
        ends = rf"|[ \t]{{0,{need - 1}}}+(?![ \t])(?=[^\S\n]*+\S)"
    for line in _block_end(fence["fence"], ends).finditer(text, fence.end()):
        columns, is_closing = _columns(line[0][1:]), line["closing"] is not None
        if line[0].count(">") < quotes or (columns < need and not is_closing):
            return line.start() + 1
        if is_closing and (quotes or columns <= most):
            return line.end()
    return len(text)


@functools.lru_cache(maxsize=64)
def _block_end(mark: str, ends: str) -> re.Pattern[str]:
    """Return the pattern of a line end, and the fence that closes a block that `mark` has opened or one of `ends`."""
    closing = rf"[ \t>]*+(?P<closing>{re.escape(mark[0])}{{{len(mark)},}})[ \t]*(?=\r?$)"
    return re.compile(rf"(?m)\n(?:{closing}{ends})")


def _definitions(text: str, start: int, limit: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of the destinations of definitions on lines that begin in text[start:stop]."""
    position = start
    while (label_end := _LABEL_END.search(text, position, limit)) is not None:
        mark = label_end.start()
        line = _line_start(text, position, mark)
        if line < 0 or (match := _DEFINITION.match(text, line, limit)) is None:
            position = text.find("\n", mark, limit) + 1 or limit
            continue
        position = match.end()
        if _is_balanced(match["destination"]):
            yield match.span("destination")


def _line_start(text: str, start: int, position: int) -> int:
    """Return the beginning of the line of text[position]; -1 if it is before text[start]."""
    if line := text.rfind("\n", start, position) + 1:
        return line
    if start and text[start - 1] != "\n":
        return -1
    return start


def _is_balanced(destination: str) -> bool:
    """Return whether the parentheses of a destination without angle brackets match (CommonMark 6.3)."""
    if destination.startswith("<") or ("(" not in destination and ")" not in destination):
        return True
    depth = 0
    for match in _PARENTHESIS.finditer(destination):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth < 0:
            return False
    return depth == 0
