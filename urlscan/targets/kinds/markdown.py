"""Read the anchors of Markdown and notebooks: headings, ids of elements and attribute lists, footnotes, labels of MyST.

CommonMark 0.31 with the extensions of GitHub and of the generators in `slugs`. Text in code blocks, comments and front
matter has no headings.
"""

import re

from urlscan.core.lazy import lazy
from urlscan.core.offsets import LineIndex
from urlscan.core.record import NamedTuple
from urlscan.documents import markdown as document
from urlscan.documents.escapes import ESCAPED
from urlscan.documents.regions import reader_of
from urlscan.targets.kinds import html
from urlscan.targets.kinds.base import Collector
from urlscan.targets.kinds.inline import heading_of

# Where a block of interest begins: after quote and list markers. The pattern begins with a literal, which makes the
# search fast, so a line end is added before the text; the classes before the prefix and after it save most of the rest.
# Matches: `\n##`, `\n> 1. ===`, `\n~~~`, `\n<!--`, `\n[^a]:`, `\n(a)=`, `\n{% include`
# Does not match: `# a`, `\na`, `\n#######`, `\n[a]:`
_BLOCK = re.compile(
    r"""
    \n (?= [ \t>+*0-9\#=\-`~:<\[({] ) (?P<prefix> (?> [ \t>]* ) (?> (?: (?: [-+*] | [0-9]{1,9}[.)] ) [ \t]+ ){0,9} ) )
    (?= [\#=\-`~:<\[({] )
    (?:
        (?P<heading> \#{1,6} (?!\#) )
      | (?P<underline> =+ | -+ ) [ \t]* (?= \r?\n | \Z )
      | (?P<fence> `{3,} (?= [^`\n]* (?: \n | \Z ) ) | ~{3,} | :{3,} )
      | (?P<include>
            -{1,2}8<-{1,2} | <!-- [ ]* @include: | \{! (?= [^{}\n]{1,400} !\} )
          | \{%-? \s* (?: include | render )
          | \{\{ [%<]? [ \t]* \#? (?: include | readfile )
          | \{\{ [%<] [^{}]{1,400}? \.md["']  # a shortcode that names a document
        )
      | <(?: (?P<comment> !-- ) | (?P<element> (?i: script | pre | style | textarea ) ) (?= [\s>] ) )
      | \[\^ (?P<footnote> [^\]\s]{1,200} ) \]:
      | \( (?P<label> [^()\n]{1,200} ) \)= [ \t]* (?= \r?\n | \Z )
      | :(?: name | label ): [ \t]+ (?P<name> \S{1,200} ) [ \t]* (?= \r?\n | \Z )
    )
    """,
    re.VERBOSE,
)
# The path after a directive that includes a document; the part of the path in attributes is dropped.
# Matches: ` "a.md`, ` 'a/b.md`, `-markdown "a.md`, `File "a.js`, ` {d}/a.adoc`
# Does not match: ` "{{ a }}`, ` "`, ` a.md-->`, ` a.md#b`
_INCLUDED = lazy(r"""[-_]?\w*[ \t("'`]*(?:\{[^{}\s]{1,100}\}/)?(?P<path>(?:(?!-->)[^\s"'{}\[\]!()`;#]){1,300})""")
# An attribute list with an id: "{#id}", "{: #id .class}", "{/* #id */}", "{ id=a }".
# Matches: `{#a}`, `{: #a .b}`, `{.b #a}`, `{/* #a */}`, `{ id="7.2" }`, `{: .b id=a}`
# Does not match: `{a}`, `{# a #}`, `{% a %}`, `{ void=a }`
_ATTRIBUTES = re.compile(
    r"""
    \{ (?: /\* | : )? [ \t]* (?: [^{}\n]{0,200}? [ \t] )?
    (?: \#+ | id=(?P<quote>["']?) ) (?P<id> [^\s{}*"']{1,200} ) (?(quote) (?P=quote) )
    (?: [ \t] [^{}\n]{0,200} )? (?:\*/)? \}
    """,
    re.VERBOSE,
)
# The explicit id of a heading of Fumadocs and javascript.info, "## A [#my-a]", of docsify, "## A :id=my-a", and of
# react.dev, "## A {/*my-a*/}".
_HEADING_ID = lazy(r"(?:\[\#|[ \t]:id=|\{/\*[ \t]*)(?P<id>[^\s\[\]{}*]{1,200})(?:\]|[ \t]*\*/\})?\Z")
# An attribute list without an id, at the end of a heading: "{: .class}", "{.class}", "{: name}", "{-}", "{a=b}".
_OTHER_ATTRIBUTES = lazy(r"\{(?::[ \t]*[\w.-][^{}\n]{0,200}|\.[\w-][^{}\n]{0,200}|[\w-]+=[^{}\n]{1,200}|-)\}")
# Matches: `<h1>a</h1>`, `<H2 id="a"><b>a</b></H2 >`
# Does not match: `<h1>a</h2>`, `<h7>a</h7>`, `<h1>a`, `<hr>a</hr>`
_HTML_HEADING = re.compile(
    r"""
    <[hH] (?P<level> [1-6] ) (?= [\s>] ) [^<>]{0,2048} >
    (?P<text> (?> (?> [^<]+ | < (?! /? [hH] [1-6] [\s>] ) )* ) )
    </[hH] (?P=level) \s{0,20} >
    """,
    re.VERBOSE,
)
_CODE_SPAN = lazy(r"(?P<ticks>(?<!`)`+(?!`)).*?(?<!`)(?P=ticks)(?!`)")
_NAME_OPTION = lazy(r"\n[ \t]*:(?:name|label):[ \t]+(?P<name>\S{1,200})")
# A line that a paragraph, and so a heading with an underline, cannot contain.
_NOT_TEXT = lazy(r"[ \t>]*(?:\Z|#{1,6}(?:[ \t]|\Z)|[|]|<!--|(?:[-*_][ \t]*){3,}\Z|`{3}|~{3}|:{3}|=+[ \t]*\Z)")
_LIST_ITEM = lazy(r"[ \t>]*(?:[-+*]|[0-9]{1,9}[.)])[ \t]+")
# The names that generators derive from the label of a footnote, and from a reference to it.
_FOOTNOTES = ("fn-{}", "fnref-{}", "fn:{}", "fnref:{}", "fn{}", "fnref{}", "footnote-{}", "fr-{}-1")
_SKIPPERS = ("fence", "comment", "element")
# The text after ":::" where a program writes documentation from source code (mkdocstrings, mkdocs-click).
# Matches: ` a.b`, ` a\n    options:`, ` mkdocs-click\n    :module: `
# Does not match: ` note`, ` a\nb`
_COMPUTED = lazy(
    r"""
    [ \t]+ [A-Za-z_]\w* (?: \.\w+ )+ [ \t]* (?= \r?\n | \Z )
  | [ \t]+ [\w-]+ [ \t]* \r?\n [ \t]+ (?: (?: options | handler ) : | :[a-z_]+:[ ] )
    """,
    re.VERBOSE,
)
# The text after a fence where a directive of MyST writes documentation from source code.
# Matches: `{autoclass}`, `{eval-rst}\n.. automodule::`
# Does not match: `{note}`, `{eval-rst}\n.. note::`
_COMPUTED_FENCE = lazy(
    r"""
    \{ (?: (?:py:)? auto\w+ | doxygen\w+ ) \}
  | \{eval-rst\} (?: [^\n]* \n ){1,20}? [ \t]* \.\.[ ] (?: auto\w+ | doxygen\w+ ) ::
    """,
    re.VERBOSE,
)
_MOST_LINES = 32
_LONGEST_LINE = 4096


