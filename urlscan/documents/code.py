r"""Read source code: comments, strings, the escapes of strings, and adjacent strings that are concatenated.

URLs are searched everywhere, since no program can be read reliably without its compiler. Reading it makes sure that a
string shows what the program sees ("http:\/\/h.example\/a\u0026b"), that concatenated strings are one text, and that
the end of a comment is not a part of a URL ("/* http://h.example/*/").
"""

import functools
import re
from collections.abc import Generator, Iterator
from typing import NamedTuple

from urlscan.core.lazy import lazy, repeat
from urlscan.core.offsets import line_end
from urlscan.documents.escapes import (
    backslash_escapes,
    doubled_quotes,
    encode_backslashes,
    encode_doubled,
    encode_word,
    verbatim,
    word_escapes,
)
from urlscan.documents.kinds import Scope
from urlscan.documents.languages import LANGUAGES, Language, Quotes
from urlscan.documents.lookahead import NextMatch, QuoteRuns
from urlscan.documents.regions import Encode, Region
from urlscan.documents.replacements import AnyReplacements, Replacements, collect

# A single quotation mark may be an apostrophe, a lifetime or a quote of Lisp; a string in single quotes is short.
_LONGEST_SINGLE = 4096
_WHITE_SPACE = re.compile(r"\s*")
_NEWLINE = re.compile("\n")
# Characters that begin an interpolation in a string; a fix writes none of them.
_INTERPOLATION = {
    "shell": "$`",
    "dockerfile": "$",
    "perl": "$@",
    "php": "$",
    "powershell": "$`",
    "ruby": "#",
    "javascript": "$",
}
# Kinds whose strings are not passed to a function that would interpret "%7C" as a directive.
_DATA = frozenset(("json", "jsonl", "properties", "toml", "yaml"))
# ISO C section 7.23.6.1: a directive of printf, or of a similar function.
# Matches: `%s`, `%(name)s`, `%1$d`, `%%`
# Does not match: `%dd`, `%7C`, `%x`
_DIRECTIVE = lazy(r"%(?:\(\w{1,40}\)|[0-9]{1,2}\$)?[sdif](?![0-9A-Fa-f])|%%")
# Kinds in which a string literal that is a statement is documentation (PEP 257).
_DOCSTRINGS = frozenset(("python",))
# Data formats, in which unquoted text is a value, too.
_VALUES = frozenset(("ini", "json", "jsonl", "po", "properties", "toml", "yaml"))
# How many characters before a string literal are searched for the end of the last statement.
_LOOK_BACK = 400


class _Roles(NamedTuple):
    """The roles of code and comments."""

    code: str
    comment: str


# Used if the roles are not needed; adjacent regions are then one.
_UNDISTINGUISHED = _Roles("program", "program")


class _Literal(NamedTuple):
    """A string literal.

    Attributes:
        start, end: the span of its contents.
        after: the end of its closing delimiter.
        replacements: its escapes.
        quotes: its delimiters.
        escapes: how it escapes, as in Quotes; "" for a raw string.
    """

    start: int
    end: int
    after: int
    replacements: AnyReplacements
    quotes: Quotes
    escapes: str


class _Closers:
    """Finds the ends of the strings of a document.

    Attributes:
        unclosed: closing delimiters that do not occur in the rest of the document.
    """

    def __init__(self, text: str) -> None:
        self.unclosed: set[str] = set()
        self._text = text
        self._lines = NextMatch(_NEWLINE, text)
        self._runs: dict[str, QuoteRuns] = {}

    def end(self, start: int, quotes: Quotes, escapes: str) -> int:
        """Return the end of the contents that begin at `start`; -1 if the string is unclosed."""
        longest = _LONGEST_SINGLE if quotes.opening == "'" else len(self._text)
        if escapes == "doubled" and not quotes.lines and len(quotes.closing) == 1:
            if quotes.closing not in self._runs:
                self._runs[quotes.closing] = QuoteRuns(self._text, quotes.closing)
            end = self._runs[quotes.closing].end(start)
            if end - start > longest or end >= self._lines.after(start):
                return -1
            return end
        match = _contents(quotes, escapes).match(self._text, start, min(start + longest, len(self._text)))
        end = match.end() if match is not None else start
        return end if self._text.startswith(quotes.closing, end) else -1


def regions(text: str, kind: str, scope: Scope = "exact") -> Iterator[Region]:
    """Yield the comments, the strings without their escapes, and the code between them.

    A search does not distinguish code, comments and strings without replacements, and skips most: twice as fast.
    """
    if scope == "exact":
        return _CodeReader(text, kind, _Roles("data" if kind in _VALUES else "code", "comment")).regions(None)
    return _CodeReader(text, kind, _UNDISTINGUISHED).regions(_inert(kind), skips_lines=scope != "hosts")


