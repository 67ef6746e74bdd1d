"""Failures to store or read an archive: one line on standard error, no lost rows, and no remaining parts of files."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.archive.databases import archive, ask, rows
from tests.command import Result, clean_environment, urlscan

# A file of this process cannot become larger, as on a disk that is full. Bytecode that is cut off would stay (-B).
_LIMITED = (
    "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2);"
    "from urlscan.cli import entry; entry()"
)


def limited(size: int, *arguments: object) -> Result:
    """Run `urlscan archive` in a process whose files can have at most `size` bytes."""
    pytest.importorskip("resource", reason="the size of files cannot be limited on this system")
    command = [sys.executable, "-B", "-c", _LIMITED, str(size), "archive", "--isolated", *map(str, arguments)]
    done = subprocess.run(command, env=clean_environment(), capture_output=True, check=False)
    return Result(done.returncode, done.stdout, done.stderr.decode())


def assert_fails(done: Result, message: str) -> None:
    assert (done.status, done.out) == (2, b"")
    assert message in done.err
    assert "bug" not in done.err
    assert done.err.count("\n") == 1


@pytest.fixture
def large(tmp_path: Path) -> Path:
    path = tmp_path / "large.txt"
    path.write_text("".join(f"http://h{number * 7919}.example/{number}\n" for number in range(20_000)))
    return path


@pytest.mark.parametrize("name", [":memory:", ":memory:a"])
def test_a_name_of_databases_in_memory_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.txt").write_text("http://h.example/a\n")
    assert_fails(urlscan("archive", "a.txt", "--db", name, cwd=tmp_path), "only in memory (write ./ before the name")
    assert urlscan("archive", "a.txt", "--db", f"./{name}", cwd=tmp_path).status == 0
    assert "h.example" in urlscan("query", f"./{name}", "hosts", cwd=tmp_path).text


@pytest.mark.slow
@pytest.mark.parametrize("size", [100_000, 600_000], ids=["while it is created", "while rows are written"])
def test_a_full_disk_keeps_what_is_stored(tmp_path: Path, large: Path, size: int) -> None:
    database, fresh = tmp_path / "a.duckdb", tmp_path / "b.duckdb"
    assert_fails(limited(size, large, "--db", database), "File too large")
    archive(database, large)
    archive(fresh, large)
    assert rows(database) == rows(fresh)


@pytest.mark.slow
@pytest.mark.parametrize("size", [100_000, 600_000, 2_000_000])
def test_a_full_disk_leaves_nothing_beside_the_old_tables(tmp_path: Path, large: Path, size: int) -> None:
    small, directory = tmp_path / "small.txt", tmp_path / "out"
    small.write_text("http://h.example/a\n")
    assert urlscan("archive", str(small), "--format", "parquet", "-o", str(directory)).status == 0
    before = {path.name: path.read_bytes() for path in directory.iterdir()}
    done = limited(size, large, "--format", "parquet", "-o", directory)
    assert_fails(done, "File too large")
    assert {path.name: path.read_bytes() for path in directory.iterdir()} == before


def test_a_full_disk_leaves_no_table_of_a_database(tmp_path: Path, large: Path) -> None:
    database, directory = tmp_path / "a.duckdb", tmp_path / "out"
    archive(database, large)
    done = limited(200_000, large, "--db", database, "--format", "parquet", "-o", directory)
    assert_fails(done, "url.parquet.partial")
    assert not list(directory.iterdir())


@pytest.mark.parametrize("size", [0, 5, 4096, 12_288, 100_000, 300_000, 530_000])
@pytest.mark.parametrize("arguments", ["query DB hosts", "report DB", "archive --db DB PAGE"])
@pytest.mark.slow
def test_a_truncated_database_is_one_line(tmp_path: Path, arguments: str, size: int) -> None:
    page, database = tmp_path / "a.md", tmp_path / "a.duckdb"
    page.write_text("<http://h.example/>")
    archive(database, page)
    os.truncate(database, size)
    done = urlscan(*arguments.replace("DB", str(database)).replace("PAGE", str(page)).split())
    assert_fails(done, str(database))


UNDECODABLE = os.fsdecode(b"\xff.txt")


@pytest.fixture
def undecodable(tmp_path: Path) -> Path:
    """Return a directory with a file whose name is not UTF-8, and one whose name is shown equally."""
    directory = tmp_path / "names"
    directory.mkdir()
    try:
        (directory / UNDECODABLE).write_text("http://h.example/a\n")
    except (OSError, UnicodeError):
        pytest.skip("file names are always UTF-8 on this system")
    (directory / "\u00ff.txt").write_text("http://h.example/b\n")
    return directory


def test_names_that_are_not_utf_8_are_stored(tmp_path: Path, undecodable: Path) -> None:
    database, fresh = tmp_path / "a.duckdb", tmp_path / "b.duckdb"
    archive(database, undecodable)
    assert ask(database, "SELECT path FROM source") == [(str(undecodable / "\u00ff.txt"),)] * 2
    assert "2 unchanged" in archive(database, undecodable).text
    (undecodable / UNDECODABLE).write_text("http://h.example/c/d\n")
    assert "1 replaced, 1 unchanged" in archive(database, undecodable).text
    archive(fresh, undecodable)
    assert rows(database) == rows(fresh)
    assert sorted(ask(database, "SELECT url FROM url")) == [("http://h.example/b",), ("http://h.example/c/d",)]


def test_databases_whose_name_is_not_utf_8_are_refused(tmp_path: Path, undecodable: Path) -> None:
    name, missing = str(tmp_path / os.fsdecode(b"\xff")), str(tmp_path / os.fsdecode(b"\xfe"))
    for arguments in (
        ["archive", str(undecodable), "--db", name],
        ["archive", str(undecodable), "--format", "parquet", "-o", name],
        ["archive", str(undecodable), "--format", "parquet", "-o", name, "--db", str(tmp_path / "a.duckdb")],
        ["query", missing, "hosts"],
        ["report", missing],
    ):
        assert_fails(urlscan(*arguments), "its name must be UTF-8")


def test_members_with_equal_names_in_the_tables_are_numbered(tmp_path: Path) -> None:
    database, path = tmp_path / "a.duckdb", tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("e1.txt", "http://h.example/a\n")
        file.writestr("e2.txt", "http://h.example/b\n")
    path.write_bytes(path.read_bytes().replace(b"e1.", b"\xff1.").replace(b"e2.", b"\xff2."))
    archive(database, path)
    before = rows(database)
    assert len(ask(database, "SELECT DISTINCT member FROM source WHERE member <> ''")) == 2
    shutil.copy(path, tmp_path / "b.zip")
    (tmp_path / "b.zip").rename(path)
    archive(database, path)
    assert [row[:3] for row in rows(database)["source"]] == [row[:3] for row in before["source"]]