def collect(text: str, collector: Collector) -> None:
    """Add the anchors of a Markdown document."""
    reader = _MarkdownReader(f"\n{text}\n")
    reader.read_blocks()
    reader.read_ids()
    reader.hand_over(collector)


def collect_notebook(text: str, collector: Collector) -> None:
    """Add the anchors of the cells in Markdown of a Jupyter notebook, with the lines of the notebook."""
    numbers = LineIndex(text)
    for region in reader_of("ipynb")(text, "ipynb", "hosts"):
        if region.kind != "markdown":
            continue
        pieces: list[str] = []
        lines = [numbers.position(region.start)[0]]
        consumed = region.start
        for start, end, replacement in (*region.replacements, (region.end, region.end, "")):
            between = text[consumed:start]  # a string of JSON has no line ends
            pieces += (between, replacement)
            lines += [numbers.position(end)[0]] * replacement.count("\n")
            consumed = end
        collector.line_numbers = lines
        collect("".join(pieces), collector)
    collector.line_numbers = None


def _unescaped(name: str) -> str:
    r"""Return the id in an attribute list without the escapes of Markdown, which formatters add: "a\_b"."""
    return ESCAPED.sub(lambda match: match[1], name)  # a template takes five times as long


class _Mark(NamedTuple):
    """A heading or an explicit anchor.

    Attributes:
        names: explicit anchors; for a heading, "" if it has none.
        source: the heading as written, without an attribute list; None for an anchor of another element.
        tight: whether a space is missing after "#".
        whole: the heading with its attribute list, if it has one.
    """

    offset: int
    names: tuple[str, ...]
    source: str | None = None
    tight: bool = False
    whole: str = ""


