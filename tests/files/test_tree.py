"""Paths are looked up in the listing of a tree, as git sees it, and never outside of it."""

import os
from pathlib import Path

import pytest

import urlscan.files.tree as tree_module
from tests.trees import make_work_tree
from urlscan.files.tree import Tree, tree_of

FILES = {
    "a.md": "",
    "docs/Guide.md": "",
    "docs/img/x y.png": "",
    "build/out.md": "",
    ".gitignore": "build/\n*.tmp\ndist/\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    make_work_tree(tmp_path, FILES, submodules=["lib"])
    (tmp_path / "lib").mkdir()
    return tree_of(str(tmp_path / "docs"), {})


@pytest.mark.parametrize(
    ("path", "state"),
    [
        ("a.md", "file"),
        ("docs/Guide.md", "file"),
        ("docs/img/x y.png", "file"),
        ("docs", "directory"),
        ("", "directory"),
        ("b.md", "missing"),
        ("docs/b.md", "missing"),
        ("docs/b/c.md", "missing"),
        ("a.md/b", "missing"),
        ("build/out.md", "unknown"),
        ("build/other.md", "unknown"),
        ("x.tmp", "unknown"),
        ("docs/x.tmp/y", "unknown"),
        ("dist", "unknown"),
        ("dist/a/b", "unknown"),
        ("lib/README.md", "unknown"),
        ("lib/a/b", "unknown"),
    ],
)
def test_paths_are_found_as_git_sees_them(tree: Tree, path: str, state: str) -> None:
    assert tree.find(path).state == state


@pytest.mark.parametrize(
    ("name", "settings"),
    [("config", "[core]\nsparseCheckout\n"), ("config.worktree", "[core]\nsparsecheckout = true\n")],
)
def test_a_sparse_checkout_may_lack_files(tmp_path: Path, name: str, settings: str) -> None:
    make_work_tree(tmp_path, FILES)
    assert tree_of(str(tmp_path), {}).is_checkout
    (tmp_path / ".git" / name).write_text(settings)
    assert not tree_of(str(tmp_path), {}).is_checkout


def test_letter_case_is_that_of_the_listing(tree: Tree) -> None:
    found = tree.find("DOCS/guide.MD")
    assert (found.state, found.path, found.cased, found.is_only) == ("file", "docs/Guide.md", True, True)
    assert tree.find("DOCS/guide.MD", fold=False).state == "missing"
    assert not tree.find("docs/Guide.md").cased


def test_two_files_that_differ_in_case_alone_are_ambiguous(tree: Tree, tmp_path: Path) -> None:
    (tmp_path / "docs/guide.md").write_text("")
    if len(os.listdir(tmp_path / "docs")) < 3:
        pytest.skip("the file system ignores case")
    assert not tree.find("docs/GUIDE.md").is_only


def test_normal_forms_of_unicode_are_the_same_name(tmp_path: Path) -> None:
    make_work_tree(tmp_path, {"Cafe\u0301.md": ""})
    found = tree_of(str(tmp_path), {}).find("Caf\u00e9.md")
    assert (found.state, found.cased) == ("file", False)


def test_a_path_is_found_again_as_before(tree: Tree) -> None:
    paths = ("docs/Guide.md", "docs/guide.md", "docs/img/x y.png", "docs/b.md", "DOCS/Guide.md", "build/out.md", "docs")
    first = [tree.find(path, fold=fold) for path in paths for fold in (True, False)]
    assert [tree.find(path, fold=fold) for path in paths for fold in (True, False)] == first
    again = tree_of(tree.root, {})
    assert [again.find(path, fold=fold) for path in reversed(paths) for fold in (False, True)] == first[::-1]


def test_what_is_remembered_is_bounded(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_module, "_MOST_PATHS", 3)
    for number in range(10):
        assert tree.find(f"docs/{number}.md").state == "missing"
    assert tree.find("docs/Guide.md").state == "file"
    assert len(tree._found) <= 3


def test_links_are_followed_in_the_tree_only(tree: Tree, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (outside / "secret.md").write_text("")
    for name, target in [("in", "docs"), ("out", str(outside)), ("up", ".."), ("loop", "loop"), ("dead", "nowhere")]:
        (tmp_path / name).symlink_to(target)
    assert tree.find("in/Guide.md").path == "docs/Guide.md"
    assert {tree.find(path).state for path in ("out/secret.md", "up/x.md", "loop/x", "dead", "dead/x")} == {"unknown"}


def test_nothing_outside_of_the_tree_is_listed_or_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "repository"
    make_work_tree(root, {"docs/a.md": ""})
    (tmp_path / "secret.md").write_text("secret")
    (root / "link").symlink_to(tmp_path)
    (root / "link.md").symlink_to(tmp_path / "secret.md")
    listed: list[str] = []
    scandir = os.scandir
    monkeypatch.setattr(tree_module.os, "scandir", lambda path: listed.append(os.path.realpath(path)) or scandir(path))
    tree = Tree(str(root), None)
    for path in ("../secret.md", "docs/../../secret.md", "link/secret.md", "link.md", "/etc/passwd", "..", "a\0b"):
        tree.find(path)
        assert tree.read(path, 100) is None, path
    assert listed
    assert all((path + "/").startswith(str(root) + "/") for path in listed)


@pytest.mark.parametrize("name", [".hg", ".svn", ".jj"])
def test_checkouts_of_other_systems_are_complete(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / "docs").mkdir()
    tree = tree_of(str(tmp_path / "docs"), {})
    assert (tree.root, tree.is_checkout) == (str(tmp_path), True)


def test_a_package_may_lack_files(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    tree = tree_of(str(tmp_path / "docs"), {}, lambda _: str(tmp_path))
    assert (tree.root, tree.is_checkout) == (str(tmp_path), False)


def test_files_are_those_that_git_does_not_ignore(tree: Tree) -> None:
    assert "build/out.md" not in tree.files
    assert "docs/Guide.md" in tree.files


@pytest.mark.slow
def test_a_long_path_takes_linear_time(tree: Tree) -> None:
    assert tree.find("/".join(["x"] * 2000)).state == "missing"


def test_files_are_read_together_as_one_by_one(tree: Tree, tmp_path: Path) -> None:
    (tmp_path / "docs/link.md").symlink_to("Guide.md")
    (tmp_path / "link").symlink_to("docs")
    (tmp_path / "docs/big.md").write_text("x" * 11)
    (tmp_path / "a.md").write_text("text")
    paths = [
        "docs/Guide.md",
        "docs/big.md",
        "docs/link.md",
        "link/Guide.md",
        "none/a.md",
        "docs/none.md",
        "a.md",
        "docs",
    ]
    paths += ["docs/../a.md", "./a.md", "docs/img/x y.png", ""]
    one_by_one = [(path, data) for path in paths if (data := tree.read(path, 10)) is not None]
    assert list(tree.read_each(paths, 10)) == one_by_one
    assert [path for path, _ in one_by_one] == ["docs/Guide.md", "a.md", "./a.md", "docs/img/x y.png"]
