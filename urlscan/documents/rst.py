"""Read reStructuredText: hyperlink targets, embedded URIs, images, literals.

reStructuredText Markup Specification of docutils: "Hyperlink Targets", "Embedded URIs and Aliases", "Images", "Literal
Blocks", "Inline Literals". Standalone hyperlinks are prose, which the finder searches.
"""

import heapq
import re
from collections.abc import Iterator
from functools import partial

from urlscan.core.lazy import lazy
from urlscan.core.offsets import line_end
from urlscan.documents.escapes import backslashed, encode_characters, merge, verbatim
from urlscan.documents.kinds import Scope
from urlscan.documents.regions import NextMatch, Region, with_prose

# ".. _name: URI", ".. __: URI", "__ URI"; the name may be in backticks, a colon in it is escaped, and it ends in none.
# A URI may continue in indented lines, whose white space is removed.
# Matches: `.. _a: b`, `.. __: b`, `__ b`, `.. _a\: b: c`, `.. _a: b\n  c`
# Does not match: `.. _a b`, `.. a: b`, `_a: b`, `.. _a:: b`, `.. _a:b`
_TARGET = re.compile(
    r"""
    ^ (?P<indent> [ \t]* )
    (?: \.\.[ ]+ (?: _(?![ _]) (?: `[^`\n]{1,1000}` | (?: [^:\\\n] | \\. | :(?![ ]|\n) ){1,1000} ) (?<!:): | __: )(?!\S)
      | __(?=\s)
    )
    [ \t]*
    (?P<uri> (?: [^\s].* )? (?: \r?\n (?P=indent) [ \t]+ \S.* )* )
    """,
    re.MULTILINE | re.VERBOSE,
)
# Directives and options whose argument is a URI, in which white space is ignored; it ends with its paragraph.
# Matches: `.. image:: a`, `  .. |a| image:: b`, `:target: a`, `.. figure::\n   a`
# Does not match: `.. image::`, `.. include:: a`, `.. image::\n   :alt: a`
_ARGUMENT = re.compile(
    r"""
    ^ [ \t]* (?: \.\.[ ] (?: \|[^|\n]{1,200}\|[ ] )? (?: image | figure ):: | (?P<target> :target: ) )
    (?: [ \t]+ | [ \t]*\r?\n[ \t]+ (?!:[^:\n]+:\s) )
    (?P<uri> \S[^\n]* (?: \n[ \t]+ (?!:[^:\n]+:\s) \S[^\n]* )* )
    """,
    re.MULTILINE | re.VERBOSE,
)
# "`text <URI>`_" and "`<URI>`__", between the characters that may surround inline markup ("Inline Markup Recognition
# Rules"), in one paragraph.
# Matches: `` `a <b>`_ ``, `` `<b>`__ ``, `` `a\nb <c>`_ ``
# Does not match: `` `a`_ ``, `` `a <b>` ``, `` `a <b>`_c ``, `` `a\n\nb <c>`_ ``
_EMBEDDED = re.compile(
    r"""
    ` (?<! (?! [\s'"(\[{<\-/:] ) [\x00-\x7f]` ) (?<! [^\W\x00-\x7f]` )
    (?> (?: [^`\\<\n] | \n(?![ \t\r]*\n) | \\(?!\n[ \t\r]*\n). | <(?![^<>`]*>`_) ){0,2000} )
    < (?P<uri> (?> (?: [^<>`\n] | \n(?![ \t\r]*\n) ){1,2000} ) ) >`__?
    (?= [\s'")\]}>\-/\\:.,;!?] | [^\x00-\x7f] | \Z ) (?! [^\W\x00-\x7f] )
    """,
    re.DOTALL | re.VERBOSE,
)
# An inline literal ends with its paragraph: it contains no blank line, list item or explicit markup.
# Matches: `` ``a`` ``, `` ``a\nb`` ``
# Does not match: `` ``a\n\nb`` ``, `` ``a\n- b`` ``, `` `a` ``
_LITERAL = re.compile(
    r"""
    `` (?=\S) [^\n]*?
    (?: \n (?! [ \t]* (?: \r?\n | (?: [-*+\u2022] | [0-9A-Za-z#]{1,3}[.)] | \.\. ) [ \t] ) ) [^\n]+? )*?
    `` (?!`)
    """,
    re.VERBOSE,
)
# A paragraph that ends with "::" and these directives are followed by an indented literal block.
# Matches: `a::`, `.. code:: python`, `  .. note::`, `.. raw:: html`
# Does not match: `a:`, `.. note:: a`
_BLOCK = re.compile(
    r"""
    ^ (?P<indent> (?> [ \t]* ) )
    (?: \.\.[ ]
        (?: code | code-block | sourcecode | parsed-literal | math | productionlist | doctest | testcode | highlight
          | raw
        )
        :: [^\r\n]*
      | (?P<explicit> \.\.[ ] )? [^\n]* ::
    )
    [ \t]* (?= \r?$ )
    """,
    re.MULTILINE | re.VERBOSE,
)
# Literals on the first line of each target, argument and block, and one at the end of each embedded URI.
_TARGET_MARK = re.compile(r"_(?:(?<= _)|_\s)")
_ARGUMENT_MARK = re.compile(r":(?:(?<=image:):|(?<=figure:):|target:)")
_BLOCK_MARK = re.compile("::")
_EMBEDDED_MARK = re.compile(">`_")
_RAW_HTML = lazy(r"[ \t]*\.\. raw::[ \t]+html\b")
_REFERENCE = lazy(r"(?:[^\W_](?:[-_.+:]?[^\W_])*|`.+`)_\Z", re.DOTALL)
_ESCAPED = re.compile(r"\\([\s\S])")  # white space, too: `directives.uri` of docutils
_BREAK = re.compile(r"(?<!\\)\s+")
# The border on the right of a cell, and the rest of its line.
_BREAK_IN_CELL = lazy(r"(?<!\\)\s*(?P<border>\|[^\n]*\n)|(?<!\\)\s+")
# An odd number of backslashes: the last one escapes the next character.
_ESCAPE_AT_END = lazy(r"\\(?<!\\\\)(?:\\\\)*\Z")


