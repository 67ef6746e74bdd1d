"""Sphinx: the ids of Docutils, but duplicates and titles without ASCII letters are "id1", "id2", and so on.

Source: Sphinx 9.0 (`auto_id_prefix = "id"`). The numbers count footnotes and other elements, too, so they are only
an approximation.
"""

from urlscan.targets.slugs.base import Preset, rendered_text
from urlscan.targets.slugs.docutils import slug

_COUNTER = "\0"


def unique(slug: str, used: dict[str, int]) -> str:
    """Return the id, or the next numbered one."""
    anchor = slug
    while not anchor or anchor in used:
        used[_COUNTER] = used.get(_COUNTER, 0) + 1
        anchor = f"id{used[_COUNTER]}"
    used[anchor] = 0
    return anchor


PRESET = Preset("sphinx", ("rst",), rendered_text, slug, unique)
