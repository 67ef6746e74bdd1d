"""Find the strings, here-documents and comments of a shell script (POSIX.1-2024, Shell Command Language)."""

import re

from urlscan.documents.comments.layout import Layout, UnreadableError

_MAX_DEPTH = 40
# Matches: `\a`, `$'`, `"`, `$((`, `${`, `$#`, `#a`, `<<<`, `<<-EOF`, `<<'a b'`
# Does not match: `a`, `a#b`, `<a`
_TOKEN = re.compile(
    r"""
    \\[\s\S]
  | (?P<single> \$?' )
  | (?P<double> \$?" )
  | (?P<back> ` )
  | (?P<arithmetic> \$?\(\( )
  | (?P<parameter> \$\{ )
  | \$[#\w?!$@*-]
  | (?P<comment> (?<![^\s;&|()]) \# [^\n]* )
  | <<<
  | (?P<heredoc> <<-?[ \t]* (?: \\?[\w.!+-]+ | '[^'\n]+' | "[^"\n]+" ) )
  | (?P<newline> \n )
  | (?P<open> \( )
  | (?P<close> \) )
    """,
    re.VERBOSE,
)
_IN_DOUBLE = re.compile(
    r"\\[\s\S]|(?P<end>\")|(?P<back>`)|(?P<command>\$\((?!\())|(?P<arithmetic>\$\(\()|(?P<parameter>\$\{)"
)
_IN_PARAMETER = re.compile(
    r"\\[\s\S]|(?P<single>')|(?P<double>\")|(?P<back>`)|(?P<command>\$\()|(?P<open>\$\{)|(?P<end>\})"
)
_BACK = re.compile(r"\\[\s\S]|(?P<end>`)")
_SINGLE = re.compile(r"(?P<end>')")
_ANSI = re.compile(r"\\[\s\S]|(?P<end>')")
_PARENTHESES = re.compile(r"\\[\s\S]|(?P<open>\()|(?P<end>\))")


def layout_of_shell(text: str) -> Layout:
    """Return the spans of the strings and comments of a shell script.

    Raises:
        UnreadableError: they cannot be distinguished.
    """
    reader = _Shell(text)
    reader.code(0, 0)
    return reader.layout


class _Shell:
    def __init__(self, text: str) -> None:
        self.layout = Layout([], [], [])
        self._text = text
        self._waiting: list[str] = []

    def code(self, at: int, depth: int) -> int:
        """Read commands, up to the closing parenthesis if `depth` is above 0, and return their end."""
        if depth > _MAX_DEPTH:
            raise UnreadableError
        open_ = 0
        while (match := _TOKEN.search(self._text, at)) is not None:
            at, kind = match.end(), match.lastgroup
            if kind in ("open", "close"):
                open_ += 1 if kind == "open" else -1
                if open_ < 0 and depth:
                    return at
            elif kind == "comment" and depth == 0:
                self.layout.lines.append(match.span())
            elif kind == "heredoc":
                self._waiting.append(match[0])
            elif kind == "newline":
                at = self._heredocs(at, depth)
            elif kind in ("single", "double", "back", "arithmetic", "parameter"):
                at = self._quoted(match, depth)
                if depth == 0:
                    self.layout.opaque.append((match.start(), at))
        if depth or self._waiting:
            raise UnreadableError
        return len(self._text)

    def _quoted(self, match: re.Match[str], depth: int) -> int:
        kind, at = match.lastgroup, match.end()
        if kind == "single":
            return self._end(_ANSI if match[0] == "$'" else _SINGLE, at, depth)
        if kind == "double":
            return self._end(_IN_DOUBLE, at, depth)
        if kind == "back":
            return self._end(_BACK, at, depth)
        if kind == "parameter":
            return self._end(_IN_PARAMETER, at, depth)
        return self._parentheses(at)

    def _end(self, pattern: re.Pattern[str], at: int, depth: int) -> int:
        """Return the end of a quotation, after reading the constructs nested in it."""
        if depth > _MAX_DEPTH:
            raise UnreadableError
        while (match := pattern.search(self._text, at)) is not None:
            at, kind = match.end(), match.lastgroup
            if kind == "end":
                return at
            if kind == "command":
                at = self.code(at, depth + 1)
            elif kind == "arithmetic":
                at = self._parentheses(at)
            elif kind == "single":
                at = self._single(at, match.start())
            elif kind is not None:
                inner = {"double": _IN_DOUBLE, "back": _BACK, "parameter": _IN_PARAMETER, "open": _IN_PARAMETER}[kind]
                at = self._end(inner, at, depth + 1)
        raise UnreadableError

    def _single(self, at: int, start: int) -> int:
        """Return the end of a single quotation in a parameter expansion; in double quotes, an apostrophe is literal."""
        newline = self._text.find("\n", start)
        end = self._text.find("'", at, newline if newline >= 0 else len(self._text))
        if end < 0 or self._text.startswith('}"', self._text.find("}", at, end)):
            return at
        return end + 1

    def _parentheses(self, at: int) -> int:
        """Return the end of an arithmetic expansion."""
        level = 2
        while level:
            match = _PARENTHESES.search(self._text, at)
            if match is None:
                raise UnreadableError
            at = match.end()
            level += {"open": 1, "end": -1}.get(match.lastgroup or "", 0)
        return at

    def _heredocs(self, at: int, depth: int) -> int:
        for begin in self._waiting:
            word = begin.lstrip("<")
            dash = word.startswith("-")
            tag = re.sub(r"[\\'\"]", "", word.removeprefix("-").strip())
            close = re.compile(rf"(?m)^{chr(9) + '*' if dash else ''}{re.escape(tag)}\r?$").search(self._text, at)
            if close is None:
                raise UnreadableError
            if depth == 0:
                self.layout.opaque.append((at - 1, close.end() + 1))
            at = close.end()
        self._waiting.clear()
        return at
