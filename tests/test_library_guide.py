"""The programs in the library guide run, and the code in all documents passes the type checkers."""

import doctest
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import clean_environment
from tests.pages import PAGES, ROOT, Block, programs, snippets

GUIDE = ROOT / "docs" / "library.md"
MAILBOX = (
    b"From jo@corp.net Thu Aug 22 12:26:25 2002\nMessage-ID: <1@corp.net>\nDate: Thu, 22 Aug 2002 12:26:25 +0100\n\n"
    b"Take <URL:ftp://jo:x1y2z3@files.corp.net/pub/\nnotes.txt> or http://h.example/.\n\n"
    b"From al@corp.net Thu Aug 22 12:26:26 2002\nFrom: al@corp.net\n\nhttp://files.corp.net/?access_token=q9w8e7r6t5z4\n\n"
)


def program(start: str) -> Block:
    """Return the program of the guide that begins with a text."""
    (found,) = [block for block in programs(GUIDE) if block.text.startswith(start)]
    return found


def run(block: Block, directory: Path, *arguments: str) -> list[str]:
    """Run a program in a directory and return the lines that it prints."""
    path = directory / "program.py"
    path.write_text(block.text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path), *arguments], cwd=directory,
        env=clean_environment(PYTHONPATH=str(ROOT)), capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    for name in ("archive.mbox", "letter.txt"):
        shutil.copy(ROOT / "corpus" / "demo" / name, tmp_path)
    return tmp_path


def test_credentials_of_a_mailbox_are_listed_with_message_and_date(tmp_path: Path) -> None:
    (tmp_path / "mail.mbox").write_bytes(MAILBOX)
    block = program('"""List the credentials')
    assert len(block.text.splitlines()) <= 16
    lines = [line.split("\t") for line in run(block, tmp_path, "mail.mbox")]
    assert [(date, message, url) for date, message, _, url in lines] == [
        ("2002-08-22T11:26:25Z", "1@corp.net", "ftp://jo:***@files.corp.net/pub/notes.txt"),
        ("unknown date", "line 11", "http://files.corp.net/?access_token=***"),
    ]


@pytest.mark.parametrize("block", programs(GUIDE)[1:], ids=str)
def test_program_runs(block: Block, demo: Path) -> None:
    lines = run(block, demo)
    assert any("http://lists.example.org/plans/" in line or line == "archive.mbox 5" for line in lines)


# --- types


def modules(directory: Path) -> list[Path]:
    """Write the code of all documents as modules: each program, and the snippets of each page."""
    found = []
    for page in PAGES:
        texts = [block.text for block in programs(page)]
        sessions = [doctest.DocTestParser().get_examples(block.text) for block in snippets(page)]
        if sessions:
            texts.append("".join(example.source for session in sessions for example in session))
        for number, text in enumerate(texts):
            path = directory / f"{page.stem.replace('-', '_').lower()}_{number}.py"
            path.write_text(text, encoding="utf-8")
            found.append(path)
    assert len(found) > 5
    return found


def check_types(paths: list[Path]) -> tuple[int, str]:
    """Return the exit status and the output of mypy."""
    cache = ROOT / ".mypy_cache" / "documents"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(cache), *map(str, paths)], cwd=paths[0].parent,
        env=clean_environment(MYPYPATH=str(ROOT)), capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_code_in_documents_passes_mypy(tmp_path: Path) -> None:
    status, report = check_types(modules(tmp_path))
    assert status == 0, report


@pytest.mark.slow
def test_code_in_documents_passes_pyright(tmp_path: Path) -> None:
    command = shutil.which("pyright", path=str(Path(sys.executable).parent)) or shutil.which("pyright")
    if command is None or subprocess.run([command, "--version"], capture_output=True, check=False).returncode:
        pytest.skip("pyright is not installed or cannot be downloaded (it needs Node.js)")
    modules(tmp_path)
    configuration = {"extraPaths": [str(ROOT)], "typeCheckingMode": "standard", "reportUnusedExpression": False}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(configuration))
    done = subprocess.run(
        [command, "--pythonpath", sys.executable, "--outputjson"],
        cwd=tmp_path, env=clean_environment(), capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    report = json.loads(done.stdout)
    assert report["summary"]["filesAnalyzed"] > 5
    assert [(Path(one["file"]).name, one["message"]) for one in report["generalDiagnostics"]] == []


WRONG = {
    'urlscan.scan("a", kind="mbox")': "TextKind",
    'urlscan.parse("a", profile="rfc9999")': "profile",
    'urlscan.parse("ftp://h/a").detail.name': "name",
    'urlscan.scan("a").url': "url",
    'urlscan.scan("a", email=True)': "email",
    'urlscan.parse("a").replace(hots="b")': "hots",
    "urlscan.Settings().profile = 'rfc1738'": "profile",
    'urlscan.render([], "yaml")': "yaml",
}


def test_type_checker_finds_wrong_code(tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text("import urlscan\n" + "".join(f"{line}\n" for line in WRONG))
    _, report = check_types([path])
    for number, line in enumerate(WRONG, 2):
        assert f"wrong.py:{number}: error" in report, line + "\n" + report
