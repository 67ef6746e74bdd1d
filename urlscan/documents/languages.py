"""Languages as far as it matters where their comments and strings end: one table.

A language is what `code.py` must know to tell comments and strings from the rest.  What is close enough to a
neighbour shares its entry.
"""

from typing import NamedTuple


class Quotes(NamedTuple):
    """One way to write a string.

    Attributes:
        opening: what begins it.
        closing: what ends it.
        escapes: how it writes what it cannot hold: "backslash", "doubled" (the closing twice), or "" (not at all).
        lines: whether it may go over a line end.
    """

    opening: str
    closing: str
    escapes: str = "backslash"
    lines: bool = False


class Language(NamedTuple):
    """What is to be known of a language.

    Attributes:
        comments: what begins a comment that ends with its line.
        blocks: what begins and ends one that does not.
        strings: the ways to write strings, the longer openings first.
        joins: whether strings with nothing but white space between them are one.
        escapes: whether a backslash escapes outside of strings, too.
        spaced: whether a comment begins only after white space.
        openers: the pattern of all that opens something, where that depends on what stands before.
        leader: what begins a comment as the first thing of its line, where it is something else elsewhere.
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
    # any of them: what they have in common
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
    # java.util.Properties: "http\://h.example/" is how its own writer has it
    "properties": Language(("#", "!"), escapes=True, spaced=True),
    "python": Language(("#",), (), (_TRIPLE_DOUBLE, _TRIPLE_SINGLE, _DOUBLE, _SINGLE), joins=True),
    "r": Language(("#",), (), (_DOUBLE, _SINGLE)),
    "ruby": Language(("#",), (), (_DOUBLE, _PLAIN_SINGLE), spaced=True),
    "rust": Language(("//",), _SLASHES, (Quotes('"', '"', "backslash", lines=True), _SINGLE)),
    "shell": Language(("#",), (), (_DOUBLE, _PLAIN_SINGLE), escapes=True, spaced=True),
    "sql": Language(("--",), _SLASHES, (_DOUBLED_SINGLE, Quotes('"', '"', "doubled"))),
    "toml": Language(("#",), (), (_TRIPLE_DOUBLE, Quotes("'''", "'''", "", lines=True), _DOUBLE, _PLAIN_SINGLE)),
    # a double quotation mark that is first on its line begins a comment
    "vim": Language((), (), (_DOUBLE, _DOUBLED_SINGLE), openers=r"""(?<=[^\s])[^\S\n]*["']|'""", leader='"'),
    "yaml": Language(("#",), (), (_DOUBLE, _DOUBLED_SINGLE), spaced=True),
}
