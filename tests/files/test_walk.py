"""Test walking directories, inside and outside of git work trees, with names of every kind."""

import os
from pathlib import Path

import pytest

from tests.command import git
from urlscan.core.errors import SourceError
from urlscan.files.patterns import Excluder
from urlscan.files.walk import Source, read_names, read_or_open, walk


def walked(*paths: str, exclude: tuple[str, ...] = ()) -> list[str]:
    found = list(walk(paths, Excluder(exclude).excludes if exclude else None))
    assert not [item for item in found if isinstance(item, SourceError)], found
    return [item.path for item in found if not isinstance(item, SourceError)]


def make(root: Path, *files: str) -> None:
    for name in files:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"http://h.example/{name}\n")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    return tmp_path


@pytest.fixture
def repository(here: Path) -> Path:
    git(here, "init")
    return here


def test_plain_directory_is_walked_in_order_without_repository_data(here: Path) -> None:
    make(here, "b.txt", "a/z.txt", "a.txt", "a-b.txt", ".hidden", ".hg/x", ".svn/x", ".jj/x", ".bzr/x", "a/.hg/y")
    assert walked(".") == [".hidden", "a-b.txt", "a.txt", "a/z.txt", "b.txt"]


def test_paths_begin_with_the_given_name(here: Path) -> None:
    make(here, "a/b/c.txt")
    assert walked("a") == ["a/b/c.txt"]
    assert walked("a/") == ["a/b/c.txt"]
    assert walked("./a") == ["./a/b/c.txt"]
    assert walked(str(here / "a")) == [str(here / "a/b/c.txt")]


def test_ignored_and_deleted_files_of_a_work_tree_are_skipped_even_if_they_are_tracked(repository: Path) -> None:
    make(repository, "kept.txt", "new.txt", "gone.txt", "build/x.txt", "sub/a.log", "sub/b.txt", "forced.log")
    (repository / ".gitignore").write_text("build/\n*.log\n")
    git(repository, "add", "kept.txt", "gone.txt", ".gitignore")
    git(repository, "add", "--force", "forced.log")
    (repository / "gone.txt").unlink()
    assert walked(".") == [".gitignore", "kept.txt", "new.txt", "sub/b.txt"]
    assert walked("sub") == ["sub/b.txt"]


def test_order_in_a_work_tree_is_the_same(here: Path) -> None:
    make(here, "a/z.txt", "a.txt", "a-b.txt", "a0.txt", "ä.txt", "B.txt")
    before = walked(".")
    git(here, "init")
    assert walked(".") == before


def test_named_ignored_directory_is_walked(repository: Path) -> None:
    make(repository, "build/x.txt")
    (repository / ".gitignore").write_text("build/\n")
    assert walked("build") == ["build/x.txt"]
    assert walked(".") == [".gitignore"]


def test_submodules_and_nested_repositories_are_skipped(repository: Path) -> None:
    make(repository, "inner/x.txt", "own.txt")
    git(repository / "inner", "init")
    git(repository / "inner", "add", ".")
    git(repository / "inner", "commit", "-m", "x")
    assert walked(".") == ["own.txt"]
    git(repository, "add", ".")  # registers the repository as a submodule
    assert walked(".") == ["own.txt"]


def test_work_tree_in_a_plain_directory_respects_its_ignore_files(here: Path) -> None:
    make(here, "loose.log", "project/a.txt", "project/b.log")
    git(here / "project", "init")
    (here / "project/.gitignore").write_text("*.log\n")
    assert walked(".") == ["loose.log", "project/.gitignore", "project/a.txt"]


