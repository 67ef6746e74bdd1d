"""Parquet files have the rows and the schema of the database; `extract` writes the fields of its JSON records."""

import io
import json
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from tests.archive.databases import archive, rows
from tests.command import urlscan
from urlscan import ConfigError
from urlscan.archive import batches
from urlscan.archive.ingest import Ingest
from urlscan.archive.schema import BY_NAME, EXTRACTED, SCHEMA_VERSION, STORED, TABLES, arrow_schema

MBOX = b"""From jo@h.example Thu Aug 22 12:26:25 2002
Date: Thu, 22 Aug 2002 12:26:25 +0000
Message-ID: <1@h.example>

See <http://h.example/a
b> and http://jo:hidden@h.example/ and hxxp://h[.]example/x.
"""


@pytest.fixture
def mail(tmp_path: Path) -> Path:
    path = tmp_path / "a.mbox"
    path.write_bytes(MBOX)
    return path


def parquet(mail: Path, *arguments: object) -> Path:
    directory = mail.with_name("out")
    done = urlscan(
        "archive", "--isolated", *map(str, arguments), "--format", "parquet", "-o", str(directory), str(mail)
    )
    assert done.status == 0, done
    return directory


def test_files_have_the_rows_of_the_database(mail: Path) -> None:
    directory, database = parquet(mail), mail.with_name("a.duckdb")
    archive(database, mail)
    assert {path.name for path in directory.iterdir()} == {f"{table.name}.parquet" for table in STORED}
    for table in STORED:
        found = pyarrow.parquet.read_table(directory / f"{table.name}.parquet")
        assert found.schema.names == list(table.names)
        assert [field.type for field in found.schema] == [field.type for field in arrow_schema(table)]
        assert found.schema.metadata[b"urlscan.schema_version"] == str(SCHEMA_VERSION).encode()
        done = urlscan("query", str(database), "--sql", f"SELECT count(*) AS n FROM {table.name}", "--format", "jsonl")
        assert json.loads(done.text) == {"n": found.num_rows}


def test_interrupted_run_keeps_the_old_files_and_continues(mail: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = parquet(mail)
    before = (directory / "url.parquet").read_bytes()
    mail.write_bytes(MBOX.replace(b"/a", b"/new"))

    def fail(self: Ingest) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Ingest, "finish", fail)
        done = urlscan("archive", "--isolated", "--format", "parquet", "-o", str(directory), str(mail))
    assert done.status == 130
    assert (directory / "url.parquet").read_bytes() == before
    parquet(mail)
    assert "http://h.example/newb" in pyarrow.parquet.read_table(directory / "url.parquet").column("url").to_pylist()
    assert not list(directory.glob("*partial*"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "parquet"], "--format parquet requires -o DIR"),
        (["-o", "out", "--db", "a.duckdb"], "-o requires --format parquet"),
        ([], "--db is required"),
    ],
)
def test_missing_options_are_errors(arguments: list[str], message: str) -> None:
    done = urlscan("archive", *arguments, "nowhere")
    assert (done.status, message in done.err) == (2, True)


@pytest.mark.parametrize("format", ["parquet", "arrow"])
def test_extract_writes_the_fields_of_its_records(mail: Path, format: str) -> None:
    done = urlscan("extract", "--isolated", "--format", format, str(mail))
    assert done.status == 0, done.err
    reader = (
        pyarrow.parquet.read_table if format == "parquet" else lambda file: pyarrow.ipc.open_stream(file).read_all()
    )
    found = reader(io.BytesIO(done.out))
    assert found.schema.names == list(EXTRACTED.names)
    lines = urlscan("extract", "--isolated", "--format", "jsonl", str(mail)).lines
    expected = [json.loads(line) for line in lines]
    assert found.num_rows == len(expected) == 2  # defanged text holds no URL
    for row, record in zip(found.to_pylist(), expected, strict=True):
        row["date"] = row["date"].isoformat() + "Z"
        assert {name: value for name, value in record.items() if name != "schema_version"}.items() <= row.items()


