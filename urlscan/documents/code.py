r"""Source code: where comments and strings end, and what the escapes of strings stand for.

URLs are looked for everywhere, since no reading of a program without its compiler is sure; what is gained is that
a string shows what the program sees ("http:\/\/h.example\/a\u0026b"), that strings which the language joins are
one, and that the end of a comment is not the URL's ("/* http://h.example/*/").
"""

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from urlscan.core.lazy import lazy, repeat
from urlscan.documents.edits import verbatim
from urlscan.documents.escapes import (
    backslash_escapes,
    doubled_quotes,
    encode_backslashes,
    encode_doubled,
    encode_word,
    word_escapes,
)
from urlscan.documents.languages import LANGUAGES, Language, Quotes
from urlscan.documents.lookahead import NextMatch, QuoteRuns
from urlscan.documents.replacements import AnyReplacements, Replacements, collect
from urlscan.documents.segments import Encode, Region

# A single quotation mark is an apostrophe, a lifetime, a quote of Lisp; a string in it is short.
_LONGEST_SINGLE = 4096
_NOTHING = re.compile(r"\s*")
_NEWLINE = re.compile("\n")


# What begins a variable in a string, and cannot be written into one without knowing the language better.
_ACTIVE = {
    "shell": "$`",
    "dockerfile": "$",
    "perl": "$@",
    "php": "$",
    "powershell": "$`",
    "ruby": "#",
    "javascript": "$",
}
# Strings of data are given to no function that would take "%7C" for a directive of its own.
_DATA = frozenset(("json", "jsonl", "properties", "toml", "yaml"))
# ISO C section 7.23.6.1 and its like: what a string for printf holds.
_DIRECTIVE = lazy(r"%(?:\(\w{1,40}\)|[0-9]{1,2}\$)?[sdif](?![0-9A-Fa-f])|%%")


# Kinds in which a string literal that is a statement documents what it stands in (PEP 257).
_DOCSTRINGS = frozenset(("python",))
# Data formats: what is not quoted there is a value all the same.
_VALUES = frozenset(("ini", "json", "jsonl", "po", "properties", "toml", "yaml"))
# How far before a string literal the end of the last statement is looked for, in characters.
_LOOK_BACK = 400


class _Roles(NamedTuple):
    """The roles of what is no string."""

    code: str
    comment: str


_FAST_ROLES = _Roles("program", "program")


def _roles(kind: str) -> _Roles:
    return _Roles("data" if kind in _VALUES else "code", "comment")


class _String(NamedTuple):
    """A string literal; `start` and `end` are those of its contents."""

    start: int
    end: int
    after: int
    replacements: AnyReplacements
    quotes: Quotes
    escapes: str


class _Closers:
    """Where the strings of a document end; what was found out about one is used for the next.

    Attributes:
        unclosed: closing delimiters of which there are no more.
    """

    def __init__(self, text: str) -> None:
        self.unclosed: set[str] = set()
        self._text = text
        self._lines = NextMatch(_NEWLINE, text)
        self._runs: dict[str, QuoteRuns] = {}

    def end(self, start: int, quotes: Quotes, escapes: str) -> int:
        """Return where the contents that begin at `start` end; -1 if they do not, or not on their line."""
        longest = _LONGEST_SINGLE if quotes.opening == "'" else len(self._text)
        if escapes == "doubled" and not quotes.lines and len(quotes.closing) == 1:
            if quotes.closing not in self._runs:
                self._runs[quotes.closing] = QuoteRuns(self._text, quotes.closing)
            end = self._runs[quotes.closing].end(start)
            return end if end - start <= longest and end < self._lines.after(start) else -1
        match = _contents(quotes, escapes).match(self._text, start, min(start + longest, len(self._text)))
        end = match.end() if match is not None else start
        return end if self._text.startswith(quotes.closing, end) else -1


def regions(text: str, kind: str) -> Iterator[Region]:
    """Yield the document in pieces, almost all of them `program`."""
    yield from _regions(text, kind, every=False)


def all_regions(text: str, kind: str) -> Iterator[Region]:
    """Yield the comments, the strings and the code between them as pieces, without the escapes of the strings."""
    yield from _regions(text, kind, every=True)


