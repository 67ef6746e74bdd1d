"""GitHub, and the programs that use github-slugger: Docusaurus, Astro, rehype-slug, MyST, marked-gfm-heading-id.

Source: github-slugger 2.0.0 (2022), whose table of characters is that of GitHub; `docs/slugs.md` lists the comparison.
"""

import regex

from urlscan.targets.slugs.base import MARKDOWN, Preset, first_free, rendered_text

# Everything but letters, marks, decimal digits, connector punctuation, hyphens and spaces. White space other than
# U+0020 is dropped, too. Python's `\w` keeps superscripts and drops marks, so it cannot be used here.
_DROPPED = regex.compile(r"[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\- ]+")
_ASCII_DROPPED = regex.compile(r"[^a-z0-9_\- ]+")


def slug(text: str) -> str:
    """Return the slug of the text of a heading. Nothing is trimmed, and hyphens are not squeezed."""
    lower = text.lower()
    dropped = _ASCII_DROPPED if lower.isascii() else _DROPPED
    return dropped.sub("", lower).replace(" ", "-")


PRESET = Preset("github", MARKDOWN, rendered_text, slug, first_free)
