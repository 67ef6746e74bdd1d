"""The content of a repository starts no program.

Each repository here made git 2.39 start `program` when `git ls-files` or `git check-ignore` was run in it. The test
`test_attack_works_with_git` ensures that this is still true, so that the other tests cannot pass for the wrong reason.
"""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import clean_environment, git, urlscan

TEXT = b"<URL:http://h.example/50%% off>\n"
COMMANDS = [
    ("check", "."), ("extract", "."), ("check", "--fix", "--diff", "."), ("check", "-j", "2", "."),
    ("check", "--write-baseline", "../known.json", "."),
]  # fmt: skip
MISSING = "1" * 40  # the name of a missing object


def configure(repository: Path, settings: str) -> None:
    with open(repository / "config", "a") as config:
        config.write(settings)


def promise(repository: Path, url: str, *more: str) -> None:
    """Configure a remote that promises to send missing objects."""
    lines = [
        "[core]", "repositoryformatversion = 1", "[extensions]", "partialClone = origin",
        '[remote "origin"]', f'url = "{url}"', "promisor = true", "partialclonefilter = blob:none", *more,
    ]  # fmt: skip
    configure(repository, "\n".join(lines) + "\n")


def hide_gitignore(top: Path, *options: str) -> None:
    """Track a `.gitignore` that is not checked out, and whose blob is missing."""
    entry = f"100644 {MISSING} 0\t.gitignore\n"
    command = ["git", *options, "-C", str(top), "update-index"]
    subprocess.run([*command, "--index-info"], input=entry.encode(), env=clean_environment(), check=True)
    subprocess.run([*command, "--skip-worktree", ".gitignore"], env=clean_environment(), check=True)


def with_ssh_command(top: Path, program: Path) -> None:
    hide_gitignore(top)
    promise(top / ".git", "ssh://h.example/x", "[core]", f"sshCommand = {program}")


def with_upload_pack(top: Path, program: Path) -> None:
    hide_gitignore(top)
    git(top.parent, "init", "--bare", "remote.git")
    promise(top / ".git", f"file://{top.parent}/remote.git", f"uploadpack = {program}")


def with_external_transport(top: Path, program: Path) -> None:
    hide_gitignore(top)
    promise(top / ".git", f"ext::{program} %S", '[protocol "ext"]', "allow = always")


def with_fsmonitor(top: Path, program: Path) -> None:
    configure(top / ".git", f"[core]\nfsmonitor = {program}\n")


def with_a_bare_repository(top: Path, program: Path) -> None:
    """Create a repository in `sub` whose files can be committed and cloned."""
    bare = top / "sub"
    git(top, "init", "--bare", "sub")
    hide_gitignore(top, f"--git-dir={bare}", f"--work-tree={bare}")
    configure(bare, "[core]\nbare = false\nworktree = .\n")
    promise(bare, "ssh://h.example/x", "[core]", f"sshCommand = {program}")


ATTACKS = {
    "core.sshCommand": with_ssh_command,
    "remote.*.uploadpack": with_upload_pack,
    "ext::": with_external_transport,
    "a bare repository as a directory": with_a_bare_repository,
    "core.fsmonitor": with_fsmonitor,
}
Attack = Callable[[Path, Path], None]


def build(directory: Path, attack: Attack) -> tuple[Path, Path]:
    """Return a hostile repository, and the file that its program creates."""
    top, marker, program = directory / "top", directory / "started", directory / "program"
    (top / "sub").mkdir(parents=True)
    (top / "a.txt").write_bytes(TEXT)
    (top / "sub" / "b.txt").write_bytes(TEXT)
    program.write_text(f"#!/bin/sh\necho started >> {marker}\nexit 1\n")
    program.chmod(0o755)
    git(top, "init")
    attack(top, program)
    assert not marker.exists()
    return top, marker


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_attack_works_with_git(tmp_path: Path, attack: Attack) -> None:
    top, marker = build(tmp_path, attack)
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    for directory in (top, top / "sub"):
        subprocess.run(command, cwd=directory, env=clean_environment(), capture_output=True, check=False)
    if not marker.exists():
        pytest.skip("the installed git is not affected")


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_repository_starts_no_program(tmp_path: Path, attack: Attack) -> None:
    top, marker = build(tmp_path, attack)
    for command in COMMANDS:
        done = urlscan(*command, cwd=top, stdin=None)
        assert done.status in (0, 1), (command, done)
        assert b"h.example" in done.out or "--fix" in command or "--write-baseline" in command, (command, done)
        assert not marker.exists(), command
    assert b"http://h.example/" in urlscan("extract", cwd=top / "sub", stdin=None).out
    assert not marker.exists()


@pytest.mark.parametrize("path", [".", "", ":/usr/bin", ".:/usr/bin", "sub:/usr/bin"], ids=lambda path: f"PATH={path}")
def test_git_in_the_current_directory_is_not_started(tmp_path: Path, path: str) -> None:
    top, marker = build(tmp_path, lambda _top, _program: None)
    for directory in (top, top / "sub"):
        shutil.copy(tmp_path / "program", directory / "git")
        done = urlscan("check", ".", cwd=directory, stdin=None, PATH=path)
        assert (done.status, done.err) == (1, "")
    assert not marker.exists()


@pytest.mark.parametrize("name", ["json", "csv", "html", "regex", "tomllib", "subprocess", "unicodedata"])
def test_modules_in_the_current_directory_are_not_imported(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.txt").write_bytes(TEXT)
    (tmp_path / "urlscan.toml").write_text('profile = "rfc3986"\n')
    (tmp_path / f"{name}.py").write_text("open('started', 'w')\n")
    done = urlscan("check", "--format", "json", ".", cwd=tmp_path, stdin=None)
    assert done.status == 1
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_system_calls_start_no_other_program(tmp_path: Path, attack: Attack) -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    top, _ = build(tmp_path, attack)
    trace = tmp_path / "trace"
    command = ["strace", "-f", "-qq", "-e", "trace=execve,execveat,connect", "-o", str(trace)]
    probe = subprocess.run([*command, "true"], capture_output=True, check=False)
    if probe.returncode:
        pytest.skip(f"strace cannot trace: {probe.stderr!r}")
    from sys import executable

    for arguments in COMMANDS[:2]:
        own_command = [executable, "-m", "urlscan", *arguments]
        subprocess.run(
            [*command, *own_command], cwd=top, env=clean_environment(), stdin=subprocess.DEVNULL, check=False
        )
        lines = [line for line in trace.read_text().splitlines() if " +++ " not in line and " --- " not in line]
        assert len(lines) == 1, lines
        assert os.fspath(executable) in lines[0]
