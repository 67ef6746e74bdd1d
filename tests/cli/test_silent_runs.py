"""Runs without files and options without effect are reported."""

from pathlib import Path

import pytest

from tests.formats.test_secrets import run_here

URL = "<URL:http://h.example/a|b>\n"
NOTHING = "urlscan: warning: no files were checked\n"


@pytest.fixture
def tree(here: Path) -> Path:
    """Return the current directory, with an empty directory and a file with a finding in another."""
    (here / "empty").mkdir()
    (here / "docs").mkdir()
    (here / "docs" / "a.txt").write_text(URL)
    return here


@pytest.mark.parametrize(
    "arguments",
    [["empty"], ["--exclude", "*", "."], ["--exclude", "a.txt", "docs/a.txt"], ["--exclude", "docs", "docs", "empty"]],
    ids=" ".join,
)
def test_run_without_files_has_a_warning(tree: Path, arguments: list[str]) -> None:
    assert run_here("check", *arguments) == NOTHING
    assert run_here("check", "-j", "2", *arguments) == NOTHING
    assert run_here("extract", *arguments) == NOTHING.replace("checked", "read")
    assert run_here("check", "-q", *arguments) == ""


def test_verbose_names_files_excluded_by_the_configuration(tree: Path) -> None:
    (tree / "urlscan.toml").write_text('exclude = ["docs"]\n')
    assert run_here("check", "docs/a.txt") == NOTHING
    assert run_here("check", "-v", "docs/a.txt") == "urlscan: docs/a.txt: excluded, skipped\n" + NOTHING
    (tree / "b.txt").write_text("nothing\n")
    output = run_here("check", "-v", "--format", "concise", "docs", "b.txt")
    assert output == "All checks passed: 1 file, 0 URLs, 0 links.\nurlscan: docs: excluded, skipped\n"


@pytest.mark.parametrize("text", ["", "no URL\n", "http://h.example/\n"])
def test_run_with_a_file_has_no_warning(here: Path, text: str) -> None:
    (here / "a.txt").write_text(text)
    for command in ("check", "extract"):
        for jobs in ("1", "2"):
            assert "no files" not in run_here(command, "-j", jobs, ".")