class _CodeReader:
    """Reads a program in one pass; yields strings without replacements unless the roles are _UNDISTINGUISHED."""

    def __init__(self, text: str, kind: str, roles: _Roles) -> None:
        self._text = text
        self._kind = kind
        self._language = LANGUAGES[kind]
        self._roles = roles
        self._closers = _Closers(text)
        self._done = 0  # the end of the last region

    def regions(self, inert: "re.Pattern[str] | None", *, skips_lines: bool = False) -> Iterator[Region]:
        """Yield the regions; skip text that `inert` matches, as long as no delimiter is known to be unclosed.

        Args:
            skips_lines: whether lines that cannot hold a URL with a scheme are skipped as well.
        """
        text, search, unclosed, position = self._text, _openers(self._kind).search, self._closers.unclosed, 0
        while True:
            start = max(position - 1, 0)
            if inert is not None and not unclosed and (skipped := inert.match(text, position)) is not None:
                position = skipped.end()
            match = search(text, position)
            if match is None:
                break
            if skips_lines and not unclosed and (line := text.rfind("\n", start, match.start()) + 1):
                before = text[line : match.start()]
                lines = _lines_without_urls(self._kind) if ":" not in before and "/" not in before else None
                if lines is not None and (skipped := lines.match(text, match.start())) is not None:
                    position = skipped.end()
                    continue
            position = yield from self._construct(match)
        yield from self._code_until(len(text))

    def _construct(self, match: "re.Match[str]") -> Generator[Region, None, int]:
        """Yield the regions up to the end of the comment or string that opens with a match, and return its end."""
        opener = match[0]
        if opener in self._language.comments:
            return (yield from self._line_comment(match))
        closer = dict(self._language.blocks).get(opener)
        if closer is not None:
            return (yield from self._block_comment(match, closer))
        quotes = next((quotes for quotes in self._language.strings if quotes.opening == opener.lstrip()), None)
        literal = None if quotes is None else _literal(self._text, *match.span(), quotes, self._closers)
        if literal is None:
            return match.end()
        if self._roles is _UNDISTINGUISHED:
            return (yield from self._shown_strings(match.start(), literal))
        return (yield from self._strings(match.start(), literal))

    def _line_comment(self, match: "re.Match[str]") -> Generator[Region, None, int]:
        start, text = match.start(), self._text
        if self._language.spaced and start and not text[start - 1].isspace():
            return match.end()
        end = line_end(text, match.end())
        yield from self._code_until(start)
        yield Region(self._roles.comment, start, end)
        self._done = end
        return end

    def _block_comment(self, match: "re.Match[str]", closer: str) -> Generator[Region, None, int]:
        unclosed = self._closers.unclosed
        end = self._text.find(closer, match.end()) if closer not in unclosed else -1
        if end < 0:
            unclosed.add(closer)
            return match.end()
        yield from self._code_until(match.start())
        yield Region(self._roles.comment, match.start(), end)
        self._done = end + len(closer)
        yield Region("markup", end, self._done)
        return self._done

    def _shown_strings(self, start: int, literal: _Literal) -> Generator[Region, None, int]:
        """Yield the string that opens at `start`, with those concatenated with it, if it has replacements."""
        replacements: AnyReplacements = literal.replacements
        joined: Replacements | None = None
        last = literal
        for following in self._concatenated(literal):
            if joined is None:
                joined = Replacements(replacements)
            joined.extend(((last.end, following.start, ""),))
            joined.extend(following.replacements)
            last = following
        if joined is not None:
            replacements = joined.compact()
        if replacements:
            yield from self._code_until(start)
            yield Region(self._roles.code, start, last.after, replacements)
            self._done = last.after
        return last.after

    def _strings(self, start: int, literal: _Literal) -> Generator[Region, None, int]:
        """Yield the contents of the string that opens at `start`, and of those concatenated with it."""
        is_docstring = self._kind in _DOCSTRINGS and _is_docstring(self._text, start)
        role = "comment" if is_docstring else "string"
        while True:
            yield from self._code_until(literal.start)
            yield Region(role, literal.start, literal.end, encode=(_encode(self._text, literal, self._kind),))
            self._done = literal.end
            following = next(self._concatenated(literal), None)
            if following is None:
                return literal.after
            literal = following

    def _concatenated(self, literal: _Literal) -> Iterator[_Literal]:
        """Yield the literals that the language concatenates with this one."""
        following: _Literal | None = literal
        while self._language.joins and following is not None:
            following = _adjacent(self._text, following.after, self._language, self._closers)
            if following is not None:
                yield following

    def _code_until(self, end: int) -> Iterator[Region]:
        """Yield the code from the end of the last region to `end`."""
        start, language = self._done, self._language
        if language.leader and self._roles.code == "code":
            yield from _lines(self._text, start, end, language)
        elif start < end:
            replacements: AnyReplacements = ()
            encode: tuple[Encode, ...] = ()
            if language.escapes:
                replacements, encode = word_escapes(self._text, start, end), (encode_word,)
            yield Region(self._roles.code, start, end, replacements, encode=encode)


