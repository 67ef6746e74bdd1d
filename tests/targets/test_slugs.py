"""Slug algorithms: the registry, and anchors recorded from the programs themselves."""

import json
from pathlib import Path
from typing import Any

import pytest

from urlscan.targets import slugs
from urlscan.targets.anchors import READERS, anchors_of
from urlscan.targets.kinds.base import Collector
from urlscan.targets.slugs import PRESETS, preset_of, presets_for

# Written by `python benchmarks/slugs.py --record tests/targets/slugs.json`.
RECORDED: dict[str, Any] = json.loads(Path(__file__).with_name("slugs.json").read_text(encoding="utf-8"))
# Titles in one sample of Sphinx follow elements that use up numbers, too.
MARKERS = {"markdown": "## {}\n\n", "asciidoc": "== {}\n\n"}


def written(headings: list[str], kind: str) -> str:
    if kind == "rst":
        return "".join(f"{heading}\n{'=' * (4 * len(heading) + 4)}\n\na\n\n" for heading in headings)
    return "".join(MARKERS[kind].format(heading) for heading in headings)


class Recorder(Collector):
    """Records the anchor of each heading."""

    def __init__(self, preset: str) -> None:
        super().__init__((preset_of(preset),), is_auto=False)
        self.recorded: list[str] = []

    def add(self, anchor: str, line: int) -> None:
        self.recorded.append(anchor)


def test_registry_lists_every_preset() -> None:
    folder = Path(slugs.__file__).parent
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__", "base"}
    assert {where.partition(":")[0].rpartition(".")[2] for where in PRESETS.values()} == modules
    for name in PRESETS:
        assert preset_of(name).name == name
        assert set(preset_of(name).kinds) <= set(READERS)


def test_presets_apply_to_their_kinds() -> None:
    assert [preset.name for preset in presets_for("markdown", "gitlab")] == ["gitlab"]
    assert [preset.name for preset in presets_for("rst", "gitlab")] == ["docutils", "sphinx"]
    assert {"github", "jupyter"} < {preset.name for preset in presets_for("ipynb", "auto")}
    assert presets_for("html", "auto") == ()


@pytest.mark.parametrize("name", sorted(set(RECORDED) - {"date", "programs"}))
def test_anchors_are_those_of_the_program(name: str) -> None:
    kind = preset_of(name).kinds[0]
    for document in RECORDED[name]:
        recorder = Recorder(name)
        READERS[kind](written(document["headings"], kind), recorder)
        assert recorder.recorded == document["anchors"]


@pytest.mark.parametrize("name", sorted(set(RECORDED) - {"date", "programs", "sphinx"}))
def test_auto_accepts_the_anchors_of_every_program(name: str) -> None:
    kind = preset_of(name).kinds[0]
    for document in RECORDED[name]:
        assert set(document["anchors"]) <= set(anchors_of(written(document["headings"], kind), kind).lines)
