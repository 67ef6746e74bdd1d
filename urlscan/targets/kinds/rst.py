"""Read the anchors of reStructuredText: section titles, targets, footnotes, citations, and the option `name`.

Docutils 0.22, and the labels of Sphinx.  A directive that is not listed may define anchors of its own, such as those
of functions and terms in Sphinx.
"""

import heapq
import re

from urlscan.core.lazy import lazy
from urlscan.core.offsets import LineIndex
from urlscan.targets.kinds import html
from urlscan.targets.kinds.base import Collector
from urlscan.targets.slugs import Heading, Part, docutils_slug

# The underline of a title, or another line of interest; a line end is added before the text.
# Matches: `\n====`, `\n.. _a:`, `` \n.. _`a b`: ``, `\n.. [1] `, `\n.. note::`, `\n   :name: a`
# Does not match: `====`, `\na`, `\n.. a`, `\n.. __a:`, `\n:name: a`
_LINE = re.compile(
    r"""
    \n (?:
        (?P<underline> (?P<character> [!-/:-@\[-`{-~] ) (?P=character)* ) [ \t]* (?= \r?\n | \Z )
      | [ \t]* \.\.[ ]+ (?:
            _ (?! _ )
            (?: `(?P<quoted> [^`\n]{1,1000} )` | (?P<target> (?: [^:\\\n] | \\. | :(?![ \r\n]|\Z) ){1,1000} ) ) :
            [ \t]* (?P<alias> [^\r\n]*_ )? (?= \r?\n | \Z )
          | \[ (?P<footnote> \#? [\w.+:*-]{0,200} ) \][ \t]
          | (?: \|[^|\n]{1,200}\|[ ] )? (?P<directive> [\w.+:-]{1,100} ) ::
        )
      | [ \t]+ :name: [ \t]+ (?P<name> [^\r\n]{1,1000} )
    )
    """,
    re.VERBOSE,
)
# The rest of an inclusion: a document, or the definitions of docutils, "<isonum.txt>", which have no anchors.
_INCLUDED = lazy(r"(?m)[ \t]+(?:<[\w.-]+>|(?P<path>[^\s<>]+\.(?:rst|md)))[ \t]*\r?$")
_INLINE_TARGET = re.compile(r"(?<![^\s'\"(\[{<\-/:])_`(?P<name>[^`\s][^`]{0,1000})`")
# Directives without anchors of their own.
_PLAIN = frozenset(
    "admonition attention caution danger error hint important note tip warning image figure code code-block sourcecode"
    " highlight literalinclude math toctree contents sectnum section-numbering table csv-table list-table container"
    " topic sidebar epigraph highlights pull-quote compound parsed-literal versionadded versionchanged versionremoved"
    " deprecated deprecated-removed seealso only rubric centered hlist class role default-role replace unicode date"
    " meta title header footer target-notes raw line-block todo plot tabularcolumns"
    " impl-detail codeauthor sectionauthor moduleauthor availability".split()
)
# Inline markup in a title, in the order of precedence.
# Matches: `` ``a`` ``, `` `a`_ ``, `` :ref:`a` ``, `**a**`, `*a*`, `a_`
# Does not match: `a`, `*a`, `` `a ``
_MARKUP = lazy(
    r"""
    ``(?P<literal> [^\s`] (?: .*? [^\s] )? )``(?!`)
  | (?: :[\w:+.-]{1,100}: )? `(?P<interpreted> (?> (?> [^`\\]+ | \\. )* ) )` (?: __? | :[\w:+.-]{1,100}: )?
  | \*\*(?P<strong> [^\s*] (?: [^*]* [^\s*] )? )\*\*
  | \*(?P<emphasis> [^\s*] (?: [^*]* [^\s*] )? )\*
  | (?P<word> [^\W_]+ (?: [-_.+:] [^\W_]+ )* )__?(?! \w )
  | \\(?P<escaped> \s? \S? )
    """,
    re.VERBOSE,
)
# The beginning of another block: a bullet, a field, a line block, explicit markup, a doctest.
_BLOCK = lazy(r"[-*+\u2022\u2023\u2043][ ]|:(?![: ])(?:[^:\\]|\\.)+?(?<! ):(?:[ ]|\Z)|\|[ ]|\.\.[ ]|>>>[ ]|__[ ]")
_EMBEDDED = lazy(r"\s*<[^<>]*>\Z")
_ESCAPE = lazy(r"\\(\s?)")
_LONGEST = 2048


