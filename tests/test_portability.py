"""Run commands as on systems without the calls of POSIX, and under other locales; the results must be the same.

This is no Windows: files that are open can be replaced. Functions that compute paths run with those of Windows, and
commands on a file system that ignores the case of letters.
"""

import ntpath
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.command import clean_environment, urlscan
from tests.trees import make_work_tree
from urlscan.config import relaxed
from urlscan.files import patterns, safe_open
from urlscan.files.tree import tree_of

CORPUS = Path(__file__).parent.parent / "corpus"
# Remove the names that Windows lacks and that the package uses or may use.
_WITHOUT_POSIX = """
import os, signal, sys
for name in (
    "fork forkpty pread pwrite O_NOFOLLOW O_DIRECTORY O_TMPFILE O_NONBLOCK O_CLOEXEC O_NOCTTY O_ASYNC getuid geteuid"
    " getgid chown fchown lchown fchmod mkfifo setsid killpg listxattr getxattr setxattr posix_fadvise set_blocking"
    " sched_getaffinity register_at_fork wait3 wait4 WNOHANG waitid getpgid tcgetpgrp"
).split():
    if hasattr(os, name):
        delattr(os, name)
os.supports_dir_fd.clear()
os.supports_follow_symlinks.clear()
os.supports_fd.discard(os.listdir)
os.supports_fd.discard(os.scandir)
for name in "SIGPIPE SIGHUP SIGIO SIGALRM SIGWINCH SIGCHLD SIGTSTP SIGQUIT SIGUSR1 SIGKILL setitimer alarm".split():
    if hasattr(signal, name):
        delattr(signal, name)
for name in "fcntl termios resource pwd grp tty pty syslog".split():
    sys.modules[name] = None
"""
_MAIN = "import sys\nfrom urlscan.cli import main\nsys.exit(main(sys.argv[1:]))\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    tree = tmp_path / "tree"
    (tree / "docs").mkdir(parents=True)
    (tree / "docs" / "a.md").write_bytes(
        b"See <http://h.example/a|b> and <http://mill.org/%zz>.\r\n[x](missing.md)\r\n"
    )
    (tree / "docs" / "\u00fc.txt").write_text(
        "See <http://h.example/\u00fc> and http://h.example/a.\n", encoding="utf-8"
    )
    (tree / "archive.mbox").write_bytes((CORPUS / "demo" / "archive.mbox").read_bytes())
    return tree


