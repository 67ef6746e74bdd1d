"""The syntax of comments and strings by language, as precise as adding a comment requires.

`languages.py` errs towards finding a URL; this table errs towards refusing. A language is listed only if its multi-line
strings, regular expressions and here-documents are known.
"""

from typing import NamedTuple


class String(NamedTuple):
    """A kind of string literal.

    Attributes:
        opening: the pattern of the opening delimiter.
        closing: the closing delimiter.
        escape: the character or text that escapes, or "".
        lines: whether it may span lines; if not, an unclosed opening is not a string.
        inner: the opening of an expression in it, or "".
    """

    opening: str
    closing: str
    escape: str = "\\"
    lines: bool = False
    inner: str = ""


class Syntax(NamedTuple):
    """The comments and strings of a language.

    Attributes:
        comment: the delimiters with which a comment is added.
        lines: the openings of line comments.
        blocks: the openings and closings of block comments.
        strings: the kinds of string literals, the longer openings first.
        skipped: the pattern of tokens that hold a quotation mark or the opening of a comment, but are neither.
        raw: the pattern of the opening of a raw string, with a group `tag`.
        raw_closing: its closing; "{}" is the tag.
        regexes: whether the language has regular expressions between slashes.
        quoting: the pattern of quoting operators, as in Perl and Ruby; the delimiter follows.
        heredoc: the pattern of the opening of a here-document, with the groups `tag` and, if it may be indented,
            `indented`.
        verbatim: the pattern of text in a program.
        refused: the pattern of unsupported syntax; a program that contains it is refused.
        documentation: the pattern of the opening of a documentation comment.
        documents: whether a comment directly above code documents it.
        nested: whether comments nest.
        spaced: whether a comment begins only after white space.
    """

    comment: tuple[str, str]
    lines: tuple[str, ...] = ()
    blocks: tuple[tuple[str, str], ...] = ()
    strings: tuple[String, ...] = ()
    skipped: str = ""
    raw: str = ""
    raw_closing: str = ""
    regexes: bool = False
    quoting: str = ""
    heredoc: str = ""
    verbatim: str = ""
    refused: str = ""
    documentation: str = ""
    documents: bool = False
    nested: bool = False
    spaced: bool = False


_DOUBLE = String('"', '"')
_SINGLE = String("'", "'")
# A character literal; not a lifetime of Rust, a prime of Haskell, or an apostrophe in a directive of C.
_CHARACTER = r"'(?:\\[^\n]{1,10}?|[^'\\\n])'"
_SLASHES = ("//",), (("/*", "*/"),)
_DOCUMENTATION = r"/\*[*!]|//[/!]"

_OPERATOR = r"[!#$%&*+./<=>?@\\^|~:]"  # of Haskell
_POD = r"(?ms)^=[a-zA-Z].*?(?:^=cut\b[^\n]*$|\Z)"
_FORMAT = r"(?m)^[ \t]*format\b[^\n=]*=[ \t]*\r?$"  # of Perl

_C = Syntax(
    ("/* ", " */"),
    *_SLASHES,
    strings=(_DOUBLE, _SINGLE),
    skipped=r"(?<=[0-9a-fA-F])'(?=[0-9a-fA-F])",
    raw=r"\b(?:u8|[uUL])?R\"(?P<tag>[^()\\\s]{0,16})\(",
    raw_closing='){}"',
    documentation=_DOCUMENTATION,
)
_JAVA = Syntax(
    ("// ", ""),
    *_SLASHES,
    strings=(String('"""', '"""', lines=True), _DOUBLE),
    skipped=_CHARACTER,
    documentation=_DOCUMENTATION,
)
_JAVASCRIPT = Syntax(
    ("// ", ""),
    *_SLASHES,
    strings=(_DOUBLE, _SINGLE, String("`", "`", lines=True, inner="${")),
    regexes=True,
    refused=r"</[A-Za-z>]|/>|<>",  # JSX, where a comment would be shown
    documentation=r"/\*\*|///",
)
_LISP = Syntax(
    ("; ", ""),
    (";",),
    (("#|", "|#"),),
    (String('"', '"', lines=True),),
    skipped=r"[?#]\\.|(?<![\w)])\?.|\\.",
    documentation=r"(?m)^;;; ",
    nested=True,
)