class _MarkdownReader:
    """Reads one document between line ends, so that an offset in line n follows n line ends."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.marks: list[_Mark] = []
        self.is_complete = True
        self.inclusions: list[str] = []
        # Spans in which ids of elements are text.
        self.skipped: list[tuple[int, int]] = []
        self.known: dict[tuple[int, int], int] = {}

    def hand_over(self, collector: Collector) -> None:
        """Pass everything to a collector, in the order of the document."""
        consumed = line = 0
        for mark in sorted(self.marks, key=lambda marks: marks.offset):
            line += self.text.count("\n", consumed, mark.offset)
            consumed = mark.offset
            if mark.source is not None:
                heading, whole = heading_of(mark.source), heading_of(mark.whole)
                collector.add_heading(heading, line, id=mark.names[0], whole=whole, tight=mark.tight)
            else:
                for name in mark.names:
                    html.add_id(name, line, collector)
        collector.is_complete &= self.is_complete
        collector.inclusions += self.inclusions

    def read_blocks(self) -> None:
        """Add headings, footnotes and labels, and record code blocks and comments."""
        text = self.text
        offset = document.front_matter_end(text, 1) - 1
        if offset:
            self.skipped.append((0, offset))
        floor = offset
        while (match := _BLOCK.search(text, offset)) is not None:
            what, offset = str(match.lastgroup), match.end()
            if what == "heading":
                offset = self._heading(match)
            elif what == "underline":
                self._underlined(match, floor)
            elif what in _SKIPPERS:
                offset = self._skip(match)
            elif what == "footnote":
                self.marks.append(_Mark(offset, tuple(form.format(match[what]) for form in _FOOTNOTES)))
            elif what == "include":
                included = _INCLUDED.match(text, offset)
                self.inclusions.append((included and included["path"]) or "")
            else:
                self.marks.append(_Mark(offset, (match[what].strip("\"'"),)))
            floor = offset

    def _heading(self, match: re.Match[str]) -> int:
        """Add a heading with "#" (CommonMark 4.2); return its end."""
        text = self.text
        begin, end = match.end(), text.find("\n", match.end())
        # A line that is indented so far is code or continues a paragraph.
        is_indented = text[match.start() + 4 : match.start() + 5].isspace()
        if is_indented and document.is_indented_too_far(text, match.start() + 1, self.known):
            return begin
        content = text[begin:end].strip(" \t\r")
        bare = content.rstrip("#")
        if bare != content and (not bare or bare[-1] in " \t"):
            content = bare.rstrip(" \t")
        tight = begin < end and text[begin] not in " \t\r"
        self._add_heading(match.start("heading"), content, tight=tight)
        return end

    def _add_heading(self, offset: int, content: str, *, tight: bool = False) -> None:
        name = whole = ""
        if content.endswith("}"):
            brace = max(content.rfind("{"), 0)
            attributes = _ATTRIBUTES.fullmatch(content, brace)
            if attributes is not None:
                name = _unescaped(attributes["id"])
            if attributes is not None or (brace > 0 and _OTHER_ATTRIBUTES.fullmatch(content, brace)):
                whole, content = content, content[:brace].removesuffix("\\").rstrip(" \t")  # MDX: "\{#id}"
        if (written := _HEADING_ID.search(content)) is not None:
            self.marks.append(_Mark(offset, (written["id"],)))
        self.is_complete &= bool(name) or "{{" not in content or "`" in content
        self.marks.append(_Mark(offset, (name,), content, tight, whole))

    def _underlined(self, match: re.Match[str], floor: int) -> None:
        """Add the heading whose underline is given, unless that is a thematic break (CommonMark 4.3)."""
        text = self.text
        prefix = match["prefix"]
        if prefix.strip(" \t>"):
            return
        end = match.start()
        lines: list[str] = []
        while end > floor and len(lines) < _MOST_LINES:
            begin = text.rfind("\n", floor, end) + 1
            line = text[begin:end].rstrip("\r")
            if not begin or _NOT_TEXT.match(line) is not None:
                break
            item = _LIST_ITEM.match(line)
            if item is not None:
                line = line[item.end() :]
            lines.append(line.strip(" \t\r>"))
            end = begin - 1
            if item is not None:
                if len(prefix.expandtabs(4)) < len(item[0].expandtabs(4)):
                    return  # outside the item
                break
        if lines and ">" not in prefix and text[end + 1 : end + 200].lstrip(" \t").startswith(">"):
            return  # the paragraph is in a block quote, the line is not
        if lines:
            self._add_heading(end + 1, "\n".join(reversed(lines)))

    def _skip(self, match: re.Match[str]) -> int:
        """Record a fenced code block, a comment or an element without Markdown; return its end."""
        text, offset = self.text, match.end()
        if match["fence"]:
            if match["fence"][0] == ":":
                self.is_complete &= _COMPUTED.match(text, offset) is None
                return offset
            end = document.fence_end(text, match.start() + 1, self.known)
            name = _NAME_OPTION.search(text, offset, min(end, offset + _LONGEST_LINE))
            if end < offset:
                end = len(text)
            self.is_complete &= _COMPUTED_FENCE.match(text, offset, end) is None
            if name is not None and text.startswith("{", offset):
                self.marks.append(_Mark(name.start("name"), (name["name"],)))
        elif match["comment"]:
            end = text.find("-->", offset)
        else:
            closing = re.compile(rf"(?i)</{match['element']}(?=[\s>])").finditer(text, offset)
            end = next((tag.start() for tag in closing), -1)
        if end < 0:
            end = len(text)
        if match["element"] is None or match["element"].lower() != "pre":
            self.skipped.append((match.start(), end))
        return end

    def read_ids(self) -> None:
        """Add ids of elements and of attribute lists, and headings in HTML."""
        text = self.text
        hits: list[tuple[int, str, str | None]] = [(*hit, None) for hit in html.ids(text, 0, len(text))]
        hits += [(match.start(), _unescaped(match["id"]), None) for match in _ATTRIBUTES.finditer(text)]
        hits += [(match.start(), "", match["text"]) for match in _HTML_HEADING.finditer(text)]
        hits.sort(key=lambda hit: hit[0])
        number = line_end = 0
        spans: list[tuple[int, int]] = []
        for offset, name, source in hits:
            while number < len(self.skipped) and self.skipped[number][1] <= offset:
                number += 1
            if number < len(self.skipped) and self.skipped[number][0] <= offset:
                continue
            if offset >= line_end:
                line_end = text.find("\n", offset)
                spans = _code_spans(text, text.rfind("\n", 0, offset) + 1, line_end)
            if any(start < offset < end for start, end in spans):
                continue
            self.marks.append(_Mark(offset, (name,), source))


def _code_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the code spans of a line, unless it is long."""
    if end - start > _LONGEST_LINE or text.find("`", start, end) < 0:
        return []
    return [match.span() for match in _CODE_SPAN.finditer(text, start, end)]
