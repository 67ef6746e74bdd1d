"""Test the beginning of a rule that `tools/new.py` writes."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import clean_environment
from tests.pages import ROOT
from tools.new import add_rule


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the package and of the cases of the rules."""
    for name in ("urlscan", "corpus/rules"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_a_new_rule_works_at_once(copy: Path) -> None:
    assert len(add_rule("U108", "todo-in-path", copy)) == 3
    command = [sys.executable, "-m", "urlscan", "check", "--isolated", "--select", "U108", "--format", "concise"]
    done = subprocess.run(
        command, input=b"See <http://h.example/TODO> and <http://h.example/a>.", cwd=copy,
        env=clean_environment(PYTHONPATH=str(copy)), capture_output=True, check=False,
    )  # fmt: skip
    assert done.stdout.splitlines()[:1] == [b"-:1:22: U108 todo-in-path warning: what is wrong"], done.stderr.decode()


@pytest.mark.parametrize(
    ("code", "name"), [("U101", "other-name"), ("U109", "bad-escape"), ("U9", "a-b"), ("U108", "x")]
)
def test_a_wrong_code_or_name_writes_nothing(copy: Path, code: str, name: str) -> None:
    before = {path: path.read_bytes() for path in copy.rglob("*.py")}
    with pytest.raises(SystemExit):
        add_rule(code, name, copy)
    assert {path: path.read_bytes() for path in copy.rglob("*.py")} == before
