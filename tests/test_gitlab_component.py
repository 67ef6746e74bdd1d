"""Run the job of the GitLab component in a shell, as a runner does."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.command import clean_environment
from tests.pages import environment, shim

ROOT = Path(__file__).parent.parent
BAD = "See <http://h.example/a^b>.\n"


def job(**inputs: str) -> dict[str, Any]:
    """Return the job with its inputs filled in, as GitLab does before it reads the job."""
    yaml = pytest.importorskip("yaml")
    header, body = (ROOT / "templates" / "urlscan.yml").read_text(encoding="utf-8").split("\n---\n")
    values = {name: spec["default"] for name, spec in yaml.safe_load(header)["spec"]["inputs"].items()} | inputs
    filled = re.sub(r"\$\[\[ inputs\.(\w+) \]\]", lambda match: values[match[1]], body)
    read: dict[str, Any] = yaml.safe_load(filled)["urlscan"]
    return read


def run(script: list[str], directory: Path, env: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """Run the lines of a script; the first one that fails ends it."""
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", "\n".join(script)], cwd=directory, env=env, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a checkout with two files, one of them in the environment of the job."""
    path = tmp_path / "checkout"
    (path / "docs").mkdir(parents=True)
    (path / "docs" / "a b.md").write_text(BAD)
    (path / "c.md").write_text(BAD)
    return path


def assert_reports(job: dict[str, Any], checkout: Path, files: list[str]) -> None:
    reports = job["artifacts"]["reports"]
    assert [one["location"]["path"] for one in json.loads((checkout / reports["codequality"]).read_text())] == files
    assert (checkout / reports["junit"]).read_text().count("<failure") == len(files)
    assert job["artifacts"]["when"] == "always"


@pytest.mark.parametrize(
    ("inputs", "status", "files"),
    [
        ({}, 1, ["c.md", "docs/a b.md"]),
        ({"paths": "docs c.md"}, 1, ["docs/a b.md", "c.md"]),
        ({"paths": "docs", "args": "--exit-zero"}, 0, ["docs/a b.md"]),
        ({"args": "--select U2,U3"}, 0, []),
    ],
    ids=str,
)
def test_job_writes_the_reports(
    checkout: Path, tmp_path: Path, inputs: dict[str, str], status: int, files: list[str]
) -> None:
    filled = job(**inputs)
    installed = checkout / ".urlscan-venv" / "bin"
    installed.mkdir(parents=True)
    shim(installed / "urlscan-lint", f"{sys.executable} -m urlscan")
    (installed / "left-out.md").write_text(BAD)
    done = run(filled["script"][2:], checkout, environment(tmp_path))
    assert (done.returncode, done.stderr) == (status, "")
    assert_reports(filled, checkout, files)


@pytest.mark.slow
@pytest.mark.network
def test_job_installs_and_runs(checkout: Path, tmp_path: Path) -> None:
    filled = job(package=str(ROOT))
    shim(tmp_path / "bin" / "python", getattr(sys, "_base_executable", sys.executable))
    path = f"{tmp_path / 'bin'}:{Path(str(shutil.which('env'))).parent}"
    done = run(filled["script"], checkout, clean_environment(PATH=path))
    if "No matching distribution" in done.stderr or "Could not find a version" in done.stderr:
        pytest.skip("no package index can be reached")
    assert done.returncode == 1, done.stderr
    assert "docs/a b.md:1:24: U101" in done.stdout
    assert_reports(filled, checkout, ["c.md", "docs/a b.md"])
