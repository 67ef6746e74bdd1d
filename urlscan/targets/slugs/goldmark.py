"""goldmark without an id factory of its own (Gitea, and programs in Go that use its defaults).

Source: `parser.IDs` of goldmark 1.5. The slug is made from the bytes of the last line of the heading as written, so
that the destination of a link is in it.
"""

import re

from urlscan.targets.slugs.base import MARKDOWN, Preset, first_free, source_text

_DROPPED = re.compile(r"[^a-z0-9 \t\n\v\f\r_-]+")
_SEPARATOR = re.compile(r"[ \t\n\v\f\r_-]")
_TO_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


def slug(source: str) -> str:
    """Return the slug of the source of a heading."""
    line = source.rpartition("\n")[2].strip(" \t\n\v\f\r")
    return _SEPARATOR.sub("-", _DROPPED.sub("", line.translate(_TO_LOWER))) or "heading"


PRESET = Preset("goldmark", MARKDOWN, source_text, slug, first_free, attributes=True)