def test_git_variables_of_a_hook_are_ignored(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(repository, "sub/a.txt")
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    monkeypatch.setenv("GIT_PREFIX", "sub/")
    assert walked("sub") == ["sub/a.txt"]


def test_configuration_of_a_repository_starts_no_program(repository: Path) -> None:
    make(repository, "a.txt")
    program = repository / "program"
    program.write_text("#!/bin/sh\ntouch started\n")
    program.chmod(0o755)
    git(repository, "config", "core.fsmonitor", "./program")
    assert walked(".") == ["a.txt", "program"]
    assert not (repository / "started").exists()


@pytest.mark.parametrize("in_git", [False, True], ids=["plain directory", "work tree"])
def test_only_named_symbolic_links_are_followed(here: Path, in_git: bool) -> None:
    if in_git:
        git(here, "init")
    make(here, "real/a.txt")
    (here / "file").symlink_to("real/a.txt")
    (here / "directory").symlink_to("real")
    (here / "loop").symlink_to(".")
    (here / "dangling").symlink_to("nowhere")
    if in_git:
        git(here, "add", ".")
    assert walked(".") == ["real/a.txt"]
    assert walked("file", "directory") == ["file", "directory/a.txt"]


def test_tracked_file_below_a_link_is_skipped(repository: Path) -> None:
    make(repository, "sub/a.txt", "other/a.txt")
    git(repository, "add", ".")
    (repository / "sub/a.txt").unlink()
    (repository / "sub").rmdir()
    (repository / "sub").symlink_to("other")
    assert walked(".") == ["other/a.txt"]


@pytest.mark.parametrize("in_git", [False, True], ids=["plain directory", "work tree"])
def test_special_files_are_skipped_unless_named(here: Path, in_git: bool) -> None:
    if in_git:
        git(here, "init")
    make(here, "a.txt")
    os.mkfifo(here / "pipe")
    assert walked(".") == ["a.txt"]
    assert walked("pipe") == ["pipe"]


@pytest.mark.parametrize("in_git", [False, True], ids=["plain directory", "work tree"])
def test_hostile_names_are_preserved(here: Path, in_git: bool) -> None:
    if in_git:
        git(here, "init")
    hostile = [b"new\nline", b"\x1b[31mred", b"not utf-8 \xff\xfe", b"-option", b" blank ", b'quote"', "ü".encode()]
    for name in hostile:
        Path(os.fsdecode(name)).write_bytes(name)
    assert sorted(map(os.fsencode, walked("."))) == sorted(hostile)
    assert [read_or_open(Source(name), 1000) for name in walked(".")] == [os.fsencode(name) for name in walked(".")]


def test_each_file_is_yielded_once_in_the_order_of_the_arguments(here: Path) -> None:
    make(here, "a/x.txt", "a/y.txt", "b.txt")
    assert walked("b.txt", "a/y.txt", "a", "./b.txt", "-", "-") == ["b.txt", "a/y.txt", "a/x.txt", "-"]


def test_unreadable_path_is_yielded(here: Path) -> None:
    for path in ("missing", "a\0b", "missing/below"):
        (item,) = walk([path])
        assert item == Source(path)
        with pytest.raises(SourceError) as error:
            read_or_open(item, 1000)
        assert error.value.path == path


@pytest.mark.parametrize(
    ("pattern", "remaining"),
    [
        ("*.md", ["a/b/c.txt", "a/c.txt", "docs/c.txt"]),
        ("c.txt", ["a/d.md", "docs/d.md"]),
        ("a", ["docs/c.txt", "docs/d.md"]),
        ("a/", ["docs/c.txt", "docs/d.md"]),
        ("b/", ["a/c.txt", "a/d.md", "docs/c.txt", "docs/d.md"]),
        ("d.md/", ["a/b/c.txt", "a/c.txt", "a/d.md", "docs/c.txt", "docs/d.md"]),
        ("a/*.txt", ["a/b/c.txt", "a/d.md", "docs/c.txt", "docs/d.md"]),
        ("a/**", ["docs/c.txt", "docs/d.md"]),
        ("**/c.txt", ["a/d.md", "docs/d.md"]),
        ("/docs", ["a/b/c.txt", "a/c.txt", "a/d.md"]),
        ("./docs/", ["a/b/c.txt", "a/c.txt", "a/d.md"]),
        ("[a-c].txt", ["a/d.md", "docs/d.md"]),
        ("[!a-c].*", ["a/b/c.txt", "a/c.txt", "docs/c.txt"]),
        ("?.md", ["a/b/c.txt", "a/c.txt", "docs/c.txt"]),
        ("[[:lower:]].md", ["a/b/c.txt", "a/c.txt", "docs/c.txt"]),
        (r"\c.t\xt", ["a/d.md", "docs/d.md"]),
        ("a/**/", ["a/c.txt", "a/d.md", "docs/c.txt", "docs/d.md"]),
        ("c", ["a/b/c.txt", "a/c.txt", "a/d.md", "docs/c.txt", "docs/d.md"]),
        ("", ["a/b/c.txt", "a/c.txt", "a/d.md", "docs/c.txt", "docs/d.md"]),
    ],
)
def test_exclude(here: Path, pattern: str, remaining: list[str]) -> None:
    make(here, "a/b/c.txt", "a/c.txt", "a/d.md", "docs/c.txt", "docs/d.md")
    assert walked(".", exclude=(pattern,)) == remaining
    assert walked(*remaining, "a/c.txt", "docs", exclude=(pattern,)) == list(dict.fromkeys(remaining)), "named"
    git(here, "init")
    assert walked(".", exclude=(pattern,)) == remaining, "in a work tree"


def test_exclude_applies_relative_to_a_named_directory(here: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    make(elsewhere, "docs/a.txt", "src/docs/a.txt")
    assert walked(str(elsewhere), exclude=("docs/*.txt",)) == [str(elsewhere / "src/docs/a.txt")]


def test_lists_of_names_are_read(here: Path) -> None:
    (here / "list").write_bytes(b"a\n\nb c\nnot utf-8 \xff\n")
    assert read_names("list", zero=False) == ["a", "b c", os.fsdecode(b"not utf-8 \xff")]
    (here / "list0").write_bytes(b"new\nline\0b\0")
    assert read_names("list0", zero=True) == ["new\nline", "b"]
