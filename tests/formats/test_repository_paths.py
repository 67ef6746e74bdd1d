"""Reports name files from the root of the repository, wherever the run began and however a path was written."""

import json
import os
from pathlib import Path

import pytest

from tests.masking.test_secrets import run_here

URL = "<URL:http://h.example/a|b>\n"


@pytest.fixture
def repository(here: Path) -> Path:
    (here / ".git").mkdir()
    (here / "docs").mkdir()
    (here / "docs" / "a.txt").write_text(URL)
    return here


def spellings(repository: Path) -> list[tuple[Path, str]]:
    """Return current directories and the names that a file has there."""
    docs, full = repository / "docs", str(repository / "docs" / "a.txt")
    return [
        *((repository, name) for name in ("docs/a.txt", "./docs/a.txt", "docs/../docs//a.txt", "docs", ".", full)),
        *((docs, name) for name in ("a.txt", "./a.txt", "../docs/a.txt", ".", "..", full)),
    ]


def test_every_spelling_is_one_path_and_one_fingerprint(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_two_files_of_the_same_name_have_two_fingerprints(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_path_through_a_link_and_one_outside(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = repository.parent / f"{repository.name}-outside"
    outside.mkdir()
    (outside / "b.txt").write_text(URL)
    (outside / "link").symlink_to(repository)
    paths = []
    for name in (str(outside / "link" / "docs" / "a.txt"), os.path.join("..", outside.name, "b.txt")):
        (found,) = json.loads(run_here("check", "--format", "gitlab", name))
        paths.append(found["location"]["path"])
    assert paths == ["docs/a.txt", f"../{outside.name}/b.txt"]
