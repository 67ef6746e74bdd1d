"""Read Markdown: destinations of links and images, reference definitions, autolinks, code, raw HTML.

CommonMark 0.31 with GitHub's extensions. A document is divided at its code blocks and spans, destinations and tags;
other structure is ignored. Bare URLs are prose, which the finder searches. Each kind of block is found by a literal
that it contains, and of the other text, only paragraphs are read that can hold something that is searched for.
"""

import functools
import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy
from urlscan.documents.code_elements import with_code_elements
from urlscan.documents.html_skip import RAW_TEXT
from urlscan.documents.lookahead import FirstMatch, NextMatch
from urlscan.documents.markdown_inlines import IN_BRACKETS, IN_PROSE, Candidates, destination_regions, inline_regions
from urlscan.documents.segments import Region, with_prose

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
# Front matter, at the beginning of the document: YAML between "---", TOML between "+++".
_FRONT_MATTER = lazy(r"(?s)(?P<mark>---|\+\+\+)[ \t]*\r?\n.{0,65536}?\n(?P=mark)[ \t]*(?:\r?\n|\Z)")
# CommonMark 4.4: at least four columns of indentation, after a blank line or at the beginning of the document.
_INDENTED_LINE = r"(?P<line>(?: {4}| {0,3}\t)[ \t]*+\S[^\n]*)"
_CODE_LINE = lazy(rf"\n[ \t\r]*\n{_INDENTED_LINE}")
_FIRST_CODE_LINE = lazy(rf"(?:[ \t\r]*\n)?{_INDENTED_LINE}")
_LINE = lazy(r"[ \t]*+(?P<text>[^\n]*)\n?")
# CommonMark 5.2: a bullet or a number, and up to four spaces; further ones belong to the contents.
_MARKER = lazy(r"[ \t]*(?:[-+*]|[0-9]{1,9}[.)])(?: {1,4}(?=\S)|[ \t](?=[ \t])|\t)")
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


# An element of raw HTML whose text is code.
_CODE_ELEMENT = lazy(r"<(?i:pre|code|samp|kbd|tt|var)\b")

# The first characters of what may be a URL with a scheme, or a link to one:
# - a colon that may end a scheme, and that of "std::a" or "a: b" only at the beginning of a destination;
# - a tag with a colon; also comments and elements whose text may contain blank lines;
# - a character reference to a colon.
# Matches: `://`, `:\n//`
# Does not match: `: `, `::`, `:a`
_SCHEME = lazy(r":(?://|\s{1,80}//|(?<=[A-Za-z0-9+.;\\-]:)[^\s:]|\s(?<=(?i:mailto):\s))")
_SCHEME_OF_DESTINATION = lazy(r"\][(:][ \t]*(?:\r?\n[ \t]*)?<?[A-Za-z][A-Za-z0-9+.\\-]*+:(?:[\s:]|\Z)")
_COMMENT = r"!--(?![^:\n]{0,200}-->)"
_TAG_WITH_SCHEME = lazy(rf"<(?:{_COMMENT}|[A-Za-z][^<>:]*+:|(?i:{'|'.join(sorted(RAW_TEXT))})\b)")
_COLON_REFERENCE = lazy(r"&(?:#(?:0*58|[xX]0*3[aA])|colon);")
_TAG = lazy(rf"<(?:[A-Za-z/]|{_COMMENT})")
# The first characters of links, tags, roles of MyST, and what may be a URL, misspelled ones included.
# Matches: `[`, `<a`, `</`, `<!`, `//`, `}`
# Does not match: `]`, `<1`, `: `, `/a`
_LINK = lazy(
    r"""
    [\[<:/}]
    (?: (?<=\[) | (?<=\}) | (?<=<)[A-Za-z/!] | (?<=/)/
      | (?<=:)(?: (?<=[A-Za-z0-9+.;\\-]:)[^\s:] | // | \s(?<=(?i:mailto):\s) )
    )
    """,
    re.VERBOSE,
)
_BACKTICKS, _TILDES = lazy("```"), lazy("~~~")


def regions(text: str, _kind: str = "") -> Iterator[Region]:
    """Yield the regions of the document, with the escapes in its destinations as replacements."""
    found = with_prose(text, _regions(text, None), IN_PROSE)
    return with_code_elements(text, found) if _has_code_elements(text) else found


def regions_with_links(text: str, _kind: str = "") -> Iterator[Region]:
    """Yield the regions of the document; code without links and URLs may be a part of the prose."""
    found = _regions(text, NextMatch(_LINK, text), emits_blocks=True)
    return with_code_elements(text, found) if _has_code_elements(text) else found


