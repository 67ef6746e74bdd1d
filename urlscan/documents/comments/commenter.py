"""Find positions where a comment does not change what a source does or shows.

A comment is added at the end of a line or on a line above it, only if the syntax of comments is known and the position
is not in a string, here-document, tag, link, literal block, table or continued line. In doubt, no position is returned.
"""

import bisect
import re
from collections.abc import Callable
from typing import NamedTuple

from urlscan.documents.comments.kinds import holding, layout_of_kind
from urlscan.documents.comments.layout import Layout, SpanList, UnreadableError
from urlscan.documents.comments.syntax import LANGUAGE_OF, SYNTAXES, Syntax

__all__ = ["CommentPosition", "Commenter", "NoCommentError", "commenter_of"]


class NoCommentError(Exception):
    """No comment can be added to a source; the message is the reason."""


class CommentPosition(NamedTuple):
    """An offset in the document at which a comment can be added, and the text before and after its words."""

    at: int
    before: str
    after: str


class CommentStyle(NamedTuple):
    """How comments of a kind are written.

    Attributes:
        before, after: the delimiters around the words.
        at_end: whether a comment may follow other text on its line.
        above: whether a comment may be on a line of its own directly above the line that it applies to.
        indented: whether such a line may be indented.
        separator: the text between the rest of a line and the comment.
    """

    before: str
    after: str = ""
    at_end: bool = True
    above: bool = True
    indented: bool = True
    separator: str = " "


def _line_of_its_own(before: str) -> CommentStyle:
    return CommentStyle(before, at_end=False, indented=False)


