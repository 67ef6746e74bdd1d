"""Read markup languages by the syntax of their links, code and comments alone: one table.

These languages are not parsed: each link, code block and comment is found by a pattern.
"""

import heapq
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from types import MappingProxyType

from urlscan.core.lazy import repeat
from urlscan.core.record import NamedTuple
from urlscan.documents.escapes import AnyReplacements, backslashed, collect, encode_characters, merge, verbatim
from urlscan.documents.regions import Encode, Region


class MarkupLanguage(NamedTuple):
    """The links, code and comments of a markup language.

    Attributes:
        links: patterns whose group `url`, `quoted` or `bare` is a link.
        blocks: patterns of the opening and the closing of code blocks; "{}" is the group `mark` of the opening.
        inline_code: patterns of code on one line.
        escape: the pattern of an escape, or "".
        escaped: the text that each escape shows; an escape that is not listed shows its group `one`, or nothing.
        escapes_in_text: whether escapes occur outside links, too.
        multiline: whether a link may be broken over lines.
        label: the brackets around the label that must follow a link, or "".
        terminators: patterns that end a URL and are not a part of it.
        comments: patterns of comments.
        text: the role of other text.
        encode_link, encode_text: how a text is written in a link and elsewhere.
        verbatim_before: the pattern of the text before a link that is written without escapes, or "".
    """

    links: tuple[str, ...]
    blocks: tuple[tuple[str, str], ...] = ()
    inline_code: tuple[str, ...] = ()
    escape: str = ""
    escaped: Mapping[str, str] = MappingProxyType({})
    escapes_in_text: bool = False
    multiline: bool = False
    label: str = ""
    terminators: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    text: str = "prose"
    encode_link: Encode = verbatim
    encode_text: Encode = verbatim
    verbatim_before: str = ""


_IN_TEX = backslashed("%#&{}$")
_IN_TEXINFO = {character: "@" + character for character in "@{}"}