SYNTAXES = {
    "c": _C,
    "cs": _JAVA._replace(
        strings=(String('"""', '"""', "", lines=True), String(r'(?:@\$?|\$@)"', '"', '""', lines=True), _DOUBLE)
    ),
    "go": _JAVA._replace(
        strings=(String("`", "`", "", lines=True), _DOUBLE), documentation="//[a-z]+:", documents=True
    ),
    "haskell": Syntax(
        ("-- ", ""),
        ("--",),
        (("{-", "-}"),),
        (_DOUBLE,),
        skipped=_CHARACTER + rf"|{_OPERATOR}--+|--+{_OPERATOR}",
        refused=r"\[[a-z][\w.']*\||\\[ \t]*\n[ \t]*\\",
        documentation=r"\{-[ \t]*\||--[ \t]*[|^*$]",
        documents=True,
        nested=True,
    ),
    "java": _JAVA,
    "javascript": _JAVASCRIPT,
    "kotlin": _JAVA._replace(
        strings=(String('"""', '"""', "", lines=True, inner="${"), String('"', '"', inner="${")), nested=True
    ),
    "lisp": _LISP,
    "lua": Syntax(
        ("-- ", ""),
        ("--",),
        (("--[[", "]]"),),
        (_DOUBLE, _SINGLE, String(r"\[\[", "]]", "", lines=True)),
        refused=r"\[=+\[",
        documentation="---",
    ),
    "perl": Syntax(
        ("# ", ""),
        ("#",),
        (),
        (String('"', '"', lines=True), String("'", "'", lines=True), String("`", "`", lines=True)),
        skipped=r"//=?|\$[\"'`/#&;,!@\\]|\$#\{?|[$@%&]\w+|(?<=\w)'(?=\w)|->\w+|\b\w+(?=[ \t]*=>)|\{\w+\}",
        regexes=True,
        quoting=r"(?<![\w$@%&>'-])(?:q[qwrx]?|m|s|tr|y)\b(?![ \t]*(?:=>|[;)])|[ \t]+[,=])",
        heredoc=r"<<(?P<indented>~)?(?:(?P<mark>[\"'])(?P<quoted>[^\"'\n]+)(?P=mark)|(?P<tag>[A-Za-z_]\w*))",
        verbatim=rf"{_POD}|^__(?:END|DATA)__[ \t]*\r?$.*",
        refused=_FORMAT,
    ),
    "php": Syntax(
        ("// ", ""),
        ("//", "#"),
        (("/*", "*/"),),
        (String('"', '"', lines=True), String("'", "'", lines=True), String("`", "`", lines=True)),
        skipped=r"#\[",
        heredoc=r"<<<[ \t]*(?P<indented>(?P<mark>[\"']?))(?P<tag>[A-Za-z_]\w*)(?P=mark)(?=\r?\n)",
        refused=r"\?>",
        documentation=r"/\*\*",
    ),
    "r": Syntax(
        ("# ", ""),
        ("#",),
        (),
        (String('"', '"', lines=True), String("'", "'", lines=True), String("`", "`", lines=True)),
        refused=r"\b[rR][\"']-*[(\[{]",
        documentation="#'",
    ),
    "ruby": Syntax(
        ("# ", ""),
        ("#",),
        (),
        (
            String('"', '"', lines=True, inner="#{"),
            String("'", "'", lines=True),
            String("`", "`", lines=True, inner="#{"),
        ),
        skipped=r"\?[\"'`#](?!\w)|\$[\"'`/;,~]|:(?=[\"'])",
        regexes=True,
        quoting=r"(?<![\w)\]}%])%[qQwWiIrsx]?(?=[(\[{<|!])",
        heredoc=r"<<(?:(?P<indented>[-~])(?P<mark>[\"'`]?)(?P<quoted>[A-Za-z_]\w*)(?P=mark)|(?P<tag>[A-Z_][A-Z_0-9]*)\b)",
        verbatim=r"(?ms)^=begin\b.*?(?:^=end\b[^\n]*$|\Z)|^__END__\r?$.*",
        documents=True,
        spaced=True,
    ),
    "rust": _JAVA._replace(
        strings=(String('"', '"', lines=True),),
        skipped=_CHARACTER,
        raw=r"\bb?r(?P<tag>#*)\"",
        raw_closing='"{}',
        nested=True,
    ),
    "scala": _JAVA._replace(
        strings=(String('"""', '"""', "", lines=True, inner="${"), String('"', '"', inner="${")), nested=True
    ),
    "sql": Syntax(
        ("-- ", ""),
        ("--",),
        (("/*", "*/"),),
        (String("'", "'", "''", lines=True), String('"', '"', '""', lines=True), String("`", "`", "", lines=True)),
        refused=r"\\['\"]|\$\w*\$",
    ),
    "swift": _JAVA._replace(
        strings=(String('"""', '"""', lines=True, inner="\\("), String('"', '"', inner="\\(")),
        refused=r"#+\"",
        nested=True,
    ),
    "cmake": Syntax(("# ", ""), ("#",), (), (String('"', '"', lines=True),), skipped=r"\\.", refused=r"\[=*\["),
    "css": Syntax(
        ("/* ", " */"),
        (),
        (("/*", "*/"),),
        (_DOUBLE, _SINGLE),
        skipped=r"(?i:url)\([^\"')]*\)",
        documentation=r"/\*!",
    ),
    "scss": Syntax(
        ("// ", ""),
        *_SLASHES,
        strings=(_DOUBLE, _SINGLE),
        skipped=r"(?i:url)\([^\"')]*\)",
        documentation=r"/\*!|///",
    ),
    "yaml": Syntax(
        ("# ", ""),
        ("#",),
        (),
        (String(r"(?<![^\s\[{,(])\"", '"', lines=True), String(r"(?<![^\s\[{,(])'", "'", "''", lines=True)),
        spaced=True,
    ),
    "toml": Syntax(
        ("# ", ""),
        ("#",),
        (),
        (String('"""', '"""', lines=True), String("'''", "'''", "", lines=True), _DOUBLE, String("'", "'", "")),
    ),
}
_BY_EXTENSION = {
    "c": "c h cc cpp cxx c++ hh hpp hxx h++ inl ino m mm cu cuh",
    "cs": "cs",
    "css": "css pcss",
    "scss": "scss less",
    "go": "go",
    "haskell": "hs",
    "java": "java",
    "javascript": "js mjs cjs ts mts cts",
    "kotlin": "kt kts",
    "lisp": "el lisp lsp cl clj cljs cljc scm ss",
    "lua": "lua",
    "perl": "pl pm",
    "php": "php phtml",
    "r": "r",
    "ruby": "rb rake gemspec ru podspec",
    "rust": "rs",
    "scala": "scala sc",
    "sql": "sql ddl",
    "swift": "swift",
    "toml": "toml",
}
LANGUAGE_OF = {extension: name for name, extensions in _BY_EXTENSION.items() for extension in extensions.split()}
