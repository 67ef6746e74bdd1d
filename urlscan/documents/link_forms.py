"""Markup languages of which only the forms of their links matter: one table.

A form is an expression whose group `url` is a link; what is code is listed and not judged; an escape of the
language stands for something else wherever it is written.
"""

import functools
import heapq
import re
from collections.abc import Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from urlscan.core.lazy import repeat
from urlscan.documents.edits import verbatim
from urlscan.documents.replacements import AnyReplacements, collect, merge
from urlscan.documents.segments import Encode, Region


class Form(NamedTuple):
    """A markup language.

    Attributes:
        links: expressions with a group `url`, `quoted` or `bare` that is the link.
        blocks: what begins and what ends code of another language; "{}" is the group `mark` of what begins it.
        codes: expressions of what is such code, on one line.
        escape: an expression of what is written otherwise than it is meant, or "".
        stands_for: what it means, by what it is; what is not named means its group `one`, or nothing.
        everywhere: whether the escape is one outside of links, too.
        breaks: whether a link may be broken over lines.
        closer: the brackets around a text that must follow a link, or "".
        marks: expressions of what ends a URL and is nobody's.
        comments: expressions of comments.
        text: the role of what is none of these.
        in_link, in_prose: how a text is written there.
        as_it_is: an expression of what stands before a link in which nothing is escaped, or "".
    """

    links: tuple[str, ...]
    blocks: tuple[tuple[str, str], ...] = ()
    codes: tuple[str, ...] = ()
    escape: str = ""
    stands_for: Mapping[str, str] = MappingProxyType({})
    everywhere: bool = False
    breaks: bool = False
    closer: str = ""
    marks: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    text: str = "prose"
    in_link: Encode = verbatim
    in_prose: Encode = verbatim
    as_it_is: str = ""


def _written(table: Mapping[str, str], refused: str, text: str) -> str | None:
    """Return the text with what the table has replaced; None if it holds white space or what is refused."""
    if any(character.isspace() or character in refused for character in text):
        return None
    return "".join(table.get(character, character) for character in text)


_IN_TEX = {character: "\\" + character for character in "%#&{}$"}
_IN_TEXINFO = {character: "@" + character for character in "@{}"}


# An argument in braces, with one more pair in it.  No run is gone over twice: all are possessive.
_BRACED = r"\{(?P<url>" + repeat(r"[^{}\\]++|\\.|\{[^{}]{0,400}+\}", 1) + r")\}"
_ABSOLUTE = r"(?:[A-Za-z][A-Za-z0-9+.-]{1,30}://|(?:mailto|news|doi|urn|tel):)"
_GLYPHS = {"ti": "~", "ha": "^", "aq": "'", "hy": "-", "rs": "\\", "at": "@", "sl": "/", "en": "-"}

