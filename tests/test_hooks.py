"""Run the pre-commit hooks with pre-commit in a real repository, from a commit of this project.

pre-commit builds an environment with pip, which takes a minute.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.command import clean_environment, git

ROOT = Path(__file__).parent.parent
DIRTY = b"See <http://h.example/a^b>.\r\n"
CLEAN = b"See <http://h.example/a%5Eb>.\r\n"
SECRET = b"See http://jo:s3cret@h.example/%zz\n"
UNFIXABLE = b"See http://h.example/%zz/a\n"
FINDING = """\
dirty.md:1:24: U101 unsafe-character error: "^" (U+005E) must be escaped in the path
  |
1 | See <http://h.example/a^b>.
  |                        ^
  = note: RFC 3986 section 2
  = help: write %5E (fixable with --fix)

Found 1 error.
1 fix available with --fix.
"""


def missing() -> str:
    """Return the name of a missing requirement, or ""."""
    if shutil.which("git") is None:
        return "git is not installed"
    done = subprocess.run([sys.executable, "-m", "pre_commit", "--version"], capture_output=True, check=False)
    return "" if done.returncode == 0 else "pre-commit is not installed"


if os.environ.get("URLSCAN_CI"):
    assert not missing(), missing()
# pre-commit installs the package.
pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]


class Result(NamedTuple):
    """The result of a run of pre-commit."""

    status: int
    out: str

    def of(self, hook: str) -> str:
        """Return the status of a hook: Passed, Failed, or "(no files to check)Skipped"."""
        (line,) = [line for line in self.out.splitlines() if line.startswith(hook + ".")]
        return line.removeprefix(hook).lstrip(".")


class Repositories:
    """A user's repository, and one with the current state of the project."""

    def __init__(self, root: Path) -> None:
        self.project, self.user, self.home = root / "project", root / "user", root / "home"
        self._copy()
        self.home.mkdir()
        for directory in (self.project, self.user):
            directory.mkdir(exist_ok=True)
            git(directory, "init")
            git(directory, "add", ".")
            git(directory, "commit", "--allow-empty", "-m", "first")
        head = ["git", "-C", str(self.project), "rev-parse", "HEAD"]
        self.commit = subprocess.run(head, capture_output=True, text=True, check=True).stdout.strip()

    def _copy(self) -> None:
        listed = subprocess.run(
            ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            env=clean_environment(), capture_output=True, check=True,
        ).stdout  # fmt: skip
        for name in filter(None, os.fsdecode(listed).split("\0")):
            if (ROOT / name).is_file():
                (self.project / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, self.project / name)

    def run_hook(self, hook: str, *names: str, args: tuple[str, ...] = ()) -> Result:
        """Run a hook on some files of the user's repository, or on all of them."""
        entry = {"repo": str(self.project), "rev": self.commit, "hooks": [{"id": hook, "args": list(args)}]}
        config = self.home / "config.yaml"  # JSON is YAML
        config.write_text(json.dumps({"repos": [entry]}), encoding="utf-8")
        selection = ["--files", *names] if names else ["--all-files"]
        done = subprocess.run(
            [sys.executable, "-m", "pre_commit", "run", hook, "--color=never", f"--config={config}", *selection],
            cwd=self.user, env=clean_environment(PRE_COMMIT_HOME=str(self.home)), capture_output=True, check=False,
        )  # fmt: skip
        return Result(done.returncode, (done.stdout + done.stderr).decode("utf-8", "surrogateescape"))

    def put(self, name: str | bytes, data: bytes) -> None:
        path = self.user / os.fsdecode(name)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        git(self.user, "add", "--", os.fsdecode(name))

    def clear(self) -> None:
        """Remove all files of the user's repository."""
        git(self.user, "rm", "-rfq", "--ignore-unmatch", ".")


@pytest.fixture(scope="module")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> Repositories:
    return Repositories(tmp_path_factory.mktemp("repositories"))


def test_file_with_a_finding_fails(repositories: Repositories) -> None:
    repositories.put("dirty.md", DIRTY)
    result = repositories.run_hook("urlscan", "dirty.md")
    assert (result.status, result.of("urlscan")) == (1, "Failed"), result.out
    assert result.out.endswith(f"- hook id: urlscan\n- exit code: 1\n\n{FINDING}\n"), result.out
    assert (repositories.user / "dirty.md").read_bytes() == DIRTY


def test_clean_file_passes(repositories: Repositories) -> None:
    repositories.put("clean.txt", CLEAN)
    for hook, name in (("urlscan", "urlscan"), ("urlscan-fix", "urlscan (fix)")):
        result = repositories.run_hook(hook, "clean.txt")
        assert (result.status, result.of(name)) == (0, "Passed"), result.out
    assert (repositories.user / "clean.txt").read_bytes() == CLEAN


