"""Asciidoctor, with the attributes `idprefix` and `idseparator`.

Source: `Section.generate_id` of Asciidoctor 2.0. GitHub renders AsciiDoc with an empty prefix and hyphens.
"""

import functools
from collections.abc import Callable

import regex

from urlscan.targets.slugs.base import Preset, Unique, lower_each, rendered_text

_DROPPED = regex.compile(r"[^ \p{Alphabetic}\p{M}\p{Nd}\p{Pc}\-.]+")


@functools.cache
def _slug(prefix: str, separator: str) -> Callable[[str], str]:
    """Return the function that makes slugs with a prefix and a separator of one character or none."""
    squeezed = regex.compile(rf"[ .\-{regex.escape(separator)}]+") if separator else None

    def slug(text: str) -> str:
        anchor = prefix + _DROPPED.sub("", lower_each(text))
        if squeezed is None:
            return anchor.replace(" ", "")
        anchor = squeezed.sub(separator, anchor).removesuffix(separator)
        return anchor if prefix else anchor.removeprefix(separator)

    return slug


@functools.cache
def _unique(separator: str) -> Unique:
    """Return the function that appends 2, 3, ... to the slug of another heading."""

    def unique(slug: str, used: dict[str, int]) -> str:
        anchor = slug
        if slug in used:
            used[slug] = max(used[slug], 1)
            while anchor in used:
                used[slug] += 1
                anchor = f"{slug}{separator}{used[slug]}"
        used[anchor] = 0
        return anchor

    return unique


def preset(name: str, prefix: str, separator: str) -> Preset:
    """Return the preset with the values of `idprefix` and `idseparator`."""
    separator = separator[:1]
    return Preset(name, ("asciidoc",), rendered_text, _slug(prefix, separator), _unique(separator))


PRESET = preset("asciidoctor", "_", "_")
GITHUB = preset("asciidoctor-github", "", "-")
