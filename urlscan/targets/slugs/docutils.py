"""Docutils: ids of section titles and targets.

Source: `make_id` and `document.set_id` in `docutils/nodes.py` of Docutils 0.22.
"""

import re
import unicodedata

from urlscan.targets.slugs.base import Preset, rendered_text

# Letters that have no decomposition, and ligatures.
_PLAIN = (
    "\u00f8\u0111\u0127\u0131\u0142\u0167\u0180\u0183\u0188\u018c\u0192\u0199\u019a\u019e\u01a5\u01ab\u01ad\u01b4"
    "\u01b6\u01e5\u0225\u0234\u0235\u0236\u0237\u023c\u023f\u0240\u0247\u0249\u024b\u024d\u024f",
    "odhiltbbcdfklnpttyzgzlntjcszejqry",
)
_LIGATURES = {"\u00df": "sz", "\u00e6": "ae", "\u0153": "oe", "\u0238": "db", "\u0239": "qp"}
_LETTERS = str.maketrans(dict(zip(*_PLAIN, strict=True)) | _LIGATURES)
_OTHERS = re.compile(r"[^a-z0-9]+")
_EDGES = re.compile(r"^[-0-9]+|-+$")


def slug(text: str) -> str:
    """Return the id for a name: of ASCII letters, digits and single hyphens, beginning with a letter; "" for none."""
    name = text.lower()
    if not name.isascii():
        name = unicodedata.normalize("NFKD", name.translate(_LETTERS)).encode("ascii", "ignore").decode()
    return _EDGES.sub("", _OTHERS.sub("-", " ".join(name.split())))


def unique(slug: str, used: dict[str, int]) -> str:
    """Return the id, or with "-1", "-2", ... the first one that is free; without a name, "section-1" and so on."""
    if slug and slug not in used:
        used[slug] = 0
        return slug
    prefix = slug or "section"
    counter = f"{prefix}-"  # no id ends with a hyphen
    while True:
        used[counter] = used.get(counter, 0) + 1
        anchor = f"{prefix}-{used[counter]}"
        if anchor not in used:
            used[anchor] = 0
            return anchor


PRESET = Preset("docutils", ("rst",), rendered_text, slug, unique)