def test_binary_files_are_skipped_and_empty_files_pass(repositories: Repositories) -> None:
    repositories.put("image.bin", b"\x00\x01 http://h.example/%zz \xff")
    repositories.put("empty.txt", b"")
    assert repositories.run_hook("urlscan", "image.bin").of("urlscan") == "(no files to check)Skipped"
    result = repositories.run_hook("urlscan", "image.bin", "empty.txt")
    assert (result.status, result.of("urlscan")) == (0, "Passed"), result.out


def test_names_with_blanks_and_non_ascii_letters_are_checked(repositories: Repositories) -> None:
    repositories.put("a b.txt", UNFIXABLE)
    repositories.put("ü.txt", UNFIXABLE)
    result = repositories.run_hook("urlscan", "a b.txt", "ü.txt")
    assert result.status == 1
    assert "a b.txt:1:22: U201 bad-escape" in result.out
    assert "ü.txt:1:22: U201 bad-escape" in result.out


def test_fixing_hook_changes_a_file_once_and_then_passes(repositories: Repositories) -> None:
    repositories.put("fixed.md", DIRTY)
    result = repositories.run_hook("urlscan-fix", "fixed.md")
    assert (result.status, result.of("urlscan (fix)")) == (1, "Failed"), result.out
    changed = "- hook id: urlscan-fix\n- files were modified by this hook\n\nFixed 1 finding.\n"
    assert result.out.endswith(f"{changed}All checks passed: 1 file, 1 URL, 0 links.\n\n"), result.out
    assert (repositories.user / "fixed.md").read_bytes() == CLEAN
    result = repositories.run_hook("urlscan-fix", "fixed.md")
    assert (result.status, result.of("urlscan (fix)")) == (0, "Passed"), result.out
    assert (repositories.user / "fixed.md").read_bytes() == CLEAN


def test_fixing_hook_fails_without_an_applicable_fix(repositories: Repositories) -> None:
    repositories.put("unfixable.txt", UNFIXABLE)
    result = repositories.run_hook("urlscan-fix", "unfixable.txt")
    assert (result.status, result.of("urlscan (fix)")) == (1, "Failed"), result.out
    assert "files were modified" not in result.out
    assert (repositories.user / "unfixable.txt").read_bytes() == UNFIXABLE


# pre-commit itself fails for a name that is not UTF-8.
HOSTILE = [
    b"-rf", b"--fix", b"--output-file=x", b"--output-file=../victim.txt", b"--show-secrets", b"--exit-zero",
    b"--fix\nx", b"-v\n::error::x", b"-", b"--",
]  # fmt: skip


@pytest.mark.parametrize("args", [(), ("--select", "U2")])
@pytest.mark.parametrize("hook", ["urlscan", "urlscan-fix"])
@pytest.mark.parametrize("name", HOSTILE)
def test_name_is_no_option(repositories: Repositories, name: bytes, hook: str, args: tuple[str, ...]) -> None:
    repositories.clear()
    victim = repositories.user.parent / "victim.txt"
    victim.write_bytes(b"precious\n")
    repositories.put(name, SECRET)
    repositories.put("z.txt", SECRET)
    result = repositories.run_hook(hook, args=args)
    assert (result.status, "exit code: 2" in result.out, "s3cret" in result.out) == (1, True, False), result.out
    (message,) = [line for line in result.out.splitlines() if line.startswith("urlscan: ")]
    assert message.endswith(" is also the name of a file (write ./ before the name of a file)")
    assert victim.read_bytes() == b"precious\n"
    status = subprocess.run(["git", "status", "-s"], cwd=repositories.user, capture_output=True, check=True).stdout
    assert all(line.startswith(b"A  ") for line in status.splitlines()), status


@pytest.mark.parametrize("args", [("--",), ("--select", "U2", "--")])
def test_names_after_two_hyphens_are_checked(repositories: Repositories, args: tuple[str, ...]) -> None:
    repositories.clear()
    for name in HOSTILE[:-2]:
        repositories.put(name, SECRET)
    result = repositories.run_hook("urlscan", args=args)
    assert (result.status, "exit code: 1" in result.out, "s3cret" in result.out) == (1, True, False), result.out
    assert result.out.count(": U201 bad-escape error: ") == len(HOSTILE) - 2
    for name in HOSTILE[-2:]:
        repositories.put(name, SECRET)
        assert "exit code: 2" in repositories.run_hook("urlscan", args=args).out
        git(repositories.user, "rm", "-fq", "--", os.fsdecode(name))


def test_manifest_of_the_hooks_is_valid() -> None:
    manifest = str(ROOT / ".pre-commit-hooks.yaml")
    subprocess.run([sys.executable, "-m", "pre_commit", "validate-manifest", manifest], check=True)