def _regions(text: str, kind: str, *, every: bool) -> Iterator[Region]:
    language = LANGUAGES[kind]
    roles = _roles(kind) if every else _FAST_ROLES
    done = at = 0
    closers = _Closers(text)
    unclosed = closers.unclosed
    pattern, plain = _openers(kind), _plain(kind) if not every else None
    while True:
        if plain is not None and not unclosed and (skipped := plain.match(text, at)) is not None:
            at = skipped.end()
        match = pattern.search(text, at)
        if match is None:
            break
        here, opener = match.start(), match[0]
        at = match.end()
        if opener in language.comments:
            if not language.spaced or not here or text[here - 1].isspace():
                newline = text.find("\n", at)
                at = newline if newline >= 0 else len(text)
                yield from _code(text, done, here, language, roles.code)
                yield Region(roles.comment, here, at)
                done = at
            continue
        closer = _closer(language, opener)
        if closer:
            end = text.find(closer, at) if closer not in unclosed else -1
            if end < 0:
                unclosed.add(closer)
                continue
            yield from _code(text, done, here, language, roles.code)
            yield Region(roles.comment, here, end)
            at = done = end + len(closer)
            yield Region("markup", end, at)
            continue
        string = _string(text, here, opener, language, closers)
        if string is None:
            continue
        strings = [string]
        replacements = _concatenated(text, strings, language, closers, every=every)
        at = strings[-1].after
        if every:
            yield from _each(text, done, strings, kind, here)
            done = strings[-1].end
        elif replacements:
            yield from _code(text, done, here, language, roles.code)
            yield Region(roles.code, here, at, replacements)
            done = at
    yield from _code(text, done, len(text), language, roles.code)


def _concatenated(
    text: str, strings: list[_String], language: Language, closers: _Closers, *, every: bool
) -> AnyReplacements:
    """Return the swaps of adjacent strings that the language makes one.

    Args:
        text: the document.
        strings: the first of them; the others are added, or just the last one replaces it unless `every`.
        language: of the document.
        closers: of the document.
        every: whether all of the strings are asked for.
    """
    last = strings[-1]
    replacements: AnyReplacements = last.replacements
    joined: Replacements | None = None
    while language.joins and (more := _joined(text, last.after, language, closers)) is not None:
        joined = Replacements(replacements) if joined is None else joined
        joined.extend(((last.end, more.start, ""),))
        joined.extend(more.replacements)
        last = more
        if every:
            strings.append(last)
    if not every:
        strings[:] = [last]
    return replacements if joined is None else joined.compact()


@functools.cache
def _openers(kind: str) -> "re.Pattern[str]":
    language = LANGUAGES[kind]
    found = [*(opening for opening, _ in language.blocks), *(quotes.opening for quotes in language.strings)]
    openers = sorted([*found, *language.comments], key=len, reverse=True)
    if language.openers:
        return re.compile(language.openers)
    return re.compile("|".join(map(re.escape, openers)) if openers else "(?!)")


@functools.cache
def _plain(kind: str) -> "re.Pattern[str] | None":
    """Match a run of code in which nothing is written otherwise than it is meant: most of it, without a look at it."""
    language = LANGUAGES[kind]
    if language.escapes or language.openers:
        return None
    found = [*(opening for opening, _ in language.blocks), *(quotes.opening for quotes in language.strings)]
    firsts = "".join({re.escape(opening[0]) for opening in (*found, *language.comments)} | {r"\\"})
    runs = [rf"[^{firsts}]++"]
    before = r"(?<!\S)" if language.spaced else ""
    runs += [rf"{before}{re.escape(leader)}[^\n]*+" for leader in language.comments if leader not in found]
    for opening, closing in language.blocks:
        first, more = re.escape(closing[0]), re.escape(closing[1:])
        inside = repeat(rf"[^{first}]++|{first}(?!{more})")
        runs.append(rf"{re.escape(opening)}{inside}(?<=\s){re.escape(closing)}")
    for quotes in language.strings:
        first, more = re.escape(quotes.closing[0]), re.escape(quotes.closing[1:])
        never = first + r"\\" + ("" if quotes.lines else r"\n")
        contents = repeat(rf"[^{never}]++|{first}(?!{more})") if more else rf"[^{never}]*+"
        after = r"(?!\s*+[\"'])" if language.joins else rf"(?!{first})"
        lone = r"(?<![\w'\\?])" if len(quotes.opening) == 1 else ""
        runs.append(rf"{lone}{re.escape(quotes.opening)}{contents}{first}{more}{after}")
    return re.compile(repeat("|".join(runs)))


