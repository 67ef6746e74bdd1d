"""Read reStructuredText: hyperlink targets, embedded URIs, images, literals.

reStructuredText Markup Specification of docutils: "Hyperlink Targets", "Embedded URIs and Aliases", "Images", "Literal
Blocks", "Inline Literals". Standalone hyperlinks are prose, which the finder searches.
"""

import heapq
import re
from collections.abc import Iterable, Iterator

from urlscan.core.lazy import lazy
from urlscan.documents.edits import verbatim
from urlscan.documents.lookahead import FirstMatch
from urlscan.documents.replacements import merge
from urlscan.documents.segments import Region

# ".. _name: URI", ".. __: URI", "__ URI"; the name may be in backticks, and a colon in it is escaped. A URI may
# continue in indented lines, whose white space is removed.
# Matches: `.. _a: b`, `.. __: b`, `__ b`, `.. _a\: b: c`, `.. _a: b\n  c`
# Does not match: `.. _a b`, `.. a: b`, `_a: b`
_TARGET = re.compile(
    r"""
    ^ (?P<indent> [ \t]* )
    (?: \.\.[ ]+ (?: _(?![ _]) (?: `[^`\n]{1,1000}` | (?: [^:\\\n] | \\. | :(?![ ]|\n) ){1,1000} ) : | __: )
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
# Rules").
# Matches: `` `a <b>`_ ``, `` `<b>`__ ``, `` `a\nb <c>`_ ``
# Does not match: `` `a`_ ``, `` `a <b>` ``, `` `a <b>`_c ``
_EMBEDDED = re.compile(
    r"""
    ` (?<! [^\s'"(\[{<\-/:\x80-\U0010ffff]` ) (?<! [^\W\x00-\x7f]` )
    (?> (?: [^`\\<] | \\. | <(?![^<>`]*>`_) ){0,2000} ) < (?P<uri> [^<>`]{1,2000} ) >`__?
    (?= [\s'")\]}>\-/\\:.,;!?\x80-\U0010ffff] | \Z ) (?! [^\W\x00-\x7f] )
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
# Literals on the first line of each target, argument and block.
_TARGET_MARKS = (re.compile(r"\.\. +_"), re.compile(r"__\s"))
_ARGUMENT_MARKS = (re.compile(r":(?:(?<=image:):|(?<=figure:):|target:)"),)
_BLOCK_MARKS = (re.compile("::"),)
_RAW_HTML = lazy(r"[ \t]*\.\. raw::[ \t]+html\b")
_REFERENCE = lazy(r"(?:[^\W_](?:[-_.+:]?[^\W_])*|`.+`)_\Z", re.DOTALL)
_ESCAPED = re.compile(r"\\(\S)")
_BREAK = re.compile(r"\s+")
# An odd number of backslashes: the last one escapes the next character.
_ESCAPE_AT_END = lazy(r"(?<!\\)(?:\\\\)*\\\Z")
# The bars at the end of one line and the beginning of the next line of a grid table.
_CELLS = lazy(r"\|[ \t]*\r?\n[ \t]*\|")


def regions(text: str, _kind: str = "") -> Iterator[Region]:
    """Yield the regions of the document, with escapes and line breaks in its URIs as replacements."""
    at = 0
    found = _Marked(_TARGET, _TARGET_MARKS, text), _Marked(_ARGUMENT, _ARGUMENT_MARKS, text)
    for block in _Marked(_BLOCK, _BLOCK_MARKS, text).matches(0, len(text)):
        indent = block["indent"]
        if block.start() < at or (block["explicit"] and not indent):
            continue
        if block["explicit"]:  # other indented directives count as text, one column to the left
            indent = indent[:-1]
        start, end = _indented(text, block.end(), len(indent.expandtabs()))
        yield from _body(text, at, start, *found)
        if start < end:
            if _RAW_HTML.match(text, block.start()):
                yield Region("prose", start, end, kind="html")
            else:
                yield Region("code", start, end)
        at = max(end, block.end())
    yield from _body(text, at, len(text), *found)


class _Marked:
    """Finds the matches of a pattern that begins a line, by literals on the first line of each match.

    Args:
        pattern: the pattern.
        marks: patterns of which one matches on the first line of each match.
        text: the document.
    """

    __slots__ = ("_marks", "_pattern", "_text")

    def __init__(self, pattern: "re.Pattern[str]", marks: "Iterable[re.Pattern[str]]", text: str) -> None:
        self._pattern, self._text = pattern, text
        self._marks = FirstMatch(marks, text)

    def matches(self, start: int, stop: int) -> "Iterator[re.Match[str]]":
        """Yield the matches in text[start:stop], as `finditer` does."""
        text, at = self._text, start
        while (mark := self._marks.after(at)) < stop:
            line = text.rfind("\n", at, mark) + 1
            if not line and (not at or text[at - 1] == "\n"):
                line = at
            match = self._pattern.match(text, line, stop) if line or not at else None
            if match is not None:
                yield match
            following = text.find("\n", mark, stop) + 1 or stop
            at = max(match.end(), following) if match is not None else following


def _indented(text: str, at: int, indent: int) -> tuple[int, int]:
    """Return the span of the lines after text[at] that are indented by more than `indent` columns."""
    start = end = here = at
    while here < len(text):
        newline = text.find("\n", here + 1)
        stop = newline if newline >= 0 else len(text)
        line = text[here + 1 : stop]
        if line.strip():
            blanks = line[: len(line) - len(line.lstrip())]
            if len(blanks.expandtabs()) <= indent:
                break
            end = stop
        here = stop
    return start, end


def _body(text: str, start: int, stop: int, targets: _Marked, arguments: _Marked) -> Iterator[Region]:
    """Yield the regions of text outside literal blocks."""
    found = [
        targets.matches(start, stop),
        arguments.matches(start, stop),
        _EMBEDDED.finditer(text, start, stop) if text.find(">`_", start, stop) >= 0 else iter(()),
        _LITERAL.finditer(text, start, stop),
    ]
    done = read = start
    for match in heapq.merge(*found, key=re.Match.span):
        first, last = match.span()
        if first < read:
            continue
        if match.re is _LITERAL:
            yield from _prose(done, first)
            yield Region("code", first, last)
            done = read = last
            continue
        begin, end = match.span("uri")
        is_image = match.re is _ARGUMENT and match["target"] is None
        regions = _uri(text, begin, end, embedded=match.re is _EMBEDDED, has_alias=not is_image)
        if regions:
            yield from _prose(done, regions[0].start)
            yield from regions
            done = read = regions[-1].end
        elif match.re is not _EMBEDDED:
            read = last  # the name of another target, which no other pattern may match
    yield from _prose(done, stop)


def _uri(text: str, start: int, end: int, *, embedded: bool, has_alias: bool) -> list[Region]:
    """Return the region of a URI; none for the name of another target.

    Args:
        text: the document.
        start: where the URI begins.
        end: where it ends.
        embedded: whether it is in angle brackets.
        has_alias: whether the name of another target may be in its place.
    """
    value = text[start:end]
    trimmed = value.strip()
    alias = trimmed.endswith("_") and not trimmed.endswith("\\_")
    if not trimmed or (has_alias and (alias if embedded else _REFERENCE.match(trimmed))):
        return []
    # The bracket is escaped, or the URI continues in the next line of its cell in a grid table.
    if embedded and (_ESCAPE_AT_END.search(trimmed) or _CELLS.search(trimmed)):
        return []
    start += len(value) - len(value.lstrip())
    end = start + len(trimmed)
    escapes = ((match.start(), match.end(), match[1]) for match in _ESCAPED.finditer(text, start, end))
    # "Whitespace is ignored" anywhere in a URI.
    breaks = ((match.start(), match.end(), "") for match in _BREAK.finditer(text, start, end))
    return [Region("link", start, end, merge(escapes, breaks), encode=_IN_URI)]


def _escaped(text: str) -> str | None:
    """Return a text as written in a URI, where white space is ignored; None if that is impossible."""
    written = text.replace("\\", "\\\\")
    return verbatim(written, "<>`") if not any(map(str.isspace, text)) else None


_IN_URI = (_escaped,)
_IN_PROSE = (verbatim,)


def _prose(start: int, end: int) -> Iterator[Region]:
    if start < end:
        yield Region("prose", start, end, encode=_IN_PROSE)
