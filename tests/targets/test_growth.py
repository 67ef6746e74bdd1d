"""Test that checking the links of a tree calls functions in proportion to the number of its files."""

import cProfile
import pstats
from collections.abc import Callable
from pathlib import Path

import pytest

import urlscan


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
