"""MkDocs: the extension `toc` of Python-Markdown, and the function `slugify_unicode` of the same module.

Source: `markdown/extensions/toc.py` of Python-Markdown 3.10.
"""

import re
import unicodedata

from urlscan.targets.slugs.base import MARKDOWN, Heading, Preset, rendered_text

_DROPPED = re.compile(r"[^\w\s-]+")
_SEPARATORS = re.compile(r"[-\s]+")
_NUMBERED = re.compile(r"(.*)_([0-9]{1,15})\Z", re.DOTALL)


def text(heading: Heading) -> str:
    """Return the text of the rendered heading, with white space collapsed."""
    return " ".join(rendered_text(heading).split())


def slug(text: str) -> str:
    """Return the slug of the text of a heading: its ASCII characters, after compatibility decomposition."""
    return unicode_slug(
        text if text.isascii() else unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    )


def unicode_slug(text: str) -> str:
    """Return the slug with word characters of every script."""
    return _SEPARATORS.sub("-", _DROPPED.sub("", text).strip().lower())


def unique(slug: str, used: dict[str, int]) -> str:
    """Return the slug, or with "_1", "_2", ... the first one that is free; a number at its end is increased.

    The state holds for each numbered anchor a later number that may be free, so that no sequence of headings takes
    quadratic time.
    """
    if slug and slug not in used:
        used[slug] = 0
        return slug
    match = _NUMBERED.match(slug)
    base, number = (match[1], int(match[2]) + 1) if match is not None else (slug, 1)
    passed = []
    while (anchor := f"{base}_{number}") in used:
        passed.append(anchor)
        number = used[anchor] or number + 1
    used.update(dict.fromkeys(passed, number))
    used[anchor] = 0
    return anchor


PRESET = Preset("mkdocs", MARKDOWN, text, slug, unique, attributes=True, tight=True)
UNICODE = Preset("mkdocs-unicode", MARKDOWN, text, unicode_slug, unique, attributes=True, tight=True)
