"""Test that reports name files relative to the repository, whatever the current directory and the form of the path."""

import json
import os
from pathlib import Path

import pytest

from tests.formats.test_secrets import run_here

URL = "<URL:http://h.example/a|b>\n"


@pytest.fixture
def repository(here: Path) -> Path:
    (here / ".git").mkdir()
    (here / "docs").mkdir()
    (here / "docs" / "a.txt").write_text(URL)
    return here


def spellings(repository: Path) -> list[tuple[Path, str]]:
    """Return pairs of a current directory and a name of the file there."""
    docs, full = repository / "docs", str(repository / "docs" / "a.txt")
    outside, name = repository.parent, repository.name
    return [
        *((outside, given) for given in (f"{name}/docs/a.txt", f"./{name}/docs/a.txt", name, full)),
        *((repository, name) for name in ("docs/a.txt", "./docs/a.txt", "docs/../docs//a.txt", "docs", ".", full)),
        *((docs, name) for name in ("a.txt", "./a.txt", "../docs/a.txt", ".", "..", full)),
    ]


def test_path_and_fingerprint_do_not_depend_on_the_spelling(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = set()
    for directory, name in spellings(repository):
        monkeypatch.chdir(directory)
        (gitlab,) = json.loads(run_here("check", "--format", "gitlab", name))
        (sarif,) = json.loads(run_here("check", "--format", "sarif", name))["runs"][0]["results"]
        uri = sarif["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        github = run_here("check", "--format", "github", name)
        assert github.startswith("::error file=docs/a.txt,line=1,")
        assert "::docs/a.txt:1:" in github
        assert (gitlab["location"]["path"], uri) == ("docs/a.txt", "docs/a.txt")
        seen.add((gitlab["fingerprint"], sarif["partialFingerprints"]["urlscan/v1"]))
    assert len(seen) == 1


def test_files_with_the_same_name_have_different_fingerprints(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "a.txt").write_text(URL)
    found = json.loads(run_here("check", "--format", "gitlab", "."))
    assert len({one["fingerprint"] for one in found}) == len(found) == 2


def test_without_a_repository_paths_are_relative_to_the_current_directory(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "a.txt").write_text(URL)
    for name in ("a.txt", "./a.txt", str(here / "a.txt")):
        (found,) = json.loads(run_here("check", "--format", "gitlab", name))
        assert found["location"]["path"] == "a.txt"


def test_paths_through_a_link_and_outside_the_repository(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = repository.parent / f"{repository.name}-outside"
    outside.mkdir()
    (outside / "b.txt").write_text(URL)
    (outside / "link").symlink_to(repository)
    paths = []
    for name in (str(outside / "link" / "docs" / "a.txt"), os.path.join("..", outside.name, "b.txt")):
        (found,) = json.loads(run_here("check", "--format", "gitlab", name))
        paths.append(found["location"]["path"])
    assert paths == ["docs/a.txt", f"../{outside.name}/b.txt"]


def test_paths_in_a_submodule_are_relative_to_the_outer_repository(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = repository / "docs" / "module"
    module.mkdir()
    (module / ".git").write_text("gitdir: ../../.git/modules/docs/module\n")
    (module / "b.txt").write_text(URL)
    assert paths(module / "b.txt", [repository, module, repository.parent], monkeypatch) == {"docs/module/b.txt"}


@pytest.mark.parametrize("content", ["gitdir: /elsewhere/.git/worktrees/module\n", "", "\0" * 9000, None])
def test_paths_in_a_nested_work_tree_are_relative_to_it(
    repository: Path, monkeypatch: pytest.MonkeyPatch, content: str | None
) -> None:
    tree = repository / "docs" / "tree"
    tree.mkdir()
    if content is None:
        (tree / ".git").mkdir()
    else:
        (tree / ".git").write_text(content)
    (tree / "b.txt").write_text(URL)
    assert paths(tree / "b.txt", [repository, tree, repository.parent], monkeypatch) == {"b.txt"}


def test_paths_in_a_submodule_without_an_outer_repository_are_relative_to_it(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "sub").mkdir()
    (here / ".git").write_text("gitdir: ../.git/modules/docs/module\n")
    (here / "sub" / "b.txt").write_text(URL)
    assert paths(here / "sub" / "b.txt", [here, here / "sub", here.parent], monkeypatch) == {"sub/b.txt"}


def paths(file: Path, directories: list[Path], monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return the paths in reports about a file that is named from several directories."""
    found = set()
    for directory in directories:
        monkeypatch.chdir(directory)
        for name in (str(file), os.path.relpath(file)):
            (finding,) = json.loads(run_here("check", "--isolated", "--format", "gitlab", name))
            found.add(finding["location"]["path"])
    return found
