"""Each reason for which a reference is not reported has a name, by which it is counted and switched off."""

from pathlib import Path

import pytest

from benchmarks import ablation
from tests.command import urlscan
from tests.trees import make_work_tree

TREE = {
    "mkdocs.yml": "site_name: Mill\n",
    "docs/a.md": "# Mill\n\n[a](wheel/) [b](door.html) [c]({{ d }}/a.md) [e](../plan.md) [f](none.md)\n",
    "README.md": "# Mill\n\n[a](out/plan) [b](docs/a.md#mill)\n",
}


@pytest.mark.parametrize("option", ["-v", "--statistics"])
def test_references_that_are_not_reported_are_counted_by_reason(tmp_path: Path, option: str) -> None:
    make_work_tree(tmp_path, TREE)
    done = urlscan("check", "--isolated", option, "--jobs=1", ".", cwd=tmp_path)
    expected = "urlscan: 5 links not checked: 2 site-page, 1 doubts, 1 placeholders, 1 leaves-source"
    assert [line for line in done.err.splitlines() if "not checked" in line] == [expected]


def test_references_are_not_counted_by_default(tmp_path: Path) -> None:
    make_work_tree(tmp_path, TREE)
    assert "not checked" not in urlscan("check", "--isolated", ".", cwd=tmp_path).err


def test_ablation_shows_what_an_entry_does(tmp_path: Path) -> None:
    make_work_tree(tmp_path, TREE)
    by_name = {effect.name: effect for effect in ablation.effects(tmp_path)}
    assert by_name.keys() == {"site-page", "leaves-source", "page", "no-directory", "built-element"}
    assert [one.code for one in by_name["site-page"].appearing] == ["U912", "U912"]
    assert by_name["site-page"].excused == 2
    assert [one.severity.name for one in by_name["no-directory"].appearing] == ["WARNING"]
    assert [len(by_name["built-element"].appearing), len(by_name["built-element"].rising)] == [0, 0]