def _openings(language: Language) -> list[str]:
    """Return the openings of block comments and strings."""
    return [*(opening for opening, _ in language.blocks), *(quotes.opening for quotes in language.strings)]


@functools.cache
def _openers(kind: str) -> "re.Pattern[str]":
    """Return the pattern of the openings of comments and strings."""
    language = LANGUAGES[kind]
    if language.openers:
        return re.compile(language.openers)
    openers = sorted([*_openings(language), *language.comments], key=len, reverse=True)
    return re.compile("|".join(map(re.escape, openers)) if openers else "(?!)")


@functools.cache
def _inert(kind: str) -> "re.Pattern[str] | None":
    """Return the pattern of code, comments and strings without replacements; None if there is none for the kind.

    One match skips most of a program.
    """
    language = LANGUAGES[kind]
    if language.escapes or language.openers:
        return None
    openings = _openings(language)
    firsts = "".join({re.escape(opening[0]) for opening in (*openings, *language.comments)} | {r"\\"})
    before = r"(?<!\S)" if language.spaced else ""
    code = rf"[^{firsts}]++"
    comments = [rf"{before}{re.escape(leader)}[^\n]*+" for leader in language.comments if leader not in openings]
    blocks = [_inert_block(opening, closing) for opening, closing in language.blocks]
    strings = [_inert_string(quotes, language) for quotes in language.strings]
    apostrophes = [r"(?<=[^\W_])'(?!'')"] if "'" in openings else []
    return re.compile(repeat("|".join([code, *comments, *blocks, *strings, *apostrophes])))


def _inert_block(opening: str, closing: str) -> str:
    """Return the pattern of a block comment whose last character before the closing is white space."""
    first, more = re.escape(closing[0]), re.escape(closing[1:])
    contents = repeat(rf"[^{first}]++|{first}(?!{more})")
    return rf"{re.escape(opening)}{contents}(?<=\s){re.escape(closing)}"


def _inert_string(quotes: Quotes, language: Language) -> str:
    """Return the pattern of a string without escapes that is not concatenated with another."""
    first, more = re.escape(quotes.closing[0]), re.escape(quotes.closing[1:])
    never = first + r"\\" + ("" if quotes.lines else r"\n")
    contents = repeat(rf"[^{never}]++|{first}(?!{more})") if more else rf"[^{never}]*+"
    before = ""
    if len(quotes.opening) == 1:  # not an apostrophe or a character literal
        before = r"(?<![\w'\\?])" if quotes.opening == "'" else r"(?<![\\?])"
    after = r"(?!\s*+[\"'])" if language.joins else rf"(?!{first})"
    return rf"{before}{re.escape(quotes.opening)}{contents}{first}{more}{after}"


@functools.cache
def _lines_without_urls(kind: str) -> "re.Pattern[str] | None":
    r"""Return the pattern of lines in which no string shows a ":" or a "/", from the first quotation mark on.

    No URL with a scheme is in such a line, nor a look-alike; its strings may have escapes and be concatenated.
    Matches: `'a\n' + "\x00" # b` and the line end
    Does not match: `'a:\n'`, `'\x3a'`, `'a\n' + r'\d'`, `'a' 'b' 'c:'`
    """
    language = LANGUAGES[kind]
    marks = [quotes.opening for quotes in language.strings if quotes == Quotes(quotes.opening, quotes.opening)]
    if not marks or _inert(kind) is None:
        return None
    escape = r"\\(?!x(?:2[fF]|3[aA])|[uU]\{?[0-9A-Fa-f]{0,7}(?:2[fF]|3[aA]))[^:/\n]"
    contents = {mark: repeat(rf"[^{mark}\\:/\n]++|{escape}") for mark in marks}
    strings = [rf"(?<![\w'\\?]){mark}{contents[mark]}{mark}(?!{mark})" for mark in marks]
    string = f"(?:{'|'.join(strings)})"
    if language.joins:
        gap = r"(?:[^\S\n]++\n?|\n)[^\S\n]*+"
        string = rf"{string}{repeat(gap + string)}(?!\s*+[\"'])"
    firsts = "".join({re.escape(opening[0]) for opening in (*_openings(language), *language.comments)} | {r"\\"})
    before = r"(?<!\S)" if language.spaced else ""
    comments = [rf"{before}{re.escape(leader)}[^:/\n]*+" for leader in language.comments if "/" not in leader]
    pieces = repeat("|".join([rf"[^{firsts}:/\n]++", string, *comments]))
    return re.compile(repeat(rf"{pieces}\n", 1))


