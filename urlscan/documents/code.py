r"""Read source code: comments, strings, the escapes of strings, and adjacent strings that are concatenated.

URLs are searched everywhere, since no program can be read reliably without its compiler. Reading it makes sure that a
string shows what the program sees ("http:\/\/h.example\/a\u0026b"), that concatenated strings are one text, and that
the end of a comment is not a part of a URL ("/* http://h.example/*/").
"""

import functools
import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy, repeat, without
from urlscan.core.offsets import line_end
from urlscan.core.record import NamedTuple
from urlscan.documents.escapes import (
    Replacement,
    backslash_escapes,
    backslashed,
    collect,
    doubled_quotes,
    encode_backslashes,
    encode_characters,
    encode_doubled,
    verbatim,
    word_escapes,
)
from urlscan.documents.kinds import Scope
from urlscan.documents.languages import LANGUAGES, Language, Quotes
from urlscan.documents.regions import Encode, Region

# A single quotation mark may be an apostrophe, a lifetime or a quote of Lisp; a string in single quotes is short.
_LONGEST_SINGLE = 4096
# White space with at most one line end, which a backslash may precede, between strings that are concatenated.
_GAP = r"(?:[^\S\n]++(?:\\?\r?\n)?|\\?\r?\n)[^\S\n]*+"
_NEXT_STRING = r"\s*+(?:\\\s*+)?[\"']"
# Characters that begin an interpolation in a string; a fix writes none of them.
_INTERPOLATION = {
    "shell": "$`", "dockerfile": "$", "perl": "$@", "php": "$", "powershell": "$`", "ruby": "#", "javascript": "$",
}  # fmt: skip
# Kinds whose strings are not passed to a function that would interpret "%7C" as a directive.
_DATA = frozenset(("json", "jsonl", "properties", "toml", "yaml"))
# ISO C section 7.23.6.1: a directive of printf, or of a similar function.
# Matches: `%s`, `%(name)s`, `%1$d`, `%%`
# Does not match: `%dd`, `%7C`, `%x`
_DIRECTIVE = lazy(r"%(?:\(\w{1,40}\)|[0-9]{1,2}\$)?[sdif](?![0-9A-Fa-f])|%%")
# Data formats, in which unquoted text is a value, too.
_VALUES = frozenset(("ini", "json", "jsonl", "po", "properties", "toml", "yaml"))
# POSIX, XCU section 2.2: characters that must be quoted in a word of a shell. "?" and "*" are not escaped, as is usual
# in URLs: a pattern that matches no file is kept.
_IN_WORD = (functools.partial(encode_characters, table=backslashed("&;|<>()$`\\\"'#{}!")),)
# How many characters before a string literal are searched for the end of the last statement.
_LOOK_BACK = 400


class _Token(NamedTuple):
    """A comment or a string literal.

    Attributes:
        start, end: its span.
        first, last: the span of its contents; that of a comment includes its opening.
        quotes: the delimiters of a string, or None.
        escapes: how a string escapes, as in Quotes; "" for a raw string.
    """

    start: int
    first: int
    last: int
    end: int
    quotes: Quotes | None = None
    escapes: str = ""


def regions(text: str, kind: str, scope: Scope = "exact") -> Iterator[Region]:
    """Yield the comments, the strings and the code between them.

    A search does not distinguish these; it needs only the strings with replacements and the ends of block comments.
    """
    if scope == "exact":
        return _exact_regions(_Program(text, kind, None))
    return _shown_regions(_Program(text, kind, _inert(kind, with_hosts=scope == "hosts")))