FORMS = {
    # The url, hyperref and biblatex packages: "\%", "\#" and "\&" are what TeX needs to be told.
    "latex": Form(
        (
            # Not where the command itself is defined: "\\def\\url{...}".
            rf"(?<!\\def)(?<!\\let)(?<!newcommand)(?<!newcommand\{{)\\(?:url|nolinkurl|href)\*?(?:\[[^\[\]\n]{{0,200}}+\])?{_BRACED}",
            r"\\(?:url|nolinkurl)(?P<bar>[|!+])(?P<url>[^|!+\s]++)(?P=bar)",
            # BibTeX: url = {...} or "..."
            rf"(?i:\b(?:biburl|url|eprinturl))\s*+=\s*+(?:{_BRACED}|\"(?P<quoted>[^\"\n]++)\")",
        ),
        ((r"\\begin\{(?P<mark>verbatim|lstlisting|minted|Verbatim|alltt)\*?\}", r"\\end\{{{}\*?\}}"),),
        (r"\\(?:verb|lstinline)\*?(?P<mark>[|!+=/\"@])[^\n]*?(?P=mark)",),
        escape=r"\\(?P<one>[%#&_{}$~])(?:\{\})?|\\(?:slash|allowbreak|linebreak|-)(?![A-Za-z])(?:\{\})?",
        stands_for={r"\slash": "/", r"\slash{}": "/"},
        everywhere=True,
        breaks=True,
        in_link=partial(_written, _IN_TEX, "\\^"),
        in_prose=partial(_written, {**_IN_TEX, "_": r"\_", "~": r"\~{}"}, "\\^"),
        # BibTeX's field is written into \url as it is, and "\url|...|" takes all for itself.
        as_it_is=r"=\s*+[{\"]\s*+\Z|\\(?:url|nolinkurl)[|!+]\Z",
        comments=(r"(?m)(?:^|(?<=\s))%[^\n]*",),
    ),
    # CSS Values 4 section 4.5; CSS Cascade 5 section 2 for @import
    "css": Form(
        (
            r"(?i:url|src)\(\s*+(?:\"(?P<url>[^\"\n]++)\"|'(?P<quoted>[^'\n]++)'|(?P<bare>[^\s\"'()\\]++))\s*+\)",
            r"(?i:@import)\s++(?:\"(?P<url>[^\"\n]++)\"|'(?P<quoted>[^'\n]++)')",
        ),
        escape=r"\\(?P<one>[()'\"\\ ,])",
        marks=(r"\*/",),
        comments=(r"/\*" + repeat(r"[^*]++|\*(?!/)"),),
        text="code",
        in_link=partial(_written, {character: "\\" + character for character in "()'\"\\"}, ""),
    ),
    # The macros of AsciiDoc: url[text], link:target[text], image::target[]
    "asciidoc": Form(
        (
            r"(?<!\\)\b(?:link|image|video|audio|include|xref):{1,2}"
            r"(?:\+\+(?P<quoted>[^\s\[\]+][^\[\]+\n]*+)\+\+|(?P<url>[^\s\[\]:+][^\s\[\]]*+))",
            r"(?<![\w:/<=\\])(?<!=[\"'])(?P<url>(?:https?|ftp|ircs?)://[^\s\[\]<>]++|mailto:[^\s\[\]<>]++)",
        ),
        (
            (
                r"(?m)^(?P<mark>(?>-{4,400}(?!-)|\.{4,400}(?!\.)|\+{4,400}(?!\+)|/{4,400}(?!/)|```))[^\n]*\n",
                r"(?m)^{}[ \t]*(?=\r?$)",
            ),
        ),
        (r"`[^`\n]{1,400}`",),
        closer="[]",
        comments=(r"(?m)^//(?!/)[^\n]*",),
        in_link=partial(_written, {}, "[]+"),
    ),
    # Org Mode manual, "Link Format": "file:", "info:" and their like are Emacs' own
    "org": Form(
        (rf"\[\[(?P<url>(?:{_ABSOLUTE}|\.{{1,2}}/)[^\[\]\n]++)\](?:\[|\])",),
        ((r"(?im)^[ \t]*#\+begin_(?P<mark>src|example)\b", r"(?im)^[ \t]*#\+end_{}\b"),),
        (
            r"(?m)^[ \t]*: [^\n]*",
            r"(?<![\w~=])(?P<mark>[~=])(?=[^\s~=])[^\n]{0,400}?(?<=\S)(?P=mark)(?!\w)",
        ),
        escape=r"\\(?P<one>[\[\]\\])",
        in_link=partial(_written, {}, "[]\\"),
        comments=(r"(?m)^[ \t]*#[ \t][^\n]*",),
    ),
    # groff_char(7), man(7), mdoc(7): "\:" is a place where a line may be broken, "\-" a minus sign,
    # "\." a full stop that begins no request
    "roff": Form(
        (r"(?m)^\.[ \t]*(?:UR|URL|Lk|pdfhref W(?: -D)?)[ \t]+\"?(?P<url>[^\s\"]++)",),
        escape=r"\\(?:(?P<one>[-.])|[:&%/,|^{}]|f(?:\[[^\]\n]{0,20}\]|\([A-Z]{2}|[A-Z0-9])"
        rf"|\((?:{'|'.join(_GLYPHS)})|\[(?:{'|'.join(_GLYPHS)})\])",
        stands_for={rf"\({n}": c for n, c in _GLYPHS.items()} | {rf"\[{n}]": c for n, c in _GLYPHS.items()},
        everywhere=True,
        in_link=partial(_written, {"\\": r"\[rs]"}, '"'),
        in_prose=partial(_written, {"\\": r"\[rs]"}, ""),
        comments=(r"\\\"[^\n]*",),
    ),
    # Texinfo manual, "@url": the URL ends at a comma or the brace
    "texinfo": Form(
        (r"@(?:uref|url|indicateurl)\{(?P<url>" + repeat(r"[^{},@]++|@[@{}/]|@comma\{\}", 1) + ")[,}]",),
        ((r"(?m)^@(?P<mark>example|smallexample|verbatim|lisp|smalllisp)\b", r"(?m)^@end {}\b"),),
        escape=r"@(?P<one>[@{}])|@/|@comma\{\}|@-",
        stands_for={"@comma{}": ","},
        everywhere=True,
        breaks=True,
        in_link=partial(_written, {**_IN_TEXINFO, ",": "@comma{}"}, ""),
        in_prose=partial(_written, _IN_TEXINFO, ""),
        comments=(r"(?m)^@c(?:omment)?[ \t][^\n]*",),
    ),
}
_Found = tuple[int, int, str]  # start, end and role
_BREAK = re.compile(r"[ \t]*+[\r\n]\s*")
_TITLE = 1000  # characters before an underline that are looked at for its title
_LONGEST_TEXT = 4000  # characters in the brackets after a link
_BEFORE = 80  # characters before a link that tell how it is written


