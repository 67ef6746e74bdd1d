"""Questions to a database: each runs, documents its parameters, and can only read."""

import csv
import io
import json
import sys
from pathlib import Path

import duckdb
import pyarrow.parquet
import pytest

from tests.archive.databases import archive
from tests.command import Result, urlscan
from urlscan.archive.queries import Query, queries

MAIL = """\
From jo@h.example Thu Aug 22 12:26:25 2002
From: Jo <jo@h.example>
Subject: =cmd|' /C calc'!A0
Date: Thu, 22 Aug 2002 12:26:25 +0000
Message-ID: <1@h.example>
List-Id: <talk.h.example>
Newsgroups: comp.lang.c

See <URL:ftp://ftp.h.example/type-
setting.ps> and ftp://ftp.h.example/typesetting.ps and http://www.h.example:8080/a.html?q=1;r=2.
<http://jo:Xk29dlqZ@www.acme-mail.com/%zz> http://192.0.2.1/ http://b%C3%BCcher.example/
gopher://old.example/ http://xn--bcher-kva.example/ http://h.example/{id}

From jo@h.example Thu Aug 22 12:26:25 2003
X-URL: http://www.h.example:8080/a.html
Date: Thu, 22 Aug 2003 12:26:25 +0000

Nothing.
"""


# These have no rows for the mail above; tests/archive/test_questions.py has data for some of them.
_EMPTY = {
    "alternatives", "dead-by-year", "dead-hosts", "dead-links", "domain", "errors", "findings-of", "look-alikes",
    "misleading-links", "originals", "redirectors",
}  # fmt: skip


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("queries")
    (directory / "a.mbox").write_text(MAIL)
    (directory / "b.md").write_text("[a](http://www.h.example:8080/a.html) \x1b[31m")
    archive(directory / "urls.duckdb", directory)
    return directory / "urls.duckdb"


def query(database: Path, *arguments: str) -> Result:
    done = urlscan("query", str(database), *arguments)
    assert done.status == 0, done.err
    return done


def records(database: Path, *arguments: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in query(database, *arguments, "--format", "jsonl").lines]


def test_there_are_enough_questions() -> None:
    assert len(queries()) >= 20


@pytest.mark.parametrize("question", queries().values(), ids=lambda question: question.name)
def test_question_runs_with_its_defaults(database: Path, question: Query) -> None:
    found = records(database, question.name)
    assert found or question.name in _EMPTY
    assert "Xk29" not in str(found)


@pytest.mark.parametrize("question", queries().values(), ids=lambda question: question.name)
def test_question_documents_exactly_its_parameters(question: Query) -> None:
    import re

    assert {parameter.name for parameter in question.parameters} == set(re.findall(r"\$(\w+)", question.sql))
    assert question.description.endswith(".")
    assert "--" not in question.sql


def test_answers_are_right(database: Path) -> None:
    assert records(database, "hosts", "limit=3")[2:] == [
        {"host": "www.h.example", "occurrences": 2, "unquoted": 2, "messages": 1, "urls": 2, "sources": 2}
    ]
    (hyphen,) = records(database, "hyphens")
    assert (hyphen["unbroken"], hyphen["other_unbroken"]) in {(0, 1), (1, 0)}
    assert [row["scheme"] for row in records(database, "dead-protocols")] == ["ftp", "gopher"]
    assert [row["url"] for row in records(database, "credentials")] == ["http://jo:***@www.acme-mail.com/%zz"]
    assert {row["list"] for row in records(database, "lists")} == {"talk.h.example", "comp.lang.c"}
    assert [row["percent"] for row in records(database, "messages-by-year")] == [100.0, 0.0]
    assert [row["part"] for row in records(database, "headers")] == ["header:X-URL"]
    assert len(records(database, "domain", "domain=h.example")) >= 5
    assert [row["code"] for row in records(database, "findings")]