class _Program:
    """The comments and the strings of a program, in one pass.

    Args:
        skip: matches what need not be read; it is used as long as no delimiter is known to be unclosed.

    Attributes:
        position: where the next token is searched; it follows the last one.
    """

    def __init__(self, text: str, kind: str, skip: "re.Pattern[str] | None") -> None:
        self.text, self.kind, self.language = text, kind, LANGUAGES[kind]
        self.position = 0
        self._skip = skip
        self._unclosed: set[str] = set()  # closing delimiters that do not occur in the rest of the document

    def tokens(self) -> Iterator[_Token]:
        """Yield the comments and the strings, without those that are skipped."""
        text, search = self.text, _openers(self.kind).search
        while True:
            position = self.position
            if self._skip is not None and not self._unclosed and (skipped := self._skip.match(text, position)):
                position = skipped.end()
            match = search(text, position)
            if match is None:
                return
            self.position = match.end()
            token = self._token(match)
            if token is not None:
                self.position = token.end
                yield token

    def _token(self, match: "re.Match[str]") -> _Token | None:
        """Return the comment or string that opens with a match; None if there is none."""
        text, language, opener = self.text, self.language, match[0]
        start, first = match.span()
        if opener in language.comments:
            if language.spaced and start and not text[start - 1].isspace():
                return None
            end = line_end(text, first)
            return _Token(start, start, end, end)
        for opening, closing in language.blocks:
            if opener == opening:
                if closing in self._unclosed or (last := text.find(closing, first)) < 0:
                    self._unclosed.add(closing)
                    return None
                return _Token(start, start, last, last + len(closing))
        quotes = next((quotes for quotes in language.strings if quotes.opening == opener.lstrip()), None)
        if quotes is None:
            return None
        return self._string(start, first, quotes)

    def _string(self, start: int, first: int, quotes: Quotes) -> _Token | None:
        """Return the string literal that begins at `start`, and its contents at `first`, or None."""
        text, closing = self.text, quotes.closing
        before = text[start - 1 : start]
        if (before == "\\" and quotes.escapes != "doubled") or (before == "?" and quotes.lines):  # "\"", Lisp's "?\""
            return None
        if quotes.opening == "'" and first == start + 1 and (before.isalnum() or before == "'"):
            return None  # an apostrophe, a digit separator
        if quotes.lines and closing in self._unclosed:
            return None
        escapes = quotes.escapes
        if escapes == "backslash" and before in ("r", "R", "#", "@"):
            escapes = ""
        limit = len(text)
        if quotes.opening == "'":
            limit = first + _LONGEST_SINGLE
        contents = _contents(quotes, escapes).match(text, first, limit)
        if contents is None or not text.startswith(closing, contents.end()):
            if quotes.lines:
                self._unclosed.add(closing)
            return None
        return _Token(start, first, contents.end(), contents.end() + len(closing), quotes, escapes)

    def next_concatenated(self) -> _Token | None:
        """Return the string that the language concatenates with the one before the position, and pass it; or None."""
        match = self.language.joins and _concatenated(self.kind).match(self.text, self.position)
        if not match or not match.lastindex:
            return None
        quotes, (first, last) = self.language.strings[-match.lastindex], match.span(match.lastindex)
        if quotes.opening == "'" and last > first + _LONGEST_SINGLE:
            return None
        self.position = match.end()
        # Calling the class takes three times as long.
        return tuple.__new__(_Token, (first - 1, first, last, match.end(), quotes, quotes.escapes))


def _shown_regions(program: _Program) -> Iterator[Region]:
    """Yield the program with the replacements of its strings and the ends of its block comments."""
    position = 0
    for token in program.tokens():
        if token.quotes is None:
            yield from _code(program, position, token.start, "program")
            yield Region("program", token.start, token.last)
            if token.end > token.last:
                yield Region("markup", token.last, token.end)
        elif replacements := collect(_shown_strings(program, token)):
            yield from _code(program, position, token.start, "program")
            yield Region("program", token.start, program.position, replacements)
        else:
            continue
        position = program.position
    yield from _code(program, position, len(program.text), "program")


def _shown_strings(program: _Program, string: _Token) -> Iterator[Replacement]:
    """Yield the replacements of a string and of those concatenated with it."""
    text: str = program.text
    following: _Token | None = string
    while following is not None:
        _, first, last, _, quotes, escapes = following
        if escapes == "backslash":
            yield from backslash_escapes(text, first, last)
        elif escapes and quotes is not None:
            yield from doubled_quotes(text, first, last, quotes.closing)
        following = program.next_concatenated()
        if following is not None:
            yield last, following.first, ""


def _exact_regions(program: _Program) -> Iterator[Region]:
    """Yield each comment and string, and the code between them."""
    text, kind, position, code_role = program.text, program.kind, 0, "code"
    if kind in _VALUES:
        code_role = "data"
    for token in program.tokens():
        if token.quotes is None:
            yield from _code(program, position, token.start, code_role)
            yield Region("comment", token.start, token.last)
            if token.end > token.last:
                yield Region("markup", token.last, token.end)
            position = token.end
            continue
        role = "string"
        if kind == "python" and _is_docstring(text, token.start):
            role = "comment"
        following: _Token | None = token
        while following is not None:
            yield from _code(program, position, following.first, code_role)
            yield Region(role, following.first, following.last, encode=(_encode(text, following, kind),))
            position = following.last
            following = program.next_concatenated()
    yield from _code(program, position, len(text), code_role)