def _closer(language: Language, opener: str) -> str:
    return next((closing for opening, closing in language.blocks if opening == opener), "")


def _code(text: str, start: int, end: int, language: Language, role: str) -> Iterator[Region]:
    """Yield what is neither comment nor string."""
    if language.leader and role == "code":
        yield from _lines(text, start, end, language)
    elif start < end:
        replacements, way = (word_escapes(text, start, end), (encode_word,)) if language.escapes else ((), ())
        yield Region(role, start, end, replacements, encode=way)


def _lines(text: str, start: int, end: int, language: Language) -> Iterator[Region]:
    """Yield what is no string, with the lines that are comments as pieces of their own."""
    done = start
    for match in re.compile(rf"(?m)^[ \t]*{re.escape(language.leader)}[^\n]*").finditer(text, start, end):
        if done < match.start():
            yield Region("code", done, match.start())
        yield Region("comment", *match.span())
        done = match.end()
    if done < end:
        yield Region("code", done, end)


def _each(text: str, start: int, strings: list[_String], kind: str, here: int) -> Iterator[Region]:
    """Yield the contents of each string, and the code before and between them; the first opens at `here`."""
    roles = _roles(kind)
    role = "comment" if kind in _DOCSTRINGS and _is_docstring(text, here) else "string"
    for one in strings:
        yield from _code(text, start, one.start, LANGUAGES[kind], roles.code)
        yield Region(role, one.start, one.end, encode=(_way(text, one, kind),))
        start = one.end


def _is_docstring(text: str, here: int) -> bool:
    """Return whether the string literal that opens at `here` is a statement by itself.

    It begins its line, and what precedes it ends a statement or a block's header; an operator, a comma or an opening
    bracket goes on with the literal.
    """
    line = text.rfind("\n", 0, here) + 1
    if text[line:here].strip(" \trRuUbB"):
        return False
    before = text[max(line - _LOOK_BACK, 0) : line].rstrip()
    return not before or before[-1] not in "([{,=+-*/%|&<>\\."


def _way(text: str, string: _String, kind: str) -> Encode:
    """Return how a string writes a text."""
    quotes = string.quotes
    refused = "" if quotes.opening == "'" or (kind == "javascript" and quotes.opening != "`") else _ACTIVE.get(kind, "")
    if kind not in _DATA and _DIRECTIVE.search(text, string.start, string.end) is not None:
        refused += "%"
    return _encoder(string.escapes, quotes.closing, refused)


@functools.lru_cache(maxsize=256)
def _encoder(escapes: str, quote: str, refused: str) -> Encode:
    """Return the function that writes a text into strings of one sort; one object serves all of them."""
    if escapes == "backslash":
        return functools.partial(encode_backslashes, quote=quote, refused=refused)
    if escapes:
        return functools.partial(encode_doubled, quote=quote)
    return functools.partial(verbatim, refused=f"{quote}{refused}\r\n")


def _string(text: str, here: int, opener: str, language: Language, closers: _Closers) -> _String | None:
    """Return the string that begins at `here`, or None if none does."""
    quotes = next((quotes for quotes in language.strings if quotes.opening == opener.lstrip()), None)
    before = text[here - 1 : here]
    if quotes is None or before == "\\" or (before == "?" and quotes.lines):  # "\"" and Lisp's "?\""
        return None
    if opener == "'" and (before.isalnum() or before == "'"):  # an apostrophe, a digit separator
        return None
    start = here + len(opener)
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
    return _String(start, end, end + len(quotes.closing), replacements, quotes, escapes)


def _joined(text: str, at: int, language: Language, closers: _Closers) -> _String | None:
    """Return the string that follows another after white space alone, which the language joins to it."""
    gap = _NOTHING.match(text, at)
    here = gap.end() if gap is not None else at
    if here == at or text.count("\n", at, here) > 1:
        return None
    quotes = next((quotes for quotes in language.strings if text.startswith(quotes.opening, here)), None)
    if quotes is None or len(quotes.opening) > 1:
        return None
    return _string(text, here, quotes.opening, language, closers)


@functools.cache
def _contents(quotes: Quotes, escapes: str) -> "re.Pattern[str]":
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
