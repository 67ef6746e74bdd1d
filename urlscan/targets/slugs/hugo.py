"""Hugo: the three values of `markup.goldmark.parser.autoHeadingIDType` (autoIDType since 0.139).

Source: `markup/goldmark/autoid.go` of Hugo 0.111 and 0.139, and `SanitizedAnchorName` of Blackfriday 2. The slug is
made from the last line of the heading as written.
"""

import unicodedata

import regex

from urlscan.targets.slugs.base import MARKDOWN, Preset, first_free, source_text

# Letters and decimal digits of any script; marks are dropped, unlike on GitHub.
_DROPPED = regex.compile(r"[^\p{L}\p{Nd}_\- \t]+")
_ASCII_DROPPED = regex.compile(r"[^A-Za-z0-9_\- \t]+")
_SEPARATOR = regex.compile(r"[ \t]")
_MARKS = regex.compile(r"\p{Mn}+")
_OTHERS = regex.compile(r"[^\p{L}\p{N}]+")
_EMPTY = "heading"


def _last_line(source: str) -> str:
    return source.rpartition("\n")[2].strip(" \t\n\v\f\r")


def lower(text: str) -> str:
    """Return a text in lower case, character by character: Go knows no final sigma."""
    return "".join([character.lower()[:1] for character in text]) if not text.isascii() else text.lower()


def slug(source: str) -> str:
    """Return the slug of type "github"."""
    return lower(_SEPARATOR.sub("-", _DROPPED.sub("", _last_line(source)))) or _EMPTY


def ascii_slug(source: str) -> str:
    """Return the slug of type "github-ascii": accents are removed, other characters are dropped."""
    folded = unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", _last_line(source))))
    return lower(_SEPARATOR.sub("-", _ASCII_DROPPED.sub("", folded))) or _EMPTY


def blackfriday_slug(source: str) -> str:
    """Return the slug of type "blackfriday": each other sequence of characters is one hyphen, none at the edges."""
    return lower(_OTHERS.sub("-", _last_line(source)).strip("-")) or _EMPTY


GITHUB = Preset("hugo", MARKDOWN, source_text, slug, first_free, attributes=True)
ASCII = Preset("hugo-ascii", MARKDOWN, source_text, ascii_slug, first_free, attributes=True)
BLACKFRIDAY = Preset("hugo-blackfriday", MARKDOWN, source_text, blackfriday_slug, first_free, attributes=True)
