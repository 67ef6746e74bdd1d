"""The name of a file is never read as an option, and every file can be checked whatever its name is."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.command import Result, git, urlscan, urlscan_process

TEXT = b"See http://jo:s3cret@h.example/%zz\n"
NAMES = [
    b"-", b"--", b"-rf", b"-v", b"-0", b"-j9", b"--fix", b"--exit-zero", b"--show-secrets", b"--isolated", b"--help",
    b"--output-file=x", b"--output-file=../victim.txt", b"--files-from", b"--baseline=x", b"--config=exclude=['**']",
    b"-v\n::error::x", b"--fix\nx", b"-\xff\xfe",
]  # fmt: skip
if os.name == "nt":
    NAMES = [name for name in NAMES if not set(name) & set(b"\n\xff:*'")]
OPTIONS = [name for name in NAMES if name not in (b"-", b"--")]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a directory with a file that has a finding, next to a file that must not change."""
    path = tmp_path / "tree"
    path.mkdir()
    (path / "a.txt").write_bytes(TEXT)
    (tmp_path / "victim.txt").write_bytes(b"precious\n")
    return path


def add_file(tree: Path, name: bytes) -> None:
    path = os.path.join(os.fsencode(tree), name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(TEXT)


def contents(tree: Path) -> dict[bytes, bytes]:
    paths = [path for path in tree.parent.rglob("*") if path.is_file() and ".git" not in path.parts]
    return {os.fsencode(path.relative_to(tree.parent)): path.read_bytes() for path in paths}


def is_reported(name: bytes, result: Result) -> bool:
    """Return whether the finding of a file is reported and its secret is not."""
    shown = os.fsdecode(name).encode("utf-8", "surrogateescape").partition(b"\n")[0].partition(b"\xff")[0]
    secret = b"s3cret" in result.out or "s3cret" in result.err
    lines = [line.removeprefix(b"./") for line in result.out.splitlines()]
    return result.status == 1 and not secret and any(line.startswith(shown) and b": U201" in line for line in lines)


@pytest.mark.parametrize("command", ["check", "extract", "archive", "config"])
@pytest.mark.parametrize("name", [*NAMES, b"--select=http://jo:s3cret@h.example"])
def test_option_that_is_the_name_of_a_file_is_refused(tree: Path, name: bytes, command: str) -> None:
    add_file(tree, name)
    before = contents(tree)
    for arguments in ([name], [name, b"a.txt"], [b"a.txt", name], [b"-q", b"a.txt", name]):
        result = urlscan(command, *arguments, cwd=tree)
        assert (result.status, result.out) == (2, b""), arguments
        assert result.err.startswith("urlscan: -"), arguments
        assert result.err.endswith(" is also the name of a file (write ./ before the name of a file)\n"), arguments
        assert (result.err.count("\n"), "s3cret" in result.err) == (1, False)
    assert contents(tree) == before


def test_all_names_as_a_shell_expands_them(tree: Path) -> None:
    for name in NAMES:
        add_file(tree, name)
    before = contents(tree)
    result = urlscan_process("check", *sorted(os.listdir(os.fsencode(tree))), cwd=tree)
    assert (result.status, result.out) == (2, b"")
    assert contents(tree) == before


@pytest.mark.parametrize("is_repository", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_file_with_the_name_of_an_option_is_checked(tree: Path, name: bytes, is_repository: bool) -> None:
    add_file(tree, name)
    (tree.parent / "names").write_bytes(name + b"\0")
    if is_repository:
        git(tree, "init")
    for arguments in ([b"./" + name], [b"."], [b"-j", b"2", b"."], [], [b"--files-from=../names", b"--null"]):
        result = urlscan("check", "--format", "concise", *arguments, stdin=None, cwd=tree)
        assert is_reported(name, result), (arguments, result)
    result = urlscan("extract", "--format", "jsonl", b"./" + name, stdin=None, cwd=tree)
    assert b'"url": "http://jo:***@h.example/%zz"' in result.out


@pytest.mark.parametrize("name", OPTIONS)
def test_name_after_two_hyphens_is_a_file(tree: Path, name: bytes) -> None:
    add_file(tree, name)
    assert is_reported(name, urlscan("check", "--format", "concise", "--", name, stdin=None, cwd=tree))


def test_hyphen_is_standard_input_where_no_file_has_that_name(tree: Path) -> None:
    for arguments in (["-"], ["--", "-"], ["a.txt", "-"], ["--files-from", "-"]):
        result = urlscan("extract", *arguments, stdin=b"a.txt\n", cwd=tree)
        assert (result.status, result.err) == (0, ""), arguments
    add_file(tree, b"-")
    result = urlscan("extract", "--", "-", stdin=TEXT, cwd=tree)
    assert (result.status, result.out) == (2, b"")
    assert urlscan("extract", stdin=b"http://h.example/stdin", cwd=tree).lines == ["http://h.example/stdin"]


def test_fixing_a_directory_with_a_file_named_hyphen(tree: Path) -> None:
    add_file(tree, b"-")
    result = urlscan("check", "--fix", "--unsafe-fixes", "--select", "U201", "-q", ".", stdin=b"other", cwd=tree)
    assert result == (0, b"", "")
    assert (tree / "-").read_bytes() == TEXT.replace(b"%zz", b"%25zz")


def test_template_for_gitlab_reads_names_as_paths(tree: Path) -> None:
    """Run the last command of the component as a runner does, with a glob as `paths`."""
    yaml = pytest.importorskip("yaml")
    template = Path(__file__).parents[2] / "templates" / "urlscan.yml"
    _, job = yaml.safe_load_all(template.read_text(encoding="utf-8"))
    command = job["urlscan"]["script"][-1].replace(".urlscan-venv/bin/urlscan-lint", "urlscan-lint")
    command = command.replace("$[[ inputs.args ]]", "--select U201").replace("$[[ inputs.paths ]]", "*")
    assert "$[[" not in command
    add_file(tree, b"--exit-zero")
    add_file(tree, b"--output-file=../victim.txt")
    (tree.parent / "urlscan-lint").write_text('#!/bin/sh\nprintf "<%s>" "$@"\n')
    (tree.parent / "urlscan-lint").chmod(0o755)
    env = {**os.environ, "PATH": f"{tree.parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["sh", "-ec", command], cwd=tree, env=env, capture_output=True, check=True)
    options, separator, paths = done.stdout.partition(b"<-->")
    assert b"<--select>" in options
    assert (separator, paths) == (b"<-->", b"<--exit-zero><--output-file=..><a.txt>")