def test_extract_without_urls_writes_an_empty_table(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("none")
    done = urlscan("extract", "--format", "parquet", str(tmp_path / "a.txt"))
    assert pyarrow.parquet.read_table(io.BytesIO(done.out)).num_rows == 0


def test_unwrapped_and_refanged_urls_have_their_original(mail: Path) -> None:
    database = mail.with_name("a.duckdb")
    archive(database, "--defanged", mail)
    done = urlscan("query", str(database), "originals", "--format", "jsonl")
    assert [json.loads(line) for line in done.lines] == [
        {"original": "hxxp://h[.]example/x", "url": "http://h.example/x", "occurrences": 1}
    ]


def shards(mail: Path, count: int) -> tuple[Path, Path]:
    """Return the tables of 20 mailboxes, by shards and by one run."""
    sources, parts, whole = (mail.with_name(name) for name in ("sources", "parts", "whole"))
    sources.mkdir()
    for number in range(20):
        (sources / f"{number}.mbox").write_bytes(MBOX.replace(b"<1@", b"<%d@" % number))
    common = ("archive", "--isolated", "--format", "parquet", "-o")
    for number in range(count):
        assert urlscan(*common, str(parts), "--shard", f"{number + 1}/{count}", str(sources)).status == 0
    assert urlscan(*common, str(whole), str(sources)).status == 0
    return parts, whole


def test_shards_are_read_as_one(mail: Path) -> None:
    parts, whole = shards(mail, 8)
    names = sorted(path.name for path in (parts / "url").iterdir())
    assert names == [f"shard-{number}-of-8.parquet" for number in range(1, 9)]
    for table in STORED:
        columns = ", ".join(f'"{name}"' for name in table.names if name != "ingested_at")
        sql = f"SELECT {columns} FROM {table.name} ORDER BY ALL"
        databases = (str(whole), str(parts), f"{parts}/**")
        answers = [urlscan("query", path, "--sql", sql, "--format", "jsonl") for path in databases]
        assert [answer.status for answer in answers] == [0, 0, 0]
        assert answers[0].out == answers[1].out == answers[2].out
    (parts / "url" / "shard-3-of-8.parquet").unlink()
    for arguments in (["query", str(parts), "hosts"], ["report", f"{parts}/**"]):
        done = urlscan(*arguments)
        assert (done.status, done.err.count("\n")) == (2, 1)
        assert "the table url has 7 of 8 shards" in done.err


def test_other_division_is_refused(mail: Path) -> None:
    parts, whole = shards(mail, 2)
    common = ("archive", "--isolated", "--format", "parquet", "-o")
    for directory, *shard in ((parts, "--shard", "1/3"), (parts,), (whole, "--shard", "1/2")):
        done = urlscan(*common, str(directory), *shard, str(mail))
        assert done.status == 2
        assert "contains the file" in done.err
    assert urlscan(*common, str(parts), "--shard", "2/2", str(mail.with_name("sources"))).status == 0


@pytest.mark.parametrize(
    "arguments", [("--shard", "0/8"), ("--shard", "9/8"), ("--shard", "a"), ("--shard", "1/2", "--db", "x")]
)
def test_invalid_shard_is_one_line(mail: Path, arguments: tuple[str, ...]) -> None:
    done = urlscan(
        "archive", "--isolated", "--format", "parquet", "-o", str(mail.with_name("out")), *arguments, str(mail)
    )
    assert done.status == 2
    assert "shard" in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_batches_have_the_rows_of_the_database(mail: Path, jobs: int) -> None:
    database = mail.with_name("a.duckdb")
    archive(database, mail)
    expected = rows(database)
    found: dict[str, set[str]] = {table.name: set() for table in TABLES}
    for name, batch in batches(mail, jobs=jobs):
        assert batch.schema.equals(arrow_schema(BY_NAME[name]))
        names = [column for column in batch.schema.names if column != "ingested_at"]
        found[name] |= {repr(tuple(row.values())) for row in batch.select(names).to_pylist()}
    assert {name: len(values) for name, values in found.items()} == {name: len(x) for name, x in expected.items()}
    assert found["message"] == {repr(row) for row in expected["message"]}
    assert [item.table for item in batches([mail], tables=["finding"])] == []
    with pytest.raises(ConfigError, match="unknown table"):
        batches(mail, tables=["x"])
