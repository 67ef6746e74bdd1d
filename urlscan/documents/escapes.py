r"""What a backslash means in the strings of programs and data: "\/", "\u0026", "\x3d", "\n".

RFC 8259 section 7 (JSON), ISO C section 6.4.4.4, ECMA-262 section 12.9.4 and their like agree on these.
What none of them knows stands for itself, since it may be a pattern: "\." is not a full stop.
"""

import re
from collections.abc import Iterator

from urlscan.core.lazy import lazy
from urlscan.documents.replacements import AnyReplacements, Replacement, collect

_ESCAPE = lazy(
    r"\\(?:u\{(?P<braces>[0-9A-Fa-f]{1,6})\}|u(?P<four>[0-9A-Fa-f]{4})|U(?P<eight>[0-9A-Fa-f]{8})"
    r"|x(?P<two>[0-9A-Fa-f]{2})|(?P<one>[\"'/\\`nrtbfv]))"
)
_SIMPLE = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v"}
# RFC 8259 section 7: a character outside of the basic plane is two escapes.
_SURROGATES = lazy(r"\\u([Dd][89ABab][0-9A-Fa-f]{2})\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})")
# Outside of strings a shell takes a backslash away from whatever follows; letters and digits are left to patterns.
_WORD = lazy(r"\\([^\w\s])")


def backslash_escapes(text: str, start: int, end: int) -> Iterator[Replacement]:
    r"""Yield what the escapes of text[start:end] stand for.

    >>> list(backslash(r"http:\/\/h\u002eexample", 0, 23))
    [(5, 7, '/'), (7, 9, '/'), (10, 16, '.')]
    """
    at = text.find("\\", start, end)
    while at >= 0:
        pair = _SURROGATES.match(text, at, end)
        if pair is not None:
            high, low = int(pair[1], 16), int(pair[2], 16)
            yield at, pair.end(), chr(0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF))
            at = pair.end()
        elif (match := _ESCAPE.match(text, at, end)) is not None and (shown := _shown(match)):
            yield at, match.end(), shown
            at = match.end()
        else:
            at += 2
        at = text.find("\\", at, end)


def _shown(match: "re.Match[str]") -> str:
    if match["one"]:
        return _SIMPLE.get(match["one"], match["one"])
    code = int(match["braces"] or match["four"] or match["eight"] or match["two"], 16)
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code < 0xE000 else ""


def doubled_quotes(text: str, start: int, end: int, quote: str) -> Iterator[Replacement]:
    """Yield the places of text[start:end] where a doubled quote stands for one."""
    at = text.find(quote * 2, start, end)
    while at >= 0:
        yield at, at + 2 * len(quote), quote
        at = text.find(quote * 2, at + 2 * len(quote), end)


def word_escapes(text: str, start: int, end: int) -> AnyReplacements:
    r"""Return the escapes of text[start:end] outside of strings: `a\&b` is "a&b"."""
    if text.find("\\", start, end) < 0:
        return ()
    return collect((match.start(), match.end(), match[1]) for match in _WORD.finditer(text, start, end))


# --- the other way round


_NAMES = {shown: name for name, shown in _SIMPLE.items()}


def encode_backslashes(text: str, quote: str, *, refused: str = "") -> str | None:
    r"""Return what stands for a text in a string of JSON, C and their like; None if it holds what is refused.

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
            if character not in "\n\r\t\b\f":  # what all of them know
                return None
            written.append("\\" + _NAMES[character])
        else:
            written.append(character)
    return "".join(written)


def encode_doubled(text: str, quote: str) -> str | None:
    """Return what stands for a text in a string whose quotes are doubled."""
    return text.replace(quote, quote * 2) if not any(character in "\r\n" for character in text) else None


def encode_word(text: str) -> str | None:
    r"""Return what stands for a text outside of strings: "a&b" is `a\&b`."""
    return _UNSAFE_IN_WORD.sub(r"\\\g<0>", text) if not any(map(str.isspace, text)) else None


# POSIX, XCU section 2.2: what a shell must be told to take for itself.  The marks of patterns ("?", "*") are left
# alone, as people do in URLs: they match no file.
_UNSAFE_IN_WORD = lazy(r"[&;|<>()$`\\\"'#{}!]")
