"""Run the recipes of docs/archive.md for other programs."""

import re
import subprocess
from pathlib import Path

import duckdb
import pytest

from tests.archive.databases import archive
from tests.pages import ROOT, blocks, programs

PAGE = ROOT / "docs" / "archive.md"
COMMANDS = [line for block in blocks("sh", PAGE) for line in block.text.splitlines()]
STATEMENTS = [
    match[1] for line in COMMANDS if (match := re.fullmatch(r'duckdb -readonly urls\.duckdb -c "(.*)"', line))
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "a.md").write_text("<http://h.example/a> <ftp://h.example/b>")
    archive(tmp_path / "urls.duckdb", tmp_path / "a.md")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("statement", STATEMENTS)
def test_statement_for_the_shell_has_rows(here: Path, statement: str) -> None:
    with duckdb.connect("urls.duckdb", read_only=True) as connection:
        assert connection.execute(statement).fetchall()


def test_copy_for_datasette_selects_existing_columns(here: Path) -> None:
    (line,) = (line for line in COMMANDS if "ATTACH" in line)
    copies = re.findall(r"CREATE TABLE s\.(\w+) AS ([^;\"]*)", line)
    with duckdb.connect("urls.duckdb") as connection:
        connection.execute("ATTACH ':memory:' AS s")
        for name, statement in copies:
            connection.execute(f"CREATE TABLE s.{name} AS {statement}")
            assert connection.execute(f"SELECT count(*) FROM s.{name}").fetchone() == (2,)
    assert [name for name, _ in copies] == ["url", "occurrence"]


def test_program_runs(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pandas")
    (program,) = programs(PAGE)
    exec(compile(program.text, str(PAGE), "exec"), {})
    assert "ftp" in capsys.readouterr().out


@pytest.mark.parametrize("command", [line for line in COMMANDS if line.startswith("duckdb -readonly")])
def test_command_runs_in_the_shell(here: Path, command: str) -> None:
    import shutil

    if shutil.which("duckdb") is None:
        pytest.skip("the duckdb shell is not installed")
    assert subprocess.run(["sh", "-c", command], capture_output=True, check=True).stdout
