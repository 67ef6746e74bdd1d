"""Test `urlscan init`."""

import os
import re
import tomllib
from pathlib import Path

import pytest

from tests.command import Result, git, urlscan
from tests.pages import blocks
from urlscan.cli import init as init_command
from urlscan.cli.init import BASELINE, CONFIGURATION, HOOKS, hook_entry, template
from urlscan.config.keys import KEYS, checked
from urlscan.files.atomic_write import AtomicFile

FAULTY = "See <http://h.example/%zz/a>.\n"


@pytest.fixture
def tree(here: Path) -> Path:
    git(here, "init")
    (here / "a.txt").write_text(FAULTY)
    return here


def init(tree: Path, *arguments: str) -> Result:
    return urlscan("init", *arguments, cwd=tree)


def test_init_writes_configuration_baseline_and_hook(tree: Path) -> None:
    done = init(tree)
    assert done.lines == [
        "Wrote urlscan-baseline.json: only new findings are reported.",
        "Wrote urlscan.toml.",
        "Wrote .pre-commit-config.yaml.",
        "In it, replace the address after `repo` and the revision after `rev`.",
        "Then `pre-commit install` runs the hook before each commit.",
    ]
    assert (done.status, done.err) == (0, "urlscan: urlscan-baseline.json: 1 finding in 1 file\n")
    assert tomllib.loads((tree / CONFIGURATION).read_text(encoding="utf-8")) == {"baseline": BASELINE}
    assert (tree / HOOKS).read_text() == f"repos:\n{hook_entry()[0]}" == blocks("yaml")[0].text


def test_only_new_findings_are_reported_afterwards(tree: Path) -> None:
    init(tree)
    assert urlscan("check", ".", cwd=tree).status == 0
    (tree / "b.txt").write_text(FAULTY)
    assert [line.partition(":")[0] for line in urlscan("check", "--format", "concise", ".", cwd=tree).lines[:1]] == [
        "b.txt"
    ]


def test_a_second_run_changes_nothing(tree: Path) -> None:
    init(tree)
    before = {path.name: path.read_bytes() for path in tree.iterdir() if path.is_file()}
    done = init(tree)
    assert (done.status, done.err) == (0, "")
    assert done.text.startswith(
        "Kept urlscan.toml. `urlscan config` shows the settings.\nKept .pre-commit-config.yaml. "
    )
    assert done.text.endswith("- id: urlscan\n")
    assert {path.name: path.read_bytes() for path in tree.iterdir() if path.is_file()} == before


@pytest.mark.parametrize("name", ["urlscan.toml", ".urlscan.toml", "pyproject.toml"])
def test_init_neither_overwrites_nor_hides_a_configuration(tree: Path, name: str) -> None:
    text = "[tool.urlscan]\n" if name == "pyproject.toml" else ""
    (tree / name).write_text(text)
    assert init(tree).lines[0] == f"Kept {name}. `urlscan config` shows the settings."
    assert (tree / name).read_text() == text
    assert sorted(os.listdir(tree)) == sorted([".git", name, HOOKS, "a.txt"])


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="no symbolic links")
@pytest.mark.parametrize("name", [CONFIGURATION, HOOKS])
def test_init_does_not_write_through_a_link(tree: Path, name: str) -> None:
    (tree / name).symlink_to("elsewhere")
    assert f"Kept {name}." in init(tree).text
    assert not (tree / "elsewhere").exists()


def test_a_directory_that_cannot_be_written_is_one_line(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(AtomicFile, "_created", refuse)
    done = init(tree)
    assert (done.status, done.out, done.err.count("\n")) == (2, b"", 1)


def test_init_takes_no_path(tree: Path) -> None:
    assert init(tree, "docs").status == 2
    assert sorted(os.listdir(tree)) == [".git", "a.txt"]


def test_every_key_of_the_template_is_valid() -> None:
    text = template("b.json")
    table = tomllib.loads(re.sub("(?m)^# (?=[a-z-]+ = )", "", text))
    assert list(table) == [key.name for key in KEYS]
    assert checked(table)
    assert max(map(len, text.splitlines())) < 120


def test_the_hook_has_the_address_and_commit_of_an_installation_from_a_repository(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = {"url": "https://jo:s3cret@git.example/urlscan", "vcs_info": {"vcs": "git", "commit_id": "1a2b"}}
    monkeypatch.setattr(init_command, "install_source", lambda: source)
    assert "In it, replace" not in init(tree).text
    text = (tree / HOOKS).read_text()
    assert "- repo: https://jo:***@git.example/urlscan\n    rev: 1a2b\n" in text