def regions(text: str, kind: str) -> Iterator[Region]:
    """Yield the document in pieces: links, code, and prose between."""
    form = FORMS[kind]
    done = 0
    last = None
    # Each yields its places in order; merged one by one, since there may be one every few bytes.
    for found in heapq.merge(*_codes(text, form), *_links(text, form)):
        start, end, role = found
        if start >= done and found != last:
            last = found
            yield _region(form.text, text, done, start, form)
            yield _region(role, text, start, end, form)
            done = end
    yield _region(form.text, text, done, len(text), form)


def _codes(text: str, form: Form) -> Iterator[Iterator[_Found]]:
    """Yield, by expression, the places of code and of markup."""
    for role, expressions in (("code", form.codes), ("markup", form.marks), ("comment", form.comments)):
        for expression in expressions:
            yield _matches(text, expression, role)
    unclosed: set[str] = set()
    for opening, closing in form.blocks:
        yield _blocks(text, opening, closing, unclosed)


def _matches(text: str, expression: str, role: str) -> Iterator[_Found]:
    for match in _compiled(expression).finditer(text):
        yield *match.span(), role


def _blocks(text: str, opening: str, closing: str, unclosed: set[str]) -> Iterator[_Found]:
    begin = _compiled(opening).search(text)
    while begin is not None:
        at = begin.end()
        if _is_underline(text, begin.start(), len(begin["mark"])):
            begin = _compiled(opening).search(text, at)
            continue
        closer = closing.format(re.escape(begin["mark"]))
        end = _compiled(closer).search(text, at) if closer not in unclosed else None
        if end is not None:
            at = end.end()
            yield begin.start(), at, "code"
        else:
            unclosed.add(closer)
        begin = _compiled(opening).search(text, at)


def _is_underline(text: str, start: int, length: int) -> bool:
    """Return whether the line at text[start] underlines a title of two lines.

    AsciiDoc Language, "Two-line titles": the underline is as long as the title, or one character longer or shorter,
    and nothing precedes the title in its block.
    """
    if text[start : start + 1] not in ("-", "+"):
        return False
    *before, title = text[max(start - _TITLE, 0) : max(start - 1, 0)].split("\n")[-2:]
    return bool(title.strip()) and abs(len(title.rstrip()) - length) <= 1 and not (before and before[0].strip())


def _links(text: str, form: Form) -> Iterator[Iterator[_Found]]:
    """Yield, by expression, the places of links."""
    for expression in form.links:
        yield _linked(text, expression, form)


def _linked(text: str, expression: str, form: Form) -> Iterator[_Found]:
    for match in _compiled(expression).finditer(text):
        if not form.closer or _is_followed(text, match.end(), form.closer):
            groups = match.groupdict()
            start, end = match.span(next(name for name in ("url", "quoted", "bare") if groups.get(name)))
            link = text[start:end]
            start, end = start + len(link) - len(link.lstrip()), end - len(link) + len(link.rstrip())
            if start < end:
                yield start, end, "link"


def _is_followed(text: str, at: int, brackets: str) -> bool:
    """Return whether text in a pair of brackets begins at `at` and ends in the same paragraph."""
    if not text.startswith(brackets[0], at):
        return False
    end = text.find(brackets[1], at, at + _LONGEST_TEXT)
    return end >= 0 and text.find("\n\n", at, end) < 0 and text.find("\n\r\n", at, end) < 0


def _region(role: str, text: str, start: int, end: int, form: Form) -> Region:
    replacements: AnyReplacements = ()
    if form.escape and (role == "link" or (form.everywhere and role in ("prose", "comment"))):
        escapes = _compiled(form.escape).finditer(text, start, end)
        replacements = collect((*match.span(), form.stands_for.get(match[0], match["one"] or "")) for match in escapes)
    if role == "link" and form.breaks:
        replacements = merge(replacements, ((*match.span(), "") for match in _BREAK.finditer(text, start, end)))
    return Region(role, start, end, replacements, encode=_way(role, text, start, form))


def _way(role: str, text: str, start: int, form: Form) -> tuple[Encode, ...]:
    """Return how the piece is written."""
    if role != "link":
        return (form.in_prose,) if role in ("prose", "comment", form.text) else ()
    if form.as_it_is and _compiled(form.as_it_is).search(text, max(start - _BEFORE, 0), start) is not None:
        return (verbatim,)
    return (form.in_link,)


@functools.lru_cache(maxsize=256)
def _compiled(expression: str) -> "re.Pattern[str]":
    return re.compile(expression)
