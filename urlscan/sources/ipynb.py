"""Jupyter notebooks: JSON whose cells are documents of other kinds.

nbformat 4: "cells" is a list of objects; "cell_type" says what one is, and "source" is a string, or a list of
strings that are its lines.  Outputs hold data by media type, written in the same way.  The rest stays JSON, and so
does what is no notebook at all.
"""

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from urlscan.sources.escapes import backslash, in_backslashes
from urlscan.sources.replacements import Replacement, collected
from urlscan.sources.views import Piece

_TOKEN = re.compile(
    # Whatever is there matches at once, so that nothing is looked at twice; a string without an end is the rest.
    r'(?P<between>[\s:,]++)|(?P<string>"(?:[^"\\]++|\\.)*+")|"(?:[^"\\]++|\\.)*+\\?\Z|(?P<open>[\[{])|(?P<close>[\]}])'
    r'|[^\s:,"\[\]{}]++',
    re.DOTALL,
)
_MEDIA = {"text/html": "html", "image/svg+xml": "xml", "text/markdown": "markdown", "text/latex": "latex"}
# The languages that kernels call otherwise than we do.
_LANGUAGES = {"R": "r", "typescript": "javascript", "bash": "shell", "c++": "c", "C++": "c"}
_OURS = frozenset("python ruby rust go lua perl sql haskell javascript r shell c".split())
# Values in values; a notebook has six.
_DEEPEST = 64


_IN_STRING = (functools.partial(in_backslashes, quote='"'),)


class _String(NamedTuple):
    """A string of the document, between its quotation marks."""

    start: int
    end: int


def pieces(text: str, _kind: str = "") -> Iterator[Piece]:
    """Yield the notebook in pieces: what its cells hold, and JSON between."""
    done = 0
    for strings, inner in sorted(_documents(text), key=lambda found: found[0][0].start):
        start, end = strings[0].start, strings[-1].end
        yield Piece("prose", done, start, kind="json")
        yield Piece("prose", start, end, collected(_swaps(text, strings)), inner, _IN_STRING)
        done = end
    yield Piece("prose", done, len(text), kind="json")


def _swaps(text: str, strings: list[_String]) -> Iterator[Replacement]:
    """Yield what makes one text of the strings: no escapes, and nothing between two of them."""
    for number, (start, end) in enumerate(strings):
        if number:
            yield strings[number - 1].end, start, ""
        yield from backslash(text, start, end)


def _documents(text: str) -> Iterator[tuple[list[_String], str]]:
    """Yield the strings and the kind of every document in the notebook."""
    notebook = _parsed(text)
    language = _text(text, _at(notebook, "metadata", "language_info", "name")) or "python"
    language = _LANGUAGES.get(language, language)
    for cell in _list(_at(notebook, "cells")):
        kind = _text(text, _at(cell, "cell_type"))
        if kind == "code":
            kind = language if language in _OURS else "source"
        strings = _strings(_at(cell, "source"))
        if strings and kind != "raw" and kind:
            yield strings, kind
        for output in _list(_at(cell, "outputs")):
            for media, inner in _MEDIA.items():
                strings = _strings(_at(output, "data", media))
                if strings:
                    yield strings, inner


def _at(value: object, *keys: str) -> object:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _strings(value: object) -> list[_String]:
    if isinstance(value, _String):
        return [value]
    return [item for item in _list(value) if isinstance(item, _String)]


def _text(text: str, value: object) -> str:
    return text[value.start : value.end] if isinstance(value, _String) else ""


def _parsed(text: str) -> object:
    """Return the JSON value that the text is, strings by their places; None for what is too deep."""
    stack: list[list[object]] = [[]]  # the items of each value that is open, keys among them
    for token in _TOKEN.finditer(text):
        if token["between"]:
            continue
        if token["open"]:
            stack.append([])
            if len(stack) > _DEEPEST:
                return None
        elif token["close"]:
            if len(stack) < 2:
                return None
            items = stack.pop()
            stack[-1].append(items if token["close"] == "]" else _object(text, items))
        elif token["string"]:
            stack[-1].append(_String(token.start("string") + 1, token.end("string") - 1))
        else:
            stack[-1].append(None)
    return stack[0][0] if stack[0] else None


def _object(text: str, items: list[object]) -> dict[str, object]:
    return {_text(text, key): value for key, value in zip(items[::2], items[1::2], strict=False)}