def regions(text: str, _kind: str = "", scope: Scope = "exact") -> Iterator[Region]:
    """Yield the regions of the document, with escapes and line breaks in its URIs as replacements."""
    markup = _markup_regions(text)
    # Most regions are prose, which need not be yielded to search for links and URLs.
    if scope in ("links", "schemes"):
        return markup
    return with_prose(text, markup, _IN_PROSE)


def _markup_regions(text: str) -> Iterator[Region]:
    """Yield the regions of the document that are not prose."""
    position = 0
    inlines = _Inlines(text)
    for block in _Marked(_BLOCK, _BLOCK_MARK, text).matches(0, len(text)):
        indent = block["indent"]
        if block.start() < position or (block["explicit"] and not indent):
            continue
        if block["explicit"]:  # other indented directives count as text, one column to the left
            indent = indent[:-1]
        start, end = _indented(text, block.end(), len(indent.expandtabs()))
        yield from inlines.regions(position, start)
        if start < end:
            if _RAW_HTML.match(text, block.start()) is not None:
                yield Region("prose", start, end, kind="html")
            else:
                yield Region("code", start, end)
        position = max(end, block.end())
    yield from inlines.regions(position, len(text))


class _Marked:
    """Finds matches that begin a line, by a mark on the first line of each, which is found much faster."""

    __slots__ = ("_marks", "_pattern", "_text")

    def __init__(self, pattern: "re.Pattern[str]", mark: "re.Pattern[str]", text: str) -> None:
        self._pattern, self._text = pattern, text
        self._marks = NextMatch(text, mark)

    def matches(self, start: int, limit: int) -> "Iterator[re.Match[str]]":
        """Yield the matches in text[start:stop], as `finditer` does."""
        text, position = self._text, start
        while (mark := self._marks.after(position)) < limit:
            line = text.rfind("\n", position, mark) + 1
            if not line and (not position or text[position - 1] == "\n"):
                line = position
            position_after = text.find("\n", mark, limit) + 1 or limit
            if (line or not position) and (match := self._pattern.match(text, line, limit)) is not None:
                yield match
                position_after = max(match.end(), position_after)
            position = position_after


