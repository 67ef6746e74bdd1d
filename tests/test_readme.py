"""Test the README: its length, and that its commands, snippets and settings work as shown."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import urlscan
from tests.command import clean_environment, git
from tests.pages import PICTURE, README, ROOT, Block, blocks, environment, picture, shim

DEMO = "corpus/lighthouse"
# Commands that would take minutes or run these tests recursively, and their replacements. The rest of such a line is
# run as written.
SHORTER = {
    ".venv/bin/python -m pytest": ".venv/bin/python -m pytest tests/uri/test_url.py tests/test_readme.py"
    " -k 'not set_up'",
}


def test_readme_is_short() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 125


# --- the first screen


def test_picture_is_current() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture(), "run python -m tests.pages"
    first_screen = README.read_text(encoding="utf-8").splitlines()[:16]
    assert any("](docs/images/terminal.svg)" in line for line in first_screen)


def uses() -> list[str]:
    """Return the command of each use in the table of the first screen."""
    rows = re.findall(r"^\| [^|]+ \| `([^`]+)` \|$", README.read_text(encoding="utf-8"), re.MULTILINE)
    return [row for row in rows if not row.startswith("--")]


@pytest.mark.parametrize(("number", "status", "output"), [
    (0, 1, b"U912 missing-file"), (1, 0, b"Wrote .pre-commit-config.yaml"), (2, 0, b""), (3, 0, b"http://h.example/a"),
])  # fmt: skip
def test_each_use_works(number: int, status: int, output: bytes, tmp_path: Path) -> None:
    assert len(uses()) == 4
    tree = shutil.copytree(ROOT / DEMO, tmp_path / "lighthouse")
    git(tree, "init")
    shutil.copy(ROOT / "corpus/demo/archive.mbox", tree / "mail.mbox")
    done = subprocess.run(
        ["bash", "-c", uses()[number]], cwd=tree, env=environment(tmp_path), stdin=subprocess.DEVNULL,
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == status, done.stderr.decode()
    assert output in done.stdout
    assert (tree / "report.html").exists() == (number == 2)


# --- the hook


def test_hooks_match_the_manifest() -> None:
    manifest = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    hooks = re.findall(r"^- id: (\S+)$", manifest, re.MULTILINE)
    (block,) = blocks("yaml")
    assert set(re.findall(r"- id: (\S+)", block.text)) <= set(hooks)
    assert re.findall(r"rev: v(\S+)", block.text) == [urlscan.__version__]
    on_ci = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    assert set(re.findall(r"(?:rev: |\w@)v(\d+\.[\d.]+)", on_ci)) == {urlscan.__version__}
    readme = README.read_text(encoding="utf-8")
    for hook in hooks:
        assert f"- `{hook}` " in readme


def test_pre_commit_accepts_the_documented_configuration(tmp_path: Path) -> None:
    pytest.importorskip("pre_commit")
    (block,) = blocks("yaml")
    path = tmp_path / ".pre-commit-config.yaml"
    path.write_text(block.text)
    subprocess.run([sys.executable, "-m", "pre_commit", "validate-config", str(path)], check=True)


# --- the two commands


def shorter(block: Block) -> str:
    """Return the command of a block, with long commands replaced."""
    command = block.text.strip()
    assert "\n" not in command, "a block to copy is one line"
    for long, short in SHORTER.items():
        command = command.replace(long, short)
    return command


def test_readme_has_two_commands_to_copy() -> None:
    first, second = blocks("sh")
    assert shorter(first) == first.text.strip()
    assert all(long in second.text for long in SHORTER)
    assert blocks("sh", ROOT / "CONTRIBUTING.md")[0].text == second.text


@pytest.fixture
def clone(tmp_path: Path) -> Iterator[Path]:
    """Yield a clone of the project, uncommitted changes included."""
    origin = tmp_path / "origin"
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        env=clean_environment(), capture_output=True, check=False,
    )  # fmt: skip
    if listed.returncode != 0:
        pytest.skip("not in a Git work tree: nothing to clone")
    for name in filter(None, os.fsdecode(listed.stdout).split("\0")):
        if (ROOT / name).is_file():
            (origin / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, origin / name)
    git(origin, "init")
    git(origin, "add", ".")
    git(origin, "commit", "-m", "all files")
    empty = tmp_path / "empty"
    empty.mkdir()
    git(empty, "clone", str(origin), "urlscan")
    yield empty / "urlscan"
    shutil.rmtree(empty)  # the environments are large


def set_up(block: Block, clone: Path) -> "subprocess.CompletedProcess[bytes]":
    """Run a command in a clone; skip the test if pip cannot reach a package index."""
    # `python3` is the base interpreter of this environment, not the first one on the PATH.
    shim(clone.parent / "python3", getattr(sys, "_base_executable", sys.executable))
    env = clean_environment(PATH=f"{clone.parent}{os.pathsep}{os.environ['PATH']}")
    env.pop("VIRTUAL_ENV", None)
    done = subprocess.run(["bash", "-c", shorter(block)], cwd=clone, env=env, capture_output=True, check=False)
    if done.returncode not in (0, 1) or not (clone / ".venv/bin/urlscan").exists():
        python = str(clone / ".venv/bin/python")
        probe = [python, "-m", "pip", "download", "-q", "--no-deps", "--retries", "0", "hatchling"]
        reached = subprocess.run(probe, cwd=clone.parent, env=env, capture_output=True, check=False).returncode == 0
        if not reached and not os.environ.get("URLSCAN_CI"):
            pytest.skip("pip reaches no package index: " + done.stderr.decode()[-200:])
    return done


@pytest.mark.slow
@pytest.mark.network
def test_first_set_up_command_checks_the_demonstration(clone: Path, tmp_path: Path) -> None:
    done = set_up(blocks("sh")[0], clone)
    expected = subprocess.run(
        ["urlscan", "check", DEMO], cwd=ROOT, env=environment(tmp_path), capture_output=True, check=False
    )
    assert (done.returncode, expected.returncode) == (1, 1), done.stderr.decode()
    assert done.stdout == expected.stdout
    assert b"Found 2 errors, 3 warnings" in done.stdout


@pytest.mark.slow
@pytest.mark.network
def test_second_set_up_command_runs_the_tests(clone: Path) -> None:
    done = set_up(blocks("sh")[1], clone)
    assert done.returncode == 0, (done.stdout + done.stderr).decode()
    assert re.search(rb"^\d+ passed", done.stdout.splitlines()[-1])


# --- the page on a package index


@pytest.mark.slow
@pytest.mark.network
def test_package_description_has_absolute_links(tmp_path: Path) -> None:
    """An index shows the README without the files next to it, so that relative links would be broken."""
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", str(tmp_path), str(ROOT)],
        capture_output=True, check=False,
    )  # fmt: skip
    if done.returncode != 0 and not os.environ.get("URLSCAN_CI"):
        pytest.skip("pip cannot build the package: " + done.stderr.decode()[-200:])
    (wheel,) = tmp_path.glob("*.whl")
    shutil.unpack_archive(wheel, tmp_path / "wheel", "zip")
    (metadata,) = (tmp_path / "wheel").glob("*.dist-info/METADATA")
    description = metadata.read_text(encoding="utf-8").partition("\n\n")[2]
    links = [target for target in re.findall(r"\]\(([^)\s]+)\)", description) if not target.startswith("#")]
    assert len(links) > 15
    base = re.search(r"^Project-URL: Source, (\S+)$", metadata.read_text(encoding="utf-8"), re.MULTILINE)
    assert base is not None
    for target in links:
        kind = "raw" if target.endswith(".svg") else "blob"
        assert target.startswith(f"{base[1]}/{kind}/main/"), target
        path = target.removeprefix(f"{base[1]}/{kind}/main/").partition("#")[0]
        assert (ROOT / path).exists(), target