def _lines(text: str, start: int, end: int, language: Language) -> Iterator[Region]:
    """Yield the code in text[start:end], with the lines that are comments as regions of their own."""
    region_end = start
    for match in re.compile(rf"(?m)^[ \t]*{re.escape(language.leader)}[^\n]*").finditer(text, start, end):
        if region_end < match.start():
            yield Region("code", region_end, match.start())
        yield Region("comment", *match.span())
        region_end = match.end()
    if region_end < end:
        yield Region("code", region_end, end)


def _is_docstring(text: str, start: int) -> bool:
    """Return whether the string literal that opens at `start` is a statement.

    It is the first token of its line, and the text before it ends a statement or the header of a block: after an
    operator, a comma or an opening bracket, it would continue an expression.
    """
    line = text.rfind("\n", 0, start) + 1
    if text[line:start].strip(" \trRuUbB"):
        return False
    before = text[max(line - _LOOK_BACK, 0) : line].rstrip()
    return not before or before[-1] not in "([{,=+-*/%|&<>\\."


def _encode(text: str, literal: _Literal, kind: str) -> Encode:
    """Return the function that writes a text into a string literal."""
    quotes = literal.quotes
    is_plain = quotes.opening == "'" or (kind == "javascript" and quotes.opening != "`")
    refused = "" if is_plain else _INTERPOLATION.get(kind, "")
    if kind not in _DATA and _DIRECTIVE.search(text, literal.start, literal.end) is not None:
        refused += "%"
    return _encoder(literal.escapes, quotes.closing, refused)


@functools.lru_cache(maxsize=256)
def _encoder(escapes: str, quote: str, refused: str) -> Encode:
    """Return the function that writes a text into strings of a kind; the same object for all of them."""
    if escapes == "backslash":
        return functools.partial(encode_backslashes, quote=quote, refused=refused)
    if escapes:
        return functools.partial(encode_doubled, quote=quote)
    return functools.partial(verbatim, refused=f"{quote}{refused}\r\n")


def _literal(text: str, opening: int, start: int, quotes: Quotes, closers: _Closers) -> _Literal | None:
    """Return the string literal that begins at `opening`, and its contents at `start`, or None."""
    before = text[opening - 1 : opening]
    if before == "\\" or (before == "?" and quotes.lines):  # "\"" and Lisp's "?\""
        return None
    is_single = quotes.opening == "'" and start - opening == 1
    if is_single and (before.isalnum() or before == "'"):  # an apostrophe, a digit separator
        return None
    escapes = "" if before in ("r", "R", "#", "@") and quotes.escapes == "backslash" else quotes.escapes
    if quotes.lines and quotes.closing in closers.unclosed:
        return None
    end = closers.end(start, quotes, escapes)
    if end < 0:
        if quotes.lines:
            closers.unclosed.add(quotes.closing)
        return None
    if escapes == "backslash":
        replacements = collect(backslash_escapes(text, start, end)) if text.find("\\", start, end) >= 0 else ()
    else:
        replacements = collect(doubled_quotes(text, start, end, quotes.closing)) if escapes else ()
    return _Literal(start, end, end + len(quotes.closing), replacements, quotes, escapes)


def _adjacent(text: str, after: int, language: Language, closers: _Closers) -> _Literal | None:
    """Return the string literal after the white space at `after`, in which there is at most one line end; else None."""
    gap = _WHITE_SPACE.match(text, after)
    opening = gap.end() if gap is not None else after
    if opening == after or text.count("\n", after, opening) > 1:
        return None
    quotes = next((quotes for quotes in language.strings if text.startswith(quotes.opening, opening)), None)
    if quotes is None or len(quotes.opening) > 1:
        return None
    return _literal(text, opening, opening + 1, quotes, closers)


@functools.cache
def _contents(quotes: Quotes, escapes: str) -> "re.Pattern[str]":
    """Return the pattern of the contents of a string."""
    first, more = re.escape(quotes.closing[0]), re.escape(quotes.closing[1:])
    never = first if quotes.lines else first + r"\n"
    parts = [rf"[^{never}\\]++" if escapes == "backslash" else rf"[^{never}]++"]
    if escapes == "backslash":
        parts.append(r"\\[\s\S]" if quotes.lines else r"\\.")
    if escapes == "doubled":
        parts.append(first * 2)
    if more:
        parts.append(rf"{first}(?!{more})")
    return re.compile(repeat("|".join(parts)))