def _indented(text: str, start: int, indent: int) -> tuple[int, int]:
    """Return the span of the lines after text[start] that are indented by more than `indent` columns."""
    search = re.compile(rf"\n(?P<blanks>[^\S\n]{{0,{indent}}})\S").search
    end = start
    while (line := search(text, end)) is not None:
        end = line.start()
        if "\t" not in line["blanks"] or len(line["blanks"].expandtabs()) <= indent:
            break
        end += 1
    if line is None:
        end = len(text)
    contents = text[start:end].rstrip()
    if not contents:
        return start, start
    return start, line_end(text, start + len(contents))


class _Inlines:
    """Reads text outside literal blocks, in spans, in order."""

    __slots__ = ("_arguments", "_embedded", "_targets", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._targets = _Marked(_TARGET, _TARGET_MARK, text)
        self._arguments = _Marked(_ARGUMENT, _ARGUMENT_MARK, text)
        self._embedded = NextMatch(text, _EMBEDDED_MARK)

    def regions(self, start: int, limit: int) -> Iterator[Region]:
        """Yield the regions of text[start:stop] that are not prose."""
        text = self._text
        searches = [self._targets.matches(start, limit), self._arguments.matches(start, limit)]
        if self._embedded.after(start) < limit:
            searches.append(_EMBEDDED.finditer(text, start, limit))
        if text.find("``", start, limit) >= 0:
            searches.append(_LITERAL.finditer(text, start, limit))
        read = start
        for match in heapq.merge(*searches, key=re.Match.span):
            first, last = match.span()
            if first < read:
                continue
            if match.re is _LITERAL:
                yield Region("code", first, last)
                read = last
                continue
            begin, end = match.span("uri")
            is_image = match.re is _ARGUMENT and match["target"] is None
            regions = _uri(text, begin, end, embedded=match.re is _EMBEDDED, has_alias=not is_image)
            if regions:
                yield from regions
                read = regions[-1].end
            elif match.re is not _EMBEDDED:
                read = last  # the name of another target, which no other pattern may match


def _uri(text: str, start: int, end: int, *, embedded: bool, has_alias: bool) -> list[Region]:
    """Return the region of the URI text[start:end]; none for the name of another target, if that may be there.

    An `embedded` URI is in angle brackets.
    """
    value = text[start:end]
    trimmed = value.strip()
    if not trimmed or (has_alias and not embedded and _REFERENCE.match(trimmed)):
        return []
    # The name of a target, or an escaped bracket.
    is_alias = has_alias and trimmed.endswith("_") and not trimmed.endswith("\\_")
    if embedded and (is_alias or _ESCAPE_AT_END.search(trimmed)):
        return []
    start += len(value) - len(value.lstrip())
    end = start + len(trimmed)
    if "\\" not in trimmed and _BREAK.search(trimmed) is None:
        return [Region("link", start, end, encode=_IN_URI)]
    border, last = _cell(text, start, end)
    if border >= 0 and end - text.rfind("\n", 0, end) > last:
        return [Region("markup", start, end)]  # it ends in another cell: two URIs side by side
    escapes = ((*match.span(), re.sub(r"\s", "%20", match[1])) for match in _ESCAPED.finditer(text, start, end))
    return [Region("link", start, end, merge(escapes, _breaks(text, start, end, border)), encode=_IN_URI)]


def _breaks(text: str, start: int, end: int, border: int) -> Iterator[tuple[int, int, str]]:
    """Yield what is ignored in a URI: white space, and what is beside the cell of a grid table that it begins in."""
    last = text.rfind("\n", start, end) + 1  # the last line has no border on the right
    while border >= 0 and (match := _BREAK_IN_CELL.search(text, start, last)) is not None:
        start = match.end()
        if match.lastgroup:
            start = min(start + border + 1, end)
        yield match.start(), start, ""
    for match in _BREAK.finditer(text, start, end):
        yield *match.span(), ""


def _cell(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the columns of the borders of the cell in which text[start:end] continues on another line; or (-1, 0)."""
    newline = text.find("\n", start, end)
    if newline < 0:
        return -1, 0
    line = text.rfind("\n", 0, start) + 1
    border = text.rfind("|", line, start) - line
    if border < 0 or not text.startswith("|", newline + 1 + border, end):
        return -1, 0
    return border, text.find("|", start, newline) - line


# White space is ignored in a URI, and nothing escapes a bracket in one that is embedded.
_IN_URI = (partial(encode_characters, table=backslashed("\\"), refused="<>`"),)
_IN_PROSE = (verbatim,)
