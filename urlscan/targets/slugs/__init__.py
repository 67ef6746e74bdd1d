"""Slug algorithms: from the text of a heading to its anchor, one file per generator.

Each file names the program and version that it follows. `benchmarks/slugs.py` compares them with the programs.
"""

import functools
import importlib
from typing import cast

from urlscan.targets.slugs.base import Preset

# name: "module:constant", imported on first use
PRESETS: dict[str, str] = {
    "github": "urlscan.targets.slugs.github:PRESET",
    "docusaurus": "urlscan.targets.slugs.docusaurus:PRESET",
    "gitlab": "urlscan.targets.slugs.gitlab:PRESET",
    "mdbook": "urlscan.targets.slugs.mdbook:PRESET",
    "goldmark": "urlscan.targets.slugs.goldmark:PRESET",
    "hugo": "urlscan.targets.slugs.hugo:GITHUB",
    "hugo-ascii": "urlscan.targets.slugs.hugo:ASCII",
    "hugo-blackfriday": "urlscan.targets.slugs.hugo:BLACKFRIDAY",
    "mkdocs": "urlscan.targets.slugs.mkdocs:PRESET",
    "mkdocs-unicode": "urlscan.targets.slugs.mkdocs:UNICODE",
    "kramdown": "urlscan.targets.slugs.kramdown:PRESET",
    "jekyll": "urlscan.targets.slugs.jekyll:PRESET",
    "vitepress": "urlscan.targets.slugs.vitepress:PRESET",
    "pandoc": "urlscan.targets.slugs.pandoc:PRESET",
    "jupyter": "urlscan.targets.slugs.jupyter:PRESET",
    "docutils": "urlscan.targets.slugs.docutils:PRESET",
    "sphinx": "urlscan.targets.slugs.sphinx:PRESET",
    "asciidoctor": "urlscan.targets.slugs.asciidoctor:PRESET",
    "asciidoctor-github": "urlscan.targets.slugs.asciidoctor:GITHUB",
    "org": "urlscan.targets.slugs.org:PRESET",
}

# Names in the configuration that mean several algorithms: the settings of the program decide which one applies, and
# they are not read. "docutils" is what Docutils and Sphinx have in common except for duplicates.
FAMILIES: dict[str, tuple[str, ...]] = {
    "github": ("github", "docusaurus"),
    "hugo": ("hugo", "hugo-ascii", "hugo-blackfriday"),
    "mkdocs": ("mkdocs", "mkdocs-unicode"),
    "kramdown": ("kramdown", "jekyll"),
    "docutils": ("docutils", "sphinx"),
    "asciidoctor": ("asciidoctor", "asciidoctor-github"),
}


@functools.cache
def preset_of(name: str) -> Preset:
    """Return a preset by its name in PRESETS."""
    module, _, constant = PRESETS[name].partition(":")
    return cast("Preset", getattr(importlib.import_module(module), constant))


@functools.cache
def presets_for(kind: str, name: str) -> tuple[Preset, ...]:
    """Return the algorithms that produce the anchors of a document.

    Args:
        kind: the kind of the document.
        name: a name in FAMILIES or PRESETS, or "auto" for all that apply to the kind. A name for other kinds counts as
            "auto".
    """
    if name != "auto":
        presets = tuple(preset_of(member) for member in FAMILIES.get(name, (name,)))
        if kind in presets[0].kinds:
            return presets
    return tuple(preset for preset in map(preset_of, PRESETS) if kind in preset.kinds)
