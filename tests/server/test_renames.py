"""References that follow renamed files and directories."""

from pathlib import Path

import pytest

from urlscan.api.references import OpenTree
from urlscan.api.renames import Rename, reference_edits
from urlscan.config import Configuration
from urlscan.pipeline.targets import Targets

FILES = {
    "README.md": "[a](docs/a.md#x) [b](./docs/b.md) [d](docs/) [s](docs/a) ![i](docs/i%20j.png) [n](docs/none.md)\n",
    "docs/a.md": "[b](b.md) [up](../README.md) [self](#x)\n",
    "docs/b.md": "<a href=\"a.md\">a</a> [a]: a.md\n\n[ref]: a.md 'A'\n",
    "docs/page.html": '<p><a href="a.html">a</a> <img src="i%20j.png">\n',
    "docs/i j.png": "",
    "site/index.rst": "`a <../docs/a.md>`_\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def renamed(tree: Path, *pairs: tuple[str, str]) -> dict[str, str]:
    """Return the texts that change, by path, when files are renamed."""
    configuration = Configuration(isolated=True)
    renames = [Rename(str(tree / old), str(tree / new)) for old, new in pairs]
    found = {}
    open_tree = OpenTree(Targets(configuration.project_root), configuration, lambda _: None)
    for one in filter(None, reference_edits(renames, open_tree)):
        text = one.text
        for start, end, new in reversed(one.edits):
            text = text[:start] + new + text[end:]
        found[str(Path(one.path).relative_to(tree))] = text
    return found


def test_references_to_a_file_and_in_it_are_updated(tree: Path) -> None:
    found = renamed(tree, ("docs/a.md", "guide/start.md"))
    assert found == {
        "README.md": FILES["README.md"].replace("docs/a.md#x", "guide/start.md#x").replace("docs/a)", "guide/start)"),
        "docs/a.md": "[b](../docs/b.md) [up](../README.md) [self](#x)\n",
        "docs/b.md": FILES["docs/b.md"]
        .replace('"a.md"', '"../guide/start.md"')
        .replace("[ref]: a.md", "[ref]: ../guide/start.md"),
        "docs/page.html": FILES["docs/page.html"].replace("a.html", "../guide/start.html"),
        "site/index.rst": "`a <../guide/start.md>`_\n",
    }


def test_references_within_a_directory_that_moves_stay(tree: Path) -> None:
    found = renamed(tree, ("docs", "manual/en"))
    assert set(found) == {"README.md", "docs/a.md", "site/index.rst"}
    assert found["docs/a.md"] == "[b](b.md) [up](../../README.md) [self](#x)\n"
    assert found["README.md"].startswith("[a](manual/en/a.md#x) [b](./manual/en/b.md) [d](manual/en/) [s](manual/en/a)")
    assert "[n](docs/none.md)" in found["README.md"]


def test_names_are_escaped_as_in_the_reference(tree: Path) -> None:
    found = renamed(tree, ("docs/i j.png", "docs/k (1).png"))
    assert "![i](docs/k%20%281%29.png)" in found["README.md"]
    assert 'src="k%20%281%29.png"' in found["docs/page.html"]


def test_two_files_exchange_their_names(tree: Path) -> None:
    found = renamed(tree, ("docs/a.md", "docs/b.md"), ("docs/b.md", "docs/a.md"))
    assert found["README.md"].startswith("[a](docs/b.md#x) [b](./docs/a.md)")


def test_nothing_changes_without_references(tree: Path) -> None:
    (tree / "other.txt").write_text("")
    assert renamed(tree, ("other.txt", "another.txt")) == {}


def test_nothing_outside_of_the_tree_is_read(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert renamed(tree, ("docs/a.md", str(tmp_path_factory.mktemp("elsewhere") / "a.md"))) == {}