# An argument in braces, with nested pairs of one level, and not the end of a string in a style of BibTeX, such as
# `"\url{" x * "}"`. No character is matched twice.
_BRACED = r"\{(?![^{}\n]{0,400}\"[ ][^{}\n]{0,400}\*)(?P<url>" + repeat(r"[^{}\\]++|\\.|\{[^{}]{0,400}+\}", 1) + r")\}"
_ABSOLUTE = r"(?:[A-Za-z][A-Za-z0-9+.-]{1,30}://|(?:mailto|news|doi|urn|tel):)"
# Matches: `\url{h.example}`, `\href[a=b]{h.example/{a}\_b}`, `\url*{a}`
# Does not match: `\def\url{a}`, `\urlstyle{a}`, `\url{}`, `\url|a|`, `\url{" a * "}`
_TEX_LINK = (
    r"(?<!\\def)(?<!\\let)(?<!newcommand)(?<!newcommand\{)"  # no definition of the command
    rf"\\(?:url|nolinkurl|href)\*?(?:\[[^\[\]\n]{{0,200}}+\])?{_BRACED}"
)
# Matches: `url = {h.example}`, `biburl="h.example"`, `URL={a}`
# Does not match: `curl = {a}`, `url = a`, `url = {The mill http://h.example/a}`
_BIBTEX_FIELD = (
    rf"(?i:\b(?:bib|eprint)?url)\s*+=\s*+(?![{{\"][^{{}}\"]{{1,400}}\s\w+://)(?:{_BRACED}|\"(?P<quoted>[^\"\n]++)\")"
)
# Matches: `\%`, `\~{}`, `\slash`, `\allowbreak{}`, `\-`
# Does not match: `\a`, `\slashes`, `%`
_TEX_ESCAPE = r"\\(?P<one>[%#&_{}$~])(?:\{\})?|\\(?:slash|allowbreak|linebreak|-)(?![A-Za-z])(?:\{\}| )?"
# A name after a colon is that of a resource of Qt ("Qt Style Sheets Reference").
# Matches: `url(a.png)`, `url( "a b" )`, `SRC('a')`
# Does not match: `url()`, `url(a b)`, `url("a)`, `url(':/a.png')`
_CSS_URL = r"""(?i:url|src)\(\s*+(?!["']?:)(?:"(?P<url>[^"\n]+)"|'(?P<quoted>[^'\n]+)'|(?P<bare>[^\s"'()\\]++))\s*+\)"""
# The macros `link:a`, `image::a.png`, `xref:a.adoc`, `link:++a b c++`, `link:$$a$$` and `include::a`, not `link: a`,
# `blink:a` and `\link:a`. Without an extension or a fragment, the target of an xref is an anchor of the same document;
# with a colon it is a resource ID of Antora, `3.4@sdk:a.adoc`. The target of a `video` at a service is an id. The
# patterns begin with a literal, which is found much faster, and the name before it is matched by lookbehinds.
_ASCIIDOC_NAMES = "link image video audio include".split()
_ASCIIDOC_NAME = "|".join(rf"(?<={name}:)(?<![^\W_]{name}:|\\{name}:)" for name in _ASCIIDOC_NAMES)
_ASCIIDOC_MACRO = (
    rf":(?:{_ASCIIDOC_NAME}|(?<=xref:)(?<![\w\\]xref:)(?=:?[^\s\[\]:.#]*+[.#][^\s\[\]:]*+\[)):?"
    r"(?:(?P<mark>\+\+|\$\$)(?P<quoted>[^\s\[\]+$][^\[\]+\n]*?)(?P=mark)"
    r"|(?P<url>(?![^\s\[\]$/]{0,200}(?:page|partial|example|image)\$|[^\s\[\]:]{1,200}\[(?:youtube|vimeo|wistia)\b)"
    r"[^\s\[\]:+$][^\s\[\]]*+))"
)
# Matches: `http://h.example/a`, `mailto:jo@h.example`
# Does not match: `h.example`, `http:a`, `http://a[b`
_ASCIIDOC_URL = (
    r"(?P<url>(?:http(?<![\w:/=\\]http)(?<!=[\"']http)s?://|ftp(?<![\w:/=\\]ftp)(?<!=[\"']ftp)://"
    r"|irc(?<![\w:/=\\]irc)(?<!=[\"']irc)s?://|mailto:(?<![\w:/=\\]mailto:)(?<!=[\"']mailto:))[^\s\[\]<>]++)"
)
_GLYPHS = {"ti": "~", "ha": "^", "aq": "'", "hy": "-", "rs": "\\", "at": "@", "sl": "/", "en": "-"}
_GLYPH = "|".join(_GLYPHS)
# Matches: `\-`, `\:`, `\fB`, `\f[CR]`, `\(ti`, `\[ha]`
# Does not match: `\a`, `\f`, `\(xx`, `\[ti`, `\X'tty: link a'`
_ROFF_ESCAPE = (
    rf"\\(?:(?P<one>[-.])|[:&%/,|^{{}}]|f(?:\[[^\]\n]{{0,20}}\]|\([A-Z]{{2}}|[A-Z0-9])|\((?:{_GLYPH})|\[(?:{_GLYPH})\]"
    r"|X'tty: link')"
)

