"""VitePress and VuePress: markdown-it-anchor with the slugs of @mdit-vue/shared.

Source: `slugify` of @mdit-vue/shared 3.0.2, and vitepress 1.6.4.
"""

import re
import unicodedata

from urlscan.targets.slugs.base import MARKDOWN, Heading, Preset, first_free

_CONTROL = re.compile(r"[\0-\x1f]+")
_COMBINING = re.compile(r"[\u0300-\u036f]+")
# White space (as in JavaScript) and punctuation.
_WHITE_SPACE = r" \t\n\v\f\r\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_PUNCTUATION = r"~`!@#$%^&*()\-_+=\[\]{}|\\;:\"'\u201c\u201d\u2018\u2019<>,.?/"
_SPECIAL = re.compile(f"[{_WHITE_SPACE}{_PUNCTUATION}]+")
_SHORTCODE = re.compile(r":[A-Za-z0-9_+-]{1,60}:")
_DIGIT = re.compile(r"[0-9]")


def text(heading: Heading) -> str:
    """Return the text of the heading: no images, no shortcodes of emoji (":tada:"), entities in a text as written."""
    parts = heading.parts
    texts = []
    for number, part in enumerate(parts):
        if part.role == "text":
            texts.append(_SHORTCODE.sub("", part.text))
        elif part.role == "entity":
            neighbors = parts[max(number - 1, 0) : number + 2]
            is_alone = sum(neighbor.role in ("text", "entity") for neighbor in neighbors) == 1
            texts.append(part.text if is_alone else part.source)
        elif part.role == "code":
            texts.append(part.text)
    return "".join(texts)


def slug(text: str) -> str:
    """Return the slug of the text of a heading."""
    folded = _CONTROL.sub("", _COMBINING.sub("", unicodedata.normalize("NFKD", text)))
    anchor = _SPECIAL.sub("-", folded).strip("-")
    return (f"_{anchor}" if _DIGIT.match(anchor) else anchor).lower()


PRESET = Preset("vitepress", MARKDOWN, text, slug, first_free, attributes=True)
