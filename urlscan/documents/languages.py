"""The syntax of comments and strings by language, for the reader of source code.

Similar languages share an entry.
"""

from urlscan.core.lazy import lazy
from urlscan.core.record import NamedTuple

# The text after a key of an object or a table, by which a program finds the value, and after a string that an operator,
# a macro or another string continues: its URL is incomplete.
# Matches: `":`, ` =`, `'\n:`, `" +`, `' .`, `"$`, `' f'`, `" PORT`
# Does not match: `", `, `"`, `"\nPORT`, `" title=`
CONTINUATION = lazy(r"[\"'`]*\s*(?:[:=+%.&~^$\\]|\|\||<>)|[\"'`]+(?:[\w({]|[ \t]+[A-Z_]+\b|\s+[A-Za-z]{1,2}[\"'])")


class Quotes(NamedTuple):
    """A kind of string literal.

    Attributes:
        opening: the opening delimiter.
        closing: the closing delimiter.
        escapes: "backslash", "doubled" (the closing delimiter twice), or "" for none.
        lines: whether it may span lines.
    """

    opening: str
    closing: str
    escapes: str = "backslash"
    lines: bool = False

    @property
    def line_end(self) -> str:
        """The line break that ends an unclosed string; "" if it may span lines."""
        if self.lines:
            return ""
        return "\n"


class Language(NamedTuple):
    """The comments and strings of a language.

    Attributes:
        comments: the openings of line comments.
        blocks: the openings and closings of block comments.
        strings: the kinds of string literals, the longer openings first.
        joins: whether adjacent string literals are concatenated.
        escapes: whether a backslash also escapes outside strings.
        spaced: whether a comment begins only after white space.
        openers: the pattern of all openings, if an opening depends on the text before it.
        leader: the opening of a comment at the beginning of a line that has another meaning elsewhere.
    """

    comments: tuple[str, ...] = ()
    blocks: tuple[tuple[str, str], ...] = ()
    strings: tuple[Quotes, ...] = ()
    joins: bool = False
    escapes: bool = False
    spaced: bool = False
    openers: str = ""
    leader: str = ""


_DOUBLE = Quotes('"', '"')
_SINGLE = Quotes("'", "'")
_PLAIN_SINGLE = Quotes("'", "'", "")
_DOUBLED_SINGLE = Quotes("'", "'", "doubled")
_BACKTICK = Quotes("`", "`", "backslash", lines=True)
_TRIPLE_DOUBLE = Quotes('"""', '"""', "backslash", lines=True)
_TRIPLE_SINGLE = Quotes("'''", "'''", "backslash", lines=True)
_SLASHES = (("/*", "*/"),)

LANGUAGES = {
    # an unknown language: the syntax that most languages share
    "source": Language((), _SLASHES, (_DOUBLE,)),
    "c": Language(("//",), _SLASHES, (_DOUBLE, _SINGLE), joins=True),
    "dockerfile": Language(("#",), (), (_DOUBLE, _PLAIN_SINGLE), escapes=True, spaced=True),
    "go": Language(("//",), _SLASHES, (_DOUBLE, _SINGLE, Quotes("`", "`", "", lines=True))),
    "haskell": Language(("--",), (("{-", "-}"), ("(*", "*)")), (_DOUBLE,)),
    "ini": Language((";", "#"), spaced=True),
    "java": Language(("//",), _SLASHES, (_TRIPLE_DOUBLE, _DOUBLE, _SINGLE)),
    "javascript": Language(("//",), _SLASHES, (_DOUBLE, _SINGLE, _BACKTICK)),
    "json": Language((), (), (_DOUBLE,)),
    "jsonl": Language((), (), (_DOUBLE,)),
    "lisp": Language((";",), (("#|", "|#"),), (Quotes('"', '"', "backslash", lines=True),)),
    "lua": Language(("--",), (("--[[", "]]"),), (Quotes("[[", "]]", "", lines=True), _DOUBLE, _SINGLE)),
    "makefile": Language(("#",), spaced=True),
    "perl": Language(("#",), (), (_DOUBLE, _PLAIN_SINGLE), spaced=True),
    "php": Language(("//", "#"), _SLASHES, (_DOUBLE, _SINGLE)),
    "po": Language(("#",), (), (_DOUBLE,), joins=True),
    "powershell": Language(("#",), (("<#", "#>"),), (Quotes('"', '"', "doubled"), _DOUBLED_SINGLE)),
    # java.util.Properties writes "http\://h.example/"
    "properties": Language(("#", "!"), escapes=True, spaced=True),
    "python": Language(("#",), (), (_TRIPLE_DOUBLE, _TRIPLE_SINGLE, _DOUBLE, _SINGLE), joins=True),
    "r": Language(("#",), (), (_DOUBLE, _SINGLE)),
    "ruby": Language(("#",), (), (_DOUBLE, _PLAIN_SINGLE), spaced=True),
    "rust": Language(("//",), _SLASHES, (Quotes('"', '"', "backslash", lines=True), _SINGLE)),
    "shell": Language(("#",), (), (_DOUBLE, _PLAIN_SINGLE), escapes=True, spaced=True),
    "sql": Language(("--",), _SLASHES, (_DOUBLED_SINGLE, Quotes('"', '"', "doubled"))),
    "toml": Language(("#",), (), (_TRIPLE_DOUBLE, Quotes("'''", "'''", "", lines=True), _DOUBLE, _PLAIN_SINGLE)),
    # a double quotation mark at the beginning of a line begins a comment
    "vim": Language((), (), (_DOUBLE, _DOUBLED_SINGLE), openers=r"""(?<=[^\s])[^\S\n]*["']|'""", leader='"'),
    "yaml": Language(("#",), (), (_DOUBLE, _DOUBLED_SINGLE), spaced=True),
}
