"""Test that checking the links of a tree calls functions in proportion to the number of its files."""

import cProfile
import pstats
from collections.abc import Callable
from pathlib import Path

import pytest

import urlscan
from tests.linear_time import assert_linear


@pytest.mark.parametrize(
    "link",
    [
        lambda following: f"[a](f{following}.md#head{following})",
        lambda following: f"[a](f{following}.md#heed{following})",
        lambda following: f"[a](g{following}.md)",
        lambda following: f"[a](moved/f{following}.md)",
    ],
    ids=["found", "broken fragments", "missing files", "moved files"],
)
def test_calls_grow_with_the_files(tmp_path: Path, link: Callable[[int], str]) -> None:
    def calls(count: int) -> int:
        tree = tmp_path / str(count)
        tree.mkdir()
        for number in range(count):
            (tree / f"f{number}.md").write_text(f"# Head{number}\n\n{link((number + 1) % count)}\n")
        profile = cProfile.Profile()
        profile.runcall(lambda: list(urlscan.lint_paths([tree], jobs=1)))
        total: int = pstats.Stats(profile).total_calls  # type: ignore[attr-defined]
        return total

    calls(10)  # imports and patterns
    assert calls(400) <= 4.5 * calls(100)


def test_calls_grow_with_the_directories(tmp_path: Path) -> None:
    """For each document, all directories beside that of it were listed, and all names beside a configuration."""

    def calls(count: int) -> int:
        for number in range(count):
            directory = tmp_path / str(count) / f"d{number}"
            directory.mkdir(parents=True)
            (directory / "a.md").write_text("[a](b) [c](c)\n")
        profile = cProfile.Profile()
        profile.runcall(lambda: list(urlscan.lint_paths([tmp_path / str(count)], jobs=1)))
        total: int = pstats.Stats(profile).total_calls  # type: ignore[attr-defined]
        return total

    calls(10)
    assert calls(400) <= 4.5 * calls(100)


def test_calls_grow_with_the_inclusions_of_a_book(tmp_path: Path) -> None:
    """Each broken link was compared with each inclusion."""

    def calls(count: int) -> int:
        tree = tmp_path / str(count)
        (tree / "src").mkdir(parents=True)
        (tree / "book.toml").write_text("[book]\n")
        (tree / "src/SUMMARY.md").write_text("[a](a.md)\n")
        (tree / "src/b.md").write_text("".join(f"{{{{#include x{number}.md}}}}\n" for number in range(count)))
        (tree / "src/a.md").write_text("".join(f"[a](y{number}.md)\n" for number in range(count)))
        profile = cProfile.Profile()
        profile.runcall(lambda: list(urlscan.lint_paths([tree], jobs=1)))
        total: int = pstats.Stats(profile).total_calls  # type: ignore[attr-defined]
        return total

    calls(10)
    assert calls(400) <= 4.5 * calls(100)


def test_configurations_of_docsify_are_read_in_linear_time(tmp_path: Path) -> None:
    """The search for a setting went to the end of the page from each `$docsify`."""

    def check(count: int) -> None:
        for directory in range(20):
            tree = tmp_path / str(count) / str(directory)
            tree.mkdir(parents=True, exist_ok=True)
            (tree / "a.md").write_text("[a](b.md)\n")
            (tree / "index.html").write_text("<script>window.$docsify = {" + "$docsify " * count)
        list(urlscan.lint_paths([tmp_path / str(count)], jobs=1))

    assert_linear(check, 7_000)
