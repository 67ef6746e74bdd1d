"""Pandoc: the extension `auto_identifiers` of its Markdown.

Source: the manual, section "Extension: auto_identifiers", and pandoc 2.17.
"""

import regex

from urlscan.targets.slugs.base import MARKDOWN, Heading, Preset, first_free, lower_each

_DROPPED = regex.compile(r"[^\p{L}\p{N}_\-.\s]+")
_SMART = regex.compile(r"---?|\.\.\.")
_LETTER = regex.compile(r"\p{L}")


def text(heading: Heading) -> str:
    """Return the text of the rendered heading after smart typography, with the alternative texts of images."""
    return "".join([_SMART.sub("", text) if role == "text" else text or " " for role, text, _ in heading.parts])


def slug(text: str) -> str:
    """Return the slug of the text of a heading; it begins with a letter."""
    anchor = "-".join(_DROPPED.sub("", lower_each(text)).split())
    letter = _LETTER.search(anchor)
    return anchor[letter.start() :] if letter is not None else "section"


PRESET = Preset("pandoc", MARKDOWN, text, slug, first_free, attributes=True)
