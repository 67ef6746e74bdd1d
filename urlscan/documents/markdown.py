"""Read Markdown: destinations of links and images, reference definitions, autolinks, code, raw HTML.

CommonMark 0.31 with GitHub's extensions. A document is divided at its code blocks and spans, destinations and tags;
other structure is ignored. Bare URLs are prose, which the finder searches.
"""

import heapq
import re
from collections.abc import Iterable, Iterator

from urlscan.core.lazy import lazy
from urlscan.documents.code_elements import with_code_elements
from urlscan.documents.edits import verbatim
from urlscan.documents.html import entity_replacements, tag_regions
from urlscan.documents.lookahead import EqualRuns
from urlscan.documents.replacements import Replacement, collect
from urlscan.documents.segments import Region
from urlscan.uri.grammar.templates import expression_end

# CommonMark 4.5: at least three backticks or tildes after indentation, list markers and quote markers; the info string
# of a backtick fence holds no backtick.
# Matches: `~~~`, `> ~~~~ text`, `1. ~~~`
# Does not match: `~~`, `a ~~~`
_FENCE = re.compile(
    r"""
    ^ [ \t>]*
    (?: (?: [-+*] | [0-9]{1,9}[.)] ) [ \t]+ ){0,9}
    (?P<fence> `{3,} (?= [^`\n]* $ ) | ~{3,} ) [^\n]* $
    """,
    re.MULTILINE | re.VERBOSE,
)
# Front matter, at the beginning of the document: YAML between "---", TOML between "+++".
_FRONT_MATTER = re.compile(r"(?s)(?P<mark>---|\+\+\+)[ \t]*\r?\n.{0,65536}?\n(?P=mark)[ \t]*(?:\r?\n|\Z)")
# CommonMark 4.4: at least four columns of indentation, after a blank line.
# Matches: `    a`, `\n\n    a`, `\n \n     a`
# Does not match: `   a`, `a\n    b`
_CODE_LINE = re.compile(r"(?:\A(?:[ \t\r]*\n)?|\n[ \t\r]*\n)(?P<line>(?: {4}| {0,3}\t)[ \t]*+\S[^\n]*)")
_LINE = lazy(r"[ \t]*+(?P<text>[^\n]*)\n?")
# CommonMark 5.2: a bullet or a number, and up to four spaces; further ones belong to the contents.
_MARKER = lazy(r"[ \t]*(?:[-+*]|[0-9]{1,9}[.)])(?: {1,4}(?=\S)|[ \t](?=[ \t])|\t)")
# CommonMark 6.3: a destination in angle brackets holds angle brackets only if they are escaped.
_IN_BRACKETS = r"<(?:[^<>\r\n\\]|\\.)*>"
# CommonMark 4.7: "[label]:", a destination and an optional title. A footnote of GitHub, "[^label]:", is text.
# Matches: `[a]: b`, `> [a]: <b c> "d"`, `- [a]:\nb`
# Does not match: `[^a]: b`, `[a] b`, `a [b]: c`
_DEFINITION = re.compile(
    r"""
    ^ (?> (?: [ \t>] | (?: [-+*] | [0-9]{1,9}[.)] ) [ \t] ){0,12} )
    \[ (?!\^) (?: [^\[\]\\\n] | \\. ){1,999} \]:
    [ \t]* (?: \r?\n [ \t]* )?
    (?P<destination>
    """
    + _IN_BRACKETS
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
# CommonMark 4.3, 4.1: the underline of a heading, and a thematic break.
_UNDERLINE = r"=+[ \t]*(?:\r?\n|\Z)"
_THEMATIC_BREAK = r"(?:[-*_][ \t]*){3,}\r?\n"
# The end of a paragraph and of a code span in it (CommonMark 3, 4.8): a blank line, list item, heading, thematic break,
# block quote or table row.
# Matches: `\n\n`, `\n- `, `\n# `, `\n---\n`, `\n==\n`, `\n|`, `\n>`
# Does not match: `\na`, `\n-a`, `a`
_BLOCK_STARTS = re.compile(
    rf"""
    \n [ \t>]*
    (?: \r?\n | (?: [-+*] | [0-9]{{1,9}}[.)] ) [ \t] | \#{{1,6}} [ \t] | {_THEMATIC_BREAK} | {_UNDERLINE}
      | \| | (?<=\n) >
    )
    """,
    re.VERBOSE,
)
_HEADING = lazy(r"[ \t>]*#{1,6}[ \t]")
# CommonMark 6.1: a run of backticks closed by one of the same length.
_TICKS = re.compile(r"`+")
# CommonMark 6.3: the closing bracket of the text, an opening parenthesis, a destination.
_INLINE = re.compile(r"\]\([ \t]*(?:\r?\n[ \t]*)?")
# CommonMark 6.3: an optional title and the closing parenthesis.
# Matches: `)`, ` "a")`, ` 'a' )`, `\n(a) )`
# Does not match: `a)`, ` "a`, ` "a" b)`
_TITLE = re.compile(
    r"""
    [ \t]* (?: \r?\n [ \t]* )?
    (?: (?: " (?: [^"\\] | \\. )* " | ' (?: [^'\\] | \\. )* ' | \( (?: [^()\\] | \\. )* \) )
        [ \t]* (?: \r?\n [ \t]* )?
    )?
    \)
    """,
    re.DOTALL | re.VERBOSE,
)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
# The next character of interest; a line end only if the next line ends the paragraph.
# Matches: `[`, `]`, `<a`, `</`, `<!`
# Does not match: `a`, `<1`, `\na`
_NEXT = re.compile(
    rf"""
    [`\[\]\\] | <[A-Za-z/!]
  | \n (?= [ \t>]*
        (?: \r?\n | (?: [-+*] | 1[.)] ) [ \t]+ \S | \#{{1,6}} [ \t] | {_THEMATIC_BREAK} | {_UNDERLINE} )
    )
    """,
    re.VERBOSE,
)
# An element of raw HTML whose text is code.
_CODE_ELEMENT = lazy(r"<(?i:pre|code|samp|kbd|tt|var)\b")
_AUTOLINK = lazy(r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>|<[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+>")
_ENCLOSED = lazy(_IN_BRACKETS)
# A line that is not a lazy continuation line: a heading, a thematic break, a fence, a block quote.
_NOT_LAZY = lazy(r"[ \t]*(?:#{1,6}(?:\s|\Z)|(?:[-*_][ \t]*){3,}\r?\Z|`{3}|~{3}|>)")
_PARENTHESIS = lazy(r"\\.|[()]", re.DOTALL)
_LONGEST = 4096
# The greatest depth of parentheses in a destination; CommonMark requires at least three levels.
_MAX_DEPTH = 32


def regions(text: str, _kind: str = "") -> Iterator[Region]:
    """Yield the regions of the document, with the escapes in its destinations as replacements."""
    found = _regions(text)
    return with_code_elements(text, found) if _CODE_ELEMENT.search(text) is not None else found


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


def _regions(text: str) -> Iterator[Region]:
    at = front_matter_end(text)
    known: dict[tuple[int, int], int] = {}
    if at:
        yield Region("prose", 0, at, kind="yaml" if text.startswith("-") else "toml")
    while at < len(text):
        fence = _FENCE.search(text, at)
        stop = fence.start() if fence is not None else len(text)
        done = at
        for start, end in _indented(text, at, stop):
            yield from _blocks(text, done, start)
            yield Region("code", start, end)
            done = end
        yield from _blocks(text, done, stop)
        if fence is None:
            return
        at = _closed(text, fence, known)
        yield Region("code", stop, at)


def _indented(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of indented code blocks (CommonMark 4.4)."""
    at = start
    known: dict[tuple[int, int], int] = {}
    while (match := _CODE_LINE.search(text, at, stop)) is not None:
        first = match.start("line")
        columns = _columns(match["line"])
        need = _contents(text, first, known) + 4
        at = match.end()
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
    mark = fence["fence"]
    closing = re.compile(rf"(?m)^[ \t>]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*(?=\r?$)")
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


def _blocks(text: str, start: int, stop: int) -> Iterator[Region]:
    """Yield the regions of text outside code blocks."""
    at = start
    for match in _DEFINITION.finditer(text, start, stop):
        first, last = match.span("destination")
        if match.start() < at or not _is_balanced(match["destination"]):
            continue
        yield from _inlines(text, at, first)
        yield from _destination(text, first, last)
        at = last
    yield from _inlines(text, at, stop)


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


def _inlines(text: str, start: int, stop: int) -> Iterator[Region]:
    done = at = start
    opened = 0  # brackets that may be the text of a link
    runs: EqualRuns | None = None  # of backticks
    unclosed: set[str] = set()
    while (match := _NEXT.search(text, at, stop)) is not None:
        here = match.start()
        what = text[here]
        regions: list[Region] = []
        end = match.end()
        if what == "\n":
            opened = 0  # no link extends over a blank line, a list item, a heading or a thematic break
        elif what == "[":
            opened += 1
        elif what == "]":
            if opened and text.startswith("(", end):
                regions, end = _link(text, here, stop)
            opened = max(opened - 1, 0)
        elif what == "\\":
            end = here + 2
        elif what == "`":
            runs = EqualRuns(text, "`", here, stop) if runs is None else runs
            regions, end = _code(text, here, stop, runs)
        elif (autolink := _AUTOLINK.match(text, here, stop)) is not None:
            end = autolink.end()
            regions = [Region("autolink", here, end, encode=_IN_PROSE)]
        else:
            regions, end = tag_regions(text, here, stop, unclosed)
        if regions:
            yield from _prose(done, regions[0].start)
            yield from regions
            done = end
        at = max(end, here + 1)
    yield from _prose(done, stop)


def _code(text: str, here: int, stop: int, runs: EqualRuns) -> tuple[list[Region], int]:
    """Return the code span that begins with the backtick at `here`, or no region, and where to continue."""
    opening = _TICKS.match(text, here, stop)
    end = opening.end() if opening is not None else here + 1
    closing = runs.after(end, end - here)
    if closing < 0 or _BLOCK_STARTS.search(text, end, closing) is not None or _leaves_heading(text, here, closing):
        return [], end
    last = closing + end - here
    return [Region("code", here, last)], last


def _leaves_heading(text: str, start: int, end: int) -> bool:
    """Return whether text[start] is in a heading, which is one line (CommonMark 4.2), and text[end] is not."""
    if text.find("\n", start, end) < 0:
        return False
    line = text.rfind("\n", max(start - _LONGEST, 0), start) + 1
    return _HEADING.match(text, line) is not None


def _link(text: str, here: int, stop: int) -> tuple[list[Region], int]:
    """Return the regions of the destination in "](destination)" with an optional title, and where to continue."""
    opening = _INLINE.match(text, here, stop)
    if opening is None:
        return [], here + 1
    first = opening.end()
    if text.startswith("<", first) and not text.startswith("<%", first):
        enclosed = _ENCLOSED.match(text, first, min(stop, first + _LONGEST))
        last = enclosed.end() if enclosed is not None else -1
    else:
        last = _balanced(text, first, stop)
    if last < 0 or _TITLE.match(text, last, stop) is None:
        return [], here + 1
    return list(_destination(text, first, last)), last


def _balanced(text: str, start: int, stop: int) -> int:
    """Return the end of a destination with balanced parentheses; -1 if it holds a control character or has no end."""
    depth, at, limit = 0, start, min(stop, start + _LONGEST)
    while at < limit:
        character = text[at]
        if character == "\\" and at + 1 < limit and text[at + 1] > " ":
            at += 1
        elif character == "(":
            depth += 1
            if depth > _MAX_DEPTH:
                return -1
        elif character == ")":
            if depth == 0:
                return at
            depth -= 1
        elif character in "{<$" and (end := expression_end(text, at, limit)) > at:
            at = end
            continue
        elif character <= " " or character == "\x7f":
            return at if depth == 0 else -1
        at += 1
    return -1


def _destination(text: str, start: int, end: int) -> Iterator[Region]:
    """Yield a destination as a link, without its angle brackets and with its escapes undone."""
    enclosed = text.startswith("<", start) and text.endswith(">", start, end) and not text.startswith("<%", start)
    first, last = (start + 1, end - 1) if enclosed else (start, end)
    if first == last:
        yield Region("markup", start, end)
        return
    if enclosed:
        yield Region("markup", start, first)
    # A backslash escapes the "&" of an entity, which then begins inside the escape.
    replacements = entity_replacements(text, first, last)
    if text.find("\\", first, last) >= 0:
        escapes = ((match.start(), match.end(), match[1]) for match in _ESCAPED.finditer(text, first, last))
        replacements = collect(_drop_overlapping(heapq.merge(escapes, replacements)))
    yield Region("link", first, last, replacements, encode=_IN_DESTINATION)
    if enclosed:
        yield Region("markup", last, end)


def _drop_overlapping(replacements: Iterable[Replacement]) -> Iterator[Replacement]:
    """Yield the replacements that do not begin inside the previous one."""
    done = 0
    for replacement in replacements:
        if replacement[0] >= done:
            yield replacement
            done = replacement[1]


def _escaped(text: str) -> str | None:
    """Return a text as written in a destination (CommonMark 2.4, 2.5, 6.3); None if that is impossible."""
    if any(character <= " " or character == "\x7f" for character in text):
        return None
    return _SPECIAL.sub(r"\\\g<0>", text).replace("&", "&amp;")


def _in_prose(text: str) -> str | None:
    """Return a text as written in a bare URL or an autolink, which have no escapes; "|" separates table cells."""
    return verbatim(text, "<>`[]\\|\r\n")


_SPECIAL = re.compile(r"[\\()<>]")
_IN_DESTINATION = (_escaped,)
_IN_PROSE = (_in_prose,)


def _prose(start: int, end: int) -> Iterator[Region]:
    if start < end:
        yield Region("prose", start, end, encode=_IN_PROSE)
