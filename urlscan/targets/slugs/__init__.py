"""Slug algorithms: from the text of a heading to its anchor, one file per generator.

Each file names the program and version that it follows. `benchmarks/slugs.py` compares them with the programs.
"""

import functools
import importlib
from typing import cast

from urlscan.targets.slugs.base import Preset

# name in the configuration: "module:constant", imported on first use
PRESETS: dict[str, str] = {
    "github": "urlscan.targets.slugs.github:PRESET",
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
        name: a name in PRESETS, or "auto" for all that apply to the kind. A preset for other kinds counts as "auto".
    """
    if name != "auto":
        preset = preset_of(name)
        if kind in preset.kinds:
            return (preset,)
    return tuple(preset for preset in map(preset_of, PRESETS) if kind in preset.kinds)
