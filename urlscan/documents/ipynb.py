"""Read Jupyter notebooks: JSON whose cells are documents of other kinds.

nbformat 4: `cells` is a list of objects; `cell_type` is markdown, code or raw, and `source` is a string or a list of
strings, its lines. Outputs hold data by media type in the same form. The rest is JSON, and so is any other file.
"""

import functools
import re
from collections.abc import Iterator

from urlscan.core.lazy import match_end, repeat
from urlscan.documents.escapes import Replacement, backslash_escapes, collect, encode_backslashes
from urlscan.documents.regions import Region

_CONTENT = repeat(r'[^"\\]++|\\.')
# The content of a string.
_STRING = re.compile(_CONTENT, re.DOTALL)
# Every character is in a match, so that none is read twice; an unclosed string extends to the end.
# Matches: `: `, `"a\"b"`, `{`, `]`, `true`, `1.5`
# Does not match: `a b`, `"a" "b"`, `[1`
_TOKEN = re.compile(
    rf"""
    [\s:,]++
  | (?P<string> "{_CONTENT}" )
  | "{_CONTENT}\\?\Z
  | (?P<open> [\[{{] )
  | (?P<close> [\]}}] )
  | (?P<other> [^\s:,"\[\]{{}}]++ )
    """,
    re.DOTALL | re.VERBOSE,
)
_MEDIA = {"text/html": "html", "image/svg+xml": "xml", "text/markdown": "markdown", "text/latex": "latex"}
# Kinds of languages whose names in kernels differ.
_LANGUAGES = {"R": "r", "typescript": "javascript", "bash": "shell", "c++": "c", "C++": "c"}
_KNOWN_LANGUAGES = frozenset("python ruby rust go lua perl sql haskell javascript r shell c".split())
# The greatest depth of nested values; a notebook has six levels.
_MAX_DEPTH = 64
_IN_STRING = (functools.partial(encode_backslashes, quote='"'),)

# A JSON value: a string as the offset of its content; a list; an object as a tuple of keys and values; None for all
# others. A hostile document has a value every three bytes.
_Value = int | list["_Value"] | tuple["_Value", ...] | None
_NO_ITEMS: list[_Value] = []


def regions(text: str, _kind: str = "", _scope: str = "") -> Iterator[Region]:
    """Yield the sources and outputs of the cells as nested documents, and JSON between them."""
    region_end = 0
    for strings, inner in sorted(_documents(text)):
        start, end = strings[0], match_end(_STRING, text, strings[-1])
        yield Region("prose", region_end, start, kind="json")
        yield Region("prose", start, end, collect(_replacements(text, strings)), inner, _IN_STRING)
        region_end = end
    yield Region("prose", region_end, len(text), kind="json")


def _replacements(text: str, strings: list[int]) -> Iterator[Replacement]:
    """Yield the replacements that concatenate the strings and decode their escapes."""
    end = strings[0]
    for start in strings:
        if end < start:
            yield end, start, ""
        end = match_end(_STRING, text, start)
        yield from backslash_escapes(text, start, end)


def _documents(text: str) -> Iterator[tuple[list[int], str]]:
    """Yield the offsets of the strings and the kind of every document in the notebook."""
    notebook = _parsed(text)
    language = _text(text, _at(text, notebook, "metadata", "language_info", "name")) or "python"
    language = _LANGUAGES.get(language, language)
    if language not in _KNOWN_LANGUAGES:
        language = "source"
    for cell in _list(_at(text, notebook, "cells")):
        kind = _text(text, _at(text, cell, "cell_type"))
        if kind == "code":
            kind = language
        strings = _strings(_at(text, cell, "source"))
        if strings and kind != "raw" and kind:
            yield strings, kind
        for output in _list(_at(text, cell, "outputs")):
            for media, inner in _MEDIA.items():
                strings = _strings(_at(text, output, "data", media))
                if strings:
                    yield strings, inner


def _at(text: str, value: _Value, *keys: str) -> _Value:
    """Return the value at a path of keys, or None; the last of equal keys counts."""
    for key in keys:
        if not isinstance(value, tuple):
            return None
        items = value
        value = next((items[n + 1] for n in range(len(items) - 2, -1, -2) if _text(text, items[n]) == key), None)
    return value


def _list(value: _Value) -> list[_Value]:
    if isinstance(value, list):
        return value
    return []


def _strings(value: _Value) -> list[int]:
    return [item for item in (_list(value) or [value]) if isinstance(item, int)]


def _text(text: str, value: _Value) -> str:
    """Return a string as written, without its quotation marks; "" for any other value."""
    if isinstance(value, int):
        return text[value : match_end(_STRING, text, value)]
    return ""


def _parsed(text: str) -> _Value:
    """Return the JSON value of the text, with strings as offsets; None if it is nested too deeply."""
    stack: list[list[_Value]] = [[]]  # the items of each open value, including keys
    for token in _TOKEN.finditer(text):
        match token.lastgroup:
            case "string":
                stack[-1].append(token.start() + 1)
            case "other":
                stack[-1].append(None)
            case "open" if len(stack) < _MAX_DEPTH:
                stack.append([])
            case "close" if len(stack) > 1:
                items = stack.pop()
                if token[0] == "]":
                    stack[-1].append(items or _NO_ITEMS)
                else:  # an object keeps its keys and values in order; an odd one at the end is dropped
                    stack[-1].append(tuple(items[: len(items) // 2 * 2]))
            case "open" | "close":
                return None
    return next(iter(stack[0]), None)