def collect(text: str, collector: Collector) -> None:
    """Add the anchors of a reStructuredText document."""
    text = "\n" + text
    lines, floor = LineIndex(text), 0
    for match in heapq.merge(_LINE.finditer(text), _INLINE_TARGET.finditer(text), key=re.Match.start):
        line = lines.position(match.start())[0]
        if match.re is _INLINE_TARGET:
            _add_name(match["name"], line - 1, collector)
            continue
        if match["underline"]:
            if _is_title(text, match, floor):
                _add_title(text, match, line - 1, collector)
                floor = match.end()
        elif match["directive"] == "include" and (included := _INCLUDED.match(text, match.end())):
            collector.inclusions += filter(None, (included["path"],))
        elif match["directive"]:
            collector.is_complete &= match["directive"].lower() in _PLAIN
        elif match["footnote"] is not None:
            label = match["footnote"].removeprefix("#")
            if label.isdecimal():
                label = f"footnote-{label}"
            collector.reserve(docutils_slug(label), line)
        elif match.lastgroup is not None:
            _add_name(match["quoted"] or match["target"] or match["name"], line, collector)
    if "raw::" in text:
        for offset, name in html.ids(text, 0, len(text)):
            html.add_id(name, lines.position(offset)[0] - 1, collector)


def _is_title(text: str, match: re.Match[str], floor: int) -> bool:
    """Return whether the line above an underline is a title: not indented, after a blank line or an overline."""
    begin = text.rfind("\n", 0, match.start()) + 1
    if begin <= floor and floor:
        return False
    title = text[begin : match.start()].rstrip()
    line = match["underline"]
    above = text[text.rfind("\n", 0, max(begin - 1, 0)) + 1 : max(begin - 1, 0)].rstrip()
    has_overline = above == line
    if not title.strip() or (title[0].isspace() and not has_overline) or _BLOCK.match(title):
        return False
    is_line = len(title) > 1 and title == title[0] * len(title) and not title[0].isalnum()
    if is_line or len(line) < min(len(title.strip()), 4):
        return False
    return has_overline or not above or above.startswith((".. ", "   "))


def _add_title(text: str, match: re.Match[str], line: int, collector: Collector) -> None:
    begin = text.rfind("\n", 0, match.start()) + 1
    source = text[begin : match.start()].strip()[:_LONGEST]
    rendered = _MARKUP.sub(_rendered, source)
    collector.add_heading(Heading(source, (Part("text", rendered),)), line)
    collector.add_label(_normalized(rendered), line)


def _rendered(match: re.Match[str]) -> str:
    """Return the text of inline markup."""
    if match["interpreted"] is not None:
        return _EMBEDDED.sub("", _ESCAPE.sub("", match["interpreted"])) or match["interpreted"].strip(" <>")
    if match["escaped"] is not None:
        return match["escaped"].strip()
    return match[str(match.lastgroup)]


def _add_name(name: str, line: int, collector: Collector) -> None:
    """Add the anchor and the label for a reference name."""
    name = _ESCAPE.sub("", name).strip()
    if anchor := docutils_slug(name):
        collector.reserve(anchor, line)
    collector.add_label(_normalized(name), line)


def _normalized(name: str) -> str:
    """Return a reference name in the form in which names are compared."""
    return " ".join(name.lower().split())
