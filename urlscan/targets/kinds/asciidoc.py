"""Read the anchors of AsciiDoc: section titles, block and inline anchors.

Asciidoctor 2.0, with the document attributes `idprefix`, `idseparator` and `sectids`.
"""

import re

from urlscan.core.lazy import end_or, lazy
from urlscan.core.offsets import LineIndex
from urlscan.targets.kinds import html
from urlscan.targets.kinds.base import Collector
from urlscan.targets.slugs import Heading, Part, asciidoctor

# Lines of interest; a line end is added before the text.
# Matches: `\n== Title`, `\n----`, `\n:idprefix: x`, `\n[#a]`, `\ninclude::`, `\n// a`
# Does not match: `== Title`, `\n=`, `\n[[a]]`, `\n/// a`
_LINE = re.compile(
    r"""
    \n (?:
        (?P<level> (?: ={1,6} | \#{1,6} ) ) [ \t]+ (?P<title> \S [^\n]* )
      | (?P<fence> -{2,} | ={2,} | \+{2,} | \.{4,} | /{4,} | `{3} [^`\s]* | ~{2,} | \^{2,} ) [ \t]* (?= \r?\n | \Z )
      | : (?P<unset> !? ) (?P<attribute> \w[\w-]{0,100} ) !? : (?P<value> [^\n]* )
      | \[ (?P<list> (?! \[ ) [^\n]{0,1000} ) \] [ \t]* (?= \r?\n | \Z )
      | (?P<include> include:: )
      | // (?! / ) [^\n]*
    )
    """,
    re.VERBOSE,
)
# Matches: `[[a]]`, `[[a,b]]`, `[[[a]]]`, `anchor:a[`
# Does not match: `[a]`, `[[a b]]`, `anchor:[`, `[#a]`
_INLINE = re.compile(
    r"""
    \[\[ \[? (?P<double> [\w:][\w:.{}-]{0,200} ) (?: ,[^\]\n]{0,1000} )? \]?\]\]?
  | \b anchor: (?P<macro> [\w:][\w:.-]{0,200} ) \[
  | \[ (?: [.\w][\w.-]{0,200} )? \# (?P<short> [\w:][\w:-]{0,200} ) [^\]\n]{0,200} \] (?= [*_`\#^~] )
    """,
    re.VERBOSE,
)
# The id in a block attribute list.
_ID = lazy(r"""[^\]#,]*\#(?P<short>[\w:][\w:{}-]{0,200})|.*?\bid=["']?(?P<named>[\w:][\w:.{}-]{0,200})""")
# Characters of delimiters that are also underlines of titles, which have about the length of the title.
_UNDERLINES = "=-~^+"
_REFERENCE = lazy(r"\{(?P<name>\w[\w-]{0,100})\}")
# Inline markup in a title: what is dropped, or the group that is kept.
# Matches: `[[a]]`, `link:a[b]`, `<<a,b>>`, `**a**`, `*a*`, `^a^`, `(C)`
# Does not match: `a`, `*a`, `link:a`, `<<a>>`
_MARKUP = lazy(
    r"""
    (?P<anchor> \[\[ [^\]\n]* \]\] )
  | (?: link: | xref: | mailto: | https?:// | ftp:// ) [^\s\[]* \[ (?P<link> [^\]]* ) \]
  | (?: image | icon ): [^\s\[]* \[ [^\]]* \]
  | (?: kbd | btn | footnote | pass | stem ): \w* \[ (?P<macro> [^\]]* ) \]
  | << [^,<>]* , \s* (?P<reference> [^<>]* ) >>
  | (?: \[ [^\]\n]* \] )? (?P<mark> \*\* | __ | `` | \#\# ) (?P<unconstrained> \S .*? ) (?P=mark)
  | (?<! [\w*_`\#] ) (?: \[ [^\]\n]* \] )? (?P<one> [*_`\#] ) (?P<constrained> \S (?: .*? \S )? ) (?P=one) (?! \w )
  | [~^] (?P<script> [^\s~^]+ ) [~^]
  | \\ (?P<escaped> [*_`\#{<] )
  | (?: (?<= \s ) | ^ ) --? (?= \s ) (?<= -- ) | [ ]--[ ] | (?<= \w )--(?= \w ) | \.\.\. | \( (?: C | R | TM ) \)
    """,
    re.VERBOSE,
)
_LONGEST = 2048


def collect(text: str, collector: Collector) -> None:
    """Add the anchors of an AsciiDoc document."""
    _AsciiDocReader("\n" + text, collector).read()


