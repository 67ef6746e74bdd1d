"""Run the recipes of docs/archive.md for other programs."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import duckdb
import pytest

from tests.archive.databases import archive
from tests.archive.test_questions import MAIL
from tests.command import urlscan
from tests.pages import ROOT, blocks, environment, programs

PAGE = ROOT / "docs" / "archive.md"
TASKS = re.findall(r"^\| .* \| `(urlscan .*)` \|$", PAGE.read_text("utf-8"), re.MULTILINE)
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
    _, program = programs(PAGE)
    exec(compile(program.text, str(PAGE), "exec"), {})
    assert "ftp" in capsys.readouterr().out


def test_batches_fill_a_lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deltalake = pytest.importorskip("deltalake")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "corpus" / "demo", tmp_path / "corpus" / "demo")
    program, _ = programs(PAGE)
    exec(compile(program.text, str(PAGE), "exec"), {})
    assert deltalake.DeltaTable("lake/occurrence").to_pyarrow_table().num_rows == 5


@pytest.mark.parametrize("command", [line for line in COMMANDS if line.startswith("duckdb -readonly")])
def test_command_runs_in_the_shell(here: Path, command: str) -> None:
    if shutil.which("duckdb") is None:
        pytest.skip("the duckdb shell is not installed")
    assert subprocess.run(["sh", "-c", command], capture_output=True, check=True).stdout


def test_commands_of_the_tasks_have_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "corpus" / "demo", tmp_path / "mail")
    (tmp_path / "mail" / "a.mbox").write_text(MAIL, "utf-8")
    (tmp_path / "mail" / "b.txt").write_text("ftp://jo:x1y2z3@files.corp.net/pub/")
    assert len(TASKS) > 12
    for command in TASKS:
        done = urlscan(*shlex.split(command)[1:])
        assert (done.status, done.err) == (0, ""), command
        file = re.search(r" -o (\S+)", command)
        answer = Path(file[1]).read_text("utf-8") if file is not None else done.text
        assert " query " not in command or answer.count("\n") > (1 if file is not None else 2), command


@pytest.mark.slow
@pytest.mark.parametrize("program", ["parallel", "seq"])
def test_shards_of_several_processes_are_one_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    (command,) = (line for line in COMMANDS if line.startswith(f"{program} "))
    (query,) = (line for line in COMMANDS if line.startswith("urlscan query 'tables"))
    (statement,) = (match[1] for line in COMMANDS if (match := re.fullmatch(r'duckdb -c "(.*)"', line)))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mail").mkdir()
    for number in range(20):
        mail = MAIL.replace("@mill.example>", f"@mill{number}.example>")
        (tmp_path / "mail" / f"{number}.mbox").write_text(mail, "utf-8")
    done = subprocess.run(["sh", "-c", command], env=environment(tmp_path), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.count("files: ")) == (0, 8), done.stderr
    assert urlscan("archive", "mail", "--db", "urls.duckdb").status == 0
    answers = [urlscan(*arguments) for arguments in (shlex.split(query)[1:], ("query", "urls.duckdb", "hosts"))]
    assert answers[0].status == 0
    assert answers[0].out == answers[1].out
    with duckdb.connect("urls.duckdb", read_only=True) as connection:
        counts = "SELECT host, count(*) FROM occurrence JOIN url USING (url_id) GROUP BY host"
        assert sorted(connection.execute(counts).fetchall()) == sorted(duckdb.sql(statement).fetchall())
