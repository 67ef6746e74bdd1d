"""`python -m urlscan.spark` writes tables that `query` and `report` read, with one row for each file that fails."""

import gzip
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.archive.databases import rows
from tests.command import urlscan as command
from tests.spark.reading import rows_of
from urlscan.archive.schema import TABLES
from urlscan.cli.spark import main
from urlscan.core.errors import ConfigError, UrlscanError
from urlscan.spark import job, source
from urlscan.spark.job import Job

ROOT = Path(__file__).parents[2]
NAMES = tuple(table.name for table in TABLES)
SECRET = "hidden7q4Z"
MESSAGE = """From jo@h.example Thu Aug 22 12:26:25 2002
From: Jo <jo@h.example>
Date: Thu, 22 Aug 2002 12:26:25 +0000
Subject: ftp://jo:{secret}@h.example/subject

See <http://jo:{secret}@h.example/{number}/a-
b> and http://h.example/x?access_token={secret}&y=%zz.
{filler}
"""
has_java = pytest.mark.skipif(
    shutil.which("java") is None and "JAVA_HOME" not in os.environ, reason="Java is not installed"
)


def mailbox(start: int, count: int, filler: str = "") -> bytes:
    messages = (MESSAGE.format(secret=SECRET, number=number, filler=filler) for number in range(start, start + count))
    return "\n".join(messages).encode()


@pytest.fixture(scope="module")
def mail(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with mailboxes of all sizes, and files that cannot be read."""
    directory = tmp_path_factory.mktemp("mail")
    (directory / "small.mbox").write_bytes(mailbox(0, 3))
    (directory / "large.mbox").write_bytes(mailbox(60, 90, "text\n" * 9000))
    (directory / "message.mbox").write_bytes(mailbox(43, 1, "a line of the message\n" * 150_000) + mailbox(44, 1))
    (directory / "good.mbox.gz").write_bytes(gzip.compress(mailbox(45, 5)))
    (directory / "bad.mbox.gz").write_bytes(gzip.compress(mailbox(50, 50))[:-200])
    (directory / "worse.gz").write_bytes(gzip.compress(mailbox(100, 1))[:20] + b"\xff" * 20)
    (directory / "a.html").write_text('<a href="http://h.example/a|b">x</a>')
    return directory


def parquet_rows(directory: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of every table, sorted, as `tests.archive.databases.rows` does."""
    found = {}
    for table in TABLES:
        names = ", ".join(f'"{name}"' for name in table.names if name != "ingested_at")
        query = f"SELECT {names} FROM read_parquet('{directory / table.name}/*.parquet')"
        found[table.name] = sorted(duckdb.sql(query).fetchall(), key=repr)
    return found


# --- without Spark


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "INPUT and OUTPUT are required"),
        (["in"], "INPUT and OUTPUT are required"),
        (
            ["--tables", "urls", "in", "out"],
            "unknown table 'urls' (known: source, message, url, occurrence, finding, all)",
        ),
        (["--tables", ",", "in", "out"], "--tables is empty"),
        (["--conf", "x", "in", "out"], "--conf: expected KEY=VALUE"),
        (["--split-bytes", "0", "in", "out"], 'invalid splitBytes "0"'),
        (["--as", "mobx", "in", "out"], "unknown kind 'mobx'"),
        (["-", "out"], "standard input cannot be read by several processes"),
        (["nowhere", "out"], 'no files match "nowhere"'),
        (["in", "in/out"], "in/out is inside the input in"),
        (["--overwite", "in", "out"], 'did you mean "--overwrite"?'),
    ],
)
def test_errors_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("http://h.example/")
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("urlscan: ")
    assert captured.err.count("\n") == 1
    assert message in captured.err
    assert not (tmp_path / "out").exists()


def test_dry_run_shows_partitions_and_steps_without_java(mail: Path, capsysbinary: Any) -> None:
    assert main(["--dry-run", "--tables", "source,url,occurrence", "--split-bytes", "1m", str(mail), "out"]) == 0
    lines = capsysbinary.readouterr().out.decode().splitlines()
    *tasks, read, source, url, occurrence = lines
    numbers = [int(line.split(":")[0].removeprefix("partition ")) for line in tasks]
    count = len(set(numbers))
    assert numbers == sorted(numbers)
    assert sum("large.mbox" in line and ", mbox " in line for line in tasks) > 1
    assert sum(line.endswith(", for source") for line in tasks) == 2  # each of both mailboxes is one row
    assert read == f"read {count} partitions once"
    assert source == "source: sort by source_id, write out/source"
    assert url == "url: deduplicate by url_id, sort by url_id, write out/url"
    assert occurrence == "occurrence: sort by source_id, start, write out/occurrence"
    assert not Path("out").exists()


