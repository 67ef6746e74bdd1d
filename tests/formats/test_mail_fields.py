"""No secret in a field of a mail, or of a record of a web archive, is revealed by any format and any table."""

import json
import re
from pathlib import Path

import pytest

from tests.command import urlscan
from tests.formats.test_secrets import LEAK, P
from tests.web_archives import record
from urlscan.formats import FORMATS

PASSWORD = f"http://jane:{P}@ftp.dominion.org/a"
TOKEN = f"http://h.example/?access_token={P}{P}"
MAILBOX = f"""From jo@h.example Thu Aug 22 12:26:25 2002
Message-ID: <{PASSWORD}@h.example>
From: Jo <{PASSWORD}>
Subject: see {TOKEN} and {PASSWORD}
List-Id: <{PASSWORD}>
Newsgroups: comp.lang.c,{TOKEN}
In-Reply-To: <{TOKEN}@h.example>
X-A?access_token={P}{P}: http://h.example/%zz

See http://h.example/a and http://h.example/b%zz.
"""
RECORD = record(
    "resource",
    PASSWORD,
    b"See http://h.example/%zz.",
    "text/plain",
    WARC_Record_ID=f"<{TOKEN}>",
    WARC_Type=f"a={TOKEN}",
)


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    directory = tmp_path / "sources"
    directory.mkdir()
    (directory / "a.mbox").write_text(MAILBOX)
    (directory / "a.warc").write_bytes(RECORD)
    return directory


@pytest.mark.parametrize("format", ["text", "json", "jsonl", "csv", "tsv"])
def test_extract_masks_every_field(sources: Path, format: str) -> None:
    done = urlscan("extract", "--format", format, str(sources))
    assert "http://h.example/b%zz" in done.text
    assert not LEAK.search(done.text + done.err)


def test_record_says_that_only_its_message_id_is_masked(sources: Path) -> None:
    (found,) = (
        json.loads(line)
        for line in urlscan("extract", "--format", "jsonl", str(sources / "a.mbox")).lines
        if "example/b" in line
    )
    assert (found["message_id"], found["redacted"]) == ("http://jane:***@h.example", True)
    (shown,) = (
        json.loads(line)
        for line in urlscan("extract", "--format", "jsonl", "--show-secrets", str(sources / "a.mbox")).lines
        if "example/b" in line
    )
    assert (shown["message_id"], shown.get("redacted")) == (f"{PASSWORD}@h.example", None)


@pytest.mark.parametrize("format", FORMATS)
def test_check_masks_every_field(sources: Path, format: str) -> None:
    done = urlscan("check", "--decompress", "--select", "ALL", "--format", format, str(sources))
    assert done.text
    assert not LEAK.search(done.text + done.err)


@pytest.mark.parametrize("format", ["parquet", "arrow"])
def test_extracted_tables_mask_every_field(sources: Path, format: str) -> None:
    pytest.importorskip("pyarrow", reason="tables need the extra 'archive'")
    import pyarrow
    import pyarrow.parquet

    data = pyarrow.BufferReader(urlscan("extract", "--format", format, str(sources)).out)
    table = pyarrow.parquet.read_table(data) if format == "parquet" else pyarrow.ipc.open_stream(data).read_all()
    assert "http://jane:***@h.example" in table.column("message_id").to_pylist()
    assert not LEAK.search(str(table.to_pylist()))


def test_tables_of_the_archive_mask_every_field(sources: Path) -> None:
    pytest.importorskip("duckdb", reason="databases need the extra 'archive'")
    from tests.archive.databases import archive, rows

    database = sources.parent / "a.duckdb"
    archive(database, sources)
    for name, found in rows(database).items():
        assert found
        assert not LEAK.search(str(found)), name


def test_tables_of_spark_mask_every_field(sources: Path) -> None:
    pytest.importorskip("pyarrow", reason="tables need the extra 'archive'")
    from tests.spark.reading import rows_of
    from urlscan.archive.schema import TABLES

    for table in TABLES:
        found = rows_of(sources, table=table.name)
        assert found
        assert not LEAK.search(str(found)), table.name


def test_members_named_after_a_token_are_masked(tmp_path: Path) -> None:
    """Programs that mirror a site name files after its URLs."""
    import zipfile

    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(f"mirror/hooks.slack.com/services/{P}/{P}/{P}", "http://h.example/a")
    done = urlscan("extract", "--format", "jsonl", str(tmp_path / "a.zip"))
    assert json.loads(done.lines[0])["member"] == "mirror/hooks.slack.com/services/***"


FLOWED = "From: jo@h.example\nSubject: x\nContent-Type: text/plain; format=flowed; delsp=yes\n\n{0}\n"


@pytest.mark.parametrize(
    "body",
    [
        "http://h.example/,https: \n//jo:Xq3zLw \nRt7Vk9@h.example/a",
        "> http://h.example/,https: \n> //jo:Xq3zLw \n> Rt7Vk9@h.example/a",
        "http://h.example/,h \nttps://jo:Xq3zLwRt7Vk9 \nBn2@h.example/a",
        "see https:/ \n/jo:Xq3z \nLwRt7Vk9@h.example/a.b|c",
    ],
)
@pytest.mark.parametrize(
    "command",
    [
        ["extract", "--schemeless", "--emails"],
        ["extract", "--schemeless", "--emails", "--format", "jsonl"],
        ["check", "--select", "ALL"],
        ["check", "--select", "ALL", "--format", "json"],
    ],
)
def test_secret_over_flowed_lines_is_masked(body: str, command: list[str]) -> None:
    done = urlscan(*command, "--as", "mail", "-", stdin=FLOWED.format(body).encode())
    assert not re.search("Xq3z|LwRt|Rt7V|Vk9", done.text + done.err), done.text
