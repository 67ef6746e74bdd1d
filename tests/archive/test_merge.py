"""Merged databases have the rows of one run over all files, and shards are read as one database."""

import signal
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from tests.archive.databases import archive, ask, rows
from tests.command import clean_environment, urlscan
from tests.containers import zipped

MAIL = b"""From jo@h.example Thu Aug 22 12:26:25 2002
Message-ID: <1@h.example>

See <http://h.example/a
b>, http://h.example/both and ftp://jo:pw@h.example/%zz.
"""


@pytest.fixture
def sources(tmp_path: Path) -> tuple[Path, Path]:
    """Return a mailbox and an archive with a common URL, and a file that is broken."""
    mail, directory = tmp_path / "a.mbox", tmp_path / "pages"
    mail.write_bytes(MAIL)
    directory.mkdir()
    (directory / "a.zip").write_bytes(
        zipped({"one.md": b"<http://h.example/both>\n", "two.md": b"<http://h.example/c>"})
    )
    (directory / "b.gz").write_bytes(b"\x1f\x8b\x08 broken")
    return mail, directory


def merge(*databases: Path, output: Path) -> str:
    done = urlscan("archive", "--merge", *map(str, databases), "-o", str(output))
    assert done.status == 0, done
    return done.text


@pytest.fixture
def halves(tmp_path: Path, sources: tuple[Path, Path]) -> list[Path]:
    databases = [tmp_path / "a.duckdb", tmp_path / "b.duckdb"]
    for database, path in zip(databases, sources, strict=True):
        urlscan("archive", "--isolated", "--db", str(database), str(path))
    return databases


def test_merged_databases_are_one_run_over_all_files(
    tmp_path: Path, sources: tuple[Path, Path], halves: list[Path]
) -> None:
    database, merged = tmp_path / "all.duckdb", tmp_path / "merged.duckdb"
    urlscan("archive", "--isolated", "--db", str(database), *map(str, sources))
    before = [path.read_bytes() for path in halves]
    assert merge(*halves, output=merged) == "rows: 5 sources, 1 message, 4 urls, 5 occurrences, 1 finding\n"
    assert rows(merged) == rows(database)
    assert [path.read_bytes() for path in halves] == before
    positions = "SELECT * FROM position ORDER BY source_id"
    assert ask(merged, positions) == ask(database, positions)


def test_a_merged_database_is_continued(tmp_path: Path, sources: tuple[Path, Path], halves: list[Path]) -> None:
    merged, fresh = tmp_path / "merged.duckdb", tmp_path / "fresh.duckdb"
    merge(*halves, output=merged)
    mail = sources[0]
    mail.write_bytes(MAIL + MAIL.replace(b"/a", b"/new"))
    assert archive(merged, mail).text.startswith("files: 1 continued;")
    merge(halves[1], output=fresh)
    archive(fresh, mail)
    assert rows(merged) == rows(fresh)


def test_a_file_is_taken_from_the_database_that_read_it_last(tmp_path: Path) -> None:
    page, databases = tmp_path / "a.zip", [tmp_path / f"{number}.duckdb" for number in range(3)]
    for number, database in enumerate(databases):
        page.write_bytes(zipped({f"{number}.md": f"<http://h.example/{number}>".encode()}))
        archive(database, page)
    for order in (databases, databases[::-1]):
        merged = tmp_path / f"{order[0].stem}.merged"
        merge(*order, output=merged)
        assert rows(merged) == rows(databases[2])


@pytest.mark.parametrize("is_killed", [False, True], ids=["an error", "SIGKILL"])
def test_a_stopped_merge_leaves_no_database(tmp_path: Path, halves: list[Path], *, is_killed: bool) -> None:
    merged = tmp_path / "merged.duckdb"
    script = (
        "import os, sys; from urlscan.archive import merge as m; copy = m._copy\n"
        "def stop(connection, number):\n"
        "    copy(connection, number)\n"
        f"    {'os.kill(os.getpid(), 9)' if is_killed else 'raise KeyboardInterrupt'}\n"
        "m._copy = stop; from urlscan.cli import entry; entry()\n"
    )
    command = [sys.executable, "-c", script, "archive", "--merge", *map(str, halves), "-o", str(merged)]
    done = subprocess.run(command, env=clean_environment(), check=False)
    assert done.returncode == (-signal.SIGKILL if is_killed else 130)
    assert not merged.exists()
    merge(*halves, output=merged)
    assert not list(tmp_path.glob("*.partial*"))
    assert len(rows(merged)["occurrence"]) == 5


def test_errors_of_a_merge_are_one_line(tmp_path: Path, sources: tuple[Path, Path], halves: list[Path]) -> None:
    other, merged, broken = (tmp_path / name for name in ("other.duckdb", "merged.duckdb", "broken.duckdb"))
    archive(other, "--emails", sources[0])
    broken.write_bytes(halves[0].read_bytes()[:300_000])
    first = str(halves[0])
    for arguments, message in (
        ([first, str(other), "-o", str(merged)], "its rows were written with another --emails"),
        ([first, str(broken), "-o", str(merged)], "broken.duckdb: "),
        ([first, str(tmp_path / "none"), "-o", str(merged)], "does not exist"),
        ([first, "-o", first], "the file exists (name a new database)"),
        (["-o", str(merged)], "--merge requires databases and -o"),
        ([first], "--merge requires databases and -o"),
        ([first, "--db", str(merged), "-o", str(merged)], "--merge cannot be used with --db"),
        ([first, "--prune", "-o", str(merged)], "--merge cannot be used with --db, --format, --shard, --prune"),
        ([first, "--statuses", first, "-o", str(merged)], "--merge cannot be used with "),
        ([first, "--shard", "1/2", "-o", str(merged)], "--merge cannot be used with "),
    ):
        done = urlscan("archive", "--merge", *arguments)
        assert (done.status, done.out, done.err.count("\n")) == (2, b"", 1)
        assert message in done.err
        assert not list(tmp_path.glob("merged*"))


def test_shards_of_parquet_files_are_one_database(tmp_path: Path, halves: list[Path]) -> None:
    """The URLs that shards have in common counted once for each shard."""
    merged, directory = tmp_path / "merged.duckdb", tmp_path / "tables"
    merge(*halves, output=merged)
    for database in halves:
        with duckdb.connect(str(database), read_only=True) as connection:
            for table in ("source", "message", "url", "occurrence", "finding"):
                (directory / table).mkdir(parents=True, exist_ok=True)
                connection.execute(f"COPY {table} TO '{directory / table / database.stem}.parquet'")
    for question in ("hosts", "schemes", "urls", "domains"):
        answers = [urlscan("query", str(path), question, "--format", "jsonl").lines for path in (merged, directory)]
        assert sorted(answers[0]) == sorted(answers[1])
        assert answers[0]
