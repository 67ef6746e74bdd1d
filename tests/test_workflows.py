"""Lint what runs elsewhere: workflows, the action, the GitLab component and the Dockerfile."""

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import hypothesis
import pytest

ROOT = Path(__file__).parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def lint(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def program(name: str) -> str:
    """Return the path of a program that pip installs; skip the test without it."""
    path = shutil.which(name, path=sysconfig.get_path("scripts")) or shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("schema", "files"),
    [("github-workflows", WORKFLOWS), ("github-actions", [ROOT / "action.yml"])],
)
def test_schema(schema: str, files: list[Path]) -> None:
    pytest.importorskip("check_jsonschema")
    assert files
    lint(sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *map(str, files))


def test_gitlab_component_matches_the_schema(tmp_path: Path) -> None:
    pytest.importorskip("check_jsonschema")
    yaml = pytest.importorskip("yaml")
    spec, jobs = yaml.safe_load_all((ROOT / "templates" / "urlscan.yml").read_text(encoding="utf-8"))
    (tmp_path / "jobs.yml").write_text(yaml.safe_dump(jobs), encoding="utf-8")
    builtin = ("--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci")
    lint(sys.executable, "-m", "check_jsonschema", *builtin, str(tmp_path / "jobs.yml"))
    text = str(jobs)
    assert all(f"$[[ inputs.{name} ]]" in text for name in spec["spec"]["inputs"])


def test_workflows_and_action_are_secure() -> None:
    lint(program("zizmor"), "--offline", "--no-progress", "--persona", "regular", ".github", "action.yml")


def test_dockerfile() -> None:
    lint(program("hadolint"), "Dockerfile")


def test_image_contains_what_the_package_is_built_from() -> None:
    """The build fails without a file that pyproject.toml names, and no image can be built where there is no Docker."""
    copied = {
        word
        for line in (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
        if line.startswith("COPY ") and "--from" not in line
        for word in line.split()[1:-1]
    }
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[0] == "!"}
    assert copied == allowed
    assert all((ROOT / name).exists() for name in copied)


def test_default_run_repeats_its_examples_and_the_nightly_run_explores() -> None:
    profile = hypothesis.settings.get_profile("urlscan")
    assert profile.derandomize
    assert not hypothesis.settings.get_profile("explore").derandomize
    nightly = (ROOT / ".github" / "workflows" / "nightly.yml").read_text(encoding="utf-8")
    assert '--hypothesis-profile=explore --hypothesis-seed="$SEED"' in nightly
    assert 'echo "seed $SEED"' in nightly