_STYLES = {
    "html": CommentStyle("<!-- ", " -->"),
    # A space would be a part of the text.
    "xml": CommentStyle("<!-- ", " -->", separator=""),
    "markdown": CommentStyle("<!-- ", " -->", indented=False),
    "rst": CommentStyle(".. ", at_end=False),
    "latex": CommentStyle("% "),
    "asciidoc": _line_of_its_own("// "),
    "org": _line_of_its_own("# "),
    "roff": _line_of_its_own('.\\" '),
    "texinfo": _line_of_its_own("@c "),
    # A comment after a value would be a part of the value.
    "ini": _line_of_its_own("# "),
    "properties": _line_of_its_own("# "),
    "makefile": _line_of_its_own("# "),
    "dockerfile": _line_of_its_own("# "),
    "vim": _line_of_its_own('" '),
    "yaml": CommentStyle("# ", separator="  "),
    "python": CommentStyle("# ", separator="  "),
    "shell": CommentStyle("# ", separator="  "),
}
# Extensions of languages that share a kind with others, but not their comments or strings.
_REFUSED_EXTENSIONS = frozenset(
    "bib dtx ins mdx qmd rmd tcl csh tcsh fish tf hcl tfvars env gyp gypi pyx pxd pxi j2 jinja jinja2 mustache ejs"
    " sass styl".split()
)
# Kinds that are languages themselves, for files without an extension.
_LANGUAGE_KINDS = frozenset("c css go haskell java javascript lisp lua perl php r ruby rust sql".split())
_INTERPRETER = re.compile(r"#!.*?\b(?:bash|dash|ksh|zsh|sh|perl|ruby|node|lua|php|Rscript)\b")
# Text that must be at the beginning of a file, or in its first two lines.
_FIRST = re.compile(
    r"#!|<\?|<!DOCTYPE|%!|'\\\"|#[ \t]*(?:syntax|escape)[ \t]*=|-{3}[ \t]*$", re.IGNORECASE | re.MULTILINE
)
_DECLARED = re.compile(r"(?:.*\n)?.*(?:coding[:=]|-\*-)")
# Comments that tools read: nothing is added to them or between them and the next line.
_TOOLS = (
    "-*- ! +build @ts- @formatter @jsx @flow ts- eslint prettier jshint jslint istanbul c8 v8 noinspection shellcheck"
    " pylint rubocop frozen_string_literal coding encoding vi: vim: ex: NOLINT nolint clang-format swiftlint fmt: isort"
    " yapf pragma region endregion cspell phpcs stylelint hadolint yaml-language-server ktlint detekt language= syntax="
    " escape= deno- biome- ruff: mypy: flake8: sourceMappingURL"
).split()
_DIRECTIVE = re.compile(
    rf"[#/;%*\"-]*(?:[a-z]+:\S|[ \t]*(?:{'|'.join(map(re.escape, _TOOLS))}|urlscan:[ \t]*ignore-next-line))"
)
_LIST_ITEM = re.compile(r"(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]|$)")
_HEADING = re.compile(r"[ \t>]*#{1,6}(?:[ \t]|$)")
_UNDERLINE = re.compile(r"[ \t>]*(?:=+|-+)[ \t]*\r?$")
_DEFINITION = re.compile(r"[ ]{0,3}\[[^\]]+\]:")
# GFM section 4.10: the delimiter row of a table.
_DELIMITER_ROW = re.compile(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
# Lines with a meaning to some Markdown processor.
_MARKDOWN_SPECIAL = re.compile(r"[ \t>]*(?:!!!|\?\?\?|:::|===|\+\+\+|\{|%|\[\[|@|\$\$|\\)")
_LONGEST = 1000  # characters of a line that are examined
_EXPLICIT = re.compile(r"[ ]*\.\.[ ]+(?:_[^\n]*[^:\s\n]|\|[^\n|]+\|[ ]+image::[^\n]+|image::[^\n]+)[ ]*\r?$")


def commenter_of(text: str, kind: str, path: str, urls: SpanList) -> "Commenter":
    """Return the Commenter of a document.

    Args:
        text: the document.
        kind: its kind.
        path: its path.
        urls: the spans of its URLs, with their delimiters.

    Raises:
        NoCommentError: no comment can be added to it.
    """
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    extension = name.rpartition(".")[2] if "." in name.lstrip(".") else ""
    language = _language(text, kind, name, extension)
    if language == "" and kind not in _STYLES:
        raise NoCommentError(_WITHOUT_COMMENTS.get(kind, f"the comments of {kind} files are not known"))
    try:
        layout = layout_of_kind(text, kind, language)
    except UnreadableError:
        raise NoCommentError("its strings cannot be distinguished from its code") from None
    style = _style(text, kind, extension, language)
    return Commenter(text, kind, style, layout._replace(opaque=[*layout.opaque, *urls]), SYNTAXES.get(language))


_WITHOUT_COMMENTS = {kind: f"{kind} has no comments" for kind in ("csv", "tsv", "json", "jsonl", "ipynb", "ics", "vcf")}
_WITHOUT_COMMENTS["plain"] = "plain text has no comments"


def _language(text: str, kind: str, name: str, extension: str) -> str:
    """Return the name in SYNTAXES of the language of a program; "" if it is unknown or not a program."""
    inner = name.rsplit(".", 2)[-2] if name.count(".") > 1 else ""
    if extension in _REFUSED_EXTENSIONS and not (kind == "html" and inner in ("html", "htm", "xhtml")):
        raise NoCommentError(f"the comments of .{extension} files are not known")
    if extension == "cmake" or name == "cmakelists.txt":
        return "cmake"
    if extension in LANGUAGE_OF:
        language = LANGUAGE_OF[extension]
        if language == "perl" and not _PERL.search(text):  # Prolog and others use the extension, too
            raise NoCommentError("it is not certain that it is Perl")
        return language
    if kind in _LANGUAGE_KINDS:
        if extension and extension not in ("cgi", "t", "in") and not _INTERPRETER.match(text):
            raise NoCommentError(f"the comments of .{extension} files are not known")
        return kind
    return ""


_PERL = re.compile(r"(?m)\A#!.*perl|^(?:use|package|require)[ \t]+[\w:.]+[^\n]*;")


def _style(text: str, kind: str, extension: str, language: str) -> CommentStyle:
    if language:
        before, after = SYNTAXES[language].comment
        return CommentStyle(before, after, separator="  " if before.startswith("#") else " ")
    style = _STYLES[kind]
    if kind == "ini" and (re.search(r"(?m)^;", text) or extension == "ini") and not re.search(r"(?m)^#", text):
        return style._replace(before="; ")
    return style


class Commenter:
    """Finds positions for comments in a document.

    Args:
        text: the document.
        kind: its kind.
        style: how its comments are written.
        layout: the spans that no comment can be written into, and the existing comments.
        syntax: its language, for a program in SYNTAXES.
    """

    def __init__(self, text: str, kind: str, style: CommentStyle, layout: Layout, syntax: Syntax | None) -> None:
        self._text = text
        self._kind = kind
        self._style = style
        self._opaque = _merge(layout.opaque)
        self._blocks = sorted((start - 1, end + 1) for start, end in layout.blocks)
        self._comments = sorted(layout.lines)
        self._syntax = syntax
        self._starts = [0, *(match.end() for match in re.finditer("\r\n?|\n", text))]
        newline = re.search("\r\n?|\n", text)
        self._newline = newline[0] if newline is not None else "\n"

    def at_end(self, line: int) -> CommentPosition | None:
        """Return the position at the end of a line, counted from 0."""
        if not self._style.at_end or self._is_continued(line):
            return None
        text, at = self._line(line), self._starts[line] + len(self._line(line))
        if self._kind == "markdown":
            if not self._ends_paragraph_line(line):
                return None
            at -= len(text) - len(text.rstrip())  # two spaces at the end are a line break
        if holding(self._opaque, at) is not None:
            return None
        separator = self._style.separator if text.strip() else ""
        if (block := holding(self._blocks, at)) is not None:
            return None if self._documents_block(*block) else CommentPosition(at, " ", "")
        if self._is_read(line, self._last_comment(line)):
            return None
        return CommentPosition(at, separator + self._style.before, self._style.after)

    def above(self, line: int) -> CommentPosition | None:
        """Return the position for a comment above a line, counted from 0."""
        start, text = self._starts[line], self._line(line)
        is_free = holding(self._opaque, start) is None and holding(self._blocks, start) is None
        if not self._style.above or not is_free or (line > 0 and self._is_continued(line - 1)):
            return None
        if _FIRST.match(self._text) and line == 0:
            return None
        if line < 2 and _DECLARED.match(self._text[:_LONGEST]):
            return None
        if self._syntax is not None and self._syntax.documents:
            return None  # it would be the documentation of the code below
        if any(self._is_read(one, self._comment_in(one)) for one in (line - 1, line) if one >= 0):
            return None
        check = _ABOVE.get(self._kind)
        if check is not None and not check(text, self._line(line - 1) if line else "", line):
            return None
        indent = text[: len(text) - len(text.lstrip(" \t"))] if self._style.indented else ""
        return CommentPosition(start, indent + self._style.before, self._style.after + self._newline)

    def _last_comment(self, line: int) -> int:
        """Return the start of the comment at the end of a line, or -1."""
        number = bisect.bisect_left(self._comments, (self._starts[line] + len(self._line(line)), 0)) - 1
        is_there = number >= 0 and self._comments[number][0] >= self._starts[line]
        return self._comments[number][0] if is_there else -1

    def _is_continued(self, line: int) -> bool:
        """Return whether a line continues in the next one."""
        text = self._line(line).rstrip()
        return text.endswith("\\") or (self._kind == "dockerfile" and text.endswith("`"))

    def _comment_in(self, line: int) -> int:
        """Return the start of the comment that is the first text of a line, or -1."""
        start = self._starts[line] + len(self._line(line)) - len(self._line(line).lstrip())
        number = bisect.bisect_left(self._comments, (start, 0))
        return start if number < len(self._comments) and self._comments[number][0] == start else -1

    def _is_read(self, line: int, at: int) -> bool:
        """Return whether a comment that begins at `at` is a directive or documentation."""
        if at < 0:
            return False
        comment = self._text[at : self._starts[line] + len(self._line(line))]
        if _DIRECTIVE.match(comment) or comment.startswith("#:"):
            return True
        if self._syntax is None:
            return False
        if self._syntax.documentation and self._in_documentation(line):
            return True
        return self._syntax.documents and self._comment_in(line) >= 0 and self._is_above_code(line)

    def _in_documentation(self, line: int) -> bool:
        """Return whether a comment line above this one, or this one, begins documentation."""
        pattern = re.compile(self._syntax.documentation if self._syntax is not None else "(?!)")
        first = line - _LONGEST
        while line >= max(first, 0) and (at := self._comment_in(line)) >= 0:
            if pattern.match(self._text, at):
                return True
            line -= 1
        return False

    def _is_above_code(self, line: int) -> bool:
        while line < len(self._starts) and self._comment_in(line) >= 0:
            line += 1
        return line < len(self._starts) and bool(self._line(line).strip())

    def _documents_block(self, start: int, _end: int) -> bool:
        """Return whether the comment whose contents begin at `start` + 1 is documentation."""
        if self._syntax is None or not self._syntax.documentation:
            return False
        opening = self._text[max(start - 2, 0) : start + 3].lstrip()
        return re.search(self._syntax.documentation, opening) is not None

    def _ends_paragraph_line(self, line: int) -> bool:
        """Return whether a comment at the end of a line of Markdown is in a paragraph, where it is not shown."""
        text = self._line(line)
        after = self._line(line + 1) if line + 1 < len(self._starts) else ""
        return not (
            not text.strip()
            or len(text) > _LONGEST
            or text.startswith(("    ", "\t"))
            or _HEADING.match(text)
            or _UNDERLINE.match(after)
            or self._is_row(line)
            or _DEFINITION.match(text)
            or _MARKDOWN_SPECIAL.match(text)
            or text.rstrip().endswith(("}", "\\"))
        )

    def _is_row(self, line: int) -> bool:
        """Return whether a line of Markdown is possibly a row of a table."""
        if "|" not in self._line(line):
            return False
        if self._line(line).lstrip(" >").startswith("|"):
            return True
        first = line
        while first > max(line - _LONGEST, 0) and self._line(first - 1).strip():
            first -= 1
        last = min(line + 2, len(self._starts))
        return any(_DELIMITER_ROW.match(self._line(one)) for one in range(first, last))

    def _line(self, line: int) -> str:
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self._text)
        return self._text[self._starts[line] : end].rstrip("\r\n")