def test_unexpected_exceptions_are_one_line_without_text(
    mail: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    def fail(*_: object) -> None:
        raise ValueError(f"invalid literal: 'ftp://jo:{SECRET}@h.example'")

    monkeypatch.setattr(source, "read_items", fail)
    with pytest.raises(UrlscanError, match="internal error: ValueError in ") as raised:
        rows_of(mail)
    assert SECRET not in str(raised.value)
    assert raised.value.__suppress_context__
    monkeypatch.setattr(job, "find_files", fail)
    assert main([str(mail), "out"]) == 2
    error = capsys.readouterr().err
    assert re.fullmatch(r"urlscan: internal error: ValueError .*\n", error)
    assert SECRET not in error


# --- with Spark


@pytest.fixture(scope="module")
def tables(spark: Any, mail: Path) -> Path:
    output, lines = mail.with_name("tables"), list[str]()
    counts = job.write_tables(spark, Job((str(mail),), str(output), NAMES, {"splitBytes": "1m"}), lines.append)
    reported = [line.rpartition(" (")[0] for line in lines if "tasks done" not in line]
    assert reported == [f"{name}: {count:,} rows written" for name, count in counts.items()]
    return output


@pytest.mark.slow
def test_tables_have_the_rows_of_archive(tables: Path, mail: Path) -> None:
    database = mail.with_name("mail.duckdb")
    assert command("archive", "--isolated", "-q", "--db", str(database), str(mail)).status == 2  # two files fail
    assert parquet_rows(tables) == rows(database)
    url_ids = [row[0] for row in parquet_rows(tables)["url"]]
    assert len(url_ids) == len(set(url_ids)) > 50


@pytest.mark.slow
def test_query_and_report_read_the_tables(tables: Path, tmp_path: Path) -> None:
    done = command("query", str(tables), "hosts", "limit=1", "--format", "csv")
    assert (done.status, done.lines[1].split(",")[0]) == (0, "h.example")
    done = command("report", str(tables), "-o", str(tmp_path / "a.html"))
    assert (done.status, "h.example" in (tmp_path / "a.html").read_text()) == (0, True)


@pytest.mark.slow
def test_files_that_cannot_be_read_are_rows(tables: Path) -> None:
    query = f"SELECT path, error FROM read_parquet('{tables}/source/*.parquet') WHERE status = 'error' ORDER BY path"
    bad, worse = duckdb.sql(query).fetchall()
    assert bad[0].endswith("bad.mbox.gz")
    assert worse[0].endswith("worse.gz")
    assert bad[1]
    assert worse[1]


@pytest.mark.slow
def test_existing_output_is_kept_unless_overwritten(spark: Any, mail: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    small = Job((str(mail / "small.mbox"),), str(output), ("occurrence", "finding"), {})
    written = job.write_tables(spark, small)
    assert written["occurrence"] == 9
    before = sorted(output.rglob("*"))
    with pytest.raises(ConfigError, match=r"exists \(--overwrite"):
        job.write_tables(spark, small)
    assert sorted(output.rglob("*")) == before
    broken = small._replace(options={"encoding": "utf-8", "kind": "none"}, overwrite=True)
    with pytest.raises(UrlscanError) as raised:
        job.write_tables(spark, broken)
    assert "\n" not in str(raised.value)
    assert sorted(output.rglob("*")) == before
    html = small._replace(inputs=(str(mail / "a.html"),), tables=("occurrence",), overwrite=True)
    assert job.write_tables(spark, html) == {"occurrence": 1}
    assert [path.name for path in output.iterdir()] == ["occurrence"]
    with pytest.raises(UrlscanError):
        job.write_tables(spark, broken._replace(output=str(tmp_path / "new")))
    assert not (tmp_path / "new").exists()


@pytest.mark.slow
def test_functions_have_the_results_of_duckdb(spark: Any) -> None:
    from urlscan.archive.functions import register_functions
    from urlscan.spark import register_functions as register_with_spark

    register_with_spark(spark)
    texts = [f"See <http://jo:{SECRET}@h.example/a\nb>.", "HTTP://H.example:80/%7e%zz", "", None]
    frame = spark.createDataFrame([(text,) for text in texts], "value string")
    names = ["urlscan_occurrences", "urlscan_problems", "urlscan_normalize", "urlscan_host"]
    found = frame.selectExpr(*(f"{name}(value) AS {name}" for name in names)).collect()
    with duckdb.connect() as connection:
        register_functions(connection)
        calls = ", ".join(f"{name}(value) AS {name}" for name in names)
        expected = connection.execute(f"SELECT {calls} FROM (SELECT unnest($v) AS value)", {"v": texts}).fetchall()
    assert [tuple(row.asDict(recursive=True).values()) for row in found] == expected
    assert SECRET not in repr(found)


@pytest.mark.slow
@has_java
def test_secrets_are_in_no_file_of_a_job(mail: Path, tmp_path: Path) -> None:
    for name in ("events", "local"):
        (tmp_path / name).mkdir()
    settings = [
        "spark.eventLog.enabled=true",
        f"spark.eventLog.dir=file://{tmp_path / 'events'}",
        "spark.eventLog.compress=false",
        f"spark.local.dir={tmp_path / 'local'}",
        "spark.log.level=INFO",
        "spark.ui.enabled=false",
        "spark.sql.session.timeZone=UTC",
    ]
    arguments = [*(word for setting in settings for word in ("--conf", setting)), "--master", "local[1]", "-v"]
    done = subprocess.run(
        [sys.executable, "-m", "urlscan.spark", *arguments, str(mail), "out"],
        cwd=tmp_path, env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert re.search(r"rows written: 7 sources, [\d,]+ messages, [\d,]+ urls, ", done.stdout)
    assert "INFO" in done.stderr
    assert any((tmp_path / "events").rglob("*"))
    written = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert any(path.suffix == ".parquet" for path in written)
    assert not [path for path, data in written.items() if SECRET.encode() in data]
    assert SECRET not in done.stdout + done.stderr
    strings = [
        repr(duckdb.sql(f"FROM read_parquet('{path}')").fetchall()) for path in written if path.suffix == ".parquet"
    ]
    assert not [text for text in strings if SECRET in text]
    assert any("jo:***@h.example" in text for text in strings)


@pytest.mark.slow
@has_java
def test_failure_of_spark_is_one_line(mail: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "urlscan.spark", "--master", "local[x]", str(mail), str(tmp_path / "out")],
        env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    own = [line for line in done.stderr.splitlines() if line.startswith("urlscan: ")]
    assert (done.returncode, done.stdout, len(own)) == (2, "", 1)
    assert "Could not parse Master URL" in own[0]
    assert "\tat " not in done.stderr
