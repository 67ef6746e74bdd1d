"""Where a mark may be written into a source, and how: its comments, and what must not be torn apart.

What a language does with a comment in an odd place is its own; so lines are only ever added, or gone on with, where
no string, tag, link, literal block or continued line stands, and what cannot be said on its own line is said around
the whole of what it stands in.
"""

import bisect
import re
from collections.abc import Iterator
from typing import NamedTuple

from urlscan.sources import reader_of
from urlscan.sources.code import literals
from urlscan.sources.languages import LANGUAGES
from urlscan.text import Segment

Spans = list[tuple[int, int]]


class Style(NamedTuple):
    """How a comment is written.

    Attributes:
        before, after: what stands around its words.
        behind: whether it may stand behind other things on their line.
        above: whether it may stand on a line of its own right above the line that it speaks of.
        indented: whether such a line may be indented.
        paragraphs: whether lines belong together up to the next blank one.
        apart: whether blank lines must be around it.
    """

    before: str
    after: str = ""
    behind: bool = True
    above: bool = True
    indented: bool = True
    paragraphs: bool = False
    apart: bool = False


_MARKUP = Style("<!-- ", " -->")


def _own_line(before: str, *, above: bool = True, paragraphs: bool = False) -> Style:
    return Style(before, behind=False, above=above, indented=False, paragraphs=paragraphs)


# What the comments of each kind look like, where LANGUAGES does not say it.
_STYLES = {
    "plain": Style(""),
    "html": _MARKUP,
    "xml": _MARKUP,
    # A comment between its lines would divide a paragraph, a list or a table.
    "markdown": Style("<!-- ", " -->", paragraphs=True),
    # A comment is a paragraph of its own.
    "rst": Style(".. ", behind=False, above=False, paragraphs=True, apart=True),
    "latex": Style("% "),
    "css": Style("/* ", " */"),
    "asciidoc": _own_line("// "),
    "org": Style("# ", behind=False),
    "roff": _own_line('.\\" '),
    "texinfo": _own_line("@c "),
    # Behind a value it would be part of it.
    "ini": Style("# ", behind=False),
    "properties": Style("# ", behind=False),
    "makefile": _own_line("# "),
    "dockerfile": _own_line("# "),
    "vim": Style('" ', behind=False),
    # No comment stands between the lines of an entry.
    "po": _own_line("# ", above=False, paragraphs=True),
}
# Names whose language shares its kind with others, and not its comments; None: where one may stand is hard to tell.
_BY_END: dict[str, Style | None] = {
    "bib": _own_line("% ", above=False, paragraphs=True),
    "coffee": Style("# "),
    "ml": Style("(* ", " *)"),
    "mli": Style("(* ", " *)"),
    "mdx": Style("{/* ", " */}"),
    "tcl": Style("# ", behind=False),
    "jsx": None,
    "tsx": None,
    "lhs": None,
}
# The ends of names of plain texts in which a mark is one more word.  Any other may be a program's that nobody here
# knows, and a mark no comment there; a patch knows its lines.
_PROSE = frozenset("txt text log rfc nfo".split())
_BLOCK = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_ELEMENT = re.compile(r"(?is)<(script|style|textarea|title|pre)\b.*?(?:</\1\s*>|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)")
_FRONT = re.compile(r"(---|\+\+\+)[ \t]*\r?\n(?:.*\r?\n)*?\1[ \t]*(?:\r?\n|\Z)")
# What must be the first thing of a file.
_FIRST = re.compile(r"#!|<\?xml|<!DOCTYPE|%!", re.IGNORECASE)
_CONTINUED = re.compile(r"\\[ \t]*(?=(\r\n|\r|\n))")
_HEREDOC = re.compile(r"<<[-~]?[ \t]*(['\"]?)([A-Za-z_]\w*)\1[^\n]*\n")
_END_OF_CODE = re.compile(r"(?m)^__(?:END|DATA)__[ \t]*\r?$")
_POD = re.compile(r"(?ms)^=[a-z]\w*.*?(?:^=(?:cut|end)\b[^\n]*$|\Z)")
_BLOCK_SCALAR = re.compile(r"(?:^|[:?-])[ \t]+(?:[&!]\S*[ \t]+)*[|>][-+0-9]*[ \t]*(?:#.*)?$")
_ENTRY = re.compile(r"[ ]*(?:(?:-|\?)(?:\s|$)|[#\]}]|(?:\"[^\"]*\"|'[^']*'|[^\s#:][^:#]*):(?:\s|$)|---|\.\.\.)")
_YAML_INDENT = re.compile(r"[ ]*(?:-[ ]+)*")
_LONGEST = 1000  # of a line, as far as it is looked at closely
_LINE = re.compile(r"[^\r\n]*")
_HEADING = re.compile(r"[ ]{0,3}#{1,6}[ \t].*?(?=[ \t]+#+[ \t]*$)")
_DESTINATION = re.compile(r"\]\([^()\r\n]{0,400}[\r\n][^()]{0,2000}\)")  # a link that goes over lines
_DEFINITION = re.compile(r"[ ]{0,3}\[[^\]]+\]:")