def _above_markdown(text: str, before: str, line: int) -> bool:
    """Return whether a line of Markdown begins a block outside lists and quotes, or is one of several definitions."""
    if _DEFINITION.match(text):
        begins = not before.strip() or _DEFINITION.match(before) is not None
    else:
        begins = line > 0 and not before.strip()
    return begins and text[:1] not in ("", " ", "\t", ">", "<", ":", "|") and not _LIST_ITEM.match(text)


def _above_rst(text: str, before: str, _line: int) -> bool:
    """Return whether a line of reStructuredText is a target or an image, after a similar or a blank line."""
    indent = len(text) - len(text.lstrip())
    same = _EXPLICIT.match(before) is not None and len(before) - len(before.lstrip()) == indent
    return _EXPLICIT.match(text) is not None and (not before.strip() or same)


def _above_org(text: str, before: str, _line: int) -> bool:
    begins = not before.strip() or before.startswith(("*", "#+"))
    return begins and text[:1] not in ("", " ", "\t", "|", "-", "+", "#") and not _LIST_ITEM.match(text)


def _above_xml(text: str, before: str, _line: int) -> bool:
    """Return whether the position above a line of XML is between two tags, where white space is insignificant."""
    return text.lstrip().startswith("<") and re.search(r"[^\]?-]>\s*\Z", before) is not None


def _above_asciidoc(text: str, before: str, _line: int) -> bool:
    return not (text[:1].isspace() or before[:1].isspace() or text.startswith("|") or before.startswith("["))


def _above_vim(text: str, _before: str, _line: int) -> bool:
    return not text.lstrip().startswith("\\")


def _above_ini(text: str, _before: str, _line: int) -> bool:
    return not text[:1].isspace()  # an indented line continues a value


_ABOVE: dict[str, Callable[[str, str, int], bool]] = {
    "markdown": _above_markdown,
    "rst": _above_rst,
    "org": _above_org,
    "xml": _above_xml,
    "asciidoc": _above_asciidoc,
    "vim": _above_vim,
    "ini": _above_ini,
    "properties": _above_ini,
}


def _merge(spans: SpanList) -> SpanList:
    """Return the spans in order, with overlapping ones merged."""
    found: SpanList = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        elif end > start:
            found.append((start, end))
    return found
