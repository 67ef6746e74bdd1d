"""Test the ablation of the conditions of the finder."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_each_condition_of_a_module_is_switched_off(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("See <http://h.example/a> and http://h.example/b.\n", encoding="utf-8")
    command = [sys.executable, "benchmarks/conditions.py", "--cases", "rejoin/pages.toml", "--texts", str(tmp_path)]
    command += ["--module", "line_prefixes", "--show"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    header, _, row, total, *_ = result.stdout.splitlines()
    assert header == "| module | conditions | never decisive | decisive, changes no match | changes matches |"
    counts = [int(count) for count in row.split("|")[2:6]]
    assert row.startswith("| line_prefixes |")
    assert counts[0] == sum(counts[1:])
    assert counts[3] > 0
    assert [int(count) for count in total.split("|")[2:6]] == counts
