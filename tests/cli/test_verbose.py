"""`-v` names each file and directory that is skipped, and why."""

import os
import tarfile
from pathlib import Path

import pytest

from tests.command import git, urlscan
from tests.terminal import urlscan_in_terminal

GOOD = "http://h.example/a\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a directory in which each file but two is skipped for another reason."""
    for name in ("build", "nested", "docs", "vendor"):
        (tmp_path / name).mkdir()
    for name in ("a.txt", "tracked.log", "b.log", "build/x.txt", "nested/y.txt", "docs/d.txt", "vendor/v.txt"):
        (tmp_path / name).write_text(GOOD)
    (tmp_path / "image.png").write_bytes(b"\x89PNG\0")
    (tmp_path / "link").symlink_to("a.txt")
    os.mkfifo(tmp_path / "pipe")
    with tarfile.open(tmp_path / "t.tar", "w") as archive:
        archive.add(tmp_path / "docs", "docs")
        archive.add(tmp_path / "a.txt", "a.txt")
    (tmp_path / "urlscan.toml").write_text('exclude = ["vendor"]\n')
    return tmp_path


@pytest.fixture
def repository(tree: Path) -> Path:
    git(tree, "init", "-q")
    git(tree / "nested", "init", "-q")
    (tree / ".gitignore").write_text("build/\n*.log\n")
    git(tree, "add", "--force", "tracked.log")
    return tree


SKIPPED = {
    "image.png: binary file",
    "link: symbolic link",
    "pipe: not a regular file",
    "t.tar: compressed; --decompress opens it",
}
SKIPPED_BY_GIT = {
    *SKIPPED,
    "b.log: ignored by git",
    "tracked.log: ignored by git",
    "build/: ignored by git",
    "nested/: another repository",
    "vendor/: excluded",
}


def skipped(text: str) -> set[str]:
    """Return the lines about skipped files, each of which occurs once."""
    lines = [line for line in text.splitlines() if line.endswith(", skipped")]
    assert len(lines) == len(set(lines))
    return {line.removeprefix("urlscan: ").removesuffix(", skipped") for line in lines}


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_skipped_files_of_a_work_tree_are_named(repository: Path, jobs: str) -> None:
    done = urlscan("check", "-v", "-j", jobs, ".", cwd=repository)
    assert (done.status, done.text) == (0, "All checks passed: 4 files, 2 URLs, 0 links.\n")
    assert skipped(done.err) == SKIPPED_BY_GIT
    assert done.err.count("\n") == len(SKIPPED_BY_GIT)
    _, shown = urlscan_in_terminal("check", "-v", "-j", jobs, cwd=repository)
    assert skipped(shown) == SKIPPED_BY_GIT
    assert shown.endswith("\n" + done.text)


def test_skipped_files_of_other_directories_are_named(tree: Path) -> None:
    assert skipped(urlscan("check", "-v", ".", cwd=tree).err) == {*SKIPPED, "vendor/: excluded"}
    extracted = urlscan("extract", "-v", ".", cwd=tree)
    assert skipped(extracted.err) == {*SKIPPED, "vendor/: excluded"} - {"t.tar: compressed; --decompress opens it"}


def test_excluded_members_and_named_paths_are_named(tree: Path) -> None:
    done = urlscan("check", "-v", "--exclude", "d.txt", "t.tar", "docs/d.txt", cwd=tree)
    assert skipped(done.err) == {"t.tar:docs/d.txt: excluded", "docs/d.txt: excluded"}
    done = urlscan("check", "-v", "--exclude", "docs", "docs", "a.txt", cwd=tree)
    assert done.err == "urlscan: docs: excluded, skipped\n"


def test_skipped_files_are_not_reported_otherwise(repository: Path) -> None:
    assert urlscan("check", ".", cwd=repository).err == ""
    assert urlscan("check", "-q", "-v", ".", cwd=repository).err == ""


def test_names_are_escaped(tmp_path: Path) -> None:
    (tmp_path / "a\x1b[31m.txt").symlink_to("b")
    assert urlscan("check", "-v", ".", cwd=tmp_path).err.startswith("urlscan: a\\x1b[31m.txt: symbolic link, skipped\n")
