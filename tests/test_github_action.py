"""Run the GitHub action in a repository: its script on events, and the commands of `action.yml` as a runner does."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import Result, clean_environment, git

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "tools" / "github_action.py"
BAD = "See <http://h.example/a^b>.\n"
GOOD = "See <http://h.example/a>.\n"

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def commit(directory: Path, **files: str | None) -> str:
    """Commit files (None deletes one), and return the name of the commit."""
    for name, text in files.items():
        path = directory / name.replace("__", "/").replace("_md", ".md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink() if text is None else path.write_text(text, encoding="utf-8")
    git(directory, "add", "--all")
    git(directory, "commit", "--quiet", "-m", "change")
    done = subprocess.run(
        ["git", "-C", str(directory), "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    path = tmp_path / "repository"
    path.mkdir()
    git(path, "init", "--quiet")
    return path


class Step(Result):
    """The result of a step, and what it wrote for the runner."""

    outputs: dict[str, str]
    summary: str


def run_script(directory: Path, event: object = None, **inputs: str) -> Step:
    """Run the action's script in a checkout."""
    files = {name: directory.parent / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    event_path = directory.parent / "event.json"
    event_path.write_text(json.dumps(event), encoding="utf-8")
    env = clean_environment(
        GITHUB_EVENT_PATH=str(event_path),
        **{name: str(path) for name, path in files.items()},
        **{f"INPUT_{name.upper()}": value for name, value in {"summary": "true", **inputs}.items()},
    )
    done = subprocess.run([sys.executable, "-I", str(SCRIPT)], cwd=directory, env=env, capture_output=True, check=False)
    step = Step(done.returncode, done.stdout, done.stderr.decode())
    texts = {name: path.read_text(encoding="utf-8") if path.exists() else "" for name, path in files.items()}
    step.outputs = dict(line.split("=", 1) for line in texts["GITHUB_OUTPUT"].splitlines())
    step.summary = texts["GITHUB_STEP_SUMMARY"]
    return step


def annotated(step: Step) -> list[str]:
    return [line.split("file=", 1)[1].split(",")[0] for line in step.lines if line.startswith("::error file=")]


def test_action_annotates_and_summarizes_all_files(repository: Path) -> None:
    commit(repository, a_md=BAD, docs__b_md=GOOD + BAD, c_md=GOOD)
    step = run_script(repository, sarif_file="out.sarif")
    assert (step.status, annotated(step), step.err) == (1, ["a.md", "docs/b.md"], "")
    assert step.outputs == {"findings": "2", "sarif-file": "out.sarif"}
    assert "2 findings in 2 files." in step.summary
    assert "| error | 2 | 2 |" in step.summary
    sarif = json.loads((repository / "out.sarif").read_text(encoding="utf-8"))
    assert len(sarif["runs"][0]["results"]) == 2


def test_action_without_findings(repository: Path) -> None:
    commit(repository, a_md=GOOD)
    step = run_script(repository)
    assert (step.status, step.outputs["findings"], step.text) == (0, "0", "")
    assert "No findings." in step.summary


def test_action_accepts_paths_and_arguments(repository: Path) -> None:
    commit(repository, a_md=BAD, docs__b_md=BAD, lib__c_md=BAD)
    step = run_script(repository, paths="docs\n  lib  \n", args="--exclude 'li?' --exit-zero", summary="false")
    assert (step.status, annotated(step), step.summary) == (0, ["docs/b.md"], "")


@pytest.mark.parametrize("changed_only", ["true", "false"])
def test_names_of_files_are_no_options(repository: Path, changed_only: str) -> None:
    base = commit(repository, a_md=GOOD)
    names = ["-", "-rf", "--exit-zero", "--format", "--output-file=../victim.txt"]
    commit(repository, **dict.fromkeys(names, BAD))
    step = run_script(repository, {"before": base}, changed_only=changed_only)
    assert (step.status, sorted(annotated(step))) == (1, sorted(names))
    assert not (repository.parent / "victim.txt").exists()


@pytest.mark.parametrize("kind", ["pull_request", "merge_group", "push"])
def test_changed_files_only(repository: Path, kind: str) -> None:
    base = commit(repository, a_md=BAD, b_md=GOOD, docs__c_md=BAD)
    commit(repository, b_md=BAD, docs__c_md=None, docs__d_md=BAD, docs__ü_md=BAD)
    event = {
        "pull_request": {"pull_request": {"base": {"sha": base}}},
        "merge_group": {"merge_group": {"base_sha": base}},
        "push": {"before": base},
    }[kind]
    step = run_script(repository, event, changed_only="true")
    assert annotated(step) == ["b.md", "docs/d.md", "docs/ü.md"]
    assert annotated(run_script(repository, event, changed_only="true", paths="docs")) == ["docs/d.md", "docs/ü.md"]
    nothing = run_script(repository, event, changed_only="true", paths="lib")
    assert (nothing.status, nothing.text) == (0, "urlscan: no changed files to check\n")


def test_changed_files_of_a_shallow_checkout(repository: Path, tmp_path: Path) -> None:
    base = commit(repository, a_md=BAD, b_md=GOOD)
    commit(repository, b_md=BAD)
    git(repository, "config", "uploadpack.allowAnySHA1InWant", "true")
    git(tmp_path, "clone", "--quiet", "--depth=1", repository.as_uri(), "shallow")
    step = run_script(tmp_path / "shallow", {"before": base}, changed_only="true")
    assert annotated(step) == ["b.md"]


@pytest.mark.parametrize(
    "event",
    [
        None,
        {},
        {"before": "0" * 40},
        {"before": "f" * 40},
        {"before": "--output=x"},
        {"pull_request": None},
        [],
        {"before": 1},
    ],
)
def test_all_files_are_checked_without_a_base(repository: Path, event: object) -> None:
    commit(repository, a_md=BAD)
    step = run_script(repository, event, changed_only="true")
    assert (step.status, annotated(step)) == (1, ["a.md"])
    assert "all files are checked" in step.text


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"changed_only": "yes"}, "urlscan: changed-only must be true or false\n"),
        ({"args": "--select 'U2"}, "urlscan: args: No closing quotation\n"),
        ({"paths": "missing"}, "urlscan: missing: No such file or directory\n"),
        ({"sarif_file": "a\nfindings=0"}, "urlscan: sarif-file contains a line break\n"),
    ],
)
def test_wrong_input_is_one_line_and_status_2(repository: Path, inputs: dict[str, str], message: str) -> None:
    commit(repository, a_md=GOOD)
    step = run_script(repository, **inputs)
    assert (step.status, step.err, step.outputs) == (2, message, {})


