"""Org on GitHub: the slug of the heading. Org itself has only the anchors of `CUSTOM_ID`.

Source: the renderer of GitHub, org-ruby 0.9, whose headings get the slugs of the host.
"""

from urlscan.targets.slugs.base import Preset, first_free, rendered_text
from urlscan.targets.slugs.github import slug

PRESET = Preset("org", ("org",), rendered_text, slug, first_free)
