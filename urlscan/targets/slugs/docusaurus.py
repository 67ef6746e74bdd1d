"""Docusaurus 3: the slugs of GitHub, but "{#id}" at the end of a heading is its id.

Source: @docusaurus/utils 3.10.2 (`parseMarkdownHeadingId`), which uses github-slugger.
"""

from urlscan.targets.slugs.base import MARKDOWN, Preset, first_free, text_with_alternatives
from urlscan.targets.slugs.github import slug

PRESET = Preset("docusaurus", MARKDOWN, text_with_alternatives, slug, first_free, attributes=True)