def test_modules_of_the_repository_are_not_imported(repository: Path) -> None:
    hostile = "raise SystemExit('imported')\n"
    for name in ("urlscan", "regex", "json", "sitecustomize"):
        (repository / f"{name}.py").write_text(hostile)
    commit(repository, a_md=BAD)
    step = run_script(repository, paths="a.md")
    assert (step.status, step.err) == (1, "")


def test_names_of_files_cannot_add_to_outputs_or_summary(repository: Path) -> None:
    name = "a\n::set-output name=x::y\n| [x](mailto:jo@h.example) |.md"
    (repository / name).write_text(BAD)
    commit(repository)
    step = run_script(repository)
    assert step.outputs.keys() == {"findings", "sarif-file"}
    assert "h.example" not in step.summary
    assert not any(line.startswith("::set-output") for line in step.lines)


@pytest.mark.slow
@pytest.mark.network
def test_commands_of_the_action_run_as_on_a_runner(repository: Path, tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    steps = {step.get("id"): step for step in yaml.safe_load((ROOT / "action.yml").read_text())["runs"]["steps"]}
    commit(repository, a_md=BAD)
    env = clean_environment(RUNNER_TEMP=str(tmp_path), GITHUB_OUTPUT=str(tmp_path / "outputs"), PYTHON=sys.executable)
    run = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]
    done = subprocess.run(
        [*run, steps["install"]["run"]], env={**env, "SOURCE": str(ROOT)}, capture_output=True, check=False
    )
    if b"No matching distribution" in done.stderr or b"Could not find a version" in done.stderr:
        pytest.skip("no package index can be reached")
    assert done.returncode == 0, done.stderr.decode()
    name, _, python = (tmp_path / "outputs").read_text().strip().partition("=")
    assert name == "python"
    env |= {"PYTHON": python, "SCRIPT": str(SCRIPT), "INPUT_PATHS": ".", "INPUT_SUMMARY": "false"}
    done = subprocess.run([*run, steps["check"]["run"]], env=env, cwd=repository, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.startswith(b"::error file=a.md,line=1,")
    assert "findings=1" in (tmp_path / "outputs").read_text()


def test_inputs_of_the_action_reach_commands_by_the_environment_only() -> None:
    yaml = pytest.importorskip("yaml")
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    commands = [step["run"] for step in action["runs"]["steps"] if "run" in step]
    assert len(commands) == 2
    assert not any("${{" in command for command in commands)
    used = os.linesep.join(str(step) for step in action["runs"]["steps"])
    assert all(f"inputs.{name}" in used for name in action["inputs"])
