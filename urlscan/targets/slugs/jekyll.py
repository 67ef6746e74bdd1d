"""Jekyll and GitHub Pages: kramdown with its parser for GitHub's Markdown.

Source: `generate_gfm_header_id` in `kramdown/parser/gfm.rb` of kramdown-parser-gfm 1.1.
"""

import regex

from urlscan.targets.slugs.base import MARKDOWN, Heading, Preset, lower_each, numbered

_DROPPED = regex.compile(r"[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\- \t]+")
_SEPARATOR = regex.compile(r"[ \t]")
# Typographic symbols: "--" and "---" become dashes, which are dropped.
_DASHES = regex.compile(r"---?")


def text(heading: Heading) -> str:
    """Return the text of the rendered heading after smart typography, without images."""
    parts = heading.parts
    return "".join([_DASHES.sub("", text) if role == "text" else text for role, text, _ in parts if role != "image"])


def slug(text: str) -> str:
    """Return the slug of the text of a heading."""
    return _SEPARATOR.sub("-", _DROPPED.sub("", lower_each(text)))


PRESET = Preset("jekyll", MARKDOWN, text, slug, numbered, attributes=True)
