"""Slug algorithms: the registry, and anchors recorded from the programs themselves."""

import importlib.util
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from urlscan.core.settings import ANCHORS
from urlscan.targets import generators
from urlscan.targets.anchors import READERS, anchors_of, reader_of
from urlscan.targets.kinds.base import Collector
from urlscan.targets.slugs import FAMILIES, PRESETS, presets_for

# Written by `python benchmarks/slugs.py --record tests/targets/slugs.json`.
ROOT = Path(__file__).parents[2]
RECORDED: dict[str, Any] = json.loads(Path(__file__).with_name("slugs.json").read_text(encoding="utf-8"))
MARKERS = {"markdown": "## {}\n\n", "asciidoc": "== {}\n\n"}


def written(headings: list[str], kind: str) -> str:
    if kind == "rst":
        return "".join(f"{heading}\n{'=' * (4 * len(heading) + 4)}\n\na\n\n" for heading in headings)
    return "".join(MARKERS[kind].format(heading) for heading in headings)


class Recorder(Collector):
    """Records the anchor of each heading."""

    def __init__(self, preset: str) -> None:
        super().__init__((PRESETS[preset],), is_auto=False)
        self.recorded: list[str] = []

    def add(self, anchor: str, line: int) -> None:
        self.recorded.append(anchor)


def test_registry_lists_every_preset() -> None:
    for name, preset in PRESETS.items():
        assert preset.name == name
        assert set(preset.kinds) <= set(READERS)


def test_presets_apply_to_their_kinds() -> None:
    assert [preset.name for preset in presets_for("markdown", "gitlab")] == ["gitlab"]
    assert [preset.name for preset in presets_for("rst", "gitlab")] == ["github", "docutils", "sphinx"]
    assert [preset.name for preset in presets_for("rst", "github")] == ["github", "docutils"]
    assert [preset.name for preset in presets_for("markdown", "kramdown")] == ["kramdown", "jekyll"]
    assert {"github", "jupyter"} < {preset.name for preset in presets_for("ipynb", "auto")}
    assert presets_for("html", "auto") == ()


def test_every_choice_of_the_configuration_is_a_preset() -> None:
    assert list(ANCHORS) == ["auto", *PRESETS]
    assert {kind.preset for kind in generators.KINDS} <= {"", *PRESETS}


def test_members_of_a_family_are_presets_of_a_kind_of_its_name() -> None:
    for name, members in FAMILIES.items():
        assert name in members
        assert not any(set(PRESETS[name].kinds).isdisjoint(PRESETS[member].kinds) for member in members)


def test_a_family_accepts_the_anchors_of_its_members() -> None:
    assert set(anchors_of("# \u5b89 a\n# \u5b89 a\n", "markdown", "mkdocs").lines) == {
        "a",
        "a_1",
        "\u5b89-a",
        "\u5b89-a_1",
    }


@pytest.mark.parametrize("name", sorted(set(RECORDED) - {"date", "programs"}))
def test_anchors_are_those_of_the_program(name: str) -> None:
    kind = PRESETS[name].kinds[0]
    for document in RECORDED[name]:
        recorder = Recorder(name)
        reader_of(kind)(written(document["headings"], kind), recorder)
        assert recorder.recorded == document["anchors"]


@pytest.mark.parametrize("name", sorted(set(RECORDED) - {"date", "programs", "sphinx", "hexo", "hexo-plain"}))
def test_auto_accepts_the_anchors_of_every_program(name: str) -> None:
    kind = PRESETS[name].kinds[0]
    for document in RECORDED[name]:
        assert set(document["anchors"]) <= set(anchors_of(written(document["headings"], kind), kind).lines)


def benchmark() -> Any:
    """Return the module that generates headings and converts them."""
    spec = importlib.util.spec_from_file_location("benchmark_slugs", ROOT / "benchmarks" / "slugs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "package"), [("mkdocs", "markdown"), ("mkdocs-unicode", "markdown"), ("docutils", "docutils")]
)
def test_anchors_are_those_of_the_installed_program(name: str, package: str) -> None:
    pytest.importorskip(package)
    slugs = benchmark()
    kind = PRESETS[name].kinds[0]
    chance = random.Random(name)
    # The parsers of Markdown differ in emphasis by underscores next to characters that are not visible.
    lists = [[one for one in slugs.document(chance, kind) if not re.search("[_\u200b\u00ad]", one)] for _ in range(4)]
    documents = [slugs.written(headings, kind) for headings in lists]
    for headings, theirs, ours in zip(
        lists, slugs.PROGRAMS[name][1](documents), slugs.ours(documents, name), strict=True
    ):
        assert dict(zip(headings, ours, strict=True)) == dict(zip(headings, theirs, strict=True))


def test_the_documentation_describes_every_preset() -> None:
    page = (ROOT / "docs" / "slugs.md").read_text(encoding="utf-8")
    markers = {
        "markdown": "## {}\n",
        "ipynb": "",
        "rst": "{}\n====================\n",
        "asciidoc": "== {}\n",
        "org": "* {}\n",
    }
    for name in PRESETS:
        preset = PRESETS[name]
        text = "Wind & \u00e1gua 2.0"
        anchors = list(anchors_of(markers[preset.kinds[0]].format(text), preset.kinds[0], name).lines) or [
            preset.slug(text)
        ]
        assert re.search(rf"(?m)^\| `{name}` \|.*`{re.escape(anchors[0])}`", page), name
