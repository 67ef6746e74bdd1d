"""Compare the list of files in a work tree with `git ls-files --others --exclude-standard` and an empty index."""

import os
import random
import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from tests.command import clean_environment, git
from urlscan.core.errors import SourceError
from urlscan.files.patterns import IgnoreFile
from urlscan.files.walk import files_below
from urlscan.files.work_tree import read_settings, read_submodules, work_tree_around

# URLSCAN_GIT_SEEDS=3000 runs a longer search.
SEEDS = int(os.environ.get("URLSCAN_GIT_SEEDS", "25"))
NAMES = [
    "a", "b", "ab", "foo", "bar", "a.txt", "b.log", "x y", "#h", "!n", "[x]", "a-b", "A", "B.LOG", "é", "\\q",
    "foo.bar", "f*", ".h", "aab", "a\nb ", "z ",
]  # fmt: skip
ATOMS = [
    "a", "b", "*", "**", "?", "/", "[ab]", "[!a]", "[^b-z]", "[[:alpha:]]", "[a-", "\\", "\\*", "\\[", "foo", ".",
    "log", "txt", "bar", "[]a]", "[a\\]b]", "[[:x:]]", "-", "*.log", "a", "b", "/", "/", "[!-~]", "[]-a]", "[--.]",
    "[a-c-e]", "[\\a-\\c]", "[[a]", "[/]", "[[:]", "A", "[A-Z]", "[[:upper:]]", " ", "#", "!", "é", "**/", "/**",
    "/**/",
]  # fmt: skip


@pytest.fixture(autouse=True)
def isolated_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))


def listed(directory: Path) -> list[str] | None:
    """Return the listed names; there must be no errors. Return None outside of a work tree."""
    paths = [path for path in files_below(str(directory)) if isinstance(path, str)]
    assert len(paths) == len(list(files_below(str(directory))))
    if work_tree_around(str(directory))[0] is None:
        return None
    return [path.removeprefix(os.path.join(directory, "")) for path in paths]


def listed_by_git(directory: Path) -> list[str]:
    """Return the regular files that git lists, without those reached through symbolic links."""
    command = ["git", "ls-files", "-z", "--others", "--exclude-standard"]
    environment = {**os.environ, **clean_environment(), "GIT_INDEX_FILE": os.devnull + "-no-index"}
    done = subprocess.run(command, cwd=directory, env=environment, check=True, capture_output=True)
    names = [os.fsdecode(name) for name in sorted(set(done.stdout.split(b"\0"))) if name]
    return [name for name in names if is_file(directory, name)]


def is_file(directory: Path, name: str) -> bool:
    path = directory / name
    try:
        is_regular = stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False
    return (
        is_regular
        and not any(above.is_symlink() for above in path.relative_to(directory).parents if above.name)
        and path.resolve() == directory.resolve() / name
    )


class Tree:
    """A random work tree with patterns, nested repositories and links."""

    def __init__(self, top: Path, seed: int) -> None:
        self.top = top
        self.random = random.Random(seed)
        self.folds = self.random.random() < 0.2
        self.directories: list[Path] = []
        top.mkdir()
        git(top, "init")
        if self.folds:
            git(top, "config", "core.ignoreCase", "true")
        self.fill(top, 0)
        self.ignore()
        self.nest()
        if self.directories and self.random.random() < 0.3:
            shutil.rmtree(self.random.choice(self.directories), ignore_errors=True)

    def sample(self, most: int) -> list[Path]:
        existing = [path for path in self.directories if path.is_dir()]
        return self.random.sample(existing, min(len(existing), most))

    def fill(self, directory: Path, depth: int) -> None:
        names = [name for name in NAMES if not (self.folds and name != name.lower())]
        for name in self.random.sample(names, self.random.randint(1, 7)):
            path = directory / name
            if depth < 4 and self.random.random() < 0.45:
                path.mkdir()
                self.directories.append(path)
                self.fill(path, depth + 1)
            elif self.random.random() < 0.05:
                path.symlink_to(self.random.choice(["a", "..", "nowhere"]))
            else:
                path.write_text("x")

    def pattern(self) -> str:
        chance = self.random.random()
        if chance < 0.3:
            pattern = self.random.choice(NAMES) + self.random.choice(["", "", "/"])
        elif chance < 0.4:
            pattern = "*." + self.random.choice(["log", "txt", "bar"])
        else:
            pattern = "".join(self.random.choice(ATOMS) for _ in range(self.random.randint(1, 5)))
        pattern = "!" + pattern if self.random.random() < 0.15 else pattern
        pattern = re.sub("//+", "/", pattern)  # git 2.39 reads `a**//` as `a/`; here an empty name matches nothing
        # If the case is ignored, an upper-case letter in brackets matches nothing in git.
        return pattern.lower() if self.folds and "[" in pattern else pattern

    def ignore(self) -> None:
        for path in [self.top, *self.sample(3)]:
            end = self.random.choice(["\n", "\r\n"])
            lines = end.join(self.pattern() for _ in range(self.random.randint(0, 6)))
            (path / ".gitignore").write_text(lines + self.random.choice(["", "\n"]), newline="")
        if self.random.random() < 0.3:
            (self.top / ".git/info/exclude").write_text("\n".join(self.pattern() for _ in range(3)))

    def nest(self) -> None:
        for path in self.sample(2):
            chance = self.random.random()
            if chance < 0.3:
                git(path, "init")
                if chance < 0.15:
                    git(path, "commit", "--allow-empty", "-m", "x")
            elif chance < 0.4:
                (path / ".git").mkdir(exist_ok=True)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_work_trees_are_listed_like_git(tmp_path: Path, seed: int) -> None:
    tree = Tree(tmp_path / "top", seed)
    for directory in [tree.top, *tree.sample(4)]:
        actual = listed(directory)
        if actual is not None:  # None: an ignored directory, which is walked completely
            assert actual == listed_by_git(directory), directory
        else:
            assert listed_by_git(directory) == []


