"""Link checks and removed files: the database after them is that of one run over what is left."""

import json
import os
from pathlib import Path

from tests.archive.databases import archive, rows
from tests.archive.test_questions import MAIL
from tests.command import urlscan

STATUSES = """\
url,status,time
http://www.river.example/weir,404,2026-11-02
http://WWW.ferry.example:80/weir,200,2026-11-02
http://nowhere.example/,404,2026-11-02
http://tinyurl.com/w1,timeout,2026-11-02
"""


def test_removed_and_renamed_files_are_pruned(tmp_path: Path) -> None:
    mail = tmp_path / "mail"
    mail.mkdir()
    (mail / "a.mbox").write_text(MAIL, "utf-8")
    (mail / "b.txt").write_text("http://only.example/b\n")
    (mail / "c.txt").write_text("http://www.river.example/weir\n")
    (tmp_path / "d.txt").write_text("http://other.example/\n")
    os.mkdir(os.fsencode(mail) + b"/\xfc")
    Path(os.fsdecode(os.fsencode(mail) + b"/\xfc/e\xe9.txt")).write_text("http://e.example/\n")
    database = tmp_path / "a.duckdb"
    archive(database, mail, tmp_path / "d.txt")
    (mail / "a.mbox").rename(mail / "z.mbox")
    (mail / "b.txt").unlink()
    (tmp_path / "d.txt").unlink()
    done = urlscan("archive", "--isolated", "--db", str(database), str(mail), "--prune")
    assert "removed: 2 files" in done.text
    (tmp_path / "d.txt").write_text("http://other.example/\n")  # not below the path, so its rows are kept
    archive(tmp_path / "b.duckdb", mail, tmp_path / "d.txt")
    left, once = rows(database), rows(tmp_path / "b.duckdb")
    for table in ("message", "url", "occurrence", "finding"):
        assert left[table] == once[table]
    assert "removed: 0 files" in urlscan("archive", "--isolated", "--db", str(database), str(mail), "--prune").text


def test_prune_below_a_name_that_is_not_utf_8_and_of_standard_input(tmp_path: Path) -> None:
    directory = os.fsencode(tmp_path) + b"/\xfc"
    os.mkdir(directory)
    for name in (b"/a.txt", b"/b.txt"):
        Path(os.fsdecode(directory + name)).write_text("http://weir.example/\n")
    archive(tmp_path / "a.duckdb", os.fsdecode(directory))
    Path(os.fsdecode(directory + b"/a.txt")).unlink()
    common = ("archive", "--isolated", "--prune", "--db", str(tmp_path / "a.duckdb"))
    assert "removed: 1 file" in urlscan(*common, os.fsdecode(directory)).text
    done = urlscan(*common, "-", stdin=b"http://ferry.example/\n")
    assert "1 occurrence" in done.text
    assert "removed: 0 files" in done.text


def test_a_url_that_is_gone_has_no_status(tmp_path: Path) -> None:
    (tmp_path / "mail").mkdir()
    first, second = tmp_path / "mail" / "a.txt", tmp_path / "mail" / "b.txt"
    first.write_text("http://www.river.example/weir http://www.ferry.example/weir\n")
    second.write_text("http://tinyurl.com/w1\n")
    (tmp_path / "s.csv").write_text(STATUSES)

    def count(*arguments: str) -> str:
        archive(tmp_path / "a.duckdb", "mail", *arguments, cwd=tmp_path)
        sql = "SELECT count(*) FROM status"
        return urlscan("query", "a.duckdb", "--sql", sql, "--format", "csv", cwd=tmp_path).lines[1]

    assert count("--statuses", "s.csv") == "3"
    first.write_text("http://www.river.example/weir\n")  # replaced, one of its two URLs kept
    assert count() == "2"
    second.unlink()
    assert count("--prune") == "1"


def test_excluded_files_have_a_row(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("http://h.example/\n")
    (tmp_path / "b.txt").write_text("http://h.example/b\n")

    def statuses(*arguments: str) -> list[tuple[str, str]]:
        archive(tmp_path / "a.duckdb", ".", *arguments, cwd=tmp_path)
        return [
            (Path(str(row[1])).name, str(row[9]))
            for row in rows(tmp_path / "a.duckdb")["source"]
            if "txt" in str(row[1])
        ]

    assert sorted(statuses()) == [("a.txt", "ok"), ("b.txt", "ok")]
    assert sorted(statuses("--exclude", "b.txt")) == [("a.txt", "ok"), ("b.txt", "skipped")]
    assert len(rows(tmp_path / "a.duckdb")["occurrence"]) == 1
    assert sorted(statuses("--exclude", "b.txt")) == [("a.txt", "ok"), ("b.txt", "skipped")]
    assert sorted(statuses()) == [("a.txt", "ok"), ("b.txt", "ok")]


def test_dead_links_by_year_and_host(tmp_path: Path) -> None:
    (tmp_path / "a.mbox").write_text(MAIL, "utf-8")
    (tmp_path / "s.csv").write_text(STATUSES)
    archive(tmp_path / "a.duckdb", "a.mbox", cwd=tmp_path)
    done = urlscan("archive", "--isolated", "--db", "a.duckdb", "--statuses", "s.csv", cwd=tmp_path)
    assert done.text.splitlines() == [
        "files: none; rows added: 0 messages, 0 occurrences, 0 findings",
        "statuses: 4 reported; 3 URLs, 2 dead",
    ]

    def ask(question: str) -> list[list[object]]:
        answer = urlscan("query", "a.duckdb", question, "--format", "jsonl", cwd=tmp_path)
        return [list(json.loads(line).values()) for line in answer.lines]

    assert ask("dead-by-year") == [[2002, 5, 3, 2, 66.7], [2003, 11, 2, 1, 50.0]]
    assert ask("dead-hosts") == [["tinyurl.com", 1, 1, 1, "timeout"], ["www.river.example", 1, 1, 3, "404"]]
    first, second = ask("dead-links")
    assert first[:3] == ["http://www.river.example/weir", 404, "404"]
    assert first[4:] == [4, 3, "2002-08-22T12:26:25", f"{tmp_path}/a.mbox:9"]
    assert second[0] == "http://tinyurl.com/w1"
    (tmp_path / "s.csv").write_text(STATUSES.replace("404", "200"))  # it came back
    urlscan("archive", "--isolated", "--db", "a.duckdb", "--statuses", "s.csv", cwd=tmp_path)
    assert [row[0] for row in ask("dead-hosts")] == ["tinyurl.com"]
    (tmp_path / "b.txt").write_text("http://tinyurl.com/w1\n")
    archive(tmp_path / "b.duckdb", "b.txt", cwd=tmp_path)
    urlscan("archive", "--merge", "b.duckdb", "a.duckdb", "-o", "c.duckdb", cwd=tmp_path)
    sql = "SELECT count(*) AS n, count(*) FILTER (dead) AS dead FROM status"
    assert urlscan("query", "c.duckdb", "--sql", sql, "--format", "jsonl", cwd=tmp_path).text == '{"n": 3, "dead": 1}\n'
