"""GitLab: as GitHub, but trimmed, with hyphens squeezed, and no anchor of digits only.

Source: `lib/gitlab/utils/markdown.rb` and `table_of_contents_filter.rb` of GitLab, as of 2025. The application cannot
be run alone, so the regular expressions are compared in Ruby.
"""

import regex

from urlscan.targets.slugs.base import MARKDOWN, Preset, lower_each, numbered, rendered_text

# "**(PREMIUM ONLY)**": the tier of a feature, in the documentation of GitLab.
_TIER = regex.compile(r"\s*\**\((?:core|starter|premium|ultimate)(?:\s+only)?\)\**")
_DROPPED = regex.compile(r"[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\- ]+")
_HYPHENS = regex.compile(r"-{2,}")
_DIGITS = regex.compile(r"[0-9]+")
_LONGEST = 255


def slug(text: str) -> str:
    """Return the slug of the first 255 characters of a heading."""
    lower = _TIER.sub("", lower_each(text[:_LONGEST].strip("\0\t\n\v\f\r ")))
    anchor = _HYPHENS.sub("-", _DROPPED.sub("", lower).replace(" ", "-"))
    return f"anchor-{anchor}" if _DIGITS.fullmatch(anchor) else anchor


PRESET = Preset("gitlab", MARKDOWN, rendered_text, slug, numbered)