def regions_with_schemes(text: str, _kind: str = "") -> Iterator[Region]:
    """Yield the regions of the document; anything without a scheme may be a part of the prose."""
    has_code_elements = _has_code_elements(text)
    tags = _TAG if has_code_elements else _TAG_WITH_SCHEME
    marks = ((":", _SCHEME), ("]", _SCHEME_OF_DESTINATION), ("<", tags), ("&", _COLON_REFERENCE))
    found = _regions(text, FirstMatch(_occurring(marks, text), text))
    return with_code_elements(text, found) if has_code_elements else found


def _has_code_elements(text: str) -> bool:
    """Return whether an element of raw HTML may have code as its text."""
    return "<" in text and _CODE_ELEMENT.search(text) is not None


def _occurring(marks: tuple[tuple[str, re.Pattern[str]], ...], text: str) -> list[re.Pattern[str]]:
    """Return the patterns whose first character occurs in a text; a character is found ten times as fast."""
    return [pattern for character, pattern in marks if character in text]


def front_matter_end(text: str, at: int = 0) -> int:
    """Return the end of the front matter of a document that begins at text[at]; `at` if there is none."""
    matter = _FRONT_MATTER.match(text, at)
    return matter.end() if matter is not None else at


def fence_end(text: str, at: int, known: dict[tuple[int, int], int]) -> int:
    """Return the end of the code block whose fence is on the line that begins at text[at]; `at` if there is none.

    Args:
        text: the document.
        at: the beginning of the line.
        known: a dictionary that is empty for a new text, and the same for successive calls.
    """
    fence = _FENCE.match(text, at)
    return _closed(text, fence, known) if fence is not None else at


def is_indented_too_far(text: str, at: int, known: dict[tuple[int, int], int]) -> bool:
    """Return whether the line that begins at text[at] is indented too far to begin a block other than code.

    Args:
        text: the document.
        at: the beginning of the line.
        known: as for `fence_end`.
    """
    columns = _columns(text[at : at + 100])
    return columns >= 4 and columns >= _contents(text, at, known) + 4


def _regions(text: str, candidates: Candidates | None, *, emits_blocks: bool = False) -> Iterator[Region]:
    """Yield the regions of the document that are not prose.

    Args:
        text: the document.
        candidates: where links and URLs may be; paragraphs and blocks without any are prose. None: anywhere.
        emits_blocks: whether front matter and fenced code are regions anyway.
    """
    emits_blocks = emits_blocks or candidates is None
    at = front_matter_end(text)
    known: dict[tuple[int, int], int] = {}
    fences = _Fences(text)
    if at and (emits_blocks or _may_hold(candidates, 0, at) or text.find("\\", 0, at) >= 0):
        yield Region("prose", 0, at, kind="yaml" if text.startswith("-") else "toml")
    while at < len(text) and (emits_blocks or _may_hold(candidates, at, len(text))):
        fence = fences.after(at)
        stop = fence.start() if fence is not None else len(text)
        if _may_hold(candidates, at, stop):
            yield from _unfenced(text, at, stop, candidates)
        if fence is None:
            break
        at = _closed(text, fence, known)
        if emits_blocks or _may_hold(candidates, stop, at):
            yield Region("code", stop, at)


def _may_hold(candidates: Candidates | None, start: int, end: int) -> bool:
    """Return whether something that is searched for may begin in text[start:end]."""
    return candidates is None or candidates.after(start) < end


def _unfenced(text: str, start: int, stop: int, candidates: Candidates | None) -> Iterator[Region]:
    """Yield the regions of text without fenced code blocks that are not prose."""
    at = start
    for first, last in _indented(text, start, stop):
        yield from _blocks(text, at, first, candidates)
        if _may_hold(candidates, first, last):
            yield Region("code", first, last)
        at = last
    yield from _blocks(text, at, stop, candidates)