def test_tracked_files_are_ignored_like_others(tmp_path: Path) -> None:
    git(tmp_path, "init")
    for name in ("a.txt", "b.log", ".gitignore"):
        (tmp_path / name).write_text("*.log\n")
    git(tmp_path, "add", "--force", ".")
    (tmp_path / ".git/index").write_bytes(b"damaged")
    assert listed(tmp_path) == [".gitignore", "a.txt"]


def test_linked_work_trees_are_read(tmp_path: Path) -> None:
    top = tmp_path / "top"
    (top / "a").mkdir(parents=True)
    (top / "a/x.txt").write_text("x")
    git(top, "init")
    git(top, "add", ".")
    git(top, "commit", "-m", "x")
    (top / ".git/info/exclude").write_text("*.log\n")
    git(top, "worktree", "add", "../linked")
    (tmp_path / "linked/a/z.log").write_text("x")
    assert listed(tmp_path / "linked") == ["a/x.txt"]


def test_submodules_are_listed_separately(tmp_path: Path) -> None:
    top, other = tmp_path / "top", tmp_path / "other"
    for path in (top, other):
        path.mkdir()
        git(path, "init")
        (path / "a.txt").write_text("x")
        (path / ".gitignore").write_text("*.log\n")
        git(path, "add", ".")
        git(path, "commit", "-m", "x")
    git(top, "-c", "protocol.file.allow=always", "submodule", "add", str(other), "sub")
    (top / "sub/b.log").write_text("x")
    assert listed(top) == [".gitignore", ".gitmodules", "a.txt"]
    assert listed(top / "sub") == [".gitignore", "a.txt"]
    git(top, "submodule", "deinit", "--force", "sub")
    (top / "sub/stray.txt").write_text("x")
    assert listed(top) == [".gitignore", ".gitmodules", "a.txt"]


def test_paths_of_submodules_are_read(tmp_path: Path) -> None:
    text = '[submodule "a b"]\n\tpath = lib/a b/\n\turl = ../path\n[submodule "c"]\npath="c"\n[other]\npath = d\n'
    (tmp_path / ".gitmodules").write_text(text)
    assert read_submodules(str(tmp_path / ".gitmodules")) == {"lib/a b", "c"}
    assert read_submodules(str(tmp_path / "none")) == set()