def test_parameter_is_a_value_and_no_sql(database: Path) -> None:
    assert records(database, "find", "text=' OR 1=1 --") == []
    done = urlscan("query", str(database), "hosts", "limit=1; DROP TABLE url")
    assert done.status == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["host"], 'did you mean "hosts"?'),
        (["hosts", "limits=3"], "parameters: limit=..."),
        (["hosts", "3"], "unknown parameter '3'"),
        ([], "--list shows all"),
        (["hosts", "--sql", "SELECT 1"], "--sql cannot be used with"),
        (["--sql", "SELEC 1"], "syntax error"),
        (["--sql", ""], "the statement is empty"),
        (["hosts", "--format", "parquet"], "requires -o FILE"),
    ],
)
def test_errors_are_one_line(database: Path, arguments: list[str], message: str) -> None:
    done = urlscan("query", str(database), *arguments)
    assert done.status == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE t AS SELECT 1",
        "DELETE FROM url",
        "UPDATE source SET path = ''",
        "DROP TABLE occurrence",
        "COPY url TO 'out.csv'",
        "EXPORT DATABASE 'out'",
        "ATTACH 'other.duckdb'",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM glob('/*')",
        "SELECT * FROM read_parquet('http://127.0.0.1:1/a.parquet')",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "RESET enable_external_access",
        "SET memory_limit = '100GB'",
        "SELECT * FROM connection",
        "SELECT * FROM options",
    ],
)
def test_statement_can_only_read_the_database(
    database: Path, sql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = database.read_bytes()
    done = urlscan("query", str(database), "--sql", sql)
    assert done.status == 2, done
    assert len(done.err.splitlines()) == 1
    assert database.read_bytes() == before
    assert list(tmp_path.iterdir()) == []


def test_formats(database: Path, tmp_path: Path) -> None:
    table = query(database, "schemes").lines
    assert table[0].split() == ["scheme", "occurrences", "unquoted", "urls"]
    assert set(table[1]) == {"-", " "}
    assert len({len(line) for line in table}) == 1
    rows = list(csv.reader(io.StringIO(query(database, "messages", "--format", "csv").text)))
    assert any("'=cmd|' /C calc'!A0" in row for row in rows)
    assert json.loads(query(database, "schemes", "--format", "json").text)[0]["scheme"] == "http"
    assert json.loads(query(database, "--sql", "SELECT 1 AS a WHERE false", "--format", "json").text) == []
    path = tmp_path / "hosts.parquet"
    assert query(database, "hosts", "--format", "parquet", "-o", str(path)).out == b""
    assert pyarrow.parquet.read_table(path).column("host").to_pylist()[1:3] == ["ftp.h.example", "www.h.example"]


def test_answer_and_report_do_not_replace_the_database(database: Path) -> None:
    content = database.read_bytes()
    for command in (("query", str(database), "hosts", "-o"), ("report", str(database), "-o")):
        done = urlscan(*command, str(database))
        assert (done.status, done.out) == (2, b"")
        assert done.err == f"urlscan: {database}: cannot be written: it is read as input\n"
        assert database.read_bytes() == content


@pytest.mark.parametrize("format", ["table", "csv", "tsv"])
def test_workflow_commands_in_an_answer_are_escaped(database: Path, format: str) -> None:
    sql = "SELECT '::error::a' AS a UNION ALL SELECT 'http://[::1]/' ORDER BY a"
    lines = query(database, "--sql", sql, "--format", format).lines
    assert lines[-2:] == [r"\x3a:error::a", "http://[::1]/"]


def test_table_has_every_row(database: Path) -> None:
    lines = query(database, "--sql", "SELECT range AS a FROM range(1200)", "--format", "table").lines
    assert [int(line) for line in lines[2:]] == list(range(1200))


def test_failed_statement_writes_no_file(database: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    sql = "SELECT CASE WHEN range = 9000 THEN error('x') ELSE 'a' END FROM range(10000)"
    for format in ("csv", "parquet"):
        done = urlscan("query", str(database), "--sql", sql, "--format", format, "-o", str(path))
        assert done.status == 2
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT TIMESTAMPTZ '2002-08-22 12:00+02' AS a, 1 AS a;", ["a,a", "2002-08-22 10:00:00+00,1"]),
        (
            "SELECT {'t': TIMESTAMPTZ '2002-08-22 12:00Z'} AS \"a\"\"b\" -- and a comment",
            ['"a""b"', '"{""t"": ""2002-08-22 12:00:00+00""}"'],
        ),
        ("SELECT date AT TIME ZONE 'UTC' AS d FROM message WHERE date IS NULL LIMIT 1", ["d"]),
    ],
)
def test_timestamps_with_a_zone_need_no_other_package(
    database: Path, monkeypatch: pytest.MonkeyPatch, sql: str, rows: list[str]
) -> None:
    """DuckDB asks pytz for Python values of them, which it does not require."""
    monkeypatch.setitem(sys.modules, "pytz", None)
    assert query(database, "--sql", sql, "--format", "csv").lines[: len(rows)] == rows


def test_control_characters_are_escaped(database: Path) -> None:
    done = query(database, "--sql", "SELECT chr(27) || '[31m' AS \"a\x1bb\"")
    assert "\x1b" not in done.text
    assert "\\x1b[31m" in done.text


@pytest.mark.parametrize("format", ["csv", "tsv"])
def test_booleans_are_written_as_in_json(database: Path, format: str) -> None:
    done = query(database, "--sql", "SELECT true AS a UNION ALL SELECT false ORDER BY a", "--format", format)
    assert done.lines == ["a", "false", "true"]


def test_list_and_show(database: Path) -> None:
    listing = urlscan("query", "--list").text
    assert all(f"{name} " in listing for name in queries())
    assert "limit=20: number of rows" in listing
    assert query(database, "--show", "schemes").text.startswith("SELECT")
    shown = query(database, "--show", "hosts")
    assert shown == urlscan("query", "--show", "hosts") == query(database, "--show", "hosts", "limit=3")
    for arguments, message in (("hots", "did you mean"), ("d hosts a=3", "unknown parameter"), ("", "--list shows")):
        assert message in urlscan("query", "--show", *arguments.split()).err


@pytest.mark.parametrize("layout", ["{table}.parquet", "{table}/part-0.parquet"])
def test_directory_of_parquet_files_is_a_database(database: Path, tmp_path: Path, layout: str) -> None:
    with duckdb.connect(str(database), read_only=True) as connection:
        for table in ("source", "message", "url", "occurrence", "finding"):
            path = tmp_path / layout.format(table=table)
            path.parent.mkdir(exist_ok=True)
            connection.execute(f"COPY {table} TO '{path}'")
    assert records(tmp_path, "hosts") == records(database, "hosts")
    other = tmp_path / "other.parquet"
    other.write_bytes(b"")
    assert urlscan("query", str(tmp_path), "--sql", "SELECT * FROM read_text('/etc/passwd')").status == 2


def test_long_statement_prints_no_progress_bar(database: Path) -> None:
    done = query(database, "--sql", "SELECT current_setting('enable_progress_bar') AS bar", "--format", "jsonl")
    assert done.text == '{"bar": false}\n'


def test_directory_without_tables_is_an_error(tmp_path: Path) -> None:
    done = urlscan("query", str(tmp_path), "hosts")
    assert (done.status, "no Parquet files of the table source" in done.err) == (2, True)