def _code(program: _Program, start: int, end: int, role: str) -> Iterator[Region]:
    """Yield the code in text[start:end], with the lines that are comments as regions of their own."""
    text, language = program.text, program.language
    if language.leader and role == "code":
        for match in re.compile(rf"(?m)^[ \t]*{re.escape(language.leader)}[^\n]*").finditer(text, start, end):
            if start < match.start():
                yield Region("code", start, match.start())
            yield Region("comment", *match.span())
            start = match.end()
    if start < end:
        if language.escapes:
            yield Region(role, start, end, word_escapes(text, start, end), encode=_IN_WORD)
        else:
            yield Region(role, start, end)


def _is_docstring(text: str, start: int) -> bool:
    """Return whether the string literal that opens at `start` is a statement (PEP 257).

    It is the first token of its line, and the text before it ends a statement or the header of a block: after an
    operator, a comma or an opening bracket, it would continue an expression.
    """
    before = text[max(start - _LOOK_BACK, 0) : start].rstrip(" \trRuUbB")
    if not before.endswith("\n"):
        return not before and start <= _LOOK_BACK
    before = before.rstrip()
    return not before or before[-1] not in "([{,=+-*/%|&<>\\."


def _encode(text: str, string: _Token, kind: str) -> Encode:
    """Return the function that writes a text into a string literal."""
    quote, refused = '"', ""
    if string.quotes is not None:
        quote = string.quotes.closing
        if quote != "'" and (kind != "javascript" or quote == "`"):
            refused = _INTERPOLATION.get(kind, "")
    if kind not in _DATA and _DIRECTIVE.search(text, string.first, string.last) is not None:
        refused += "%"
    return _encoder(string.escapes, quote, refused)


@functools.lru_cache(maxsize=256)
def _encoder(escapes: str, quote: str, refused: str) -> Encode:
    """Return the function that writes a text into strings of a kind; the same object for all of them."""
    if escapes == "backslash":
        return functools.partial(encode_backslashes, quote=quote, refused=refused)
    if escapes:
        return functools.partial(encode_doubled, quote=quote)
    return functools.partial(verbatim, refused=f"{quote}{refused}\r\n")


@functools.cache
def _concatenated(kind: str) -> "re.Pattern[str]":
    """Return the pattern of a string that is concatenated with the one before, with a group of its contents by kind."""
    strings = LANGUAGES[kind].strings
    longer = _any_of([quotes.opening for quotes in strings if len(quotes.opening) > 1])
    contents = ((q.opening, _contents(q, q.escapes).pattern) for q in reversed(strings) if len(q.opening) == 1)
    return re.compile(rf"{_GAP}(?!{longer})(?:{'|'.join(f'{mark}({text}){mark}' for mark, text in contents)})")


@functools.cache
def _contents(quotes: Quotes, escapes: str) -> "re.Pattern[str]":
    """Return the pattern of the contents of a string."""
    first, more = re.escape(quotes.closing[0]), re.escape(quotes.closing[1:])
    never, escaped = first, r"(?s:.)"
    if not quotes.lines:
        never, escaped = first + r"\n", "."
    branches = [rf"[^{never}]++"]
    if escapes == "backslash":
        branches = [rf"[^{never}\\]++", rf"\\{escaped}"]
    if escapes == "doubled":
        branches.append(first * 2)
    if more:
        branches.append(rf"{first}(?!{more})")
    return re.compile(repeat("|".join(branches)))


def _any_of(openers: list[str]) -> str:
    """Return the pattern of the openings of comments or strings, the longest first."""
    return "|".join(map(re.escape, sorted(openers, key=len, reverse=True))) or "(?!)"


def _openings(language: Language) -> list[str]:
    """Return the openings of block comments and strings."""
    return [*(opening for opening, _ in language.blocks), *(quotes.opening for quotes in language.strings)]


