"""Each reason for which a reference is not reported has a name, by which it is counted and switched off."""

from pathlib import Path

import pytest

from benchmarks import ablation
from tests.command import urlscan
from tests.trees import make_work_tree
from urlscan.targets.anchor_excuses import ALL

TREE = {
    "docusaurus.config.js": "",
    "docs/a.md": "# Mill\n\n[a](wheel/) [b](door.html) [c]({{ d }}/a.md) [e](../plan.md) [f](none.md)\n",
    "README.md": "# Mill\n\n[a](out/plan.html) [b](docs/a.md#mill)\n",
}


@pytest.mark.parametrize("option", ["-v", "--statistics"])
def test_references_that_are_not_reported_are_counted_by_reason(tmp_path: Path, option: str) -> None:
    make_work_tree(tmp_path, TREE)
    done = urlscan("check", "--isolated", option, "--jobs=1", ".", cwd=tmp_path)
    expected = "urlscan: 4 links not checked: 2 site-page, 1 doubts, 1 placeholders"
    assert [line for line in done.err.splitlines() if "not checked" in line] == [expected]


def test_references_are_not_counted_by_default(tmp_path: Path) -> None:
    make_work_tree(tmp_path, TREE)
    assert "not checked" not in urlscan("check", "--isolated", ".", cwd=tmp_path).err


def test_ablation_shows_what_an_entry_does(tmp_path: Path) -> None:
    make_work_tree(tmp_path, TREE)
    references = ablation.broken_references(tmp_path)
    by_name = {excuse.name: ablation.decided(references, excuse.name) for excuse in ALL}
    assert {name: [level.label for _, level in changes] for name, changes in by_name.items() if changes} == {
        "site-page": ["warning", "warning"],
        "page": ["warning"],
        "no-directory": ["warning"],
    }
