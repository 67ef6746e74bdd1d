"""mdBook: letters and numbers of every script, lower case for ASCII only.

Source: `id_from_content` and `unique_id` of mdbook-html 0.5 (2025). White space at the edges is trimmed.
"""

import regex

from urlscan.targets.slugs.base import MARKDOWN, Preset, first_free, rendered_text

# `char::is_alphanumeric` of Rust: the properties Alphabetic and Numeric; `char::is_whitespace`: White_Space.
_DROPPED = regex.compile(r"[^\p{Alphabetic}\p{N}_\-\p{White_Space}]+")
_SPACE = regex.compile(r"\p{White_Space}")
_TO_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


def slug(text: str) -> str:
    """Return the slug of the text of a heading."""
    return _SPACE.sub("-", _DROPPED.sub("", text.strip())).translate(_TO_LOWER)


PRESET = Preset("mdbook", MARKDOWN, rendered_text, slug, first_free, attributes=True)
