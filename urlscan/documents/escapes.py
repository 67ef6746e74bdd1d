r"""Store replacements, and decode and encode escapes: those of programs and data, and the character references of HTML.

A replacement is a span of a document that is shown differently: a tuple of start, end and shown text, in characters of
the document. Such a tuple takes about 150 bytes, and a document may consist of escapes of two bytes; large numbers of
replacements are stored in arrays.

RFC 8259 section 7 (JSON), ISO C section 6.4.4.4 and ECMA-262 section 12.9.4 agree on the backslash escapes. Others are
kept as they are written, since the string may be a pattern: `\.` is not a full stop.
"""

import heapq
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from urlscan.core.lazy import lazy

Replacement = tuple[int, int, str]

# The types of arrays for numbers of so many bits.
_CODES = (("B", 8), ("I", 32), ("Q", 64))
# The number of replacements in one block. Fewer are kept as tuples, which are faster to create.
_BLOCK = 256


class _Block:
    """Consecutive replacements, most of them in 6 bytes each, and their text."""

    __slots__ = ("_lengths", "_shown", "_sizes", "_starts")

    def __init__(self, replacements: list[Replacement]) -> None:
        starts, ends, texts = zip(*replacements, strict=True)
        self._starts = _numbers(starts)
        self._lengths = _numbers([end - start for start, end in zip(starts, ends, strict=True)])
        self._sizes = _numbers([len(text) for text in texts])
        self._shown = "".join(texts)

    def __iter__(self) -> Iterator[Replacement]:
        begin, text = 0, self._shown
        for start, length, size in zip(self._starts, self._lengths, self._sizes, strict=True):
            yield start, start + length, text[begin : begin + size]
            begin += size


def _numbers(values: Sequence[int]) -> "array[int]":
    """Return an array of the numbers, of one, four or eight bytes each."""
    largest = max(values)
    return array(next(code for code, bits in _CODES if largest >> bits == 0), values)


class Replacements:
    """A sequence of any number of replacements, in order."""

    __slots__ = ("_blocks", "_last")

    def __init__(self, replacements: Iterable[Replacement]) -> None:
        self._blocks: list[_Block] = []
        iterator = iter(replacements)
        while len(batch := list(islice(iterator, _BLOCK))) == _BLOCK:
            self._blocks.append(_Block(batch))
        self._last = batch

    def __len__(self) -> int:
        return len(self._blocks) * _BLOCK + len(self._last)

    def __iter__(self) -> Iterator[Replacement]:
        for block in self._blocks:
            yield from block
        yield from self._last


AnyReplacements = tuple[Replacement, ...] | Replacements


def collect(replacements: Iterable[Replacement]) -> AnyReplacements:
    """Return the replacements of an iterable in its order; a tuple if there are few."""
    iterator = iter(replacements)
    head = tuple(islice(iterator, _BLOCK))
    if len(head) < _BLOCK:
        return head
    return Replacements(chain(head, iterator))


def merge(*replacements: Iterable[Replacement]) -> AnyReplacements:
    """Return the replacements of several ordered iterables, in order."""
    return collect(heapq.merge(*replacements))


# RFC 8259 section 7 (a character outside of the basic plane is two escapes), ISO C section 6.4.4.4, ECMA-262 section
# 12.9.4. Any other escape is skipped.
# Matches: `\u0041`, `\uD83D\uDE00`, `\u{41}`, `\U00000041`, `\x41`, `\/`, `\t`, `\.`
# Does not match: `a`
_ESCAPE = lazy(
    r"""
    \\
    (?: (?P<one> ["'/\\`nrtbfv] )
      | u (?P<high> [Dd][89ABab][0-9A-Fa-f]{2} ) \\u (?P<low> [Dd][C-Fc-f][0-9A-Fa-f]{2} )
      | u \{ (?P<braces> [0-9A-Fa-f]{1,6} ) \}
      | u (?P<four> [0-9A-Fa-f]{4} )
      | U (?P<eight> [0-9A-Fa-f]{8} )
      | x (?P<two> [0-9A-Fa-f]{2} )
      | (?s: . )
    )
    """,
    re.VERBOSE,
)
_SIMPLE = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v"}
# Outside strings, a shell removes a backslash before any character. Before letters and digits it is kept, since the
# word may be a pattern.
_WORD = lazy(r"\\([^\w\s])")