def style_of(kind: str, path: str, text: str) -> Style | None:
    """Return how a source writes comments; None if it has none, or where they may stand cannot be told."""
    end = path.rpartition(".")[2].lower()
    if end in _BY_END and (kind in LANGUAGES or kind in _STYLES):
        return _BY_END[end]
    if kind == "plain" and not _is_prose(path, text):
        return None
    if kind == "php" and "?>" in text:  # there is a page around it
        return None
    if kind in _STYLES:
        return _STYLES[kind]
    language = LANGUAGES.get(kind)
    return Style(language.comments[0] + " ") if language is not None and language.comments else None


class Ground(NamedTuple):
    """Where marks may stand in a document.

    Attributes:
        style: how its comments are written.
        whole: the places that nothing may be written into, in order, apart from each other.
        commented: those that are a comment already, which goes over lines.
        front: where the front matter ends, whose comments are those of YAML and TOML.
    """

    style: Style
    whole: Spans
    commented: Spans
    front: int = 0

    def is_free(self, at: int) -> bool:
        """Return whether something may be written there."""
        return self.around(at) is None

    def around(self, at: int) -> tuple[int, int] | None:
        """Return what must not be torn apart there."""
        return _holding(self.whole, at)

    def written(self, words: str, at: int) -> str:
        """Return a mark as it is written there: in a comment there is no need for another."""
        if at < self.front:
            return "# " + words
        return words if _holding(self.commented, at) is not None else self.style.before + words + self.style.after


def _is_prose(path: str, text: str) -> bool:
    """Return whether a plain text is one that people read: its name says so, has no end, or a number for one."""
    end = path.replace("\\", "/").rpartition("/")[2].lstrip(".").rpartition(".")
    return not text.startswith("#!") and (not end[1] or end[2].lower() in _PROSE or end[2].isdigit())


def _holding(spans: Spans, at: int) -> tuple[int, int] | None:
    number = bisect.bisect_left(spans, (at,)) - 1
    return spans[number] if number >= 0 and spans[number][0] < at < spans[number][1] else None


def ground_of(segment: Segment, style: Style, urls: Spans, roles: Spans) -> Ground:
    """Return where marks may stand.

    Args:
        segment: the source.
        style: how its comments are written.
        urls: where its URLs stand, with their delimiters, in characters of the document.
        roles: what its kind says is no prose, the same way.
    """
    text, kind = segment.document, segment.kind
    whole, commented, front = [*urls, *roles], Spans(), 0
    if _FIRST.match(text):
        whole.append((-1, max(_end_of_line(text, 0), 1)))
    if kind in ("html", "xml", "markdown"):
        commented = [match.span() for match in _BLOCK.finditer(text)]
        whole = [span for span in whole if _holding(commented, span[0] + 1) is None]
        whole += [match.span() for match in _ELEMENT.finditer(text)]
    if kind == "markdown":
        if (matter := _FRONT.match(text)) is not None:
            front = matter.end()
            whole = [span for span in whole if span[0] >= front or span in urls]
            whole += [(-1, 1), *_scalars(text[:front])]
        whole += [match.span() for match in _DESTINATION.finditer(text)]
        whole += list(_definitions(text))
    if kind == "yaml":
        whole += list(_scalars(text))
    if kind in LANGUAGES:
        whole += [(match.start() - 1, match.end() + len(match[1]) + 1) for match in _CONTINUED.finditer(text)]
        for role, start, end in literals(text, kind):
            (commented if role == "comment" else whole).append((start, end))
    if kind in ("shell", "ruby", "perl", "php"):
        whole += list(_verbatim(text, kind))
    return Ground(style, _merged(text, whole), _merged(text, commented), front)