MARKUP_LANGUAGES = {
    # The url, hyperref and biblatex packages: TeX needs the escapes "\%", "\#" and "\&".
    "latex": MarkupLanguage(
        (_TEX_LINK, r"\\(?:url|nolinkurl)(?P<bar>[|!+])(?P<url>[^|!+\s]++)(?P=bar)", _BIBTEX_FIELD),
        ((r"\\begin\{(?P<mark>verbatim|lstlisting|minted|Verbatim|alltt)\*?\}", r"\\end\{{{}\*?\}}"),),
        (r"\\(?:verb|lstinline)\*?(?P<mark>[|!+=/\"@])[^\n]*?(?P=mark)",),
        escape=_TEX_ESCAPE,
        escaped={r"\slash": "/", r"\slash{}": "/", r"\slash ": "/"},
        escapes_in_text=True,
        multiline=True,
        encode_link=partial(encode_characters, table=_IN_TEX, refused="\\^"),
        encode_text=partial(encode_characters, table={**_IN_TEX, "_": r"\_", "~": r"\~{}"}, refused="\\^"),
        # BibTeX writes the field into \url unchanged, and "\url|...|" has no escapes.
        verbatim_before=r"=\s*+[{\"]\s*+\Z|\\(?:url|nolinkurl)[|!+]\Z",
        comments=(r"(?m)(?:^|(?<=\s))%[^\n]*",),
    ),
    # CSS Values 4 section 4.5; CSS Cascade 5 section 2 for @import, without the names of files of Sass and Less
    "css": MarkupLanguage(
        (
            _CSS_URL,
            r"(?i:@import)\s++(?:\"(?P<url>(?=[^\"\n]*?(?:\.css|//))[^\"\n]++)\""
            r"|'(?P<quoted>(?=[^'\n]*?(?:\.css|//))[^'\n]++)')",
        ),
        escape=r"\\(?P<one>[()'\"\\ ,])",
        terminators=(r"\*/",),
        comments=(r"/\*" + repeat(r"[^*]++|\*(?!/)"),),
        text="code",
        encode_link=partial(encode_characters, table=backslashed("()'\"\\")),
    ),
    # The macros of AsciiDoc: url[text], link:target[text], image::target[]
    "asciidoc": MarkupLanguage(
        (_ASCIIDOC_MACRO, _ASCIIDOC_URL),
        (
            (
                r"(?P<mark>(?>-(?<![^\n]-)-{3,399}(?!-)|\.(?<![^\n]\.)\.{3,399}(?!\.)|\+(?<![^\n]\+)\+{3,399}(?!\+)"
                r"|/(?<![^\n]/)/{3,399}(?!/)|`(?<![^\n]`)``))[^\n]*\n",
                r"(?m)^{}[ \t]*(?=\r?$)",
            ),
        ),
        (r"`(?<![\w`\\]`)(?=[^\s`])[^`\n]{1,400}(?<=\S)`(?![\w`])",),
        escape=r"\+\+(?P<one>[^\s\[\]+]++)\+\+",  # a passthrough
        label="[]",
        comments=(r"/(?<![^\n]/)/(?!/)[^\n]*",),
        encode_link=partial(encode_characters, table={}, refused="[]+"),
    ),
    # Org Mode manual, "Link Format": "info:" and the like are internal to Emacs; "file:" may precede a relative path,
    # and "::" follow it
    "org": MarkupLanguage(
        (
            rf"\[\[(?P<url>(?:{_ABSOLUTE}|\.{{1,2}}/)[^\[\]\n]++)\](?:\[|\])",
            r"\[\[file:(?P<url>(?![/~])[^\[\]\n:]++)(?:::[^\[\]\n]*+)?\](?:\[|\])",
        ),
        ((r"(?im)^[ \t]*#\+begin_(?P<mark>src|example)\b", r"(?im)^[ \t]*#\+end_{}\b"),),
        (r"(?m)^[ \t]*: [^\n]*", r"(?<![\w~=])(?P<mark>[~=])(?=[^\s~=])[^\n]{0,400}?(?<=\S)(?P=mark)(?!\w)"),
        escape=r"\\(?P<one>[\[\]\\])",
        encode_link=partial(encode_characters, table={}, refused="[]\\"),
        comments=(r"(?m)^[ \t]*#[ \t][^\n]*",),
    ),
    # groff_char(7), man(7), mdoc(7), grotty(1): "\:" allows a line break, "\-" is a minus sign, "\." begins no request
    "roff": MarkupLanguage(
        (
            r"(?m)^\.[ \t]*(?:UR|URL|Lk|pdfhref W(?: -D)?)[ \t]+\"?(?P<url>[^\s\"]++)",
            r"\\X'tty: link (?P<url>[^\s']++)",
        ),
        escape=_ROFF_ESCAPE,
        escaped={rf"\({n}": c for n, c in _GLYPHS.items()} | {rf"\[{n}]": c for n, c in _GLYPHS.items()},
        escapes_in_text=True,
        encode_link=partial(encode_characters, table={"\\": r"\[rs]"}, refused='"'),
        encode_text=partial(encode_characters, table={"\\": r"\[rs]"}),
        comments=(r"\\\"[^\n]*",),
    ),
    # Texinfo manual, "@url": the URL ends at a comma or the brace
    "texinfo": MarkupLanguage(
        (r"@(?:uref|url|indicateurl)\{(?P<url>" + repeat(r"[^{},@]++|@[@{}/]|@comma\{\}|@(?![a-z]++\{)", 1) + ")[,}]",),
        ((r"(?m)^@(?P<mark>example|smallexample|verbatim|lisp|smalllisp)\b", r"(?m)^@end {}\b"),),
        escape=r"@(?P<one>[@{}])|@/|@comma\{\}|@-",
        escaped={"@comma{}": ","},
        escapes_in_text=True,
        multiline=True,
        encode_link=partial(encode_characters, table={**_IN_TEXINFO, ",": "@comma{}"}),
        encode_text=partial(encode_characters, table=_IN_TEXINFO),
        comments=(r"(?m)^@c(?:omment)?[ \t][^\n]*",),
    ),
}
_Span = tuple[int, int, str]  # start, end and role
_BREAK = re.compile(r"[ \t]*+[\r\n]\s*")
_TITLE = 1000  # characters before an underline that are searched for its title
_LONGEST_TEXT = 4000  # characters in the brackets after a link
_BEFORE = 80  # characters before a link that are searched by `verbatim_before`


