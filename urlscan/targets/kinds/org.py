"""Read the anchors of Org: `CUSTOM_ID` and `ID`, headings as GitHub renders them, targets, names, footnotes."""

import re

from urlscan.core.lazy import lazy
from urlscan.core.offsets import LineIndex
from urlscan.targets.kinds.base import Collector
from urlscan.targets.slugs import Heading, Part

# Lines of interest; a line end is added before the text.
# Matches: `\n* Title`, `\n#+begin_src`, `\n:CUSTOM_ID: a`, `\n#+name: a`, `\n[fn:1]`
# Does not match: `\nTitle`, `\n*bold*`, `\n#+title: a`, `* Title`
_LINE = re.compile(
    r"""
    \n (?:
        \*+ [ ]+ (?P<title> \S [^\n]* )
      | [ \t]* (?: (?i: \#\+begin_ ) (?P<block> \w+ )
                 | :(?i: custom_id | id ): [ \t]+ (?P<id> \S{1,500} )
                 | (?i: \#\+name ): [ \t]* (?P<name> [^\s] [^\r\n]{0,500} )
                 | (?P<include> (?i: \#\+include ): ) )
      | \[fn: (?P<footnote> [\w-]{1,200} ) \]
    )
    """,
    re.VERBOSE,
)
_BLOCK_END = lazy(r"(?i)\n[ \t]*\#\+end_(\w+)")
_TARGET = re.compile(r"<<(?P<name>[^<>\n]{1,500})>>")
_TAGS = lazy(r"[ \t]+:(?:[\w@#%]+:)+[ \t]*\Z")
_KEYWORD = lazy(r"(?:(?:TODO|DONE|NEXT|WAITING|CANCELLED|CANCELED|HOLD|STARTED)[ \t]+)?(?:\[#[A-Z0-9]\][ \t]+)?")
# Matches: `[[a][b]]`, `[[a]]`, `*a*`, `=a=`, `[fn:1]`
# Does not match: `a`, `[a]`, `* a*`
_MARKUP = lazy(
    r"""
    \[\[ [^\[\]]* \] \[ (?P<link> [^\[\]]* ) \]\] | \[\[ (?P<plain> [^\[\]]* ) \]\]
  | (?<! \w ) (?P<mark> [=~*/_+] ) (?P<text> \S (?: .*? \S )? ) (?P=mark) (?! \w ) | \[fn:[^\]]*\]
    """,
    re.VERBOSE,
)
_LONGEST = 2048


def collect(text: str, collector: Collector) -> None:
    """Add the anchors of an Org document."""
    text = "\n" + text
    lines = LineIndex(text)
    offset = 0
    last = {match[1].lower(): match.start() for match in _BLOCK_END.finditer(text)}
    while (match := _LINE.search(text, offset)) is not None:
        _targets(text, offset, match.end(), lines, collector)
        line = lines.position(match.start())[0]
        offset = match.end()
        if match["title"]:
            _add_title(match["title"].rstrip()[:_LONGEST], line, collector)
        elif match["block"]:
            name = match["block"].lower()
            if last.get(name, 0) >= offset:
                offset = next(end.end() for end in _BLOCK_END.finditer(text, offset) if end[1].lower() == name)
        elif match["include"]:
            collector.is_complete = False
        elif match["footnote"]:
            for form in ("fn.{}", "fn:{}", "fn-{}", "fnr.{}"):
                collector.add(form.format(match["footnote"]), line)
        else:
            collector.add((match["id"] or match["name"]).strip(), line)
    _targets(text, offset, len(text), lines, collector)


def _targets(text: str, start: int, end: int, lines: LineIndex, collector: Collector) -> None:
    for match in _TARGET.finditer(text, start, end):
        collector.add(match["name"].strip("< "), lines.position(match.start())[0] - 1)


def _add_title(title: str, line: int, collector: Collector) -> None:
    """Add the slugs of a heading without its tags: with its keyword and without, since both occur."""
    title = _TAGS.sub("", title)
    bare = title[_KEYWORD.match(title).end() :]  # type: ignore[union-attr]
    for source in dict.fromkeys((bare, title)):
        rendered = _MARKUP.sub(lambda match: match["link"] or match["plain"] or match["text"] or "", source)
        collector.add_heading(Heading(source, (Part("text", rendered),)), line)
        collector.add_label(rendered, line)