def starts_paragraph(text: str, start: int) -> bool:
    """Return whether a line that begins at `start` goes on with nothing: before it is a blank line, or a definition."""
    before = text[max(text.rfind("\n", 0, max(start - 1, 0)), 0) : start].strip()
    return not before or _DEFINITION.match(before) is not None


def roles_of(text: str, kind: str) -> Spans:
    """Return what a kind says is no prose of a document: markup, links, code, documents of another kind."""
    if kind == "plain" or kind in LANGUAGES:  # what matters of a program is where its strings are
        return []
    pieces = reader_of(kind, "exact_pieces")(text, kind)
    return [(piece.start, piece.end) for piece in pieces if piece.role != "prose" or piece.kind]


def end_for(text: str, start: int, kind: str) -> int:
    """Return where a mark goes behind a line that begins at `start`: at its end, or before what must stay there."""
    end = _end_of_line(text, start)
    if kind != "markdown":
        return end
    line = text[start:end]
    bare = line.rstrip()
    if len(line) > _LONGEST:
        return end
    if (heading := _HEADING.match(line)) is not None:  # "# title #"
        return start + heading.end()
    if bare.endswith("|") and bare.lstrip().startswith("|") and bare.count("|") > 1:  # the last cell of a row
        return start + len(bare[:-1].rstrip())
    if bare.endswith("\\"):
        return start + len(bare) - 1
    return start + len(bare) if line != bare else end


def _end_of_line(text: str, start: int) -> int:
    match = _LINE.match(text, start)
    return match.end() if match is not None else start


def _definitions(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ends of the lines that define a link: nothing may follow there."""
    at = 0
    for line in text.splitlines(keepends=True):
        if _DEFINITION.match(line):
            end = _end_of_line(text, at)
            yield end - 1, end + 1
        at += len(line)


def _verbatim(text: str, kind: str) -> Iterator[tuple[int, int]]:
    """Yield what is text in a program: here-documents, documentation, what stands behind the end of the code."""
    at, unclosed = 0, set[str]()
    while (match := _HEREDOC.search(text, at)) is not None:
        at, name = match.end(), match[2]
        close = None
        if name not in unclosed:
            close = re.compile(rf"(?m)^[ \t]*{re.escape(name)}\b").search(text, at)
        if close is None:
            unclosed.add(name)
        else:
            yield match.end() - 1 - (text[match.end() - 2 : match.end() - 1] == "\r"), close.end() + 1
            at = close.end()
    if kind in ("perl", "ruby"):
        if (end := _END_OF_CODE.search(text)) is not None:
            yield end.start(), len(text) + 1
        for match in _POD.finditer(text):
            yield match.span()


def _scalars(text: str) -> Iterator[tuple[int, int]]:
    """Yield the values of YAML that go over lines."""
    lines = text.splitlines(keepends=True)
    at, block, opened = 0, -1, 0
    before: tuple[int, int] | None = None  # where the line before ended, and how far it was indented
    for line in lines:
        bare = line.rstrip()
        indent = len(line) - len(line.lstrip(" "))
        if block >= 0 and bare and indent <= block:
            yield opened, at
            block, before = -1, None
        if block < 0 and bare:
            dashes = _YAML_INDENT.match(line)
            deep = dashes.end() if dashes is not None else 0
            if before is not None and indent > before[1] and not _ENTRY.match(line):
                yield before[0] - 1, at + 1
            if _BLOCK_SCALAR.search(bare, max(0, len(bare) - _LONGEST)):
                block = deep if ":" in bare else max(bare.rfind("-", 0, deep), 0)
                opened = at + len(bare) - 1
            before = (at + len(bare), indent)
        at += len(line)
    if block >= 0:
        yield opened, len(text) + 1


def _merged(text: str, spans: Spans) -> Spans:
    """Return the spans in order; those that touch are one, unless a line begins there."""
    found: Spans = []
    for start, end in sorted(spans):
        touch = found and start == found[-1][1] and text[start - 1 : start] not in ("\n", "\r")
        if found and (start < found[-1][1] or touch):
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        elif end > start:
            found.append((start, end))
    return found