def regions(text: str, kind: str, _scope: str = "") -> Iterator[Region]:
    """Yield the links, code and comments of the document, and the text between them."""
    language = MARKUP_LANGUAGES[kind]
    # Each iterator is in order; they are merged lazily, since there may be a span every few bytes.
    searches = [_links(text, expression, language) for expression in language.links]
    for role, expressions in (
        ("code", language.inline_code),
        ("markup", language.terminators),
        ("comment", language.comments),
    ):
        searches += [_matches(text, expression, role) for expression in expressions]
    unclosed: set[str] = set()
    searches += [_blocks(text, opening, closing, unclosed) for opening, closing in language.blocks]
    region_end = 0
    last = None
    for span in heapq.merge(*searches):
        start, end, role = span
        if start >= region_end and span != last:
            last = span
            yield _region(language.text, text, region_end, start, language)
            yield _region(role, text, start, end, language)
            region_end = end
    yield _region(language.text, text, region_end, len(text), language)


def _matches(text: str, expression: str, role: str) -> Iterator[_Span]:
    for match in _compiled(expression).finditer(text):
        yield *match.span(), role


def _blocks(text: str, opening: str, closing: str, unclosed: set[str]) -> Iterator[_Span]:
    position = 0
    while (begin := _compiled(opening).search(text, position)) is not None:
        position = begin.end()
        closer = closing.format(re.escape(begin["mark"]))
        if closer in unclosed or _is_underline(text, begin.start(), len(begin["mark"])):
            continue
        end = _compiled(closer).search(text, position)
        if end is None:
            unclosed.add(closer)
            continue
        position = end.end()
        yield begin.start(), position, "code"


def _is_underline(text: str, start: int, length: int) -> bool:
    """Return whether the line at text[start] underlines a title of two lines.

    AsciiDoc Language, "Two-line titles": the underline is as long as the title, or one character longer or shorter,
    and nothing precedes the title in its block.
    """
    if text[start : start + 1] not in ("-", "+"):
        return False
    *before, title = text[max(start - _TITLE, 0) : max(start - 1, 0)].split("\n")[-2:]
    return bool(title.strip()) and abs(len(title.rstrip()) - length) <= 1 and not (before and before[0].strip())


def _links(text: str, expression: str, language: MarkupLanguage) -> Iterator[_Span]:
    for match in _compiled(expression).finditer(text):
        if not language.label or _is_followed(text, match.end(), language.label):
            groups = match.groupdict()
            start, end = match.span(next(name for name in ("url", "quoted", "bare") if groups.get(name)))
            link = text[start:end]
            start, end = start + len(link) - len(link.lstrip()), end - len(link) + len(link.rstrip())
            if start < end:
                yield start, end, "link"


def _is_followed(text: str, start: int, brackets: str) -> bool:
    """Return whether text in a pair of brackets begins at `start` and ends in the same paragraph."""
    if not text.startswith(brackets[0], start):
        return False
    closing = _compiled(rf"(?<!\\){re.escape(brackets[1])}").search(text, start, start + _LONGEST_TEXT)
    if closing is None:
        return False
    end = closing.start()
    return text.find("\n\n", start, end) < 0 and text.find("\n\r\n", start, end) < 0


def _region(role: str, text: str, start: int, end: int, language: MarkupLanguage) -> Region:
    replacements: AnyReplacements = ()
    if language.escape and (role == "link" or (language.escapes_in_text and role in ("prose", "comment"))):
        escapes = _compiled(language.escape).finditer(text, start, end)
        replacements = collect((*match.span(), language.escaped.get(match[0], match["one"] or "")) for match in escapes)
    if role == "link" and language.multiline:
        replacements = merge(replacements, ((*match.span(), "") for match in _BREAK.finditer(text, start, end)))
    encode: tuple[Encode, ...] = ()
    if role in ("prose", "comment", language.text):
        encode = (language.encode_text,)
    elif role == "link":
        encode = (language.encode_link,)
        before = language.verbatim_before
        if before and _compiled(before).search(text, max(start - _BEFORE, 0), start) is not None:
            encode = (verbatim,)
    return Region(role, start, end, replacements, encode=encode)


@lru_cache(maxsize=256)
def _compiled(expression: str) -> "re.Pattern[str]":
    return re.compile(expression)
