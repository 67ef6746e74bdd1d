"""kramdown with its own parser.

Source: `generate_id` in `kramdown/converter/base.rb` of kramdown 2.4. The slug is made from the heading as written.
"""

import re

from urlscan.targets.slugs.base import MARKDOWN, Preset, numbered, source_text

# The beginning of every line up to its first letter.
_BEGINNING = re.compile(r"^[^a-zA-Z]+", re.MULTILINE)
_DROPPED = re.compile(r"[^a-zA-Z0-9 -]+")


def slug(source: str) -> str:
    """Return the slug of the source of a heading."""
    return _DROPPED.sub("", _BEGINNING.sub("", source)).replace(" ", "-").lower() or "section"


PRESET = Preset("kramdown", MARKDOWN, source_text, slug, numbered, attributes=True, tight=True)
