"""The index finds the tree of each document, wherever it begins."""

import os
from pathlib import Path

import pytest

from tests.trees import make_work_tree
from urlscan.files.tree import tree_of
from urlscan.targets.index import TargetIndex

FILES = {"a.md": "", "docs/a.md": "", "docs/b/c/a.md": "", "docs/inner/a/b.md": "", "lib/a.md": "", "x/y/z/a.md": ""}


def make_trees(root: Path) -> None:
    make_work_tree(root, FILES, submodules=["lib"])
    make_work_tree(root / "docs/inner", {"a/b.md": ""})
    (root / "lib/.git").write_text("gitdir: nowhere")
    (root / "docs/link").symlink_to("../x/y", target_is_directory=True)
    (root / "docs/b/up").symlink_to("..", target_is_directory=True)


@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("start", ["", ".", "..", "absolute", "docs"])
def test_documents_are_placed_as_if_each_was_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: str, is_reversed: bool
) -> None:
    monkeypatch.delenv("GIT_CEILING_DIRECTORIES", raising=False)
    make_trees(tmp_path / "top")
    monkeypatch.chdir(tmp_path / "top" / ("docs" if start in ("..", "docs") else ""))
    base = {"absolute": str(tmp_path / "top"), "docs": ""}.get(start, start)
    found = sorted(
        os.path.relpath(os.path.join(directory, "a.md"))
        for directory, _, _ in os.walk(tmp_path / "top", followlinks=True)
        if ".git" not in directory and directory.count("up") < 3
    )
    paths = [os.path.join(base, path) for path in found] if start != ".." else found
    index = TargetIndex()
    for path in sorted(paths, reverse=is_reversed):
        directory = os.path.dirname(path)
        tree = tree_of(directory, {})
        above = tree.relative(directory)
        place = index.place(path)
        expected = None if above is None else (tree.root, f"{above}/a.md".lstrip("/"))
        assert (place and (place[0].root, place[1])) == expected, path


def test_the_directories_of_a_work_tree_share_one_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GIT_CEILING_DIRECTORIES", raising=False)
    make_trees(tmp_path)
    index = TargetIndex()
    first = index.place(str(tmp_path / "docs/b/c/a.md"))
    assert first is not None
    for path in ("a.md", "docs/a.md", "docs/b/a.md", "x/a.md"):
        place = index.place(str(tmp_path / path))
        assert place is not None, path
        assert place[0] is first[0], path