class _Fences:
    """The fences of a document, found by their backticks or tildes."""

    __slots__ = ("_marks", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._marks = FirstMatch(_occurring((("`", _BACKTICKS), ("~", _TILDES)), text), text)

    def after(self, at: int) -> "re.Match[str] | None":
        """Return the first fence on a line that begins at or after text[at]."""
        text = self._text
        while (mark := self._marks.after(at)) < len(text):
            line = _line_start(text, at, mark)
            if line >= 0 and (fence := _FENCE.match(text, line)) is not None:
                return fence
            at = text.find("\n", mark) + 1 or len(text)
        return None


def _indented(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of indented code blocks (CommonMark 4.4)."""
    at = start
    known: dict[tuple[int, int], int] = {}
    match = _FIRST_CODE_LINE.match(text, 0, stop) if not at else None
    while (match := match or _CODE_LINE.search(text, at, stop)) is not None:
        first = match.start("line")
        columns = _columns(match["line"])
        need = _contents(text, first, known) + 4
        at = match.end()
        match = None
        if columns < need:
            continue
        end = at
        while (line := _LINE.match(text, at, stop)) is not None and line.end() > at:
            at = line.end()
            if line["text"].strip():
                if _columns(line[0]) < need:
                    at = line.start()
                    break
                end = at
        yield first, end
        at = max(at - 1, end)  # the preceding line end may begin the next block


def _contents(text: str, at: int, known: dict[tuple[int, int], int]) -> int:
    """Return the column at which the contents of the enclosing list item begin; 0 outside lists.

    The contents begin after the marker. A paragraph further left ends the item; a lazy continuation line does not
    (CommonMark 5.2).

    Args:
        text: the document.
        at: the beginning of the line.
        known: a cache of columns by line and indentation.
    """
    columns = _columns(text[at : at + 100])
    passed: list[tuple[int, int]] = []
    while (here := known.get((at, columns))) is None:
        passed.append((at, columns))
        here, at, columns = _above(text, at, columns)
        if here is not None:
            break
    known.update(dict.fromkeys(passed, here))
    return here


def _above(text: str, at: int, columns: int) -> tuple[int | None, int, int]:
    """Return the column for `_contents` if the line above determines it, else None, and the next line and columns."""
    if not at:
        return 0, at, columns
    end = at - 1
    at = text.rfind("\n", 0, end) + 1
    line = text[at:end]
    here = _columns(line)
    if here >= columns or not line.strip():
        return None, at, columns
    if (marker := _MARKER.match(line)) is not None:
        begin = len(marker[0].expandtabs(4))
        return (begin, at, columns) if begin <= columns else (None, at, here)
    if not at or text[text.rfind("\n", 0, at - 1) + 1 : at].isspace() or _NOT_LAZY.match(line) is not None:
        return (None if here else 0), at, here
    return None, at, columns


def _columns(line: str) -> int:
    """Return the number of columns of white space at the beginning of a line."""
    line = line.expandtabs(4)
    return len(line) - len(line.lstrip(" "))


def _closed(text: str, fence: re.Match[str], known: dict[tuple[int, int], int]) -> int:
    """Return where a fenced block ends.

    That is after a fence that is at least as long, at the end of the block quote or list item that holds the block
    (CommonMark 4.5), or at the end of the document.

    Args:
        text: the document.
        fence: a match of _FENCE.
        known: as for `_contents`.
    """
    closing = _closing_fence(fence["fence"])
    prefix = text[fence.start() : fence.start("fence")]
    quotes, need = prefix.count(">"), 0
    if not quotes and prefix:
        has_marker = bool(prefix.strip())
        need = len(prefix.expandtabs(4)) if has_marker else _contents(text, fence.start(), known)
    if not quotes and not need:
        found = closing.search(text, fence.end())
        return found.end() if found is not None else len(text)
    at = fence.end() + 1
    while (line := _LINE.match(text, at)) is not None and line.end() > at:
        if line[0].count(">", 0, len(line[0]) - len(line[0].lstrip(" \t>"))) < quotes:
            return at
        if (found := closing.match(text, at)) is not None:
            return found.end()
        if need and line["text"].strip() and _columns(line[0]) < need:
            return at
        at = line.end()
    return len(text)


@functools.lru_cache(maxsize=64)
def _closing_fence(mark: str) -> re.Pattern[str]:
    """Return the pattern of the line that closes a block that `mark` has opened."""
    return re.compile(rf"(?m)^[ \t>]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*(?=\r?$)")


def _blocks(text: str, start: int, stop: int, candidates: Candidates | None) -> Iterator[Region]:
    """Yield the regions of text outside code blocks that are not prose."""
    at = start
    for first, last in _definitions(text, start, stop):
        yield from inline_regions(text, at, first, candidates)
        yield from destination_regions(text, first, last)
        at = last
    yield from inline_regions(text, at, stop, candidates)


def _definitions(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of the destinations of definitions on lines that begin in text[start:stop]."""
    at = start
    while (found := _LABEL_END.search(text, at, stop)) is not None:
        mark = found.start()
        line = _line_start(text, at, mark)
        match = _DEFINITION.match(text, line, stop) if line >= 0 else None
        if match is None:
            at = text.find("\n", mark, stop) + 1 or stop
            continue
        at = match.end()
        if _is_balanced(match["destination"]):
            yield match.span("destination")


def _line_start(text: str, start: int, at: int) -> int:
    """Return the beginning of the line of text[at]; -1 if it is before text[start]."""
    line = text.rfind("\n", start, at) + 1
    if line:
        return line
    return start if not start or text[start - 1] == "\n" else -1


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
