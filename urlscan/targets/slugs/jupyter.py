"""JupyterLab and nbconvert: the text of the heading with hyphens for spaces, in its own case.

Source: `add_anchor` in `nbconvert/filters/strings.py` of nbconvert 7. Duplicates have the same anchor.
"""

from urlscan.targets.slugs.base import Preset, rendered_text


def slug(text: str) -> str:
    """Return the slug of the text of a heading."""
    return text.replace(" ", "-")


def unique(slug: str, _used: dict[str, int]) -> str:
    """Return the slug."""
    return slug


PRESET = Preset("jupyter", ("ipynb",), rendered_text, slug, unique)
