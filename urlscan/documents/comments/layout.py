"""Find the comments and strings of a program with the table in `syntax.py`.

A program with an unclosed string or comment is refused.
"""

import bisect
import functools
import re
from typing import NamedTuple

from urlscan.documents.comments.syntax import String, Syntax

SpanList = list[tuple[int, int]]

# The greatest length of a regular expression, in characters.
_LONGEST_REGEX = 4000
# The greatest depth of expressions in strings.
_MAX_DEPTH = 40
_LAST_WORD = re.compile(r"(?:[\w$]+|[^\w\s])[ \t]*\Z")
_BEFORE_REGEX = frozenset(
    "return typeof case in of do else void delete throw new and or not if unless while until when split grep".split()
)
_REGEX = re.compile(r"/(?![*/])(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
_CLOSERS = {"(": ")", "[": "]", "{": "}", "<": ">"}


_OPAQUE = frozenset(("string", "raw", "quoting", "slash", "verbatim", "skipped"))


class UnreadableError(Exception):
    """The strings and comments of a program cannot be distinguished."""


class Layout(NamedTuple):
    """The spans of a program that are not code.

    Attributes:
        opaque: spans in which no comment can be added: strings, here-documents, text.
        blocks: the contents of block comments.
        lines: the line comments.
    """

    opaque: SpanList
    blocks: SpanList
    lines: SpanList


def layout_of(text: str, syntax: Syntax) -> Layout:
    """Return the spans of the strings and comments of a program.

    Raises:
        UnreadableError: they cannot be distinguished.
    """
    scanner = _Scanner(text, syntax)
    scanner.code(0, "", 0)
    layout = scanner.layout
    if syntax.refused:
        pattern = re.compile(syntax.refused)
        inside = sorted([*layout.opaque, *layout.blocks, *layout.lines])
        for match in pattern.finditer(text):
            number = bisect.bisect_right(inside, (match.start(), len(text))) - 1
            if number < 0 or inside[number][1] <= match.start():
                raise UnreadableError
    return layout


@functools.cache
def _tokens(syntax: Syntax, closer: str) -> re.Pattern[str]:
    """Return the pattern of the tokens in code, including the brackets of `closer` if it is not ""."""
    spaced = r"(?<!\S)" if syntax.spaced else ""
    heredoc = re.sub(r"\(\?P<\w+>", "(?:", syntax.heredoc)
    heredoc = re.sub(r"\(\?P=\w+\)", r"[\"'`]?", heredoc)
    parts = {
        "verbatim": re.sub(r"\(\?ms\)", "", syntax.verbatim),
        "raw": re.sub(r"\(\?P<\w+>", "(?:", syntax.raw),
        "skipped": syntax.skipped,
        "heredoc": heredoc,
        "quoting": syntax.quoting,
        "block": "|".join(re.escape(opening) for opening, _ in syntax.blocks),
        "line": spaced + f"(?:{'|'.join(map(re.escape, syntax.lines))})" if syntax.lines else "",
        "slash": "/" if syntax.regexes else "",
        "string": "|".join(string.opening for string in syntax.strings),
        "newline": r"\n" if syntax.heredoc else "",
        "bracket": "|".join(map(re.escape, ({"}": "{", ")": "("}[closer], closer))) if closer else "",
    }
    found = "|".join(f"(?P<{name}>{part})" for name, part in parts.items() if part)
    return re.compile(found, re.MULTILINE | (re.DOTALL if syntax.verbatim else 0))


class _Scanner:
    """Reads a program in one pass."""

    def __init__(self, text: str, syntax: Syntax) -> None:
        self.layout = Layout([], [], [])
        self._text = text
        self._syntax = syntax
        self._waiting: list[re.Match[str]] = []  # here-documents that begin on the next line

    def code(self, at: int, closer: str, depth: int) -> int:
        """Read code up to the bracket `closer`, or all of it if that is "", and return its end."""
        if depth > _MAX_DEPTH:
            raise UnreadableError
        pattern, open_ = _tokens(self._syntax, closer), 0
        while (match := pattern.search(self._text, at)) is not None:
            at = match.end()
            kind = match.lastgroup
            if kind == "bracket":
                open_ += 1 if match[0] != closer else -1
                if open_ < 0:
                    return at
                continue
            end = self._token(kind or "", match, depth)
            if depth == 0 and kind in _OPAQUE:
                self.layout.opaque.append((match.start(), end + (kind == "verbatim")))
            at = end
        if closer or self._waiting:
            raise UnreadableError
        return len(self._text)

    def _token(self, kind: str, match: re.Match[str], depth: int) -> int:
        """Read the construct that begins with a token, and return its end."""
        at = match.end()
        if kind == "line":
            end = self._text.find("\n", at)
            end = len(self._text) if end < 0 else end
            if depth == 0:
                self.layout.lines.append((match.start(), end))
            return end
        if kind == "block":
            return self._block(match, depth)
        if kind == "raw":
            return self._raw(match)
        if kind == "string":
            return self._string(match, depth)
        if kind == "slash":
            return self._regex(match.start())
        if kind == "quoting":
            return self._quoted(match)
        if kind == "heredoc":
            begin = re.compile(self._syntax.heredoc).match(self._text, match.start())
            if begin is not None:
                self._waiting.append(begin)
        if kind == "newline":
            return self._heredocs(at)
        return at

    def _block(self, match: re.Match[str], depth: int) -> int:
        opening, closing = next(pair for pair in self._syntax.blocks if pair[0] == match[0])
        at, level = match.end(), 1
        both = re.compile(f"{re.escape(closing)}|{re.escape(opening)}" if self._syntax.nested else re.escape(closing))
        while level:
            found = both.search(self._text, at)
            if found is None:
                raise UnreadableError
            at = found.end()
            level += 1 if found[0] == opening else -1
        if depth == 0:
            self.layout.blocks.append((match.end(), at - len(closing)))
        return at

    def _string(self, match: re.Match[str], depth: int) -> int:
        string = next(one for one in self._syntax.strings if re.fullmatch(one.opening, match[0]))
        at = match.end()
        pattern = _ends(string)
        while (found := pattern.search(self._text, at)) is not None:
            at = found.end()
            if found[0] == string.closing:
                return at
            if found[0] == "\n":
                return match.end()
            if found[0] == string.inner:
                at = self.code(at, ")" if string.inner.endswith("(") else "}", depth + 1)
        if string.lines:
            raise UnreadableError
        return match.end()

    def _raw(self, match: re.Match[str]) -> int:
        """Return the end of a raw string, whose closing delimiter depends on its opening."""
        begin = re.compile(self._syntax.raw).match(self._text, match.start())
        closing = self._syntax.raw_closing.format(begin["tag"] if begin is not None else "")
        end = self._text.find(closing, match.end())
        if end < 0:
            raise UnreadableError
        return end + len(closing)

    def _regex(self, here: int) -> int:
        """Return the end of a regular expression; the end of the slash if it is a division."""
        before = _LAST_WORD.search(self._text, max(here - 40, 0), here)
        word = before[0].strip() if before is not None else ""
        is_value = (
            word[-1:] in (")", "]", "}") or (word[-1:].isalnum() and word not in _BEFORE_REGEX) or word[-1:] == "_"
        )
        is_argument = self._syntax.documents and before is not None and before[0] != word  # Ruby's `puts /x/`
        if is_value and not (is_argument and word[-1:].isalnum() and not self._text[here + 1 : here + 2].isspace()):
            return here + 1
        match = _REGEX.match(self._text, here, here + _LONGEST_REGEX)
        if match is None and self._syntax.quoting:  # in Perl and Ruby it may span lines
            raise UnreadableError
        return match.end() if match is not None else here + 1

    def _quoted(self, match: re.Match[str]) -> int:
        """Return the end of the text quoted by an operator of Perl or Ruby."""
        at = match.end()
        while self._text[at : at + 1].isspace():
            at += 1
        opening = self._text[at : at + 1]
        if not opening or opening.isalnum() or opening == "_" or (opening == "#" and at > match.end()):
            return match.end()
        at = self._delimited(at)
        if match[0] in ("s", "tr", "y"):
            if opening in _CLOSERS:
                while self._text[at : at + 1].isspace():
                    at += 1
                return self._delimited(at)
            return self._delimited(at - 1)
        return at

    def _delimited(self, at: int) -> int:
        opening = self._text[at : at + 1]
        closing = _CLOSERS.get(opening, opening)
        level, at = 1, at + 1
        pattern = re.compile(rf"\\[\s\S]|{re.escape(closing)}|{re.escape(opening)}" if opening else "(?!)")
        while level:
            found = pattern.search(self._text, at)
            if found is None:
                raise UnreadableError
            at = found.end()
            if found[0] == closing:
                level -= 1
            elif found[0] == opening:
                level += 1
        return at

    def _heredocs(self, at: int) -> int:
        """Return the end of the here-documents that begin on a line."""
        for begin in self._waiting:
            groups = begin.groupdict()
            tag = re.escape(groups["tag"] or groups.get("quoted") or "")
            indent, after = (r"[ \t]*", r"\b") if groups["indented"] is not None else ("", r"\r?$")
            close = re.compile(f"(?m)^{indent}{tag}{after}").search(self._text, at)
            if close is None:
                raise UnreadableError
            self.layout.opaque.append((at - 1, close.end() + 1))
            at = close.end()
        self._waiting.clear()
        return at


@functools.cache
def _ends(string: String) -> re.Pattern[str]:
    """Return the pattern of the closing, escape, inner expression and line end of a string."""
    parts = [re.escape(string.inner)] if string.inner else []
    if len(string.escape) == 1:
        parts.append(re.escape(string.escape) + r"[\s\S]")
    elif string.escape:
        parts.append(re.escape(string.escape))
    parts.append(re.escape(string.closing))
    if not string.lines:
        parts.append(r"\n")
    return re.compile("|".join(parts))