@functools.cache
def _openers(kind: str) -> "re.Pattern[str]":
    """Return the pattern of the openings of comments and strings."""
    language = LANGUAGES[kind]
    return re.compile(language.openers or _any_of([*_openings(language), *language.comments]))


@functools.cache
def _inert(kind: str, *, with_hosts: bool) -> "re.Pattern[str] | None":
    """Return the pattern of code, comments and strings that need not be read; None if there is none for the kind.

    One match skips most of a program: strings without replacements, and block comments that end with white space. If
    no hosts are searched, also strings that show neither the colon of a scheme nor two slashes.
    """
    language = LANGUAGES[kind]
    if language.openers:
        return None
    openers = [*_openings(language), *language.comments]
    firsts = "".join({opener[0] for opener in openers})
    # Outside of strings, a backslash is an escape in some languages.
    never = "\\" if language.escapes else ""
    before = r"(?<!\S)" if language.spaced else ""
    leaders, blocks = _any_of(list(language.comments)), _any_of([opening for opening, _ in language.blocks])
    branches = [
        *(f"{characters}++" for characters in without(firsts + never)),
        rf"{before}(?!{blocks})(?:{leaders})[^\n{re.escape(never)}]*+",
        rf"(?!{_any_of(openers)})[{re.escape(firsts)}]",
    ]
    if language.spaced:
        branches.append(rf"(?<=\S)(?:{leaders})")
    for opening, closing in language.blocks:
        first, more = re.escape(closing[0]), re.escape(closing[1:])
        branches.append(rf"{re.escape(opening)}{repeat(rf'[^{first}]++|{first}(?!{more})')}(?<=\s){first}{more}")
    strings = [_inert_string(quotes, language) for quotes in language.strings]
    if not with_hosts and not language.escapes:
        skipped = "|".join(filter(None, map(_string_without_urls, language.strings)))
        if skipped and language.joins:
            skipped = rf"(?:{skipped}){repeat(f'{_GAP}(?:{skipped})')}(?!{_NEXT_STRING})"
        strings.append(skipped or "(?!)")
    branches += strings
    if "'" in openers:  # an apostrophe
        branches.append(r"(?<=[^\W_])'(?!'')")
    return re.compile(repeat("|".join(branches)))


def _inert_string(quotes: Quotes, language: Language) -> str:
    """Return the pattern of a string without escapes that is not concatenated with another."""
    first, more = re.escape(quotes.closing[0]), re.escape(quotes.closing[1:])
    latin, every = without(f"{quotes.closing[0]}\\{quotes.line_end}")
    contents = repeat(rf"{latin}++|{first}(?!{more})|{every}++") if more else f"{latin}*+{every}*+"
    after = f"(?!{_NEXT_STRING})" if language.joins else rf"(?!{first})"
    return rf"{_before_string(quotes)}{re.escape(quotes.opening)}{contents}{first}{more}{after}"


def _before_string(quotes: Quotes, prefixes: str = "") -> str:
    """Return the lookbehind that excludes apostrophes and character literals."""
    if len(quotes.opening) > 1:
        return ""
    return rf"(?<![{prefixes}\\?'\w])" if quotes.opening == "'" else rf"(?<![{prefixes}\\?])"


def _string_without_urls(quotes: Quotes) -> str:
    r"""Return the pattern of a string with backslash escapes in which no URL begins, nor a look-alike; "" for others.

    Matches: `"a\n"`, `"a: b\n"`, `"\x00/a\n"`
    Does not match: `"a:b\n"`, `"\x3a"`, `r"\d"`, `"a\n//b"`
    """
    mark = quotes.opening
    if len(mark) > 1 or quotes.escapes != "backslash":
        return ""
    escape = rf"\\(?!x(?:2[fF]|3[aA])|[uU]\{{?[0-9A-Fa-f]{{0,7}}(?:2[fF]|3[aA]))[^:/{quotes.line_end}]"
    # White space follows a colon that is not that of "mailto: jo@h.example" or "<URL: h.example>".
    colon = r"(?<![oOlL]):(?=[ \t])"
    latin, every = without(f"{mark}\\:/{quotes.line_end}")
    contents = repeat(rf"{latin}++|{escape}|{colon}|/(?![/\\{mark}])|{every}++")
    return rf"{_before_string(quotes, 'rR#@')}{mark}{contents}{mark}(?!{mark})"