def test_ignore_file_of_the_user_is_honored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top, home = tmp_path / "top", tmp_path / "home"
    (home / "more").mkdir(parents=True)
    top.mkdir()
    git(top, "init")
    for name in ("a.txt", "a.swp", "a.log", "a.tmp"):
        (top / name).write_text("x")
    (tmp_path / "xdg/git").mkdir(parents=True)
    (tmp_path / "xdg/git/ignore").write_text("*.swp\n")
    assert listed(top) == ["a.log", "a.tmp", "a.txt"]
    monkeypatch.delenv("GIT_CONFIG_GLOBAL")
    (home / ".gitconfig").write_text('[include]\n\tpath = more/config\n[user]\n name = "a # b"\n')
    (home / "more/config").write_text("[core]\n  excludesFile = ~/ignore ; mine\n")
    (home / "ignore").write_text("*.log\n!a.swp")
    assert listed(top) == ["a.swp", "a.tmp", "a.txt"]
    (top / ".git/info/exclude").write_text("a.swp\n")
    assert listed(top) == ["a.tmp", "a.txt"]
    git(top, "config", "core.excludesFile", "a.txt")  # the setting of the repository overrides that of the user
    (top / "a.txt").write_text("*.tmp\n")
    assert listed(top) == ["a.log", "a.txt"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[core]excludesFile=/a", "/a"),
        ('[CORE]\n\tEXCLUDESFILE = "/a b" # c', "/a b"),
        ('[core]\nexcludesFile = /a\\\n/b"; c"', "/a/b; c"),
        ("[core]\nexcludesFile = /a   \n[other]\nexcludesFile = /c", "/a"),
        ('[core "x"]\nexcludesFile = /a', "/xdg"),
        ("[core]\nexcludesFile = ", ""),
        ("[core]\nexcludesFile = x", "/top/x"),
        ("[core]\nexcludesFile = ~nobody/x", ""),
        ('[core]\nexcludesFile = "/a\\\\b\\"c"', '/a\\b"c'),
        ("[core]\nexcludesFile = /a\n]]] excludesFile = /b", "/a"),
    ],
)
def test_git_configuration_is_parsed(tmp_path: Path, text: str, expected: str) -> None:
    (tmp_path / "config").write_text(text)
    expected = expected.replace("/xdg", str(tmp_path / "xdg/git/ignore"))
    assert read_settings(str(tmp_path), str(tmp_path), "/top")[0] == expected


def test_recursive_include_is_limited(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("[include]\npath = config\n" * 100 + "[core]\nignoreCase\n")
    assert read_settings(str(tmp_path), str(tmp_path), "/top")[1]


def test_git_directory_is_not_a_work_tree(tmp_path: Path) -> None:
    git(tmp_path, "init")
    assert listed(tmp_path / ".git") is None
    assert listed(tmp_path / ".git/info") is None


@pytest.mark.parametrize("ceilings", [None, "", ":", ".", "relative:"])
def test_search_ends_at_no_ceiling_that_is_empty_or_relative(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ceilings: str | None
) -> None:
    git(tmp_path, "init")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").touch()
    (tmp_path / "docs/b.md").touch()
    (tmp_path / ".gitignore").write_text("b.md")
    if ceilings is None:
        monkeypatch.delenv("GIT_CEILING_DIRECTORIES")
    else:
        monkeypatch.setenv("GIT_CEILING_DIRECTORIES", ceilings.replace(":", os.pathsep))
    monkeypatch.chdir(tmp_path)
    assert listed(tmp_path / "docs") == ["a.md"]


def test_search_ends_at_a_ceiling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(tmp_path, "init")
    (tmp_path / "docs/sub").mkdir(parents=True)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", os.pathsep.join(["", str(tmp_path)]))
    assert listed(tmp_path / "docs") is None
    assert listed(tmp_path / "docs/sub") is None
    assert listed(tmp_path) == []


def test_broken_git_file_hides_no_file(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*\n")
    for text in ("", "gitdir: nowhere", "gitdir: ../", "x" * 100_000):
        (tmp_path / ".git").write_text(text)
        assert listed(tmp_path) is None


def test_too_large_ignore_file_is_reported(tmp_path: Path) -> None:
    git(tmp_path, "init")
    for text in ("a" * (1 << 20) + "\n\n", "[ab]\n" * 60_000):
        (tmp_path / ".gitignore").write_text(text)
        error, file = files_below(str(tmp_path))
        assert file == str(tmp_path / ".gitignore")
        assert isinstance(error, SourceError)
        assert "its patterns are ignored" in str(error)


@pytest.mark.parametrize(
    "pattern", ["*a" * 40 + "b", "**/a" * 40 + "/b", "*?" * 40 + "b", "**/*a*a*a" * 15 + "b", "[a-z]*" * 30 + "B"]
)
def test_patterns_take_no_exponential_time(pattern: str) -> None:
    file = IgnoreFile(pattern.encode())
    for path in (b"a" * 250, b"/".join([b"a" * 50] * 60), b"a/" * 1500 + b"a"):
        assert file.decision(path, path.rpartition(b"/")[2], is_directory=False) is None