def backslash_escapes(text: str, start: int, end: int) -> Iterator[Replacement]:
    r"""Yield the replacements of the escapes in text[start:end].

    >>> list(backslash_escapes(r"http:\/\/h\u002eexample", 0, 23))
    [(5, 7, '/'), (7, 9, '/'), (10, 16, '.')]
    """
    for match in _ESCAPE.finditer(text, start, end):
        if character := _shown(match):
            yield match.start(), match.end(), character


def _shown(match: "re.Match[str]") -> str:
    """Return the character that an escape represents; "" if there is none."""
    digits = match[match.lastgroup or 0]
    if match.lastgroup == "one":
        return _SIMPLE.get(digits, digits)
    if match.lastgroup is None:
        return ""
    code = int(digits, 16)
    if match.lastgroup == "low":
        return chr(0x10000 + ((int(match["high"], 16) & 0x3FF) << 10) + (code & 0x3FF))
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:
        return ""
    return chr(code)


def doubled_quotes(text: str, start: int, end: int, quote: str) -> Iterator[Replacement]:
    """Yield the replacements of doubled quotes in text[start:end]."""
    position = text.find(quote * 2, start, end)
    while position >= 0:
        yield position, position + 2 * len(quote), quote
        position = text.find(quote * 2, position + 2 * len(quote), end)


def word_escapes(text: str, start: int, end: int) -> AnyReplacements:
    r"""Return the replacements of escapes outside strings in text[start:end]: `a\&b` is "a&b"."""
    return collect((match.start(), match.end(), match[1]) for match in _WORD.finditer(text, start, end))


_NAMES = {character: name for name, character in _SIMPLE.items()}


def encode_backslashes(text: str, quote: str, *, refused: str = "") -> str | None:
    r"""Return a text as written in a string of JSON or C; None if it holds a character that is refused.

    >>> encode_backslashes('a"b\\c', '"')
    'a\\"b\\\\c'
    """
    written = []
    for character in text:
        if character in refused:
            return None
        if character == "\\" or character == quote[0]:
            written.append("\\" + character)
        elif character < " " or character == "\x7f":
            if character not in "\n\r\t\b\f":  # the escapes that all of these languages have
                return None
            written.append("\\" + _NAMES[character])
        else:
            written.append(character)
    return "".join(written)


def encode_doubled(text: str, quote: str) -> str | None:
    """Return a text as written in a string that doubles its quotes; None if it holds a line end."""
    if not any(character in "\r\n" for character in text):
        return text.replace(quote, quote * 2)
    return None


def verbatim(text: str, refused: str = "<>\"'\r\n") -> str | None:
    """Return the text unchanged; None if it holds one of the characters `refused`, which cannot be escaped."""
    if any(character in refused for character in text):
        return None
    return text


def encode_characters(text: str, table: Mapping[str, str], refused: str = "") -> str | None:
    """Return a text with characters replaced by the table; None if it holds white space or a refused character."""
    if any(character.isspace() or character in refused for character in text):
        return None
    return "".join([table.get(character, character) for character in text])


def backslashed(characters: str) -> dict[str, str]:
    """Return the table for characters that a backslash escapes."""
    return {character: "\\" + character for character in characters}


# CommonMark 2.4: a backslash before punctuation.
ESCAPED = lazy(r"\\([!-/:-@\[-`{-~])")
# HTML standard, section 13.5, and numeric references with a bounded number of digits.
# Matches: `&amp;`, `&#38;`, `&#x26;`, `&#X26;`
# Does not match: `&amp`, `&;`, `&#;`, `&#x;`, `&#12345678;`
ENTITY = lazy(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def entity_replacements(text: str, start: int, end: int) -> AnyReplacements:
    """Return the replacements of the character references in text[start:end]."""
    if text.find("&", start, end) >= 0:
        return collect(_entities(text, start, end))
    return ()


def _entities(text: str, start: int, end: int) -> Iterator[Replacement]:
    from html.entities import html5

    for match in ENTITY.finditer(text, start, end):
        name = match[0][1:]
        if character := html5.get(name) or (name.startswith("#") and _numbered(name[1:-1])):
            yield match.start(), match.end(), character


def _numbered(digits: str) -> str | None:
    """Return the character of a numeric reference."""
    base = 10
    if digits[0] in "xX":
        digits, base = digits[1:], 16
    code = int(digits, base)
    if 0x80 <= code < 0xA0:  # HTML standard, "numeric character reference end state": as in Windows-1252
        return bytes([code]).decode("cp1252", "replace")
    if 0 < code <= 0x10FFFF and not 0xD800 <= code < 0xE000:
        return chr(code)
    return "\ufffd"