def run(
    tree: Path, *arguments: str, before: str = "", options: tuple[str, ...] = (), **env: str
) -> tuple[int, bytes, bytes]:
    command = [sys.executable, *options, "-c", before + _MAIN, *arguments]
    done = subprocess.run(
        command, cwd=tree, env=clean_environment(PYTHONPATH=str(CORPUS.parent), **env), capture_output=True,
        stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    assert b"internal error" not in done.stderr, done.stderr.decode()
    return done.returncode, done.stdout, done.stderr


COMMANDS = [
    "check",
    "check -j 4 --format jsonl",
    "check --format sarif --output-file out.sarif docs",
    "check --format html --output-file out.html docs",
    "check --fix docs",
    "check --fix --diff --unsafe-fixes docs",
    "check --add-ignore docs",
    "check --write-baseline known.json",
    "extract -j 4 --format jsonl",
    "extract --by host",
    "config docs",
    "rules U201",
]


def contents(tree: Path) -> dict[str, bytes]:
    return {str(path.relative_to(tree)): path.read_bytes() for path in sorted(tree.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_work_without_posix(tree: Path, tmp_path: Path, command: str) -> None:

    other = tmp_path / "other" / "tree"
    shutil.copytree(tree, other)
    fixed = {"SOURCE_DATE_EPOCH": "784111777"}
    expected = run(tree, *command.split(), **fixed)
    assert run(other, *command.split(), before=_WITHOUT_POSIX, **fixed) == expected
    assert contents(other) == contents(tree)


@pytest.mark.slow
def test_archive_and_report_work_without_posix(tree: Path) -> None:
    pytest.importorskip("duckdb", reason="archives need the extra 'archive'")
    pytest.importorskip("pyarrow", reason="archives need the extra 'archive'")
    pytest.importorskip("publicsuffixlist", reason="archives need the extra 'archive'")
    reports = []
    for name, before in (("with", ""), ("without", _WITHOUT_POSIX)):
        status, _, errors = run(tree, "archive", "docs", "archive.mbox", "--db", f"{name}.duckdb", before=before)
        assert (status, errors) == (0, b"")
        title = ("--title", "x")
        reports.append(run(tree, "report", f"{name}.duckdb", *title, before=before, SOURCE_DATE_EPOCH="784111777"))
    assert reports[0] == reports[1]
    assert reports[0][0] == 0
    assert len(reports[0][1]) > 20_000


@pytest.mark.parametrize(
    ("options", "env"),
    [
        (("-X", "utf8=0"), {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}),
        (("-X", "utf8=0"), {"PYTHONIOENCODING": "cp1252"}),
        (("-X", "utf8=0"), {"PYTHONIOENCODING": "ascii"}),
        (("-X", "utf8=1"), {}),
    ],
)
@pytest.mark.parametrize("command", ["check --format concise", "extract", "check --diff docs"])
@pytest.mark.slow
def test_output_is_utf_8_under_any_locale(
    tree: Path, command: str, options: tuple[str, ...], env: dict[str, str]
) -> None:
    expected = run(tree, *command.split())
    assert run(tree, *command.split(), options=options, **env) == expected


def test_line_ends_of_windows_are_kept(tree: Path) -> None:
    run(tree, "check", "--fix", "docs", before=_WITHOUT_POSIX)
    assert (tree / "docs" / "a.md").read_bytes().startswith(b"See <http://h.example/a%7Cb> and")
    assert (tree / "docs" / "a.md").read_bytes().count(b"\r\n") == 2


# --- paths of Windows, by the functions of Python for them


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    r"""Give the modules about paths the functions of Windows, in the directory C:\work."""
    system = SimpleNamespace(**{name: getattr(os, name) for name in ("PathLike", "fsdecode", "fsencode", "environ")})
    system.path, system.sep, system.curdir, system.pardir = ntpath, "\\", ".", ".."
    system.getcwd = lambda: "C:\\work"
    monkeypatch.setattr(os, "getcwd", system.getcwd)  # ntpath.abspath calls it
    for module in (patterns, relaxed, safe_open):
        monkeypatch.setattr(module, "os", system)


@pytest.mark.parametrize(
    ("pattern", "path", "excluded"),
    [
        ("docs/old", r"C:\work\docs\old\a.md", True),
        ("docs/old", r"docs\old\a.md", True),
        ("docs/old", r"C:\work\docs\olds\a.md", False),
        ("*.min.js", r"C:\work\a\b.min.js", True),
        ("vendor/", r"C:\other\vendor\a.js", True),
        ("vendor/", r"D:\vendor\a.js", True),
        ("docs/old", r"D:\docs\a.md", False),
    ],
)
@pytest.mark.usefixtures("windows")
def test_patterns_match_paths_of_windows(pattern: str, path: str, excluded: bool) -> None:
    excluder = patterns.Excluder((pattern,))
    assert excluder.excludes(path) == excluded
    assert excluder.excludes(path, ntpath.dirname(path)) == excluded


@pytest.mark.usefixtures("windows")
def test_paths_of_windows_are_compared_and_shown() -> None:
    assert relaxed.is_below(r"C:\work\docs", "C:\\")
    assert relaxed.is_below(r"C:\work\docs", r"C:\work")
    assert not relaxed.is_below(r"C:\works", r"C:\work")
    assert safe_open.relative_to_here(r"C:\work\a\b.md") == r"a\b.md"
    assert safe_open.relative_to_here(r"C:\works\b.md") == r"C:\works\b.md"
    assert safe_open.relative_to_here(r"D:\a\b.md") == r"D:\a\b.md"


def test_file_of_a_tree_is_shown_from_the_current_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_work_tree(tmp_path, {"a/b.md": ""})
    monkeypatch.chdir(tmp_path / "a")
    work_tree = tree_of(str(tmp_path), {})
    assert [work_tree.shown(name) for name in ("a/b.md", "c.md")] == ["b.md", str(tmp_path / "c.md")]


# --- file systems that ignore the case of letters


def test_wrong_case_is_reported_where_the_file_system_ignores_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On macOS and Windows the file is found by any name, and the link is broken for everybody else."""
    make_work_tree(tmp_path, {"a.md": "[b](Docs/Guide.md) [c](docs/guide.md#Usage)\n", "docs/guide.md": "# Usage\n"})
    expected = urlscan("check", "--isolated", "--format", "concise", "a.md", cwd=tmp_path)
    for name in ("stat", "lstat", "open"):
        monkeypatch.setattr(os, name, ignoring_case(getattr(os, name)))
    assert Path(tmp_path, "Docs/Guide.md").exists()
    assert urlscan("check", "--isolated", "--format", "concise", "a.md", cwd=tmp_path) == expected
    assert [line.split()[1] for line in expected.lines if line.startswith("a.md")] == ["U913", "U914"]


def ignoring_case(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of `os` that also finds a file of the test tree by a name in other letters."""

    def call(path: Any, *arguments: Any, **options: Any) -> Any:
        try:
            return function(path, *arguments, **options)
        except FileNotFoundError:
            actual = re.sub("(?i)docs/guide|docs$", lambda match: match[0].lower(), str(path))
            return function(actual, *arguments, **options)

    return call