class _AsciiDocReader:
    """Reads one document after a line end."""

    def __init__(self, text: str, collector: Collector) -> None:
        self.text = text
        self.collector = collector
        self.attributes: dict[str, str | None] = {}
        self.has_ids = True
        # The explicit id for the next section, and the end of its line.
        self.pending = ("", -1)
        self.lines = LineIndex(text)

    def read(self) -> None:
        """Add all anchors."""
        offset = 0
        text = self.text
        while (match := _LINE.search(text, offset)) is not None:
            self._inline(offset, match.start())
            offset = match.end()
            if match["title"]:
                self._section(match["title"].strip(), match.start() + 1)
                self._inline(match.start() + 1, offset)
            elif match["fence"]:
                offset = self._block(match)
            elif match["attribute"]:
                self._attribute(match)
            elif match["list"] is not None:
                identifier = _ID.match(match["list"])
                if identifier is not None:
                    self._explicit(identifier[str(identifier.lastgroup)], match.start() + 1, offset)
            elif match["include"]:
                self.collector.is_complete = False
        self._inline(offset, len(text))

    def _line_of(self, offset: int) -> int:
        return self.lines.position(offset)[0] - 1

    def _inline(self, start: int, end: int) -> None:
        """Add the anchors in paragraphs."""
        text = self.text
        for match in _INLINE.finditer(text, start, end):
            is_block = text[match.start() - 1] == "\n" and text[match.end() : match.end() + 1] in "\r\n"
            name = match[str(match.lastgroup)]
            if is_block:
                self._explicit(name, match.start(), match.end())
            else:
                self.collector.reserve(name, self._line_of(match.start()))
        for offset, name in html.ids(text, start, end):
            html.add_id(name, self._line_of(offset), self.collector)

    def _explicit(self, name: str, offset: int, end: int) -> None:
        """Add the id of a block, which replaces the slug if the block is a section."""
        self.collector.reserve(name, self._line_of(offset))
        self.pending = (name, end)

    def _attribute(self, match: re.Match[str]) -> None:
        name = match["attribute"]
        is_unset = bool(match["unset"]) or self.text[match.end("attribute")] == "!"
        self.attributes[name] = match["value"].strip()
        if is_unset:
            self.attributes[name] = None
        if name == "sectids":
            self.has_ids = not is_unset
        elif name in ("idprefix", "idseparator"):
            prefix, separator = (self.attributes.get(name, "_") or "" for name in ("idprefix", "idseparator"))
            self.collector.use(asciidoctor("asciidoctor", prefix, separator))

    def _section(self, title: str, offset: int) -> None:
        name, end = self.pending
        has_id = bool(name) and not self.text[end:offset].strip()
        source = _REFERENCE.sub(self._value, title[:_LONGEST])
        rendered = _MARKUP.sub(_rendered, source)
        line = self._line_of(offset)
        self.collector.add_label(rendered, line)
        if self.has_ids and not has_id:
            self.collector.add_heading(Heading(source, (Part("text", rendered),)), line)
        self.pending = ("", -1)

    def _value(self, match: re.Match[str]) -> str:
        """Return the value of an attribute; an unknown one may be defined elsewhere."""
        value = _CHARACTERS.get(match["name"], self.attributes.get(match["name"]))
        if value is None:
            self.collector.is_complete = False
            return match[0]
        return value

    def _block(self, match: re.Match[str]) -> int:
        """Skip a block without markup; return its end.  The delimiter of a block may be the underline of a title."""
        text, fence = self.text, match["fence"]
        end = match.start()
        begin = text.rfind("\n", 0, end) + 1
        above = text[begin:end].rstrip()
        before = text[text.rfind("\n", 0, max(begin - 1, 0)) + 1 : max(begin - 1, 0)].rstrip()
        is_title = abs(len(above) - len(fence)) <= 1 and any(map(str.isalnum, above)) and not before.strip("[]")
        if fence[0] in _UNDERLINES and begin and is_title and (not before or before.endswith("]")):
            self._section(above, begin)
            return match.end()
        if fence[0] == "`":
            fence = fence[:3]
        elif fence[0] in "=~^" or len(fence) < 4:
            return match.end()
        closing = re.compile(rf"\n{re.escape(fence)}[ \t]*(?=\r?\n|\Z)").search(text, match.end())
        return end_or(closing, match.end())


# Predefined attributes.
_CHARACTERS = {
    **dict.fromkeys("empty amp lt gt plus asterisk caret backtick tilde apos quot".split(), ""),
    **dict.fromkeys("lsquo rsquo ldquo rdquo deg brvbar".split(), ""),
    "nbsp": "", "zwsp": "", "wj": "", "cpp": "C++", "vbar": "|", "startsb": "[", "endsb": "]", "sp": " ",
    "two-colons": "::",
}  # fmt: skip


def _rendered(match: re.Match[str]) -> str:
    """Return the text of inline markup in a title."""
    groups = ("link", "macro", "reference", "unconstrained", "constrained", "script", "escaped")
    return next((match[group] for group in groups if match[group] is not None), "")
